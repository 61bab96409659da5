"""A dictionary that remembers every value it ever had."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

__all__ = ["Versioned"]

K = TypeVar("K")
V = TypeVar("V")


class Versioned(Generic[K, V]):
    """Values by key and event number; None stands for absent.

    Numbers never decrease. A value holds from the event that set it until the next one that does,
    so every earlier state stays readable, those on an undone branch too, and nothing is ever
    copied.
    """

    __slots__ = ("_histories", "_keys", "_numbers")

    def __init__(self) -> None:
        self._histories: dict[K, tuple[list[int], list[V | None]]] = {}
        self._numbers: list[int] = []
        self._keys: list[K] = []

    def set(self, number: int, key: K, value: V | None) -> None:
        """From event `number` on, the key has the value; the last of one event counts."""
        history = self._histories.get(key)
        if history is None:
            self._histories[key] = ([number], [value])
        elif history[0][-1] == number:
            history[1][-1] = value
        else:
            history[0].append(number)
            history[1].append(value)
        self._numbers.append(number)
        self._keys.append(key)

    def latest(self, key: K) -> V | None:
        """The key's value now."""
        history = self._histories.get(key)
        return None if history is None else history[1][-1]

    def at(self, key: K, number: int) -> V | None:
        """The key's value just after event `number`."""
        history = self._histories.get(key)
        if history is None:
            return None
        index = bisect_right(history[0], number)
        return history[1][index - 1] if index else None

    def changed(self, key: K) -> list[int]:
        """Numbers of the events that set the key, in order."""
        history = self._histories.get(key)
        return [] if history is None else history[0]

    def values(self, key: K) -> Iterable[V | None]:
        """Every value the key ever had, in order."""
        history = self._histories.get(key)
        return () if history is None else history[1]

    def __iter__(self) -> Iterator[K]:
        """Every key that ever had a value, in the order of appearance."""
        return iter(self._histories)

    def current(self) -> Iterator[tuple[K, V]]:
        """The keys that have a value now, with it."""
        for key, (_, values) in self._histories.items():
            value = values[-1]
            if value is not None:
                yield key, value

    def clear(self, number: int) -> None:
        """From event `number` on, nothing has a value."""
        for key in [key for key, _ in self.current()]:
            self.set(number, key, None)

    def rewind(self, number: int, to: int) -> None:
        """From event `number` on, everything is as it was just after event `to`."""
        start = bisect_right(self._numbers, to)
        for key in dict.fromkeys(self._keys[start:]):
            before = self.at(key, to)
            if before is not self.latest(key):
                self.set(number, key, before)
