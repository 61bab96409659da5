"""What a source says happened, before it becomes an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = ["Observation"]


class Observation(msgspec.Struct, frozen=True, gc=False):
    """One record of a source, in the words of the catalogue but without number and stamp.

    `event` is the short name of a game event. `fields` are its payload fields in plain form;
    `secrets` the plain values of its sealed fields. `record` is the source's own identity of the
    record. `occurred_at` is canonical time text. `acting_seat` and `team_seats` say whose action it
    is. `stated` is the decider the source states; null leaves it to the rules (`presumed` marks a
    source that could not know). `decision` is the decision asked of the kernel when it is not the
    event's name.
    """

    event: str
    record: str
    fields: Mapping[str, Any] = {}
    secrets: Mapping[str, Any] = {}
    occurred_at: str | None = None
    clock: str = "none"
    acting_seat: int | None = None
    team_seats: tuple[int, ...] | None = None
    stated: str | None = None
    presumed: bool = False
    performer: str | None = None
    decision: str | None = None
    action: str | None = None
    correlation: str | None = None
    causation: int | None = None
