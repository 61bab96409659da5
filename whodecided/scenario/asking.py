"""Checks the questions of a scenario: keys, values, and whether the event can be asked so."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from domain.rules.editions import is_day
from whodecided.scenario.checking import Checker, shown
from whodecided.scenario.telling import object_or_zone
from whodecided.scenario.told import Question, Told
from whodecided.scenario.words import ABOUT_DECISIONS, DECISIONS, QUESTIONS, VALUES

__all__ = ["read_questions"]

_OF_ALL: Final = ("rule", "rules_date", "expect")
_ABOUT_INFRACTIONS: Final = frozenset({"policies_differ", "responsible"})


def read_questions(
    checker: Checker, entries: Any, events: Sequence[Told], policies: Collection[str]
) -> tuple[Question, ...]:
    """The questions, typed. Raises BadInput for the first that is not as the format has it."""
    objects = _objects(events)
    found = []
    for number, entry in enumerate(checker.entries(entries, "questions"), 1):
        with checker.within(f"question {number}"):
            found.append(_question(checker, number, checker.mapping(entry), objects, policies))
    return tuple(found)


def _objects(events: Sequence[Told]) -> tuple[str, ...]:
    """The names under which objects and cards can be asked about."""
    named: dict[str, None] = {}
    for told in events:
        for key in (
            ("object", "card") if told.name in ("spell_cast", "land_played") else ("object",)
        ):
            if key in told.keys:
                named[told.keys[key]] = None
    return tuple(named)


def _question(
    checker: Checker,
    number: int,
    plain: Mapping[str, Any],
    objects: Sequence[str],
    policies: Collection[str],
) -> Question:
    ask = checker.one_of(plain.get("ask"), "ask", tuple(QUESTIONS))
    needs, may = QUESTIONS[ask]
    checker.keys(plain, ("ask", *needs), ("ask", *needs, *may, *_OF_ALL))
    keys = {
        key: _typed(checker, key, value, objects, policies)
        for key, value in plain.items()
        if key not in ("ask", "expect")
    }
    if ask in ("sees", "first_learned"):
        object_or_zone(checker, keys)
    if ask == "rule_gap" and ("at" in keys) == ("after" in keys):
        raise checker.fail("either at or after is needed")
    if "at" in keys:
        _askable(checker, ask, keys["at"])
    return Question(number, ask, keys, plain, "expect" in plain, plain.get("expect"))


def _typed(
    checker: Checker, key: str, value: Any, objects: Sequence[str], policies: Collection[str]
) -> Any:
    match key:
        case "seat" | "owner":
            return checker.player(value, key)
        case "player" | "viewer":
            return checker.person(value, key, ("judge",) if key == "viewer" else ())
        case "after":
            return checker.moment(value, key)
        case "at":
            return checker.event(value, key)
        case "effect":
            return checker.effect(value, key)
        case "object":
            return checker.one_of(value, key, objects)
        case "zone":
            return checker.one_of(value, key, VALUES["zone"])
        case "decision":
            return checker.one_of(value, key, VALUES["question.decision"])
        case "rules_date":
            return checker.day(value, key)
        case "policy":
            return _policy(checker, value, policies)
        case _:
            return checker.text(value, key)


def _policy(checker: Checker, value: Any, known: Collection[str]) -> str:
    if not isinstance(value, str) or not (value in known or is_day(value)):
        raise checker.fail(
            f"policy: {shown(value)} is neither a date nor one of: {', '.join(known)}"
        )
    return value


def _askable(checker: Checker, ask: str, number: int) -> None:
    """Whether this can be asked about the event."""
    name = checker.names[number - 1]
    if ask in ABOUT_DECISIONS:
        allowed: tuple[str, ...] = DECISIONS
    elif ask in _ABOUT_INFRACTIONS:
        allowed = ("infraction_found", *DECISIONS)
    elif ask == "mana_burn":
        allowed = ("mana_lost",)
    else:
        return
    if name not in allowed:
        raise checker.fail(
            f"at: event {number} is {name}; {ask} asks about one of: {', '.join(allowed)}"
        )
