"""Every error the product raises on purpose: one root, a small tree, facts as attributes."""

from __future__ import annotations

from typing import Any

__all__ = [
    "AppendConflict",
    "BadInput",
    "EvidenceIncomplete",
    "IntegrityFailure",
    "LogUnavailable",
    "LogUnreachable",
    "NotEntitled",
    "NotFound",
    "PoisonEvent",
    "VersionConflict",
    "WhodecidedError",
]


class WhodecidedError(Exception):
    """Root of all errors raised on purpose.

    `exit_code` is the process exit code the command line uses; `advice` is one sentence for a
    person, kept apart from the message.
    """

    exit_code = 2
    advice: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by facts: the constructors take other arguments than the message in `args`."""
        return _restore, (type(self), self.args, vars(self))


def _restore(
    kind: type[WhodecidedError], args: tuple[Any, ...], facts: dict[str, Any]
) -> WhodecidedError:
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


class BadInput(WhodecidedError):
    """Something given to the product cannot be used: a file, a record, an argument.

    `where` names the file or argument, `line` the line from 1 (or None), `reason` what is wrong.
    """

    def __init__(
        self, where: str, reason: str, *, line: int | None = None, advice: str | None = None
    ) -> None:
        self.where = where
        self.reason = reason
        self.line = line
        self.advice = advice
        place = where if line is None else f"{where}, line {line}"
        super().__init__(f"{place}: {reason}")


class IntegrityFailure(WhodecidedError):
    """The stored record contradicts itself or has been changed."""

    exit_code = 3

    def __init__(self, what: str, reason: str, *, advice: str | None = None) -> None:
        self.what = what
        self.reason = reason
        self.advice = advice
        super().__init__(f"{what}: {reason}")


class AppendConflict(IntegrityFailure):
    """Different facts were offered under a number, or an event id, that is already taken.

    `stored` and `offered` are the facts digests (hex SHA-256) of the two versions.
    """

    def __init__(self, stream_id: str, number: int, stored: str, offered: str) -> None:
        self.stream_id = stream_id
        self.number = number
        self.stored = stored
        self.offered = offered
        super().__init__(
            f"stream {stream_id}, event {number}",
            f"stored facts {stored[:16]}.. differ from offered facts {offered[:16]}..",
        )


class VersionConflict(WhodecidedError):
    """Somebody else has appended to the stream since the caller looked.

    `expected` is the number that the caller took for the last one, `actual` the last one there is.
    """

    advice = "Read what is new, then append after it."

    def __init__(self, stream_id: str, expected: int, actual: int) -> None:
        self.stream_id = stream_id
        self.expected = expected
        self.actual = actual
        super().__init__(
            f"stream {stream_id}: event {expected} was expected to be the last one, it is {actual}"
        )


class PoisonEvent(IntegrityFailure):
    """A stored event cannot be read by this version; `reason` says why."""

    def __init__(self, stream_id: str, number: int, reason: str) -> None:
        self.stream_id = stream_id
        self.number = number
        super().__init__(f"stream {stream_id}, event {number}", reason)


class NotFound(WhodecidedError):
    """A game, event, seat or object that was asked for is not in the log, or not in a part of it.

    `within` names where it was looked for.
    """

    exit_code = 4

    def __init__(
        self, kind: str, name: str, *, within: str = "this log", advice: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.within = within
        self.advice = advice
        super().__init__(f"no {kind} {name!r} in {within}")


class NotEntitled(WhodecidedError):
    """The viewer may not have the information, and nothing would be left of the answer."""

    exit_code = 5
    advice = "Name another viewer with --viewer if you may act as one."

    def __init__(self, viewer: str, what: str) -> None:
        self.viewer = viewer
        self.what = what
        super().__init__(f"viewer {viewer!r} may not see {what}")


class EvidenceIncomplete(WhodecidedError):
    """The record needed for the answer is missing: no data, or a gap."""

    exit_code = 6

    def __init__(self, what: str, reason: str, *, advice: str | None = None) -> None:
        self.what = what
        self.reason = reason
        self.advice = advice
        super().__init__(f"{what}: {reason}")


class LogUnavailable(WhodecidedError):
    """The log directory cannot be opened, read or written (permissions, full disk, lock)."""

    def __init__(self, path: str, reason: str, *, advice: str | None = None) -> None:
        self.path = path
        self.reason = reason
        self.advice = advice
        super().__init__(f"log {path}: {reason}")


class LogUnreachable(LogUnavailable):
    """The server that keeps the log does not answer, which says nothing about the log."""
