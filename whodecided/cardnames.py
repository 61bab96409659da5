"""Names for card and ability ids: the user's own table, or the Arena client's card database.

Logs name cards by number. A table is a CSV or JSON file with an id and a name per entry; the
client's card database is the SQLite file `Raw_CardDatabase_<digest>.mtga` in `Downloads/Raw`.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from domain.errors import BadInput
from whodecided.inputs import read_bytes

__all__ = [
    "KEPT_TABLE",
    "LANGUAGES",
    "MAX_TABLE",
    "CardNames",
    "language_code",
    "language_known",
    "load_card_names",
]

KEPT_TABLE: Final = "card-names.csv"
"""A table of this name in a log's directory is used where the user names none."""

LANGUAGES: Final[Mapping[str, str]] = {
    "de": "deDE",
    "en": "enUS",
    "es": "esES",
    "fr": "frFR",
    "it": "itIT",
    "ja": "jaJP",
    "ko": "koKR",
    "pt": "ptBR",
}
"""Language as asked for -> the card database's own code."""

MAX_TABLE: Final = 1 << 26
"""A table of every card there is takes a few million bytes; a larger one is a mistake."""

_SQLITE_MAGIC: Final = b"SQLite format 3\0"
_ID_COLUMNS: Final = ("id", "arena_id", "grpid", "grp_id")
_MARKUP: Final = re.compile(r"<[^>]*>")
_SYMBOL: Final = re.compile(r"\{o([^{}]+)\}")
_ADVICE: Final = (
    "Give a CSV or JSON table with id and name, or the client's Raw_CardDatabase_*.mtga file."
)


@dataclass(frozen=True, slots=True)
class CardNames:
    """Names by id (as text); ids of cards and of abilities are counted apart."""

    cards: Mapping[str, str] = field(default_factory=dict)
    abilities: Mapping[str, str] = field(default_factory=dict)

    def card(self, ref: str) -> str:
        """The card's name, or `card 12345` when only its number is known."""
        return self.cards.get(ref) or _numbered("card", ref)

    def ability(self, ref: str) -> str:
        """The ability's text, or `ability 12345` when only its number is known."""
        return self.abilities.get(ref) or _numbered("ability", ref)


def _numbered(kind: str, ref: str) -> str:
    return f"{kind} {ref}" if ref.isdigit() else ref


def load_card_names(path: Path, language: str = "en") -> CardNames:
    """The names in a file; `language` (`en`, `fr`, `ja` ...) is that of the client's database.

    A name that the database does not have in that language is given in English. Raises BadInput
    with file, line (where there is one) and reason for what cannot be read.
    """
    code = language_code(language)
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise BadInput(str(path), error.strerror or str(error), advice=_ADVICE) from error
    if start == _SQLITE_MAGIC:
        return _from_database(path, code)
    data = read_bytes(path, MAX_TABLE)
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(str(path), "not UTF-8 text", line=line, advice=_ADVICE) from error
    read = _from_json if text.lstrip()[:1] in ("{", "[") else _from_csv
    return CardNames(dict(read(path, text)))


def language_code(language: str) -> str:
    """The card database's code for `fr`, `frFR` or `fr-FR`; raises BadInput for no language."""
    return LANGUAGES[language_known(language)]


def language_known(language: str) -> str:
    """`fr` of `fr`, `frFR` or `fr-FR`; raises BadInput for no language."""
    wanted = language.replace("-", "").replace("_", "").lower()
    for short, code in LANGUAGES.items():
        if wanted in (short, code.lower()):
            return short
    known = ", ".join(LANGUAGES)
    raise BadInput("--lang", f"no language {language!r}", advice=f"Known are: {known}.")


def _from_json(path: Path, text: str) -> Iterable[tuple[str, str]]:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5,000 digits
        line = getattr(error, "lineno", None)
        nested = isinstance(error, RecursionError)
        reason = "nested too deeply" if nested else getattr(error, "msg", str(error))
        raise BadInput(str(path), f"not JSON: {reason}", line=line, advice=_ADVICE) from error
    if isinstance(loaded, dict):
        pairs: list[tuple[Any, Any]] = list(loaded.items())
    else:
        pairs = [_json_pair(path, index, item) for index, item in enumerate(loaded, 1)]
    for index, (ref, name) in enumerate(pairs, 1):
        yield _checked(path, f"entry {index}", str(ref), name)


