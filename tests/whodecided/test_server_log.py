"""A log on a server is used like one in a directory: the same bytes, answers and tables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whodecided.api import Log, open_log
from whodecided.cli.app import app
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.store.directory import Identity
from whodecided.store.opening import open_store


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """An invented client log with a controlled turn."""
    path = tmp_path / "Player.log"
    path.write_text(demo_log(), encoding="utf-8")
    return path


@pytest.fixture
def both(postgres_address: str, source: Path, tmp_path: Path) -> Iterator[tuple[Log, Log]]:
    """Two logs of one id and secret, in a directory and on a server, that imported the same."""
    with closing(open_store(tmp_path / "log", create=True)) as made:
        identity = Identity(made.events.log_id, (made.secrets[1],))
    open_store(postgres_address, create=True, identity=identity).close()
    with open_log(tmp_path / "log") as local, open_log(postgres_address) as remote:
        for log in (local, remote):
            log.import_files([source], keep_names=True)
        yield local, remote


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_an_import_gives_the_same_bytes_names_and_hidden_values(both: tuple[Log, Log]) -> None:
    local, remote = (log.directory for log in both)

    head = local.events.head()
    assert head > 100
    assert remote.events.read_all() == local.events.read_all()
    assert remote.events.disclosures_between(0, head) == local.events.disclosures_between(0, head)
    assert remote.events.provenance_between(0, head) == local.events.provenance_between(0, head)
    assert [entry.root for entry in remote.events.journal()] == [
        entry.root for entry in local.events.journal()
    ]
    assert remote.people.everyone() == local.people.everyone() != []


def test_answers_and_tables_are_the_same(both: tuple[Log, Log]) -> None:
    local, remote = both

    assert remote.games() == local.games()
    assert remote.who(1, 165) == local.who(1, 165)
    assert remote.findings(1) == local.findings(1)
    tables = [
        [sorted(map(repr, log.relation(name, viewer="judge").fetchall())) for log in both]
        for name in ("decisions", "visibility", "control_intervals")
    ]
    assert [on_server for _, on_server in tables] == [in_directory for in_directory, _ in tables]


def test_importing_again_adds_nothing(both: tuple[Log, Log], source: Path) -> None:
    _, remote = both
    head = remote.directory.events.head()

    remote.import_files([source])

    assert remote.directory.events.head() == head


def test_the_commands_take_an_address(postgres_address: str, source: Path, tmp_path: Path) -> None:
    for arguments in (
        ("import", source),
        ("games",),
        ("who", 1, 165),
        ("keys", "new"),
        ("checkpoint",),
        ("bundle", 1, "-o", tmp_path / "case.zip"),
        ("verify", "--from-scratch"),
        ("rebuild",),
        ("sql", "select count(*) from decisions", "--viewer", "judge"),
        ("keys", "rotate-secret"),
        ("copy", "--to", tmp_path / "copy"),
    ):
        result = ask("--log", postgres_address, *arguments)
        assert (result.exit_code, result.exception) == (0, None), result.output
    assert ask("verify", "--log", tmp_path / "copy").exit_code == 0


def test_a_reader_without_the_log_secrets_is_told_how_to_be_named(
    postgres_address: str, source: Path
) -> None:
    assert ask("--log", postgres_address, "import", source).exit_code == 0
    with closing(open_store(postgres_address, create=False)) as log:
        (log.keys / "log.secret").unlink()

    run = ask("--log", postgres_address, "who", 1, 165, "--viewer", "judge", "--by", "Hana")

    said = " ".join(run.stderr.split())
    assert run.exit_code == 0
    assert "the access log calls the reader of this read unknown: " in said
    assert "Give --by as judge:<id> or person:<id>." in said
    listed = ask("--log", postgres_address, "access").stdout
    assert "unknown" in listed
    assert "(unknown)" not in listed


def test_the_address_of_no_log_and_one_that_cannot_be_used_are_errors_with_advice(
    postgres_address: str,
) -> None:
    missing = ask("--log", postgres_address, "games")
    assert (missing.exit_code, "there is no log here" in missing.stderr) == (2, True)
    wrong = ask("--log", "postgres://u:hidden@h/d?colour=red", "games")
    assert (wrong.exit_code, "Known: schema" in wrong.stderr) == (2, True)
    assert "hidden" not in wrong.output


def test_the_environment_can_name_the_log(
    postgres_address: str, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHODECIDED_LOG", postgres_address)

    imported = ask("import", source)
    assert imported.exit_code == 0
    assert "Log: postgres://" in imported.stdout
    status = ask("status", "--json")
    assert '"path":"postgres://' in status.stdout


WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
from whodecided.cli import main
main()
"""


@pytest.mark.parametrize(
    ("log", "exit_code", "said"),
    [
        ("postgres://localhost/club", 2, "whodecided[postgres]"),
        ("my-log", 2, "there is no log here"),
    ],
)
def test_only_a_log_on_a_server_needs_the_driver(
    tmp_path: Path, log: str, exit_code: int, said: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_DRIVER, "--log", log, "games"],
        check=False,
        capture_output=True,
        cwd=tmp_path,
        text=True,
    )

    assert (run.returncode, said in run.stderr) == (exit_code, True), run.stderr


def test_a_password_in_the_address_is_never_shown(
    postgres_address: str, source: Path, tmp_path: Path
) -> None:
    scheme, rest = postgres_address.split("//", 1)
    user, at, host = rest.rpartition("@")
    address = f"{scheme}//{user or 'nobody'}:hunter2{at or '@'}{host}"
    said = [
        ask("--log", address, *arguments)
        for arguments in (
            ("import", source),
            ("status",),
            ("verify", "--json"),
            ("copy", "--to", tmp_path / "copy"),
            ("--json", "show", "nothing"),
        )
    ]

    assert [one.output for one in said if "hunter2" in one.output + one.stderr] == []
