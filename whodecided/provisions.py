"""The provisions of the five seeds, read from data files and checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from domain.errors import BadInput
from domain.rules.editions import Topic
from domain.rules.provisions import Provision, ProvisionSet
from domain.rules.text import LocalText
from whodecided.rulebook import load_rules
from whodecided.tomlfiles import (
    Entry,
    LocalEntry,
    Placed,
    Text,
    by_id,
    placed,
    read_files,
    rule_folders,
)

__all__ = ["load_provisions"]


class _ProvisionEntry(Entry):
    id: Annotated[str, Field(pattern=r"^\d{3}(\.\d+[a-z]?(/ex\d+)?|/n\d+)$")]
    topic: Text
    text: LocalEntry | None = None
    words_of: Text | None = None
    defect: LocalEntry | None = None
    implemented_by: list[Annotated[str, Field(pattern=r"^[a-z_.]+:[\w.]+$")]] = Field(
        default_factory=list
    )
    tested_by: list[Text] = Field(default_factory=list)
    not_implemented_because: Text | None = None


class _ProvisionsFile(Entry):
    seed: Annotated[str, Field(pattern=r"^\d{3}$")]
    family: Text
    provisions: Annotated[list[_ProvisionEntry], Field(min_length=1)]


@cache
def load_provisions(extra: Path | None = None) -> ProvisionSet:
    """The provisions of the product's seeds and those of a folder of the user's.

    Raises BadInput, naming file, key and reason, for anything that cannot be used: also for a
    provision with neither an implementation that is tested nor a reason, or with both.
    """
    folders = rule_folders(extra)
    files = read_files(folders, "provisions/", _ProvisionsFile)
    seeds = {path: file for each in files for path, file in each}
    found = by_id(placed(files, "provisions", lambda file: file.provisions), "id")
    library = load_rules(extra)
    for path, file in seeds.items():
        if file.family not in library.families:
            known = ", ".join(library.families)
            raise BadInput(str(path), f"family: no family {file.family!r}; known: {known}")
    provisions = {}
    for key, item in found.items():
        _check(item, seeds[item.path].seed, library.topics)
        provisions[key] = _provision(item, seeds[item.path], found)
    return ProvisionSet(MappingProxyType(provisions))


def _check(item: Placed[_ProvisionEntry], seed: str, topics: Mapping[str, Topic]) -> None:
    entry = item.entry
    if not entry.id.startswith(seed):
        raise item.error("id", f"{entry.id} is not of seed {seed}")
    if entry.topic not in topics:
        raise item.error("topic", f"there is no topic {entry.topic!r} in topics.toml")
    done = bool(entry.implemented_by) and bool(entry.tested_by)
    touched = bool(entry.implemented_by) or bool(entry.tested_by)
    if done == (entry.not_implemented_because is not None) or touched != done:
        reason = "implemented_by with tested_by is needed, or not_implemented_because alone"
        raise item.error("implemented_by", reason)


def _provision(
    item: Placed[_ProvisionEntry],
    file: _ProvisionsFile,
    found: Mapping[str, Placed[_ProvisionEntry]],
) -> Provision:
    entry = item.entry
    return Provision(
        id=entry.id,
        seed=file.seed,
        family=file.family,
        topic=entry.topic,
        text=_words(item, found),
        defect=entry.defect.value() if entry.defect else None,
        implemented_by=tuple(entry.implemented_by),
        tested_by=tuple(entry.tested_by),
        not_implemented_because=entry.not_implemented_because,
    )


def _words(
    item: Placed[_ProvisionEntry], found: Mapping[str, Placed[_ProvisionEntry]]
) -> LocalText:
    entry = item.entry
    if (entry.text is None) == (entry.words_of is None):
        raise item.error("text", "text or words_of is needed, not both")
    if entry.text is not None:
        return entry.text.value()
    other = found.get(entry.words_of or "")
    if other is None or other.entry.text is None:
        raise item.error("words_of", f"no provision {entry.words_of!r} with words of its own")
    return other.entry.text.value()
