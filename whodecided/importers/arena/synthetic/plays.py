"""Plays: what the players of a synthetic game do, told to the recording in Arena's order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from whodecided.importers.arena.synthetic.cards import CARDS
from whodecided.importers.arena.synthetic.recording import Recording
from whodecided.importers.arena.synthetic.table import (
    BATTLEFIELD,
    GRAVEYARD,
    HAND,
    STACK,
    Json,
)

__all__ = ["Plays"]

_MANA_ABILITY: Final = 700900
_PHASES: Final = {
    "untap": ("Beginning", None, 1, 1),
    "upkeep": ("Beginning", "Upkeep", 1, 2),
    "draw": ("Beginning", "Draw", 1, 3),
    "main1": ("Main1", None, 2, 0),
    "begin_combat": ("Combat", "BeginCombat", 3, 0),
    "attack": ("Combat", "DeclareAttack", 3, 5),
    "block": ("Combat", "DeclareBlock", 3, 6),
    "damage": ("Combat", "CombatDamage", 3, 7),
    "end_combat": ("Combat", "EndCombat", 3, 8),
    "main2": ("Main2", None, 4, 0),
    "end": ("Ending", "End", 5, 0),
    "cleanup": ("Ending", "Cleanup", 5, 10),
}


def other(seat: int) -> int:
    """The opponent's seat."""
    return 3 - seat


