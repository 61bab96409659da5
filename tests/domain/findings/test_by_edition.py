"""Findings that depend on the edition, and readings used where the rules of a day are silent."""

from __future__ import annotations

import pytest

from domain.findings import findings_of, reading_used, verdict_on
from tests.support.control_games import Game
from whodecided.rulebook import load_rulebook


def _on(day: str, seats: int = 3) -> Game:
    return Game(seats, rules=load_rulebook(day))


def _reading(game: Game, number: int) -> str | None:
    before, event = game.states[number - 1], game.events[number - 1]
    verdict = verdict_on(before, event, game.rules)
    return reading_used(before, event, game.states[number], verdict, game.rules)


class TestCitations:
    @pytest.mark.parametrize(
        ("day", "cited", "right"),
        [
            ("2026-05-20", "722.5", "723.5"),
            ("2026-05-20", "723.5", None),
            ("2026-04-16", "723.5", "722.5"),
            ("2019-05-03", "712.5", "715.5"),
            ("2014-03-15", "712.5", None),
            ("2005-01-01", "723.6", "507.3b"),
            ("2026-05-20", "999.9", None),
        ],
    )
    def test_a_number_of_another_edition_is_found_and_put_right(
        self, day: str, cited: str, right: str | None
    ) -> None:
        game = _on(day)
        for number in (
            game.acts(2, cites=cited),
            game.tell("note_added", about=2, text=f"see rule {cited}."),
        ):
            found = game.findings(number)
            assert [one.rule and one.rule.number for one in found] == ([right] if right else [])
            assert {one.code for one in found} <= {"citation-of-other-edition"}

    def test_of_two_rules_that_had_the_number_neither_is_said_to_be_meant(self) -> None:
        game = _on("2009-12-01")
        (found,) = game.findings(game.acts(2, cites="711.4"))

        assert (found.code, found.rule) == ("citation-of-other-edition", None)

    def test_a_note_follows_from_the_event_it_is_about(self) -> None:
        game = _on("2026-05-20")
        act = game.acts(2)
        for about, root in ((act, act), (None, 4)):
            note = game.tell("note_added", about=about, text="722.5 or 722.5 or 722.1b")
            found = game.findings(note)

            assert [one.root for one in found] == [root, root]
            assert {one.number for one in found} == {note}

    @pytest.mark.parametrize(
        "text", ["", "722", "722.", "x722.5", "722.5x2", "1722.5", "722.5.1", "3.722.5", "MTR 3.15"]
    )
    def test_a_text_without_a_rule_number_is_left_alone(self, text: str) -> None:
        game = _on("2026-05-20")

        assert game.codes(game.tell("note_added", about=None, text=text)) == []


class TestStamps:
    def test_a_stamp_derived_under_another_edition_is_superseded_where_the_answer_differs(
        self,
    ) -> None:
        game = _on("2011-03-01")
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        same = game.acts(2)
        game.leaves(1)
        other = game.acts(2)
        older = Game(3, rules=load_rulebook("2009-12-01"))
        older.control("e1", 1, 2, "next_turn")
        older.turn(2)
        older.acts(2)
        older.leaves(1)

        assert game.codes(other) == []
        for number, codes in ((same, []), (other, ["stamp-superseded"])):
            state, event = older.states[number - 1], game.events[number - 1]
            found = findings_of(state, event, state, older.rules)
            assert [one.code for one in found] == codes

    def test_where_nobody_is_picked_neither_player_is_blamed(self) -> None:
        game = _on("2006-03-01")
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.leaves(1)

        for who in (1, 2):
            number = game.acts(2, stated=who)
            assert (game.codes(number), game.lawful(number)) == ([], None)
        assert game.codes(game.acts(2, stated=3)) == ["decider-not-entitled"]


class TestChoicesThatAnEditionHas:
    @pytest.mark.parametrize(
        ("day", "codes", "gap"),
        [
            ("2009-07-07", ["not-called-for"], False),
            ("2009-07-08", ["not-called-for"], True),
            ("2009-07-10", ["not-called-for"], True),
            ("2009-07-11", [], False),
            ("2024-11-07", [], False),
            ("2024-11-08", ["not-called-for"], False),
        ],
    )
    def test_an_order_of_damage_is_chosen_from_july_2009_to_november_2024(
        self, day: str, codes: list[str], gap: bool
    ) -> None:
        game = _on(day)
        number = game.acts(2, "choice_made", kind="damage_order")

        assert game.codes(number) == codes
        assert (_reading(game, number) is not None) is gap

    @pytest.mark.parametrize(("day", "codes"), [("2021-07-22", []), ("2021-07-23", ["800.4f"])])
    def test_cr_800_4f_a_cost_of_a_player_who_has_left_is_not_paid(
        self, day: str, codes: list[str]
    ) -> None:
        game = _on(day)
        game.leaves(1)
        paid = game.acts(2, "choice_made", kind="pay_optional", for_seat=1)
        other = game.acts(2, "choice_made", kind="pile", for_seat=1)
        own = game.acts(2, "choice_made", kind="pay_optional")

        assert [one.rule and one.rule.number for one in game.findings(paid)] == codes
        assert game.codes(other) == game.codes(own) == []

    @pytest.mark.parametrize(
        ("day", "codes", "gap"),
        [
            ("2016-07-15", [], False),
            ("2016-07-16", ["outside-game-choice"], True),
            ("2016-07-21", ["outside-game-choice"], True),
            ("2016-07-22", ["outside-game-choice"], False),
        ],
    )
    def test_a_card_from_outside_is_chosen_for_another_until_july_2016(
        self, day: str, codes: list[str], gap: bool
    ) -> None:
        game = _on(day)
        game.turn(2)
        free = game.acts(2, "outside_game_card_chosen")
        game.control("e1", 1, 2, "this_turn")
        number = game.acts(2, "outside_game_card_chosen")

        assert (game.codes(free), _reading(game, free)) == ([], None)
        assert game.codes(number) == codes
        assert (_reading(game, number) is not None) is gap


class TestReadings:
    def test_a_plain_event_needs_none(self) -> None:
        game = _on("2026-09-25")
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")

        assert [_reading(game, number) for number in (1, 2, 3, game.acts(2))] == [None] * 4

    def test_a_decision_has_that_of_its_decider(self) -> None:
        game = _on("2026-09-25")
        game.turn(2)
        game.control("e1", 2, 3, "this_turn")
        game.control("e2", 3, 2, "this_turn")

        assert "circle" in str(_reading(game, game.acts(2)))

    def test_life_lost_for_mana_has_that_of_the_disputed_days(self) -> None:
        for day, gap in (("2009-07-07", False), ("2009-07-09", True), ("2009-07-11", False)):
            game = _on(day)
            game.turn(2)
            number = game.tell("mana_lost", seat=2, amount=2, life=2)

            assert (_reading(game, number) is not None) is gap

    def test_an_extra_turn_promised_by_a_controller_who_has_left_is_one(self) -> None:
        game = _on("2026-09-25")
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)
        game.leaves(1)
        taken = game.turn(2, extra=True)

        assert "promised extra turn" in str(_reading(game, taken))
        assert _reading(game, game.turn(3)) is None
