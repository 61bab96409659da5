"""A bundle for people: one HTML page without scripts or anything from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from domain.events.registry import name_of
from whodecided.evidence.statement import DOES_NOT_PROVE, PROVES

__all__ = ["EventRow", "summary_page"]

EventRow = tuple[int, Any, Mapping[str, str]]
"""Number, the event (None where withheld) and the disclosed values by field."""

_HEAD: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ border-bottom: 1px solid #999; padding: .3rem .5rem; text-align: left }}
td {{ vertical-align: top }}
.other td {{ background: #fff3d6; color: #000 }}
code {{ overflow-wrap: anywhere }}
@media print {{ thead {{ display: table-header-group }} tr {{ break-inside: avoid }} }}
</style>
</head>
<body>
<h1>{title}</h1>
"""
_COLUMNS: Final = (
    "event",
    "time",
    "what",
    "acting seat",
    "deciding player",
    "authority",
    "known",
    "disclosed",
)


def summary_page(title: str, facts: Sequence[tuple[str, str]], rows: Iterable[EventRow]) -> str:
    """The page: facts as (name, value), one row per event, and what the bundle proves."""
    return "".join(_page(title, facts, rows))


def _page(title: str, facts: Sequence[tuple[str, str]], rows: Iterable[EventRow]) -> Iterator[str]:
    yield _HEAD.format(title=escape(title))
    yield "<table>\n<caption>This record</caption>\n<tbody>\n"
    for name, value in facts:
        yield f'<tr><th scope="row">{escape(name)}</th><td><code>{escape(value)}</code></td></tr>\n'
    yield "</tbody>\n</table>\n<h2>Events</h2>\n"
    yield "<p>Shaded: the deciding player is not the acting seat's own.</p>\n<table>\n<thead><tr>"
    yield from (f'<th scope="col">{name}</th>' for name in _COLUMNS)
    yield "</tr></thead>\n<tbody>\n"
    for number, event, disclosed in rows:
        yield _row(number, event, disclosed)
    yield "</tbody>\n</table>\n"
    for heading, lines in (("What it proves", PROVES), ("What it does not prove", DOES_NOT_PROVE)):
        yield f"<h2>{heading}</h2>\n<ul>\n"
        yield from (f"<li>{escape(line)}</li>\n" for line in lines)
        yield "</ul>\n"
    yield "</body>\n</html>\n"


def _row(number: int, event: Any, disclosed: Mapping[str, str]) -> str:
    if event is None:
        return f'<tr><td>{number}</td><td colspan="{len(_COLUMNS) - 1}">withheld</td></tr>\n'
    stamp = getattr(event, "stamp", None)
    values = "; ".join(f"{field}: {value}" for field, value in sorted(disclosed.items()))
    cells = [event.occurred_at or "", name_of(event.TOPIC).replace("_", " ")]
    if stamp is None:
        cells += ["", "", "", ""]
    else:
        ref = "" if stamp.authority.ref is None else f", event {stamp.authority.ref}"
        seat = "" if stamp.acting_seat is None else str(stamp.acting_seat)
        kind = stamp.authority.kind.replace("_", " ")
        cells += [seat, stamp.deciding_player, f"{kind}{ref}", stamp.basis]
    other = stamp is not None and stamp.authority.kind not in ("self", "rules")
    marked = ' class="other"' if other else ""
    body = "".join(f"<td>{escape(cell)}</td>" for cell in (*cells, values))
    return f"<tr{marked}><td>{number}</td>{body}</tr>\n"
