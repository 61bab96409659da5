"""What the lines of client logs of all years look like, as patterns over bytes."""

from __future__ import annotations

import re

__all__ = [
    "CLOSE_OR_OTHER",
    "COUNTER",
    "DETAILED",
    "FRESH",
    "HEADER_TIME",
    "KEY",
    "LINE",
    "LINE_END",
    "LISTED",
    "LISTED_TYPE",
    "NEXT_LINE",
    "PEER",
    "balanced_end",
]

# Archived logs put a frame counter before each line: `[3258808] `.
_COUNTER = rb"(?:\[\d+\] ?)?"
_BEGINNING = _COUNTER + rb"(?:(\{)|(\[Message summarized)|(DETAILED LOGS:))"

LINE = re.compile(_BEGINNING)
"""A line that may matter; group 1: an object, 2: the summary marker, 3: a new session."""

NEXT_LINE = re.compile(rb"\n" + _BEGINNING)
"""The next such line; far cheaper than looking at every line."""

LINE_END = re.compile(rb"\n")

KEY = re.compile(
    rb'"(?:greToClientEvent|clientToMatchServiceMessageType'
    rb'|matchGameRoomStateChangedEvent|clientToGreMessage)"'
)
"""A key that only the envelopes of game entries have."""

PEER = re.compile(rb"Match to |to Match:")
"""A header line of an entry from or to the match service."""

HEADER_TIME = re.compile(
    rb"(?:\[[^\]]*\] ?)*(\d[\d/.\- ]{5,12}[ T]\d{1,2}[:.]\d\d[:.]\d\d(?: ?[AaPp]\.? ?[Mm]\.?)?)"
)
"""Date and time in a header line, in any locale's format."""

CLOSE_OR_OTHER = re.compile(rb"\n" + _COUNTER + rb"(?:(\})|[\[{]|\d{1,4}[/.-]\d|DETAILED LOGS:)")
"""The end of a pretty-printed object (group 1), or a line that cannot be inside one.

Inside one every line begins with a space; a header, a marker or another object does not.
"""

COUNTER = re.compile(rb"(?m)^\[\d+\] ?")

LISTED = re.compile(rb"(?::|<[^>\n]*>)[^\n]*")
"""A line below a summary marker that belongs to it (its punctuation may have been blanked)."""

LISTED_TYPE = re.compile(rb"(?::::|<[^>\n]*>:) (\w+)\s*$")
"""Such a line that names a message type (group 1)."""

DETAILED = re.compile(rb"DETAILED LOGS: *(ENABLED|DISABLED)")

FRESH = re.compile(_COUNTER + rb"(?:\{|\[Message summ|\[UnityCross|\[Client GRE|DETAILED LOGS:)")
"""What begins a line for certain: a file that starts so does not continue a torn line of text."""

_STRING_OR_BRACE = re.compile(rb'"(?:[^"\\]++|\\(?s:.))*+"|[{}]')


def balanced_end(raw: bytes) -> int | None:
    """Index after the brace that closes the object at the beginning of `raw`; None if it is torn.

    Braces inside strings do not count.
    """
    depth = 0
    for match in _STRING_OR_BRACE.finditer(raw):
        symbol = raw[match.start()]
        if symbol == 0x7B:
            depth += 1
        elif symbol == 0x7D:
            depth -= 1
            if depth == 0:
                return match.end()
    return None
