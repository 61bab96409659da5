"""Times of entries as integer microseconds, with the quality of the clock they come from."""

from __future__ import annotations

import datetime as dt
import re
from typing import Literal, NamedTuple

__all__ = ["Moment", "local_micros", "moment", "utc_micros"]

Clock = Literal["server", "client", "local", "none"]


class Moment(NamedTuple):
    """Microseconds since 1970-01-01, and the clock they come from.

    `server` and `client` are UTC; a `local` wall clock has no known zone and is counted as if it
    were UTC; `none` goes with None.
    """

    micros: int | None
    clock: Clock


_TICKS_PER_MICROSECOND = 10
_TICKS_AT_EPOCH = 621_355_968_000_000_000  # .NET ticks from the year 1 to 1970
_LEAST_TICKS = 10**17
_LATEST = 253_402_300_800_000_000  # the year 10000
_EPOCH = dt.datetime(1970, 1, 1)

_LOCAL = re.compile(
    r"(\d{1,4})[./ -]{1,2}(\d{1,2})[./ -]{1,2}(\d{1,4})\.?[ T]+"
    r"(\d{1,2})[:.](\d\d)[:.](\d\d)(?: ?([AaPp])\.? ?[Mm])?"
)


def utc_micros(timestamp: str | int | None) -> int | None:
    """Normalise an envelope's timestamp: .NET ticks (18 digits) or epoch milliseconds, both UTC.

    None when it is absent, no number, or outside the years 1970 to 9999.
    """
    try:
        number = int(timestamp or 0)
    except ValueError:
        return None
    if number >= _LEAST_TICKS:
        micros = (number - _TICKS_AT_EPOCH) // _TICKS_PER_MICROSECOND
    else:
        micros = number * 1000
    return micros if 0 < micros < _LATEST else None


def local_micros(header: str) -> int | None:
    """Wall-clock microseconds of a header line's date and time; None where the format is ambiguous.

    With AM or PM the month comes first, with dots the day, with a four-digit number first the year.
    Otherwise day and month can only be told apart when one of them is above 12.
    """
    match = _LOCAL.match(header)
    if match is None:
        return None
    first, second, third = (int(part) for part in match.group(1, 2, 3))
    date = _order(first, second, third, dotted="." in header[:6], american=bool(match.group(7)))
    hour, minute, second_of_minute = (int(part) for part in match.group(4, 5, 6))
    if match.group(7):
        hour = hour % 12 + (12 if match.group(7) in "Pp" else 0)
    if date is None:
        return None
    try:
        moment = dt.datetime(*date, hour, minute, second_of_minute)
    except ValueError:
        return None
    return (moment - _EPOCH) // dt.timedelta(microseconds=1)


def _order(
    first: int, second: int, third: int, *, dotted: bool, american: bool
) -> tuple[int, int, int] | None:
    """Year, month and day."""
    if first > 31:
        return first, second, third
    if american or second > 12:
        return third, first, second
    if dotted or first > 12 or first == second:
        return third, second, first
    return None


def moment(timestamp: str | int | None, clock: Clock, header: str | None) -> Moment:
    """The time of an entry: its own timestamp, else the header line's local time, else none."""
    micros = utc_micros(timestamp)
    if micros is not None:
        return Moment(micros, clock)
    local = local_micros(header) if header else None
    return Moment(local, "none" if local is None else "local")
