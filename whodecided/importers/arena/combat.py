"""Attackers and blockers that no answer told: they are read from the objects themselves."""

from __future__ import annotations

from typing import Any

from domain.codec import hot
from domain.events.decisions import Attack, Block
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, seat_of

__all__ = ["attack_of", "block_of", "tell_combat"]

_Attack: Any = hot(Attack)
_Block: Any = hot(Block)
_ATTACKING = "AttackState_Attacking"
_BLOCKING = "BlockState_Blocking"


def attack_of(number: int, target: str | None) -> Any:
    """One attacking creature."""
    return _Attack(object=str(number), target=target)


def block_of(number: int, attackers: tuple[str, ...]) -> Any:
    """One blocking creature."""
    return _Block(object=str(number), attackers=attackers)


def tell_combat(step: Step) -> None:
    """Tell who attacks and who blocks since this state, unless the answer has told it."""
    attacks: dict[int, list[Json]] = {}
    blocks: dict[int, list[Json]] = {}
    for thing in step.state.gameObjects:
        if thing.get("attackState") == _ATTACKING and _is_new(step, thing, "attackState"):
            attacks.setdefault(seat_of(thing) or 0, []).append(thing)
        if thing.get("blockState") == _BLOCKING and _is_new(step, thing, "blockState"):
            blocks.setdefault(seat_of(thing) or 0, []).append(thing)
    for seat, things in attacks.items():
        _tell(step, seat, "attack", "attackers_declared", _attacks(step, things))
    for seat, things in blocks.items():
        _tell(step, seat, "block", "blockers_declared", _blocks(things))


def _is_new(step: Step, thing: Json, state: str) -> bool:
    """It was on the battlefield before and did not fight: it did not come in fighting."""
    before = step.before.object(thing["instanceId"])
    return (
        before is not None
        and before.get(state) != thing.get(state)
        and before.get("zoneId") == thing.get("zoneId")
    )


def _tell(step: Step, seat: int, what: str, event: str, fields: dict[str, Any]) -> None:
    desk = step.desk
    if (seat, what) in desk.answered:
        desk.answered.discard((seat, what))
        return
    acting = seat if seat in desk.players else None
    desk.teller.tell(event, f"{what}.{seat}", fields, seat=acting)


def _attacks(step: Step, things: list[Json]) -> dict[str, Any]:
    found = []
    for thing in things:
        target = (thing.get("attackInfo") or {}).get("targetId")
        aim = step.desk.target(target) if target else None
        found.append(attack_of(thing["instanceId"], aim))
    return {"attacks": tuple(found)}


def _blocks(things: list[Json]) -> dict[str, Any]:
    found = []
    for thing in things:
        attackers = (thing.get("blockInfo") or {}).get("attackerIds", ())
        found.append(block_of(thing["instanceId"], tuple(map(str, attackers))))
    return {"blocks": tuple(found)}
