"""Each figure of the self-check counts what its name says."""

from __future__ import annotations

import json
from typing import Any

from tests.support.arena_lines import Log, Message, diff, full, request
from tests.support.arena_reading import frames
from whodecided.importers.arena.figures import Figure, FileFigures
from whodecided.importers.arena.fold import Fold
from whodecided.importers.arena.items import StateItem


def _figures(log: Log) -> dict[str, Figure]:
    figures, fold = FileFigures(), Fold()
    for record in frames(log.data()):
        figures.record(record)
        for item in fold.take(record):
            if isinstance(item, StateItem):
                figures.state(item)
    return figures.result()


def _counted(log: Log, *names: str) -> tuple[Figure, ...]:
    figures = _figures(log)
    return tuple(figures[name] for name in names)


def _log(*messages: Message) -> Log:
    log = Log()
    for message in messages:
        log.server(message)
    return log


def _player(kind: str, controller: int = 1) -> list[dict[str, Any]]:
    return [
        {"systemSeatNumber": 1, "controllerSeatId": controller, "controllerType": kind},
        {"systemSeatNumber": 2, "controllerSeatId": 2, "controllerType": "ControllerType_Player"},
    ]


def _note(*kinds: str, seat: int = 1) -> dict[str, Any]:
    return {"id": 1, "affectorId": seat, "type": [f"AnnotationType_{kind}" for kind in kinds]}


PLAYER, GOLDFISH = "ControllerType_Player", "ControllerType_AI_Goldfish"


def test_a_take_over_is_an_interval_and_counts_only_after_a_player() -> None:
    kinds = [PLAYER, GOLDFISH, GOLDFISH, PLAYER, GOLDFISH]
    states = [diff(i, i - 1, players=_player(kind)) for i, kind in enumerate(kinds, 2)]
    assert _counted(_log(full(1), *states), "take_overs") == (2,)
    bot = _log(full(1, players=_player(GOLDFISH)), diff(2, 1, players=_player(PLAYER)))
    assert _counted(bot, "take_overs", "player_control") == (0, 0)


def test_a_seat_that_another_answers_for_is_counted_each_time_it_is_shown() -> None:
    log = _log(full(1, players=_player(PLAYER)), diff(2, 1, players=_player(PLAYER, 2)))
    log.server(diff(3, 2, players=_player(PLAYER, 2)))
    assert _counted(log, "player_control", "take_overs") == (2, 0)


def test_actions_are_compared_with_the_decider_of_the_state_before() -> None:
    turns = [{"decisionPlayer": 1}, {"decisionPlayer": 2}]
    act = [_note("UserActionTaken", "X")]
    log = _log(
        full(1, turnInfo=turns[0]),
        diff(2, 1, turnInfo=turns[1], annotations=act),
        diff(3, 2, annotations=act),
        diff(6, 5, annotations=act),
        diff(7, 6, annotations=[_note("ControllerChanged")]),
    )
    names = ("actions", "actions_decider_known", "actions_decider_equal", "annotations")
    assert _counted(log, *names) == (3, 2, 1, 4)
    assert _counted(log, "chain_gaps", "object_control_changes") == (1, 1)


def test_a_state_logged_later_is_put_back_before_deciders_are_compared() -> None:
    act = [_note("UserActionTaken", seat=2)]
    log = _log(full(1), diff(3, 2, annotations=act), diff(2, 1, turnInfo={"decisionPlayer": 2}))
    names = ("out_of_order_states", "chain_gaps", "actions_decider_known", "actions_decider_equal")
    assert _counted(log, *names) == (1, 0, 1, 1)


def test_requests_are_compared_with_the_decider_of_their_own_state() -> None:
    log = _log(
        full(1, turnInfo={"decisionPlayer": 1}),
        diff(2, 1, turnInfo={"decisionPlayer": 2}),
        request(5, 1, 1),
        request(6, 2, 1, "PromptReq"),
        request(7, 2, 2, "OptionalActionMessage"),
        request(8, 9, 2),
        request(9, 2, 2, "SubmitTargetsResp"),
    )
    names = ("requests", "requests_decider_known", "requests_to_decider", "requests_elsewhere")
    assert _counted(log, *names) == (4, 3, 2, {"PromptReq": 1})


