"""A whole log is verified step by step, and what was done to it is named."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path

import pytest

from domain.codec import UPCASTERS, facts_digest
from domain.errors import IntegrityFailure, LogUnavailable
from domain.ports import Append, Origin
from domain.rules import RuleLibrary
from projections.views import ViewSet
from tests.whodecided.evidence.builders import (
    append_game,
    game_id,
    make_log,
    stored_events,
)
from tests.whodecided.evidence.tampering import flip_bytes, signed_log, spoil
from whodecided.evidence.checkpoint import Checkpoint, origin_of
from whodecided.evidence.checkpoints import (
    add_cosignatures,
    journal_tree,
    make_checkpoint,
    stored_checkpoints,
)
from whodecided.evidence.keys import PUBLIC_KEYS, create_key, known_keys
from whodecided.evidence.report import SELF_CONSISTENT, SIGNED, UNCHANGED, Failure, Verification
from whodecided.evidence.signing import Verifier
from whodecided.evidence.trust import Trust
from whodecided.evidence.verify import verify_log
from whodecided.evidence.walk import walk
from whodecided.evidence.witness import create_witness, open_witness, witness_request
from whodecided.rulebook import load_rules
from whodecided.store.directory import LogDirectory, open_directory
from whodecided.store.memory_log import MemoryEventLog

NOW = 1_790_000_000


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed signed log of 3 games with 9 events, the last one appended in two parts."""
    path = tmp_path_factory.mktemp("pristine") / "log"
    signed_log(path)
    return path


@pytest.fixture
def path(pristine: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(pristine, tmp_path / "log"))


@pytest.fixture
def log(path: Path) -> Iterator[LogDirectory]:
    with closing(open_directory(path, create=False)) as opened:
        yield opened


@pytest.fixture(scope="module")
def rules() -> RuleLibrary:
    return load_rules()


NO_TRUST = Trust()


def verify(path: Path, trust: Trust = NO_TRUST, *, from_scratch: bool = False) -> Verification:
    with closing(open_directory(path, create=False)) as log:
        return verify_log(log, trust, from_scratch=from_scratch)


def failure_of(path: Path, trust: Trust = NO_TRUST) -> tuple[str, Failure]:
    """The step that failed, and the failure."""
    verification = verify(path, trust)
    assert verification.failure is not None
    [failed] = [step.name for step in verification.steps if step.status == "failed"]
    with pytest.raises(IntegrityFailure) as caught:
        verification.require()
    assert caught.value.exit_code == 3
    assert str(caught.value) == str(verification.failure)
    return failed, verification.failure


def test_an_intact_log_passes_every_step(log: LogDirectory) -> None:
    verification = verify_log(log)

    assert verification.ok
    assert {step.name: step.status for step in verification.steps} == {
        "storage": "ok",
        "events": "ok",
        "leaves": "ok",
        "journal": "ok",
        "streams": "ok",
        "disclosures": "ok",
        "checkpoints": "ok",
        "signatures": "ok",
        "elsewhere": "skipped",
        "tables": "skipped",
    }
    assert [step.number for step in verification.steps] == list(range(1, 11))
    assert verification.counts == {
        "streams": 3,
        "events": 27,
        "entries": 4,
        "disclosures": 12,
        "checkpoints": 1,
    }
    verification.require()


def test_without_anything_from_elsewhere_it_is_only_self_consistent(log: LogDirectory) -> None:
    verification = verify_log(log)

    assert not verification.trusted
    assert verification.claim == SELF_CONSISTENT


def test_a_log_without_a_key_says_that_it_is_unsigned(tmp_path: Path) -> None:
    with closing(make_log(tmp_path / "log")) as unsigned:
        verification = verify_log(unsigned)

    assert verification.ok
    assert verification.claim.startswith("unsigned and self-consistent only")
    assert {s.name: s.detail for s in verification.steps}["signatures"] == "no signed one is here"


