"""A copy of a log has the same journal, trees, checkpoints and bundles, wherever it is."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import BadInput, IntegrityFailure, LogUnavailable
from domain.ports import EventLog, Origin
from tests.shared import PROJECT_ROOT
from tests.support.postgres import drop_schema, fresh_address
from tests.whodecided.evidence.builders import append_game, game_id, make_log
from whodecided.copying import Copied, copy_events, copy_log
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint, stored_checkpoints
from whodecided.evidence.erasure import erase_person
from whodecided.evidence.facts import facts_of_bytes
from whodecided.evidence.keys import PRIVATE_KEY, create_key, known_keys, load_signer
from whodecided.evidence.signing import Verifier
from whodecided.evidence.verify import verify_log
from whodecided.store.directory import Identity, LogDirectory, open_directory
from whodecided.store.memory_log import MemoryEventLog
from whodecided.store.opening import open_store

PLAYER = "player:a11ce00000000000"
Place = Callable[[str], str | Path]


@pytest.fixture
def original(tmp_path: Path) -> Iterator[LogDirectory]:
    """A signed log of three games, with two checkpoints, two secrets and a kept name."""
    with closing(make_log(tmp_path / "original")) as log:
        create_key(log.keys, origin_of(log.events.log_id))
        make_checkpoint(log)
        log.people.keep([(PLAYER.partition(":")[2], "Alice")])
        log.secrets.rotate()
        append_game(log, 3, 6)
        yield log


@pytest.fixture(params=["directory", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Makes up places of one kind where nothing is yet."""
    if request.param == "directory":
        yield lambda name: tmp_path / name
        return
    server = request.getfixturevalue("postgres_server")
    made: list[str] = []

    def address(name: str) -> str:
        made.append(fresh_address(server, tmp_path / name))
        return made[-1]

    yield address
    for one in made:
        drop_schema(one)


def everything(log: EventLog) -> tuple[object, ...]:
    streams = list(log.streams())
    head = log.head()
    return (
        log.log_id,
        log.read_all(),
        log.journal(),
        log.leaves(upto=len(log.journal())),
        log.disclosures_between(0, head),
        log.provenance_between(0, head),
        streams,
        [log.secret_of(name) for name, _, _ in streams],
    )


def bundle_of(log: LogDirectory) -> bytes:
    made = make_bundle(log, game_id(1), viewer="judge", may_show=lambda event: ["card"])
    return made.content


def require_copy(copy: LogDirectory, original: LogDirectory) -> None:
    assert everything(copy.events) == everything(original.events)
    assert bundle_of(copy) == bundle_of(original)
    assert [c.text() for c in stored_checkpoints(copy)] == [
        c.text() for c in stored_checkpoints(original)
    ]
    assert [p.read_bytes() for p in sorted(copy.checkpoints.iterdir())] == [
        p.read_bytes() for p in sorted(original.checkpoints.iterdir())
    ]
    assert known_keys(copy.keys) == known_keys(original.keys)
    assert [copy.secrets[n] for n in (1, 2)] == [original.secrets[n] for n in (1, 2)]
    assert copy.secrets.newest() == original.secrets.newest()
    assert copy.people.everyone() == original.people.everyone()
    assert verify_log(copy, from_scratch=True).ok


def test_a_copy_and_a_copy_of_it_are_the_same_to_the_byte(
    original: LogDirectory, place: Place, tmp_path: Path
) -> None:
    there = place("there")
    done = copy_log(original, there)

    with closing(open_store(there, create=False)) as copy:
        assert done == Copied(
            source=str(original.path),
            target=copy.place,
            log_id=original.events.log_id,
            present=0,
            added=33,
            entries=5,
            root=done.root,
            signed=5,
            can_sign=True,
        )
        require_copy(copy, original)
        copy_log(copy, tmp_path / "back")
        copy_log(copy, place("further"))
    with closing(open_directory(tmp_path / "back", create=False)) as back:
        require_copy(back, original)


