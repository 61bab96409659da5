"""The commands of the evidence: what they write, and how the process ends."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.commands import run_command
from tests.support.games import ALICE
from tests.whodecided.evidence.tampering import spoil
from whodecided.evidence.archive import read_archive
from whodecided.evidence.signing import COSIGNATURE, Signer

Runs = Callable[..., Any]


@pytest.fixture
def path(stories_log: Path, tmp_path: Path) -> Path:
    """A log of its own, with the command's own games."""
    return Path(shutil.copytree(stories_log, tmp_path / "log"))


@pytest.fixture
def on_log(path: Path) -> Runs:
    return lambda *arguments: run_command("--log", path, *arguments)


def test_a_log_without_a_key_is_verified_and_said_to_be_unsigned(on_log: Runs) -> None:
    run = on_log("verify")

    assert run.code == 0
    assert " 1 OK storage" in run.out
    assert "10 " in run.out
    assert "unsigned and self-consistent only" in " ".join(run.out.split())
    assert on_log("keys").out == ""
    for command in (["keys"], ["checkpoint"], ["witness", "request"]):
        told = on_log(*command).err
        assert "unsigned" in told
        assert "`whodecided keys new`, unless another machine" in told


def test_keys_checkpoint_and_verification_with_what_was_kept_elsewhere(
    on_log: Runs, tmp_path: Path
) -> None:
    key = on_log("keys", "new")
    checkpoint = on_log("checkpoint")
    (tmp_path / "log.vkey").write_text(key.out)
    (tmp_path / "kept.note").write_text(checkpoint.out)

    run = on_log("verify", "--trust", tmp_path / "log.vkey", "--against", tmp_path / "kept.note")

    assert (key.code, checkpoint.code, run.code) == (0, 0, 0)
    assert on_log("keys").out == key.out
    assert "only you can read it" in " ".join(key.err.split())
    assert run.out.splitlines()[-1] == (
        "complete and unchanged since what was kept elsewhere was made"
    )
    again = on_log("keys", "new")
    assert (again.code, again.out) == (2, "")
    assert on_log("keys", "new", "--replace").code == 0


def test_of_several_keys_the_one_that_signs_now_is_named(on_log: Runs, path: Path) -> None:
    old = on_log("keys", "new").out
    alone = on_log("keys")
    new = on_log("keys", "new", "--replace").out
    both = on_log("keys")
    old_id, new_id = (key.split("+")[1] for key in (old, new))

    assert (alone.out, alone.err) == (old, "")
    assert (both.out, both.err) == (old + new, f"{new_id} signs now; retired: {old_id}.\n")
    assert on_log("keys", "--json").document["signing"] == new.strip()

    private = path / "keys" / "signing.pem"
    for spoil_it in (lambda: private.write_text("spoiled"), private.unlink):
        spoil_it()
        none = on_log("keys")
        assert (none.code, none.out) == (0, old + new)
        assert none.err == f"No key signs here; the newest of these is {new_id}.\n"
        assert on_log("keys", "--json").document["signing"] is None


def test_what_is_wrong_with_a_log_is_shown_and_ends_with_3(on_log: Runs, path: Path) -> None:
    spoil(path / "events.sqlite", "UPDATE events SET state = x'7b7d' WHERE rowid = 5")

    run = on_log("verify")
    document = on_log("verify", "--json").document

    assert run.code == 3
    assert "FAIL leaves" in run.out
    assert "event 5: leaf hash differs" in run.out
    assert document["failure"]["code"] == "event-changed"
    assert document["failure"]["computed"] in run.out
    assert [step["status"] for step in document["steps"]][2] == "failed"


def test_a_bundle_holds_what_its_viewer_may_see_and_is_verified_without_the_log(
    on_log: Runs, path: Path, tmp_path: Path
) -> None:
    on_log("keys", "new")
    counts = {}
    for viewer in ("judge", "1", "spectator"):
        file = tmp_path / f"{viewer}.zip"
        made = on_log("bundle", 1, "-o", file, "--as", viewer, "--json")
        counts[viewer] = made.document["disclosed"]
        assert made.document["withheld"] == 0
    shutil.rmtree(path)

    assert counts["judge"] >= counts["1"] >= counts["spectator"]
    for viewer in counts:
        run = run_command("verify-bundle", tmp_path / f"{viewer}.zip")
        assert run.code == 0
        assert "self-consistent only" in run.out
    names = read_archive((tmp_path / "judge.zip").read_bytes())
    assert "rules/switches.toml" in names
    assert "rules/editions/723.toml" in names


