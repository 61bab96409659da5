"""A case bundle shows what its viewer may see and is checked without the log."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785

from domain.codec import encode, hot
from domain.errors import BadInput, IntegrityFailure, NotFound
from domain.events.base import Source
from domain.events.registry import BY_TOPIC
from domain.ports import Append
from tests.shared import PROJECT_ROOT
from tests.whodecided.evidence.builders import append_game, game_id, make_log
from tests.whodecided.evidence.forging import both, lines
from tests.whodecided.evidence.tampering import spoil
from whodecided.evidence.archive import read_archive
from whodecided.evidence.bundle import Bundle, make_bundle
from whodecided.evidence.bundle_check import verify_bundle
from whodecided.evidence.checkpoint import Checkpoint, origin_of
from whodecided.evidence.checkpoints import (
    add_cosignatures,
    journal_tree,
    make_checkpoint,
    stored_checkpoints,
)
from whodecided.evidence.keys import create_key, known_keys
from whodecided.evidence.report import SELF_CONSISTENT, SIGNED, UNCHANGED
from whodecided.evidence.statement import statement
from whodecided.evidence.trust import Trust
from whodecided.evidence.witness import create_witness, open_witness, witness_request
from whodecided.reference import schema_files
from whodecided.store.directory import LogDirectory, open_directory

GAME = game_id(2)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogDirectory]:
    """A signed log; its last game has 9 events in two parts."""
    with closing(make_log(tmp_path / "log")) as made:
        create_key(made.keys, origin_of(made.events.log_id))
        yield made


def everything(event: Any) -> list[str]:
    return ["card"]


def spectators(event: Any) -> list[str] | None:
    """Cards that are cast are open, drawn ones are not, and priority is nobody's business."""
    if "priority" in event.TOPIC:
        return None
    return ["card"] if "cast" in event.TOPIC else []


def bundle(log: LogDirectory, **options: Any) -> Bundle:
    return make_bundle(log, GAME, viewer="judge", may_show=everything, **options)


def test_a_bundle_passes_every_step_of_both_verifiers(log: LogDirectory) -> None:
    made = bundle(log)
    verification = verify_bundle(made.content)

    assert both(made.content) is None
    assert [(step.number, step.name, step.status) for step in verification.steps] == [
        (1, "archive", "ok"),
        (2, "manifest", "ok"),
        (3, "events", "ok"),
        (4, "journal", "ok"),
        (5, "disclosures", "ok"),
        (6, "checkpoint", "ok"),
        (7, "inclusion", "ok"),
        (8, "consistency", "skipped"),
        (9, "signatures", "ok"),
        (10, "elsewhere", "skipped"),
    ]
    assert verification.counts == {"shown": 9, "withheld": 0, "disclosed": 4}
    assert verification.claim == SELF_CONSISTENT


def test_it_holds_the_bytes_of_the_log(log: LogDirectory) -> None:
    files = read_archive(bundle(log).content)

    assert lines(files, "events.jsonl") == [e.state for e in log.events.read(GAME)]
    entries = [e.entry for e in log.events.journal() if e.stream_id == GAME]
    assert lines(files, "journal.jsonl") == entries
    assert len(entries) == 2
    [checkpoint] = stored_checkpoints(log)
    assert files["checkpoint.note"].decode() == checkpoint.text()
    assert files["statement.txt"].decode() == statement()
    schemas = {name.removeprefix("schemas/") for name in files if name.startswith("schemas/")}
    topics = {event.topic for event in log.events.read(GAME)}
    assert schemas == {f"{topic.replace('/', '.')}.json" for topic in topics}
    assert all(files[f"schemas/{name}"].decode() == schema_files()[name] for name in schemas)


def test_the_same_log_gives_the_same_bytes(log: LogDirectory) -> None:
    first = bundle(log)
    append_game(log, 7, 3)

    assert bundle(log).content == first.content


def test_every_json_text_in_it_is_that_of_rfc_8785(log: LogDirectory) -> None:
    files = read_archive(bundle(log).content)
    texts = [files["manifest.json"], files["proofs.json"]]
    for name in ("events.jsonl", "journal.jsonl", "disclosures.jsonl"):
        texts += lines(files, name)

    for text in texts:
        assert rfc8785.dumps(msgspec.json.decode(text)) == text


