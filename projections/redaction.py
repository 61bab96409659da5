"""What of an event, and of a state, may be shown in clear to a viewer.

Strict: a card is shown only to a viewer who may see it just before or just after the event, or to
whom the event itself rightly shows it. What was learned earlier is never a reason to show it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.events.registry import BY_TOPIC, name_of, sealed_fields
from projections.visibility import Visibility

__all__ = ["EventSight", "clear_fields", "closed_fields", "sealed_fields_of", "visible_cards"]

_SEALED: Final[Mapping[str, tuple[str, ...]]] = {
    topic: fields for topic, model in BY_TOPIC.items() if (fields := sealed_fields(model))
}
_OBJECT_OF: Final = {"ability": ("object", "source_object"), "card": ("object",)}
_COUNT: Final = "options_count"
_OPENLY: Final = frozenset(
    {"ability_activated", "ability_triggered", "land_played", "spell_cast", "token_created"}
)
_BY_ACTOR: Final = frozenset({"card_drawn", "card_found", "special_action_taken", "spell_cast"})


def sealed_fields_of(event: Any) -> tuple[str, ...]:
    """Names of the sealed fields of the event that hold a value."""
    names = _SEALED.get(event.TOPIC, ())
    return tuple(name for name in names if getattr(event, name) is not None)


class EventSight:
    """What a viewer may see in the rendering of event `number` itself."""

    def __init__(self, visibility: Visibility, viewer: str, number: int) -> None:
        self._visibility = visibility
        self._name = viewer
        self._number = number
        self.viewer = visibility.viewer(viewer)
        before = visibility.reach(viewer, number - 1)
        self.own = before.own
        self.reach = before.seats | visibility.reach(viewer, number).seats

    def __contains__(self, object: str) -> bool:
        """Whether the viewer may see the object's card."""
        tracks = self._visibility.record.tracks
        after = tracks.at(object, self._number)
        before = tracks.at(object, self._number - 1)
        return any(self._sees(track) for track in {after, before} if track is not None)

    def _sees(self, track: int) -> bool:
        answers, viewer, number = self._visibility, self._name, self._number
        return (
            answers.ground(viewer, number, track) is not None
            or answers.ground(viewer, number - 1, track) is not None
            or answers.shown(viewer, number, track, by_right=True)
        )

    @property
    def is_shown(self) -> bool:
        """Whether the event shows the viewer what it shows."""
        return self._visibility.is_shown(self._name, self._number)

    def knows(self, object: str) -> bool:
        """Whether the record has the object just before or just after the event."""
        tracks = self._visibility.record.tracks
        numbers = (self._number, self._number - 1)
        return any(tracks.at(object, number) is not None for number in numbers)


def clear_fields(visibility: Visibility, viewer: str, event: Any) -> frozenset[str]:
    """Names of the event's sealed fields that the viewer may see in clear."""
    names = sealed_fields_of(event)
    if not names:
        return frozenset()
    sight = EventSight(visibility, viewer, event.number)
    if sight.viewer.kind == "judge":
        return frozenset(names)
    return frozenset(name for name in names if _RULES[name](sight, event, name))


def closed_fields(visibility: Visibility, viewer: str, event: Any) -> frozenset[str]:
    """Names of the event's unsealed fields that tell what the viewer may not see.

    How many actions a hand allows says something about its cards.
    """
    if getattr(event, _COUNT, None) is None:
        return frozenset()
    sight = EventSight(visibility, viewer, event.number)
    if sight.viewer.kind == "judge" or _choice_is_clear(sight, event, "options"):
        return frozenset()
    return frozenset({_COUNT})


def visible_cards(visibility: Visibility, viewer: str, number: int) -> dict[str, tuple[int, str]]:
    """The objects whose card the viewer may see just after the event.

    Each with the (event number, field) of the sealed value that names the card; objects whose card
    the record does not know are left out.
    """
    found: dict[str, tuple[int, str]] = {}
    for name in visibility.objects_at(number):
        source = visibility.card_named_at(number, name)
        if source is not None and visibility.entitled(viewer, number, name):
            found[name] = source
    return found


def _card_is_clear(sight: EventSight, event: Any, field: str) -> bool:
    for attribute in _OBJECT_OF[field]:
        object = getattr(event, attribute, None)
        if object is not None and sight.knows(object):
            return object in sight
    return _clear_without_object(sight, event)


def _clear_without_object(sight: EventSight, event: Any) -> bool:
    """The card of an event that names no known object: open where the event puts it in the open."""
    name = name_of(event.TOPIC)
    if name in _OPENLY and not getattr(event, "face_down", False):
        return not getattr(event, "refused", False) or _is_actor(sight, event, sight.reach)
    if name == "revealed":
        return sight.is_shown
    # A card outside the game is its owner's alone (CR 400.11, 723.4).
    if name == "outside_game_card_chosen":
        return _is_actor(sight, event, sight.own)
    return name in _BY_ACTOR and _is_actor(sight, event, sight.reach)


def _is_actor(sight: EventSight, event: Any, seats: frozenset[int]) -> bool:
    seat = getattr(event, "seat", None)
    return (event.stamp.acting_seat if seat is None else seat) in seats


def _choice_is_clear(sight: EventSight, event: Any, field: str) -> bool:
    """A choice or its options may name hidden cards: only those who make it see it."""
    stamp = event.stamp
    if sight.viewer.kind == "spectator":
        return False
    if stamp.deciding_player == sight.viewer.principal:
        return True
    personal = stamp.decision_class != "game"
    return stamp.acting_seat in (sight.own if personal else sight.reach)


def _text_is_clear(sight: EventSight, event: Any, field: str) -> bool:
    """What one person says to another is theirs."""
    return sight.viewer.kind == "person" and sight.viewer.principal in (event.by, event.to)


_RULES: Final[Mapping[str, Callable[[EventSight, Any, str], bool]]] = {
    "ability": _card_is_clear,
    "card": _card_is_clear,
    "options": _choice_is_clear,
    "text": _text_is_clear,
    "what": _choice_is_clear,
}
