"""`sees`: the matrix of viewers against hidden information."""

from __future__ import annotations

from queries.sees import HiddenItem, SeesAnswer, sees
from tests.support.games import ALICE, BOB, enters, fact, tell, turn
from tests.support.stories import controlled_turn, gap, hidden_cards


def entitled(answer: SeesAnswer, zone: str, owner: int) -> dict[str, bool]:
    return {sight.viewer: sight.entitled for sight in item(answer, zone, owner).sights}


def item(answer: SeesAnswer, zone: str, owner: int, object: str | None = None) -> HiddenItem:
    [found] = [
        one for one in answer.items if (one.zone, one.owner, one.object) == (zone, owner, object)
    ]
    return found


def cards(answer: SeesAnswer, zone: str, owner: int) -> set[str | None]:
    return {card.card for card in item(answer, zone, owner).cards}


def test_a_hand_is_its_players_alone() -> None:
    answer = sees(controlled_turn().record(), 10)

    assert answer.viewers == ("seat:1", "seat:2", "spectator")
    assert entitled(answer, "hand", 2) == {"seat:1": False, "seat:2": True, "spectator": False}


def test_the_controller_sees_the_hand_during_control_and_not_after_it() -> None:
    record = controlled_turn().record()

    assert entitled(sees(record, 12), "hand", 2)["seat:1"] is False
    assert entitled(sees(record, 13), "hand", 2)["seat:1"] is True
    assert entitled(sees(record, 17), "hand", 2)["seat:1"] is True
    assert entitled(sees(record, 18), "hand", 2)["seat:1"] is False


def test_the_controlled_player_does_not_see_the_controllers_hand() -> None:
    assert entitled(sees(controlled_turn().record(), 16), "hand", 1)["seat:2"] is False


def test_the_reason_names_the_rule_and_the_event_that_proves_it() -> None:
    answer = sees(controlled_turn().record(), 16)
    [sight] = [one for one in item(answer, "hand", 2).sights if one.viewer == "seat:1"]

    assert "723.4" in [rule.number for rule in sight.rules]
    assert 12 in sight.proof
    assert sight.because


def test_what_was_shown_stays_learned_after_the_right_to_see_it_has_ended() -> None:
    answer = sees(controlled_turn().record(), 19)
    [sight] = [one for one in item(answer, "hand", 2).sights if one.viewer == "seat:1"]

    assert (sight.entitled, sight.known, sight.learned) == (False, 1, 13)


def test_cards_are_named_for_the_asking_viewer_only_as_far_as_the_viewer_may_see_them() -> None:
    record = controlled_turn().record()

    assert cards(sees(record, 16, "1"), "hand", 2) == {"82102"}
    assert cards(sees(record, 19, "1"), "hand", 2) == {None}
    assert cards(sees(record, 19, "judge"), "hand", 2) == {"82102"}
    assert cards(sees(record, 19), "hand", 2) == {None}


def test_a_face_down_object_is_an_item_of_its_own() -> None:
    answer = sees(controlled_turn().record(), 16)
    face_down = item(answer, "battlefield", 1, "o31")

    assert face_down.face_down
    assert {one.viewer: one.entitled for one in face_down.sights} == {
        "seat:1": True,
        "seat:2": False,
        "spectator": False,
    }


def test_a_card_in_a_library_that_somebody_may_look_at_is_an_item_of_its_own() -> None:
    told = hidden_cards()
    answer = sees(told.record(), told.number_of("look_granted"))
    looked = item(answer, "library", 2, "o28")

    assert {one.viewer: one.entitled for one in looked.sights} == {
        "seat:1": True,
        "seat:2": False,
        "spectator": False,
    }


def test_a_card_nobody_recorded_is_not_called_hidden() -> None:
    answer = sees(controlled_turn().record(), 16)
    known = {card.object: card.hidden for card in item(answer, "library", 2).cards}

    assert known == {"o28": True, "o29": False}


def test_somebody_who_controls_a_seat_without_holding_one_is_a_viewer() -> None:
    told = tell(
        enters("o21", 2, "hand", "1"),
        turn(1),
        fact(
            "control_created", label="k", controller="person:zoe", affected=(2,), scope="next_turn"
        ),
        turn(2),
    )
    answer = sees(told.record(), 5, "person:zoe")

    assert answer.viewers == ("seat:1", "seat:2", "person:zoe", "spectator")
    assert entitled(answer, "hand", 2)["person:zoe"] is True
    assert cards(answer, "hand", 2) == {"1"}


def test_after_a_gap_the_answer_says_what_is_hidden() -> None:
    assert sees(gap().record(), 5).incomplete != ()
    assert sees(gap().record(), 3).incomplete == ()


def test_a_sideboard_is_listed_where_the_record_has_one() -> None:
    told = tell(enters("o90", 2, "sideboard", "5"), turn(1))
    answer = sees(told.record(), 3, BOB)

    assert cards(answer, "sideboard", 2) == {"5"}
    assert cards(sees(told.record(), 3, ALICE), "sideboard", 2) == {None}
