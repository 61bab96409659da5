"""Who was entitled, in every constellation, and the rule and root that a finding names."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.findings import findings_of, lawful, verdict_on
from domain.findings.entitlement import entitlement
from domain.findings.finding import Finding
from domain.findings.record import of_object
from domain.findings.silence import reading_used
from tests.support.control_games import RULES, Game, player
from whodecided.rulebook import load_rulebook


def _controlled(**more: object) -> Game:
    game = Game(4)
    game.control("e1", 1, 2, "next_turn", **more)
    game.turn(2)
    return game


def _said(game: Game, number: int, **stamp: Any) -> str:
    event = game.events[number - 1]
    event = msgspec.structs.replace(event, stamp=msgspec.structs.replace(event.stamp, **stamp))
    before = game.states[number - 1]
    verdict = verdict_on(before, event, game.rules)
    assert verdict is not None
    return entitlement(before, event, verdict)


def _restamped(game: Game, number: int, **stamp: Any) -> tuple[Finding, ...]:
    event = game.events[number - 1]
    event = msgspec.structs.replace(event, stamp=msgspec.structs.replace(event.stamp, **stamp))
    return findings_of(game.states[number - 1], event, game.states[number], game.rules)


def _rule(game: Game, number: int) -> tuple[str, str | None, int]:
    (found,) = game.findings(number)
    return found.code, None if found.rule is None else found.rule.number, found.root


class TestEntitlement:
    def test_a_stamp_that_names_nobody_is_open_even_where_it_is_right(self) -> None:
        circle = Game(2)
        circle.control("e1", 1, 2, "this_turn")
        circle.control("e2", 2, 1, "this_turn")
        gap = Game()
        gap.gap()

        assert _said(circle, circle.acts(1), deciding_player="undetermined") == "open"
        assert _said(gap, gap.acts(1), deciding_player="unknown") == "open"
        assert _said(gap, gap.acts(1), deciding_player=player(1)) == "open"

    def test_a_stand_in_is_judged_by_who_should_decide(self) -> None:
        free = Game()
        circle = Game(2)
        circle.control("e1", 1, 2, "this_turn")
        circle.control("e2", 2, 1, "this_turn")
        held = _controlled()
        gone = Game()
        gone.leaves(2)
        there = _controlled()
        there.taken_over(1, "server:s")
        outside = Game()
        outside.control("e1", "person:zoe", 2, "this_turn")

        assert _said(free, free.acts(2), deciding_player="server:s") == "yes"
        assert _said(circle, circle.acts(1), deciding_player="server:s") == "open"
        assert _said(held, held.acts(2), deciding_player="server:s") == "no"
        assert _said(gone, gone.acts(2), deciding_player="server:s") == "no"
        assert _said(there, there.acts(2), deciding_player="server:s") == "open"
        assert _said(there, there.acts(2), deciding_player="judge:j") == "no"
        assert _said(outside, outside.acts(2), deciding_player="server:s") == "no"

    def test_cr_805_2_a_member_of_the_team_may_decide_who_has_a_seat(self) -> None:
        game = Game(4, teams=[(1, 2), (3, 4)])
        game.turn(1, 2)
        number = game.acts(1, team_seats=(1, 2))

        assert _said(game, number, deciding_player=player(2)) == "yes"
        assert _said(game, number, deciding_player=player(3)) == "no"
        assert _said(game, number, deciding_player=player(2), team_seats=(2, 9)) == "yes"

    def test_every_answer_is_lawful_unlawful_or_neither(self) -> None:
        game = _controlled()
        number = game.acts(2)
        event, before = game.events[number - 1], game.states[number - 1]

        for decider, right in ((player(1), True), (player(3), False), ("unknown", None)):
            stamp = msgspec.structs.replace(event.stamp, deciding_player=decider, basis="stated")
            other = msgspec.structs.replace(event, stamp=stamp)
            found = findings_of(before, other, game.states[number], RULES)
            assert lawful(before, other, found, RULES) is right


class TestDerivedStamps:
    def test_where_nobody_decides_the_derived_decider_is_unknown(self) -> None:
        game = Game()
        game.leaves(2)
        number = game.acts(2)

        assert game.events[number - 1].stamp.deciding_player == "unknown"
        for basis in ("derived", "presumed"):
            assert _restamped(game, number, basis=basis, deciding_player="unknown") == ()
            (found,) = _restamped(game, number, basis=basis, deciding_player=player(2))
            assert found.code == "stamp-superseded"

    def test_a_person_is_noticed_beside_a_stand_in_and_nowhere_else(self) -> None:
        game = Game()
        game.turn(2)
        number = game.acts(2, stated=2)

        assert game.codes(number) == []
        assert _restamped(game, number, performer=player(3)) == ()

    def test_a_gap_is_told_of_what_nobody_stated(self) -> None:
        game = Game()
        game.gap()
        stated, silent = game.acts(2, stated=3), game.acts(2)

        assert game.codes(stated) == []
        assert game.codes(silent) == ["gap-before-decision"]


class TestNotEntitled:
    def test_cr_723_5_the_finding_points_to_the_effect_that_was_passed_over(self) -> None:
        game = _controlled()

        assert _rule(game, game.acts(2, stated=3)) == ("decider-not-entitled", "723.5", 2)

    def test_without_control_it_points_to_the_decision(self) -> None:
        game = Game()
        number = game.acts(2, stated=3)

        assert _rule(game, number) == ("decider-not-entitled", "723.5", number)

    def test_cr_723_1_an_effect_that_does_not_work_now_is_named_with_what_it_does(self) -> None:
        game = Game(4)
        game.control("old", 1, 2, "this_turn")
        game.turn(3)
        over = game.acts(2, stated=1)
        waits = game.control("new", 1, 2, "next_turn")
        early = game.acts(2, stated=1)
        game.turn(2)
        game.observe("other", 2, 3)
        aside = game.acts(2, stated=1)

        assert _rule(game, over) == ("effect-not-in-force", "723.1", 2)
        assert _rule(game, early) == ("effect-not-in-force", "723.1", waits)
        assert [game.findings(n)[0].message.rpartition(", ")[2] for n in (over, early, aside)] == [
            "is over.",
            "still waits.",
            "is set aside.",
        ]

    def test_effects_on_others_and_of_others_give_no_right_that_could_be_over(self) -> None:
        game = Game(4)
        game.control("e1", 1, 3, "next_turn")
        game.control("e2", 4, 2, "next_turn")

        assert game.codes(game.acts(2, stated=1)) == ["decider-not-entitled"]

    def test_cr_800_4a_a_departure_matters_where_it_ended_control(self) -> None:
        left = _controlled()
        gone = left.leaves(1)
        before = Game(4)
        first = before.leaves(1)
        before.control("e1", 1, 2, "next_turn")
        before.turn(2)
        stranger = Game(4)
        stranger.leaves(1)
        over = _controlled()
        over.turn(3)
        over.leaves(1)

        assert _rule(left, left.acts(2, stated=1)) == ("controller-left", "800.4a", gone)
        assert _rule(before, before.acts(2, stated=1)) == ("controller-left", "800.4a", first)
        assert stranger.codes(stranger.acts(2, stated=1)) == ["decider-not-entitled"]
        assert over.codes(over.acts(2, stated=1)) == ["effect-not-in-force"]

    def test_who_left_the_last_game_has_not_left_this_one(self) -> None:
        game = _controlled()
        game.leaves(1)
        game.start(4)

        assert game.codes(game.acts(2, stated=1)) == ["effect-not-in-force"]

    def test_somebody_without_a_seat_has_not_left(self) -> None:
        game = Game()
        game.control("e1", "person:zoe", 2, "next_turn")

        assert game.codes(game.acts(2, stated="person:zoe")) == ["effect-not-in-force"]


class TestActs:
    def test_cr_723_5b_is_the_rule_against_choices_that_nothing_calls_for(self) -> None:
        game = Game()
        number = game.acts(2, called_for=False)
        ordered = game.acts(2, "choice_made", kind="damage_order")

        assert _rule(game, number) == ("not-called-for", "723.5b", number)
        assert _rule(game, ordered) == ("not-called-for", "723.5b", ordered)

    def test_cr_723_7_what_is_forbidden_to_the_controller_is_another_matter_for_others(
        self,
    ) -> None:
        game = _controlled(may_not=("spell_cast",))

        assert game.codes(game.acts(2, "spell_cast", stated=3)) == ["decider-not-entitled"]
        assert game.codes(game.acts(2, "spell_cast", stated=1)) == ["restriction-broken"]

    @pytest.mark.parametrize(("day", "number"), [("2009-12-01", "101.1"), ("2026-09-25", "723.7")])
    def test_a_demand_rests_on_the_clause_or_on_the_card(self, day: str, number: str) -> None:
        game = Game(rules=load_rulebook(day))
        game.control("e1", 1, 2, "next_turn", must=("spell_cast",))
        game.turn(2)

        assert _rule(game, game.turn(3)) == ("restriction-broken", number, 2)

    def test_cr_723_7_a_demand_is_due_with_the_combat_and_with_the_resolution(self) -> None:
        game = Game()
        game.control("combat", 1, 2, "next_combat_phase", must=("attackers_declared",))
        game.turn(2)
        game.step("beginning_of_combat", 2)
        made = game.control("resolving", 1, 3, "while_resolving", must=("spell_cast",), object="o")

        assert _rule(game, game.step("end", 2)) == ("restriction-broken", "723.7", 2)
        assert _rule(game, game.resolves("o")) == ("restriction-broken", "723.7", made)

    def test_cr_723_5_and_723_4_are_the_rules_about_cards_from_outside(self) -> None:
        game = _controlled()
        wrong = game.acts(2, "outside_game_card_chosen", wrong_type=True)
        chosen = game.acts(2, "outside_game_card_chosen")

        assert _rule(game, wrong) == ("outside-game-choice", "723.5", wrong)
        assert _rule(game, chosen) == ("outside-game-choice", "723.4", chosen)

    def test_whoever_is_seen_to_answer_chooses_under_control(self) -> None:
        game = Game()
        game.observe("seen", 2, 1)

        assert game.codes(game.acts(2, "outside_game_card_chosen")) == ["outside-game-choice"]

    def test_a_choice_given_to_another_is_not_made_under_control(self) -> None:
        game = Game()
        game.choice("c1", 1, (2,), "outside_game_card_chosen", lasts="this_turn")
        assert game.decider(2, "outside_game_card_chosen") == 1
        assert game.codes(game.acts(2, "outside_game_card_chosen")) == []

        game.control("e1", 2, 1, "this_turn")
        assert game.decider(2, "outside_game_card_chosen") == 2
        assert game.codes(game.acts(2, "outside_game_card_chosen")) == []


class TestObjectsAndSteps:
    def test_cr_723_3_is_the_rule_about_the_active_player(self) -> None:
        game = _controlled()
        number = game.step("upkeep", 1)

        assert _rule(game, number) == ("active-player-changed", "723.3", number)

    def _moved(self, game: Game, controller: int | None) -> int:
        return game.tell(
            "object_moved",
            object="o",
            from_zone="hand",
            to_zone="battlefield",
            owner=2,
            controller=controller,
        )

    @pytest.mark.parametrize(
        ("former", "controller", "goes_up"),
        [
            (2, 1, True),
            (2, 2, False),
            (2, None, False),
            (2, 3, False),
            (3, 3, False),
            (None, 1, False),
        ],
    )
    def test_cr_723_3_an_object_goes_up_when_the_controllers_controller_gets_it(
        self, former: int | None, controller: int | None, goes_up: bool
    ) -> None:
        game = _controlled()
        number = self._moved(game, controller)
        found = of_object(game.states[number - 1], game.events[number - 1], former, RULES)

        assert (found is not None) is goes_up

    def test_an_object_of_a_player_in_a_circle_or_of_nobody_goes_nowhere(self) -> None:
        circle = Game(2)
        circle.control("e1", 1, 2, "this_turn")
        circle.control("e2", 2, 1, "this_turn")
        for game, former, controller in ((circle, 2, 9), (_controlled(), 9, 8)):
            number = self._moved(game, controller)
            before, event = game.states[number - 1], game.events[number - 1]
            assert of_object(before, event, former, RULES) is None

    def test_control_of_an_object_that_just_changes_is_no_move(self) -> None:
        game = _controlled()
        number = game.tell("object_control_changed", object="o", controller=1)

        assert of_object(game.states[number - 1], game.events[number - 1], 2, RULES) is None


class TestObservations:
    def test_who_answers_in_a_chain_may_be_its_first_or_its_last_step(self) -> None:
        game = Game(4)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")

        for by in (1, 2):
            assert game.codes(game.observe(f"by-{by}", 3, by)) == []
        assert game.codes(game.observe("by-4", 3, 4)) == ["stated-derived-differ"]

    def test_after_a_gap_somebody_else_may_answer_and_the_player_too(self) -> None:
        game = Game(4)
        game.control("e1", 1, 2, "this_turn")
        game.gap()
        assert game.codes(game.observe("other", 2, 3)) == ["control-window-suspected"]

        free = Game(4)
        free.control("e1", 1, 2, "this_turn")
        free.gap()
        assert free.codes(free.observe("free", 2, None)) == []


class TestReadings:
    def test_a_promise_of_a_player_who_had_left_rests_on_a_gap(self) -> None:
        game = Game()
        game.leaves(1)
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)
        number = game.turn(2, extra=True)
        event = game.events[number - 1]
        used = reading_used(game.states[number - 1], event, game.states[number], None, RULES)

        assert "controller had left" in str(used)

    def test_a_gap_is_told_by_the_reading_that_was_used(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 3, 2, "while_resolving")
        number = game.acts(2)
        event, before = game.events[number - 1], game.states[number - 1]
        verdict = verdict_on(before, event, RULES)
        assert verdict is not None

        used = reading_used(before, event, game.states[number], verdict, RULES)
        assert used == verdict.reading is not None
