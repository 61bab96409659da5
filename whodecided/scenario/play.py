"""A scenario recorded and folded under one edition of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from domain.canonical import canonical_json
from domain.control import ControlState, Verdict
from domain.findings import Finding, in_order, verdict_on
from domain.game import begin, evolve, record
from domain.ids import SCENARIO, scenario_stream
from domain.observation import Observation
from domain.rules import RuleBook
from domain.sealed import Seal, sealed_digest
from projections.game import FoldedGame, fold_game
from queries.record import GameRecord
from queries.who import WhoAnswer, who
from whodecided.scenario.cast import Cast
from whodecided.scenario.scenario import Scenario
from whodecided.scenario.translate import observations, started

__all__ = ["Play", "offset_of", "play", "recorded"]


@dataclass(frozen=True)
class Play:
    """The events of a scenario as the log would hold them, and everything folded from them.

    The log's numbers are the scenario's own plus `offset`: a scenario need not tell that its first
    game starts.
    """

    scenario: Scenario
    cast: Cast
    rules: RuleBook
    offset: int
    events: Sequence[Any]
    objects: Mapping[str, str]

    @cached_property
    def folded(self) -> FoldedGame:
        """The folded game."""
        return fold_game(self.events, self.rules)

    @cached_property
    def game(self) -> GameRecord:
        """The game as the questions about a log take it; nothing of it is sealed to a scenario."""
        return GameRecord(self.events[0].game_id, self.folded, {})

    def who(self, number: int) -> WhoAnswer:
        """Who decided this event, as the log answers it."""
        return who(self.game, number + self.offset)

    def event(self, number: int) -> Any:
        """The event with this number of the scenario."""
        return self.events[number + self.offset - 1]

    def state(self, number: int) -> ControlState:
        """The control state just after this event of the scenario."""
        return self.folded.control_at(number + self.offset)

    @property
    def last(self) -> ControlState:
        """The control state at the end."""
        return self.folded.control_at(len(self.events))

    def number(self, stored: int | None) -> int | None:
        """The scenario's number of an event from the log's."""
        return None if stored is None else stored - self.offset

    def object(self, told: str) -> str:
        """The log's id of an object, named by itself or by its card (the newest of that name)."""
        return self.objects.get(told, told)

    def verdict(self, number: int) -> Verdict | None:
        """Who should have decided this event; None where nobody decides."""
        return verdict_on(self.state(number - 1), self.event(number), self.rules)

    def reading(self, number: int) -> str | None:
        """The reading of the rules used for this event where they leave a gap."""
        return self.folded.reading_at(number + self.offset)

    def findings(self, number: int) -> tuple[Finding, ...]:
        """The findings about this event and about what a note says of it."""
        about = number + self.offset
        notes = [e.number for e in self.events if e.NAME == "note_added" and e.about == about]
        found = [self.folded.findings_at(at) for at in (about, *notes)]
        return in_order([finding for each in found for finding in each])


def play(scenario: Scenario, rules: RuleBook, own: RuleBook | None = None) -> Play:
    """Record the scenario's events one after another, as an importer would.

    They are recorded under `own`, the rules of the scenario's date, and folded under `rules`, those
    of the question; without `own` the two are the same.
    """
    cast = Cast(scenario)
    offset = offset_of(scenario)
    seen, objects = observations(scenario, cast, offset)
    events = recorded(scenario, cast, seen, own or rules, _seal)
    return Play(scenario, cast, rules, offset, events, objects)


def offset_of(scenario: Scenario) -> int:
    """What the log's numbers are more than the scenario's own."""
    return 0 if scenario.events[0].name == "game_started" else 1


def recorded(
    scenario: Scenario, cast: Cast, seen: Sequence[Observation], rules: RuleBook, seal: Seal
) -> list[Any]:
    """The events that observations of the scenario become; they belong to one stream."""
    opening = Observation("game_started", f"{scenario.id}#0", fields=started(scenario, cast, 1))
    state = begin(scenario_stream(scenario.id), SCENARIO, rules)
    events: list[Any] = []
    for observation in (*(opening,) * offset_of(scenario), *seen):
        event = record(state, observation, seal, rules)
        state = evolve(state, event)
        events.append(event)
    return events


def _seal(stream: str, number: int, field: str, value: Any) -> str:
    salt = f"{stream}|{number}".encode()
    return sealed_digest(salt, field, canonical_json(value))
