"""The formats of the files that hold editions, topics and switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated, Literal, Protocol, TypeVar

from pydantic import Field

from domain.rules.text import Status
from whodecided.tomlfiles import Entry, LocalEntry, Placed, Text

__all__ = [
    "DocumentEntry",
    "EditionsFile",
    "FamilyEntry",
    "NumberEntry",
    "OnEntry",
    "Sources",
    "SourcesFile",
    "SwitchEntry",
    "SwitchesFile",
    "TopicEntry",
    "TopicsFile",
    "TournamentEntry",
    "TournamentFile",
    "check_sources",
    "check_spans",
]

M = TypeVar("M", bound=Entry)
Sources = Annotated[list[Text], Field(min_length=1)]


class DocumentEntry(Entry):
    """A Comprehensive Rules document; `id` is its effective date."""

    id: date
    status: Status
    day: Status | None = None
    sources: Sources
    sets: list[Text] = Field(default_factory=list)
    in_play_from: date | None = None
    note: Text | None = None
    changed: LocalEntry | None = None


class EditionsFile(Entry):
    """The documents of a period with one section number: `editions/*.toml`."""

    section: Annotated[str, Field(pattern=r"^(\d{3})?$")]
    family: Text
    documents: Annotated[list[DocumentEntry], Field(min_length=1)]


class NumberEntry(Entry):
    """A number outside the section on player control and the days on which it holds."""

    number: Annotated[str, Field(pattern=r"^\d+(\.\d+[a-z]?)?$")]
    first: Annotated[date, Field(alias="from")]
    last: Annotated[date | None, Field(alias="until")] = None
    seen: Annotated[list[date], Field(min_length=1)]
    sources: Sources


class TopicEntry(Entry):
    """A topic and its numbers."""

    id: Annotated[str, Field(pattern=r"^[a-z-]+\.[a-z-]+$")]
    document: Literal["CR", "MTR"] = "CR"
    name: LocalEntry
    clause: dict[str, Annotated[str, Field(pattern=r"^\.\d+[a-z]?$")]] = Field(default_factory=dict)
    clause_from: date | None = None
    numbers: list[NumberEntry] = Field(default_factory=list)


class FamilyEntry(Entry):
    """Editions whose section has the same structure."""

    title: LocalEntry


class TopicsFile(Entry):
    """`topics.toml`."""

    families: dict[str, FamilyEntry] = Field(default_factory=dict)
    topics: list[TopicEntry] = Field(default_factory=list)


class OnEntry(Entry):
    """Days on which a switch is on."""

    first: Annotated[date, Field(alias="from")]
    last: Annotated[date | None, Field(alias="until")] = None
    status: Status
    day: Status | None = None
    sources: Sources


class DisputeEntry(Entry):
    """Days on which document and play differ about a switch."""

    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="until")]
    why: Text


class SwitchEntry(Entry):
    """A behaviour of the rules with its own dates."""

    key: Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$")]
    document: Literal["CR", "MTR", "IPG"] = "CR"
    topic: Text | None = None
    meaning: LocalEntry
    on: list[OnEntry]
    disputed: list[DisputeEntry] = Field(default_factory=list)
    sources: list[Text] = Field(default_factory=list)


class SwitchesFile(Entry):
    """`switches.toml`."""

    switches: list[SwitchEntry]


class TournamentEntry(Entry):
    """A document of the tournament rules."""

    id: date
    status: Status
    sources: Sources
    note: Text | None = None
    sideboard: LocalEntry | None = None


class TournamentFile(Entry):
    """`tournament.toml`."""

    documents: list[TournamentEntry]


class SourcesFile(Entry):
    """`sources.toml`: code -> what the source is."""

    sources: dict[str, Text]


def check_sources(item: Placed[M], named: Sequence[str], known: Mapping[str, str]) -> None:
    """Raises BadInput for a source that no sources.toml explains."""
    for code in named:
        if code not in known:
            raise item.error("sources", f"there is no source {code!r} in sources.toml")


class _Spanned(Protocol):
    @property
    def first(self) -> date: ...
    @property
    def last(self) -> date | None: ...


def check_spans(item: Placed[M], key: str, spans: Sequence[_Spanned]) -> None:
    """Raises BadInput for a span that ends before it begins, and for spans that overlap."""
    ordered = sorted(spans, key=lambda span: span.first)
    for span in ordered:
        if span.last is not None and span.last < span.first:
            raise item.error(key, f"ends on {span.last}, before it begins on {span.first}")
    for earlier, later in pairwise(ordered):
        if earlier.last is None or earlier.last >= later.first:
            raise item.error(key, f"dates overlap: from {earlier.first} and from {later.first}")
