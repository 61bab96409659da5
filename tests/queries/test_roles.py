"""Roles in an event, what it is like in the words of policy, and who could notice it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.observation import Observation
from domain.rules.policy import Situation
from queries.roles import RolesView, persons_in, roles_in, situations_in
from tests.support.games import ALICE, BOB, act, enters, fact, tell, turn

CAROL = "player:ca20100000000000"


def control(affected: int = 2, controller: str = ALICE) -> Observation:
    return fact(
        "control_created",
        label="slaver",
        controller=controller,
        affected=(affected,),
        scope="next_turn",
        source_card="Mindslaver",
    )


def told(
    *seen: Observation, at: str, noticed: str | None = None, viewer: str = "judge", **more: Any
) -> tuple[RolesView, frozenset[Situation]]:
    """Roles and situations of the last event named `at`."""
    game = tell(*seen, **more)
    record, number = game.record(), game.number_of(at)
    end = None if noticed is None else game.number_of(noticed)
    roles = roles_in(record, number, noticed=end, viewer=viewer)
    return roles, situations_in(record, number, roles)


def test_ones_own_decision_is_ones_own() -> None:
    roles, situations = told(turn(1), act("spell_cast", 1, card="1"), at="spell_cast")

    assert (roles.acting_seat, roles.acting_player, roles.answering) == (1, ALICE, ALICE)
    assert situations == {"own_decision"}
    assert persons_in(roles, "performer") == (ALICE,)
    assert persons_in(roles, "instructor") == ()


def test_the_decision_of_a_controlled_player_is_the_controllers() -> None:
    roles, situations = told(control(), turn(2), act("spell_cast", 2, card="1"), at="spell_cast")

    assert (roles.acting_player, roles.answering, roles.authority) == (
        BOB,
        ALICE,
        "control_effect",
    )
    assert situations == {"controlled"}


def test_what_a_controlled_player_does_as_recorded_is_their_own() -> None:
    _, situations = told(
        control(), turn(2), act("spell_cast", 2, card="1", stated=BOB), at="spell_cast"
    )

    assert situations == {"own_decision"}


def test_deciding_for_another_without_control_is_without_right() -> None:
    roles, situations = told(turn(2), act("spell_cast", 2, card="1", stated=ALICE), at="spell_cast")

    assert roles.answering == ALICE
    assert situations == {"without_right"}


def test_a_choice_effect_lets_another_choose_without_control() -> None:
    warcraft = fact(
        "choice_granted",
        label="warcraft",
        chooser=CAROL,
        affected=(1, 2, 3),
        decisions=("attackers",),
        lasts="this_turn",
        source_card="Master Warcraft",
    )
    roles, situations = told(
        turn(2),
        warcraft,
        act("attackers_declared", 2),
        at="attackers_declared",
        players=(ALICE, BOB, CAROL),
    )

    assert roles.answering == CAROL
    assert situations == {"chosen_for_another"}


def test_a_server_that_stands_in_is_nobody_whom_policy_knows() -> None:
    roles, situations = told(
        turn(2),
        fact("seat_taken_over", seat=2, by="server:arena"),
        act("priority_passed", 2),
        at="priority_passed",
    )

    assert roles.answering == "server:arena"
    assert situations == frozenset()


def test_an_unknown_decider_is_unknown() -> None:
    _, situations = told(turn(1), act("spell_cast", 1, card="1", stated="unknown"), at="spell_cast")

    assert situations == {"decider_unknown"}


@pytest.mark.parametrize(
    ("before", "expected"),
    [((turn(2),), BOB), ((control(), turn(2)), ALICE)],
    ids=["free", "controlled"],
)
def test_a_draw_that_nobody_decides_is_the_doing_of_who_decides_for_the_seat(
    before: tuple[Observation, ...], expected: str
) -> None:
    drawn = fact("card_drawn", seat=2, object="o9", secrets={"card": "9"})
    roles, _ = told(*before, drawn, at="card_drawn")

    assert (roles.acting_seat, roles.deciding_player, roles.answering) == (2, "rules", expected)


def test_an_event_of_the_frame_is_nobodys_doing() -> None:
    roles, situations = told(turn(1), at="turn_started")

    assert (roles.acting_seat, roles.answering, roles.deciding_player) == (None, None, None)
    assert situations == frozenset()
    assert persons_in(roles, "acting_player") == persons_in(roles, "deciding_player") == ()


def test_a_look_is_the_doing_of_the_one_who_looks() -> None:
    look = fact("looked_at", viewer=ALICE, zone="sideboard", owner=2)
    roles, situations = told(control(), turn(2), look, at="looked_at")

    assert (roles.acting_seat, roles.acting_player, roles.looking_player) == (1, ALICE, ALICE)
    assert situations == {"own_decision", "outside_the_game"}


@pytest.mark.parametrize(("zone", "outside"), [("hand", False), ("outside", True)])
def test_a_look_at_one_card_is_outside_the_game_only_if_the_card_is(
    zone: str, outside: bool
) -> None:
    look = fact("looked_at", viewer=ALICE, object="o5", secrets={"card": "5"})
    _, situations = told(enters("o5", 2, zone, "5"), turn(2), look, at="looked_at")

    assert ("outside_the_game" in situations) is outside


def instructed(by: str = ALICE, to: str = BOB) -> Observation:
    return fact("instructed", by=by, to=to, secrets={"text": "cast Wrath"})


def by_bob() -> Observation:
    return act("spell_cast", 2, card="1", stated=ALICE, performer=BOB)


def test_an_instruction_to_the_performer_counts() -> None:
    roles, situations = told(control(), turn(2), instructed(), by_bob(), at="spell_cast")

    assert roles.instruction is not None
    assert (roles.instruction.by, roles.instruction.to) == (ALICE, BOB)
    assert roles.instruction.text == "cast Wrath"
    assert "instructed" in situations
    assert persons_in(roles, "instructor") == (ALICE,)
    assert persons_in(roles, "performer") == (BOB,)


def test_the_words_of_an_instruction_are_not_shown_to_who_may_not_see_them() -> None:
    roles, _ = told(control(), turn(2), instructed(), by_bob(), at="spell_cast", viewer="spectator")

    assert roles.instruction is not None
    assert roles.instruction.text is None


@pytest.mark.parametrize(
    "between",
    [
        (instructed(to=ALICE),),
        (instructed(by=BOB),),
        (instructed(), turn(1), turn(2)),
        (instructed(), act("land_played", 2, card="2", stated=BOB)),
        (),
    ],
    ids=["to another", "to oneself", "in another turn", "before another decision", "none"],
)
def test_no_other_instruction_counts(between: tuple[Observation, ...]) -> None:
    roles, situations = told(turn(2), *between, by_bob(), at="spell_cast")

    assert roles.instruction is None
    assert "instructed" not in situations


def test_an_instruction_counts_for_every_decision_of_the_action() -> None:
    roles, _ = told(
        control(),
        turn(2),
        instructed(),
        act("spell_cast", 2, card="1", stated=ALICE, performer=BOB, action="a"),
        act("targets_chosen", 2, stated=ALICE, performer=BOB, action="a", targets=()),
        at="targets_chosen",
    )

    assert roles.instruction is not None


@pytest.mark.parametrize(("controller", "expected"), [(1, ALICE), (2, None)])
def test_a_choice_that_an_opponents_object_asks_for_is_known(
    controller: int, expected: str | None
) -> None:
    path = enters("o7", controller, "stack", "7", controller=controller)
    roles, situations = told(
        turn(1), path, act("choice_made", 2, source_object="o7"), at="choice_made"
    )

    assert roles.effect_controller == expected
    assert ("opponents_effect" in situations) is (expected is not None)


def test_everybody_at_the_table_could_notice_what_is_open() -> None:
    roles, _ = told(turn(1), act("spell_cast", 1, card="1", object="o1"), at="spell_cast")

    assert [(one.player, one.could) for one in roles.could_notice] == [
        (ALICE, "yes"),
        (BOB, "yes"),
    ]
    assert persons_in(roles, "others_who_could_notice", without=(ALICE,)) == (BOB,)


def test_a_card_drawn_is_noticed_in_part_by_who_may_not_see_it_and_wholly_under_control() -> None:
    drawn = fact("card_drawn", seat=2, object="o9", secrets={"card": "9"})
    free, _ = told(turn(2), drawn, at="card_drawn")
    controlled, _ = told(control(), turn(2), drawn, at="card_drawn")

    assert [(one.could, one.hidden) for one in free.could_notice] == [
        ("in_part", ("card",)),
        ("yes", ()),
    ]
    assert [one.could for one in controlled.could_notice] == ["yes", "yes"]


def test_who_has_left_could_not_notice() -> None:
    roles, _ = told(
        turn(1),
        fact("player_left", seat=3, reason="lost"),
        act("spell_cast", 1, card="1"),
        at="spell_cast",
        players=(ALICE, BOB, CAROL),
    )

    assert [one.could for one in roles.could_notice] == ["yes", "yes", "no"]


@pytest.mark.parametrize(
    ("between", "decisions", "late"),
    [
        ((), 0, False),
        ((act("judge_called", 2),), 0, False),
        ((act("priority_passed", 2, refused=True),), 0, False),
        ((fact("resolved", object="o1", seat=1),), 0, False),
        ((act("priority_passed", 1),), 1, True),
        ((act("cost_paid", 1, resource="mana", action="a"),), 0, False),
        ((fact("step_started", step="end", seat=1),), 0, True),
        ((turn(2), act("priority_passed", 2), act("priority_passed", 1)), 2, True),
    ],
)
def test_an_error_is_noticed_late_if_the_game_went_on(
    between: tuple[Observation, ...], decisions: int, late: bool
) -> None:
    error = act("spell_cast", 1, card="1", action="a")
    note = fact("note_added", about=3, text="GRV")
    roles, situations = told(turn(1), error, *between, note, at="spell_cast", noticed="note_added")

    assert roles.decisions_since == decisions
    assert ("noticed_late" in situations) is late
