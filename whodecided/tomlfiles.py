"""Read folders of TOML files strictly: one clear error, or everything.

A folder of the user's own has the layout of `domain/rules/data`. An entry there replaces the entry
with the same id in the product's own folder, or is added to them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

import domain.rules
from domain.errors import BadInput
from domain.rules.text import LocalText
from whodecided.inputs import read_text

__all__ = [
    "MAX_BYTES",
    "Entry",
    "Folder",
    "LocalEntry",
    "Placed",
    "Text",
    "by_id",
    "day",
    "placed",
    "read_file",
    "read_files",
    "rule_folders",
]

MAX_BYTES: Final = 1 << 20
"""A rules file is written by people; a larger one is a mistake."""

_KINDS: Final = frozenset(
    {
        "cards.toml",
        "editions/*.toml",
        "policy/*.toml",
        "provisions/*.toml",
        "sources.toml",
        "switches.toml",
        "topics.toml",
        "tournament.toml",
    }
)
_LINE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

_SHOWN: Final = 60
_REASON: Final = 400
_REASONS: Final = {
    "extra_forbidden": "there is no such key",
    "missing": "the key is missing",
    "string_too_short": "it must not be empty",
    "too_short": "it must not be empty",
}
_NEEDED: Final = {
    "bool_type": "true or false",
    "date_type": "a date like 2026-09-25",
    "dict_type": "a table",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "a table",
    "string_type": "a text",
}
"""What is needed, by pydantic's kind of error."""

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
M = TypeVar("M", bound=BaseModel)
F = TypeVar("F", bound=BaseModel)


class Entry(BaseModel):
    """A table of a file: closed, and of exactly the types it declares."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class LocalEntry(Entry):
    """A text by language."""

    en: Text
    fr: Text | None = None
    ja: Text | None = None

    def value(self) -> LocalText:
        """The text as a domain value."""
        return LocalText(self.en, self.fr, self.ja)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of rules files: name relative to the folder -> path."""

    files: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Placed(Generic[M]):
    """An entry and where it stands, for messages."""

    entry: M
    path: Path
    place: str

    def error(self, key: str, reason: str) -> BadInput:
        """An error about a key of the entry."""
        return BadInput(str(self.path), _short(f"{self.place}.{key}: {reason}", _REASON))


def day(value: date) -> str:
    """A day as text, YYYY-MM-DD."""
    return value.isoformat()


def rule_folders(extra: Path | None) -> tuple[Folder, ...]:
    """The product's own folder and, after it, the user's.

    Raises BadInput, naming it, for a folder that is none and for a file of a kind that the rules do
    not know; in the user's folder also for any file that cannot be read, whoever will need it.
    """
    own = _folder(Path(domain.rules.__path__[0]) / "data")
    if extra is None:
        return (own,)
    given = _folder(extra)
    for path in given.files.values():
        _parsed(path)
    return own, given


def _folder(folder: Path) -> Folder:
    if not folder.is_dir():
        raise BadInput(str(folder), "not a folder" if folder.exists() else "no such folder")
    found = {}
    for path in sorted(folder.rglob("*.toml")):
        name = path.relative_to(folder)
        kind = name.as_posix() if len(name.parts) == 1 else f"{name.parts[0]}/*.toml"
        if kind not in _KINDS or len(name.parts) > 2:
            advice = f"Known are: {', '.join(sorted(_KINDS))}."
            raise BadInput(str(path), "not a file the rules know", advice=advice)
        found[name.as_posix()] = path
    return Folder(found)


def _parsed(path: Path) -> Mapping[str, Any]:
    text = read_text(path, MAX_BYTES)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise BadInput(str(path), "not TOML: nested too deeply") from error
    except ValueError as error:  # what tomllib raises, and int() for a number of 5,000 digits
        found = _LINE.search(str(error))
        line_text = found and found[1]
        end = " at the end" if found and not line_text else ""
        reason = f"not TOML: {_LINE.sub('', str(error))}{end}"
        raise BadInput(str(path), reason, line=int(line_text) if line_text else None) from error


def read_files(
    folders: Iterable[Folder], pattern: str, model: type[M]
) -> list[list[tuple[Path, M]]]:
    """The files of a kind (`topics.toml`, `editions/`) of every folder, checked by their model.

    Raises BadInput with file, key and reason for what the model does not allow.
    """
    return [list(_checked(folder, pattern, model)) for folder in folders]


def _checked(folder: Folder, pattern: str, model: type[M]) -> Iterable[tuple[Path, M]]:
    for name, path in folder.files.items():
        if name == pattern or (pattern.endswith("/") and name.startswith(pattern)):
            yield path, read_file(path, model)


def read_file(path: Path, model: type[M]) -> M:
    """One file, checked by its model. Raises BadInput with file, key and reason."""
    try:
        return model.model_validate(_parsed(path))
    except ValidationError as error:
        raise _first(path, error) from error


def _first(path: Path, error: ValidationError) -> BadInput:
    problem = error.errors(include_url=False)[0]
    key = "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]
    ).lstrip(".")
    more = len(error.errors()) - 1
    mistakes = "one more mistake" if more == 1 else f"{more} more mistakes"
    advice = f"There {'is' if more == 1 else 'are'} {mistakes} in this file." if more else None
    place = _short(key, _REASON) or "file"
    return BadInput(str(path), f"{place}: {_reason(problem)}", advice=advice)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _reason(problem: ErrorDetails) -> str:
    """What is wrong with a value, and what it is."""
    kind, shown = problem["type"], _short(repr(problem["input"]), _SHOWN)
    if kind in _REASONS:
        return _REASONS[kind]
    if kind == "literal_error":
        allowed = problem["ctx"]["expected"].replace(" or ", ", ").replace("'", "")
        return f"{shown} is none of: {allowed}"
    if kind == "string_pattern_mismatch":
        return f"{shown} has not the form {problem['ctx']['pattern']}"
    if kind == "date_type" and isinstance(problem["input"], str):
        return f"a date without quotes is needed, not {shown}"
    return f"{_NEEDED[kind]} is needed, not {shown}" if kind in _NEEDED else problem["msg"]


def placed(
    files: Iterable[Iterable[tuple[Path, F]]], name: str, pick: Callable[[F], Sequence[M]]
) -> list[list[Placed[M]]]:
    """The entries of the list called `name` in the files of every folder, counted from 1."""
    return [
        [
            Placed(entry, path, f"{name}[{place}]")
            for path, file in folder
            for place, entry in enumerate(pick(file), 1)
        ]
        for folder in files
    ]


def by_id(
    folders: Iterable[Iterable[Placed[M]]], key: str, identity: Callable[[M], str] | None = None
) -> dict[str, Placed[M]]:
    """Entries of all folders by id; a later folder's entry replaces an earlier folder's.

    `key` names the field that is the id. Raises BadInput for an id that a folder has twice.
    """
    found: dict[str, Placed[M]] = {}
    for folder in folders:
        here: dict[str, Placed[M]] = {}
        for item in folder:
            value = identity(item.entry) if identity else str(getattr(item.entry, key))
            if value in here:
                first = here[value]
                raise item.error(key, f"{value} is already in {first.path.name}, {first.place}")
            here[value] = item
        found |= here
    return found
