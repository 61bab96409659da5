"""The folded picture of one game: differences are applied, and can be looked at from both sides.

Zones, objects, players and persistent annotations are replaced whole, never merged; `turnInfo` is
unchanged when absent and replaced whole when present (a missing `decisionPlayer` then means that
nobody is asked).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from whodecided.importers.arena.envelope import GameState, Json

__all__ = ["REMEMBERED", "Board", "View"]

REMEMBERED = 256
"""How many states back an undo can be compared with the fold."""

Table = dict[int, Json]
_Old = dict[int, Json | None]  # values before a change; None: the key was absent


class _Tables(NamedTuple):
    zones: Table
    objects: Table
    players: Table
    persistent: Table


class _Changes(NamedTuple):
    zones: _Old
    objects: _Old
    players: _Old
    persistent: _Old


_NOTHING = _Changes({}, {}, {}, {})


class View(NamedTuple):
    """The picture just before or just after one state; valid until the next item is taken.

    `turn` is the `turnInfo` in force, None before the first; `turn_known` is False after a gap
    until a state brings one, and `turn` is then only carried over.
    """

    tables: _Tables
    changes: _Changes | None
    turn: Json | None
    turn_known: bool

    def zone(self, zone_id: int) -> Json | None:
        """The zone as last sent, None when unknown."""
        changes = self.changes
        if changes is not None and zone_id in changes.zones:
            return changes.zones[zone_id]
        return self.tables.zones.get(zone_id)

    def object(self, instance_id: int) -> Json | None:
        """The object as last sent, None when unknown (hidden objects are never sent)."""
        changes = self.changes
        if changes is not None and instance_id in changes.objects:
            return changes.objects[instance_id]
        return self.tables.objects.get(instance_id)

    def player(self, seat: int) -> Json | None:
        """The player as last sent, None when unknown."""
        changes = self.changes
        if changes is not None and seat in changes.players:
            return changes.players[seat]
        return self.tables.players.get(seat)

    def persistent(self, annotation_id: int) -> Json | None:
        """The persistent annotation as last sent, None when unknown or deleted."""
        changes = self.changes
        if changes is not None and annotation_id in changes.persistent:
            return changes.persistent[annotation_id]
        return self.tables.persistent.get(annotation_id)

    def zones(self) -> Table:
        """All zones by id; a copy."""
        return _restored(self.tables.zones, self.changes and self.changes.zones)

    def objects(self) -> Table:
        """All objects by instance id; a copy."""
        return _restored(self.tables.objects, self.changes and self.changes.objects)

    def players(self) -> Table:
        """All players by seat; a copy."""
        return _restored(self.tables.players, self.changes and self.changes.players)

    def persistents(self) -> Table:
        """All persistent annotations by id; a copy."""
        return _restored(self.tables.persistent, self.changes and self.changes.persistent)

    @property
    def decision_player(self) -> int | None:
        """Seat that is being asked; None when nobody is (see `turn_known`)."""
        return self.turn.get("decisionPlayer") if self.turn else None

    @property
    def active_player(self) -> int | None:
        """Seat whose turn it is."""
        return self.turn.get("activePlayer") if self.turn else None

    @property
    def priority_player(self) -> int | None:
        """Seat that formally holds priority."""
        return self.turn.get("priorityPlayer") if self.turn else None


class _Step(NamedTuple):
    """How to get back from a state: the view before it."""

    state_id: int
    before: View


class Board:
    """The picture after the last state that was applied.

    Nothing is copied per state; what a state replaces is remembered for the last REMEMBERED states.
    """

    def __init__(self) -> None:
        self._tables = _Tables({}, {}, {}, {})
        self._steps: deque[_Step] = deque(maxlen=REMEMBERED)
        self.turn: Json | None = None
        self.turn_known = False

    def view(self) -> View:
        """The picture now."""
        return View(self._tables, None, self.turn, self.turn_known)

    def replace(self, state_id: int, state: GameState, turn_known: bool) -> View:
        """Apply a full state; returns the view before it.

        Raises KeyError or TypeError, and changes nothing, when the state's parts have no ids.
        """
        tables = _keyed(state)
        for instance_id in state.diffDeletedInstanceIds:
            tables.objects.pop(instance_id, None)
        for annotation_id in state.diffDeletedPersistentAnnotationIds:
            tables.persistent.pop(annotation_id, None)
        before = self.view()
        self._steps.append(_Step(state_id, before))
        self._tables = tables
        self.turn, self.turn_known = state.turnInfo, turn_known or state.turnInfo is not None
        return before

    def advance(self, state_id: int, state: GameState, turn_known: bool) -> View:
        """Apply a difference; returns the view before it. Raises as `replace`.

        `turn_known` says whether a state without `turnInfo` leaves it known.
        """
        tables = self._tables
        changes = _applied(tables, state) if _shows(state) else _NOTHING
        before = View(tables, changes, self.turn, self.turn_known)
        self._steps.append(_Step(state_id, before))
        if state.turnInfo is not None:
            self.turn, self.turn_known = state.turnInfo, True
        else:
            self.turn_known = turn_known
        return before

    def equals(self, state_id: int, state: GameState) -> bool | None:
        """Whether a full state shows the same picture as the one folded at `state_id`.

        Compares zones, objects, persistent annotations and `turnInfo`; None when that state is not
        remembered.
        """
        then = self._at(state_id)
        if then is None:
            return None
        new = _keyed(state)
        return (
            then.tables.zones == new.zones
            and then.tables.objects == new.objects
            and then.tables.persistent == new.persistent
            and then.turn == state.turnInfo
        )

    def _at(self, state_id: int) -> View | None:
        tables = _Tables(*(dict(table) for table in self._tables))
        turn = self.turn
        for step in reversed(self._steps):
            if step.state_id == state_id:
                return View(tables, None, turn, True)
            before = step.before
            if before.changes is None:
                tables = _Tables(*(dict(table) for table in before.tables))
            else:
                for table, old in zip(tables, before.changes, strict=True):
                    _put_back(table, old)
            turn = before.turn
        return None


def _keyed(state: GameState) -> _Tables:
    return _Tables(
        {zone["zoneId"]: zone for zone in state.zones},
        {thing["instanceId"]: thing for thing in state.gameObjects},
        {player["systemSeatNumber"]: player for player in state.players},
        {note["id"]: note for note in state.persistentAnnotations},
    )


def _shows(state: GameState) -> bool:
    """Whether there is more in a difference than the turn."""
    return bool(
        state.zones
        or state.gameObjects
        or state.players
        or state.persistentAnnotations
        or state.diffDeletedInstanceIds
        or state.diffDeletedPersistentAnnotationIds
    )


def _applied(tables: _Tables, state: GameState) -> _Changes:
    """Put in and take out what a difference brings; what was there before."""
    new = _keyed(state)
    changes = _Changes(
        _replace(tables.zones, new.zones),
        _replace(tables.objects, new.objects),
        _replace(tables.players, new.players),
        _replace(tables.persistent, new.persistent),
    )
    _delete(tables.objects, state.diffDeletedInstanceIds, changes.objects)
    _delete(tables.persistent, state.diffDeletedPersistentAnnotationIds, changes.persistent)
    return changes


def _replace(table: Table, new: Table) -> _Old:
    if not new:
        return {}
    old: _Old = {key: table.get(key) for key in new}
    table.update(new)
    return old


def _delete(table: Table, keys: Iterable[int], old: _Old) -> None:
    for key in keys:
        gone = table.pop(key, None)
        if gone is not None:
            old.setdefault(key, gone)


def _put_back(table: Table, old: _Old) -> None:
    for key, value in old.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _restored(table: Table, old: _Old | None) -> Table:
    restored = dict(table)
    if old:
        _put_back(restored, old)
    return restored
