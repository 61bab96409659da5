"""The match aggregate: `record_match` makes events of observations, `evolve_match` folds them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from domain.codec import hot
from domain.errors import BadInput
from domain.events.base import Source
from domain.events.match import MatchSideboarded, MatchTimeExtended
from domain.events.registry import BY_TOPIC, name_of
from domain.ids import event_uuid
from domain.observation import Observation
from domain.principals import UNKNOWN, is_stand_in, kind_of
from domain.stamp import Authority, Stamp

__all__ = ["MATCH_EVENTS", "MatchState", "begin_match", "evolve_match", "record_match"]

MATCH_EVENTS: Final = MappingProxyType(
    {name_of(topic): item for topic, item in BY_TOPIC.items() if topic.startswith("match.")}
)
"""Short name -> event type, for the match's stream."""

_TOURNAMENT: Final = frozenset({MatchSideboarded.TOPIC, MatchTimeExtended.TOPIC})
_Stamp: Final = hot(Stamp)
_Authority: Final = hot(Authority)
_Source: Final = hot(Source)


@dataclass(frozen=True, slots=True)
class MatchState:
    """What recording the next event of a match needs to know.

    `players` holds (seat, principal) pairs; `games` the games linked so far; `ended` whether a
    result is recorded.
    """

    match_id: str
    system: str
    number: int
    players: tuple[tuple[int, str], ...]
    games: tuple[str, ...]
    ended: bool


def begin_match(match_id: str, system: str) -> MatchState:
    """The state of a match's stream before its first event."""
    return MatchState(match_id, system, 0, (), (), False)


def evolve_match(state: MatchState, event: Any) -> MatchState:
    """The state after the event."""
    name = name_of(event.TOPIC)
    if name == "match_opened":
        players = tuple((info.seat, info.player) for info in event.seats)
        return replace(state, number=event.number, players=players)
    if name == "game_linked":
        return replace(state, number=event.number, games=(*state.games, event.game_id))
    return replace(state, number=event.number, ended=state.ended or name == "match_ended")


def record_match(state: MatchState, seen: Observation) -> Any:
    """The event (as a struct) that an observation becomes in this state.

    Decisions about a match are the person's own (CR 723.5b): control of a player never reaches
    them. Raises BadInput for an event name the catalogue does not have, or fields that do not fit
    it.
    """
    model = MATCH_EVENTS.get(seen.event)
    if model is None:
        raise BadInput(seen.record, f"no event of a match is called {seen.event!r}")
    stamp = {"stamp": _stamp(state, seen, model.TOPIC)} if "stamp" in model.model_fields else {}
    try:
        return hot(model)(
            number=state.number + 1,
            event_id=event_uuid(state.match_id, seen.record),
            match_id=state.match_id,
            occurred_at=seen.occurred_at,
            clock=seen.clock,
            source=_Source(system=state.system, record=seen.record),
            correlation_id=seen.correlation,
            causation=seen.causation,
            action=seen.action,
            **stamp,
            **seen.fields,
        )
    except TypeError as error:
        raise BadInput(seen.record, f"{seen.event}: {error}") from error


def _stamp(state: MatchState, seen: Observation, topic: str) -> Any:
    tournament = topic in _TOURNAMENT
    own = dict(state.players).get(seen.acting_seat or 0, UNKNOWN)
    decider = seen.stated or own
    return _Stamp(
        acting_seat=seen.acting_seat,
        team_seats=seen.team_seats,
        deciding_player=decider,
        performer=seen.performer,
        authority=_Authority(kind=_right(decider, own, tournament), ref=None),
        decision_class="tournament" if tournament else "game",
        basis="stated" if seen.stated else "unknown" if decider == UNKNOWN else "derived",
        reading=None,
    )


def _right(decider: str, own: str, tournament: bool) -> str:
    if decider == UNKNOWN:
        return "unknown"
    if is_stand_in(decider) and decider != own:
        return "judge" if kind_of(decider) == "judge" else "server"
    if decider != own:
        return "unknown"
    return "tournament_rule" if tournament else "self"
