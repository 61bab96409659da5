"""States are delivered in the order of their chain; what is missing is said, never bridged."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.arena_lines import Log, Message, diff, full, request
from tests.support.arena_reading import frames, items, pending, states
from whodecided.importers.arena.board import View
from whodecided.importers.arena.fold import Fold
from whodecided.importers.arena.items import (
    ClientItem,
    Gap,
    GapCause,
    GapItem,
    Item,
    MessageItem,
    StateItem,
    StateKind,
)
from whodecided.importers.arena.records import BadRecord
from whodecided.importers.arena.waiting import HELD_STATES

CONNECT = {
    "type": "GREMessageType_ConnectResp",
    "systemSeatIds": [2],
    "msgId": 2,
    "connectResp": {"status": "ConnectionStatus_Success"},
}
UNDO = {"update": "GameStateUpdate_Undo"}


def _log(*batches: list[Message]) -> bytes:
    log = Log()
    for batch in batches:
        log.server(*batch)
    return log.data()


def _ids(found: list[StateItem]) -> list[int]:
    return [item.state_id for item in found]


def _info(match_id: str, number: int = 1) -> dict[str, Any]:
    return {"matchID": match_id, "gameNumber": number}


def _turn(decider: int | None = None, **fields: Any) -> dict[str, Any]:
    return {"turnNumber": 1, **fields, **({"decisionPlayer": decider} if decider else {})}


# Order.


def test_a_batch_logged_too_late_is_put_in_its_place() -> None:
    log = _log([full(1), diff(2, 1)], [diff(5, 4), diff(6, 5)], [diff(3, 2), diff(4, 3)])
    found = states(log)

    assert _ids(found) == [1, 2, 3, 4, 5, 6]
    assert {item.kind for item in found[1:]} == {StateKind.DIFF}
    assert pending(log) == []


def test_what_depends_on_a_held_state_waits_for_it_and_the_rest_does_not() -> None:
    log = Log()
    log.server(full(1))
    log.server(diff(3, 2), request(8, 3, 1))
    log.server(request(7, 1, 1))
    log.client("SelectNResp", gameStateId=3, respId=8)
    log.server(diff(2, 1), request(6, 2, 1))
    found = [_name(item) for item in items(log.data())]

    assert found == ["state 1", "request 7", "state 2", "request 6", "state 3", "request 8", "to 8"]


def _name(item: Item) -> str:
    if isinstance(item, StateItem):
        return f"state {item.state_id}"
    if isinstance(item, MessageItem):
        return f"request {item.message.msgId}"
    if isinstance(item, ClientItem):
        return f"to {item.request.message.msgId if item.request else None}"
    return type(item).__name__


@given(st.permutations(range(2, 12)), st.lists(st.integers(1, 9), max_size=4))
def test_any_order_of_batches_gives_the_order_of_the_chain(
    order: list[int], cuts: list[int]
) -> None:
    batches = [[full(1)]]
    for index, state_id in enumerate(order):
        if index in cuts or len(batches) == 1:
            batches.append([])
        batches[-1].append(diff(state_id, state_id - 1))
    assert _ids(states(_log(*batches))) == list(range(1, 12))


@given(st.permutations(range(2, 12)), st.integers(1, 11))
def test_items_of_a_beginning_are_a_beginning_of_the_items(order: list[int], length: int) -> None:
    batches = [[full(1)], *([diff(i, i - 1), request(i, i, 1)] for i in order)]
    whole = [_name(item) for item in items(_log(*batches))]
    begun = [_name(item) for item in items(_log(*batches[:length]))]
    assert begun == whole[: len(begun)]


def test_what_is_held_at_the_end_is_pending_and_not_delivered() -> None:
    log = _log([full(1, gameInfo=_info("m"))], [diff(3, 2), diff(4, 3), request(9, 4, 1)])
    assert _ids(states(log)) == [1]
    (left,) = pending(log)
    assert left.game.match_id == "m"
    assert left.state_ids == [3, 4]


# Gaps.


def _gap(item: StateItem) -> Gap:
    assert item.gap is not None
    return item.gap


def test_a_summary_marker_makes_the_next_break_a_gap() -> None:
    log = Log()
    log.server(full(1, turnInfo=_turn(1)))
    log.summarised("GameStateMessage", "SearchReq")
    log.server(diff(4, 3), diff(5, 4, turnInfo=_turn(2)), diff(6, 5))
    found = items(log.data())
    after = [item for item in found if isinstance(item, StateItem)][1:]

    assert isinstance(found[1], GapItem)
    assert found[1].marker.listed == ("GameStateMessage", "SearchReq")
    assert _gap(after[0]) == Gap(1, 3, GapCause.SUMMARISED, ("GameStateMessage", "SearchReq"))
    assert [item.kind for item in after] == [StateKind.GAP, StateKind.DIFF, StateKind.DIFF]
    assert [item.before.turn_known for item in after] == [False, False, True]
    assert [item.after.turn_known for item in after] == [False, True, True]


def test_a_marker_that_comes_after_the_states_behind_the_gap_explains_it_too() -> None:
    log = Log()
    log.server(full(1))
    log.server(diff(4, 3), diff(5, 4))
    log.summarised("GameStateMessage")
    log.server(diff(6, 5))
    found = states(log.data())

    assert _ids(found) == [1, 4, 5, 6]
    assert _gap(found[1]).cause is GapCause.SUMMARISED


def test_waiting_ends_when_too_many_states_wait() -> None:
    held = [diff(i, i - 1) for i in range(3, 3 + HELD_STATES)]
    assert _ids(states(_log([full(1)], held))) == [1]

    found = states(_log([full(1)], held, [diff(3 + HELD_STATES, 2 + HELD_STATES)]))
    assert len(found) == HELD_STATES + 2
    assert _gap(found[1]) == Gap(1, 2, GapCause.UNEXPLAINED)


@pytest.mark.parametrize("end", ["next game", "connection", "room", "completed"])
def test_waiting_ends_with_the_game_or_its_connection(end: str) -> None:
    log = Log()
    log.room("m")
    log.server(full(1, gameInfo=_info("m")))
    log.server(diff(3, 2))
    if end == "next game":
        log.server(full(1, gameInfo=_info("m", 2)))
    elif end == "connection":
        log.server(CONNECT)
    else:
        log.room(*(("m", "MatchCompleted") if end == "completed" else ("n", "Playing")))
    assert _ids(states(log.data()))[:2] == [1, 3]


def test_a_log_that_begins_in_mid_game_begins_with_a_gap() -> None:
    found = states(_log([diff(7, 6), diff(8, 7)]))
    assert _gap(found[0]) == Gap(None, 6, GapCause.START)
    assert [item.kind for item in found] == [StateKind.GAP, StateKind.DIFF]
    assert found[0].game.starts_mid_game
    assert not found[1].before.turn_known


def test_a_state_without_predecessor_in_mid_game_follows_a_gap() -> None:
    (_, second) = states(_log([full(1), diff(5, None)]))
    assert _gap(second) == Gap(1, None, GapCause.UNEXPLAINED)


def test_a_state_sent_twice_is_applied_once() -> None:
    zone = {"zoneId": 1, "objectInstanceIds": [5]}
    found = states(_log([full(1), diff(2, 1, zones=[zone])], [diff(2, 1, zones=[zone])]))
    assert [item.kind for item in found] == [StateKind.START, StateKind.DIFF, StateKind.DUPLICATE]
    assert _ids(states(_log([full(1), diff(2, 1)], [diff(2, 1)], [diff(3, 2)]))) == [1, 2, 2, 3]


def test_another_state_with_the_id_of_the_last_one_is_refused_and_said() -> None:
    zone = {"zoneId": 1, "objectInstanceIds": [5]}
    other = diff(2, 1, annotations=[{"id": 7, "type": ["AnnotationType_ModifiedLife"]}])
    log = _log([full(1), diff(2, 1, zones=[zone])], [other], [diff(3, 2)])
    [refused] = [item for item in items(log) if isinstance(item, BadRecord)]

    assert [(item.state_id, item.kind.value) for item in states(log)] == [
        (1, "start"),
        (2, "diff"),
        (3, "diff"),
    ]
    assert refused.reason == "message 1 of the batch: another state has the id 2"
    assert refused.place.line == 4


def test_a_state_from_inside_a_gap_that_comes_too_late_is_not_applied() -> None:
    log = Log()
    log.server(full(1))
    log.summarised("GameStateMessage")
    log.server(diff(5, 4))
    log.server(diff(3, 2))
    log.server(diff(6, 5))
    kinds = [item.kind for item in states(log.data())]
    assert kinds == [StateKind.START, StateKind.GAP, StateKind.LATE, StateKind.DIFF]


def test_ids_that_start_again_without_a_full_state_are_another_game() -> None:
    log = _log([full(1), *(diff(i, i - 1) for i in range(2, 9))], [diff(3, 2, turnInfo=_turn(1))])
    found = states(log)
    assert found[-1].game is not found[0].game
    assert found[-1].game.starts_mid_game
    assert _gap(found[-1]).cause is GapCause.START


# Full states in mid-game.


def test_an_undo_goes_back_to_its_predecessor_and_lists_what_it_rolls_back() -> None:
    zone = {"zoneId": 1, "objectInstanceIds": [5]}
    moved = {"zoneId": 1, "objectInstanceIds": []}
    start, later = _turn(1), _turn(2)
    found = states(
        _log(
            [full(1, zones=[zone], turnInfo=start), diff(2, 1, zones=[moved], turnInfo=later)],
            [diff(3, 2)],
            [full(4, prev=1, **UNDO, zones=[zone], turnInfo=start)],
            [diff(5, 4)],
            [full(6, prev=4, **UNDO, zones=[zone], turnInfo=start)],
        )
    )
    first, second = found[3], found[5]

    assert (first.kind, first.undone, first.equals_fold) == (StateKind.UNDO, (3, 2), True)
    assert (first.before.turn, first.before.turn_known) == (start, True)
    assert (second.undone, second.equals_fold) == ((5,), True)
    assert [item.gap for item in found] == [None] * 6


@pytest.mark.parametrize(
    "other",
    [
        {"zones": [{"zoneId": 1}]},
        {"gameObjects": [{"instanceId": 5}]},
        {"persistentAnnotations": [{"id": 3}]},
        {"turnInfo": _turn(2)},
    ],
    ids=["zones", "objects", "annotations", "turn"],
)
def test_an_undo_that_shows_something_else_than_the_fold_says_so(other: dict[str, Any]) -> None:
    start = _turn(1)
    log = _log([full(1, turnInfo=start), diff(2, 1)], [full(3, prev=1, **UNDO, **other)])
    assert states(log)[-1].equals_fold is False
    same = _log([full(1, **other), diff(2, 1)], [full(3, prev=1, **UNDO, **other)])
    assert states(same)[-1].equals_fold is True


def test_an_undo_to_a_state_that_was_not_logged_has_a_gap_and_no_list() -> None:
    log = Log()
    log.server(full(1, turnInfo=_turn(1)))
    log.server(full(6, prev=4, **UNDO, turnInfo=_turn(2)))
    undo = states(log.data())[-1]
    assert (undo.kind, undo.undone, undo.equals_fold) == (StateKind.UNDO, (), None)
    assert not undo.before.turn_known
    assert _gap(undo).before == 4


def test_a_reconnection_repeats_a_state_or_leaves_a_gap() -> None:
    again = {"update": "GameStateUpdate_SendAndRecord", "gameInfo": _info("m")}
    log = Log()
    log.server(full(1, gameInfo=_info("m")), diff(2, 1))
    log.server(CONNECT, full(2, prev=1, **again))
    log.server(diff(3, 2))
    log.server(CONNECT, full(9, prev=8, **again))
    found = states(log.data())

    assert [item.kind.value for item in found] == [
        "start",
        "diff",
        "reconnect",
        "diff",
        "reconnect",
    ]
    assert found[2].gap is None
    assert _gap(found[4]) == Gap(3, 8, GapCause.RECONNECT)
    assert len({id(item.game) for item in found}) == 1


# Games.


def test_the_seat_in_one_match_says_nothing_about_another_one() -> None:
    log = Log()
    log.room("m")
    log.server(CONNECT)
    log.server(full(1, gameInfo=_info("m", 1)), diff(2, 1))
    log.server(CONNECT, full(3, prev=2))
    log.server(diff(7, 6, gameInfo=_info("n", 1)))
    log.server(CONNECT, full(1, gameInfo=_info("o", 1)))
    games = [item.game for item in states(log.data())]

    assert [(game.match_id, game.local_seat) for game in games] == [
        *([("m", 2)] * 3),
        ("n", None),
        ("o", 2),
    ]


def test_ids_restart_in_the_next_game_of_a_match() -> None:
    log = Log()
    log.room("m")
    log.server(CONNECT)
    log.server(full(1, gameInfo=_info("m", 1)), diff(2, 1), request(8, 2, 2))
    log.server(full(1, gameInfo=_info("m", 2)), diff(2, 1))
    log.client("SelectNResp", gameStateId=2, respId=8)
    found = states(log.data())
    games = [found[0].game, found[2].game]

    assert [item.kind.value for item in found] == ["start", "diff", "start", "diff"]
    assert [(game.match_id, game.number, game.local_seat) for game in games] == [
        ("m", 1, 2),
        ("m", 2, 2),
    ]
    assert not any(game.starts_mid_game or game.again for game in games)


def test_a_game_begun_twice_in_the_input_is_marked() -> None:
    log = _log([full(1, gameInfo=_info("m"))]) * 2
    first, second = states(log)
    assert (first.game.again, second.game.again) == (False, True)


def test_another_room_means_another_game_even_without_its_first_state() -> None:
    log = Log()
    log.room("m")
    log.server(full(1, gameInfo=_info("m")), diff(2, 1))
    log.room("n")
    log.server(CONNECT, request(5, 1, 1))
    log.server(diff(3, 2))
    found = items(log.data())
    last = found[-1]

    assert isinstance(last, StateItem)
    assert (last.game.match_id, last.game.starts_mid_game) == ("n", True)
    between = [item for item in found if isinstance(item, MessageItem)]
    assert [item.game for item in between] == [None, None]


def test_a_game_that_begins_in_the_middle_learns_its_name_later() -> None:
    found = states(_log([diff(7, 6)], [diff(8, 7, gameInfo=_info("m", 3))]))
    assert found[0].game is found[1].game
    assert (found[0].game.match_id, found[0].game.number) == ("m", 3)


def test_a_new_run_of_the_client_leaves_what_is_held_undelivered() -> None:
    log = _log([full(1)], [diff(3, 2)]) + b"DETAILED LOGS: ENABLED\n" + _log([diff(4, 3)])
    found = states(log)
    assert _ids(found) == [1, 4]
    assert found[1].game is not found[0].game
    assert [left.state_ids for left in pending(log)] == [[3]]


# Answers.


def test_an_answer_knows_the_request_it_answers() -> None:
    log = Log()
    log.server(full(1), request(8, 1, 1))
    log.client("SelectNResp", gameStateId=1, respId=8)
    log.client("SelectNResp", gameStateId=1, respId=9)
    log.client("SelectNResp", gameStateId=2, respId=8)
    log.client("ConcedeReq")
    log.client("SelectNResp", gameStateId=[1], respId={"x": 8})
    answers = [item for item in items(log.data()) if isinstance(item, ClientItem)]

    assert [a.request.message.msgId if a.request else None for a in answers] == [8] + [None] * 4
    assert [a.answers for a in answers] == [8, 9, 8, None, None]
    assert answers[0].type == "SelectNResp"
    assert answers[0].origin.moment.clock == "client"


def test_a_request_of_an_older_connection_is_not_answered() -> None:
    log = Log()
    log.server(full(1), request(8, 1, 1))
    log.server(CONNECT)
    log.client("SelectNResp", gameStateId=1, respId=8)
    answer = items(log.data())[-1]
    assert isinstance(answer, ClientItem)
    assert answer.request is None


def test_a_request_carries_the_turn_of_its_own_state() -> None:
    log = _log(
        [full(1, turnInfo=_turn(1)), diff(2, 1, turnInfo=_turn(2)), request(8, 1, 1)],
        [request(9, 77, 1)],
    )
    asked = [item for item in items(log) if isinstance(item, MessageItem)]
    assert [(item.turn, item.turn_known) for item in asked] == [(_turn(1), True), (None, False)]


# The picture.


def _picture(view: View) -> tuple[Any, ...]:
    return view.zones(), view.objects(), view.players(), view.persistents(), view.turn


_PARTS = {
    "zones": ("zoneId", 0),
    "gameObjects": ("instanceId", 1),
    "players": ("systemSeatNumber", 2),
    "persistentAnnotations": ("id", 3),
}
_DELETED = {"diffDeletedInstanceIds": 1, "diffDeletedPersistentAnnotationIds": 3}


@st.composite
def _games(draw: st.DrawFn) -> list[Message]:
    messages, head = [full(1, **draw(_parts()))], 1
    for state_id in range(2, draw(st.integers(3, 12))):
        if draw(st.integers(0, 5)) == 0:
            update = draw(st.sampled_from([UNDO, {}]))
            messages.append(full(state_id, prev=head, **{**draw(_parts()), **update}))
        else:
            messages.append(diff(state_id, head, **draw(_parts())))
        head = state_id
    return messages


def _parts() -> st.SearchStrategy[dict[str, Any]]:
    ids, value = st.integers(1, 4), st.integers(0, 9)
    lists = {
        name: st.dictionaries(ids, value, max_size=3).map(partial(_things, key))
        for name, (key, _) in _PARTS.items()
    }
    deleted = {name: st.lists(ids, max_size=2, unique=True) for name in _DELETED}
    turn = {"turnInfo": value.map(lambda v: {"turnNumber": v})}
    return st.fixed_dictionaries({}, optional={**lists, **deleted, **turn})


def _things(key: str, table: dict[int, int]) -> list[dict[str, int]]:
    return [{key: thing_id, "value": value} for thing_id, value in table.items()]


def _apply(picture: list[Any], message: Message) -> list[Any]:
    """The folding rule, in the plainest words: replaced whole, then deleted."""
    state = message["gameStateMessage"]
    new = [{}, {}, {}, {}, None] if state["type"].endswith("Full") else [*map(_copy, picture)]
    for name, (key, index) in _PARTS.items():
        for thing in state.get(name, []):
            new[index][thing[key]] = thing
    for name, index in _DELETED.items():
        for key in state.get(name, []):
            new[index].pop(key, None)
    new[4] = state.get("turnInfo", new[4])
    return new


def _copy(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


@given(_games())
def test_the_picture_on_both_sides_of_each_state_is_the_folded_one(messages: list[Message]) -> None:
    fold = Fold()
    picture: list[Any] = [{}, {}, {}, {}, None]
    seen = 0
    for record in frames(_log(*([message] for message in messages))):
        for item in fold.take(record):
            assert isinstance(item, StateItem)
            undo = item.kind is StateKind.UNDO
            assert _picture(item.before)[: 4 + (not undo)] == tuple(picture[: 4 + (not undo)])
            _single_lookups_agree(item.before)
            picture = _apply(picture, messages[seen])
            assert _picture(item.after) == tuple(picture)
            _single_lookups_agree(item.after)
            seen += 1
    assert seen == len(messages)


def _single_lookups_agree(view: View) -> None:
    for key in range(1, 5):
        assert view.zone(key) == view.zones().get(key)
        assert view.object(key) == view.objects().get(key)
        assert view.player(key) == view.players().get(key)
        assert view.persistent(key) == view.persistents().get(key)


@given(_games(), st.data())
def test_an_undo_to_any_remembered_state_equals_the_picture_folded_there(
    messages: list[Message], data: st.DataObject
) -> None:
    target = data.draw(st.integers(1, len(messages)))
    picture: list[Any] = [{}, {}, {}, {}, None]
    for message in messages[:target]:
        picture = _apply(picture, message)
    back: dict[str, Any] = {
        name: list(picture[index].values()) for name, (_, index) in _PARTS.items()
    }
    if picture[4] is not None:
        back["turnInfo"] = picture[4]
    undo = full(len(messages) + 1, prev=target, **back, **UNDO)
    last = states(_log(*([message] for message in [*messages, undo])))[-1]
    assert (last.kind, last.equals_fold) == (StateKind.UNDO, True)
    assert last.undone == tuple(range(len(messages), target, -1))


def test_a_turn_that_is_sent_replaces_the_old_one_whole() -> None:
    first = _turn(1, activePlayer=1, priorityPlayer=1, step="Step_Draw")
    second = _turn(None, activePlayer=1, phase="Phase_Main1")
    found = states(_log([full(1, turnInfo=first), diff(2, 1, turnInfo=second), diff(3, 2)]))
    views = [item.after for item in found]

    assert [view.decision_player for view in views] == [1, None, None]
    assert [view.priority_player for view in views] == [1, None, None]
    assert [view.active_player for view in views] == [1, 1, 1]
    assert all(view.turn_known for view in views)


def test_before_any_turn_nobody_is_asked_and_that_is_known() -> None:
    first, second = states(_log([full(1), diff(2, 1)]))
    assert (second.before.turn, second.before.turn_known) == (None, True)
    assert first.after.decision_player is None
