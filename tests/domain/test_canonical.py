"""Canonical JSON and times."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import MAX_INT, canonical_json, format_time

KEYS = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INT, MAX_INT)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_inside_the_profile_the_bytes_equal_rfc_8785(value: object) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)  # type: ignore[arg-type]  # any JSON value


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)))
def test_times_are_rfc_3339_with_exactly_six_digits(moment: datetime) -> None:
    aware = moment.replace(tzinfo=UTC)
    since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    microseconds = since.days * 86_400_000_000 + since.seconds * 1_000_000 + since.microseconds
    text = format_time(microseconds)

    assert len(text) == len("2026-01-01T00:00:00.000000Z")
    assert datetime.fromisoformat(text) == aware


def test_a_time_outside_the_calendar_is_refused() -> None:
    with pytest.raises(OverflowError):
        format_time(10**18)
