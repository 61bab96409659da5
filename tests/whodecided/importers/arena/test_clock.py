"""Times of all eras become microseconds, and what is ambiguous stays unknown."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whodecided.importers.arena.clock import Moment, local_micros, moment, utc_micros

WHEN = dt.datetime(2026, 4, 12, 19, 19, 27)
MICROS = int(WHEN.replace(tzinfo=dt.UTC).timestamp()) * 1_000_000


def test_epoch_milliseconds_and_ticks_name_the_same_moment() -> None:
    assert utc_micros("1776021567832") == MICROS + 832_000
    assert utc_micros("639116183678320000") == MICROS + 832_000
    assert utc_micros(1_776_021_567_832) == MICROS + 832_000


@given(st.datetimes(dt.datetime(1970, 1, 2), dt.datetime(9999, 12, 31)))
def test_ticks_keep_every_microsecond(when: dt.datetime) -> None:
    micros = (when - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    ticks = (when - dt.datetime(1, 1, 1)) // dt.timedelta(microseconds=1) * 10
    assert utc_micros(str(ticks)) == micros


@pytest.mark.parametrize("text", [None, "", "x", "0", "-5", "9" * 19, "9" * 4000, "1.5"])
def test_what_is_no_time_is_none(text: str | None) -> None:
    assert utc_micros(text) is None
    assert moment(text, "server", None) == Moment(None, "none")


@pytest.mark.parametrize(
    "header",
    [
        "4/12/2026 7:19:27 PM",
        "04/12/2026 07:19:27 pm",
        "4/12/2026 7:19:27 p.m.",
        "12.04.2026 19:19:27",
        "2026-04-12 19:19:27",
        "2026/04/12 19:19:27",
        "2026. 04. 12. 19:19:27",
        "2026-04-12T19:19:27",
    ],
)
def test_local_times_of_known_formats_are_read(header: str) -> None:
    assert local_micros(header) == MICROS


@pytest.mark.parametrize(
    ("header", "day"),
    [("13/04/2026 19:19:27", 13), ("04/13/2026 19:19:27", 13), ("04/04/2026 19:19:27", 4)],
)
def test_day_and_month_are_told_apart_when_only_one_reading_is_possible(
    header: str, day: int
) -> None:
    when = WHEN.replace(day=day, tzinfo=dt.UTC)
    assert local_micros(header) == int(when.timestamp()) * 1_000_000


@pytest.mark.parametrize(
    "header", ["04/05/2026 19:19:27", "31.02.2026 19:19:27", "yesterday", "4/12/2026 25:00:00"]
)
def test_an_ambiguous_or_impossible_local_time_is_unknown(header: str) -> None:
    assert local_micros(header) is None


def test_noon_and_midnight_are_read_as_on_a_clock_face() -> None:
    noon = local_micros("4/12/2026 12:00:00 PM")
    midnight = local_micros("4/12/2026 12:00:00 AM")
    assert noon is not None
    assert midnight is not None
    assert noon - midnight == 12 * 3600 * 1_000_000


def test_the_entrys_own_time_goes_before_the_local_time_of_its_header() -> None:
    header = "4/12/2026 7:19:27 PM"
    assert moment("1776021567832", "client", header) == Moment(MICROS + 832_000, "client")
    assert moment(None, "client", header) == Moment(MICROS, "local")
    assert moment(None, "client", "04/05/2026 19:19:27") == Moment(None, "none")