def test_it_discloses_only_what_its_viewer_may_see(log: LogDirectory) -> None:
    hidden = {item.value.decode(): item.number for item in log.events.disclosures(GAME)}
    made = make_bundle(log, GAME, viewer="spectator", may_show=spectators)
    files = read_archive(made.content)

    assert both(made.content) is None
    shown = {n + 1 for n, line in enumerate(lines(files, "events.jsonl")) if b'"leaf"' not in line}
    assert shown == {2, 3, 4, 5, 7, 8, 9}
    disclosed = [msgspec.json.decode(line) for line in lines(files, "disclosures.jsonl")]
    assert [(item["number"], item["field"]) for item in disclosed] == [(2, "card"), (7, "card")]
    for value, number in hidden.items():
        plain = value.strip('"').encode()
        assert (plain in made.content) == (number in (2, 7))


def test_a_range_shows_some_events_and_proves_all_of_them(log: LogDirectory) -> None:
    made = bundle(log, events=(3, 5))
    files = read_archive(made.content)

    assert both(made.content) is None
    kinds = ["leaf" in msgspec.json.decode(line) for line in lines(files, "events.jsonl")]
    assert kinds == [True, True, False, False, False, True, True, True, True]
    assert (made.manifest.first, made.manifest.last, made.manifest.size) == (3, 5, 9)
    assert verify_bundle(made.content).counts == {"shown": 3, "withheld": 6, "disclosed": 1}


@pytest.mark.parametrize("events", [(0, 3), (4, 3), (3, 10)])
def test_a_range_outside_the_record_is_refused(log: LogDirectory, events: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match="is not a part of events 1-9"):
        bundle(log, events=events)


def test_an_unknown_record_is_not_found(log: LogDirectory) -> None:
    with pytest.raises(NotFound):
        make_bundle(log, "nothing", viewer="judge", may_show=everything)


def test_an_erased_value_is_gone_and_everything_else_still_holds(log: LogDirectory) -> None:
    before = bundle(log)
    log.events.erase_disclosures(GAME, 2)

    after = bundle(log)

    assert both(after.content) is None
    assert both(before.content) is None
    assert after.manifest.counts.disclosed == before.manifest.counts.disclosed - 1
    files = read_archive(after.content)
    assert files["events.jsonl"] == read_archive(before.content)["events.jsonl"]


def test_a_log_without_a_key_gives_an_unsigned_bundle(tmp_path: Path) -> None:
    with closing(make_log(tmp_path / "unsigned")) as unsigned:
        made = bundle(unsigned)

    files = read_archive(made.content)
    assert both(made.content) is None
    assert not made.manifest.checkpoint.signed
    assert not {"log.vkeys", "manifest.note"} & files.keys()
    assert verify_bundle(made.content).claim == f"unsigned and {SELF_CONSISTENT}"


def test_a_checkpoint_that_holds_the_record_is_used_with_its_cosignatures(
    log: LogDirectory, tmp_path: Path
) -> None:
    witness_key = create_witness(tmp_path / "witness", "witness.example/w1")
    witness = open_witness(tmp_path / "witness")
    witness.trust(known_keys(log.keys)[0])
    request = witness_request(make_checkpoint(log), journal_tree(log.events), 0)
    lines_signed = witness.add_checkpoint(request, 1_790_000_000)
    cosigned = add_cosignatures(log, lines_signed, (witness_key,))
    append_game(log, 7, 3)

    made = bundle(log)

    assert read_archive(made.content)["checkpoint.note"].decode() == cosigned.stored.text()
    trust = Trust(keys=(witness_key, *known_keys(log.keys)))
    assert both(made.content, trust) is None
    verification = verify_bundle(made.content, trust)
    assert verification.trusted
    assert verification.claim == UNCHANGED
    assert verification.steps[-1].detail == (
        "the trusted key signed size 4; witness.example/w1 cosigned size 4"
        " at 2026-09-21T14:13:20.000000Z"
    )


def test_it_proves_that_the_log_continues_its_earlier_checkpoints(log: LogDirectory) -> None:
    earlier = make_checkpoint(log).checkpoint
    append_game(log, 2, 20)

    made = bundle(log)

    proofs = msgspec.json.decode(read_archive(made.content)["proofs.json"])
    assert [item["size"] for item in proofs["consistency"]] == [4]
    trust = Trust(keys=known_keys(log.keys), against=(earlier,))
    assert both(made.content, trust) is None
    assert verify_bundle(made.content, trust).trusted


