"""What `players[]` shows: who answers for a seat, mulligans, life, and certainty after a gap."""

from __future__ import annotations

from typing import Any

from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, owner_of_zone, seat_of, seat_or_none
from whodecided.importers.arena.words import SERVER, STEPS, bare, whole

__all__ = ["anchor", "tell_players", "tell_stand_ins", "tell_totals"]

_MULLIGAN = "ClientMessageType_MulliganResp"


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
        step.desk.teller.tell(
            "seat_returned", f"stand-in.{seat}", {"seat": seat, "by": SERVER}, seat=seat
        )
    elif mode != "Player" and told != mode:
        step.desk.taken[seat] = mode
        fields = {"seat": seat, "by": SERVER, "mode": mode}
        step.desk.teller.tell("seat_taken_over", f"stand-in.{seat}", fields, seat=seat)


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
