"""The editions that come with the product, read from data files and checked."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from domain.errors import BadInput
from domain.rules import RuleBook, RuleRef

__all__ = ["editions", "load_rulebook"]

_SWITCHES: Final = frozenset(
    {
        "controller-chooses-outside",
        "controller-sees-outside",
        "damage-assignment-order",
        "departed-cost-not-paid",
        "leaving-ends-control",
        "mana-burn",
        "mana-burn-exempt-if-other-controls",
        "player-control",
    }
)
_KEYS: Final = frozenset(
    {"kind", "document", "edition", "section", "base", "without", "switches", "topics"}
)


@cache
def editions() -> tuple[str, ...]:
    """The ids (effective dates, YYYY-MM-DD) of the editions that come along, oldest first."""
    return tuple(sorted(_edition_files()))


@cache
def load_rulebook(edition: str | None = None) -> RuleBook:
    """The edition in force on a date (YYYY-MM-DD; an edition's id is such a date), or the newest.

    Raises BadInput for a text that is no date, a date before the oldest edition, and a data file
    that cannot be used; the message names file, key and reason.
    """
    if edition is None:
        return _book(_merged(editions()[-1]))
    try:
        datetime.date.fromisoformat(edition)
    except ValueError as error:
        raise BadInput("edition", f"{edition!r} is not a date like 2026-09-25") from error
    in_force = [known for known in editions() if known <= edition]
    if not in_force:
        raise BadInput(
            "edition",
            f"no edition of the rules for {edition}",
            advice=f"The oldest edition here is that of {editions()[0]}.",
        )
    return _book(_merged(in_force[-1]))


@cache
def _edition_files() -> Mapping[str, Mapping[str, Any]]:
    """Edition id -> its file, parsed and checked on its own."""
    found: dict[str, Mapping[str, Any]] = {}
    for file in (files("domain.rules") / "data").iterdir():
        if not file.name.endswith(".toml"):
            continue
        try:
            plain = tomllib.loads(file.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput(file.name, str(error)) from error
        if plain.get("kind") == "edition":
            found[_checked_id(file.name, plain)] = plain | {"file": file.name}
    return MappingProxyType(found)


def _checked_id(file: str, plain: Mapping[str, Any]) -> str:
    for key in plain.keys() - _KEYS:
        raise BadInput(file, f"{key}: there is no such key")
    for key in ("document", "edition", "section"):
        if not isinstance(plain.get(key), str):
            raise BadInput(file, f"{key}: a text is needed")
    edition: str = plain["edition"]
    try:
        datetime.date.fromisoformat(edition)
    except ValueError as error:
        raise BadInput(file, f"edition: {edition!r} is not a date like 2026-09-25") from error
    return edition


def _merged(edition: str, heirs: tuple[str, ...] = ()) -> dict[str, Any]:
    """The edition's data, with what it takes over from the edition it is based on."""
    plain = dict(_edition_files()[edition])
    base = plain.get("base")
    own = {"switches": dict(plain.get("switches", {})), "topics": _topics(plain)}
    if base is None:
        return plain | own
    if base in (*heirs, edition) or base not in _edition_files():
        raise BadInput(plain["file"], f"base: no edition {base!r} that this one can rest on")
    older = _merged(base, (*heirs, edition))
    kept = {k: v for k, v in older["topics"].items() if k not in plain.get("without", ())}
    return plain | {
        "switches": older["switches"] | own["switches"],
        "topics": kept | own["topics"],
    }


def _topics(plain: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Topic -> clause, with `player-control` and the like in front of the topic's own name."""
    found: dict[str, Mapping[str, Any]] = {}
    for group, clauses in plain.get("topics", {}).items():
        if not isinstance(clauses, dict):
            raise BadInput(plain["file"], f"topics.{group}: a table is needed")
        for name, clause in clauses.items():
            found[f"{group}.{name}"] = _checked_clause(plain["file"], f"{group}.{name}", clause)
    return found


def _checked_clause(file: str, topic: str, clause: Any) -> Mapping[str, Any]:
    if not isinstance(clause, dict):
        raise BadInput(file, f"topics.{topic}: a table is needed")
    for key in clause.keys() - {"number", "name"}:
        raise BadInput(file, f"topics.{topic}.{key}: there is no such key")
    for key in ("number", "name"):
        if not isinstance(clause.get(key), str) or not clause[key]:
            raise BadInput(file, f"topics.{topic}.{key}: a text is needed")
    return clause


def _book(plain: Mapping[str, Any]) -> RuleBook:
    file = plain["file"]
    switches = plain["switches"]
    for key in switches.keys() ^ _SWITCHES:
        known = "is missing" if key in _SWITCHES else "is no switch"
        raise BadInput(file, f"switches.{key}: {known}")
    for key, value in switches.items():
        if not isinstance(value, bool):
            raise BadInput(file, f"switches.{key}: true or false is needed")
    clauses = {topic: _rule(plain, topic, clause) for topic, clause in plain["topics"].items()}
    return RuleBook(
        plain["edition"], plain["section"], MappingProxyType(clauses), MappingProxyType(switches)
    )


def _rule(plain: Mapping[str, Any], topic: str, clause: Mapping[str, Any]) -> RuleRef:
    number = clause["number"]
    return RuleRef(
        document=plain["document"],
        topic=topic,
        number=plain["section"] + number if number.startswith(".") else number,
        edition=plain["edition"],
        name=clause["name"],
    )
