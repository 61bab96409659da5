"""The product's editions of the rules and the user's, read from data files and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from domain.errors import BadInput
from domain.rules import KERNEL, RuleBook, RuleLibrary
from domain.rules.editions import (
    Edition,
    Family,
    NumberSpan,
    Switch,
    SwitchSpan,
    Topic,
    TournamentDocument,
)
from whodecided.rulefiles import (
    DocumentEntry,
    EditionsFile,
    NumberEntry,
    OnEntry,
    SourcesFile,
    SwitchEntry,
    SwitchesFile,
    TopicEntry,
    TopicsFile,
    TournamentFile,
    check_sources,
    check_spans,
)
from whodecided.tomlfiles import Folder, Placed, by_id, day, placed, read_files, rule_folders

_OF_EDITIONS: Final = ("editions/", "switches.toml", "topics.toml", "tournament.toml")

__all__ = ["editions", "known_sources", "load_rulebook", "load_rules"]


@cache
def load_rules(extra: Path | None = None) -> RuleLibrary:
    """All editions, topics and switches: the product's own, and those of a folder of the user's.

    Entries of the user's folder replace the product's by id. Raises BadInput, naming file, key and
    reason, for anything in either folder that cannot be used; nothing is half-loaded.
    """
    folders = rule_folders(extra)
    sources = known_sources(folders)
    topic_files = read_files(folders, "topics.toml", TopicsFile)
    families = _families(topic_files)
    topics = _topics(topic_files, sources, families)
    return RuleLibrary(
        editions=_editions(folders, sources, families),
        families=MappingProxyType(families),
        topics=MappingProxyType(topics),
        switches=MappingProxyType(_switches(folders, sources, topics)),
        tournament=_tournament(folders, sources),
        sources=MappingProxyType(sources),
        version=_version(folders),
    )


def _version(folders: Iterable[Folder]) -> str:
    """Digest of the files that hold editions, and the kernel that reads them."""
    digest = hashlib.sha256()
    for folder in folders:
        for name, path in sorted(folder.files.items()):
            if name.startswith(_OF_EDITIONS):
                digest.update(f"{name}\n".encode() + path.read_bytes())
    return f"{digest.hexdigest()[:12]}/{KERNEL}"


def load_rulebook(edition: str | None = None, extra: Path | None = None) -> RuleBook:
    """The rules of a day (YYYY-MM-DD; an edition's id is such a day), or the newest edition.

    Raises BadInput for a text that is no date, a date before the oldest edition, and a data file
    that cannot be used; the message names file, key and reason.
    """
    library = load_rules(extra)
    return library.on(library.editions[-1].id if edition is None else edition)


def editions(extra: Path | None = None) -> tuple[str, ...]:
    """The ids (effective dates, YYYY-MM-DD) of the editions known, oldest first."""
    return tuple(edition.id for edition in load_rules(extra).editions)


def known_sources(folders: Iterable[Folder]) -> dict[str, str]:
    """Code -> what the source is, of all folders."""
    files = read_files(folders, "sources.toml", SourcesFile)
    return {code: what for each in files for _, file in each for code, what in file.sources.items()}


def _families(files: Iterable[Iterable[tuple[Path, TopicsFile]]]) -> dict[str, Family]:
    return {
        name: Family(id=name, title=family.title.value())
        for each in files
        for _, file in each
        for name, family in file.families.items()
    }


def _editions(
    folders: Iterable[Folder], sources: Mapping[str, str], families: Mapping[str, Family]
) -> tuple[Edition, ...]:
    read = read_files(folders, "editions/", EditionsFile)
    files = {path: file for each in read for path, file in each}
    for path, file in files.items():
        if file.family not in families:
            known = ", ".join(families)
            raise BadInput(str(path), f"family: no family {file.family!r}; known: {known}")
    found = by_id(placed(read, "documents", lambda file: file.documents), "id")
    return tuple(_edition(files[found[key].path], found[key], sources) for key in sorted(found))


def _edition(
    file: EditionsFile, item: Placed[DocumentEntry], sources: Mapping[str, str]
) -> Edition:
    entry = item.entry
    check_sources(item, entry.sources, sources)
    if entry.in_play_from is not None and entry.in_play_from <= entry.id:
        raise item.error("in_play_from", "not later than the document")
    return Edition(
        id=day(entry.id),
        section=file.section,
        family=file.family,
        status=entry.status,
        day=entry.day or entry.status,
        sources=tuple(entry.sources),
        sets=tuple(entry.sets),
        in_play_from=day(entry.in_play_from) if entry.in_play_from else None,
        note=entry.note,
        changed=entry.changed.value() if entry.changed else None,
    )


def _topics(
    files: Iterable[Iterable[tuple[Path, TopicsFile]]],
    sources: Mapping[str, str],
    families: Mapping[str, Family],
) -> dict[str, Topic]:
    found = by_id(placed(files, "topics", lambda file: file.topics), "id")
    return {key: _topic(item, sources, families) for key, item in found.items()}


def _topic(
    item: Placed[TopicEntry], sources: Mapping[str, str], families: Mapping[str, Family]
) -> Topic:
    entry = item.entry
    for family in entry.clause:
        if family not in families:
            raise item.error("clause", f"no family {family!r}; known: {', '.join(families)}")
    check_spans(item, "numbers", entry.numbers)
    return Topic(
        id=entry.id,
        document=entry.document,
        name=entry.name.value(),
        clause=MappingProxyType(entry.clause),
        clause_from=day(entry.clause_from) if entry.clause_from else None,
        numbers=tuple(_number(item, number, sources) for number in entry.numbers),
    )


def _number(item: Placed[TopicEntry], entry: NumberEntry, sources: Mapping[str, str]) -> NumberSpan:
    check_sources(item, entry.sources, sources)
    return NumberSpan(
        number=entry.number,
        first=day(entry.first),
        last=day(entry.last) if entry.last else None,
        seen=tuple(day(seen) for seen in entry.seen),
        sources=tuple(entry.sources),
    )


def _switches(
    folders: Iterable[Folder], sources: Mapping[str, str], topics: Mapping[str, Topic]
) -> dict[str, Switch]:
    files = read_files(folders, "switches.toml", SwitchesFile)
    found = by_id(placed(files, "switches", lambda file: file.switches), "key")
    return {key: _switch(item, sources, topics) for key, item in found.items()}


def _switch(
    item: Placed[SwitchEntry], sources: Mapping[str, str], topics: Mapping[str, Topic]
) -> Switch:
    entry = item.entry
    check_sources(item, entry.sources, sources)
    check_spans(item, "on", entry.on)
    check_spans(item, "disputed", entry.disputed)
    if entry.topic is not None and entry.topic not in topics:
        raise item.error("topic", f"there is no topic {entry.topic!r} in topics.toml")
    disputed = (
        SwitchSpan(first=day(span.first), last=day(span.last), why=span.why)
        for span in entry.disputed
    )
    return Switch(
        key=entry.key,
        document=entry.document,
        topic=entry.topic,
        meaning=entry.meaning.value(),
        on=tuple(_on(item, span, sources) for span in entry.on),
        disputed=tuple(disputed),
        sources=tuple(entry.sources),
    )


def _on(item: Placed[SwitchEntry], entry: OnEntry, sources: Mapping[str, str]) -> SwitchSpan:
    check_sources(item, entry.sources, sources)
    return SwitchSpan(
        first=day(entry.first),
        last=day(entry.last) if entry.last else None,
        status=entry.status,
        day=entry.day or entry.status,
        sources=tuple(entry.sources),
    )


def _tournament(
    folders: Iterable[Folder], sources: Mapping[str, str]
) -> tuple[TournamentDocument, ...]:
    files = read_files(folders, "tournament.toml", TournamentFile)
    found = by_id(placed(files, "documents", lambda file: file.documents), "id")
    for item in found.values():
        check_sources(item, item.entry.sources, sources)
    return tuple(
        TournamentDocument(
            id=key,
            status=found[key].entry.status,
            sources=tuple(found[key].entry.sources),
            note=found[key].entry.note,
            sideboard=text.value() if (text := found[key].entry.sideboard) else None,
        )
        for key in sorted(found)
    )
