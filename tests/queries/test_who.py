"""`who`: acting seat and deciding player of one event, with authority, rules and proof."""

from __future__ import annotations

import pytest

from domain.errors import NotFound
from queries.who import WhoAnswer, who
from tests.support.games import ALICE, BOB, act, fact, tell, turn
from tests.support.stories import controlled_turn, gap, stand_in


def proof(answer: WhoAnswer) -> dict[int, str]:
    return {one.number: one.why for one in answer.proof}


def test_a_spell_cast_under_control_is_the_controlled_seats_and_decided_by_the_controller() -> None:
    told = controlled_turn()
    answer = who(told.record(), told.number_of("spell_cast"))

    assert (answer.acting_seat, answer.acting_player) == (2, BOB)
    assert answer.deciding_player == ALICE
    assert answer.moment.active_seats == (2,)
    assert answer.moment.turn == 2
    assert answer.moment.step == "precombat_main"
    assert answer.decision_class == "game"
    assert answer.basis == "derived"
    assert answer.agrees is True
    assert answer.incomplete == ()


def test_the_authority_names_the_effect_and_the_interval_in_which_it_was_in_force() -> None:
    told = controlled_turn()
    authority = who(told.record(), told.number_of("spell_cast")).authority
    assert authority is not None
    effect = authority.effect
    assert effect is not None

    assert (authority.kind, authority.ref) == ("control_effect", told.number_of("control_created"))
    assert (effect.label, effect.source_card, effect.scope) == (
        "mindslaver",
        "Mindslaver",
        "next_turn",
    )
    assert (effect.created, effect.began, effect.ended) == (12, 13, 18)
    assert effect.reason == "next_turn_started"


def test_the_proof_is_the_request_the_event_and_the_events_of_the_effect() -> None:
    told = controlled_turn()

    assert proof(who(told.record(), 16)) == {
        16: "the event itself",
        15: "asked for the decision",
        12: "granted the authority",
        13: "brought the effect into force",
        18: "ended the effect",
    }


def test_the_rules_are_cited_with_document_number_edition_and_name() -> None:
    told = controlled_turn()
    rules = who(told.record(), told.number_of("spell_cast")).rules

    assert {(rule.document, rule.number, rule.edition) for rule in rules} >= {
        ("CR", "723.5", "2026-09-25")
    }
    assert all(rule.name for rule in rules)


def test_notes_and_disputes_stand_beside_the_stamp_and_change_nothing() -> None:
    told = controlled_turn()
    answer = who(told.record(), told.number_of("spell_cast"))

    assert answer.deciding_player == ALICE
    assert [(note.by, note.text) for note in answer.notes] == [
        ("judge:hj", "the judge was called here")
    ]
    assert [(one.claimed, one.by, one.grounds) for one in answer.disputes] == [
        (BOB, BOB, "I did this myself")
    ]


def test_a_concession_is_the_persons_own_whoever_controls_the_player() -> None:
    told = tell(
        turn(1),
        fact("control_created", label="x", controller=ALICE, affected=(2,), scope="next_turn"),
        turn(2),
        act("conceded", 2),
    )
    answer = who(told.record(), told.number_of("conceded"))

    assert (answer.acting_seat, answer.deciding_player) == (2, BOB)
    assert answer.authority is not None
    assert answer.authority.kind == "tournament_rule"
    assert answer.decision_class == "tournament"


def test_a_silent_decision_inside_a_take_over_is_the_stand_ins_and_belongs_to_the_person() -> None:
    told = stand_in()
    answer = who(told.record(), 4)
    assert answer.computed is not None

    assert answer.deciding_player == "server:arena"
    assert answer.authority is not None
    assert answer.authority.kind == "server"
    assert answer.computed.should_decide == BOB
    assert proof(answer)[3] == "took the seat over"
    assert who(told.record(), 7).deciding_player == BOB


def test_after_a_gap_the_decider_is_unknown_and_the_answer_says_so() -> None:
    told = gap()
    answer = who(told.record(), 5)

    assert answer.deciding_player == "unknown"
    assert answer.basis == "unknown"
    assert answer.incomplete == (
        "A gap in the record hides whose turn it is.",
        "A gap in the record hides who decided.",
    )
    assert proof(answer)[4] == "hides who decides"
    assert [finding.code for finding in answer.findings] == ["gap-before-decision"]


