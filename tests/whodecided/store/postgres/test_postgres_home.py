"""What a log on a server keeps in a directory of its own, and what another machine can do."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from domain.errors import LogUnavailable
from tests.whodecided.evidence.builders import append_game, game_id
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import open_store


def opened(address: str, *, create: bool = False) -> LogDirectory:
    return open_store(address, create=create)


def elsewhere(address: str, home: Path) -> str:
    """The same log as another machine names it."""
    return f"{address.partition('&home=')[0]}&home={quote(str(home), safe='')}"


def test_a_log_has_a_directory_named_by_its_id_for_its_owner_alone(
    postgres_address: str, tmp_path: Path
) -> None:
    with closing(opened(postgres_address, create=True)) as log:
        assert log.path == tmp_path / "servers" / log.events.log_id
        assert stat.S_IMODE(log.path.stat().st_mode) == 0o700
        secret = log.keys / "log.secret"
        assert (secret.read_bytes(), stat.S_IMODE(secret.stat().st_mode)) == (
            log.secrets[1],
            0o600,
        )
        assert log.place.startswith("postgres://")


def test_the_environment_names_the_folder_of_these_directories(
    postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHODECIDED_HOME", str(tmp_path / "named"))
    with closing(opened(postgres_address.partition("&home=")[0], create=True)) as log:
        assert log.path.parent == tmp_path / "named"


def test_a_log_that_is_not_there_is_made_only_when_asked_for(
    postgres_address: str, tmp_path: Path
) -> None:
    with pytest.raises(LogUnavailable, match="there is no log here"):
        opened(postgres_address)
    assert not (tmp_path / "servers").exists()

    with closing(opened(postgres_address, create=True)) as made:
        log_id = made.events.log_id
    with closing(opened(postgres_address, create=True)) as again:
        assert again.events.log_id == log_id


def test_another_machine_reads_without_the_secrets_and_records_with_a_copy_of_them(
    postgres_address: str, tmp_path: Path
) -> None:
    other = elsewhere(postgres_address, tmp_path / "other")
    with closing(opened(postgres_address, create=True)) as here:
        append_game(here, 0, 5)
        with closing(opened(other)) as there:
            assert there.events.read(game_id(0)) == here.events.read(game_id(0))
            with pytest.raises(LogUnavailable, match="missing") as caught:
                append_game(there, 1, 5)
            assert caught.value.advice is not None
            assert "Copy the folder `keys`" in caught.value.advice

            (there.keys / "log.secret").write_bytes((here.keys / "log.secret").read_bytes())
            append_game(there, 1, 5)
        append_game(here, 1, 5)
        assert here.events.head() == 10


def test_the_secret_of_another_log_is_told_from_this_ones(postgres_address: str) -> None:
    with closing(opened(postgres_address, create=True)) as log:
        (log.keys / "log.secret").write_bytes(bytes(32))

        with pytest.raises(LogUnavailable, match="log secret 1 is not the one of this log"):
            append_game(log, 0, 5)


def test_a_rotation_is_known_to_every_machine(postgres_address: str, tmp_path: Path) -> None:
    with (
        closing(opened(postgres_address, create=True)) as here,
        closing(opened(elsewhere(postgres_address, tmp_path / "other"))) as there,
    ):
        append_game(here, 0, 2)

        assert here.secrets.rotate() == 2
        assert there.secrets.newest() == 2
        assert here.sealer(game_id(0)).number == 1
        assert here.sealer(game_id(1)).number == 2
        with pytest.raises(LogUnavailable, match=r"log.secret.2: .* missing"):
            there.sealer(game_id(1))


def test_a_machine_that_lacks_an_earlier_secret_makes_no_further_one(
    postgres_address: str, tmp_path: Path
) -> None:
    with (
        closing(opened(postgres_address, create=True)) as here,
        closing(opened(elsewhere(postgres_address, tmp_path / "other"))) as there,
    ):
        with pytest.raises(LogUnavailable, match=r"log.secret: .* missing") as caught:
            there.secrets.rotate()
        assert caught.value.advice is not None
        assert "Copy the folder `keys`" in caught.value.advice
        assert list(there.keys.iterdir()) == []

        append_game(here, 0, 2)
        assert here.secrets.rotate() == 2
        (there.keys / "log.secret").write_bytes((here.keys / "log.secret").read_bytes())
        with pytest.raises(LogUnavailable, match=r"log.secret.2: .* missing"):
            there.secrets.rotate()
        assert here.secrets.newest() == 2


def test_what_stayed_of_an_interrupted_rotation_is_used_by_the_next(
    postgres_address: str,
) -> None:
    with closing(opened(postgres_address, create=True)) as log:
        (log.keys / "log.secret.2").write_bytes(b"x" * 32)

        assert log.secrets.newest() == 1
        assert log.secrets.rotate() == 2
        assert log.secrets[2] == b"x" * 32


def test_of_two_machines_that_rotate_at_once_one_is_told_that_the_other_was_first(
    postgres_address: str, tmp_path: Path
) -> None:
    with (
        closing(opened(postgres_address, create=True)) as here,
        closing(opened(elsewhere(postgres_address, tmp_path / "other"))) as there,
    ):
        (there.keys / "log.secret.2").write_bytes(b"x" * 32)
        here.secrets.rotate()

        with pytest.raises(LogUnavailable, match="log secret 2 is not the one"):
            there.sealer(game_id(1))
