"""Policy packs, readings, infractions and their counting, read from data files and checked."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from domain.rules.policy import (
    Counting,
    Infraction,
    InfractionClass,
    InfractionForm,
    Pack,
    Penalty,
    PolicyLibrary,
    Reading,
    Role,
    Situation,
    SpecialPenalty,
    Statement,
)
from domain.rules.text import Status
from whodecided.rulebook import known_sources
from whodecided.rulefiles import Sources, check_sources, check_spans
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

__all__ = ["load_policies"]

_Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class _DatedEntry(Entry):
    first: Annotated[datetime.date, Field(alias="from")]
    last: Annotated[datetime.date | None, Field(alias="until")] = None
    status: Status
    sources: Sources


class _PackEntry(Entry):
    id: _Id
    first: Annotated[datetime.date, Field(alias="from")]
    day: Status = "seen"
    status: Status
    documents: list[datetime.date]
    sources: Sources
    note: Text | None = None


class _ReadingEntry(Entry):
    id: _Id
    published: datetime.date
    day: Status = "seen"
    status: Status
    based_on: _Id
    text: LocalEntry
    sources: Sources


class _StatementEntry(_DatedEntry):
    id: _Id
    text: LocalEntry
    clause: Text | None = None
    reading: _Id | None = None
    infractions: list[Text] = Field(default_factory=list)
    except_for: list[Text] = Field(default_factory=list)
    when: list[Situation] = Field(default_factory=list)
    unless: list[Situation] = Field(default_factory=list)
    primary: list[Role] = Field(default_factory=list)
    further: list[Role] = Field(default_factory=list)
    further_infraction: Text | None = None
    review: bool = False


class _SpecialEntry(Entry):
    penalty: Penalty
    when: LocalEntry


class _FormEntry(_DatedEntry):
    number: Annotated[str, Field(pattern=r"^\d\.\d+$")]
    penalty: Penalty
    seen: list[datetime.date]
    special: list[_SpecialEntry] = Field(default_factory=list)


class _InfractionEntry(Entry):
    code: Annotated[str, Field(pattern=r"^[A-Za-z]+(-[A-Za-z]+)*$")]
    kind: InfractionClass
    name: LocalEntry
    needs_intent: bool = False
    never_upgraded: bool = False
    forms: Annotated[list[_FormEntry], Field(min_length=1)]


class _CountingEntry(_DatedEntry):
    kind: InfractionClass
    counts: Literal["penalties", "warnings"]
    at: Annotated[int, Field(ge=2, le=99)]
    becomes: Penalty
    resets: Literal["days", "cuts"]


class _PolicyFile(Entry):
    packs: list[_PackEntry] = Field(default_factory=list)
    readings: list[_ReadingEntry] = Field(default_factory=list)
    statements: list[_StatementEntry] = Field(default_factory=list)
    infractions: list[_InfractionEntry] = Field(default_factory=list)
    counting: list[_CountingEntry] = Field(default_factory=list)


_Files = Sequence[Sequence[tuple[Path, _PolicyFile]]]


@cache
def load_policies(extra: Path | None = None) -> PolicyLibrary:
    """The product's packs and readings and those of a folder of the user's (`policy/*.toml`).

    Entries of the user's folder replace the product's by id; its `counting` of a class replaces all
    of the product's for that class. Raises BadInput, naming file, key and reason, for anything that
    cannot be used.
    """
    folders = rule_folders(extra)
    sources = known_sources(folders)
    files = read_files(folders, "policy/", _PolicyFile)
    infractions = _infractions(files, sources)
    packs = _packs(files, sources)
    readings = _readings(files, sources, packs)
    return PolicyLibrary(
        packs=tuple(sorted(packs.values(), key=lambda pack: pack.first)),
        readings=tuple(sorted(readings.values(), key=lambda reading: reading.published)),
        infractions=MappingProxyType(infractions),
        statements=_statements(files, sources, infractions, readings),
        counting=_counting(files, sources),
        sources=MappingProxyType(sources),
    )


def _packs(files: _Files, sources: Mapping[str, str]) -> dict[str, Pack]:
    found = by_id(placed(files, "packs", lambda file: file.packs), "id")
    starts: dict[datetime.date, str] = {}
    for item in found.values():
        check_sources(item, item.entry.sources, sources)
        other = starts.setdefault(item.entry.first, item.entry.id)
        if other != item.entry.id:
            raise item.error("from", f"dates overlap: {other} begins on the same day")
    return {key: _pack(item.entry) for key, item in found.items()}


def _pack(entry: _PackEntry) -> Pack:
    return Pack(
        id=entry.id,
        first=day(entry.first),
        day=entry.day,
        status=entry.status,
        documents=tuple(day(document) for document in entry.documents),
        sources=tuple(entry.sources),
        note=entry.note,
    )


def _readings(
    files: _Files, sources: Mapping[str, str], packs: Mapping[str, Pack]
) -> dict[str, Reading]:
    found = by_id(placed(files, "readings", lambda file: file.readings), "id")
    for item in found.values():
        check_sources(item, item.entry.sources, sources)
        if item.entry.based_on not in packs:
            raise item.error("based_on", f"no pack {item.entry.based_on!r}")
        if item.entry.id in packs:
            raise item.error("id", f"{item.entry.id} is already a pack")
    return {key: _reading(item.entry) for key, item in found.items()}


def _reading(entry: _ReadingEntry) -> Reading:
    return Reading(
        id=entry.id,
        published=day(entry.published),
        day=entry.day,
        status=entry.status,
        based_on=entry.based_on,
        text=entry.text.value(),
        sources=tuple(entry.sources),
    )


def _infractions(files: _Files, sources: Mapping[str, str]) -> dict[str, Infraction]:
    found = by_id(placed(files, "infractions", lambda file: file.infractions), "code")
    return {key: _infraction(item, sources) for key, item in found.items()}


def _infraction(item: Placed[_InfractionEntry], sources: Mapping[str, str]) -> Infraction:
    entry = item.entry
    check_spans(item, "forms", entry.forms)
    for form in entry.forms:
        check_sources(item, form.sources, sources)
    return Infraction(
        code=entry.code,
        kind=entry.kind,
        name=entry.name.value(),
        needs_intent=entry.needs_intent,
        never_upgraded=entry.never_upgraded,
        forms=tuple(_form(form) for form in entry.forms),
    )


def _form(entry: _FormEntry) -> InfractionForm:
    return InfractionForm(
        number=entry.number,
        penalty=entry.penalty,
        first=day(entry.first),
        last=day(entry.last) if entry.last else None,
        seen=tuple(day(seen) for seen in entry.seen),
        status=entry.status,
        sources=tuple(entry.sources),
        special=tuple(
            SpecialPenalty(penalty=special.penalty, when=special.when.value())
            for special in entry.special
        ),
    )


def _statements(
    files: _Files,
    sources: Mapping[str, str],
    infractions: Mapping[str, Infraction],
    readings: Mapping[str, Reading],
) -> tuple[Statement, ...]:
    found = by_id(placed(files, "statements", lambda file: file.statements), "id")
    for item in found.values():
        _check_statement(item, sources, infractions, readings)
    return tuple(_statement(item.entry) for item in found.values())


def _check_statement(
    item: Placed[_StatementEntry],
    sources: Mapping[str, str],
    infractions: Mapping[str, Infraction],
    readings: Mapping[str, Reading],
) -> None:
    entry = item.entry
    check_sources(item, entry.sources, sources)
    check_spans(item, "from", [entry])
    codes = [*entry.infractions, *entry.except_for]
    if entry.further_infraction is not None:
        codes.append(entry.further_infraction)
    for code in codes:
        if code not in infractions:
            raise item.error("infractions", f"no infraction {code!r}")
    if bool(entry.further) != (entry.further_infraction is not None):
        raise item.error("further_infraction", "goes with further: both or neither")
    if not entry.primary and not entry.further:
        raise item.error("primary", "names nobody; primary or further is needed")
    if entry.reading is not None and entry.reading not in readings:
        raise item.error("reading", f"no reading {entry.reading!r}")


def _statement(entry: _StatementEntry) -> Statement:
    return Statement(
        id=entry.id,
        text=entry.text.value(),
        clause=entry.clause,
        reading=entry.reading,
        infractions=tuple(entry.infractions),
        except_for=tuple(entry.except_for),
        when=tuple(entry.when),
        unless=tuple(entry.unless),
        primary=tuple(entry.primary),
        further=tuple(entry.further),
        further_infraction=entry.further_infraction,
        first=day(entry.first),
        last=day(entry.last) if entry.last else None,
        status=entry.status,
        sources=tuple(entry.sources),
        review=entry.review,
    )


def _counting(files: _Files, sources: Mapping[str, str]) -> tuple[Counting, ...]:
    found: dict[str, list[Placed[_CountingEntry]]] = {}
    for folder in placed(files, "counting", lambda file: file.counting):
        here: dict[str, list[Placed[_CountingEntry]]] = {}
        for item in folder:
            here.setdefault(item.entry.kind, []).append(item)
        found |= here
    for items in found.values():
        for item in items:
            check_sources(item, item.entry.sources, sources)
        check_spans(items[0], "from", [item.entry for item in items])
    return tuple(_count(item.entry) for items in found.values() for item in items)


def _count(entry: _CountingEntry) -> Counting:
    return Counting(
        kind=entry.kind,
        counts=entry.counts,
        at=entry.at,
        becomes=entry.becomes,
        resets=entry.resets,
        first=day(entry.first),
        last=day(entry.last) if entry.last else None,
        status=entry.status,
        sources=tuple(entry.sources),
    )
