"""The game aggregate: `record` turns an observation into an event, `evolve` folds events."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from domain.codec import hot
from domain.control import (
    ControlState,
    Verdict,
    authority_of,
    decide,
    decision_word,
    evolve_control,
    initial_control,
)
from domain.errors import BadInput
from domain.events.base import DecisionEvent, Source, StampedGameEvent
from domain.events.registry import GAME_EVENTS, decision_class
from domain.ids import event_uuid
from domain.observation import Observation
from domain.principals import RULES, UNKNOWN, is_stand_in
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


class _Kind(NamedTuple):
    """What recording must know of an event's type."""

    make: Callable[..., Any]
    stamped: bool
    decides: bool
    decision_class: str


_KINDS: Final = {
    name: _Kind(
        hot(model),
        issubclass(model, StampedGameEvent),
        issubclass(model, DecisionEvent) or name in _ASKED,
        decision_class(name),
    )
    for name, model in GAME_EVENTS.items()
}


class GameState(msgspec.Struct, frozen=True, gc=False):
    """What recording the next event of a game needs to know.

    `number` is the last event's number, `control` who decides for whom after it.
    """

    game_id: str
    system: str
    number: int
    control: ControlState


def begin(game_id: str, system: str, rules: RuleBook) -> GameState:
    """The state of a game's stream before its first event, under an edition of the rules."""
    return GameState(game_id, system, 0, initial_control(rules))


def evolve(state: GameState, event: Any) -> GameState:
    """The state after the event."""
    control = evolve_control(state.control, event)
    return GameState(state.game_id, state.system, event.number, control)


def record(state: GameState, seen: Observation, seal: Seal, rules: RuleBook) -> Any:
    """The event (as a struct) that an observation becomes in this state.

    Raises BadInput for an event name the catalogue does not have, fields that do not fit it, and a
    rewind to what has not happened yet.
    """
    kind = _KINDS.get(seen.event)
    if kind is None:
        raise BadInput(seen.record, f"no event is called {seen.event!r}")
    number = state.number + 1
    fields = dict(seen.fields)
    if seen.event == "rewound" and not 0 <= fields.get("to", 0) < number:
        raise BadInput(seen.record, f"event {number} cannot go back to event {fields['to']}")
    for name, value in seen.secrets.items():
        digest = None if value is None else seal(state.game_id, number, name, value)
        fields[name] = None if digest is None else _Sealed(digest=digest)
    if kind.stamped:
        fields["stamp"] = _stamp(state.control, seen, kind, rules)
    try:
        return kind.make(
            number=number,
            event_id=event_uuid(state.game_id, seen.record),
            game_id=state.game_id,
            occurred_at=seen.occurred_at,
            clock=seen.clock,
            source=_Source(system=state.system, record=seen.record),
            correlation_id=seen.correlation,
            causation=seen.causation,
            action=seen.action,
            **fields,
        )
    except TypeError as error:
        raise BadInput(seen.record, f"{seen.event}: {error}") from error


def _stamp(control: ControlState, seen: Observation, kind: _Kind, rules: RuleBook) -> Any:
    if not kind.decides and seen.stated is not None and is_stand_in(seen.stated):
        return _stand_in_stamp(seen, kind.decision_class)
    if not kind.decides or seen.stated == RULES:
        reading = None if seen.stated == RULES else rules.reading
        return _fact_stamp(
            seen.acting_seat, seen.team_seats, seen.performer, kind.decision_class, reading
        )
    wanted = seen.decision or decision_word(seen.event, seen.fields.get)
    verdict = decide(control, seen.acting_seat, wanted, rules) if seen.acting_seat else None
    decider, basis, authority = _decider(control, seen, verdict, kind.decision_class)
    return _Stamp(
        acting_seat=seen.acting_seat,
        team_seats=seen.team_seats,
        deciding_player=decider,
        performer=seen.performer,
        authority=authority,
        decision_class=kind.decision_class,
        basis=basis,
        reading=rules.reading if basis in ("derived", "presumed") else None,
    )


def _stand_in_stamp(seen: Observation, kind: str) -> Any:
    """The stamp of what a server, a program or a judge does to a seat: it states so itself."""
    return _Stamp(
        acting_seat=seen.acting_seat,
        team_seats=seen.team_seats,
        deciding_player=seen.stated,
        performer=seen.performer,
        authority=_authority(str(seen.stated), None),
        decision_class=kind,
        basis="stated",
        reading=None,
    )


@lru_cache(maxsize=1024)
def _fact_stamp(
    seat: int | None,
    team: tuple[int, ...] | None,
    performer: str | None,
    kind: str,
    reading: str | None,
) -> Any:
    """The stamp of what nobody decides; without a reading the source states so."""
    return _Stamp(
        acting_seat=seat,
        team_seats=team,
        deciding_player=RULES,
        performer=performer,
        authority=_NOBODY_DECIDES,
        decision_class=kind,
        basis="stated" if reading is None else "derived",
        reading=reading,
    )


def _decider(
    control: ControlState, seen: Observation, verdict: Verdict | None, kind: str
) -> tuple[str, str, Any]:
    """Deciding player, basis and authority: stated, else a stand-in, else as the rules say."""
    if seen.stated is not None and seen.stated != UNKNOWN:
        return seen.stated, "stated", _authority(seen.stated, verdict)
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
        return stand_in, basis, _authority(stand_in, None)
    return verdict.decider, basis, _Authority(kind=verdict.authority, ref=verdict.ref)


def _authority(decider: str, verdict: Verdict | None) -> Any:
    kind, ref = authority_of(decider, verdict)
    return _Authority(kind=kind, ref=ref)
