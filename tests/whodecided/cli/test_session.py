"""A run ends with the exit code that counts most among several reasons."""

from __future__ import annotations

import itertools

import pytest
import typer

from domain.errors import NotFound
from whodecided.cli.session import PRECEDENCE, Session, reported
from whodecided.cli.settings import Common


def code_of(*reasons: int) -> int:
    session = Session(Common())
    try:
        with reported(session):
            for reason in reasons:
                session.ends_with(reason)
    except typer.Exit as end:
        return end.exit_code
    return 0


def test_without_a_reason_all_is_well() -> None:
    assert code_of() == 0


@pytest.mark.parametrize("pair", list(itertools.permutations(PRECEDENCE, 2)))
def test_of_two_reasons_the_first_in_the_order_3_2_5_4_6_1_counts(pair: tuple[int, int]) -> None:
    assert code_of(*pair) == min(pair, key=(3, 2, 5, 4, 6, 1).index)


def test_an_expected_error_counts_with_the_other_reasons(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = Session(Common())
    session.ends_with(6)
    with pytest.raises(typer.Exit) as end, reported(session):
        raise NotFound("game", "x")

    assert end.value.exit_code == 4
    assert "no game 'x'" in capsys.readouterr().err


def test_an_unexpected_error_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError), reported(Session(Common())):
        print(1 / 0)


def test_an_interrupt_ends_without_a_traceback() -> None:
    with pytest.raises(typer.Exit) as end, reported(Session(Common())):
        raise KeyboardInterrupt

    assert end.value.exit_code == 130