def test_a_concession_after_a_gap_is_not_uncertain_and_neither_is_what_follows_a_snapshot() -> None:
    record = gap().record()

    assert who(record, 6).deciding_player == BOB
    assert who(record, 8).deciding_player == ALICE
    assert who(record, 8).incomplete == ()


def test_a_stated_decider_is_kept_and_compared_with_the_computed_one() -> None:
    told = tell(turn(1), act("spell_cast", 1, stated=BOB))
    answer = who(told.record(), told.number_of("spell_cast"))
    assert answer.computed is not None

    assert (answer.deciding_player, answer.computed.deciding_player) == (BOB, ALICE)
    assert answer.agrees is False
    assert answer.findings != ()


def test_an_event_of_the_frame_has_no_decider() -> None:
    answer = who(controlled_turn().record(), 9)

    assert answer.event.event == "turn_started"
    assert (answer.acting_seat, answer.deciding_player, answer.recorded) == (None, None, None)
    assert answer.moment.active_seats == (1,)


def test_a_fact_of_play_is_decided_by_nobody() -> None:
    told = tell(turn(1), fact("life_changed", acting=1, seat=1, change=-2))
    answer = who(told.record(), told.number_of("life_changed"))

    assert answer.deciding_player == "rules"
    assert answer.authority is not None
    assert answer.authority.kind == "rules"


@pytest.mark.parametrize("number", [-1, 0, 25])
def test_a_number_the_game_does_not_have_is_not_found(number: int) -> None:
    with pytest.raises(NotFound) as raised:
        who(controlled_turn().record(), number)

    assert raised.value.advice == "It has the events 1 to 24."


def test_a_card_in_the_event_is_named_for_those_who_may_see_it_and_hidden_from_others() -> None:
    told = tell(fact("card_drawn", acting=2, seat=2, object="o1", secrets={"card": "777"}))
    record = told.record()

    views = {v: who(record, 2, v).event for v in ("1", "2", "spectator", "judge")}
    assert {v: view.details.get("card") for v, view in views.items()} == {
        "1": None,
        "2": "777",
        "spectator": None,
        "judge": "777",
    }
    assert views["1"].hidden == ("card",)
    assert views["2"].hidden == ()


def test_how_many_options_a_hidden_hand_gives_is_hidden_with_them() -> None:
    asked = fact(
        "decision_requested",
        acting=2,
        decision="choice_made",
        request_kind="ActionsAvailableReq",
        asked=(2,),
        answers_wanted=True,
        options_count=7,
        secrets={"options": "[]"},
    )
    record = tell(asked).record()
    views = {viewer: who(record, 2, viewer).event for viewer in ("1", "2", "spectator", "judge")}

    assert {name for name, view in views.items() if "options_count" in view.details} == {
        "2",
        "judge",
    }
    assert views["1"].hidden == ("options", "options_count")
    assert views["2"].details["options_count"] == 7


@pytest.mark.parametrize(
    ("cause", "consequence"),
    [("discard", True), ("sacrifice", True), ("surveil", True), ("destroy", False), (None, False)],
)
def test_a_move_that_carries_out_a_choice_is_told_as_a_consequence(
    cause: str | None, consequence: bool
) -> None:
    moved = fact("object_moved", object="o1", to_zone="graveyard", cause=cause)
    answer = who(tell(turn(1), moved).record(), 3)

    assert answer.deciding_player == "rules"
    assert answer.consequence is consequence
    assert answer.computed is not None
    assert answer.computed.because.startswith("A consequence") is consequence


def test_an_erased_value_is_told_apart_from_a_hidden_one() -> None:
    told = tell(fact("card_drawn", acting=2, seat=2, object="o1", secrets={"card": "777"}))
    erased = type(told)(told.game_id, told.events, ())

    assert who(erased.record(), 2, "judge").event.erased == ("card",)
    assert who(erased.record(), 2, "1").event.hidden == ("card",)
