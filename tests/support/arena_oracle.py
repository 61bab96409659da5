"""Who was shown which card, by the raw Arena log alone and without any code of the product.

A log is rewritten so that every card of every object has a number of its own. A number in an
answer then says which object's card was told, also where a deck holds four copies or the other
player has the card too. What each seat and a spectator have been shown is read from what the log
says of zones and objects: `visibility` and `viewers`, and from whom it asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

__all__ = ["MARKED", "Marked", "MarkedGame", "mark_cards"]

Json = dict[str, Any]
Owner = int | str
"""The object that a card number is of, or `deck` for a number of a deck list."""

FIRST_MARK: Final = 900_000_001
MARKED: Final = re.compile(r"(?<![0-9A-Za-z])9\d{8}(?![0-9A-Za-z])")
"""A card number in a text that an answer holds."""

_ENTRY: Final = re.compile(r"(?m)^(?:\[\d+\] ?)?(?=\{)")
_CARDS: Final = ("grpId", "overlayGrpId", "othersideGrpId", "objectSourceGrpId")
_DECKS: Final = ("deckCards", "sideboardCards")
_PUBLIC: Final = re.compile("ActionType_(Play|Cast)(?!.*FaceDown)")
_SEATS: Final = ("1", "2")
_VIEWERS: Final = (*_SEATS, "spectator")
_DECK: Final = "deck"
_DECODER: Final = json.JSONDecoder()


@dataclass
class MarkedGame:
    """One game of a log. `first` is the byte offset of its first entry in the rewritten log.

    `shown` says of every viewer which card numbers it was shown, and by which state (counted from 1
    in the order of the log) for the first time.
    """

    first: int
    states: int = 0
    shown: dict[str, dict[int, int]] = field(default_factory=lambda: {v: {} for v in _VIEWERS})
    by_state_id: dict[int, int] = field(default_factory=dict)
    by_message_id: dict[int, int] = field(default_factory=dict)
    local: str | None = None
    numbers: dict[tuple[Owner, int], int] = field(default_factory=dict)
    kin: dict[Owner, set[Owner]] = field(default_factory=dict)
    zones: dict[int, Json] = field(default_factory=dict)
    controllers: dict[int, int] = field(default_factory=dict)
    match: tuple[Any, Any] | None = None

    def show(self, viewer: str, owner: Owner, card: int) -> None:
        """Note that the state under way shows the viewer what card an object is.

        Then it is known of the ids that the object had before and goes on under, too.
        """
        for kin in self.kin.get(owner, {owner}):
            if (kin, card) in self.numbers:
                self.shown[viewer].setdefault(self.numbers[kin, card], self.states)

    def follow(self, former: Owner, new: Owner) -> None:
        """An object goes on under a new id."""
        kin = self.kin.get(former, {former}) | self.kin.get(new, {new})
        self.kin |= dict.fromkeys(kin, kin)
        self.spread(kin)

    def spread(self, kin: set[Owner]) -> None:
        """Who was shown a card of an object under one id knows it under all."""
        for (owner, card), number in list(self.numbers.items()):
            for viewer in _VIEWERS:
                if owner in kin and number in self.shown[viewer]:
                    self.show(viewer, owner, card)

    def may_name(self, viewer: str, states: int) -> set[int]:
        """The card numbers that the viewer was shown by the first so many states."""
        return {card for card, first in self.shown[viewer].items() if first <= states}


@dataclass
class Marked:
    """A rewritten log: its bytes, its games in order, and card number -> object and real card."""

    data: bytes = b""
    games: list[MarkedGame] = field(default_factory=list)
    cards: dict[int, tuple[Owner, int]] = field(default_factory=dict)

    def game_at(self, offset: int) -> MarkedGame:
        """The game that is under way at a byte offset of the rewritten log."""
        return [game for game in self.games if game.first <= offset][-1]


def mark_cards(text: str) -> Marked:
    """Rewrite a log, and read from it who was shown what."""
    marker = _Marker()
    parts: list[bytes] = []
    at = size = 0
    for begin, end, entry in _entries(text):
        before = text[at:begin].encode()
        size += len(before)
        body = json.dumps(marker.entry(entry, size), ensure_ascii=False).encode()
        parts += [before, body]
        size += len(body)
        at = end
    parts.append(text[at:].encode())
    marker.made.data = b"".join(parts)
    return marker.made


def _entries(text: str) -> Iterator[tuple[int, int, Json]]:
    """Begin, end and content of every JSON object that starts a line."""
    past = 0
    for match in _ENTRY.finditer(text):
        if match.end() < past:
            continue
        try:
            entry, past = _DECODER.raw_decode(text, match.end())
        except ValueError:
            continue
        yield match.end(), past, entry


class _Marker:
    """Goes through the entries in the order of the log."""

    def __init__(self) -> None:
        self.made = Marked()
        self._game: MarkedGame | None = None
        self._seat: str | None = None

    def entry(self, entry: Json, offset: int) -> Json:
        """The entry with its cards marked; what it shows is noted."""
        event = entry.get("greToClientEvent")
        if isinstance(event, dict):
            for message in event.get("greToClientMessages", ()):
                self._message(message, offset)
        else:
            self._answer(entry.get("payload", entry.get("clientToGreMessage")))
        return entry

    def _answer(self, answer: Any) -> None:
        """A message of the client. Everybody sees what it plays or casts, before the next state."""
        if not isinstance(answer, dict):
            return
        for action in answer.get("performActionResp", {}).get("actions", ()):
            if _PUBLIC.match(action.get("actionType", "")):
                self._rest(action, _VIEWERS)
        self._rest(answer, self._local)

    def _message(self, message: Json, offset: int) -> None:
        kind = message.get("type")
        if kind == "GREMessageType_ConnectResp":
            self._seat = str(message["systemSeatIds"][0])
        state = message.get("gameStateMessage")
        if state is not None:
            self._state(state, offset)
        asked = {str(seat) for seat in message.get("systemSeatIds", ())}
        self._rest(message, self._local | asked if state is None else self._local)
        game = self._game
        if game is not None:
            game.by_message_id[message.get("msgId", 0)] = game.states

    def _state(self, state: Json, offset: int) -> None:
        game = self._of(state, offset)
        game.states += 1
        game.by_state_id[state.get("gameStateId", 0)] = game.states
        if state.get("type") == "GameStateType_Full":
            game.zones.clear()
        for player in state.get("players", ()):
            seat = player["systemSeatNumber"]
            game.controllers[seat] = player.get("controllerSeatId", seat)
        game.zones.update({zone["zoneId"]: zone for zone in state.get("zones", ())})
        revealed = {
            number
            for note in (*state.get("annotations", ()), *state.get("persistentAnnotations", ()))
            if "AnnotationType_InstanceRevealedToOpponent" in note.get("type", ())
            for number in note.get("affectedIds", ())
        }
        for thing in state.get("gameObjects", ()):
            self._object(game, thing, set(_SEATS) if thing["instanceId"] in revealed else set())
        for note in state.get("annotations", ()):
            self._note(game, note)
        for note in state.get("persistentAnnotations", ()):
            self._note(game, note)

    def _of(self, state: Json, offset: int) -> MarkedGame:
        info = state.get("gameInfo", {})
        named = (info.get("matchID"), info.get("gameNumber")) if "matchID" in info else None
        begins = state.get("type") == "GameStateType_Full" and "prevGameStateId" not in state
        game = self._game
        if game is None or begins or (named and game.match and named != game.match):
            game = self._game = MarkedGame(offset, local=self._seat)
            self.made.games.append(game)
        game.match = named or game.match
        return game

    @property
    def _local(self) -> set[str]:
        """The seat whose client writes the log, where the log says it."""
        return set() if self._game is None or self._game.local is None else {self._game.local}

    # Objects and who is shown them.

    def _object(self, game: MarkedGame, thing: Json, revealed_to: set[str]) -> None:
        ability = thing.get("type") == "GameObjectType_Ability"
        owner = thing.get("parentId", _DECK) if ability else thing["instanceId"]
        for key in _CARDS:
            if thing.get(key) and not (ability and key == "grpId"):
                card, thing[key] = thing[key], self._number(game, owner, thing[key])
                for viewer in self._audience(game, thing) | revealed_to:
                    game.show(viewer, owner, card)

    def _audience(self, game: MarkedGame, thing: Json) -> set[str]:
        """To whom the log shows an object as it is."""
        viewers = {str(seat) for seat in thing.get("viewers", ())}
        if game.local is not None:
            viewers.add(game.local)
        if thing.get("isFacedown"):
            return viewers
        if thing.get("visibility") == "Visibility_Public":
            return set(_VIEWERS)
        # Both players see a card that was revealed, but also one that a controller may look at.
        controlled = any(seat != by for seat, by in game.controllers.items())
        if viewers >= set(_SEATS) and not controlled:
            return set(_VIEWERS)
        zone = game.zones.get(thing.get("zoneId", 0), {})
        if zone.get("type") == "ZoneType_Hand":
            viewers.add(str(zone.get("ownerSeatId")))
        return viewers & set(_VIEWERS)

    def _note(self, game: MarkedGame, note: Json) -> None:
        details = {d["key"]: d.get("valueInt32", ()) for d in note.get("details", ())}
        if "AnnotationType_ObjectIdChanged" in note.get("type", ()):
            for former, new in zip(details["orig_id"], details["new_id"], strict=True):
                game.follow(former, new)
        owner = next(iter(note.get("affectedIds", ())), 0)
        for detail in note.get("details", ()):
            if "grpid" in detail["key"].lower() and "valueInt32" in detail:
                detail["valueInt32"] = [
                    game.numbers.get((owner, card), card) for card in detail["valueInt32"]
                ]

    # Numbers.

    def _number(self, game: MarkedGame, owner: Owner, card: int) -> int:
        if card >= FIRST_MARK:
            return card
        number = game.numbers.get((owner, card))
        if number is None:
            number = FIRST_MARK + len(self.made.cards)
            self.made.cards[number] = (owner, card)
            game.numbers[owner, card] = number
            if owner in game.kin:
                game.spread(game.kin[owner])
        return number

    def _rest(self, value: Any, seats: Collection[str]) -> None:
        """Mark the cards of decks, and those of options and actions, which these seats get."""
        if isinstance(value, list):
            for inner in value:
                self._rest(inner, seats)
        elif isinstance(value, dict):
            owner = value.get("instanceId", value.get("affectedId"))
            game = self._game
            if game is not None and owner and "grpId" in value and "visibility" not in value:
                card, value["grpId"] = value["grpId"], self._number(game, owner, value["grpId"])
                for seat in seats:
                    game.show(seat, owner, card)
            for key in _DECKS:
                if game is not None and key in value:
                    cards = value[key]
                    value[key] = [self._number(game, _DECK, card) for card in cards]
                    for seat, card in product(seats, set(cards)):
                        game.show(seat, _DECK, card)
            for inner in value.values():
                self._rest(inner, seats)
