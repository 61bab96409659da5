"""What a verification found: numbered steps, and the first thing that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from domain.errors import IntegrityFailure

__all__ = [
    "SELF_CONSISTENT",
    "SIGNED",
    "UNCHANGED",
    "Failure",
    "Progress",
    "Step",
    "StepList",
    "Verification",
    "counted",
    "disagreement",
]

Progress = Callable[[int, int], None]
"""Called now and then with the number of events checked and the number of all."""

SELF_CONSISTENT = (
    "self-consistent only: nothing here contradicts itself, but whoever holds it could have made"
    " all of it anew; compare with a key and a checkpoint kept elsewhere"
)
"""What a verification says without a trusted key or a checkpoint from elsewhere."""

SIGNED = (
    "signed by the trusted key: nobody without that key can have made what it signed, but whoever"
    " has it could have made all of it anew; compare with a checkpoint or a witness kept elsewhere"
)
"""What it says when a key of the log is all that was kept elsewhere."""

UNCHANGED = "complete and unchanged since what was kept elsewhere was made"
"""What it says with a checkpoint or a witness from elsewhere."""

_SOUND = "nothing in it contradicts itself, but"


@dataclass(frozen=True, slots=True)
class Failure:
    """The first thing that is wrong.

    `code` is the reason in one word, `what` the event, entry or file; `stored` and `computed` are
    the two digests (hex) where there are two; `good` says what before it still holds.
    """

    code: str
    what: str
    reason: str
    stored: str | None = None
    computed: str | None = None
    good: str | None = None

    def __str__(self) -> str:
        digests = f": stored {self.stored}, computed {self.computed}" if self.stored else ""
        return f"{self.what}: {self.reason}{digests}"


Status = Literal["ok", "failed", "skipped", "unfinished"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `ok`, `failed`, `skipped` (there is nothing to check) or `unfinished`."""

    number: int
    name: str
    title: str
    status: Status
    detail: str


class StepList:
    """Notes what became of the steps of a verification, given as name -> title in order.

    `failure` is the first one and `failed` the name of its step.
    """

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        self._found: dict[str, tuple[Status, str]] = {}
        self.failure: Failure | None = None
        self.failed: str | None = None

    def ok(self, name: str, detail: str = "") -> None:
        """The step holds."""
        self._found[name] = ("ok", detail)

    def skip(self, name: str, why: str) -> None:
        """There is nothing to check."""
        self._found[name] = ("skipped", why)

    def fail(self, name: str, failure: Failure) -> None:
        """The step does not hold; what was not noted before stays unfinished."""
        self._found[name] = ("failed", str(failure))
        if self.failure is None:
            self.failure, self.failed = failure, name

    def steps(self) -> tuple[Step, ...]:
        """All steps, numbered from 1."""
        return tuple(
            Step(number, name, title, *self._found.get(name, ("unfinished", "not reached")))
            for number, (name, title) in enumerate(self._titles.items(), 1)
        )


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a log or a bundle.

    `trusted` tells whether it was compared with something kept elsewhere; `counts` says how much
    there was; `claim` what the result means.
    """

    subject: str
    steps: tuple[Step, ...]
    failure: Failure | None
    counts: dict[str, int]
    trusted: bool
    claim: str

    @property
    def ok(self) -> bool:
        """Whether every step that could be taken holds."""
        return self.failure is None

    def require(self) -> None:
        """Raise IntegrityFailure for the failure, if there is one."""
        if self.failure is not None:
            raise IntegrityFailure(self.failure.what, str(self.failure).partition(": ")[2])


def counted(number: int, word: str, plural: str | None = None) -> str:
    """`1 event`, `2 events`; `plural` where it is not the word with an s."""
    return f"{number} {word if number == 1 else plural or f'{word}s'}"


def disagreement(failure: Failure, signed: bool) -> str:
    """What it means that a log or bundle holds in itself, but not against what was kept elsewhere.

    `signed` says whether anybody signed it at all.
    """
    if failure.code != "foreign-key" and failure.what != "key":
        return f"{_SOUND} it does not agree with what was kept elsewhere"
    if not signed:
        return f"{_SOUND} it is unsigned: the trusted key says nothing of it"
    return (
        f"{_SOUND} it is signed by another key than the trusted one: whoever has that key could"
        " have made all of it"
    )
