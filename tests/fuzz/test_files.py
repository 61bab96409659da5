"""Files of any content that a command reads beside logs give what they hold or one typed error."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.errors import BadInput, WhodecidedError
from tests.support.fuzzing import PLAIN, SPLICES, Splice, bounded, budget, spliced
from tests.whodecided.evidence.builders import make_log
from whodecided.cardnames import load_card_names
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import add_cosignatures, journal_tree, make_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.evidence.trust import read_trust
from whodecided.evidence.witness import create_witness, open_witness, witness_request

_TABLE = b'id,name\n81101,Forest\n81102,"Isle, the"\n'
_JSON = b'[{"id": 81101, "name": "Forest"}, {"grpId": 81102, "name": "Isle"}]'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def database(folder: Path) -> bytes:
    """A card database as the client has it."""
    path = folder / "made.mtga"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE Cards (GrpId INTEGER, TitleId INTEGER);
            CREATE TABLE Abilities (Id INTEGER, TextId INTEGER);
            CREATE TABLE Localizations_enUS (LocId INTEGER, Formatted INTEGER, Loc TEXT);
            INSERT INTO Cards VALUES (81101, 1), (81102, 2);
            INSERT INTO Abilities VALUES (9001, 3);
            INSERT INTO Localizations_enUS VALUES (1, 1, 'Forest'), (2, 1, 'Isle'), (3, 1, '{oT}');
            """
        )
    return path.read_bytes()


def _names(folder: Path, content: bytes) -> None:
    """Read card names; a file that is none is refused by its name."""
    path = folder / "names"
    path.write_bytes(content)
    try:
        with bounded():
            found = load_card_names(path)
    except BadInput as error:
        refused = error.where
    else:
        assert all(isinstance(name, str) for name in found.cards.values())
        return
    assert refused == str(path)


@budget(150)
@given(
    content=SPLICES.map(lambda changes: spliced(_TABLE, changes))
    | SPLICES.map(lambda changes: spliced(_JSON, changes))
    | st.binary(max_size=80)
)
@example(content=b'{"1": ' + b"9" * 5000 + b"}")
@example(content=b"[" * 100_000)
@example(content=b"\xff\xfe" + _TABLE.decode().encode("utf-16-le") + b"\x00")
def test_card_names_of_any_bytes(folder: Path, content: bytes) -> None:
    _names(folder, content)


@budget(100)
@given(value=PLAIN)
def test_card_names_of_any_json(folder: Path, value: Any) -> None:
    _names(folder, json.dumps([value] if isinstance(value, str | int) else value).encode())


@budget(100)
@given(changes=SPLICES)
def test_a_card_database_of_any_bytes(folder: Path, database: bytes, changes: list[Splice]) -> None:
    _names(folder, spliced(database, changes))


@pytest.mark.parametrize("value", ["x'00ff'", "NULL", "1.5", "'text'"])
@pytest.mark.parametrize("column", ["LocId", "Loc"])
def test_a_card_database_with_a_value_of_any_type(
    folder: Path, database: bytes, column: str, value: str
) -> None:
    path = folder / "typed.mtga"
    path.write_bytes(database)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE loose AS SELECT * FROM Localizations_enUS")
        connection.execute("DROP TABLE Localizations_enUS")
        connection.execute("CREATE TABLE Localizations_enUS (LocId, Formatted, Loc)")
        connection.execute("INSERT INTO Localizations_enUS SELECT * FROM loose")
        connection.execute(f"UPDATE Localizations_enUS SET {column} = {value} WHERE LocId = 1")
    _names(folder, path.read_bytes())


def _typed(call: Any, *arguments: Any) -> None:
    """It works or raises an error of the product."""
    try:
        with bounded():
            call(*arguments)
    except WhodecidedError:
        return


@pytest.fixture(scope="module")
def evidence(folder: Path) -> Any:
    """A log with a key and a witness: their directories, and texts that are exchanged."""
    log = make_log(folder / "log", games=2, events=6)
    key = create_key(log.keys, origin_of(log.events.log_id))
    cosigner = create_witness(folder / "witness", "witness.test/one")
    witness = open_witness(folder / "witness")
    witness.trust(key)
    made = make_checkpoint(log)
    request = witness_request(made, journal_tree(log.events), 0)
    yield log, witness, cosigner, request, f"{key}\n{cosigner}\n", made.text()
    log.close()


@budget(150)
@given(changes=SPLICES)
def test_requests_to_a_witness_of_any_bytes(evidence: Any, changes: list[Splice]) -> None:
    request = spliced(evidence[3].encode(), changes).decode("utf-8", "replace")
    _typed(evidence[1].add_checkpoint, request, 1_780_000_000)


@budget(100)
@given(changes=SPLICES)
def test_answers_of_a_witness_of_any_bytes(evidence: Any, changes: list[Splice]) -> None:
    log, _, cosigner, _, _, note = evidence
    answer = spliced(note.encode(), changes).decode("utf-8", "replace")
    _typed(add_cosignatures, log, answer, (cosigner,))


@budget(150)
@given(changes=SPLICES)
def test_keys_and_checkpoints_of_any_bytes(
    folder: Path, evidence: Any, changes: list[Splice]
) -> None:
    keys, kept = folder / "any.vkeys", folder / "any.note"
    keys.write_bytes(spliced(evidence[4].encode(), changes))
    kept.write_bytes(spliced(evidence[5].encode(), changes))
    _typed(read_trust, [str(keys)], [])
    _typed(read_trust, [], [kept])


def test_files_without_an_end_are_read_no_further_than_they_can_be_meant() -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("this system has no file without an end")
    for call in (load_card_names, lambda path: read_trust([str(path)], [])):
        with pytest.raises(BadInput, match="larger than"), bounded():
            call(endless)
