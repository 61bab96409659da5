"""Read the scenarios of a file: all of them, or one clear error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from domain.errors import BadInput
from whodecided.cards import load_cards
from whodecided.policy import load_policies
from whodecided.scenario.asking import read_questions
from whodecided.scenario.checking import Checker, shown
from whodecided.scenario.reader import read_documents
from whodecided.scenario.telling import read_events
from whodecided.scenario.told import Question, Scenario, Told
from whodecided.scenario.words import PERSONAL_WORDS, WORDS

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
_SEATS: Final = range(2, 65)


def read_scenarios(path: Path, rules_dir: Path | None = None) -> list[Scenario]:
    """The scenarios of a file; cards and policies are the product's and those of `rules_dir`.

    Raises BadInput, naming file, entry and what is allowed, for what the format does not know.
    """
    found: dict[str, Scenario] = {}
    for number, document in enumerate(read_documents(path), 1):
        scenario = _scenario(Checker(str(path), f"scenario {number}"), document, rules_dir)
        if scenario.id in found:
            raise BadInput(str(path), f"scenario {number}: the id {scenario.id!r} is used twice")
        found[scenario.id] = scenario
    if not found:
        raise BadInput(str(path), "there is no scenario in the file")
    return list(found.values())


def _scenario(checker: Checker, document: Any, rules_dir: Path | None) -> Scenario:
    plain = checker.mapping(document)
    checker.keys(plain, _NEEDS, (*_NEEDS, *_MAY))
    ident = checker.text(plain["id"], "id")
    checker.place = shown(ident)[1:-1]
    if plain["scenario"] != "1":
        raise checker.fail("scenario must be 1, the version of the format")
    title, _ = (checker.text(plain[key], key) for key in ("title", "source"))
    _people(checker, plain)
    policies = load_policies(rules_dir)
    events = read_events(checker, plain["events"], load_cards(rules_dir))
    for told in events:
        if told.name == "infraction_found":
            with checker.within(f"event {told.number} ({told.name})"):
                checker.one_of(told.keys["infraction"], "infraction", tuple(policies.infractions))
    return Scenario(
        file=checker.file,
        id=ident,
        title=title,
        rules_date=checker.day(plain["rules_date"], "rules_date"),
        confidence=checker.one_of(plain["confidence"], "confidence", _CONFIDENCE),
        players=checker.players,
        people=checker.people,
        teams=checker.teams,
        events=events,
        questions=read_questions(checker, plain["questions"], events, policies.ids()),
        labels=dict(checker.labels),
    )


def _people(checker: Checker, plain: Mapping[str, Any]) -> None:
    """Players, people and teams, left with the checker."""
    checker.players = checker.texts(plain["players"], "players")
    if len(checker.players) not in _SEATS:
        raise checker.fail(f"players: there must be {_SEATS[0]} to {_SEATS[-1]}")
    if plain.get("people") not in (None, []):
        checker.people = checker.texts(plain["people"], "people")
    names = (*checker.players, *checker.people)
    for name in names:
        if name in (*WORDS, *PERSONAL_WORDS) or name.isdecimal():
            raise checker.fail(f"{shown(name)} means something else and can be nobody's name")
    if len(set(names)) < len(names):
        raise checker.fail("players and people need different names")
    teams = plain.get("teams")
    if teams is not None:
        checker.teams = tuple(
            checker.seats(team, "teams") for team in checker.entries(teams, "teams")
        )
    members = [name for team in checker.teams for name in team]
    if len(set(members)) < len(members):
        raise checker.fail("teams: a player is in two teams")