def test_one_of_a_kind_is_told_as_one(on_log: Runs, tmp_path: Path) -> None:
    on_log("keys", "new")
    on_log("checkpoint")

    counts = " ".join(on_log("verify").out.split(" 1 OK")[0].split())
    assert counts.endswith("1 checkpoint")
    one = on_log("bundle", 1, "-o", tmp_path / "one.zip", "--events", "2").out
    assert "one.zip: 1 event shown" in one
    assert "1 event shown" in run_command("verify-bundle", tmp_path / "one.zip").out


def test_a_bundle_of_some_events_hides_the_others(on_log: Runs, tmp_path: Path) -> None:
    file = tmp_path / "case.zip"
    run = on_log("bundle", 1, "-o", file, "--events", "2-4")

    assert run.code == 0
    assert "3 events shown" in run.out
    document = run_command("verify-bundle", file, "--json").document
    assert document["counts"]["shown"] == 3
    for wrong in ("4-2", "x", "1-99999"):
        assert on_log("bundle", 1, "-o", tmp_path / "no.zip", "--events", wrong).code == 2
    assert not (tmp_path / "no.zip").exists()


def test_a_bundle_replaces_a_file_only_when_that_is_asked(on_log: Runs, tmp_path: Path) -> None:
    file = tmp_path / "case.zip"
    on_log("bundle", 1, "-o", file)
    kept = file.read_bytes()

    refused = on_log("bundle", 2, "-o", file)

    assert (refused.code, refused.out) == (2, "")
    assert "there is something here already" in refused.err
    assert "--force" in refused.err
    assert file.read_bytes() == kept
    assert on_log("bundle", 2, "-o", file, "--force").code == 0
    assert file.read_bytes() != kept


def test_a_spoiled_bundle_ends_with_3_and_names_its_reason(on_log: Runs, tmp_path: Path) -> None:
    file = tmp_path / "case.zip"
    on_log("bundle", 1, "-o", file)
    file.write_bytes(file.read_bytes()[:-1])

    run = run_command("verify-bundle", file, "--json")

    assert run.code == 3
    assert run.document["failure"]["code"] == "archive-damaged"
    assert "FAIL archive" in run_command("verify-bundle", file).out


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify-bundle", "missing.zip"),
        ("verify", "--trust", "missing.vkey"),
        ("verify", "--against", "missing.note"),
        ("verify", "--trust", "a+b+c"),
        ("bundle", 1, "-o", "missing/case.zip"),
        ("bundle", 1, "-o", "case.zip", "--as", "7"),
        ("bundle", 99, "-o", "case.zip"),
        ("witness", "cosign", "missing"),
        ("witness", "request", "--old", "99"),
    ],
)
def test_what_cannot_be_used_is_said_with_advice_or_name(
    on_log: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)

    run = on_log(*arguments)

    assert run.code in (2, 4)
    assert run.err.startswith("error ")
    assert not list(tmp_path.glob("*.zip"))


