"""`penalties`: how many a person has, and what the next one would be."""

from __future__ import annotations

from domain.rules.counting import AssessedPenalty, Occasion
from queries.penalties import penalties
from whodecided.policy import load_policies

FIRST_DAY = Occasion(tournament="open", day=1)
SECOND_DAY = Occasion(tournament="open", day=2)


def warning(person: str, infraction: str, occasion: Occasion = FIRST_DAY) -> AssessedPenalty:
    return AssessedPenalty(
        person=person, infraction=infraction, penalty="warning", occasion=occasion
    )


def test_every_person_and_infraction_has_a_line_with_the_next_penalty() -> None:
    given = [
        warning("player:alice", "GRV"),
        warning("player:bob", "FtMGS"),
        warning("player:alice", "GRV"),
        warning("player:alice", "LEC"),
    ]
    answer = penalties(load_policies().policy("2019-07-12"), given, FIRST_DAY)

    assert (answer.policy, answer.pack) == ("ipg-2019-07-12", "ipg-2019-07-12")
    assert [(one.person, one.infraction, one.earlier, one.penalty) for one in answer.counts] == [
        ("player:alice", "GRV", 2, "game_loss"),
        ("player:bob", "FtMGS", 0, "warning"),
        ("player:alice", "LEC", 1, "warning"),
    ]


def test_a_new_day_begins_anew_but_keeps_the_line() -> None:
    given = [warning("player:alice", "GRV")] * 2
    [line] = penalties(load_policies().policy("2019-07-12"), given, SECOND_DAY).counts

    assert (line.earlier, line.place, line.penalty) == (0, 1, "warning")


def test_without_penalties_there_is_nothing_to_count() -> None:
    assert penalties(load_policies().policy("2019-07-12"), [], FIRST_DAY).counts == ()
