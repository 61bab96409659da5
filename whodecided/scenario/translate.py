"""From told events to the observations that a source would have given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.codec import hot
from domain.control import decision_word
from domain.events.base import DecisionEvent
from domain.events.frame import SeatInfo
from domain.events.registry import GAME_EVENTS
from domain.observation import Observation
from whodecided.scenario.cast import Cast
from whodecided.scenario.scenario import Scenario, Told

__all__ = ["observations", "started"]

_ZONES_OF_PLAYERS: Final = frozenset({"library", "hand", "graveyard", "outside"})
_NOT_FIELDS: Final = frozenset(
    {"label", "note", "decided_by", "performed_by", "action", "seat", "object", "card"}
)


def observations(
    scenario: Scenario, cast: Cast, offset: int
) -> tuple[list[Observation], Mapping[str, str]]:
    """The scenario's events as observations, in order, and the newest object of each card name.

    `offset` is added to the numbers of events. Notes follow after the last event, so that the
    events keep the scenario's numbers.
    """
    teller = _Teller(scenario, cast, offset)
    seen = [teller.observe(told) for told in scenario.events]
    seen += [teller.remark(told) for told in scenario.events if "note" in told.keys]
    return seen, {card: name for card, name in teller.newest.items() if card not in teller.named}


class _Teller:
    """Knows the objects told of so far."""

    def __init__(self, scenario: Scenario, cast: Cast, offset: int) -> None:
        self.scenario = scenario
        self.cast = cast
        self.offset = offset
        self.game = 0
        self.newest: dict[str, str] = {}
        self.objects: dict[str, str | None] = {}
        self.named: set[str] = set()
        self.gone: set[str] = set()

    def observe(self, told: Told) -> Observation:
        model = GAME_EVENTS.get(told.name)
        if model is not None and issubclass(model, DecisionEvent):
            return self._decision(told)
        name, fields, secrets = self._fact(told)
        return Observation(name, self._record(told), fields=fields, secrets=secrets)

    def remark(self, told: Told) -> Observation:
        """What the scenario notes about an event."""
        about = {"about": told.number + self.offset, "text": told.keys["note"]}
        return Observation("note_added", f"{self._record(told)}/note", fields=about)

    def _record(self, told: Told) -> str:
        return f"{self.scenario.id}#{told.number}"

    # Decisions.

    def _decision(self, told: Told) -> Observation:
        keys = told.keys
        seats = tuple(self.cast.seat(name) for name in keys["seat"])
        if told.name == "conceded" and not keys.get("refused"):
            self.gone.update(set(keys["seat"]) & {keys.get("decided_by", keys["seat"][0])})
        fields = {
            self._field(told.name, key): self._plain(key, value)
            for key, value in keys.items()
            if key not in _NOT_FIELDS and self._field(told.name, key)
        }
        if "from_zone" in fields:
            fields["from_zone"] = keys["from"]
        secrets = {key: keys[key] for key in ("card", "what") if key in keys}
        if told.name == "ability_activated":
            secrets = {"ability": keys["card"]}
        if "object" in GAME_EVENTS[told.name].model_fields:
            fields["object"] = self._acted_on(told)
        fields.pop("what", None)
        return Observation(
            told.name,
            self._record(told),
            fields=fields,
            secrets=secrets,
            acting_seat=seats[0],
            team_seats=seats if len(seats) > 1 else None,
            stated=self.cast.principal(keys["decided_by"]) if "decided_by" in keys else None,
            performer=self.cast.principal(keys["performed_by"]) if "performed_by" in keys else None,
            decision=decision_word(told.name, fields.get),
            action=keys.get("action"),
        )

    def _field(self, name: str, key: str) -> str:
        renamed = {"from": "from_zone", "for": "for_seat"}.get(key, key)
        return renamed if renamed in GAME_EVENTS[name].model_fields else ""

    def _plain(self, key: str, value: Any) -> Any:
        if key in ("paid_from", "permanent_of", "owner", "for"):
            return self.cast.seat(value)
        return value

    def _acted_on(self, told: Told) -> str | None:
        """The object a decision is about: as told, else for a card a new one of that name."""
        if "object" in told.keys:
            name = self._object(told.keys["object"])
            self.named.add(name)
            self.objects.setdefault(name, None)
        elif told.name in ("spell_cast", "land_played") and "card" in told.keys:
            name = self._new_object(told.keys["card"])
        else:
            return None
        if "card" in told.keys:
            self.newest[told.keys["card"]] = name
        return name

    def _new_object(self, card: str) -> str:
        name, copies = card, 1
        while name in self.objects:
            copies += 1
            name = f"{card} ({copies})"
        self.objects[name] = None
        return name

    def _object(self, told: str) -> str:
        """An object by its own name, else the newest one of that card name."""
        return told if told in self.named else self.newest.get(told, told)

    # Facts.

    def _fact(self, told: Told) -> tuple[str, dict[str, Any], dict[str, Any]]:
        tell: Callable[[Told], Mapping[str, Any]] = getattr(self, f"_{told.name}")
        fields = dict(tell(told))
        secrets = fields.pop("secrets", {})
        return fields.pop("event", told.name), fields, secrets

    def _game_started(self, told: Told) -> Mapping[str, Any]:
        self.game = told.keys.get("game", self.game + 1)
        return started(self.scenario, self.cast, self.game)

    def _turn_started(self, told: Told) -> Mapping[str, Any]:
        return self._turn(told) | {"extra": told.keys.get("extra", False)}

    def _turn_skipped(self, told: Told) -> Mapping[str, Any]:
        return self._turn(told)

    def _turn(self, told: Told) -> dict[str, Any]:
        names = told.keys.get("team") or told.keys.get("seat") or ()
        seats = tuple(self.cast.seat(name) for name in names)
        return {"seat": seats[0], "team_seats": seats if len(seats) > 1 else None}

    def _step_started(self, told: Told) -> Mapping[str, Any]:
        return {
            "step": told.keys["step"],
            "seat": self._seat(told) if "seat" in told.keys else None,
            "combat": told.keys.get("combat"),
        }

    def _phase_skipped(self, told: Told) -> Mapping[str, Any]:
        return {"phase": told.keys["phase"], "seat": self._seat(told)}

    def _player_left(self, told: Told) -> Mapping[str, Any]:
        self.gone.update(told.keys["seat"])
        return {"seat": self._seat(told), "reason": told.keys["reason"]}

    def _game_ended(self, told: Told) -> Mapping[str, Any]:
        return {"result": "unknown", "winners": (), "reason": None}

    def _rewound(self, told: Told) -> Mapping[str, Any]:
        by = told.keys.get("by")
        return {
            "to": told.keys["to"] + self.offset,
            "by": None if by is None else self.cast.principal(by),
            "restores": self._seats(told.keys.get("restores", ())),
            "cause": "backup" if by == "judge" else "unknown",
        }

    def _control_created(self, told: Told) -> Mapping[str, Any]:
        keys = told.keys
        return {
            "label": keys["label"],
            "controller": self._controller(keys),
            "affected": self._affected(keys["affected"], keys["controller"]),
            "scope": keys["scope"],
            "source_card": keys.get("source"),
            "object": self._object(keys["object"]) if "object" in keys else None,
            "extra_turn_after": keys.get("extra_turn_after", False),
            "may_not": keys.get("may_not", ()),
            "must": keys.get("must", ()),
        }

    def _controller(self, keys: Mapping[str, Any]) -> str:
        """Who will decide; a card may hand that to somebody outside the game (Kindslaver)."""
        name = keys["controller"]
        outside = keys.get("outside_person", False) and name in self.gone
        return self.cast.outside(name) if outside else self.cast.principal(name)

    def _control_observed(self, told: Told) -> Mapping[str, Any]:
        by = told.keys["by"]
        return {
            "label": told.keys.get("label", f"observed{told.number}"),
            "seat": self._seat(told),
            "by": None if by is None else self.cast.principal(by),
        }

    def _control_ended(self, told: Told) -> Mapping[str, Any]:
        return {"effect": told.keys["effect"], "reason": told.keys.get("reason")}

    def _choice_granted(self, told: Told) -> Mapping[str, Any]:
        keys = told.keys
        return {
            "label": keys["label"],
            "chooser": self.cast.principal(keys["chooser"]),
            "affected": self._affected(keys["affected"], keys["chooser"]),
            "decisions": keys["decisions"],
            "lasts": keys["lasts"],
            "source_card": keys.get("source"),
            "object": self._object(keys["object"]) if "object" in keys else None,
        }

    def _seat_taken_over(self, told: Told) -> Mapping[str, Any]:
        return {"seat": self._seat(told), "by": self.cast.principal(told.keys["by"])}

    def _seat_returned(self, told: Told) -> Mapping[str, Any]:
        return {"seat": self._seat(told), "by": self.cast.principal(told.keys["by"])}

    def _resolved(self, told: Told) -> Mapping[str, Any]:
        seat = self._seat(told) if "seat" in told.keys else None
        return {"object": self._object(told.keys["object"]), "seat": seat}

    def _subgame_started(self, told: Told) -> Mapping[str, Any]:
        return {}

    def _subgame_ended(self, told: Told) -> Mapping[str, Any]:
        return {}

    def _game_restarted(self, told: Told) -> Mapping[str, Any]:
        return {}

    def _gap_found(self, told: Told) -> Mapping[str, Any]:
        return {"cause": "missing", "may_hide": told.keys.get("may_hide", ())}

    def _mana_lost(self, told: Told) -> Mapping[str, Any]:
        keys = told.keys
        return {"seat": self._seat(told), "amount": keys["amount"], "life": keys.get("life")}

    def _library_search_ended(self, told: Told) -> Mapping[str, Any]:
        return {"seat": self._seat(told)}

    def _instructed(self, told: Told) -> Mapping[str, Any]:
        return {
            "by": self.cast.principal(told.keys["by"]),
            "to": self.cast.principal(told.keys["to"]),
            "secrets": {"text": told.keys["text"]},
        }

    def _card_drawn(self, told: Told) -> Mapping[str, Any]:
        name = told.keys["object"]
        self.named.add(name)
        self.objects[name] = told.keys["seat"][0]
        return {"seat": self._seat(told), "object": name, "secrets": {"card": name}}

    def _object_entered(self, told: Told) -> Mapping[str, Any]:
        keys = told.keys
        self.named.add(keys["object"])
        self.objects[keys["object"]] = keys["owner"]
        owner = self.cast.seat(keys["owner"])
        return {
            "object": keys["object"],
            "owner": owner,
            "controller": self._maybe_seat(keys.get("controller")),
            "zone": keys["zone"],
            "zone_owner": owner if keys["zone"] in _ZONES_OF_PLAYERS else None,
            "face_down": keys.get("face_down", False),
            "secrets": {"card": keys["object"]},
        }

    def _object_moved(self, told: Told) -> Mapping[str, Any]:
        keys = told.keys
        name = self._object(keys["object"])
        owner = self.objects.get(name)
        seat = self._maybe_seat(owner)
        return {
            "object": name,
            "to_zone": keys["to"],
            "owner": seat,
            "zone_owner": seat if keys["to"] in _ZONES_OF_PLAYERS else None,
            "controller": self._maybe_seat(keys.get("controller")),
            "face_down": keys.get("face_down", False),
            "secrets": {"card": name},
        }

    def _object_control_changed(self, told: Told) -> Mapping[str, Any]:
        return {
            "object": self._object(told.keys["object"]),
            "controller": self.cast.seat(told.keys["controller"]),
        }

    def _turned_face_up(self, told: Told) -> Mapping[str, Any]:
        name = self._object(told.keys["object"])
        return {"object": name, "secrets": {"card": name}}

    def _look_granted(self, told: Told) -> Mapping[str, Any]:
        viewers = (self.cast.principal(told.keys["viewer"]),)
        return {"viewers": viewers, "lasts": told.keys["lasts"]} | self._looked_upon(told)

    def _looked_at(self, told: Told) -> Mapping[str, Any]:
        return {"viewer": self.cast.principal(told.keys["viewer"])} | self._looked_upon(told)

    def _revealed(self, told: Told) -> Mapping[str, Any]:
        to = told.keys["to"]
        shown = None if to == "all" else tuple(self.cast.principal(name) for name in to)
        return {"to": shown} | self._looked_upon(told)

    def _looked_upon(self, told: Told) -> dict[str, Any]:
        keys = told.keys
        if "object" in keys:
            name = self._object(keys["object"])
            return {"object": name, "secrets": {"card": name}}
        return {"zone": keys["zone"], "owner": self.cast.seat(keys["owner"])}

    def _infraction_found(self, told: Told) -> Mapping[str, Any]:
        # An infraction belongs to a case; here it only keeps its place among the numbers.
        about = told.keys["at"] + self.offset
        return {"event": "note_added", "about": about, "text": told.keys["infraction"]}

    # Names to seats.

    def _seat(self, told: Told) -> int:
        return self.cast.seat(told.keys["seat"][0])

    def _seats(self, names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.cast.seat(name) for name in names)

    def _maybe_seat(self, name: str | None) -> int | None:
        return None if name is None else self.cast.seat(name)

    def _affected(self, told: Any, source: str) -> tuple[int, ...]:
        if told == "opponents":
            told = self.cast.opponents_of(source, self.scenario)
        return self._seats(told)


def started(scenario: Scenario, cast: Cast, game: int) -> dict[str, Any]:
    """The fields of game_started for one game of a scenario."""
    team_of = {name: number for number, team in enumerate(scenario.teams, 1) for name in team}
    seats = tuple(
        hot(SeatInfo)(seat=seat, player=cast.principal(name), team=team_of.get(name))
        for name, seat in cast.seats.items()
    )
    return {
        "game_key": f"{scenario.id}/{game}",
        "match_key": scenario.id,
        "match_stream": None,
        "game_number": game,
        "viewpoint": "full",
        "seats": seats,
        "played_on": scenario.rules_date,
        "format": None,
        "variant": None,
        "generation": 1,
        "supersedes": None,
        "from_start": True,
    }
