"""Errors carry their facts, also across processes."""

from __future__ import annotations

import pickle

import pytest

from domain.errors import (
    AppendConflict,
    BadInput,
    EvidenceIncomplete,
    IntegrityFailure,
    LogUnavailable,
    LogUnreachable,
    NotEntitled,
    NotFound,
    PoisonEvent,
    WhodecidedError,
)

ERRORS = [
    AppendConflict("g", 3, "aa" * 32, "bb" * 32),
    BadInput("Player.log", "torn JSON", line=7, advice="Look at the line."),
    EvidenceIncomplete("game g", "a gap", advice="Import the earlier log."),
    IntegrityFailure("game g", "a hole"),
    LogUnavailable("log", "the disk is full", advice="Free some space."),
    LogUnreachable("postgres://", "the server is gone", advice="Wait."),
    NotEntitled("spectator", "a hand"),
    NotFound("game", "g", advice="List the games."),
    PoisonEvent("g", 3, "unknown topic"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_the_way_to_another_process(error: WhodecidedError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
    assert copy.exit_code == error.exit_code
