"""Findings: one root cause gives one code, and never a word about intent."""

from __future__ import annotations

import pytest

from domain.findings import CODES, UNLAWFUL, Finding, in_order
from tests.support.control_games import Game, player


def _controlled(**more: object) -> Game:
    game = Game(4)
    game.control("e1", 1, 2, "next_turn", **more)
    game.turn(2)
    return game


class TestWhoDecided:
    def test_the_controller_and_only_the_controller_is_entitled(self) -> None:
        game = _controlled()

        for who, codes in ((1, []), (2, ["decider-not-entitled"]), (3, ["decider-not-entitled"])):
            number = game.acts(2, stated=who)
            assert game.codes(number) == codes
            assert game.lawful(number) is (not codes)

    def test_the_middle_of_a_chain_is_not_entitled(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")

        assert game.codes(game.acts(3, stated=2)) == ["decider-not-entitled"]

    def test_cr_723_5b_a_tournament_decision_by_another_is_only_that(self) -> None:
        game = _controlled()
        number = game.acts(2, "draw_agreed", stated=1)
        (finding,) = game.findings(number)

        assert finding.code == "tournament-decision-by-other"
        assert finding.rule is not None
        assert finding.rule.number == "723.5b"
        assert not game.lawful(number)

    def test_cr_723_6_a_refused_attempt_to_concede_for_another_is_one_as_well(self) -> None:
        game = _controlled()
        number = game.concedes(2, stated=1, refused=True)
        (finding,) = game.findings(number)

        assert finding.rule is not None
        assert finding.rule.number == "723.6"

    def test_a_server_never_makes_a_tournament_decision(self) -> None:
        game = Game()
        game.taken_over(2, "server:arena")

        assert game.codes(game.acts(2, "judge_called", stated="server:arena")) == [
            "tournament-decision-by-other"
        ]

    def test_cr_800_4a_a_controller_who_has_left_is_named_as_the_cause(self) -> None:
        game = _controlled()
        left = game.leaves(1)
        (finding,) = game.findings(game.acts(2, stated=1))

        assert (finding.code, finding.root) == ("controller-left", left)
        assert finding.rule is not None
        assert finding.rule.number == "800.4a"

    def test_an_effect_that_waits_or_is_over_gives_no_right(self) -> None:
        game = Game()
        made = game.control("e1", 1, 2, "next_turn")
        early = game.acts(2, stated=1)
        game.turn(2)
        within = game.acts(2, stated=1)
        game.turn(3)
        late = game.acts(2, stated=1)

        assert game.codes(within) == []
        for number in (early, late):
            (finding,) = game.findings(number)
            assert (finding.code, finding.root) == ("effect-not-in-force", made)

    def test_nobody_decides_for_an_empty_seat(self) -> None:
        game = Game()
        game.leaves(2)

        assert game.codes(game.acts(2, stated=3)) == ["decider-not-entitled"]
        assert game.codes(game.acts(2, stated="server:arena")) == ["decider-not-entitled"]

    def test_chance_is_nobodys_decision(self) -> None:
        game = _controlled()
        number = game.acts(2, "choice_made", kind="discard", stated="rules")

        assert game.codes(number) == []
        assert game.lawful(number) is True

    def test_any_member_of_a_free_team_may_speak_for_it(self) -> None:
        game = Game(4, teams=[(1, 2), (3, 4)])
        game.turn(3, 4)

        assert game.codes(game.acts(3, stated=4, team_seats=(3, 4))) == []
        assert game.codes(game.acts(3, stated=1, team_seats=(3, 4))) == ["decider-not-entitled"]
        assert game.codes(game.acts(3, stated=4)) == ["decider-not-entitled"]


class TestWhereTheRulesLeaveItOpen:
    def test_a_member_of_a_circle_is_neither_right_nor_wrong(self) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")
        number = game.acts(2, stated=1)

        assert game.codes(number) == []
        assert game.lawful(number) is None
        assert game.codes(game.acts(2, stated=3)) == ["decider-not-entitled"]

    def test_a_candidate_of_another_reading_is_neither_right_nor_wrong(self) -> None:
        game = _controlled()
        game.control("e2", 3, 2, "while_resolving", object="word")
        game.resolves("word")
        number = game.acts(2, stated=2)

        assert game.codes(number) == []
        assert game.lawful(number) is None

    def test_a_decider_the_source_does_not_know_raises_nothing(self) -> None:
        game = _controlled()
        number = game.acts(2, stated="unknown")

        assert game.codes(number) == []
        assert game.lawful(number) is None

    def test_behind_a_gap_the_gap_is_the_cause(self) -> None:
        game = Game()
        game.turn(2)
        gap = game.gap()
        number = game.acts(2)
        (finding,) = game.findings(number)

        assert (finding.code, finding.root) == ("gap-before-decision", gap)
        assert game.lawful(number) is None
        assert game.codes(game.acts(2, "judge_called")) == []


class TestStandIns:
    def test_they_may_act_where_nobody_else_decides(self) -> None:
        game = Game()
        game.taken_over(2, "server:arena")

        for stated in (None, "server:arena"):
            number = game.acts(2, stated=stated)
            assert game.codes(number) == []
            assert game.lawful(number) is True

    @pytest.mark.parametrize("stated", [None, "server:arena"])
    def test_they_may_not_act_for_a_controlled_seat(self, stated: str | None) -> None:
        game = _controlled()
        game.taken_over(2, "server:arena")
        number = game.acts(2, stated=stated)

        assert game.codes(number) == ["decider-not-entitled"]

    def test_they_may_carry_out_what_the_controller_decides(self) -> None:
        game = _controlled()
        game.taken_over(2, "server:arena")
        number = game.acts(2, stated=1, performer="server:arena")

        assert game.codes(number) == []
        assert game.lawful(number) is True

    def test_in_the_controllers_seat_it_is_open(self) -> None:
        game = _controlled()
        game.taken_over(1, "server:arena")
        number = game.acts(2, stated="server:arena")

        assert game.codes(number) == []
        assert game.lawful(number) is None

    def test_the_person_beside_a_stand_in_is_entitled_and_noticed(self) -> None:
        game = Game()
        game.taken_over(2, "program:bot")
        number = game.acts(2, stated=2)

        assert game.codes(number) == ["stated-derived-differ"]
        assert game.lawful(number) is True


class TestWhatWasDecided:
    def test_cr_723_5b_nothing_that_is_not_called_for(self) -> None:
        game = _controlled()
        number = game.acts(2, "choice_made", stated=1, called_for=False)

        assert game.codes(number) == ["not-called-for"]
        assert game.lawful(number) is False

    def test_there_is_no_order_of_damage_to_choose(self) -> None:
        game = _controlled()

        assert game.codes(game.acts(2, "choice_made", kind="damage_order")) == ["not-called-for"]
        assert game.codes(game.acts(2, "damage_assigned")) == []

    @pytest.mark.parametrize(
        ("event", "fields"),
        [
            ("spell_cast", {"paid_from": 1}),
            ("cost_paid", {"owner": 1}),
            ("mana_produced", {"permanent_of": 1}),
        ],
    )
    def test_cr_723_5a_only_the_acting_seats_resources_pay(
        self, event: str, fields: dict[str, int]
    ) -> None:
        game = _controlled()
        number = game.acts(2, event, stated=1, **fields)
        own = {key: 2 for key in fields}

        assert game.codes(number) == ["wrong-resources"]
        assert game.codes(game.acts(2, event, stated=1, **own)) == []

    def test_the_library_of_another_player_pays_for_nothing(self) -> None:
        game = Game()

        assert game.codes(game.searches(2, owner=3)) == []

    def test_two_causes_give_two_findings_in_the_order_of_the_codes(self) -> None:
        game = _controlled()
        number = game.acts(2, "spell_cast", stated=3, paid_from=3)

        assert game.codes(number) == ["decider-not-entitled", "wrong-resources"]

    def test_cr_723_7_an_effect_may_forbid(self) -> None:
        game = _controlled(may_not=("land_played",))
        number = game.acts(2, "land_played", refused=True)
        (finding,) = game.findings(number)

        assert (finding.code, finding.root) == ("restriction-broken", game.effect("e1").created)
        assert game.codes(game.acts(2, "spell_cast")) == []

    def test_cr_723_7_a_demand_is_due_when_the_control_ends(self) -> None:
        kept, broken = (_controlled(must=("attackers_declared",)) for _ in range(2))
        kept.acts(2, "attackers_declared")
        broken.acts(2, "attackers_declared", refused=True)

        assert kept.codes(kept.turn(3)) == []
        assert broken.codes(broken.turn(3)) == ["restriction-broken"]

    def test_a_demand_is_not_due_when_the_controller_leaves(self) -> None:
        game = _controlled(must=("attackers_declared",))

        assert game.codes(game.leaves(1)) == []

    def test_no_card_from_outside_while_controlled(self) -> None:
        game = _controlled()

        assert game.codes(game.acts(2, "outside_game_card_chosen")) == ["outside-game-choice"]
        assert game.codes(game.acts(3, "outside_game_card_chosen")) == []

    def test_no_card_of_a_wrong_kind_ever(self) -> None:
        game = Game()
        game.turn(2)

        assert game.codes(game.acts(2, "outside_game_card_chosen", wrong_type=True)) == [
            "outside-game-choice"
        ]


class TestWhatTheRecordShows:
    def test_cr_723_3_a_step_of_the_controller(self) -> None:
        game = _controlled()

        assert game.codes(game.step("upkeep", 1)) == ["active-player-changed"]
        assert game.codes(game.step("draw", 2)) == []
        assert game.codes(game.step("draw")) == []

    def test_no_step_is_wrong_where_a_gap_hides_whose_turn_it_is(self) -> None:
        game = _controlled()
        game.gap()

        assert game.codes(game.step("upkeep", 1)) == []

    def test_cr_723_3_an_object_that_goes_to_the_controller_by_that_right(self) -> None:
        game = _controlled()
        number = game.tell(
            "object_control_changed", object="bear", controller=1, by_player_control=True
        )

        assert game.codes(number) == ["object-controller-changed"]
        assert game.codes(game.tell("object_control_changed", object="bear", controller=1)) == []

    def test_somebody_answers_and_nothing_explains_it(self) -> None:
        game = Game()
        game.turn(2)

        assert game.codes(game.observe("seen", 2, 1)) == ["control-window-suspected"]
        assert game.codes(game.observe("over", 2, None)) == []

    def test_a_doubtful_effect_is_no_ground_for_a_contradiction(self) -> None:
        game = _controlled()
        game.gap()

        assert game.codes(game.observe("over", 2, None)) == []

        game.gap()

        assert game.codes(game.observe("seen", 2, 3)) == ["control-window-suspected"]

    def test_a_dispute_is_noticed_where_it_is_raised_and_points_at_the_disputed_event(self) -> None:
        game = _controlled()
        played = game.acts(2)
        disputed = game.tell("stamp_disputed", about=played, claimed=player(2), by=player(2))
        (finding,) = game.findings(disputed)

        assert (finding.code, finding.severity, finding.root) == (
            "stamp-disputed",
            "warning",
            played,
        )
        assert finding.rule is None
        assert game.codes(played) == []
        assert game.lawful(played) is True

    def test_a_rule_number_of_another_edition_in_a_dispute_is_noticed_as_well(self) -> None:
        game = _controlled()
        played = game.acts(2)
        disputed = game.tell(
            "stamp_disputed", about=played, claimed=player(2), by=player(2), grounds="see 722.5"
        )

        assert game.codes(disputed) == ["citation-of-other-edition", "stamp-disputed"]

    def test_a_stamp_of_an_older_reading_is_superseded(self) -> None:
        told, other = _controlled(), Game(4)
        other.tell("note_added", about=None, text="in place of the effect")
        other.turn(2)
        number = other.acts(2)
        told.events.append(other.events[number - 1])
        told.states.append(told.now)

        assert told.codes(number) == ["stamp-superseded"]


def test_findings_stand_in_the_order_of_the_codes() -> None:
    found = [
        Finding(code=code, number=1, root=1, rule=None, message="") for code in reversed(CODES)
    ]

    assert [finding.code for finding in in_order(found)] == list(CODES)


def test_every_unlawful_code_is_a_code_and_serious() -> None:
    assert all(CODES[code] == "serious" for code in UNLAWFUL)


def test_messages_do_not_speak_of_intent() -> None:
    game = _controlled(may_not=("spell_cast",))
    number = game.acts(2, "spell_cast", stated=1, paid_from=3, called_for=False)
    words = " ".join(finding.message for finding in game.findings(number)).lower()

    assert len(game.findings(number)) == 3
    assert not any(word in words for word in ("cheat", "intent", "guilt", "on purpose"))