def test_an_empty_log_passes(tmp_path: Path) -> None:
    with closing(open_directory(tmp_path / "log", create=True)) as empty:
        assert verify_log(empty).ok


def test_from_scratch_and_with_several_processes_the_result_is_the_same(log: LogDirectory) -> None:
    assert verify_log(log, from_scratch=True, jobs=2) == verify_log(log)


def test_a_process_that_dies_says_nothing_about_the_log(
    log: LogDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr("whodecided.evidence.verify.walk", dies)
    with pytest.raises(LogUnavailable, match="ended unexpectedly") as caught:
        verify_log(log, jobs=2)
    assert "--jobs 1" in str(caught.value.advice)


def test_progress_is_told(log: LogDirectory) -> None:
    told: list[tuple[int, int]] = []

    verify_log(log, progress=lambda done, whole: told.append((done, whole)))

    assert told[-1] == (27, 27)


def test_any_event_log_can_be_walked(log: LogDirectory) -> None:
    memory = MemoryEventLog(facts_digest, log.events.log_id)
    for entry in log.events.journal():
        span = {"after": entry.first - 1, "upto": entry.last}
        memory.append(
            [
                Append(
                    entry.stream_id,
                    entry.kind,
                    log.events.read(entry.stream_id, **span),
                    [
                        item
                        for item in log.events.disclosures(entry.stream_id)
                        if entry.first <= item.number <= entry.last
                    ],
                    log.events.provenance(entry.stream_id)[entry.first - 1 : entry.last],
                    entry.origin,
                )
            ]
        )

    found, copied = walk(log.events, [2]), walk(memory, [2], thorough=True)

    assert found.failure is copied.failure is None
    assert copied.journal.root() == found.journal.root() == journal_tree(log.events).root()
    assert copied.roots == {2: journal_tree(log.events).root(2)}


CARD = "UPDATE events SET state = CAST(replace(CAST(state AS TEXT), '{}', '{}') AS BLOB)"
GAME = game_id(1)


def entry_without(member: str) -> str:
    return (
        f"UPDATE journal SET entry = CAST(json_set(CAST(entry AS TEXT), '$.{member}', 'x') AS BLOB)"
        " WHERE journal_index = 1"
    )


CHANGES = {
    "an event's bytes": (
        [CARD.format("-3", "-4") + " WHERE rowid = 13"],
        "leaves",
        "event-changed",
        f"stream {GAME}, event 4",
    ),
    "an event's bytes and its kept leaf hash": (
        [
            CARD.format("-3", "-4") + " WHERE rowid = 13",
            "UPDATE leaves SET leaves = zeroblob(288) WHERE journal_index = 1",
        ],
        "leaves",
        "event-changed",
        f"stream {GAME}, event 1",
    ),
    "a kept leaf hash": (
        ["UPDATE leaves SET leaves = CAST(x'00' || substr(leaves, 2) AS BLOB)"],
        "leaves",
        "leaves-differ",
        f"stream {game_id(0)}, event 1",
    ),
    "more kept leaf hashes": (
        ["UPDATE leaves SET leaves = CAST(leaves || zeroblob(32) AS BLOB)"],
        "leaves",
        "leaves-differ",
        "journal entry 0",
    ),
    "no kept leaf hashes": (
        ["DELETE FROM leaves WHERE journal_index = 1"],
        "storage",
        "file-damaged",
        "events.sqlite",
    ),
    "the kept peaks": (
        ["UPDATE leaves SET peaks = zeroblob(64) WHERE journal_index = 2"],
        "leaves",
        "peaks-differ",
        "journal entry 2",
    ),
    "kept leaf hashes of another size": (
        ["UPDATE leaves SET size = 99 WHERE journal_index = 2"],
        "leaves",
        "leaves-misplaced",
        "journal entry 2",
    ),
    "an event dropped in the middle": (
        ["DELETE FROM events WHERE rowid = 13"],
        "storage",
        "file-damaged",
        "events.sqlite",
    ),
    "an event dropped and the others moved up": (
        [
            "DELETE FROM disclosures WHERE position > 12",
            "DELETE FROM provenance WHERE position > 12",
            "DELETE FROM events WHERE rowid = 13",
            *(f"UPDATE events SET rowid = {at} WHERE rowid = {at + 1}" for at in range(13, 27)),
        ],
        "events",
        "event-out-of-order",
        f"stream {GAME}, event 4",
    ),
    "the last events cut off": (
        [
            "DELETE FROM disclosures WHERE position > 25",
            "DELETE FROM provenance WHERE position > 25",
            "DELETE FROM events WHERE rowid > 25",
        ],
        "events",
        "event-missing",
        f"stream {game_id(2)}, event 8",
    ),
    "an event inserted": (
        [
            "INSERT INTO events SELECT 28, originator_id, 10, topic, state FROM events"
            " WHERE rowid = 27"
        ],
        "journal",
        "event-without-entry",
        f"stream {game_id(2)}, event 10",
    ),
    "two events exchanged": (
        [
            "UPDATE events SET originator_version = 99 WHERE rowid = 13",
            "UPDATE events SET originator_version = 4 WHERE rowid = 14",
            "UPDATE events SET originator_version = 5 WHERE rowid = 13",
        ],
        "events",
        "event-out-of-order",
        f"stream {GAME}, event 4",
    ),
    "the bytes of two events exchanged": (
        [
            "CREATE TEMP TABLE kept AS SELECT rowid r, state FROM events WHERE rowid IN (13, 14)",
            "UPDATE events SET state = (SELECT kept.state FROM kept WHERE r = 27 - events.rowid)"
            " WHERE rowid IN (13, 14)",
        ],
        "leaves",
        "event-changed",
        f"stream {GAME}, event 4",
    ),
    "an event taken from another game": (
        [
            "UPDATE events SET state = (SELECT state FROM events WHERE rowid = 4) WHERE rowid = 13",
        ],
        "leaves",
        "event-changed",
        f"stream {GAME}, event 4",
    ),
    "an event moved to another game": (
        ["UPDATE events SET originator_id = 'x' WHERE rowid = 18"],
        "events",
        "event-out-of-order",
        f"stream {GAME}, event 9",
    ),
    "an event renumbered": (
        ["UPDATE events SET originator_version = 10 WHERE rowid = 18"],
        "events",
        "event-out-of-order",
        f"stream {GAME}, event 9",
    ),
    "an event's topic": (
        ["UPDATE events SET topic = 'game.conceded/v1' WHERE rowid = 18"],
        "events",
        "event-misplaced",
        f"stream {GAME}, event 9",
    ),
    "a journal entry": (
        [entry_without("tool")],
        "journal",
        "entry-changed",
        "journal entry 1",
    ),
    "a journal entry and its kept hash": (
        [
            entry_without("facts_digest").replace("'x'", f"'{'0' * 64}'"),
            "UPDATE leaves SET entry_hash = x'00' WHERE journal_index = 1",
        ],
        "journal",
        "entry-changed",
        "journal entry 1",
    ),
    "a journal entry that is none": (
        ["UPDATE journal SET entry = x'7b7d' WHERE journal_index = 2"],
        "journal",
        "entry-unreadable",
        "journal entry 2",
    ),
    "a journal entry dropped": (
        [
            "DELETE FROM leaves WHERE journal_index = 3",
            "DELETE FROM journal WHERE journal_index = 3",
        ],
        "journal",
        "event-without-entry",
        f"stream {game_id(2)}, event 6",
    ),
    "a journal entry dropped in the middle": (
        [
            "DELETE FROM leaves WHERE journal_index = 1",
            "DELETE FROM journal WHERE journal_index = 1",
        ],
        "storage",
        "file-damaged",
        "events.sqlite",
    ),
    "the kind of a stream": (
        [f"UPDATE streams SET kind = 'match' WHERE stream_id = '{GAME}'"],
        "streams",
        "stream-misplaced",
        f"stream {GAME}",
    ),
    "a stream forgotten": (
        [f"DELETE FROM streams WHERE stream_id = '{GAME}'"],
        "streams",
        "stream-misplaced",
        f"stream {GAME}",
    ),
    "a stream without events": (
        ["INSERT INTO streams VALUES (4, 'empty', 'game', 1)"],
        "streams",
        "stream-empty",
        "stream empty",
    ),
    "a disclosed value": (
        ["UPDATE disclosures SET value = x'2231' WHERE position = 11"],
        "disclosures",
        "disclosure-differs",
        f"stream {GAME}, event 2, field card",
    ),
    "a disclosure of nothing": (
        ["INSERT INTO disclosures VALUES (13, 'card', x'00', x'00')"],
        "disclosures",
        "disclosure-without-field",
        f"stream {GAME}, event 4, field card",
    ),
    "a disclosure of no event": (
        ["INSERT INTO disclosures VALUES (99, 'card', x'00', x'00')"],
        "storage",
        "file-damaged",
        "events.sqlite",
    ),
    "where an event stood in its file": (
        ["UPDATE provenance SET line = 9 WHERE position = 13"],
        "journal",
        "provenance-differs",
        "journal entry 1",
    ),
    "the digest of the source file": (
        [f"UPDATE files SET digest = '{'0' * 64}'"],
        "journal",
        "provenance-differs",
        "journal entry 0",
    ),
    "no provenance": (
        ["DELETE FROM provenance"],
        "journal",
        "provenance-differs",
        "journal entry 0",
    ),
    "the log's id": (
        [f"UPDATE log SET log_id = '{'0' * 32}'"],
        "journal",
        "entry-misplaced",
        "journal entry 0",
    ),
    "no id": (["DELETE FROM log"], "events", "row-unreadable", "events.sqlite"),
    "a table of somebody else": (
        ["CREATE TABLE more (x)"],
        "storage",
        "file-damaged",
        "events.sqlite",
    ),
    "text in place of bytes": (
        ["UPDATE events SET state = x'ff' WHERE rowid = 13"],
        "leaves",
        "event-changed",
        f"stream {GAME}, event 4",
    ),
    "text that is not UTF-8": (
        ["UPDATE events SET topic = CAST(x'ff' AS TEXT) WHERE rowid = 13"],
        "events",
        "row-unreadable",
        "events.sqlite",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_named_with_its_reason(path: Path, change: str) -> None:
    statements, step, code, what = CHANGES[change]

    spoil(path / "events.sqlite", *statements)

    failed, failure = failure_of(path)
    assert (failed, failure.code, failure.what) == (step, code, what)


@pytest.mark.parametrize(
    ("row", "good"),
    [
        (1, "nothing before it"),
        (5, "events 1 to 4 of its stream"),
        (10, "journal entries 0 to 0 with their 9 events"),
    ],
)
def test_nothing_is_said_to_be_good_only_where_that_is_so(path: Path, row: int, good: str) -> None:
    spoil(path / "events.sqlite", f"UPDATE events SET state = x'7b7d' WHERE rowid = {row}")

    assert failure_of(path)[1].good == good


def test_that_an_empty_log_was_signed_is_nothing_good(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with closing(open_directory(path, create=True)) as log:
        create_key(log.keys, origin_of(log.events.log_id))
        make_checkpoint(log)
        append_game(log, 1, 5)
    spoil(path / "events.sqlite", "UPDATE events SET state = x'7b7d' WHERE rowid = 1")

    assert failure_of(path)[1].good == "nothing before it"


def test_a_checkpoint_that_is_not_the_logs_leaves_nothing_to_be_called_good(path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        [stored] = stored_checkpoints(log)
        forged = Checkpoint(stored.checkpoint.origin, stored.checkpoint.size, bytes(32))
        assert stored.path is not None
        stored.path.write_text(forged.text(), encoding="utf-8")

    verification = verify(path)
    assert verification.failure is not None
    assert verification.failure.good is None
    assert verification.claim == "not intact; still good: nothing was shown to be"


def test_both_digests_of_a_changed_event_are_named_and_what_before_it_is_good(path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        kept = log.events.leaves(upto=1)[1].leaves[3 * 32 : 4 * 32].hex()

    spoil(path / "events.sqlite", *CHANGES["an event's bytes"][0])

    _, failure = failure_of(path)
    assert failure.stored == kept
    assert failure.computed is not None
    assert failure.computed != kept
    assert failure.good == (
        "journal entries 0 to 0 with their 9 events; events 1 to 3 of its stream"
    )
    verification = verify(path)
    assert verification.claim == f"not intact; still good: {failure.good}"
    assert {s.name: s.status for s in verification.steps}["checkpoints"] == "unfinished"


def test_the_last_signed_state_that_still_holds_is_named(path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        append_game(log, 7, 5)
        append_game(log, 8, 5)
        make_checkpoint(log)

    spoil(path / "events.sqlite", CARD.format("-3", "-4") + " WHERE rowid = 36")

    _, failure = failure_of(path)
    assert failure.good is not None
    assert failure.good.endswith("the signed checkpoint of size 4 holds")


def rewrite(path: Path) -> None:
    """Make another log of the same id in its place, consistent in itself."""
    with closing(open_directory(path, create=False)) as log:
        log_id, streams = log.events.log_id, list(log.events.streams())
    for leftover in path.glob("events.sqlite*"):
        leftover.unlink()
    with closing(open_directory(path, create=True)) as made:
        made.close()
        spoil(path / "events.sqlite", f"UPDATE log SET log_id = '{log_id}'")
    with closing(open_directory(path, create=False)) as other:
        for game, _ in enumerate(streams):
            append_game(other, game + 1, 9)
        append_game(other, 9, 9)


def test_a_log_that_was_made_anew_differs_from_its_own_checkpoint(path: Path) -> None:
    rewrite(path)

    failed, failure = failure_of(path)

    assert (failed, failure.code) == ("checkpoints", "fork")
    assert failure.stored is not None
    assert failure.stored != failure.computed


def test_a_rewritten_log_without_its_checkpoints_is_caught_by_what_was_kept_elsewhere(
    path: Path,
) -> None:
    with closing(open_directory(path, create=False)) as log:
        [key], kept = known_keys(log.keys), make_checkpoint(log).checkpoint
    rewrite(path)
    shutil.rmtree(path / "checkpoints")
    (path / "keys" / "signing.pem").unlink()
    (path / "keys" / PUBLIC_KEYS).unlink()

    assert verify(path).ok
    assert failure_of(path, Trust(against=(kept,)))[1].code == "fork"
    with closing(open_directory(path, create=False)) as log:
        create_key(log.keys, key.name)
        make_checkpoint(log)
    assert verify(path).ok
    assert failure_of(path, Trust(keys=(key,)))[1].code == "foreign-key"
    assert verify(path, Trust(keys=(key,))).claim == (
        "nothing in it contradicts itself, but it is signed by another key than the trusted one:"
        " whoever has that key could have made all of it"
    )


def test_a_log_that_was_rolled_back_is_caught(path: Path, tmp_path: Path) -> None:
    shutil.copytree(path, tmp_path / "backup")
    with closing(open_directory(path, create=False)) as log:
        append_game(log, 7, 5)
        later = make_checkpoint(log).checkpoint

    assert verify(tmp_path / "backup").ok
    failed, failure = failure_of(tmp_path / "backup", Trust(against=(later,)))
    assert (failed, failure.code) == ("elsewhere", "rolled-back")
    assert verify(tmp_path / "backup", Trust(against=(later,))).claim == (
        "nothing in it contradicts itself, but it does not agree with what was kept elsewhere"
    )
    shutil.copytree(path / "checkpoints", tmp_path / "backup" / "checkpoints", dirs_exist_ok=True)
    failed, failure = failure_of(tmp_path / "backup")
    assert (failed, failure.code) == ("checkpoints", "rolled-back")


def test_of_a_log_that_was_rolled_back_the_last_checkpoint_that_holds_is_named(
    path: Path, tmp_path: Path
) -> None:
    with closing(open_directory(path, create=False)) as log:
        make_checkpoint(log)
        shutil.copytree(path, tmp_path / "backup")
        append_game(log, 7, 5)
        make_checkpoint(log)
    shutil.copytree(path / "checkpoints", tmp_path / "backup" / "checkpoints", dirs_exist_ok=True)

    assert failure_of(tmp_path / "backup")[1].good == "the signed checkpoint of size 4 holds"


def test_with_key_and_checkpoint_from_elsewhere_it_is_trusted(log: LogDirectory) -> None:
    kept = make_checkpoint(log).checkpoint
    append_game(log, 7, 5)
    make_checkpoint(log)
    trust = Trust(keys=known_keys(log.keys), against=(kept, Checkpoint(kept.origin, 0, EMPTY)))

    verification = verify_log(log, trust)

    assert verification.trusted
    assert verification.claim == "complete and unchanged since what was kept elsewhere was made"
    details = {step.name: step.detail for step in verification.steps}
    assert details["elsewhere"] == (
        "the trusted key signed size 5; size 4 is as it was; size 0 is as it was"
    )


def test_with_the_key_alone_nobody_but_its_owner_is_ruled_out(path: Path, tmp_path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        kept = make_checkpoint(log).checkpoint
        shutil.copytree(path, tmp_path / "backup")
        append_game(log, 7, 5)
        make_checkpoint(log)
        keys = known_keys(log.keys)

    for place in (path, tmp_path / "backup"):
        assert verify(place, Trust(keys=keys)).claim == SIGNED
        assert verify(place, Trust(keys=keys, against=(kept,))).claim == UNCHANGED


EMPTY = bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")


def test_a_trusted_key_or_checkpoint_of_another_log_is_of_wrong_origin(
    path: Path, tmp_path: Path
) -> None:
    signed_log(tmp_path / "other")
    with closing(open_directory(tmp_path / "other", create=False)) as other:
        keys, kept = known_keys(other.keys), make_checkpoint(other).checkpoint

    for trust in (Trust(keys=keys), Trust(against=(kept,))):
        failed, failure = failure_of(path, trust)
        assert (failed, failure.code) == ("elsewhere", "wrong-origin")


def test_a_trusted_witness_must_have_cosigned(log: LogDirectory, tmp_path: Path) -> None:
    witness_key = create_witness(tmp_path / "witness", "witness.example/w1")
    trust = Trust(keys=(witness_key,))
    verification = verify_log(log, trust)
    assert verification.failure is not None
    assert verification.failure.code == "not-cosigned"

    witness = open_witness(tmp_path / "witness")
    witness.trust(known_keys(log.keys)[0])
    request = witness_request(make_checkpoint(log), journal_tree(log.events), 0)
    add_cosignatures(log, witness.add_checkpoint(request, NOW), (witness_key,))

    verification = verify_log(log, trust)
    details = {step.name: step.detail for step in verification.steps}
    assert verification.trusted
    assert details["elsewhere"] == (
        "witness.example/w1 cosigned size 4 at 2026-09-21T14:13:20.000000Z"
    )


def test_signatures_are_checked_with_the_keys_the_log_knows(path: Path) -> None:
    [note] = (path / "checkpoints").iterdir()
    text = note.read_text()
    spoiled = text[:-8] + ("A" if text[-8] != "A" else "B") + text[-7:]
    note.write_text(spoiled)
    assert failure_of(path)[1].code == "signature-invalid"

    note.write_text(text)
    (path / "keys" / PUBLIC_KEYS).unlink()
    assert failure_of(path)[1].code == "foreign-key"

    (path / "keys" / PUBLIC_KEYS).write_text("x\n")
    assert failure_of(path)[1].code == "keys-unreadable"

    note.write_text("x")
    assert failure_of(path)[1].code == "checkpoint-unreadable"


def test_a_checkpoint_of_another_log_is_of_wrong_origin(path: Path, tmp_path: Path) -> None:
    signed_log(tmp_path / "other")
    shutil.rmtree(path / "checkpoints")
    shutil.copytree(tmp_path / "other" / "checkpoints", path / "checkpoints")

    failed, failure = failure_of(path)

    assert (failed, failure.code) == ("checkpoints", "wrong-origin")


@pytest.mark.parametrize(
    ("secret", "code", "what", "reason"),
    [
        (2, "secret-differs", ", event 2, field card", "was not sealed with log secret 2"),
        (3, "secret-unknown", "", "names log secret 3, the newest one is 2"),
    ],
)
def test_a_stream_that_names_another_secret_is_found(
    path: Path, secret: int, code: str, what: str, reason: str
) -> None:
    with closing(open_directory(path, create=False)) as log:
        log.secrets.rotate()
        append_game(log, 7, 4)
    assert verify(path).ok
    spoil(
        path / "events.sqlite",
        f"UPDATE streams SET secret = {secret} WHERE stream_id = '{game_id(1)}'",
    )

    failed, failure = failure_of(path)

    assert (failed, failure.code) == ("disclosures", code)
    assert failure.what == f"stream {game_id(1)}{what}"
    assert failure.reason.startswith(reason)
    assert (failure.good or "").startswith("journal entries 0 to 4 with their 31 events")
    with closing(open_directory(path, create=False)) as log:
        assert verify_log(log, jobs=2).failure == failure


def test_a_secret_file_of_another_log_is_found(path: Path) -> None:
    (path / "keys" / "log.secret").write_bytes(bytes(32))

    failed, failure = failure_of(path)

    assert (failed, failure.code) == ("disclosures", "secret-differs")


def vacuum(path: Path) -> None:
    with closing(sqlite3.connect(path / "events.sqlite")) as raw:
        raw.execute("VACUUM")


def dump_and_restore(path: Path) -> None:
    events, fresh = path / "events.sqlite", path / "fresh.sqlite"
    with closing(sqlite3.connect(events)) as raw, closing(sqlite3.connect(fresh)) as restored:
        settings = [
            f"PRAGMA {name}={raw.execute(f'PRAGMA {name}').fetchone()[0]}"
            for name in ("application_id", "user_version")
        ]
        restored.executescript("\n".join(raw.iterdump()))
        for setting in settings:
            restored.execute(setting)
        restored.commit()
    for leftover in path.glob("events.sqlite*"):
        leftover.unlink()
    fresh.rename(events)


def erase(path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        assert log.events.erase_disclosures(game_id(0)) == 4
        assert log.events.erase_disclosures(game_id(1), 2) == 1


def grow(path: Path) -> None:
    with closing(open_directory(path, create=False)) as log:
        append_game(log, 2, 30)
        append_game(log, 4, 3)


@pytest.mark.parametrize("change", [vacuum, dump_and_restore, erase, grow])
def test_what_may_happen_to_a_log_leaves_it_intact(path: Path, change: object) -> None:
    with closing(open_directory(path, create=False)) as log:
        trust = Trust(keys=known_keys(log.keys), against=(make_checkpoint(log).checkpoint,))
    assert callable(change)
    change(path)

    assert verify(path, trust).trusted
    assert verify(path, from_scratch=True).ok


def test_it_stays_intact_when_an_event_gets_an_upcaster(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = stored_events(0, 4)[-1].topic

    def upcast(plain: dict[str, object]) -> dict[str, object]:
        return plain | {"topic": "game.conceded/v1"}

    monkeypatch.setitem(UPCASTERS, topic, upcast)
    failed, failure = failure_of(path)
    assert (failed, failure.code) == ("events", "event-unreadable")

    def to_passing(plain: dict[str, object]) -> dict[str, object]:
        dropped = ("seat", "change", "total")
        kept = {name: value for name, value in plain.items() if name not in dropped}
        return kept | {"topic": "game.priority_passed/v1", "by_setting": False}

    monkeypatch.setitem(UPCASTERS, topic, to_passing)
    assert verify(path).ok
    assert verify(path, from_scratch=True).ok


def test_bytes_that_are_not_canonical_are_found_from_scratch(tmp_path: Path) -> None:
    [first] = stored_events(0, 1)
    loose = first._replace(state=first.state.replace(b',"by_setting"', b', "by_setting"'))
    with closing(open_directory(tmp_path / "log", create=True)) as log:
        origin = Origin("2026-03-01T10:00:00.000000Z", "a careless tool")
        log.events.append([Append(loose.stream_id, "game", [loose], [], [], origin)])

    verification = verify(tmp_path / "log", from_scratch=True)
    assert verification.failure is not None
    assert verification.failure.code == "event-not-canonical"


def test_journal_facts_that_are_not_those_of_the_events_are_found(tmp_path: Path) -> None:
    [first] = stored_events(0, 1)
    with closing(open_directory(tmp_path / "log", create=True)) as log:
        origin = Origin("2026-03-01T10:00:00.000000Z", "a careless tool")
        lying = first._replace(facts=bytes(32))
        log.events.append([Append(first.stream_id, "game", [lying], [], [], origin)])

    failed, failure = failure_of(tmp_path / "log")
    assert (failed, failure.code) == ("journal", "facts-differ")
    assert (failure.stored, failure.computed) == (
        hashlib.sha256(bytes(32)).hexdigest(),
        hashlib.sha256(first.facts or b"").hexdigest(),
    )


def test_tables_that_were_made_of_the_log_agree_with_it(
    log: LogDirectory, rules: RuleLibrary
) -> None:
    ViewSet(log.views).rebuild(log.events, rules)

    verification = verify_log(log, from_scratch=True, rules=rules)

    assert verification.steps[-1].status == "ok"
    assert verification.steps[-1].detail == "read up to position 27; equal to tables made anew"
    append_game(log, 7, 3)
    assert verify_log(log).steps[-1].detail == "read up to position 27, 3 behind"


def test_tables_that_have_seen_more_than_the_log_has_tell_of_a_roll_back(
    path: Path, rules: RuleLibrary, tmp_path: Path
) -> None:
    shutil.copytree(path, tmp_path / "backup")
    with closing(open_directory(path, create=False)) as log:
        append_game(log, 7, 3)
        ViewSet(log.views).rebuild(log.events, rules)
    shutil.rmtree(tmp_path / "backup" / "views")
    shutil.copytree(path / "views", tmp_path / "backup" / "views")

    failed, failure = failure_of(tmp_path / "backup")

    assert (failed, failure.code) == ("tables", "tables-of-another-log")
    assert "it was rolled back" in failure.reason


def test_tables_that_cannot_be_used_are_no_failure(log: LogDirectory, rules: RuleLibrary) -> None:
    ViewSet(log.views).rebuild(log.events, rules)
    (log.views / "current").write_text("spoiled")

    verification = verify_log(log)

    assert verification.ok
    assert verification.steps[-1].detail.startswith("not usable")


def test_random_flips_of_the_event_file_are_seen_or_harmless(path: Path) -> None:
    found: list[str] = []

    flip_bytes(path, 40, 20_260_301, found.append)

    assert len(found) == 40
    assert found.count("nothing exported has changed") < 30


@pytest.mark.skipif(os.name != "posix", reason="a file that is open cannot be replaced elsewhere")
def test_a_verifier_key_can_be_handed_over_as_text(log: LogDirectory) -> None:
    [key] = known_keys(log.keys)

    trust = Trust(keys=(Verifier.parse(str(key)),))

    assert verify_log(log, trust).trusted
    assert key.name == origin_of(log.events.log_id)
