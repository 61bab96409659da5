"""What interrupts and ends synthetic games: undo, gaps, reconnects, take-overs, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whodecided.importers.arena.synthetic.plays import Plays, other
from whodecided.importers.arena.synthetic.table import HAND, STACK, Json

__all__ = ["cancel_a_cast", "concede", "edict", "end_game", "hide", "reconnect", "sideboard"]


def cancel_a_cast(plays: Plays, seat: int, card: int) -> None:
    """Begin to cast a card, then take it back: the engine returns to the state before."""
    log, table = plays.recording, plays.table
    asked = plays.offer(seat)
    memory, before = table.remember(), table.state_id
    number = table.find(card, HAND[seat])
    log.act(seat, asked, "Cast", number)
    table.move(number, STACK, "CastSpell")
    log.request(seat, "PayCostsReq", {"manaCost": [{"count": 1}]})
    log.client("CancelActionReq", None, gameStateId=table.state_id, cancelActionReq={})
    table.go_back(memory)
    log.send(log.full("Undo", before=before))


def hide(plays: Plays, happen: Callable[[], object]) -> None:
    """Whatever happens, the client summarises it away: the log has a hole."""
    text = plays.recording.text
    kept = len(text.entries)
    happen()
    del text.entries[kept:]
    text.summarised(63)


def reconnect(plays: Plays, happen: Callable[[], object]) -> None:
    """The connection breaks; what happens meanwhile is not logged; a whole picture follows."""
    log, text = plays.recording, plays.recording.text
    kept = len(text.entries)
    happen()
    del text.entries[kept:]
    plays.table.annotations = []
    log.room("Playing")
    greeting = log.connect()
    log.send(greeting, log.full(before=plays.table.state_id))


def edict(plays: Plays, seat: int, kind: str, request: int | None, **payload: Any) -> None:
    """The server answers in the seat's name."""
    log = plays.recording
    answer: Json = {"type": f"ClientMessageType_{kind}", "systemSeatId": seat}
    answer["gameStateId"] = plays.table.state_id
    if request is not None:
        answer["respId"] = request
    message = {"edictMessage": answer | payload | {"timerId": 47}}
    log.send(log.message("EdictalMessage", (seat,), edictalMessage=message))


def concede(plays: Plays, seat: int) -> None:
    """The seat's own player gives the game up."""
    if seat == plays.recording.local:
        plays.recording.client("ConcedeReq", None, concedeReq={"scope": "MatchScope_Game"})
    end_game(plays, winner=other(seat), reason="Concede")


def end_game(plays: Plays, *, winner: int, reason: str = "Game") -> None:
    """The game, and with it perhaps the match, is over."""
    log, table = plays.recording, plays.table
    result: Json = {"scope": "MatchScope_Game", "result": "ResultType_WinLoss"}
    result |= {"winningTeamId": winner, "reason": f"ResultReason_{reason}"}
    log.results.append(result)
    table.players[other(winner)]["status"] = "PlayerStatus_PendingLoss"
    won = [item["winningTeamId"] for item in log.results]
    over = won.count(winner) * 2 > log.match.best_of
    final = result | {"scope": "MatchScope_Match"}
    results = log.results + ([final] if over else [])
    state = "MatchState_MatchComplete" if over else "MatchState_GameComplete"
    stage = {"stage": "GameStage_GameOver", "matchState": state, "results": results}
    table.info = table.info | stage
    last = log.state("SendAndRecord", pending=1)
    asked = {"result": final if over else result}
    log.send(last, log.message("IntermissionReq", (log.local,), intermissionReq=asked))
    if over:
        reasons = {"matchCompletedReason": "MatchCompletedReasonType_Success"}
        summary = {"matchId": log.match.id, "resultList": results} | reasons
        log.room("MatchCompleted", finalMatchResult=summary)


def sideboard(plays: Plays) -> None:
    """The local player submits the same deck between two games."""
    log = plays.recording
    log.client("EnterSideboardingReq", None)
    deck = {"deck": {"deckCards": [700105] * 4}}
    asked = log.message("SubmitDeckReq", (log.local,), submitDeckReq=deck)
    log.send(asked)
    log.client("SubmitDeckResp", asked["msgId"], submitDeckResp=deck)