def test_a_bundle_is_called_unchanged_only_beside_a_checkpoint_or_a_witness(
    log: LogDirectory, tmp_path: Path
) -> None:
    kept = make_checkpoint(log)
    keys = known_keys(log.keys)
    content = bundle(log).content

    for trust, claim in (
        (Trust(keys=keys), SIGNED),
        (Trust(against=(kept.checkpoint,)), UNCHANGED),
    ):
        assert both(content, trust) is None
        assert verify_bundle(content, trust).claim == claim


def test_a_bundle_of_another_key_is_not_called_damaged(log: LogDirectory, tmp_path: Path) -> None:
    another = create_key(tmp_path, origin_of(log.events.log_id))
    with closing(make_log(tmp_path / "strange")) as strange:
        foreign = create_key(strange.keys, origin_of(strange.events.log_id))
    content = bundle(log).content

    for key in (another, foreign):
        assert both(content, Trust(keys=(key,))) is not None
        found = verify_bundle(content, Trust(keys=(key,)))
        assert (found.ok, found.trusted) == (False, False)
        assert found.claim == (
            "nothing in it contradicts itself, but it is signed by another key than the trusted"
            " one: whoever has that key could have made all of it"
        )
    forked = Checkpoint(another.name, 4, bytes(32))
    assert both(content, Trust(against=(forked,))) == ("elsewhere", "fork")
    assert verify_bundle(content, Trust(against=(forked,))).claim == (
        "nothing in it contradicts itself, but it does not agree with what was kept elsewhere"
    )
    damaged = content + b"x"
    assert verify_bundle(damaged, Trust(keys=(another,))).claim == (
        "not intact: nothing in it can be relied on"
    )


def test_an_unsigned_bundle_is_not_said_to_be_signed_by_another_key(tmp_path: Path) -> None:
    with closing(make_log(tmp_path / "unsigned")) as unsigned:
        content = bundle(unsigned).content
        key = create_key(unsigned.keys, origin_of(unsigned.events.log_id))

    assert both(content) is None
    assert both(content, Trust(keys=(key,))) == ("elsewhere", "foreign-key")
    assert verify_bundle(content, Trust(keys=(key,))).claim == (
        "nothing in it contradicts itself, but it is unsigned: the trusted key says nothing of it"
    )


def test_it_proves_continuity_from_a_checkpoint_kept_elsewhere(log: LogDirectory) -> None:
    make_checkpoint(log)
    tree = journal_tree(log.events)
    known = Checkpoint(origin_of(log.events.log_id), 2, tree.root(2))

    assert both(bundle(log).content, Trust(against=(known,))) == ("elsewhere", "no-proof")
    assert both(bundle(log, since=[known]).content, Trust(against=(known,))) is None
    append_game(log, 7, 3)
    append_game(log, 8, 3)
    newest = Checkpoint(known.origin, 6, journal_tree(log.events).root())
    assert bundle(log).manifest.checkpoint.size == 4
    later = bundle(log, since=[newest])
    assert later.manifest.checkpoint.size == 6
    assert both(later.content, Trust(against=(known._replace(size=4, root=tree.root()),))) is None
    with pytest.raises(BadInput, match="is not reached by the log's 6"):
        bundle(log, since=[known._replace(size=7)])


def test_no_bundle_is_made_of_a_log_that_was_changed(log: LogDirectory) -> None:
    make_checkpoint(log)
    changed = "CAST(replace(CAST(state AS TEXT), '-3', '-4') AS BLOB)"
    spoil(log.path / "events.sqlite", f"UPDATE events SET state = {changed}")

    with pytest.raises(IntegrityFailure, match="root of events 1 to 5 differs"):
        bundle(log)


def test_files_of_the_rules_that_were_used_can_be_added(log: LogDirectory) -> None:
    made = bundle(log, rules={"2026-09-25.toml": b"id = '2026-09-25'\n"})

    assert both(made.content) is None
    assert read_archive(made.content)["rules/2026-09-25.toml"] == b"id = '2026-09-25'\n"


def test_the_summary_is_a_page_that_needs_and_runs_nothing(log: LogDirectory) -> None:
    made = make_bundle(log, GAME, viewer="<script>alert(1)</script>", may_show=spectators)
    page = read_archive(made.content)["summary.html"].decode()

    assert "<script" not in page
    assert "src=" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "&lt;script&gt;" in page
    assert page.count('<td colspan="7">withheld</td>') == 2
    assert "spell cast" in page
    assert "player:a11ce00000000000" in page
    assert "What it does not prove" in page


