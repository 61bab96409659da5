"""A scenario as a checked value: who plays, what happens, what is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from domain.errors import BadInput
from whodecided.scenario.reader import read_documents
from whodecided.scenario.words import EVENTS, KINDS, QUESTIONS

__all__ = ["Question", "Scenario", "Told", "read_scenarios"]

_NEEDS: Final = (
    "scenario",
    "id",
    "title",
    "source",
    "rules_date",
    "confidence",
    "players",
    "events",
    "questions",
)
_MAY: Final = ("teams", "people")
_CONFIDENCE: Final = ("rule", "ruling", "tested", "derived", "policy", "open")
_NO_PLAYERS: Final = ("server", "judge", "ai", "rules", "unknown")
_LABEL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Told:
    """One event as it is told: its name and its keys, typed (flags, numbers, lists of names)."""

    number: int
    name: str
    keys: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One question; `asked` is its text as written, `expects` whether it has an `expect`."""

    number: int
    ask: str
    keys: Mapping[str, Any]
    asked: Mapping[str, Any]
    expects: bool
    expect: Any = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A game told as a list of events, and questions about it."""

    file: str
    id: str
    title: str
    rules_date: str
    confidence: str
    players: tuple[str, ...]
    people: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    events: tuple[Told, ...]
    questions: tuple[Question, ...]
    labels: Mapping[str, int]


def read_scenarios(path: Path) -> list[Scenario]:
    """The scenarios of a file.

    Raises BadInput, naming file, entry and what is allowed, for what the format does not know.
    """
    return [
        _Checker(str(path), number).scenario(document)
        for number, document in enumerate(read_documents(path), 1)
    ]


class _Checker:
    """Turns one document into a scenario, or says what is wrong with it."""

    def __init__(self, file: str, number: int) -> None:
        self.file = file
        self.where = f"scenario {number}"
        self.players: tuple[str, ...] = ()
        self.people: tuple[str, ...] = ()
        self.labels: dict[str, int] = {}
        self.count = 0

    def fail(self, reason: str) -> BadInput:
        return BadInput(self.file, f"{self.where}: {reason}")

    def scenario(self, document: Any) -> Scenario:
        plain = self._mapping(document)
        self._keys(plain, _NEEDS, (*_NEEDS, *_MAY))
        ident = self._text(plain["id"])
        self.where = ident
        if plain["scenario"] != "1":
            raise self.fail("scenario must be 1, the version of the format")
        self._one_of(plain["confidence"], _CONFIDENCE)
        self.players = tuple(self._texts(plain["players"]))
        self.people = tuple(self._texts(plain.get("people") or []))
        names = (*self.players, *self.people)
        if len(set(names)) != len(names) or set(names) & set(_NO_PLAYERS):
            raise self.fail("players and people need different names that mean nothing else")
        told = self._events(plain["events"])
        return Scenario(
            file=self.file,
            id=ident,
            title=self._text(plain["title"]),
            rules_date=self._date(plain["rules_date"]),
            confidence=plain["confidence"],
            players=self.players,
            people=self.people,
            teams=tuple(tuple(self._players(team)) for team in plain.get("teams") or []),
            events=told,
            questions=self._questions(plain["questions"]),
            labels=dict(self.labels),
        )

    def _events(self, entries: Any) -> tuple[Told, ...]:
        plain = [self._event_entry(entry) for entry in self._list(entries)]
        self.count = len(plain)
        for number, (_, keys) in enumerate(plain, 1):
            label = keys.get("label")
            if label is not None:
                if not _LABEL.fullmatch(label) or label in self.labels:
                    raise self.fail(f"event {number}: label {label!r} is no new simple name")
                self.labels[label] = number
        return tuple(self._told(number, name, keys) for number, (name, keys) in enumerate(plain, 1))

    def _event_entry(self, entry: Any) -> tuple[str, Mapping[str, Any]]:
        if isinstance(entry, str):
            entry = {entry: None}
        if not isinstance(entry, dict) or len(entry) != 1:
            raise self.fail(f"an event is a mapping with one key, not {entry!r}")
        ((name, keys),) = entry.items()
        if name not in EVENTS:
            raise self.fail(f"no event is called {name!r} (there are: {', '.join(EVENTS)})")
        return name, {} if keys is None else self._mapping(keys)

    def _told(self, number: int, name: str, keys: Mapping[str, Any]) -> Told:
        within = self.where
        self.where = f"{within}, event {number} ({name})"
        shape = EVENTS[name]
        self._keys(keys, shape.needs, shape.allowed)
        typed = {
            key: self._typed(KINDS.get(f"{name}.{key}", KINDS.get(key, "text")), key, value)
            for key, value in keys.items()
        }
        self.where = within
        return Told(number, name, typed)

    def _questions(self, entries: Any) -> tuple[Question, ...]:
        found = []
        within = self.where
        for number, entry in enumerate(self._list(entries), 1):
            self.where = f"{within}, question {number}"
            found.append(self._question(number, self._mapping(entry)))
        self.where = within
        return tuple(found)

    def _question(self, number: int, plain: Mapping[str, Any]) -> Question:
        ask = plain.get("ask")
        if ask not in QUESTIONS:
            raise self.fail(f"no question is called {ask!r} (there are: {', '.join(QUESTIONS)})")
        needs, may = QUESTIONS[ask]
        self._keys(plain, ("ask", *needs), ("ask", *needs, *may, "rule", "rules_date", "expect"))
        keys: dict[str, Any] = {}
        for key in (*needs, *may, "rule", "rules_date"):
            if key in plain:
                keys[key] = self._asked(key, plain[key])
        return Question(number, ask, keys, plain, "expect" in plain, plain.get("expect"))

    def _asked(self, key: str, value: Any) -> Any:
        if key in ("seat", "owner"):
            return self._player(value)
        if key in ("player", "viewer"):
            return self._principal(value)
        if key in ("after", "at"):
            return self._event(value)
        if key == "effect" and value not in self.labels:
            raise self.fail(f"no effect has the label {value!r}")
        return self._date(value) if key == "rules_date" else self._text(value)

    def _typed(self, kind: str, key: str, value: Any) -> Any:
        match kind:
            case "flag":
                return self._flag(key, value)
            case "number":
                return self._number(key, value)
            case "event":
                return self._event(value)
            case "player":
                return self._player(value)
            case "players":
                return self._players(value)
            case "principal":
                return None if value is None else self._principal(value)
            case "texts":
                return tuple(self._texts(value))
            case "players or opponents":
                return value if value == "opponents" else self._players(value)
            case "players or all":
                return value if value == "all" else self._principals(value)
            case _:
                return self._text(value)

    def _keys(
        self, plain: Mapping[str, Any], needs: tuple[str, ...], allowed: tuple[str, ...]
    ) -> None:
        for key in plain:
            if key not in allowed:
                raise self.fail(f"no key is called {key!r} here (there are: {', '.join(allowed)})")
        for key in needs:
            if key not in plain:
                raise self.fail(f"the key {key!r} is missing")

    def _mapping(self, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.fail(f"a mapping is needed, not {value!r}")
        return value

    def _list(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.fail(f"a list is needed, not {value!r}")
        return value

    def _text(self, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"a text is needed, not {value!r}")
        return value

    def _texts(self, value: Any) -> list[str]:
        return [self._text(one) for one in (value if isinstance(value, list) else [value])]

    def _one_of(self, value: Any, allowed: tuple[str, ...]) -> None:
        if value not in allowed:
            raise self.fail(f"{value!r} is none of: {', '.join(allowed)}")

    def _date(self, value: Any) -> str:
        try:
            return date.fromisoformat(self._text(value)).isoformat()
        except ValueError as error:
            raise self.fail(f"{value!r} is not a date like 2026-09-25") from error

    def _flag(self, key: str, value: Any) -> bool:
        if value not in ("true", "false"):
            raise self.fail(f"{key} is true or false, not {value!r}")
        return bool(value == "true")

    def _number(self, key: str, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"\d{1,9}", value):
            raise self.fail(f"{key} is a number, not {value!r}")
        return int(value)

    def _event(self, value: Any) -> int:
        if isinstance(value, str) and value in self.labels:
            return self.labels[value]
        number = self._number("the event", value)
        if number > self.count:
            raise self.fail(f"there is no event {number}, the last one is {self.count}")
        return number

    def _player(self, value: Any) -> str:
        if value not in self.players:
            raise self.fail(f"{value!r} is no player (there are: {', '.join(self.players)})")
        return str(value)

    def _players(self, value: Any) -> tuple[str, ...]:
        return tuple(self._player(one) for one in (value if isinstance(value, list) else [value]))

    def _principal(self, value: Any) -> str:
        allowed = (*self.players, *self.people, *_NO_PLAYERS)
        self._one_of(value, allowed)
        return str(value)

    def _principals(self, value: Any) -> tuple[str, ...]:
        return tuple(
            self._principal(one) for one in (value if isinstance(value, list) else [value])
        )
