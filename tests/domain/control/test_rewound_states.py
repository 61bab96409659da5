"""Rewinds, part by part: the state is the earlier one again, and what was undone stays known."""

from __future__ import annotations

from msgspec.structs import replace

from tests.support.control_games import Game, player


def _before() -> Game:
    game = Game()
    game.control("old", 3, 1, "this_turn")
    game.choice("heard", 3, (2,), "attackers", lasts="this_turn")
    game.turn(2)
    game.control("e1", 1, 2, "next_turn")
    game.choice("c1", 1, (2,), "blockers", lasts="this_turn")
    game.step("beginning_of_combat", 2)
    game.searches(2)
    return game


class TestWhatComesBack:
    def test_the_state_is_the_earlier_one_again(self) -> None:
        game = _before()
        to, before = len(game.events), game.now
        game.found(2)
        game.step("postcombat_main", 2)
        game.control("e2", 3, 2, "next_turn")
        game.choice("c2", 3, (2,), "votes", lasts="this_turn")
        game.leaves(3)
        game.turn(1)
        game.control("e3", 1, 2, "this_turn")
        game.choice("c3", 1, (2,), "votes", lasts="this_turn")
        game.turn(2)
        game.rewinds(to)

        back = replace(
            game.now,
            number=before.number,
            past_effects=before.past_effects,
            past_choices=before.past_choices,
        )
        assert back == before
        assert [e.label for e in game.now.past_effects] == ["old", "e3", "e2"]
        assert [c.label for c in game.now.past_choices] == ["heard", "c2", "c3"]

    def test_a_subgame_that_had_not_begun_is_gone(self) -> None:
        game = _before()
        to, before = len(game.events), game.now
        game.tell("subgame_started")
        game.turn(3)
        game.rewinds(to)

        assert game.now.outer is before.outer is None
        assert game.now.active_seats == (2,)

    def test_a_subgame_that_was_over_goes_on(self) -> None:
        game = _before()
        game.tell("subgame_started")
        to = game.turn(3)
        game.tell("subgame_ended")
        game.rewinds(to)

        assert game.now.outer == game.states[to].outer
        assert game.now.active_seats == (3,)

    def test_what_a_gap_hides_stays_hidden(self) -> None:
        game = Game()
        to = game.turn(2)
        gap = game.gap()
        game.rewinds(to)

        assert game.now.active_seats == (2,)
        assert game.now.active_certain
        assert {seat: doubt.gap for seat, doubt in game.now.doubts.items()} == dict.fromkeys(
            (1, 2, 3), gap
        )
        assert game.now.search_doubts == dict.fromkeys((1, 2, 3), gap)

    def test_what_was_in_doubt_then_is_in_doubt_again(self) -> None:
        game = Game()
        gap = game.gap()
        game.observe("seen", 2, None)
        game.rewinds(gap)

        assert game.now.active_gap == gap
        assert set(game.now.doubts) == set(game.now.search_doubts) == {1, 2, 3}
        assert game.now.shown == {}

    def test_departures_before_the_target_stay_unless_the_player_is_restored(self) -> None:
        game = Game(4)
        game.leaves(2)
        game.leaves(3)
        to = game.turn(1)
        game.turn(4)
        game.rewinds(to, restores=(3,))

        assert game.now.has_left(2)
        assert not game.now.has_left(3)

    def test_a_concession_that_stays_keeps_its_number(self) -> None:
        game = Game()
        to = game.turn(1)
        conceded = game.concedes(2)
        game.turn(3)
        back = game.rewinds(to)

        assert game.now.departed[2].number == conceded
        assert game.now.history_at(back) is game.now
        assert not game.now.history_at(to).has_left(2)


class TestWhatWasUndone:
    def test_nothing_is_left_of_an_effect_that_was_undone(self) -> None:
        game = Game()
        to = game.turn(1)
        game.control("e1", 3, 2, "next_turn", extra_turn_after=True)
        game.control("e2", 1, 2, "next_turn")
        game.turn(2)
        game.control("e3", 3, 2, "while_resolving", object="o")
        game.resolves("o")
        game.turn(2, extra=True)
        made = game.now.effects
        assert [e.status for e in made] == ["ended"] * 3
        assert (made[0].overwritten_by, made[0].extra_turn) == ("e2", len(game.events))
        back = game.rewinds(to)

        for effect in game.now.effects:
            assert (effect.began, effect.ended, effect.reason) == (None, back, "rewound")
            assert (effect.status, effect.window, effect.promise) == ("ended", "closed", "void")
            assert (effect.overwritten_by, effect.extra_turn) == (None, None)
            assert not effect.resumed

    def test_an_effect_that_worked_again_does_so_no_more(self) -> None:
        game = Game()
        to = game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 3, 2, "while_resolving", object="o")
        game.resolves("o")
        assert (game.effect("e1").resumed, game.effect("e1").window) == (True, "open")
        game.rewinds(to)

        assert game.effect("e1").window == "closed"
        assert not game.effect("e1").resumed
        assert game.effect("e1").status == "ended"

    def test_what_one_rewind_has_undone_another_does_not_undo_again(self) -> None:
        game = Game()
        to = game.turn(1)
        game.control("e1", 1, 2, "next_turn")
        game.choice("c1", 1, (2,), "votes", lasts="this_turn")
        first = game.rewinds(to)
        game.control("e2", 1, 2, "next_turn")
        game.choice("c2", 1, (2,), "votes", lasts="this_turn")
        second = game.rewinds(to)

        assert [(e.label, e.ended) for e in game.now.effects] == [("e1", first), ("e2", second)]
        assert [(c.label, c.ended) for c in game.now.choices] == [("c1", first), ("c2", second)]
        assert {c.reason for c in game.now.choices} == {"rewound"}

    def test_choices_created_at_the_target_are_not_undone(self) -> None:
        game = Game()
        game.turn(2)
        to = game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
        game.choice("c2", 3, (2,), "attackers", lasts="this_turn")
        back = game.rewinds(to)

        assert game.decider(2, "attackers") == 1
        assert [(c.label, c.ended) for c in game.now.choices] == [("c1", None), ("c2", back)]

    def test_effects_of_a_subgame_and_of_the_game_around_are_undone(self) -> None:
        game = Game()
        to = game.turn(1)
        game.control("e1", 1, 2, "next_turn")
        game.choice("c1", 1, (2,), "votes", lasts="this_turn")
        game.tell("subgame_started")
        game.control("e2", 1, 2, "next_turn")
        game.choice("c2", 1, (2,), "votes", lasts="this_turn")
        back = game.rewinds(to)

        assert [(e.label, e.ended) for e in game.now.effects] == [("e1", back), ("e2", back)]
        assert [(c.label, c.ended) for c in game.now.choices] == [("c1", back), ("c2", back)]
        assert game.decider(2, "votes") == 2
        assert game.now.players[2] == player(2)