class Plays:
    """The moves of a two-player game on one recording."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.turn_number = 0
        self.active = 1

    @property
    def table(self) -> Any:
        """The table of the game under way."""
        return self.recording.table

    def open(self, first: int, *, mulligans: int = 0) -> None:
        """Room, greeting, first picture, who plays first, hands; the local seat may mulligan."""
        log = self.recording
        log.room("Playing")
        rolls = [{"systemSeatId": seat, "rollValue": 3 if seat == first else 2} for seat in (1, 2)]
        greeting = log.connect()
        dice = log.message(
            "DieRollResultsResp", (1, 2), dieRollResultsResp={"playerDieRolls": rolls}
        )
        self.start_game(first, (greeting, dice), mulligans=mulligans)

    def start_game(self, first: int, before: Sequence[Json] = (), *, mulligans: int = 0) -> None:
        """The first picture of a game, who plays first, hands and mulligans."""
        log, table, local = self.recording, self.table, self.recording.local
        self.turn_number, self.active = 0, other(first)
        table.turn = {"decisionPlayer": first}
        table.players[first]["pendingMessageType"] = "ClientMessageType_ChooseStartingPlayerResp"
        asked = None
        if first == local:
            picture = log.full(pending=1)
            team: Json = {"teamType": "TeamType_Individual"}
            seats = team | {"systemSeatIds": [1, 2]}
            asked = log.message("ChooseStartingPlayerReq", (local,), chooseStartingPlayerReq=seats)
            log.send(*before, picture, asked)
            chosen = team | {"systemSeatId": first, "teamId": first}
            log.client("ChooseStartingPlayerResp", asked["msgId"], chooseStartingPlayerResp=chosen)
        else:
            log.send(*before, log.full())
        table.players[first].pop("pendingMessageType")
        self._deal(first)
        for taken in range(mulligans + 1):
            self._mulligan(keep=taken == mulligans, taken=taken)
        table.info = table.info | {"stage": "GameStage_Play"}

    def _deal(self, first: int) -> None:
        table = self.table
        table.turn = {"activePlayer": first, "decisionPlayer": first}
        table.note("NewTurnStarted", first, [first])
        for seat in (1, 2):
            table.deal(seat)
            table.players[seat]["pendingMessageType"] = "ClientMessageType_MulliganResp"
        self.recording.send(self.recording.state("SendAndRecord"))
        table.players[other(self.recording.local)].pop("pendingMessageType")

    def _mulligan(self, *, keep: bool, taken: int) -> None:
        log, table, local = self.recording, self.table, self.recording.local
        table.turn = table.turn | {"decisionPlayer": local}
        payload: Json = {"mulliganType": "MulliganType_London"}
        asked = log.request(
            local, "MulliganReq", payload | ({"mulliganCount": taken} if taken else {})
        )
        decision = "MulliganOption_AcceptHand" if keep else "MulliganOption_Mulligan"
        log.reply(local, "MulliganResp", asked, mulliganResp={"decision": decision})
        if keep:
            table.players[local].pop("pendingMessageType")
            if taken:
                self._bottom(taken)
            return
        table.players[local]["mulliganCount"] = taken + 1
        table.shuffle_back(local)
        table.deal(local)

    def _bottom(self, count: int) -> None:
        log, local = self.recording, self.recording.local
        hand = list(self.table.zones[HAND[local]])
        payload = {"instanceIds": hand, "context": "GroupingContext_LondonMulligan"}
        asked = log.request(local, "GroupReq", payload)
        groups = [
            {"ids": hand[count:], "zoneType": "ZoneType_Hand", "subZoneType": "SubZoneType_Top"},
            {
                "ids": hand[:count],
                "zoneType": "ZoneType_Library",
                "subZoneType": "SubZoneType_Bottom",
            },
        ]
        answer = {"groups": groups, "groupType": "GroupType_Ordered"}
        log.reply(local, "GroupResp", asked, groupResp=answer)
        for number in hand[:count]:
            self.table.zones[HAND[local]].remove(number)
            self.table.zones[HAND[local] + 1].append(number)
            self.table.objects[number]["zoneId"] = HAND[local] + 1

    def phase(self, name: str, *, asked: int | None = None) -> None:
        """Enter a phase or step; the active player gets priority. `asked` is who has to decide."""
        phase, step, number, code = _PHASES[name]
        turn: Json = {"phase": f"Phase_{phase}"}
        if step:
            turn["step"] = f"Step_{step}"
        turn |= {"turnNumber": self.turn_number, "activePlayer": self.active}
        turn["priorityPlayer"] = self.active
        if asked is not None:
            turn["decisionPlayer"] = self.recording.asked(asked)
        self.table.turn = turn
        self.table.note("PhaseOrStepModified", None, [self.active], phase=number, step=code)

    def flush(self, update: str = "SendHiFi") -> None:
        """Send the state as it is."""
        self.recording.send(self.recording.state(update))

    def hand_over(self, seat: int) -> None:
        """The other player has priority now; nobody is stopped for it."""
        self.table.turn = self.table.turn | {"priorityPlayer": seat}
        self.flush()

    def begin_turn(self, *, draw: bool = True) -> int:
        """The next player's turn, up to the first main phase; that player."""
        self.turn_number += 1
        self.active = other(self.active)
        seat, table = self.active, self.table
        table.players[seat]["turnNumber"] = (self.turn_number + 1) // 2
        if self.turn_number > 1:
            table.note("NewTurnStarted", seat, [seat])
        self.phase("untap")
        for number in table.zones[BATTLEFIELD]:
            if table.objects[number]["controllerSeatId"] == seat:
                table.objects[number].pop("isTapped", None)
        self.phase("upkeep")
        self.flush()
        self.hand_over(other(seat))
        if draw:
            self.phase("draw")
            table.draw(seat)
            self.flush()
            self.hand_over(other(seat))
        self.phase("main1", asked=seat)
        return seat

    def offer(self, seat: int) -> int | None:
        """The seat is asked what it does."""
        self.table.turn = self.table.turn | {"priorityPlayer": seat}
        payload = self.recording.actions(seat)
        return self.recording.request(seat, "ActionsAvailableReq", payload, update="SendAndRecord")

    def pass_priority(self, seat: int) -> None:
        """The seat is asked and passes."""
        self.recording.act(seat, self.offer(seat), "Pass", None)

    def land(self, seat: int, card: int) -> None:
        """Play a land."""
        log, table = self.recording, self.table
        asked = self.offer(seat)
        number = table.find(card, HAND[seat])
        log.act(seat, asked, "Play", number)
        land = table.move(number, BATTLEFIELD, "PlayLand")
        table.note("UserActionTaken", log.affector(seat), [land], actionType=3, abilityGrpId=0)

    def pay(self, seat: int, amount: int, item: int) -> None:
        """Tap lands until the amount is paid."""
        table = self.table
        for land in list(reversed(table.zones[BATTLEFIELD])):
            card = table.objects[land]
            mana = CARDS[card["grpId"]].mana if card["grpId"] in CARDS else 0
            if amount <= 0 or not mana or card["ownerSeatId"] != seat or card.get("isTapped"):
                continue
            amount -= mana
            ability = table.add(_MANA_ABILITY, seat, STACK, "Ability")
            table.objects.pop(ability)
            table.note("AbilityInstanceCreated", land, [ability], source_zone=BATTLEFIELD)
            card["isTapped"] = True
            table.note("TappedUntappedPermanent", ability, [land], tapped=1)
            who = self.recording.affector(seat)
            details = {"actionType": 4, "abilityGrpId": _MANA_ABILITY}
            table.note("UserActionTaken", who, [ability], **details)
            table.note("ManaPaid", land, [item], id=ability, color=0)
            table.note("AbilityInstanceDeleted", land, [ability])

    def cast(self, seat: int, card: int, cost: int, *, target: int | None = None) -> int:
        """Cast a card from hand, up to the moment the other player has priority; the spell."""
        log, table = self.recording, self.table
        asked = self.offer(seat)
        number = table.find(card, HAND[seat])
        log.act(seat, asked, "Cast", number)
        spell: int = table.move(number, STACK, "CastSpell")
        if target is not None:
            self._choose_target(seat, spell, target)
        self.pay(seat, cost, spell)
        who = log.affector(seat)
        table.note("UserActionTaken", who, [spell], actionType=1, abilityGrpId=0)
        self.flush()
        self.hand_over(other(seat))
        return spell

    def _choose_target(self, seat: int, item: int, target: int) -> None:
        log, table = self.recording, self.table
        who = log.affector(seat)
        table.note("PlayerSelectingTargets", who, [item])
        if log.shown(seat):
            asked = log.request(
                seat, "SelectTargetsReq", self._targets(seat, item, target, "Select")
            )
            chosen = {"targetIdx": 1, "targets": [{"targetInstanceId": target}]}
            log.reply(seat, "SelectTargetsResp", asked, selectTargetsResp={"target": chosen})
            again = log.request(
                seat, "SelectTargetsReq", self._targets(seat, item, target, "Unselect")
            )
            log.reply(seat, "SubmitTargetsReq", again)
        else:
            log.send(log.state("Send", queued=True))
        table.keep(("TargetSpec",), item, [target], abilityGrpId=0, index=1)
        table.note("PlayerSubmittedTargets", who, [item])

    def _targets(self, seat: int, item: int, target: int, action: str) -> Json:
        option = {"targetInstanceId": target, "legalAction": f"SelectAction_{action}"}
        slot = {"targetIdx": 1, "targets": [option], "minTargets": 1, "maxTargets": 1}
        return {
            "targets": [slot | {"targetingPlayer": self.recording.asked(seat)}],
            "sourceId": item,
        }

    def resolve(self, item: int, effect: Callable[[], object] | None = None) -> None:
        """A spell or ability resolves; the active player has priority afterwards."""
        table = self.table
        card = table.objects[item]
        table.turn = table.turn | {"priorityPlayer": self.active}
        table.note("ResolutionStart", item, [item], grpid=card["grpId"])
        if effect is not None:
            effect()
        table.note("ResolutionComplete", item, [item], grpid=card["grpId"])
        kind = CARDS[card["grpId"]].type if card["type"] == "GameObjectType_Card" else "Ability"
        if kind == "Ability":
            table.note("AbilityInstanceDeleted", card["parentId"], [item])
            table.remove(item)
        elif kind in ("Instant", "Sorcery"):
            table.move(item, GRAVEYARD[card["ownerSeatId"]], "Resolve")
        else:
            table.move(item, BATTLEFIELD, "Resolve", rename=False)
        gone = [key for key, note in table.persistent.items() if note.get("affectorId") == item]
        for key in gone:
            del table.persistent[key]
        self.flush()

    def activate(self, seat: int, source: int, cost: int, *, sacrifice: bool = False) -> int:
        """Activate the ability of a permanent; the ability on the stack."""
        log, table = self.recording, self.table
        asked = self.offer(seat)
        card = table.objects[source]["grpId"]
        number = CARDS[card].ability
        log.act(seat, asked, "Activate", source, abilityGrpId=number)
        fields = {"objectSourceGrpId": card, "parentId": source}
        ability: int = table.add(number, seat, STACK, "Ability", **fields)
        table.zones[STACK].insert(0, ability)
        table.note("AbilityInstanceCreated", source, [ability], source_zone=BATTLEFIELD)
        self.pay(seat, cost, ability)
        if sacrifice:
            table.move(source, GRAVEYARD[seat], "Sacrifice", affector=ability)
        who = log.affector(seat)
        table.note("UserActionTaken", who, [ability], actionType=2, abilityGrpId=number)
        self.flush()
        self.hand_over(other(seat))
        return ability

    def destroy(self, number: int, source: int) -> None:
        """Put a permanent into its owner's graveyard."""
        owner = self.table.objects[number]["ownerSeatId"]
        self.table.move(number, GRAVEYARD[owner], "Destroy", affector=source)

    def take_control(self, seat: int, by: int) -> None:
        """From the next state on, `by` answers for the seat (itself: control is over)."""
        self.table.players[seat]["controllerSeatId"] = by

    def take_over(self, seat: int, *, mode: str = "AI_Goldfish") -> None:
        """From the next state on the server plays the seat (with `Player`: its player again)."""
        self.table.players[seat]["controllerType"] = f"ControllerType_{mode}"