def test_answers_are_resolved_within_their_connection() -> None:
    log = _log(full(1), request(8, 1, 1))
    log.client("SelectNResp", gameStateId=1, respId=8)
    log.client("SearchResp", gameStateId=1, respId=7)
    connect = {"type": "GREMessageType_ConnectResp", "systemSeatIds": [1], "msgId": 2}
    log.server({**connect, "connectResp": {}})
    log.client("SelectNResp", gameStateId=1, respId=8)
    log.client("ConcedeReq", concedeReq={"scope": "MatchScope_Game"})
    names = ("responses", "responses_resolved", "responses_unresolved", "client_messages")
    assert _counted(log, *names) == (3, 1, {"SearchResp": 1, "SelectNResp": 1}, 4)
    assert _counted(log, "concede_requests") == (1,)


def test_payloads_that_are_text_are_counted_and_not_decoded() -> None:
    log = _log(full(1))
    document = {"requestId": 1, "clientToMatchServiceMessageType": "X", "payload": "CBSCAQQKAkgB"}
    log.line(json.dumps(document))
    log.line(json.dumps({**document, "payload": {"type": "Something"}}))
    assert _counted(log, "client_payloads_undecoded", "client_messages") == (1, 0)


def test_a_message_of_the_closed_beta_is_read() -> None:
    log = Log()
    body = {"type": "ClientMessageType_ConcedeReq", "systemSeatId": 1}
    log.json({"clientId": "x", "requestId": 3, "clientToGreMessage": body}, pretty=True)
    assert _counted(log, "client_messages", "concede_requests") == (1, 1)


def _over(match_id: str, number: int, *results: tuple[str, str]) -> dict[str, Any]:
    listed = [{"scope": f"MatchScope_{s}", "reason": f"ResultReason_{r}"} for s, r in results]
    info = {"matchID": match_id, "gameNumber": number, "stage": "GameStage_GameOver"}
    return {**info, "results": listed}


def test_the_result_of_a_game_is_the_last_one_of_its_scope() -> None:
    first = _over("m", 1, ("Game", "Game"))
    second = _over("m", 2, ("Game", "Game"), ("Game", "Concede"), ("Match", "Timeout"))
    log = _log(full(1), diff(2, 1, gameInfo=first), full(1), diff(2, 1, gameInfo=second))
    names = ("matches", "games", "games_with_result", "games_conceded")
    assert _counted(log, *names) == (1, 2, 2, 1)
    assert _counted(log, "results") == ({"Concede": 1, "Game": 1},)


def test_a_match_drawn_before_it_is_played_has_a_game_with_that_result() -> None:
    info = {
        "matchID": "m",
        "matchState": "MatchState_MatchComplete",
        "results": [{"scope": "MatchScope_Match", "reason": "ResultReason_Force"}],
    }
    assert _counted(_log(full(1, gameInfo=info)), "games", "results") == (1, {"Force": 1})


def test_a_game_still_open_has_no_result() -> None:
    info = {"matchID": "m", "gameNumber": 1, "stage": "GameStage_Play"}
    assert _counted(_log(full(1, gameInfo=info)), "games", "games_with_result") == (1, 0)


def test_full_states_in_mid_game_are_undos_or_reconnections() -> None:
    undo = {"update": "GameStateUpdate_Undo"}
    zone = {"zones": [{"zoneId": 1}]}
    log = _log(
        full(1),
        diff(2, 1),
        full(3, prev=1, **undo),
        full(4, prev=2, **undo, **zone),
        full(9, prev=8),
    )
    names = ("undos", "undos_equal_fold", "reconnect_jumps", "game_states", "gre_messages")
    assert _counted(log, *names) == (2, 1, 1, 5, 5)


def test_markers_edicts_and_timeouts_are_counted() -> None:
    log = _log(full(1), request(5, 1, 1, "EdictalMessage"), request(6, 1, 1, "TimeoutMessage"))
    log.summarised("GameStateMessage")
    log.line("x")
    names = ("summarised_gaps", "edicts", "timeout_messages", "requests")
    assert _counted(log, *names) == (1, 1, 1, 0)


def test_malformed_parts_of_a_state_are_not_counted_and_stop_nothing() -> None:
    info = {"matchID": 5, "results": [{"scope": 1}]}
    log = _log(full(1, gameInfo=info, players=[{}], annotations=[{}]))
    assert _counted(log, "games", "annotations", "take_overs") == (0, 1, 0)
