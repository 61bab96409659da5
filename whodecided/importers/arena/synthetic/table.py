"""The table of one synthetic game: the true state, shown to one seat as game state messages."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final

from whodecided.importers.arena.synthetic.cards import CARDS

__all__ = ["BATTLEFIELD", "EXILE", "GRAVEYARD", "HAND", "LIBRARY", "STACK", "Json", "Table"]

Json = dict[str, Any]

STACK: Final = 27
BATTLEFIELD: Final = 28
EXILE: Final = 29
_LIMBO: Final = 30
HAND: Final = {1: 31, 2: 35}
LIBRARY: Final = {1: 32, 2: 36}
GRAVEYARD: Final = {1: 33, 2: 37}
_SHARED: Final = {
    24: "Suppressed",
    25: "Pending",
    26: "Command",
    STACK: "Stack",
    BATTLEFIELD: "Battlefield",
    EXILE: "Exile",
    _LIMBO: "Limbo",
}
_OWNED: Final = (("Revealed", "Public", {1: 18, 2: 19}), ("Hand", "Private", HAND),
                 ("Library", "Hidden", LIBRARY), ("Graveyard", "Public", GRAVEYARD),
                 ("Sideboard", "Private", {1: 34, 2: 38}))  # fmt: skip
_FIRST_OBJECT: Final = 159


def _turn(view: Json) -> Any:
    return view["turnInfo"].get("turnNumber")


def _detail(key: str, value: Any) -> Json:
    if isinstance(value, str):
        return {"key": key, "type": "KeyValuePairValueType_string", "valueString": [value]}
    numbers = list(value) if isinstance(value, Sequence) else [value]
    return {"key": key, "type": "KeyValuePairValueType_int32", "valueInt32": numbers}


class Table:
    """What lies on the table and how the log of seat `local` sees it.

    Change the state (`move`, `note` ...), then take it with `diff` or `full`. `local` sees public
    objects and its own hand; a controlled seat's hand is open to its controller too.
    """

    def __init__(
        self, match: str, number: int, local: int, decks: Mapping[int, Sequence[int]], info: Json
    ) -> None:
        self.local = local
        self.info = info | {"matchID": match, "gameNumber": number}
        self.state_id = 0
        self.turn: Json = {}
        self.players = {seat: self._new_player(seat) for seat in (1, 2)}
        self.objects: dict[int, Json] = {}
        self.persistent: dict[int, Json] = {}
        self.annotations: list[Json] = []
        self.zones: dict[int, list[int]] = {zone: [] for zone in _SHARED}
        for _, _, owned in _OWNED:
            self.zones |= {zone: [] for zone in owned.values()}
        self._next_object = _FIRST_OBJECT
        self._next_note = 40
        self._sent: Json = {}
        self._seen: dict[int, list[int] | None] = {}
        for seat, deck in decks.items():
            for card in deck:
                self.zones[LIBRARY[seat]].append(self.add(card, seat, LIBRARY[seat]))

    def _new_player(self, seat: int) -> Json:
        return {
            "lifeTotal": 20,
            "systemSeatNumber": seat,
            "status": "PlayerStatus_InGame",
            "maxHandSize": 7,
            "teamId": seat,
            "controllerSeatId": seat,
            "controllerType": "ControllerType_Player",
            "startingLifeTotal": 20,
        }

    def add(self, card: int, owner: int, zone: int, kind: str = "Card", **fields: Any) -> int:
        """A new object in no zone's list yet; its id."""
        number = self._next_object
        self._next_object += 1
        made = CARDS.get(card)
        item = {
            "instanceId": number,
            "grpId": card,
            "type": f"GameObjectType_{kind}",
            "zoneId": zone,
            "ownerSeatId": owner,
            "controllerSeatId": owner,
        }
        if made is not None:
            item["cardTypes"] = [f"CardType_{made.type}"]
            if made.type == "Creature":
                item["power"] = {"value": made.power}
                item["toughness"] = {"value": made.toughness}
        self.objects[number] = item | fields
        return number

    def note(
        self, kind: str, affector: int | None, affected: Sequence[int], **details: Any
    ) -> None:
        """A transient annotation of the next state."""
        self.annotations.append(self._annotation((kind,), affector, affected, details))

    def keep(
        self, kinds: Sequence[str], affector: int | None, affected: Sequence[int], **details: Any
    ) -> int:
        """A persistent annotation, from the next state until it is dropped; its id."""
        item = self._annotation(kinds, affector, affected, details)
        self.persistent[item["id"]] = item
        number: int = item["id"]
        return number

    def _annotation(
        self, kinds: Sequence[str], affector: int | None, affected: Sequence[int], details: Json
    ) -> Json:
        self._next_note += 1
        item: Json = {"id": self._next_note}
        if affector is not None:
            item["affectorId"] = affector
        item["affectedIds"] = list(affected)
        item["type"] = [f"AnnotationType_{kind}" for kind in kinds]
        if details:
            item["details"] = [_detail(key, value) for key, value in details.items()]
        return item

    def move(
        self,
        number: int,
        zone: int,
        category: str,
        *,
        affector: int | None = None,
        rename: bool = True,
    ) -> int:
        """Move an object; it becomes a new one (CR 400.7) unless it resolves. Its id afterwards."""
        item = self.objects[number]
        origin = item["zoneId"]
        self.zones[origin].remove(number)
        if rename:
            former, number = number, self._next_object
            self._next_object += 1
            kept = {k: v for k, v in item.items() if not k.startswith(("attack", "block", "isT"))}
            self.objects[number] = kept | {"instanceId": number}
            self._seen[former] = self._viewers(origin, item["ownerSeatId"])
            item["zoneId"] = _LIMBO
            self.zones[_LIMBO].insert(0, former)
            self.note("ObjectIdChanged", affector, [former], orig_id=former, new_id=number)
        self.objects[number]["zoneId"] = zone
        self.zones[zone].insert(0, number)
        self.note(
            "ZoneTransfer", affector, [number], zone_src=origin, zone_dest=zone, category=category
        )
        return number

    def remove(self, number: int) -> None:
        """An object ceases to exist (an ability that has left the stack)."""
        item = self.objects.pop(number)
        if number in self.zones[item["zoneId"]]:
            self.zones[item["zoneId"]].remove(number)

    def draw(self, seat: int) -> int:
        """Draw the top card; its id in hand."""
        return self.move(self.zones[LIBRARY[seat]][0], HAND[seat], "Draw")

    def deal(self, seat: int, count: int = 7) -> None:
        """The opening hand: cards keep their ids and nothing is annotated."""
        library, hand = self.zones[LIBRARY[seat]], self.zones[HAND[seat]]
        for number in library[:count]:
            self.objects[number]["zoneId"] = HAND[seat]
            hand.insert(0, number)
        del library[:count]

    def shuffle_back(self, seat: int) -> None:
        """The hand goes back and every card of the library gets a new id, as for a mulligan."""
        former = [*self.zones[HAND[seat]], *self.zones[LIBRARY[seat]]]
        made = []
        for number in reversed(former):
            item = self.objects.pop(number)
            made.append(self.add(item["grpId"], seat, LIBRARY[seat]))
        self.zones[HAND[seat]], self.zones[LIBRARY[seat]] = [], made
        self.note("Shuffle", None, [seat], OldIds=former, NewIds=made)

    def find(self, card: int, zone: int) -> int:
        """The id of a card in a zone; KeyError when it is not there."""
        for number in self.zones[zone]:
            if self.objects[number]["grpId"] == card:
                return number
        raise KeyError((card, zone))

    def diff(self, update: str = "SendHiFi", *, pending: int = 0) -> Json:
        """The next state as a difference to the one before."""
        view, before = self._view(), self._sent
        message = self._head("Diff", update, pending, self.state_id)
        for part in ("zones", "gameObjects", "players", "persistentAnnotations"):
            old = before[part]
            items = [item for key, item in view[part].items() if old.get(key) != item]
            if part == "players" and _turn(view) != _turn(before):
                items = list(view[part].values())
            if items:
                message[part] = items
        if view["turnInfo"] != before["turnInfo"]:
            message["turnInfo"] = view["turnInfo"]
        if view["gameInfo"] != before["gameInfo"]:
            message["gameInfo"] = view["gameInfo"]
        gone = [key for key in before["gameObjects"] if key not in view["gameObjects"]]
        if gone:
            message["diffDeletedInstanceIds"] = gone
        kept = view["persistentAnnotations"]
        dropped = [key for key in before["persistentAnnotations"] if key not in kept]
        if dropped:
            message["diffDeletedPersistentAnnotationIds"] = dropped
        return self._take(message, view)

    def full(
        self, update: str = "SendAndRecord", *, pending: int = 0, before: int | None = None
    ) -> Json:
        """The next state as a whole picture; `before` is the state it says it follows."""
        view = self._view()
        message = self._head("Full", update, pending, before)
        for part in ("zones", "gameObjects", "players", "persistentAnnotations"):
            if view[part]:
                message[part] = list(view[part].values())
        message |= {"turnInfo": view["turnInfo"], "gameInfo": view["gameInfo"]}
        return self._take(message, view)

    def _head(self, kind: str, update: str, pending: int, before: int | None) -> Json:
        self.state_id += 1
        head: Json = {"type": f"GameStateType_{kind}", "gameStateId": self.state_id}
        if before:
            head["prevGameStateId"] = before
        if pending:
            head["pendingMessageCount"] = pending
        return head | {"update": f"GameStateUpdate_{update}"}

    def _take(self, message: Json, view: Json) -> Json:
        if self.annotations:
            message["annotations"] = self.annotations
        self.annotations, self._sent = [], view
        return copy.deepcopy(message)

    def remember(self) -> Json:
        """Everything that an undo brings back."""
        passing = ("state_id", "annotations")
        return copy.deepcopy({k: v for k, v in vars(self).items() if k not in passing})

    def go_back(self, memory: Json) -> None:
        """Bring back what was remembered; ids given since then will be given again."""
        vars(self).update(copy.deepcopy(memory))
        self.annotations = []

    def _view(self) -> Json:
        shown = {}
        for number, item in self.objects.items():
            zone = item["zoneId"]
            viewers = self._viewers(zone, item["ownerSeatId"])
            if zone == _LIMBO:
                viewers = self._seen[number]
            if viewers is None:
                shown[number] = item | {"visibility": "Visibility_Public"}
            elif self.local in viewers:
                shown[number] = item | {"visibility": "Visibility_Private", "viewers": viewers}
        return copy.deepcopy(
            {
                "zones": {zone: self._zone(zone) for zone in sorted(self.zones)},
                "gameObjects": shown,
                "players": self.players,
                "persistentAnnotations": self.persistent,
                "turnInfo": self.turn,
                "gameInfo": self.info,
            }
        )

    def _viewers(self, zone: int, owner: int) -> list[int] | None:
        """Who sees the objects of a zone; None for everybody."""
        if zone in LIBRARY.values():
            return []
        if zone in HAND.values():
            return sorted({owner, self.players[owner]["controllerSeatId"]})
        return None

    def _zone(self, zone: int) -> Json:
        item: Json = {"zoneId": zone}
        if zone in _SHARED:
            item |= {"type": f"ZoneType_{_SHARED[zone]}", "visibility": "Visibility_Public"}
        for kind, visibility, owned in _OWNED:
            for seat, number in owned.items():
                if number == zone:
                    item |= {"type": f"ZoneType_{kind}", "visibility": f"Visibility_{visibility}"}
                    item["ownerSeatId"] = seat
                    if visibility == "Private":
                        item["viewers"] = self._viewers(zone, seat) or [seat]
        if self.zones[zone]:
            item["objectInstanceIds"] = list(self.zones[zone])
        return item
