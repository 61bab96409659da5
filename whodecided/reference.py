"""Write the reference pages that are made from the code: `python -m whodecided.reference`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from domain.events.base import DecisionEvent, Event
from domain.events.registry import FAMILIES, name_of, schemas, sealed_fields
from whodecided.coverage import coverage_page
from whodecided.provisions import load_provisions
from whodecided.rulebook import load_rules

__all__ = ["events_page", "main", "rules_page", "schema_files"]

_STREAM_FIELDS = frozenset({"game_id", "match_id", "case_id"})
_COMMON = frozenset({*Event.model_fields, "stamp", *_STREAM_FIELDS})
_OPTIONAL = frozenset(DecisionEvent.model_fields) - _COMMON
_HEAD = """# Events

What can be recorded. This page is made from the code (`python -m whodecided.reference`); a test
keeps it true. The JSON Schema of every event is in [schemas/](schemas/).

Every event has the envelope:

| field | meaning |
| --- | --- |
"""
_MIDDLE = """
Events with a stamp have `stamp`: `acting_seat`, `team_seats`, `deciding_player`, `performer`,
`authority` {`kind`, `ref`}, `decision_class`, `basis`, `reading`.

| stamp of an event | means |
| --- | --- |
| none | frame and log events: nobody chooses them |
| facts | nobody decides: deciding player and authority are `rules` |
| game, tournament, remedy | a decision of that class, with the fields below |

Every decision may also have:

| field | meaning |
| --- | --- |
"""


def _row(name: str, meaning: str | None) -> str:
    return f"| `{name}` | {meaning or ''} |\n"


def _stamp_kind(event: type[Event]) -> str:
    if "stamp" not in event.model_fields:
        return "none"
    if issubclass(event, DecisionEvent):
        return event.DECISION_CLASS
    return "game" if name_of(event.TOPIC) in ("decision_requested", "request_refused") else "facts"


def _event_section(event: type[Event]) -> Iterator[str]:
    yield f"\n### {name_of(event.TOPIC)}\n\n"
    summary = (event.__doc__ or "").strip().partition("\n")[0]
    yield f"{summary} Topic `{event.TOPIC}`, stamp: {_stamp_kind(event)}.\n"
    skip = _COMMON | (_OPTIONAL if issubclass(event, DecisionEvent) else frozenset())
    fields = {name: info for name, info in event.model_fields.items() if name not in skip}
    if fields:
        yield "\n| field | sealed | meaning |\n| --- | --- | --- |\n"
    sealed = sealed_fields(event)
    for name, info in fields.items():
        yield f"| `{name}` | {'yes' if name in sealed else ''} | {info.description or ''} |\n"


def events_page() -> str:
    """The Markdown of docs/events.md: event x fields x stamp, by family."""
    parts = [_HEAD]
    parts += [_row(name, info.description) for name, info in Event.model_fields.items()]
    parts.append(_row("topic", "The event's type and version."))
    parts.append(_row("game_id, match_id or case_id", "The stream the event belongs to."))
    parts.append(_MIDDLE)
    fields = DecisionEvent.model_fields
    parts += [_row(name, fields[name].description) for name in sorted(_OPTIONAL)]
    for family, members in FAMILIES.items():
        parts.append(f"\n## {family}\n")
        for event in members:
            parts += _event_section(event)
    return "".join(parts)


def schema_files() -> dict[str, str]:
    """File name -> JSON Schema text of every event."""
    return {
        f"{topic.replace('/', '.')}.json": json.dumps(schema, indent=1, sort_keys=True) + "\n"
        for topic, schema in schemas().items()
    }


def rules_page() -> str:
    """The Markdown of docs/rules-coverage.md: what became of every clause of every edition."""
    return coverage_page(load_rules(), load_provisions())


def main() -> None:
    """Write docs/events.md, docs/schemas and docs/rules-coverage.md below the project's root."""
    docs = Path(__file__).resolve().parent.parent / "docs"
    (docs / "schemas").mkdir(parents=True, exist_ok=True)
    (docs / "events.md").write_text(events_page(), encoding="utf-8")
    (docs / "rules-coverage.md").write_text(rules_page(), encoding="utf-8")
    for name, text in schema_files().items():
        (docs / "schemas" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