def _json_pair(path: Path, index: int, item: Any) -> tuple[Any, Any]:
    if isinstance(item, dict) and "name" in item:
        for column in _ID_COLUMNS:
            if column in item:
                return item[column], item["name"]
    raise BadInput(str(path), f"entry {index} has no id and name", advice=_ADVICE)


def _from_csv(path: Path, text: str) -> Iterable[tuple[str, str]]:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(text.splitlines(), delimiter=delimiter, strict=True)
    try:
        header = next(rows, [])
        id_at, name_at, headless = _columns(path, header)
        if headless:
            yield _checked(path, "", header[id_at].strip(), header[name_at], line=1)
        for row in rows:
            if not any(row):
                continue
            if len(row) <= max(id_at, name_at):
                raise BadInput(str(path), "too few columns", line=rows.line_num, advice=_ADVICE)
            yield _checked(path, "", row[id_at].strip(), row[name_at], line=rows.line_num)
    except csv.Error as error:
        raise BadInput(str(path), str(error), line=rows.line_num, advice=_ADVICE) from error


def _columns(path: Path, header: list[str]) -> tuple[int, int, bool]:
    """Places of id and name, and whether the first row is already an entry."""
    names = [cell.strip().lower() for cell in header]
    found = [column for column in _ID_COLUMNS if column in names]
    if found and "name" in names:
        return names.index(found[0]), names.index("name"), False
    if len(header) == 2 and header[0].strip().isdigit():
        return 0, 1, True
    raise BadInput(str(path), "no columns id and name", line=1, advice=_ADVICE)


def _checked(
    path: Path, place: str, ref: str, name: Any, *, line: int | None = None
) -> tuple[str, str]:
    if not ref.isdigit():
        raise BadInput(str(path), f"{place} id {ref!r} is not a number".strip(), line=line)
    if not isinstance(name, str) or not name.strip():
        raise BadInput(str(path), f"{place} id {ref} has no name".strip(), line=line)
    return ref, name.strip()


def _from_database(path: Path, code: str) -> CardNames:
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            texts = _texts(path, database, code)
            return CardNames(
                dict(_named(database, texts, "Cards", "GrpId TitleId")),
                dict(_named(database, texts, "Abilities", "Id TextId")),
            )
    except sqlite3.Error as error:
        raise BadInput(str(path), f"card database: {error}", advice=_ADVICE) from error


def _texts(path: Path, database: sqlite3.Connection, code: str) -> Mapping[int, str]:
    """Text by text id, in English where the language has none.

    Since 2023 there is one table per language; before, one table with a column per language. A text
    may have several forms; the one with the lowest number has no markup.
    """
    texts: dict[int, str] = {}
    for wanted in dict.fromkeys(("enUS", code)):
        own_table, shared_table = f"Localizations_{wanted}", "Localizations"
        if _table(database, own_table) >= {"locid", "formatted", "loc"}:
            source, column = own_table, "Loc"
        elif _table(database, shared_table) >= {"locid", "formatted", wanted.lower()}:
            source, column = shared_table, wanted
        elif wanted == code:
            tables = "no texts in this language" if texts else "not a card database"
            raise BadInput(str(path), f"{tables} ({code})", advice=_ADVICE)
        else:
            continue
        found = database.execute(f'SELECT LocId, "{column}" FROM {source} ORDER BY Formatted DESC')
        texts |= {
            key: text
            for key, text in found
            if isinstance(text, str) and text and not text.startswith("#NoTranslation")
        }
    return texts


def _table(database: sqlite3.Connection, name: str) -> set[str]:
    return {row[1].lower() for row in database.execute(f"PRAGMA table_info({name})")}


def _named(
    database: sqlite3.Connection, texts: Mapping[int, str], table: str, columns: str
) -> Iterable[tuple[str, str]]:
    key, text = columns.split()
    if table == "Cards" or _table(database, table) >= {key.lower(), text.lower()}:
        for ref, text_id in database.execute(f"SELECT {key}, {text} FROM {table}"):
            if text_id in texts:
                yield str(ref), _plain(texts[text_id])


def _plain(text: str) -> str:
    """Text without markup, mana symbols as the rules write them, the card's own name replaced."""
    without = _MARKUP.sub("", text).replace("CARDNAME", "this card")
    return _SYMBOL.sub(lambda symbol: "{" + "}{".join(symbol[1].split("o")) + "}", without)
