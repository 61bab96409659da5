"""Checks the events of a scenario one by one: keys, values, and what they refer to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.rules.cards import CardCatalogue
from whodecided.scenario.checking import Checker, shown
from whodecided.scenario.told import Told
from whodecided.scenario.words import DECISIONS, EVENTS, KINDS, PERSONAL_WORDS, VALUES

__all__ = ["read_events"]

_LABEL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_TEAMS: Final = frozenset(
    {*DECISIONS, "mana_lost", "phase_skipped", "step_started", "turn_skipped", "turn_started"}
)
"""Events in which a team may act together."""

_CHECKS: Final[Mapping[str, Callable[[Checker, Any, str], Any]]] = {
    "anyone": Checker.anyone,
    "count": lambda checker, value, key: checker.count(value, key, 1),
    "earlier effect": Checker.effect,
    "earlier event": Checker.event,
    "flag": Checker.flag,
    "moment": Checker.moment,
    "number": Checker.count,
    "official": lambda checker, value, key: checker.person(value, key, ("judge", "server")),
    "people or all": lambda checker, value, key: (
        value if value == "all" else checker.persons(value, key)
    ),
    "person": Checker.person,
    "person or nobody": lambda checker, value, key: (
        None if value is None else checker.person(value, key)
    ),
    "player": Checker.player,
    "players": Checker.seats,
    "players or opponents": lambda checker, value, key: (
        value if value == "opponents" else checker.seats(value, key)
    ),
    "stand-in": Checker.stand_in,
    "team": Checker.team,
    "texts": Checker.texts,
    "viewer": lambda checker, value, key: checker.person(value, key, ("judge",)),
}
"""What a key holds -> how it is checked and typed."""


def read_events(checker: Checker, entries: Any, cards: CardCatalogue) -> tuple[Told, ...]:
    """The events, typed; what a known card says of its effect is filled in.

    Leaves the events' names and labels with the checker. Raises BadInput for the first entry that
    is not as the format has it.
    """
    plain = []
    for number, entry in enumerate(checker.entries(entries, "events"), 1):
        with checker.within(f"event {number}"):
            plain.append(_entry(checker, entry))
    checker.names = tuple(name for name, _ in plain)
    for number, (name, keys) in enumerate(plain, 1):
        if "label" in keys:
            with checker.within(f"event {number} ({name})"):
                _new_label(checker, keys["label"], number)
    told = []
    for number, (name, keys) in enumerate(plain, 1):
        with checker.within(f"event {number} ({name})", number):
            told.append(_told(checker, number, name, keys, cards))
    return tuple(told)


def _entry(checker: Checker, entry: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(entry, str):
        entry = {entry: None}
    if not isinstance(entry, dict) or len(entry) != 1:
        raise checker.fail(f"an event is a mapping with one key, not {shown(entry)}")
    ((name, keys),) = entry.items()
    if name not in EVENTS:
        raise checker.fail(f"no event is called {shown(name)} (there are: {', '.join(EVENTS)})")
    return name, {} if keys is None else checker.mapping(keys)


def _new_label(checker: Checker, label: Any, number: int) -> None:
    if not isinstance(label, str) or not _LABEL.fullmatch(label) or label in PERSONAL_WORDS:
        raise checker.fail(f"label {shown(label)} is no simple name of letters, digits and _")
    if label in checker.labels:
        raise checker.fail(f"label {label!r} is that of event {checker.labels[label]} already")
    checker.labels[label] = number


def _told(
    checker: Checker, number: int, name: str, keys: Mapping[str, Any], cards: CardCatalogue
) -> Told:
    shape = EVENTS[name]
    checker.keys(keys, shape.needs, shape.allowed)
    typed = {key: _typed(checker, name, key, value) for key, value in keys.items()}
    for key in ("seat", "team"):
        if key in keys:
            checker.team(keys[key], key, alone=name not in _OF_TEAMS)
    match name:
        case "turn_started" | "turn_skipped":
            _one_key_of(checker, typed, "seat", "team")
        case "look_granted" | "looked_at" | "revealed":
            object_or_zone(checker, typed)
        case "control_created":
            _control_card(checker, typed, cards)
        case "choice_granted":
            _choice_card(checker, typed, cards)
    return Told(number, name, typed)


def _typed(checker: Checker, name: str, key: str, value: Any) -> Any:
    kind = KINDS.get(f"{name}.{key}", KINDS.get(key, "text"))
    allowed = VALUES.get(f"{name}.{key}", VALUES.get(key))
    if kind == "words" and allowed is not None:
        return checker.words(value, key, allowed)
    if kind == "text":
        return checker.text(value, key) if allowed is None else checker.one_of(value, key, allowed)
    return _CHECKS[kind](checker, value, key)


def _one_key_of(checker: Checker, keys: Mapping[str, Any], one: str, other: str) -> None:
    if (one in keys) == (other in keys):
        raise checker.fail(f"either {one} or {other} is needed")


def object_or_zone(checker: Checker, keys: Mapping[str, Any]) -> None:
    """Either an object, or a zone and its owner."""
    if "object" in keys:
        wrong = "zone" in keys or "owner" in keys
    else:
        wrong = "zone" not in keys or "owner" not in keys
    if wrong:
        raise checker.fail("either object, or zone and owner are needed")


def _control_card(checker: Checker, keys: dict[str, Any], cards: CardCatalogue) -> None:
    """Fill in what a known card's effect does, where it is not told."""
    source = keys.get("source")
    card = None if source is None else cards.control_card(source)
    if card is not None:
        keys.setdefault("scope", card.scope)
        keys.setdefault("extra_turn_after", card.extra_turn_after)
        keys.setdefault("may_not", card.may_not)
        keys.setdefault("must", card.must)
        keys["outside_person"] = card.outside_person
    elif "scope" not in keys:
        known = ", ".join(card.name.en for card in cards.control)
        raise checker.fail(
            f"no scope, and no known card as source (scopes: {', '.join(VALUES['scope'])};"
            f" cards: {known})"
        )
    if keys["scope"] == "while_resolving" and "object" not in keys:
        raise checker.fail("the scope while_resolving needs the key object: what resolves")


def _choice_card(checker: Checker, keys: dict[str, Any], cards: CardCatalogue) -> None:
    source = keys.get("source")
    card = None if source is None else cards.choice_card(source)
    if card is not None and card.decisions:
        keys.setdefault("decisions", card.decisions)
    if card is not None and card.lasts in VALUES["choice_granted.lasts"]:
        keys.setdefault("lasts", card.lasts)
    for key in ("decisions", "lasts"):
        if key not in keys:
            allowed = VALUES.get(f"choice_granted.{key}", VALUES.get(key, ()))
            raise checker.fail(
                f"no {key}, and no known card as source that says so (there are:"
                f" {', '.join(allowed)})"
            )
    if keys["lasts"] == "while_resolving" and "object" not in keys:
        raise checker.fail("while_resolving needs the key object: what resolves")
