"""Player control, in the three shapes in which a log may show it, through the command.

In the invented game seat 1 takes turn 8 of seat 2, plays a land and casts Murder for it; seat 2
concedes, in a second form of the game while it is still controlled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.support.acceptance import FULL
from tests.support.commands import Commands, run_command
from whodecided.cli.app import active, control, sees, who
from whodecided.cli.settings import Common
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.recording import VARIANTS

MURDER = "700203"


@dataclass(frozen=True)
class Game:
    """One game in a log of its own, asked through the command."""

    log: Path

    def ask(
        self, command: Callable[..., None], *numbers: int, viewer: str = "spectator"
    ) -> list[dict[str, Any]]:
        """The JSON answers of a command about events of the game, or about the game."""
        with Commands(Common(self.log, viewer, json=True)) as commands:
            runs = [commands.run(command, "1", number) for number in numbers]
            runs = runs or [commands.run(command, "1")]
        assert [run.err for run in runs if run.code] == []
        return [run.document for run in runs]

    @cached_property
    def control(self) -> dict[str, Any]:
        """Effects and intervals."""
        return self.ask(control)[0]

    @cached_property
    def numbers(self) -> range:
        """The numbers of all events."""
        return range(1, self.control["last_event"] + 1)

    @cached_property
    def interval(self) -> range:
        """The events for which seat 2 is controlled: those after the one that began it."""
        [found] = self.control["intervals"]
        return range(found["first"] + 1, found["last"] + 1)

    @cached_property
    def players(self) -> dict[int, str]:
        """Seat -> player."""
        return {seat["seat"]: seat["player"] for seat in self.control["seats"]}

    @cached_property
    def answers(self) -> list[dict[str, Any]]:
        """What `who` says of every event."""
        return self.ask(who, *self.numbers)

    def decisions(self, seat: int) -> list[dict[str, Any]]:
        """What `who` says of every decision in play of a seat."""
        return [
            answer
            for answer in self.answers
            if answer["acting_seat"] == seat
            and answer["decision_class"] == "game"
            and answer["event"]["family"] == "decisions"
        ]

    def named(self, name: str) -> list[dict[str, Any]]:
        """What `who` says of the events of one kind."""
        return [answer for answer in self.answers if answer["event"]["event"] == name]


def recorded(folder: Path, shape: str, local: int, concede_early: bool = False) -> Game:
    """Import the game as the client of a seat writes it."""
    file, log = folder / "Player.log", folder / "log"
    text = demo_log(VARIANTS[shape], local=local, concede_while_controlled=concede_early)
    file.write_text(text, encoding="utf-8")
    run = run_command("import", file, "--log", log, "--json")
    assert run.code == 0, run.err
    assert run.documents[0]["bad_records"] == []
    return Game(log)


_CHAIRS = (1, 2) if FULL else (1,)


@pytest.fixture(scope="module", params=[(s, seat) for s in sorted(VARIANTS) for seat in _CHAIRS])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Each shape from each chair."""
    return recorded(tmp_path_factory.mktemp("control"), *request.param)


@pytest.fixture(scope="module", params=sorted(VARIANTS))
def conceded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Each shape; seat 2 concedes while it is controlled."""
    folder = tmp_path_factory.mktemp("conceded")
    return recorded(folder, request.param, 1, concede_early=True)


def test_one_player_is_controlled_for_one_turn(game: Game) -> None:
    [effect], [interval] = game.control["effects"], game.control["intervals"]

    assert (effect["kind"], effect["scope"]) == ("control", "observed")
    assert (effect["controller"], effect["affected"]) == (game.players[1], [2])
    assert (interval["seat"], interval["turn"]) == (2, 8)
    assert interval["controller"] == game.players[1]


def test_the_controller_decides_for_the_controlled_seat(game: Game) -> None:
    [effect] = game.control["effects"]
    under = [a for a in game.decisions(2) if a["event"]["number"] in game.interval]

    assert {a["event"]["event"] for a in under} >= {"land_played", "spell_cast", "targets_chosen"}
    for answer in under:
        assert answer["acting_player"] == game.players[2]
        assert answer["deciding_player"] == game.players[1]
        assert answer["authority"]["kind"] == "observed"
        assert answer["authority"]["ref"] == effect["created"]
        assert answer["agrees"] is True
        assert answer["findings"] == []


def test_everybody_decides_for_themselves_otherwise(game: Game) -> None:
    free = [a for a in game.decisions(2) if a["event"]["number"] not in game.interval]

    assert free
    assert game.decisions(1)
    for seat, answers in ((1, game.decisions(1)), (2, free)):
        for answer in answers:
            assert answer["deciding_player"] == game.players[seat]
            assert answer["authority"]["kind"] == "self"


def test_the_active_player_never_changes_with_control(game: Game) -> None:
    [ended] = [answer["event"]["number"] for answer in game.named("game_ended")]
    seen = {}
    for answer in game.ask(active, *game.numbers[: ended - 1]):
        moment, turn = answer["moment"], answer["moment"]["turn"]
        assert moment["active_seats"] == ([] if turn is None else [2 - turn % 2])
        assert answer["active_players"] == [game.players[n] for n in moment["active_seats"]]
        seen[turn] = moment["active_seats"]
    assert list(seen) == [None, *range(1, 10)]


def test_the_controller_sees_the_hand_while_in_control_and_not_after(game: Game) -> None:
    first, last = game.interval[0], game.interval[-1]
    before, during, end, after = hands_of_two(game, first - 2, first + 10, last - 1, last + 1)

    assert before == (False, 0)
    assert after == (False, 0)
    for entitled, cards in (during, end):
        assert entitled
        assert cards > 0


def hands_of_two(game: Game, *numbers: int) -> list[tuple[bool, int]]:
    """Whether seat 1 may see the hand of seat 2 after each event, and how many cards it is told."""
    found = []
    for answer in game.ask(sees, *numbers, viewer="1"):
        [hand] = [i for i in answer["items"] if (i["zone"], i["owner"]) == ("hand", 2)]
        [sight] = [sight for sight in hand["sights"] if sight["viewer"] == "seat:1"]
        told = [card for card in hand["cards"] if card["card"] is not None]
        found.append((sight["entitled"], len(told)))
    return found


def test_a_spectator_is_told_no_card_of_a_hand_at_any_time(game: Game) -> None:
    for answer in game.ask(sees, *game.numbers):
        for item in answer["items"]:
            assert [card for card in item["cards"] if card["card"] is not None] == []


def test_a_concession_is_the_players_own(game: Game, conceded: Game) -> None:
    for form in (game, conceded):
        [answer] = form.named("conceded")
        assert answer["acting_seat"] == 2
        assert answer["deciding_player"] == form.players[2]
        assert answer["authority"]["kind"] == "tournament_rule"
        assert answer["decision_class"] == "tournament"
        assert answer["agrees"] is True
    assert conceded.named("conceded")[0]["event"]["number"] in conceded.interval
    assert game.named("conceded")[0]["event"]["number"] not in game.interval


def test_people_read_who_acted_and_who_decided(game: Game) -> None:
    [cast] = [a for a in game.named("spell_cast") if a["event"]["number"] in game.interval]
    text = run_command("--log", game.log, "who", 1, cast["event"]["number"]).out

    assert f"card {MURDER}" in text.lower()
    acting, decided = (
        next(line for line in text.splitlines() if line.startswith(label))
        for label in ("acting seat", "decided by")
    )
    assert "Seat 2" in acting
    assert "Seat 1" in decided