def test_copying_again_adds_what_is_new_and_nothing_else(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    copy_log(original, there)
    append_game(original, 3, 9)
    append_game(original, 4, 2)

    assert (copy_log(original, there).present, copy_log(original, there).added) == (33, 0)
    with closing(open_store(there, create=False)) as copy:
        require_copy(copy, original)


def test_the_copy_goes_on_as_the_original_would(original: LogDirectory, place: Place) -> None:
    there = place("there")
    copy_log(original, there)

    with closing(open_store(there, create=False)) as copy:
        append_game(copy, 5, 4)
        append_game(original, 5, 4)
        assert everything(copy.events) == everything(original.events)
        assert make_checkpoint(copy).text() == make_checkpoint(original).text()


def test_what_is_signed_while_a_log_is_copied_is_not_of_the_copy_yet(
    original: LogDirectory, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(keys: Path) -> tuple[Verifier, ...]:
        append_game(original, 6, 3)
        make_checkpoint(original)
        return known_keys(keys)

    there = place("there")
    monkeypatch.setattr("whodecided.copying.known_keys", meanwhile)
    done = copy_log(original, there)

    assert (done.entries, done.signed) == (5, 5)
    with closing(open_store(there, create=False)) as copy:
        assert [c.checkpoint.size for c in stored_checkpoints(copy)][-1] == 5
        assert verify_log(copy).ok
    monkeypatch.undo()
    copy_log(original, there)
    with closing(open_store(there, create=False)) as copy:
        require_copy(copy, original)


def test_a_secret_that_is_made_while_a_log_is_copied_is_in_the_copy(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    known: list[int] = []

    def meanwhile(done: int, of: int) -> None:
        if not known:
            original.secrets.rotate()
            append_game(original, 6, 3)
            known.append(original.events.secret_of(game_id(6)) or 0)

    copy_log(original, there, progress=meanwhile)

    assert known == [3]
    with closing(open_store(there, create=False)) as copy:
        require_copy(copy, original)
        assert copy.secrets[3] == original.secrets[3]
        append_game(copy, 7, 3)
        assert copy.events.secret_of(game_id(7)) == 3


def test_a_secret_that_is_made_after_the_last_game_is_in_the_copy(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")

    def meanwhile(done: int, of: int) -> None:
        original.secrets.rotate()

    copy_log(original, there, progress=meanwhile)

    with closing(open_store(there, create=False)) as copy:
        assert copy.secrets.newest() == 3
        require_copy(copy, original)


class Interrupted(Exception):
    """Stands for whatever ends a copy in its middle."""


@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_a_copy_cut_short_is_a_shorter_log_and_goes_on_where_it_ended(
    original: LogDirectory, place: Place, after: int
) -> None:
    there = place("there")
    copy_log_of_nothing(original, there)
    done: list[int] = []

    def stop(events: int, of: int) -> None:
        done.append(events)
        if len(done) == after:
            raise Interrupted

    with closing(open_store(there, create=False)) as copy:
        with pytest.raises(Interrupted):
            copy_events(original.events, copy.events, stop, page=1)
        assert copy.events.head() == done[-1]
        assert copy.events.journal() == original.events.journal(limit=after)
        assert verify_log(copy).ok

    assert copy_log(original, there).present == done[-1]
    with closing(open_store(there, create=False)) as copy:
        require_copy(copy, original)


def copy_log_of_nothing(original: LogDirectory, there: str | Path) -> None:
    """Make the place of a copy and copy nothing into it."""
    secrets = (original.secrets[1], original.secrets[2])
    identity = Identity(original.events.log_id, secrets)
    open_store(there, create=True, identity=identity).close()


SCRIPT = """
import sys
from pathlib import Path
from whodecided.copying import copy_events
from whodecided.store.opening import open_store
source = open_store(sys.argv[1], create=False)
target = open_store(sys.argv[2], create=False)
copy_events(source.events, target.events, lambda done, of: print(done, flush=True), page=1)
"""


@pytest.mark.parametrize("lines", [0, 1, 7, 19])
def test_a_copy_that_is_killed_has_whole_entries_and_is_completed(
    tmp_path: Path, place: Place, lines: int
) -> None:
    there = str(place("there"))
    with closing(make_log(tmp_path / "big", games=20, events=30)) as big:
        big.secrets.rotate()
        copy_log_of_nothing(big, there)
        command = [sys.executable, "-c", SCRIPT, str(big.path), there]
        with subprocess.Popen(
            command, cwd=PROJECT_ROOT, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            said = [int(process.stdout.readline()) for _ in range(lines)]
            process.kill()
        with closing(open_store(there, create=False)) as copy:
            assert copy.events.head() >= max(said, default=0)
            assert verify_log(copy).ok
        copy_log(big, there)
        with closing(open_store(there, create=False)) as copy:
            assert everything(copy.events) == everything(big.events)


def test_another_log_is_not_written_into(
    original: LogDirectory, place: Place, tmp_path: Path
) -> None:
    there = place("there")
    with closing(open_store(there, create=True)) as other:
        append_game(other, 0, 2)
        before = everything(other.events)

        with pytest.raises(IntegrityFailure, match="not a copy of") as caught:
            copy_log(original, there)
        assert "--to" in str(caught.value.advice)

        assert everything(other.events) == before


def test_a_copy_that_went_on_by_itself_is_not_written_into(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    copy_log(original, there)
    append_game(original, 4, 3)
    with closing(open_store(there, create=False)) as copy:
        append_game(copy, 6, 3)
        before = everything(copy.events)

        with pytest.raises(IntegrityFailure, match="journal entry 5: there is another one"):
            copy_log(original, there)

        assert everything(copy.events) == before


def test_a_longer_copy_is_not_written_into(original: LogDirectory, place: Place) -> None:
    there = place("there")
    copy_log(original, there)
    with closing(open_store(there, create=False)) as copy:
        append_game(copy, 6, 3)

    with pytest.raises(IntegrityFailure, match="journal entry 5: there is another one"):
        copy_log(original, there)


def test_a_directory_of_something_else_is_not_written_into(
    original: LogDirectory, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "diary.txt").write_text("dear diary")

    with pytest.raises(LogUnavailable, match="not a log"):
        copy_log(original, tmp_path / "other")
    assert [p.name for p in (tmp_path / "other").iterdir()] == ["diary.txt"]


def test_a_log_is_not_copied_onto_itself_by_another_name(
    original: LogDirectory, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(original.path)
    signed = stored_checkpoints(original)

    for name in ("original", "original/../original", "link"):
        for target in (tmp_path / name, f"{tmp_path}/{name}"):
            with pytest.raises(LogUnavailable, match="the log that would be copied") as caught:
                copy_log(original, target)
            assert caught.value.advice is not None
    assert stored_checkpoints(original) == signed


def test_a_server_log_is_not_copied_onto_itself_by_another_address(
    original: LogDirectory, postgres_server: str, postgres_address: str, tmp_path: Path
) -> None:
    copy_log(original, postgres_address)
    other = fresh_address(postgres_server, tmp_path / "other")
    home = postgres_address.partition("&home=")[0] + f"&home={tmp_path / 'home'}"
    with closing(open_store(postgres_address, create=False)) as log:
        append_game(log, 4, 2)
        signed = stored_checkpoints(log)
        for address in (
            postgres_address,
            postgres_address.replace("postgres:", "postgresql:"),
            home,
        ):
            with pytest.raises(LogUnavailable, match="the log that would be copied") as caught:
                copy_log(log, address)
            assert caught.value.advice is not None
        assert stored_checkpoints(log) == signed
        assert not (tmp_path / "home").exists()
        try:
            assert copy_log(log, other).present == 0
        finally:
            drop_schema(other)


@pytest.mark.parametrize("part", ["state", "entry"])
def test_what_does_not_follow_from_its_events_is_not_copied(
    original: LogDirectory, part: str
) -> None:
    target = MemoryEventLog(facts_of_bytes, original.events.log_id)
    source = MemoryEventLog(facts_of_bytes, original.events.log_id)
    copy_events(original.events, source)
    contents = source._contents
    if part == "state":
        spoilt = contents.events[10]._replace(state=contents.events[11].state)
        events = (*contents.events[:10], spoilt, *contents.events[11:])
        object.__setattr__(contents, "events", events)
    else:
        entry = contents.journal[1]
        other = entry._replace(origin=Origin("2026-01-01T00:00:00.000000Z", "other"))
        object.__setattr__(contents, "journal", (contents.journal[0], other, *contents.journal[2:]))

    with pytest.raises(IntegrityFailure, match="journal entry 1: does not follow"):
        copy_events(source, target, page=1)
    assert len(target.journal()) == 1


def test_what_was_erased_since_is_erased_in_the_copy_too(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    copy_log(original, there)
    erase_person(
        original,
        PLAYER,
        reason="asked",
        by="person:owner",
        recorded_at="2026-05-01T00:00:00.000000Z",
    )
    assert original.people.everyone() == []

    copy_log(original, there)

    with closing(open_store(there, create=False)) as copy:
        require_copy(copy, original)


def test_a_key_that_was_retired_since_is_replaced_in_the_copy(
    original: LogDirectory, place: Place
) -> None:
    there, name = place("there"), origin_of(original.events.log_id)
    copy_log(original, there)
    create_key(original.keys, name, replace=True)
    append_game(original, 4, 2)

    for _ in range(2):
        assert copy_log(original, there).can_sign
        with closing(open_store(there, create=False)) as copy:
            require_copy(copy, original)
            signing = [(d / PRIVATE_KEY).read_bytes() for d in (copy.keys, original.keys)]
            assert signing[0] == signing[1]
            append_game(copy, 5, 3)
            append_game(original, 5, 3)
            assert make_checkpoint(copy).text() == make_checkpoint(original).text()


def test_a_key_of_its_own_stays_in_the_copy(original: LogDirectory, place: Place) -> None:
    there = place("there")
    copy_log(original, there)
    with closing(open_store(there, create=False)) as copy:
        own = create_key(copy.keys, origin_of(copy.events.log_id), replace=True)

    with pytest.raises(LogUnavailable, match="there is another key already"):
        copy_log(original, there)

    with closing(open_store(there, create=False)) as copy:
        assert known_keys(copy.keys) == (*known_keys(original.keys), own)
        signer = load_signer(copy.keys, own.name)
        assert signer is not None
        assert signer.verifier == own


def test_the_table_of_card_names_goes_with_the_log_and_replaces_none(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    (original.path / "card-names.csv").write_text("id,name\n1,One\n")
    copy_log(original, there)
    (original.path / "card-names.csv").write_text("id,name\n1,Two\n")
    copy_log(original, there)

    with closing(open_store(there, create=False)) as copy:
        assert (copy.path / "card-names.csv").read_text() == "id,name\n1,One\n"


def test_what_is_called_like_the_table_of_card_names_and_is_none_stays_behind(
    original: LogDirectory, tmp_path: Path
) -> None:
    (original.path / "card-names.csv").mkdir()
    copy_log(original, tmp_path / "there")

    assert not (tmp_path / "there" / "card-names.csv").exists()


def test_a_table_of_card_names_that_cannot_be_read_is_told_before_anything_is_written(
    original: LogDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (original.path / "card-names.csv").write_text("id,name\n1,One\n")
    monkeypatch.setattr("whodecided.copying.MAX_TABLE", 5)
    with pytest.raises(BadInput, match="larger"):
        copy_log(original, tmp_path / "there")

    assert not (tmp_path / "there").exists()


def test_a_full_disk_is_told_where_the_rest_is_written(
    original: LogDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *content: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr("whodecided.copying.replace_file", refuse)
    with pytest.raises(LogUnavailable, match="there"):
        copy_log(original, tmp_path / "there")
    monkeypatch.undo()

    assert copy_log(original, tmp_path / "there").can_sign


def test_without_the_key_the_copy_holds_what_was_signed_and_cannot_sign(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")

    assert not copy_log(original, there, with_key=False).can_sign
    with closing(open_store(there, create=False)) as copy:
        signed = make_checkpoint(original).text()
        assert make_checkpoint(copy).text() == signed
        append_game(copy, 6, 3)
        assert make_checkpoint(copy).path is None
        assert verify_log(copy).ok


def test_a_key_that_an_earlier_copy_took_there_is_told_also_without_the_key(
    original: LogDirectory, place: Place
) -> None:
    there = place("there")
    copy_log(original, there)
    create_key(original.keys, origin_of(original.events.log_id), replace=True)

    assert copy_log(original, there, with_key=False).can_sign


def test_an_unsigned_log_is_copied_unsigned(tmp_path: Path, place: Place) -> None:
    with closing(make_log(tmp_path / "plain")) as plain:
        done = copy_log(plain, place("there"))

    assert (done.signed, done.can_sign) == (None, False)


def test_a_reader_of_a_server_log_without_its_secrets_cannot_copy_it(
    original: LogDirectory, postgres_address: str
) -> None:
    copy_log(original, postgres_address)
    with closing(open_store(postgres_address, create=False)) as copy:
        (copy.keys / "log.secret").unlink()

        with pytest.raises(LogUnavailable, match="missing") as caught:
            copy_log(copy, original.path.parent / "further")
    assert caught.value.advice is not None
    assert "Copy the folder `keys`" in caught.value.advice
