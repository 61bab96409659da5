"""Which infractions somebody or something names in an event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from domain.errors import BadInput
from domain.rules.policy import PolicyLibrary
from domain.rules.text import LANGUAGES
from queries.record import GameRecord

__all__ = ["Named", "Why", "named_infractions"]

Why = Literal["found", "finding", "asked", "any"]
"""Where a candidate is from: a judge found it, a finding suggests it, somebody asks about it, or
nobody has named an infraction."""

_SUGGESTED: Final = {
    "not-called-for": "GRV",
    "decider-not-entitled": "GRV",
    "wrong-resources": "GRV",
    "effect-not-in-force": "GRV",
    "restriction-broken": "GRV",
    "information-leak": "LEC",
    "outside-game-choice": "GRV",
    "controller-left": "GRV",
}
"""Code of a finding -> the infraction that a judge would look at first."""


@dataclass(frozen=True, slots=True)
class Named:
    """An infraction that somebody or something names; `number` is the event that does.

    `infraction` None: whatever infraction it may be.
    """

    infraction: str | None
    because: Why
    number: int | None = None


def named_infractions(
    record: GameRecord,
    number: int,
    library: PolicyLibrary,
    infractions: Sequence[str | None],
    noticed: int | None,
) -> tuple[int, tuple[Named, ...], int | None]:
    """The event meant, the infractions named in it, and the event at which they were noticed.

    `infractions` are codes or names, in any case. An event that notes an infraction in another
    event stands for that one.
    """
    event = record.event(number)
    codes = [None if one is None else _known(library, one) for one in infractions]
    if noticed is not None and record.checked(noticed, first=1) <= number:
        raise BadInput(
            "noticed",
            f"event {noticed} is not after event {number}",
            advice="Name the event at which it was pointed out, later than the event itself.",
        )
    note = _noted(event, library)
    if note is not None and not infractions:
        return event.about, (Named(note, "found", number),), noticed or number
    asked = tuple(Named(code, "any" if code is None else "asked") for code in codes)
    found = asked or tuple(_on_record(record, number, library)) or (Named(None, "any"),)
    notes = [one.number for one in found if one.because == "found" and one.number is not None]
    return number, found, noticed or min(notes, default=None)


def _known(library: PolicyLibrary, named: str) -> str:
    """The code of the infraction that is named by its code or in a language, in any case."""
    every = library.infractions.values()
    by_name = {one.name.get(language).casefold(): one for one in every for language in LANGUAGES}
    by_code = {one.code.casefold(): one for one in every}
    told = " ".join(named.split()).casefold()
    found = library.infractions.get(named) or by_code.get(told) or by_name.get(told)
    if found is None:
        known = "; ".join(f"{one.code} {one.name.en}" for one in every if not one.needs_intent)
        raise BadInput("infraction", f"no infraction {named!r}", advice=f"Known are: {known}.")
    if found.needs_intent:
        advice = "Whether somebody acted on purpose is for a judge to find."
        raise BadInput("infraction", f"{found.code} needs intent", advice=advice)
    return found.code


def _noted(event: Any, library: PolicyLibrary) -> str | None:
    """The infraction that an event notes in another event; never one that needs intent."""
    if event.NAME != "note_added" or event.about is None:
        return None
    infraction = library.infractions.get(event.text)
    return None if infraction is None or infraction.needs_intent else infraction.code


def _on_record(record: GameRecord, number: int, library: PolicyLibrary) -> Iterable[Named]:
    """The infractions that notes name in the event; if none do, those that findings suggest."""
    notes = [
        Named(code, "found", event.number)
        for event in record.folded.events[number:]
        if (code := _noted(event, library)) is not None and event.about == number
    ]
    suggested = (
        _SUGGESTED[finding.code]
        for finding in record.folded.findings_at(number)
        if finding.code in _SUGGESTED
    )
    return notes or [Named(code, "finding", number) for code in dict.fromkeys(suggested)]
