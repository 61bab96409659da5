"""The game aggregate: `record` turns an observation into an event, `evolve` folds events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from domain.codec import hot
from domain.control import ControlState, Verdict, decide, evolve_control, initial_control
from domain.errors import BadInput
from domain.events.base import DecisionEvent, Event, Source, StampedGameEvent
from domain.events.registry import GAME_EVENTS, decision_class
from domain.ids import uuid5_text
from domain.observation import Observation
from domain.principals import RULES, UNKNOWN, is_stand_in, kind_of
from domain.rules import RuleBook
from domain.sealed import Seal, Sealed
from domain.stamp import Authority, Stamp

__all__ = ["GameState", "begin", "evolve", "record"]

_ASKED: Final = frozenset({"decision_requested", "request_refused"})
_Stamp: Final = hot(Stamp)
_Authority: Final = hot(Authority)
_Source: Final = hot(Source)
_Sealed: Final = hot(Sealed[str])
_NOBODY_DECIDES: Final = _Authority(kind="rules", ref=None)


@dataclass(frozen=True, slots=True)
class GameState:
    """What recording the next event of a game needs to know.

    `number` is the last event's number, `control` who decides for whom after it.
    """

    game_id: str
    system: str
    number: int
    control: ControlState


def begin(game_id: str, system: str) -> GameState:
    """The state of a game's stream before its first event."""
    return GameState(game_id, system, 0, initial_control())


def evolve(state: GameState, event: Any) -> GameState:
    """The state after the event."""
    return replace(state, number=event.number, control=evolve_control(state.control, event))


def record(state: GameState, seen: Observation, seal: Seal, rules: RuleBook) -> Any:
    """The event (as a struct) that an observation becomes in this state.

    Raises BadInput for an event name the catalogue does not have, or fields that do not fit it.
    """
    model = GAME_EVENTS.get(seen.event)
    if model is None:
        raise BadInput(seen.record, f"no event is called {seen.event!r}")
    number = state.number + 1
    sealed = {
        name: None if value is None else _Sealed(digest=seal(state.game_id, number, name, value))
        for name, value in seen.secrets.items()
    }
    stamp = {}
    if issubclass(model, StampedGameEvent):
        stamp["stamp"] = _stamp(state.control, seen, model, rules)
    try:
        return hot(model)(
            number=number,
            event_id=uuid5_text(bytes.fromhex(state.game_id.replace("-", "")), seen.record),
            game_id=state.game_id,
            occurred_at=seen.occurred_at,
            clock=seen.clock,
            source=_Source(system=state.system, record=seen.record),
            correlation_id=seen.correlation,
            causation=seen.causation,
            action=seen.action,
            **stamp,
            **seen.fields,
            **sealed,
        )
    except TypeError as error:
        raise BadInput(seen.record, f"{seen.event}: {error}") from error


def _stamp(control: ControlState, seen: Observation, model: type[Event], rules: RuleBook) -> Any:
    decides = issubclass(model, DecisionEvent) or seen.event in _ASKED
    if not decides or seen.stated == RULES:
        return _fact_stamp(seen, rules)
    wanted = seen.decision or seen.event
    verdict = decide(control, seen.acting_seat, wanted, rules) if seen.acting_seat else None
    decider, basis, authority = _decider(control, seen, verdict, decision_class(seen.event))
    return _Stamp(
        acting_seat=seen.acting_seat,
        team_seats=seen.team_seats,
        deciding_player=decider,
        performer=seen.performer,
        authority=authority,
        decision_class=decision_class(seen.event),
        basis=basis,
        reading=rules.reading if basis in ("derived", "presumed") else None,
    )


def _fact_stamp(seen: Observation, rules: RuleBook) -> Any:
    stated = seen.stated == RULES
    return _Stamp(
        acting_seat=seen.acting_seat,
        team_seats=seen.team_seats,
        deciding_player=RULES,
        performer=seen.performer,
        authority=_NOBODY_DECIDES,
        decision_class=decision_class(seen.event),
        basis="stated" if stated else "derived",
        reading=None if stated else rules.reading,
    )


def _decider(
    control: ControlState, seen: Observation, verdict: Verdict | None, kind: str
) -> tuple[str, str, Any]:
    """Deciding player, basis and authority: stated, else a stand-in, else as the rules say."""
    if seen.stated is not None and seen.stated != UNKNOWN:
        return seen.stated, "stated", _authority_of_stated(seen.stated, verdict)
    if (
        seen.stated == UNKNOWN
        or verdict is None
        or verdict.uncertain
        or verdict.decider == "nobody"
    ):
        return UNKNOWN, "unknown", _Authority(kind="unknown", ref=None)
    stand_in = control.stand_in(seen.acting_seat) if kind == "game" and seen.acting_seat else None
    basis = "presumed" if seen.presumed else "derived"
    if stand_in is not None:
        return stand_in, basis, _stand_in_authority(stand_in)
    return verdict.decider, basis, _Authority(kind=verdict.authority, ref=verdict.ref)


def _authority_of_stated(stated: str, verdict: Verdict | None) -> Any:
    if verdict is not None and stated == verdict.decider:
        return _Authority(kind=verdict.authority, ref=verdict.ref)
    if is_stand_in(stated):
        return _stand_in_authority(stated)
    return _Authority(kind="unknown", ref=None)


def _stand_in_authority(stand_in: str) -> Any:
    return _Authority(kind="judge" if kind_of(stand_in) == "judge" else "server", ref=None)
