"""What `players[]` shows: who answers for a seat, mulligans, life, and certainty after a gap."""

from __future__ import annotations

from typing import Any

from whodecided.importers.arena.desk import Desk
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, owner_of_zone, seat_of, seat_or_none
from whodecided.importers.arena.words import SERVER, STEPS, bare, whole

__all__ = [
    "anchor",
    "begin_stand_in",
    "end_stand_in",
    "tell_players",
    "tell_stand_ins",
    "tell_totals",
]

_MULLIGAN = "ClientMessageType_MulliganResp"
_EDICT = "EdictalMessage"


def tell_players(step: Step) -> None:
    """Tell what changed for the players that the state shows."""
    for player in step.state.players:
        seat = seat_or_none(player.get("systemSeatNumber"))
        if seat not in step.desk.players:
            continue
        _stand_in(step, seat, player)
        _control(step, seat, player)
        _mulligan(step, seat, player)
        _life(step, seat, player)


def tell_stand_ins(step: Step) -> None:
    """After an undo: stand-ins are not undone, so what the picture shows may be a change."""
    for player in step.state.players:
        seat = seat_or_none(player.get("systemSeatNumber"))
        if seat in step.desk.players:
            _stand_in(step, seat, player)
            _control(step, seat, player)


def _stand_in(step: Step, seat: int, player: Json) -> None:
    mode = bare(player.get("controllerType", "ControllerType_Player"))
    told = step.desk.taken.get(seat)
    if mode == "Player" and told is not None:
        del step.desk.taken[seat]
        _tell_stand_in(step.desk, "seat_returned", seat)
    elif mode != "Player" and told != mode:
        step.desk.taken[seat] = mode
        if told == _EDICT:
            return
        _tell_stand_in(step.desk, "seat_taken_over", seat, mode=mode)


def _tell_stand_in(desk: Desk, event: str, seat: int, **more: str) -> None:
    """That the server answers for a seat, or no longer, is the server's own doing."""
    fields = {"seat": seat, "by": SERVER, **more}
    part = f"stand-in.{seat}"
    desk.teller.tell(event, part, fields, seat=seat, stated=SERVER, performer=SERVER)


def begin_stand_in(desk: Desk, seat: int | None) -> None:
    """The server answers in the name of a seat that no state has shown as taken over yet."""
    if seat in desk.players and seat not in desk.taken and not desk.ended:
        desk.taken[seat] = _EDICT
        _tell_stand_in(desk, "seat_taken_over", seat, mode=_EDICT)


def end_stand_in(desk: Desk, seat: int | None) -> None:
    """The seat's own client answers again after edicts that no state has shown as a take-over."""
    if seat is not None and desk.taken.get(seat) == _EDICT:
        del desk.taken[seat]
        _tell_stand_in(desk, "seat_returned", seat)


def _control(step: Step, seat: int, player: Json) -> None:
    """Somebody else answers for the seat, or no longer (CR 723); only this field shows it."""
    desk = step.desk
    by = seat_of(player) or seat
    if by == desk.controlled.get(seat, seat) or by not in desk.players:
        return
    if by == seat:
        del desk.controlled[seat]
    else:
        desk.controlled[seat] = by
        desk.observations += 1
    fields = {
        "label": f"arena-control-{desk.observations}",
        "seat": seat,
        "by": None if by == seat else desk.players[by],
    }
    desk.teller.tell("control_observed", f"control.{seat}", fields, seat=seat)


def _mulligan(step: Step, seat: int, player: Json) -> None:
    """Another client's decision about its hand: the engine stops waiting for it, or deals again."""
    before = step.before.player(seat)
    if before is None or before.get("pendingMessageType") != _MULLIGAN:
        return
    taken = whole(player.get("mulliganCount", 0)) or 0
    again = taken > (whole(before.get("mulliganCount", 0)) or 0)
    if not again and player.get("pendingMessageType") == _MULLIGAN:
        return
    if (seat, "mulligan") in step.desk.answered:
        step.desk.answered.discard((seat, "mulligan"))
        return
    fields = {"keep": not again, "taken": taken}
    step.desk.teller.tell("mulligan_decided", f"mulligan.{seat}", fields, seat=seat)


def _life(step: Step, seat: int, player: Json) -> None:
    """A change of the life total that no annotation told."""
    before = step.before.player(seat)
    total = whole(player.get("lifeTotal", 0))
    if before is None or total is None:
        return
    change = total - (whole(before.get("lifeTotal", 0)) or 0) - step.life.get(seat, 0)
    if change:
        fields = {"seat": seat, "change": change, "total": total}
        step.tell("life_changed", f"life.{seat}", fields, seat=seat)


def tell_totals(step: Step) -> None:
    """State the totals that this state shows and that do not follow from the record."""
    if not step.state.players and not step.state.zones:
        return
    life = {
        seat_or_none(player.get("systemSeatNumber")): whole(player.get("lifeTotal", 0))
        for player in step.state.players
    }
    library = {
        owner_of_zone(zone): len(zone.get("objectInstanceIds", ()))
        for zone in step.state.zones
        if zone.get("type") == "ZoneType_Library"
    }
    totals = step.desk.teller.totals
    for seat in step.desk.players:
        fresh: dict[str, Any] = {}
        if life.get(seat) not in (None, totals.life(seat)):
            fresh["life"] = life[seat]
        if library.get(seat) not in (None, totals.library(seat)):
            fresh["library"] = library[seat]
        if fresh:
            step.desk.teller.tell("totals_stated", f"totals.{seat}", {"seat": seat, **fresh})


def anchor(step: Step) -> None:
    """Once every seat and the turn have been shown after a gap, the record is certain again."""
    desk = step.desk
    if desk.uncertain is None:
        return
    for player in step.state.players:
        desk.uncertain.discard(seat_or_none(player.get("systemSeatNumber")) or 0)
    desk.turn_shown = desk.turn_shown or step.state.turnInfo is not None
    if desk.uncertain or not desk.turn_shown:
        return
    desk.uncertain = None
    turn: Json = step.after.turn or {}
    controlled: list[tuple[int, int]] = sorted(desk.controlled.items())
    fields: dict[str, Any] = {
        "active_seat": seat_of(turn, "activePlayer"),
        "turn": whole(turn.get("turnNumber")),
        "step": STEPS.get((turn.get("phase"), turn.get("step"))),
        "controlled": tuple(controlled),
    }
    desk.teller.tell("state_anchored", "anchor", fields)
