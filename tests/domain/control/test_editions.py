"""Player control under older rules: turns instead of players, and what no rule of a day settled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.control import mana_burn
from domain.principals import UNDETERMINED
from tests.support.control_games import Game, player
from whodecided.rulebook import load_rulebook

TURN = ("2003-10-01", "2009-07-08", "2010-04-23", "2010-09-30")
PLAYER = ("2010-10-01", "2016-07-22", "2026-09-25")


def _on(day: str, seats: int = 3, teams: Sequence[Sequence[int]] = ()) -> Game:
    return Game(seats, teams=teams, rules=load_rulebook(day))


def _numbers(game: Game, seat: int, decision: str = "game") -> list[str]:
    return [rule.number for rule in game.verdict(seat, decision).rules]


class TestUnitOfControl:
    @pytest.mark.parametrize(
        ("day", "number"),
        [("2003-10-01", "507.3"), ("2009-12-01", "710.4"), ("2010-05-01", "711.4")],
    )
    def test_control_of_a_turn_reaches_the_active_player_alone(self, day: str, number: str) -> None:
        game = _on(day)
        game.turn(1)
        game.control("e1", 3, [1, 2], "this_turn")

        assert (game.decider(1), game.decider(2)) == (3, 2)
        assert number in _numbers(game, 1)
        assert not game.verdict(1).rule_gap
        assert not game.verdict(2).rule_gap
        assert game.now.in_force(2) is None

    @pytest.mark.parametrize(("day", "number"), [("2010-10-01", "711.5"), ("2026-09-25", "723.5")])
    def test_control_of_a_player_reaches_everyone_named(self, day: str, number: str) -> None:
        game = _on(day)
        game.turn(1)
        game.control("e1", 3, [1, 2], "this_turn")

        assert (game.decider(1), game.decider(2)) == (3, 3)
        assert number in _numbers(game, 2)

    @pytest.mark.parametrize(("day", "disputed"), [("2010-09-21", False), ("2010-09-22", True)])
    def test_on_disputed_days_the_stricter_reading_is_told_with_its_alternative(
        self, day: str, disputed: bool
    ) -> None:
        game = _on(day)
        game.turn(1)
        game.control("e1", 3, [1, 2], "this_turn")
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(2), disputed)
        assert verdict.alternatives == ((player(3),) if disputed else ())
        assert ("stricter" in str(verdict.reading)) is disputed
        assert not game.verdict(1).rule_gap

    def test_control_of_a_turn_without_an_active_player_reaches_nobody_and_ends_with_the_turn(
        self,
    ) -> None:
        game = _on("2009-12-01")
        game.control("e1", 3, 2, "this_turn")
        assert game.decider(2) == 2
        assert game.effect("e1").status == "suspended"
        over = game.turn(2)

        assert game.decider(2) == 2
        assert game.effect("e1").ended == over

    def test_whose_turn_it_is_after_a_gap_is_not_guessed(self) -> None:
        game = _on("2009-12-01")
        game.turn(2)
        gap = game.gap()
        game.acts(1, stated=1)
        game.acts(2, stated=2)
        game.control("e1", 3, 2, "this_turn")

        assert game.verdict(2).uncertain
        assert game.verdict(2).gap == gap

    def test_the_next_turn_is_controlled_as_it_is_today(self) -> None:
        for day in (*TURN, *PLAYER):
            game = _on(day)
            game.control("e1", 1, 2, "next_turn")
            game.turn(2)

            assert game.decider(2) == 1, day


class TestLeaving:
    @pytest.mark.parametrize("day", ["2003-10-01", "2006-03-01", "2010-09-25"])
    def test_no_rule_ended_control_with_its_controller_so_nobody_is_picked(self, day: str) -> None:
        game = _on(day)
        game.control("e1", 1, 2, "next_turn")
        began = game.turn(2)
        game.leaves(1)
        verdict = game.verdict(2)

        assert verdict.decider == UNDETERMINED
        assert set(verdict.candidates) == {player(1), player(2)}
        assert "controller has left" in str(verdict.reading)
        assert verdict.authority == "unknown"
        assert game.decider(2, "tournament") == 2
        over = game.turn(3)
        assert game.decider(2) == 2
        assert game.span("e1") == (began, over, "next_turn_started")

    def test_cr_800_4a_control_ends_from_2010_10_01(self) -> None:
        game = _on("2010-10-01")
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.leaves(1)

        assert game.decider(2) == 2
        assert "800.4a" in _numbers(game, 2)

    def test_control_that_waits_for_a_turn_begins_although_its_controller_has_left(self) -> None:
        game = _on("2006-03-01")
        game.control("e1", 1, 2, "next_turn")
        game.leaves(1)
        assert game.decider(2) == 2
        game.control("e2", 1, 3, "next_turn")
        game.turn(2)
        assert game.decider(2) == UNDETERMINED
        game.turn(3)

        assert game.decider(3) == UNDETERMINED

    def test_a_chain_that_leads_to_a_player_who_has_left_is_not_settled_either(self) -> None:
        game = _on("2009-12-01", 4)
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.observe("seen", 3, 2)
        game.leaves(1)

        assert game.decider(3) == UNDETERMINED
        assert set(game.verdict(3).candidates) == {player(1), player(2)}

    def test_the_alternative_to_an_overwriter_who_has_left_is_told(self) -> None:
        game = _on("2006-03-01", 4)
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.turn(2)
        game.leaves(3)

        assert game.decider(2) == UNDETERMINED
        assert set(game.verdict(2).candidates) == {player(1), player(2), player(3)}

    def test_what_a_source_shows_ends_with_the_departure_under_any_rules(self) -> None:
        game = _on("2006-03-01")
        game.turn(2)
        game.observe("seen", 2, 1)
        game.leaves(1)

        assert game.decider(2) == 2
        assert not game.verdict(2).rule_gap

    def test_somebody_who_holds_no_seat_does_not_leave(self) -> None:
        game = _on("2006-03-01")
        game.control("e1", "person:zoe", 2, "next_turn")
        game.turn(2)
        game.leaves(1)

        assert game.decider(2) == "person:zoe"


class TestLimitedTime:
    def _dictated(self, day: str) -> Game:
        game = _on(day)
        game.turn(2)
        game.control("woc", 1, 2, "while_resolving", object="w", source_card="Word of Command")
        return game

    @pytest.mark.parametrize("day", ["1996-06-01", "2003-10-01", "2009-12-01", "2010-09-30"])
    def test_word_of_command_dictates_one_play_and_is_no_control(self, day: str) -> None:
        game = self._dictated(day)
        verdict = game.verdict(2, "spell_cast")

        assert (verdict.decider, verdict.authority) == (player(1), "choice_effect")
        assert (verdict.ref_label, verdict.rule_gap) == ("woc", True)
        assert set(verdict.candidates) == {player(1), player(2)}
        assert game.now.in_force(2) is None
        assert (game.decider(2), game.decider(2, "attackers")) == (2, 2)
        assert not game.verdict(2).rule_gap

    def test_only_one_play_is_dictated_and_what_it_calls_for(self) -> None:
        game = self._dictated("2009-12-01")
        game.acts(2, "spell_cast", stated=1, refused=True)
        assert game.decider(2, "spell_cast") == 1
        game.acts(3, "spell_cast")
        assert game.decider(2, "land_played") == 1
        game.acts(2, "spell_cast")

        assert (game.decider(2, "spell_cast"), game.decider(2, "land_played")) == (2, 2)
        asked = ("targets", "modes", "cost_paid", "mana_produced", "choice_made")
        assert [game.decider(2, word) for word in asked] == [1] * 5
        game.resolves("o")
        assert game.decider(2, "targets") == 1
        game.resolves("w")
        assert game.decider(2, "targets") == 2

    def test_the_play_is_dictated_by_whoever_decides_for_the_chooser(self) -> None:
        game = self._dictated("2009-12-01")
        game.observe("seen", 1, 3)

        assert game.decider(2, "spell_cast") == 3
        assert [step.player for step in game.verdict(2, "spell_cast").path] == [
            player(2),
            player(1),
            player(3),
        ]

    def test_whoever_dictates_the_own_play_leaves_no_gap(self) -> None:
        game = _on("2009-12-01")
        game.control("woc", 2, 2, "while_resolving", object="w")

        assert game.decider(2, "spell_cast") == 2
        assert not game.verdict(2, "spell_cast").rule_gap

    def test_cr_711_2_it_is_control_from_2010_10_01(self) -> None:
        game = self._dictated("2010-10-01")

        assert game.decider(2) == game.decider(2, "attackers") == 1
        assert {"711.2", "711.5"} <= set(_numbers(game, 2))
        assert not game.verdict(2).rule_gap

    @pytest.mark.parametrize(
        ("day", "window", "gap"),
        [
            ("2009-12-01", None, True),
            ("2020-11-20", "101.1", False),
            ("2021-02-04", "101.1", False),
            ("2021-02-05", "716.2", False),
            ("2026-09-25", "723.2", False),
        ],
    )
    def test_a_search_is_controlled_by_the_card_until_the_rules_name_it(
        self, day: str, window: str | None, gap: bool
    ) -> None:
        game = _on(day)
        game.turn(2)
        game.control("opp", 1, [2, 3], "while_searching", source_card="Opposition Agent")
        game.searches(2)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(1), gap)
        assert window is None or window in _numbers(game, 2)
        assert not {"716.2"} & set(_numbers(game, 2)) - {str(window)}


class TestBeforeTheFirstRule:
    def test_the_cards_text_decides_and_the_gap_is_told(self) -> None:
        for day, gap in (("2003-09-30", True), ("2003-10-01", False)):
            game = _on(day)
            game.control("e1", 1, 2, "next_turn")
            game.turn(2)
            verdict = game.verdict(2)

            assert (verdict.decider, verdict.rule_gap) == (player(1), gap)
            assert verdict.alternatives == ((player(2),) if gap else ())

    def test_nobody_is_in_doubt_where_nobody_is_controlled(self) -> None:
        game = _on("1996-06-01")
        game.control("e1", 2, 2, "next_turn")
        game.turn(2)

        assert not game.verdict(1).rule_gap
        assert not game.verdict(2).rule_gap


class TestTeams:
    @pytest.mark.parametrize(("day", "reaches"), [("2005-07-31", False), ("2005-08-01", True)])
    def test_control_of_a_player_is_control_of_the_team_from_2005_08_01(
        self, day: str, reaches: bool
    ) -> None:
        game = _on(day, 4, teams=[(1, 2), (3, 4)])
        game.control("e1", 1, 3, "next_turn")
        game.turn(3, 4)
        mate = game.verdict(4)

        assert game.decider(3) == 1
        assert not game.verdict(3).rule_gap
        assert (mate.decider, mate.rule_gap) == (player(1 if reaches else 4), not reaches)
        assert mate.alternatives == (() if reaches else (player(1),))

    def test_an_effect_on_both_members_is_one_record_each_before(self) -> None:
        game = _on("2004-06-01", 4, teams=[(1, 2), (3, 4)])
        game.control("e1", 1, [3, 4, 3], "next_turn")

        assert [effect.affected for effect in game.now.effects] == [(3,), (4,)]


class TestManaBurn:
    @pytest.mark.parametrize(
        ("day", "life", "gap"),
        [
            ("1996-06-01", 3, False),
            ("2003-10-01", 0, False),
            ("2009-07-07", 0, False),
            ("2009-07-08", 0, True),
            ("2009-07-10", 0, True),
            ("2009-07-11", None, False),
            ("2026-09-25", None, False),
        ],
    )
    def test_cr_507_4_no_life_is_lost_while_another_player_controls_the_turn(
        self, day: str, life: int | None, gap: bool
    ) -> None:
        game = _on(day)
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        burn = mana_burn(game.now, 2, 3, game.rules)

        assert (burn.life, burn.reading is not None) == (life, gap)
        assert burn.because

    def test_a_player_burns_in_the_own_turn_controlled_or_not(self) -> None:
        for by in (None, 2):
            game = _on("2004-12-15")
            if by is not None:
                game.control("e1", by, 2, "next_turn")
            game.turn(2)

            assert mana_burn(game.now, 2, 3, game.rules).life == 3

    def test_it_is_open_whether_a_controller_who_has_left_still_shields(self) -> None:
        game = _on("2006-03-01")
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.leaves(1)

        assert "controller has left" in str(mana_burn(game.now, 2, 3, game.rules).reading)


def test_the_same_events_are_told_apart_by_edition_and_by_nothing_else() -> None:
    games = {day: _on(day) for day in (*TURN, *PLAYER)}
    for game in games.values():
        game.turn(1)
        game.control("e1", 3, [1, 2], "this_turn")
    deciders = {day: (game.decider(1), game.decider(2)) for day, game in games.items()}

    assert {deciders[day] for day in TURN} == {(3, 2)}
    assert {deciders[day] for day in PLAYER} == {(3, 3)}


def test_a_disputed_day_leaves_it_open_for_those_who_are_named_and_for_nobody_else() -> None:
    game = _on("2010-09-25", seats=4)
    game.turn(1)
    game.control("e1", 3, [1, 2], "this_turn")
    assert game.verdict(2).alternatives == (player(3),)
    game.control("e2", 4, 1, "this_turn")

    assert (game.verdict(1).candidates, game.verdict(1).rule_gap) == ((player(4),), False)
    assert (game.verdict(3).candidates, game.verdict(3).rule_gap) == ((player(3),), False)
    game.over("e1")
    assert (game.verdict(2).candidates, game.verdict(2).rule_gap) == ((player(2),), False)
