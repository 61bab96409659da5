"""The data dictionary, made from the schema: `python -m projections.dictionary`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from projections.bookkeeping import BOOKKEEPING
from projections.columns import Table
from projections.macros import MEANINGS
from projections.schema import TABLES

__all__ = ["PAGE", "dictionary_page", "main"]

PAGE: Final = Path("docs/data-dictionary.md")
_HEAD: Final = """# Data dictionary

The tables of the views, made from the events and from nothing else. This page is made from the code
(`python -m projections.dictionary`); a test keeps it true.

Numbers of events are those of the event's own stream, from 1. Stretches reach from just after
event `number` to just after event `to_number`. Times are in UTC. Players stand as pseudonyms. No
column holds a hidden card.
"""
_MACROS: Final = """
## Macros

A game is given by its id or by the first digits of it (eight are enough for people).
A column that is given needs the name of its table: `FROM decisions d, who(d.game_id, d.number)`.

| macro | answer |
| --- | --- |
"""
_BOOKKEEPING: Final = """
# Bookkeeping

What the views keep about themselves.
"""


def dictionary_page() -> str:
    """The page as Markdown text."""
    macros = (f"| `{call}` | {meaning} |\n" for call, meaning in MEANINGS.items())
    return "".join(
        [
            _HEAD,
            *_tables(TABLES.values()),
            _MACROS,
            *macros,
            _BOOKKEEPING,
            *_tables(BOOKKEEPING.values()),
        ]
    )


def _tables(tables: Iterable[Table]) -> Iterator[str]:
    for table in tables:
        key = ", ".join(f"`{name}`" for name in table.key)
        yield f"\n## {table.name}\n\n{table.meaning}"
        yield f" Key: {key}.\n\n" if key else "\n\n"
        yield "| column | type | null | meaning |\n| --- | --- | --- | --- |\n"
        for column in table.columns:
            null = "yes" if column.nullable else ""
            yield f"| `{column.name}` | {column.type} | {null} | {column.meaning} |\n"


def main() -> None:
    """Write the page into the `docs` folder below the working directory."""
    PAGE.write_text(dictionary_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
