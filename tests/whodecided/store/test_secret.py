"""Log secrets are numbered, readable by their owner alone, and never change."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import LogUnavailable
from tests.whodecided.store.builders import GAME, OTHER_GAME, append, facts_of
from whodecided.store.directory import open_directory
from whodecided.store.secret import LogSecrets, create_secret


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    create_secret(tmp_path)
    return tmp_path


def test_a_new_secret_stands_beside_the_old_one(keys: Path) -> None:
    secrets = LogSecrets(keys)
    first = secrets[1]

    assert (secrets.newest(), secrets.rotate(), secrets.rotate(), secrets.newest()) == (1, 2, 3, 3)

    assert secrets[1] == first == (keys / "log.secret").read_bytes()
    assert len({secrets[1], secrets[2], secrets[3]}) == 3
    assert {path.name for path in keys.iterdir()} == {"log.secret", "log.secret.2", "log.secret.3"}
    again = LogSecrets(keys)
    assert [again[n] for n in (1, 2, 3)] == [secrets[n] for n in (1, 2, 3)]
    assert again.newest() == 3


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_every_secret_can_be_read_by_its_owner_only(keys: Path) -> None:
    LogSecrets(keys).rotate()

    assert {stat.S_IMODE(path.stat().st_mode) for path in keys.iterdir()} == {0o600}


def test_backups_and_what_an_interrupted_rotation_left_are_no_secrets(keys: Path) -> None:
    secrets = LogSecrets(keys)
    secrets.rotate()
    for name in ("log.secret.3.bak", "log.secret.4~", "log.secret.5.partial", "log.secret.06"):
        (keys / name).write_bytes(b"")

    again = LogSecrets(keys)
    assert again.newest() == 2
    assert again[2] == secrets[2]
    assert again.rotate() == 3


def test_a_secret_that_another_process_made_is_seen(keys: Path) -> None:
    here, there = LogSecrets(keys), LogSecrets(keys)
    there.rotate()
    there.rotate()

    assert here[2] == there[2]
    assert here.newest() == 3


def test_a_missing_or_spoiled_secret_is_reported(keys: Path) -> None:
    secrets = LogSecrets(keys)
    with pytest.raises(LogUnavailable, match=r"log.secret.2: the log secret is missing"):
        secrets[2]
    secrets.rotate()
    secrets.rotate()

    (keys / "log.secret.2").rename(keys / "kept")
    with pytest.raises(LogUnavailable, match=r"log.secret.2: the log secret is missing") as caught:
        LogSecrets(keys)
    assert caught.value.advice is not None
    (keys / "log.secret.2").write_bytes(bytes(31))
    with pytest.raises(LogUnavailable, match="has 31 bytes instead of 32"):
        LogSecrets(keys)


def test_a_stream_is_sealed_with_its_own_secret_and_a_new_one_with_the_newest(
    tmp_path: Path,
) -> None:
    with closing(open_directory(tmp_path / "log", create=True, facts_of=facts_of)) as log:
        assert (log.sealer(GAME).number, log.sealer().number) == (1, 1)
        log.secrets.rotate()
        assert log.sealer(GAME).number == 2

        log.events.append([append(1, 1)])
        assert log.sealer(GAME).number == 1
        assert log.sealer(OTHER_GAME, GAME).number == 1
        assert log.sealer(OTHER_GAME).number == 2
        assert log.sealer(GAME)(GAME, 1, "card", "x") != log.sealer()(GAME, 1, "card", "x")
