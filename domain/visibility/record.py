"""The state of the visibility fold: objects, zones and looks at every event so far."""

from __future__ import annotations

from bisect import bisect_right

from domain.visibility.facts import (
    CONTROLLED_ZONES,
    Grant,
    ObjectFacts,
    Search,
    Showing,
    ZoneKey,
    placed,
)
from domain.visibility.versions import Versioned

__all__ = ["LookKey", "VisibilityRecord"]

LookKey = int | ZoneKey
"""What a look is granted at: an object's track, or a zone."""


class VisibilityRecord:
    """Objects, zones, looks and searches of a game, readable just after any event.

    An object keeps one *track* through every id that the source gives it; `tracks` maps an id to
    it. `facts` are by track, `grants` by track or zone, `searches` by the library's owner. What a
    rewind takes back stays readable at the events before it. `named` lists, by track, the (event
    number, field) that name its card; `showings` what single events show, `shown` the same by
    track. `abilities` are the tracks of abilities on the stack. A gap that no snapshot has closed
    makes older facts uncertain.
    """

    def __init__(self) -> None:
        self.players: dict[int, str] = {}
        self.teams: dict[int, int] = {}
        self.tracks: Versioned[str, int] = Versioned()
        self.facts: Versioned[int, ObjectFacts] = Versioned()
        self.grants: Versioned[LookKey, tuple[Grant, ...]] = Versioned()
        self.searches: Versioned[int, tuple[Search, ...]] = Versioned()
        self.gap_numbers: list[int] = []
        self.open_gaps: list[int] = []
        self.named: dict[int, list[tuple[int, str]]] = {}
        self.showings: dict[int, Showing] = {}
        self.shown: dict[int, list[int]] = {}
        self.abilities: set[int] = set()
        self._on_stack: set[int] = set()
        self.started = False
        self._count = 0

    def seats_of(self, principals: frozenset[str]) -> frozenset[int]:
        """The seats that these principals hold."""
        return frozenset(seat for seat, player in self.players.items() if player in principals)

    def live(self, name: str) -> int | None:
        """The track of the object that has this id now."""
        track = self.tracks.latest(name)
        if track is None:
            return None
        facts = self.facts.latest(track)
        return track if facts is not None and facts.name == name else None

    def new_track(self, number: int, name: str) -> int:
        """A track for an object that comes into the record under this id."""
        self._count += 1
        self.tracks.set(number, name, self._count)
        return self._count

    def free_name(self, number: int, name: str, track: int) -> None:
        """Another object gets the id: whatever object had it before has ended unseen."""
        other = self.live(name)
        if other is not None and other != track:
            self._on_stack.discard(other)
            self.facts.set(number, other, None)
            self.grants.set(number, other, None)

    def track(self, number: int, name: str) -> int:
        """The object's track, a new one when the record does not have the object."""
        found = self.live(name)
        return self.new_track(number, name) if found is None else found

    def place(
        self,
        number: int,
        name: str,
        zone: str,
        *,
        zone_owner: int | None = None,
        owner: int | None = None,
        controller: int | None = None,
        face_down: bool = False,
    ) -> int:
        """Put an object into a zone; what is not stated stays. Returns its track."""
        track = self.track(number, name)
        before = self.facts.latest(track)
        if before is not None:
            owner = before.owner if owner is None else owner
            if controller is None and {zone, before.zone} <= CONTROLLED_ZONES:
                controller = before.controller
        after = placed(
            name,
            zone,
            zone_owner=zone_owner,
            owner=owner,
            controller=controller,
            face_down=face_down,
            since=number,
        )
        if before is None or before.key != after.key:
            self._left(number, track, after.key)
        self.facts.set(number, track, after)
        return track

    def _left(self, number: int, track: int, entered: ZoneKey) -> None:
        """End the looks that another zone ends: it is a new object there (CR 400.7)."""
        if self.grants.latest(track):
            self.grants.set(number, track, None)
        held = self.grants.latest(entered)
        if held and any(grant.lasts == "while_in_zone" for grant in held):
            kept = tuple(grant for grant in held if grant.lasts != "while_in_zone")
            self.grants.set(number, entered, kept or None)

    def name_card(self, number: int, track: int, field: str) -> None:
        """Note that a field of event `number` names the object's card."""
        self.named.setdefault(track, []).append((number, field))

    def put_ability(self, number: int, name: str, seat: int | None) -> int:
        """Put an ability on the stack under the seat's control. Returns its track."""
        track = self.place(number, name, "stack", owner=seat, controller=seat)
        self.abilities.add(track)
        self._on_stack.add(track)
        return track

    def end_ability(self, number: int, track: int) -> None:
        """The ability ceases to exist."""
        self._on_stack.discard(track)
        self.facts.set(number, track, None)

    def empty_stack(self, number: int) -> None:
        """A step begins: abilities of which nothing more was said are gone (CR 500.2)."""
        for track in sorted(self._on_stack):
            self.end_ability(number, track)

    def set_stack_aside(self) -> None:
        """A subgame begins: what is on the stack waits for its end (CR 729.1)."""
        self._on_stack.clear()

    def members(self, zone: ZoneKey) -> tuple[int, ...]:
        """Tracks of the objects that are in the zone now."""
        return tuple(track for track, facts in self.facts.current() if facts.key == zone)

    def add_grant(self, number: int, key: LookKey, grant: Grant) -> None:
        """Let somebody look at an object or a zone from now on."""
        self.grants.set(number, key, (*(self.grants.latest(key) or ()), grant))

    def drop_grants(self, number: int, lasts: str) -> None:
        """End every look of this duration."""
        for key, held in list(self.grants.current()):
            kept = tuple(grant for grant in held if grant.lasts != lasts)
            if len(kept) < len(held):
                self.grants.set(number, key, kept or None)

    def end_searches(self, number: int, seat: int | None = None) -> None:
        """End the seat's library searches, or everybody's."""
        for owner, running in list(self.searches.current()):
            kept = tuple(search for search in running if seat is not None and search.seat != seat)
            if len(kept) < len(running):
                self.searches.set(number, owner, kept or None)

    def show(self, showing: Showing) -> None:
        """Note what an event shows."""
        self.showings[showing.number] = showing
        for track in showing.tracks:
            self.shown.setdefault(track, []).append(showing.number)

    def note_gap(self, number: int, gap: int) -> None:
        """From here on facts from before event `gap` are uncertain; 0: none is."""
        self.gap_numbers.append(number)
        self.open_gaps.append(gap)

    def open_gap(self, number: int) -> int:
        """The gap that makes older facts uncertain just after the event, 0 when there is none."""
        index = bisect_right(self.gap_numbers, number)
        return self.open_gaps[index - 1] if index else 0

    def forget_objects(self, number: int) -> None:
        """From here on no object of before is in the game."""
        for store in (self.tracks, self.facts, self.grants, self.searches):
            store.clear(number)
        self._on_stack.clear()

    def rewind(self, number: int, to: int) -> None:
        """Objects, zones, looks and searches go back; what was shown and the gaps stay."""
        for store in (self.tracks, self.facts, self.grants, self.searches):
            store.rewind(number, to)
        held = self.facts.latest
        self._on_stack = {track for track in self.abilities if held(track) is not None}