def test_a_witness_cosigns_what_it_is_shown(on_log: Runs, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    (tmp_path / "log.vkey").write_text(on_log("keys", "new").out)
    made = run_command("witness", "new", witness, "witness.example/w1")
    (tmp_path / "witness.vkey").write_text(made.out)
    run_command("witness", "trust", witness, tmp_path / "log.vkey")
    (tmp_path / "request").write_text(on_log("witness", "request").out)
    answer = run_command("witness", "cosign", witness, tmp_path / "request")
    (tmp_path / "answer").write_text(answer.out)

    accepted = on_log("witness", "accept", "--key", tmp_path / "witness.vkey", tmp_path / "answer")

    assert accepted.code == 0
    assert accepted.out.splitlines()[-1] == answer.out.splitlines()[0]
    assert on_log("verify", "--trust", tmp_path / "witness.vkey").code == 0
    refused = run_command("witness", "cosign", witness, tmp_path / "request")
    assert refused.code == 3
    assert "last cosigned was size" in refused.err
    assert f"`whodecided witness request --old {size_in(accepted.out)}`" in refused.err


def test_an_older_answer_of_a_witness_does_not_replace_a_newer_one(
    on_log: Runs, tmp_path: Path
) -> None:
    on_log("keys", "new")
    text = on_log("checkpoint").out.partition("\n\n")[0] + "\n"
    witness = Signer("witness.example/w1", Ed25519PrivateKey.generate(), COSIGNATURE)
    key = str(witness.verifier)
    for name, moment in (("older", 100), ("newer", 200)):
        (tmp_path / name).write_text(witness.sign(text, moment).line(), encoding="utf-8")
    newer = on_log("witness", "accept", "--key", key, tmp_path / "newer")

    older = on_log("witness", "accept", "--key", key, tmp_path / "older")

    assert (newer.code, newer.err) == (0, "")
    assert (older.code, older.out) == (0, newer.out)
    assert older.err == (
        "! witness.example/w1 has cosigned this checkpoint again since this answer;"
        " the newer one is kept\n"
    )


def test_an_answer_for_an_earlier_checkpoint_is_accepted_and_said_to_be(
    on_log: Runs, tmp_path: Path
) -> None:
    on_log("keys", "new")
    earlier = on_log("checkpoint").out
    witness = Signer("witness.example/w1", Ed25519PrivateKey.generate(), COSIGNATURE)
    line = witness.sign(earlier.partition("\n\n")[0] + "\n", 100).line()
    (tmp_path / "answer").write_text(line, encoding="utf-8")
    on_log("erase", ALICE, "--reason", "asked")
    last = on_log("checkpoint").out

    key = str(witness.verifier)
    accepted = on_log("witness", "accept", "--key", key, tmp_path / "answer")

    assert (accepted.code, accepted.out) == (0, earlier + line)
    said = f"the last one has size {size_in(last)}"
    assert accepted.err == f"! this is an earlier checkpoint: {said}\n"
    assert on_log("verify", "--trust", key).code == 0


def size_in(checkpoint: str) -> str:
    return checkpoint.splitlines()[1]


def test_what_a_witness_is_asked_and_answers_is_also_a_document(
    on_log: Runs, tmp_path: Path
) -> None:
    witness = tmp_path / "witness"
    key = on_log("keys", "new").out.strip()
    club = run_command("witness", "new", witness, "witness.example/w1", "--json").document["key"]

    trusted = run_command("witness", "trust", witness, key, "--json").document
    request = on_log("witness", "request", "--json").document["request"]
    (tmp_path / "request").write_text(request)
    answer = run_command("witness", "cosign", witness, tmp_path / "request", "--json").document
    (tmp_path / "answer").write_text(answer["answer"])
    accepted = on_log("witness", "accept", "--key", club, tmp_path / "answer", "--json").document

    assert trusted == {"schema_version": 1, "trusted": [key]}
    assert request.startswith("old 0\n")
    assert accepted["note"].endswith(answer["answer"])
    assert {answer["schema_version"], accepted["schema_version"]} == {1}


def test_checkpoints_and_keys_are_also_documents(on_log: Runs) -> None:
    key = on_log("keys", "new", "--json").document["key"]

    told = on_log("keys", "--json").document
    assert told == {"schema_version": 1, "keys": [key], "signing": key}
    checkpoint = on_log("checkpoint", "--json").document
    assert checkpoint["signed_by"] == [key.partition("+")[0]]
    assert json.dumps(checkpoint["size"]) in checkpoint["note"]


def test_a_player_is_erased_and_the_log_still_verifies(on_log: Runs) -> None:
    player = ALICE.partition(":")[2]

    run = on_log("erase", player[:8], "--reason", "asked on paper")
    again = on_log("erase", ALICE, "--reason", "once more", "--json").document

    assert run.code == 0
    assert "deleted; event 1 of" in run.out
    assert "no anonymisation" in " ".join(run.err.split())
    assert (again["values"], again["event"]) == (0, 2)
    assert on_log("verify").code == 0
    assert on_log("erase", "nobody", "--reason", "x").code == 4


def test_the_log_secret_is_rotated_and_the_command_says_what_that_is_not(
    on_log: Runs, path: Path
) -> None:
    run = on_log("keys", "rotate-secret")

    assert (run.code, run.out) == (0, "New games are sealed with log secret 2.\n")
    assert "no anonymisation" in " ".join(run.err.split())
    assert on_log("keys", "rotate-secret", "--json").document == {"schema_version": 1, "secret": 3}
    assert {file.name for file in (path / "keys").glob("log.secret*")} == {
        "log.secret",
        "log.secret.2",
        "log.secret.3",
    }
    assert (path / "keys" / "log.secret.3").read_bytes().hex() not in run.out + run.err
    assert on_log("verify").code == 0
