"""The catalogue of cards that control players or move choices, read from data files and checked."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from domain.events.base import DecisionEvent
from domain.events.registry import FAMILIES, name_of
from domain.rules.cards import (
    Affected,
    CardCatalogue,
    CardNote,
    ChoiceCard,
    Chooser,
    ControlCard,
    Lasts,
    OtherScope,
    Scope,
    folded,
    names_of,
)
from domain.rules.text import Status
from whodecided.rulebook import known_sources, load_rules
from whodecided.rulefiles import Sources, check_sources
from whodecided.tomlfiles import (
    Entry,
    LocalEntry,
    Placed,
    Text,
    by_id,
    day,
    placed,
    read_files,
    rule_folders,
)

__all__ = ["load_cards"]

_DECISIONS: Final = tuple(
    sorted(
        name_of(event.TOPIC)
        for family in FAMILIES.values()
        for event in family
        if issubclass(event, DecisionEvent)
    )
)


class _NoteEntry(Entry):
    text: LocalEntry
    date: datetime.date | None = None
    status: Status
    sources: Sources


class _OtherEntry(Entry):
    scope: Scope
    when: LocalEntry


class _ControlEntry(Entry):
    name: LocalEntry
    scope: Scope
    affected: Affected
    first_day: datetime.date
    printed: datetime.date
    sets: list[Text] = Field(default_factory=list)
    status: Status
    sources: Sources
    self_allowed: bool = False
    mutual: bool = False
    static: bool = False
    extra_turn_after: bool = False
    outside_person: bool = False
    silver_border: bool = False
    other: list[_OtherEntry] = Field(default_factory=list)
    may_not: list[Text] = Field(default_factory=list)
    must: list[Text] = Field(default_factory=list)
    clause: Text | None = None
    notes: list[_NoteEntry] = Field(default_factory=list)


class _ChoiceEntry(Entry):
    name: LocalEntry
    decisions: list[Annotated[str, Field(pattern=r"^[a-z_]+$")]]
    chooser: Chooser | None = None
    lasts: Lasts | None = None
    effect: LocalEntry
    stays: LocalEntry | None = None
    status: Status
    sources: Sources


class _CardsFile(Entry):
    control: list[_ControlEntry] = Field(default_factory=list)
    choice: list[_ChoiceEntry] = Field(default_factory=list)


@cache
def load_cards(extra: Path | None = None) -> CardCatalogue:
    """The product's cards and those of a folder of the user's.

    A card of the user's replaces the product's card with the same English name. Raises BadInput,
    naming file, key and reason, for anything that cannot be used.
    """
    folders = rule_folders(extra)
    sources = known_sources(folders)
    files = read_files(folders, "cards.toml", _CardsFile)
    control = by_id(placed(files, "control", lambda file: file.control), "name", _english)
    choices = by_id(placed(files, "choice", lambda file: file.choice), "name", _english)
    _check_names(control.values())
    _check_names(choices.values())
    switches = load_rules(extra).switches
    return CardCatalogue(
        tuple(_control_card(item, sources, switches.keys()) for item in control.values()),
        tuple(_choice_card(item, sources) for item in choices.values()),
    )


def _english(entry: _ControlEntry | _ChoiceEntry) -> str:
    return folded(entry.name.en)


def _check_names(items: Iterable[Placed[_ControlEntry]] | Iterable[Placed[_ChoiceEntry]]) -> None:
    """Raises BadInput for a name that two cards have."""
    owners: dict[str, str] = {}
    for item in items:
        for name in names_of(item.entry.name.value()):
            owner = owners.setdefault(folded(name), item.entry.name.en)
            if owner != item.entry.name.en:
                raise item.error("name", f"{name!r} is also a name of {owner}")


def _control_card(
    item: Placed[_ControlEntry], sources: Mapping[str, str], switches: Collection[str]
) -> ControlCard:
    entry = item.entry
    check_sources(item, entry.sources, sources)
    if entry.clause is not None and entry.clause not in switches:
        raise item.error("clause", f"there is no switch {entry.clause!r} in switches.toml")
    for key, names in (("may_not", entry.may_not), ("must", entry.must)):
        for name in names:
            if name not in _DECISIONS:
                raise item.error(key, f"no decision {name!r}; known: {', '.join(_DECISIONS)}")
    return ControlCard(
        name=entry.name.value(),
        scope=entry.scope,
        affected=entry.affected,
        first_day=day(entry.first_day),
        printed=day(entry.printed),
        sets=tuple(entry.sets),
        status=entry.status,
        sources=tuple(entry.sources),
        self_allowed=entry.self_allowed,
        mutual=entry.mutual,
        static=entry.static,
        extra_turn_after=entry.extra_turn_after,
        outside_person=entry.outside_person,
        silver_border=entry.silver_border,
        other=tuple(
            OtherScope(scope=other.scope, when=other.when.value()) for other in entry.other
        ),
        may_not=tuple(entry.may_not),
        must=tuple(entry.must),
        clause=entry.clause,
        notes=tuple(_note(item, note, sources) for note in entry.notes),
    )


def _note(item: Placed[_ControlEntry], entry: _NoteEntry, sources: Mapping[str, str]) -> CardNote:
    check_sources(item, entry.sources, sources)
    return CardNote(
        text=entry.text.value(),
        date=day(entry.date) if entry.date else None,
        status=entry.status,
        sources=tuple(entry.sources),
    )


def _choice_card(item: Placed[_ChoiceEntry], sources: Mapping[str, str]) -> ChoiceCard:
    entry = item.entry
    check_sources(item, entry.sources, sources)
    if bool(entry.decisions) != (entry.chooser is not None):
        raise item.error("chooser", "goes with decisions: both or neither")
    return ChoiceCard(
        name=entry.name.value(),
        decisions=tuple(entry.decisions),
        chooser=entry.chooser,
        lasts=entry.lasts,
        effect=entry.effect.value(),
        status=entry.status,
        sources=tuple(entry.sources),
        stays=entry.stays.value() if entry.stays else None,
    )
