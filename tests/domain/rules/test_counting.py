"""Earlier penalties upgrade a later one, and the count begins anew as the documents say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.counting import AssessedPenalty, Occasion, count_penalty
from domain.rules.policy import Penalty
from whodecided.policy import load_policies

OPEN = "open-1"
ALICE = "player:alice"


def given_penalty(
    infraction: str = "GRV",
    penalty: Penalty = "warning",
    *,
    day: int = 1,
    stage: int = 1,
    person: str = ALICE,
    tournament: str = OPEN,
) -> AssessedPenalty:
    occasion = Occasion(tournament=tournament, day=day, stage=stage)
    return AssessedPenalty(person=person, infraction=infraction, penalty=penalty, occasion=occasion)


def next_penalty(
    policy: str, infraction: str, *earlier: AssessedPenalty, day: int = 1, stage: int = 1
) -> tuple[int, Penalty | None]:
    now = Occasion(tournament=OPEN, day=day, stage=stage)
    found = count_penalty(load_policies().policy(policy), ALICE, infraction, now, earlier)
    assert found.upgraded == (found.penalty != found.default)
    return found.place, found.penalty


def test_the_third_violation_of_the_rules_on_a_day_is_a_game_loss() -> None:
    one = given_penalty()

    assert next_penalty("2018-06-01", "GRV") == (1, "warning")
    assert next_penalty("2018-06-01", "GRV", one) == (2, "warning")
    assert next_penalty("2018-06-01", "GRV", one, one) == (3, "game_loss")
    assert next_penalty("2018-06-01", "GRV", one, one, one) == (4, "game_loss")


def test_the_second_warning_for_slow_play_is_a_game_loss() -> None:
    assert next_penalty("2024-10-01", "SP", given_penalty("SP")) == (2, "game_loss")


def test_letting_an_error_pass_is_never_upgraded() -> None:
    five = [given_penalty("FtMGS")] * 5

    assert next_penalty("2018-06-01", "FtMGS", *five) == (0, "warning")


def test_an_infraction_without_a_penalty_is_not_upgraded() -> None:
    assert next_penalty("2018-06-01", "MT", *[given_penalty("MT")] * 4) == (0, "none")


@pytest.mark.parametrize(
    ("policy", "day", "stage", "place"),
    [
        ("2018-06-30", 2, 1, 1),
        ("2018-06-30", 1, 2, 3),
        ("2018-07-01", 2, 1, 3),
        ("2018-09-30", 1, 2, 1),
        ("2018-10-01", 2, 1, 1),
        ("2018-10-01", 1, 2, 3),
    ],
)
def test_the_count_begins_anew_each_day_or_in_summer_2018_after_each_cut(
    policy: str, day: int, stage: int, place: int
) -> None:
    two = [given_penalty()] * 2

    assert next_penalty(policy, "GRV", *two, day=day, stage=stage)[0] == place


@pytest.mark.parametrize(("policy", "place"), [("2020-01-23", 3), ("2020-01-24", 2)])
def test_from_2020_on_only_warnings_count(policy: str, place: int) -> None:
    earlier = (given_penalty(), given_penalty(penalty="game_loss"))

    assert next_penalty(policy, "GRV", *earlier)[0] == place


@pytest.mark.parametrize(
    "other",
    [
        given_penalty("LEC"),
        given_penalty(person="player:bob"),
        given_penalty(tournament="open-2"),
        given_penalty(penalty="none"),
    ],
)
def test_what_another_did_or_elsewhere_or_without_a_penalty_does_not_count(
    other: AssessedPenalty,
) -> None:
    assert next_penalty("2018-06-01", "GRV", other, other, other) == (1, "warning")


def test_an_infraction_the_guide_does_not_have_has_no_penalty() -> None:
    assert next_penalty("2014-08-01", "HCE", given_penalty("HCE")) == (0, None)


@given(
    st.lists(st.builds(given_penalty, st.sampled_from(["GRV", "LEC", "FtMGS"])), max_size=8),
    st.sampled_from(load_policies().ids()),
    st.data(),
)
def test_the_order_of_earlier_penalties_does_not_matter_and_more_never_soften(
    earlier: list[AssessedPenalty], policy: str, data: st.DataObject
) -> None:
    mixed = data.draw(st.permutations(earlier))

    place, penalty = next_penalty(policy, "GRV", *earlier)
    assert next_penalty(policy, "GRV", *mixed) == (place, penalty)
    later, harder = next_penalty(policy, "GRV", *earlier, given_penalty())
    assert later == place + 1
    assert (penalty, harder) in {
        ("warning", "warning"),
        ("warning", "game_loss"),
        ("game_loss", "game_loss"),
    }
