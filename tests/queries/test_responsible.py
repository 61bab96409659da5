"""`responsible`: who answers by the policy of a day, how surely, and where policies differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput, NotFound
from domain.observation import Observation
from queries.record import GameRecord
from queries.responsible import CandidateView, ResponsibleAnswer, responsible
from tests.support.games import ALICE, BOB, Told, act, enters, fact, tell, turn
from whodecided.policy import load_policies

CAROL = "player:ca20100000000000"
LIBRARY = load_policies()


def controlled_spell(*after: Observation, **spell: Any) -> Told:
    """Alice controls Bob and has him cast a spell: event 4."""
    slaver = fact(
        "control_created",
        label="slaver",
        controller=ALICE,
        affected=(2,),
        scope="next_turn",
        source_card="Mindslaver",
    )
    return tell(slaver, turn(2), act("spell_cast", 2, card="1", **spell), *after)


def ask(record: GameRecord, number: int = 4, **asked: Any) -> ResponsibleAnswer:
    return responsible(record, number, LIBRARY, **asked)


def only(answer: ResponsibleAnswer) -> CandidateView:
    [candidate] = answer.candidates
    return candidate


def charged(candidate: CandidateView) -> dict[str, str]:
    return {charge.person: charge.infraction for charge in candidate.charges}


@pytest.mark.parametrize(
    ("policy", "primary", "statement"),
    [
        ("2015-06-30", BOB, "controlled-before-2016"),
        ("2015-07-01", BOB, "forum-controlled"),
        ("2016-07-21", ALICE, "ftw-own-infractions"),
        ("ipg-2016-07-22", ALICE, "controlled-since-2016"),
        ("ipg-2024-09-23", ALICE, "controlled-since-2016"),
        ("forum-2015-07", BOB, "forum-controlled"),
        ("wiki-ja-723", ALICE, "wiki-controller"),
        ("2026-09-25", ALICE, "wiki-controller"),
    ],
)
def test_who_answers_for_a_controlled_player_depends_on_the_policy(
    policy: str, primary: str, statement: str
) -> None:
    found = only(ask(controlled_spell().record(), infractions=("GRV",), policy=policy))

    assert found.primary == (primary,)
    assert charged(found) == {primary: "GRV"}
    assert found.statement is not None
    assert found.statement.id == statement
    assert found.review_required


def test_the_different_answers_stand_side_by_side_with_the_policies_that_give_them() -> None:
    found = only(ask(controlled_spell().record(), infractions=("MT",), policy="2018-06-01"))

    assert found.policies_differ
    assert [(one.primary, one.policies) for one in found.answers] == [
        (
            (BOB,),
            (
                "ipg-2013-02-08",
                "ipg-2014",
                "ipg-2015",
                "ipg-2016-04-08",
                "ipg-2016-07-22",
                "forum-2015-07",
            ),
        ),
        (
            (ALICE,),
            (
                "ipg-2016-09-30",
                "ipg-2018",
                "ipg-2019-07-12",
                "ipg-2024-09-23",
                "ftw-2016-07",
                "wiki-ja-723",
            ),
        ),
    ]
    assert {one.clause for one in found.answers} == {None}


def test_only_policies_that_know_the_infraction_are_compared() -> None:
    found = only(ask(controlled_spell().record(), infractions=("HCE",), policy="2022-03-01"))
    named = {policy for answer in found.answers for policy in answer.policies}

    assert named == set(LIBRARY.ids()) - {
        "ipg-2013-02-08",
        "ipg-2014",
        "ipg-2015",
        "forum-2015-07",
    }


def test_an_infraction_that_the_guide_does_not_have_names_nobody() -> None:
    found = only(ask(controlled_spell().record(), infractions=("HCE",), policy="2014-08-01"))

    assert not found.exists
    assert (found.primary, found.charges, found.penalties, found.statement) == ((), (), (), None)
    assert found.review_because == ("no-such-infraction",)


def test_the_default_is_the_policy_of_the_day_of_the_game() -> None:
    policy = ask(controlled_spell().record()).policy

    assert (policy.by, policy.day, policy.pack) == ("played_on", "2026-10-01", "ipg-2024-09-23")
    assert policy.readings == ("forum-2015-07", "ftw-2016-07", "wiki-ja-723")
    assert policy.asked is None


def without_day(told: Told, occurred_at: str | None) -> Told:
    """The same game with no stated day of play, its second event at a time."""
    opening, second, *others = told.events
    changed = (
        msgspec.structs.replace(opening, played_on=None),
        msgspec.structs.replace(second, occurred_at=occurred_at),
    )
    return replace(told, events=(*changed, *others))


def test_without_a_stated_day_it_is_the_utc_day_of_the_first_event_with_a_time() -> None:
    told = without_day(controlled_spell(), "2018-06-01T23:59:59.000000Z")
    policy = ask(told.record()).policy

    assert (policy.by, policy.day, policy.pack) == ("occurred_at", "2018-06-01", "ipg-2018")


def test_without_any_day_the_user_must_choose() -> None:
    record = without_day(controlled_spell(), None).record()

    with pytest.raises(BadInput, match="when the game was played"):
        ask(record)
    assert ask(record, policy="ipg-2018").policy.by == "asked"


def test_before_the_oldest_documents_the_oldest_is_used_and_marked_for_review() -> None:
    answer = ask(controlled_spell().record(), infractions=("MT",), policy="2006-02-01")

    assert (answer.policy.pack, answer.policy.review) == ("ipg-2013-02-08", True)
    assert only(answer).primary == (BOB,)
    assert only(answer).review_because == ("before-documents",)


def test_on_an_instruction_both_answer_and_no_review_is_needed() -> None:
    game = tell(
        fact(
            "control_created",
            label="slaver",
            controller=ALICE,
            affected=(2,),
            scope="next_turn",
        ),
        turn(2),
        fact("instructed", by=ALICE, to=BOB, secrets={"text": "cast it"}),
        act("spell_cast", 2, card="1", stated=ALICE, performer=BOB),
        act("priority_passed", 2),
        fact("note_added", about=5, text="GRV"),
    )
    found = only(ask(game.record(), 7, policy="2018-06-01"))

    assert (found.because, found.number, found.infraction) == ("found", 7, "GRV")
    assert charged(found) == {ALICE: "GRV", BOB: "GRV"}
    assert [charge.roles for charge in found.charges] == [("instructor",), ("performer",)]
    assert found.statement is not None
    assert found.statement.clause == "IPG 2.5"
    assert not found.review_required


def test_who_let_an_error_pass_is_a_further_person() -> None:
    game = tell(
        turn(1),
        act("spell_cast", 1, card="1"),
        act("priority_passed", 1),
        act("priority_passed", 2),
        players=(ALICE, BOB, CAROL),
    )
    found = only(ask(game.record(), 3, infractions=("GRV",), noticed=5, policy="2018-06-01"))

    assert found.primary == (ALICE,)
    assert found.also == (BOB, CAROL)
    assert charged(found) == {ALICE: "GRV", BOB: "FtMGS", CAROL: "FtMGS"}
    assert [one.id for one in found.further] == ["could-notice"]
    assert [one.infraction for one in found.penalties] == ["GRV", "FtMGS"]
    assert found.penalties[1].upgrade is None


def test_nobody_lets_anothers_trigger_pass() -> None:
    game = tell(turn(1), act("attackers_declared", 1), act("priority_passed", 1), turn(2))
    found = only(ask(game.record(), 3, infractions=("MT",), noticed=5, policy="2018-06-01"))

    assert charged(found) == {ALICE: "MT"}
    assert found.further == ()


def test_unless_somebody_says_when_it_was_noticed_nobody_let_it_pass_and_that_is_said() -> None:
    record = tell(turn(1), act("spell_cast", 1, card="1"), act("priority_passed", 1)).record()
    silent = ask(record, 3, infractions=("GRV",))

    assert only(silent).also == ()
    assert silent.cautions == ("noticing-unknown",)
    assert ask(record, 3, infractions=("GRV",), noticed=4).cautions == ()
    assert ask(record, 3, infractions=("MT",)).cautions == ()


def test_a_teammate_of_the_one_who_answers_let_nothing_pass() -> None:
    game = tell(
        turn(1),
        act("spell_cast", 1, card="1"),
        act("priority_passed", 1),
        act("priority_passed", 2),
        players=(ALICE, BOB, CAROL),
    )
    opening, *others = game.events
    pairs = zip(opening.seats, (1, 1, 2), strict=True)
    seats = tuple(msgspec.structs.replace(info, team=team) for info, team in pairs)
    teams = replace(game, events=(msgspec.structs.replace(opening, seats=seats), *others))
    found = only(ask(teams.record(), 3, infractions=("GRV",), noticed=5))

    assert charged(found) == {ALICE: "GRV", CAROL: "FtMGS"}


def test_default_penalty_exceptions_and_upgrade_are_those_of_the_day() -> None:
    [before] = only(
        ask(controlled_spell().record(), infractions=("MT",), policy="2016-09-29")
    ).penalties
    [after] = only(
        ask(controlled_spell().record(), infractions=("MT",), policy="2020-02-01", language="fr")
    ).penalties

    assert (before.number, before.default, before.name) == ("2.1", "none", "Missed Trigger")
    assert before.special == (("warning", "the ability is usually detrimental for its controller"),)
    assert before.upgrade is not None
    assert (before.upgrade.counts, before.upgrade.resets) == ("penalties", "days")
    assert after.name == "Capacité déclenchée manquée"
    assert after.upgrade is not None
    assert (after.upgrade.at, after.upgrade.counts) == (3, "warnings")


def test_what_a_finding_suggests_is_a_candidate() -> None:
    foreign = controlled_spell(paid_from=1)
    found = only(ask(foreign.record(), policy="2018-06-01"))

    assert (found.infraction, found.because, found.number) == ("GRV", "finding", 4)
    assert charged(found) == {ALICE: "GRV"}


def test_several_infractions_noted_in_one_event_are_several_candidates() -> None:
    game = controlled_spell(
        fact("note_added", about=4, text="GRV"),
        fact("note_added", about=4, text="a remark"),
        fact("note_added", about=4, text="SP"),
        fact("note_added", about=3, text="LEC"),
    )
    answer = ask(game.record(), policy="2018-06-01")

    assert [(one.infraction, one.number) for one in answer.candidates] == [("GRV", 5), ("SP", 7)]
    assert answer.roles.noticed == 5


def test_without_any_infraction_named_the_answer_is_for_whatever_it_may_be() -> None:
    found = only(ask(controlled_spell().record(), policy="2018-06-01"))

    assert (found.infraction, found.name, found.because) == (None, None, "any")
    assert found.primary == (ALICE,)
    assert (found.charges, found.penalties) == ((), ())


@pytest.mark.parametrize("note", ["CHEAT", "STALL"])
def test_an_infraction_that_needs_intent_is_never_proposed(note: str) -> None:
    assert LIBRARY.infractions[note].needs_intent
    record = controlled_spell(fact("note_added", about=4, text=note)).record()

    assert only(ask(record)).infraction is None
    with pytest.raises(BadInput, match="needs intent"):
        ask(record, infractions=(note,))


def test_a_decider_nobody_knows_needs_a_review() -> None:
    game = tell(turn(1), act("spell_cast", 1, card="1", stated="unknown"))
    answer = ask(game.record(), 3, infractions=("GRV",))

    assert only(answer).primary == (ALICE,)
    assert "decider-unknown" in only(answer).review_because
    assert answer.incomplete == ("The record does not say who decided.",)


def test_where_no_document_speaks_nobody_is_named() -> None:
    game = tell(
        turn(2), fact("seat_taken_over", seat=2, by="server:arena"), act("priority_passed", 2)
    )
    found = only(ask(game.record(), 4, infractions=("GRV",)))

    assert (found.primary, found.statement) == ((), None)
    assert found.review_because == ("no-statement",)
    assert not found.policies_differ


def test_a_decider_who_rests_on_a_gap_in_the_rules_needs_a_review() -> None:
    def slaver(label: str, controller: str, affected: int) -> Observation:
        return fact(
            "control_created",
            label=label,
            controller=controller,
            affected=(affected,),
            scope="this_turn",
        )

    circle = tell(
        turn(1), slaver("a", BOB, 1), slaver("b", ALICE, 2), act("spell_cast", 1, card="1")
    )
    found = only(ask(circle.record(), 5, infractions=("GRV",), policy="2018-06-01"))

    assert found.primary == ()
    assert {"no-statement", "decider-open", "rule-gap"} <= set(found.review_because)


def test_an_opponents_effect_can_make_both_answer() -> None:
    game = tell(
        enters("o7", 1, "stack", "7", controller=1),
        turn(1),
        act("choice_made", 2, source_object="o7"),
    )
    found = only(ask(game.record(), 4, infractions=("GRV",), policy="2013-06-01"))
    later = only(ask(game.record(), 4, infractions=("GRV",), policy="2018-06-01"))

    assert charged(found) == charged(later) == {BOB: "GRV", ALICE: "GRV"}
    assert not found.review_required
    assert later.review_required


def test_a_card_that_both_could_see_and_hands_not_the_deciders_are_cautions() -> None:
    game = controlled_spell(stated=ALICE, performer=BOB)
    answer = ask(game.record(), infractions=("HCE",), noticed=None, policy="2018-06-01")

    assert answer.cautions == ("noticing-unknown", "known-to-both", "carried-out-for-another")


def test_what_is_for_a_judge_is_never_decided() -> None:
    assert ask(controlled_spell().record()).not_decided == ("awareness", "intent", "remedy")


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"policy": "ipg-1999"}, BadInput, "no policy"),
        ({"policy": "yesterday"}, BadInput, "no policy"),
        ({"infractions": ("GRVV",)}, BadInput, "no infraction"),
        ({"noticed": 4}, BadInput, "event 4 is not after event 4"),
        ({"noticed": 99}, NotFound, "event"),
        ({"number": 99}, NotFound, "event"),
        ({"number": 0}, NotFound, "event"),
        ({"viewer": "9"}, NotFound, "seat"),
    ],
)
def test_what_is_not_there_is_an_error_with_words(
    asked: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask(controlled_spell().record(), **asked)


def test_texts_are_in_the_language_asked_for() -> None:
    found = {
        language: only(ask(controlled_spell().record(), infractions=("GRV",), language=language))
        for language in ("en", "fr", "ja")
    }

    assert [one.name for one in found.values()] == [
        "Game Rule Violation",
        "Violation des règles du jeu",
        "ゲームルール抵触行為",
    ]
    assert len({one.statement.text for one in found.values() if one.statement}) == 3
    assert len({one.primary for one in found.values()}) == 1


@given(
    st.sampled_from(LIBRARY.ids()),
    st.sampled_from([code for code, one in LIBRARY.infractions.items() if not one.needs_intent]),
    st.booleans(),
)
def test_the_answer_of_a_policy_is_among_the_answers_side_by_side(
    policy: str, code: str, late: bool
) -> None:
    game = controlled_spell(act("priority_passed", 2))
    noticed = 5 if late else None
    answer = ask(game.record(), infractions=(code,), policy=policy, noticed=noticed)
    found = only(answer)
    mine = [one for one in found.answers if policy in one.policies]

    assert len(mine) == int(found.exists)
    assert found.policies_differ is (len(found.answers) > 1)
    for one in mine:
        assert one.primary == found.primary
        assert {c.person: c.infraction for c in one.charges} == charged(found)
    assert set(found.also).isdisjoint(found.primary)
    assert found.review_required is bool(found.review_because)
