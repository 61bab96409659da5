"""Combat in the synthetic games."""

from __future__ import annotations

from collections.abc import Sequence

from whodecided.importers.arena.synthetic.cards import CARDS
from whodecided.importers.arena.synthetic.plays import Plays, other
from whodecided.importers.arena.synthetic.table import BATTLEFIELD, Json

__all__ = ["attack", "block", "creatures", "deal_damage"]


def creatures(plays: Plays, seat: int) -> list[int]:
    """The untapped creatures a seat controls."""
    table = plays.table
    return [
        number
        for number in table.zones[BATTLEFIELD]
        if (item := table.objects[number])["controllerSeatId"] == seat
        and item["grpId"] in CARDS
        and CARDS[item["grpId"]].type == "Creature"
        and not item.get("isTapped")
    ]


def attack(plays: Plays, seat: int, attackers: Sequence[int]) -> None:
    """Go to combat and attack the other player with these creatures."""
    log, table = plays.recording, plays.table
    plays.phase("begin_combat")
    plays.flush()
    plays.phase("attack")
    recipient: Json = {"type": "DamageRecType_Player", "playerSystemSeatId": other(seat)}
    able = [{"attackerInstanceId": number} for number in creatures(plays, seat)]
    asked = log.request(seat, "DeclareAttackersReq", {"attackers": able})
    chosen = {"selectedDamageRecipient": recipient}
    picked = [{"attackerInstanceId": number} | chosen for number in attackers]
    if picked:
        answer = {"selectedAttackers": picked}
        log.reply(seat, "DeclareAttackersResp", asked, declareAttackersResp=answer)
        for number in attackers:
            table.objects[number] |= {"attackState": "AttackState_Declared"}
        asked = log.request(seat, "DeclareAttackersReq", {"attackers": picked})
    log.reply(seat, "SubmitAttackersReq", asked)
    for number in attackers:
        details = {"isTapped": True, "attackState": "AttackState_Attacking"}
        table.objects[number] |= details | {"attackInfo": {"targetId": other(seat)}}
        table.note("TappedUntappedPermanent", number, [number], tapped=1)
    plays.flush()


def block(plays: Plays, seat: int, pairs: Sequence[tuple[int, int]]) -> None:
    """Block: (blocker, attacker) pairs."""
    log, table = plays.recording, plays.table
    plays.phase("block")
    able = [{"blockerInstanceId": number} for number in creatures(plays, seat)]
    asked = log.request(seat, "DeclareBlockersReq", {"blockers": able})
    if pairs:
        picked = [
            {"blockerInstanceId": blocker, "selectedAttackerInstanceIds": [attacker]}
            for blocker, attacker in pairs
        ]
        answer = {"selectedBlockers": picked}
        log.reply(seat, "DeclareBlockersResp", asked, declareBlockersResp=answer)
        asked = log.request(seat, "DeclareBlockersReq", {"blockers": picked})
    log.reply(seat, "SubmitBlockersReq", asked)
    for blocker, attacker in pairs:
        info = {"blockState": "BlockState_Blocking", "blockInfo": {"attackerIds": [attacker]}}
        table.objects[blocker] |= info
    plays.flush()


def deal_damage(plays: Plays, seat: int, attackers: Sequence[int]) -> None:
    """Unblocked attackers deal their damage and combat ends."""
    log, table, victim = plays.recording, plays.table, other(seat)
    plays.phase("damage")
    lost = 0
    for number in attackers:
        power = CARDS[table.objects[number]["grpId"]].power
        details = {"damage": power, "type": 1, "markDamage": 1}
        table.note("DamageDealt", number, [victim], **details)
        lost += power
    if lost:
        table.players[victim]["lifeTotal"] -= lost
        table.note("ModifiedLife", attackers[0], [victim], life=-lost)
    plays.flush()
    for item in table.objects.values():
        for field in ("attackState", "attackInfo", "blockState", "blockInfo"):
            item.pop(field, None)
    plays.phase("end_combat")
    log.send(log.state())