def test_a_bundle_file_is_read_and_a_missing_one_is_reported(
    log: LogDirectory, tmp_path: Path
) -> None:
    path = tmp_path / "case.zip"
    path.write_bytes(bundle(log).content)

    assert verify_bundle(path).ok
    assert verify_bundle(path).subject == str(path)
    with pytest.raises(BadInput):
        verify_bundle(tmp_path / "missing.zip")


def test_a_bundle_outlives_its_log(log: LogDirectory) -> None:
    made, keys = bundle(log), known_keys(log.keys)
    log.close()
    shutil.rmtree(log.path)

    assert both(made.content, Trust(keys=keys)) is None


def test_the_record_of_a_match_is_bundled_in_the_same_way(log: LogDirectory) -> None:
    stream = "cccccccc-1111-5111-8111-111111111111"
    opened = hot(BY_TOPIC["match.match_opened/v1"])(
        number=1,
        event_id=stream,
        match_id=stream,
        occurred_at=None,
        clock="none",
        source=hot(Source)(system="arena", record="match-1"),
        correlation_id=None,
        causation=None,
        action=None,
        match_key="match-1",
        viewpoint="1",
        seats=(),
        format="Traditional \u00e9t\u00e9 \u2603",
        best_of=3,
        client=None,
        generation=1,
        from_start=True,
    )
    origin = log.events.journal()[0].origin
    log.events.append([Append(stream, "match", [encode(opened)], [], [], origin)])

    made = make_bundle(log, stream, viewer="judge", may_show=everything)

    assert made.manifest.kind == "match"
    assert both(made.content) is None


TOOL = PROJECT_ROOT / "tools" / "verify_bundle.py"


def run_tool(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the independent verifier where nothing of the product can be imported."""
    command = [sys.executable, "-I", str(TOOL), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_other_verifier_is_one_file_that_imports_nothing_of_the_product() -> None:
    text = TOOL.read_text(encoding="utf-8")
    imported = {
        line.split()[1].partition(".")[0]
        for line in text.splitlines()
        if line.startswith(("import ", "from "))
    }

    assert imported - sys.stdlib_module_names == {"cryptography"}


def test_the_other_verifier_works_by_itself(log: LogDirectory, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    earlier = make_checkpoint(log)
    append_game(log, 2, 20)
    (folder / "case.zip").write_bytes(bundle(log).content)
    (folder / "kept.note").write_text(earlier.text())
    [key] = known_keys(log.keys)
    (folder / "log.vkey").write_text(f"{key}\n")

    alone = run_tool(folder, "case.zip")
    signed = run_tool(folder, "case.zip", "--trust", "log.vkey")
    trusted = run_tool(folder, "case.zip", "--trust", "log.vkey", "--against", "kept.note")
    spoiled = folder / "spoiled.zip"
    spoiled.write_bytes((folder / "case.zip").read_bytes()[:-1])
    broken = run_tool(folder, "spoiled.zip", "--trust", str(key), "--json")

    assert (alone.returncode, trusted.returncode, broken.returncode) == (0, 0, 3)
    said = [run.stdout.splitlines()[-1] for run in (alone, signed, trusted)]
    assert said == [SELF_CONSISTENT, SIGNED, UNCHANGED]
    assert " 1 earlier size\n" in trusted.stdout
    told = msgspec.json.decode(broken.stdout)
    assert (told["ok"], told["failure"]["code"]) == (False, "archive-damaged")
    assert told["claim"] == "not intact: nothing in it can be relied on"


def test_the_other_verifier_ends_quietly_when_its_reader_has_enough(
    log: LogDirectory, tmp_path: Path
) -> None:
    (tmp_path / "case.zip").write_bytes(bundle(log).content)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(TOOL), "case.zip"],
            cwd=tmp_path,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("missing.zip",),
        ("case.zip", "--trust", "missing"),
        ("case.zip", "--trust", "a+b+c"),
        ("case.zip", "--trust", "empty.vkey"),
        ("case.zip", "--trust", "binary.vkey"),
        ("case.zip", "--against", "case.zip"),
    ],
)
def test_the_other_verifier_says_which_argument_cannot_be_used(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "case.zip").write_text("x")
    (tmp_path / "empty.vkey").write_text("\n")
    (tmp_path / "binary.vkey").write_bytes(b"\xff\xfe")

    run = run_tool(tmp_path, *arguments)

    assert run.returncode == 2
    assert arguments[-1] in run.stderr
    assert "Traceback" not in run.stderr


def test_an_opened_log_gives_the_bundle_it_gave_before(log: LogDirectory) -> None:
    first = bundle(log).content
    with closing(open_directory(log.path, create=False)) as again:
        assert bundle(again).content == first
