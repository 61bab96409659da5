"""Choice effects, one by one: which are touched by a vote, a play, a resolution or an end."""

from __future__ import annotations

from tests.support.control_games import Game
from whodecided.rulebook import load_rulebook


def _ends(game: Game) -> dict[str, tuple[int | None, str | None]]:
    return {choice.label: (choice.ended, choice.reason) for choice in game.now.choices}


class TestVotes:
    def test_a_vote_is_cast_under_effects_that_last_for_one_alone(self) -> None:
        game = Game()
        game.choice("vote", 1, (2,), "votes", lasts="this_vote")
        game.choice("turn", 1, (3,), "votes", lasts="this_turn")
        game.acts(2, "vote_cast")

        assert {c.label: c.voted for c in game.now.choices} == {"vote": True, "turn": False}

    def test_a_second_vote_changes_nothing(self) -> None:
        game = Game()
        game.choice("vote", 1, (2,), "votes", lasts="this_vote")
        game.acts(2, "vote_cast")
        before = game.now
        game.acts(3, "vote_cast")

        assert game.now is before

    def test_another_decision_ends_no_vote_that_has_not_begun(self) -> None:
        game = Game()
        game.choice("vote", 1, (2,), "votes", lasts="this_vote")
        before = game.now
        game.acts(3, "priority_passed")

        assert game.now is before


class TestResolutions:
    def test_what_names_no_object_ends_with_the_first_that_resolves(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "while_resolving")
        game.choice("c1", 1, (2,), "targets", lasts="while_resolving")
        over = game.resolves("o")

        assert game.span("e1") == (2, over, "resolved")
        assert _ends(game) == {"c1": (over, "resolved")}

    def test_what_names_one_ends_with_that_one(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "while_resolving", object="o")
        game.choice("c1", 1, (2,), "targets", lasts="while_resolving", object="o")
        before = game.now
        game.resolves("p")
        assert game.now is before
        over = game.resolves("o")

        assert game.effect("e1").ended == over
        assert _ends(game) == {"c1": (over, "resolved")}

    def test_a_vote_without_an_object_ends_when_it_has_begun(self) -> None:
        game = Game()
        game.choice("vote", 1, (2,), "votes", lasts="this_vote")
        game.resolves("o")
        assert _ends(game) == {"vote": (None, None)}
        game.acts(2, "vote_cast")
        over = game.resolves("p")

        assert _ends(game) == {"vote": (over, "resolved")}

    def test_other_effects_of_both_kinds_go_on(self) -> None:
        game = Game()
        game.control("turn", 1, 2, "this_turn")
        game.control("waits", 1, 3, "next_turn")
        game.choice("turn-c", 1, (2,), "targets", lasts="this_turn")
        before = game.now
        game.resolves("o")

        assert game.now is before


class TestEnds:
    def test_an_event_ends_the_effect_it_names_once(self) -> None:
        game = Game()
        game.choice("c1", 1, (2,), "targets", lasts="this_turn")
        game.choice("c2", 1, (3,), "targets", lasts="this_turn")
        over = game.over("c1")
        game.over("c1")

        assert _ends(game) == {"c1": (over, "ended_by_effect"), "c2": (None, None)}

    def test_permissions_and_what_is_seen_are_over_for_good(self) -> None:
        game = Game()
        game.control("opp", 1, 2, "while_searching")
        game.observe("seen", 3, 1)
        game.searches(2)
        over = game.over("opp")
        gone = game.over("seen")

        assert [(e.label, e.ended, e.reason, e.window) for e in game.now.effects] == [
            ("opp", over, "ended_by_effect", "closed"),
            ("seen", gone, "ended_by_effect", "closed"),
        ]
        again = game.now
        game.over("opp")
        assert game.now is again

    def test_the_window_of_a_turn_is_followed_to_its_end(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)
        over = game.over("e1")
        assert (game.effect("e1").window, game.effect("e1").promise) == ("open", "promised")
        game.turn(3)

        assert (game.effect("e1").window, game.effect("e1").promise) == ("closed", "due")
        assert game.effect("e1").ended == over


class TestDictatedPlays:
    def _dictated(self) -> Game:
        game = Game(rules=load_rulebook("2004-12-15"))
        game.control("woc", 1, 2, "while_resolving", object="o")
        return game

    def test_a_play_of_another_player_leaves_the_state_as_it_is(self) -> None:
        game = self._dictated()
        before = game.now
        game.acts(3, "spell_cast")
        game.acts(2, "spell_cast", refused=True)
        assert game.now is before
        game.acts(2, "spell_cast")

        assert game.now.choices[0].played
