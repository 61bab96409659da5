"""Names come from the user's own table or from the Arena client's card database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import BadInput
from whodecided.cardnames import load_card_names

Written = Callable[[str, bytes], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


def database(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.executescript(";".join(statements))
    return path


CARDS = (
    "CREATE TABLE Cards (GrpId INT PRIMARY KEY, TitleId INT)",
    "INSERT INTO Cards VALUES (101, 1), (102, 2), (103, 9)",
    "CREATE TABLE Abilities (Id INT PRIMARY KEY, TextId INT)",
    "INSERT INTO Abilities VALUES (101, 3)",
)
TEXT_TABLE = "CREATE TABLE Localizations_{} (LocId INT, Formatted INT, Loc TEXT)"


@pytest.fixture
def table_per_language(tmp_path: Path) -> Path:
    return database(
        tmp_path / "Raw_CardDatabase_test.mtga",
        *CARDS,
        TEXT_TABLE.format("enUS"),
        "INSERT INTO Localizations_enUS VALUES (1, 1, '<i>Brass Herald</i>'),"
        " (1, 0, 'Brass Herald'),"
        " (2, 1, '<nobr>Fen-Walker</nobr>'), (3, 1, '{oT}, {o2oW}: Tap CARDNAME.')",
        TEXT_TABLE.format("frFR"),
        "INSERT INTO Localizations_frFR VALUES (1, 0, 'Héraut de laiton'),"
        " (2, 0, '#NoTranslationNeeded')",
    )


@pytest.fixture
def column_per_language(tmp_path: Path) -> Path:
    return database(
        tmp_path / "older.mtga",
        *CARDS,
        "CREATE TABLE Localizations (LocId INT, Formatted INT, enUS TEXT, jaJP TEXT)",
        "INSERT INTO Localizations VALUES (1, 1, 'Brass Herald', '真鍮の先触れ'),"
        " (2, 1, 'Fen-Walker', NULL)",
    )


@pytest.mark.parametrize(
    "text",
    [
        "id,name\n101,Brass Herald\n102,Fen-Walker\n",
        "\ufeffname;rarity;arena_id\nBrass Herald;rare;101\n\nFen-Walker;common;102\n",
        "101\tBrass Herald\r\n102\tFen-Walker\r\n",
        '{"101": "Brass Herald", "102": "Fen-Walker"}',
        '[{"id": 101, "name": "Brass Herald"}, {"grp_id": "102", "name": " Fen-Walker "}]',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_table_of_ids_and_names_is_read(written: Written, text: str, encoding: str) -> None:
    text = text.removeprefix("\ufeff") if encoding == "utf-16" else text
    names = load_card_names(written("names", text.encode(encoding)))

    assert dict(names.cards) == {"101": "Brass Herald", "102": "Fen-Walker"}


def test_an_id_without_a_name_is_shown_as_a_number_and_a_name_as_itself(written: Written) -> None:
    names = load_card_names(written("names.csv", b"id,name\n101,Brass Herald\n"))

    assert names.card("101") == "Brass Herald"
    assert names.card("555") == "card 555"
    assert names.card("Mindslaver") == "Mindslaver"
    assert names.ability("101") == "ability 101"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (b"", 1, "no columns id and name"),
        (b"card,title\n1,x\n", 1, "no columns id and name"),
        (b"id,name\n1,A\nx2,B\n", 3, "id 'x2' is not a number"),
        (b"id,name\n1\n", 2, "too few columns"),
        (b"id,name\n1, \n", 2, "id 1 has no name"),
        (b'id,name\n1,"A\n', 2, "unexpected end of data"),
        (b"id,name\n1,A\n2,\xff\n", 3, "not UTF-8 text"),
        (b'{"1": "A",\n "2" "B"}', 2, "not JSON: Expecting ':' delimiter"),
        (b'{"1": 5}', None, "entry 1 id 1 has no name"),
        (b'[{"id": 1}]', None, "entry 1 has no id and name"),
        (b"[" * 100_000, None, "not JSON: nested too deeply"),
    ],
)
def test_a_bad_table_is_refused_with_file_line_and_reason(
    written: Written, text: bytes, line: int | None, reason: str
) -> None:
    file = written("bad.csv", text)
    with pytest.raises(BadInput) as raised:
        load_card_names(file)

    assert raised.value.where == str(file)
    assert (raised.value.line, raised.value.reason) == (line, reason)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.csv"):
        with pytest.raises(BadInput) as raised:
            load_card_names(path)
        assert raised.value.advice is not None


@pytest.mark.parametrize("language", ["en", "enUS", "en-US", "EN"])
def test_the_clients_database_gives_names_without_markup(
    table_per_language: Path, language: str
) -> None:
    names = load_card_names(table_per_language, language)

    assert dict(names.cards) == {"101": "Brass Herald", "102": "Fen-Walker"}
    assert names.ability("101") == "{T}, {2}{W}: Tap this card."


def test_a_name_missing_in_the_language_is_given_in_english(table_per_language: Path) -> None:
    names = load_card_names(table_per_language, "fr")

    assert dict(names.cards) == {"101": "Héraut de laiton", "102": "Fen-Walker"}


def test_the_older_database_with_one_column_per_language_is_read(column_per_language: Path) -> None:
    names = load_card_names(column_per_language, "ja")

    assert dict(names.cards) == {"101": "真鍮の先触れ", "102": "Fen-Walker"}


def test_a_language_the_database_does_not_have_is_refused(column_per_language: Path) -> None:
    with pytest.raises(BadInput, match="no texts in this language"):
        load_card_names(column_per_language, "de")


def test_an_unknown_language_is_refused_with_the_known_ones(column_per_language: Path) -> None:
    with pytest.raises(BadInput) as raised:
        load_card_names(column_per_language, "tlh")

    assert raised.value.advice == "Known are: de, en, es, fr, it, ja, ko, pt."


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE Other (x)",),
        (TEXT_TABLE.format("enUS"), "INSERT INTO Localizations_enUS VALUES (1, 0, 'A')"),
    ],
)
def test_a_database_of_another_kind_is_refused(tmp_path: Path, statements: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match="card database"):
        load_card_names(database(tmp_path / "other.db", *statements))


def test_a_damaged_database_is_refused(table_per_language: Path) -> None:
    table_per_language.write_bytes(table_per_language.read_bytes()[:3000])

    with pytest.raises(BadInput, match="card database"):
        load_card_names(table_per_language)
