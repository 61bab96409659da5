"""Files of penalties, and the command that counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from domain.rules.counting import AssessedPenalty, Occasion
from tests.support.commands import run_command
from whodecided.penalties import read_penalties
from whodecided.policy import load_policies

POLICY = load_policies().policy("2026-01-01")
TWO = """
[[penalty]]
person = "Alice"
infraction = "GRV"

[[penalty]]
person = "Alice"
infraction = "GRV"
"""
SECOND_DAY = (
    TWO
    + """
[[penalty]]
person = "Bob"
infraction = "GRV"
penalty = "game_loss"
day = 2
"""
)
ASK = ("--policy", "2026-01-01")


def write(folder: Path, text: str) -> Path:
    path = folder / "penalties.toml"
    path.write_text(text)
    return path


def test_what_a_file_leaves_out_is_a_warning_on_the_first_day(tmp_path: Path) -> None:
    here = Occasion(tournament="this tournament", day=1, stage=1)
    one = AssessedPenalty(person="Alice", infraction="GRV", penalty="warning", occasion=here)
    assert read_penalties(write(tmp_path, TWO), POLICY) == (one, one)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "penalty: the key is missing"),
        ('[[penalty]]\nperson = "A"', "penalty[1].infraction: the key is missing"),
        (TWO + "days = 2", "penalty[2].days: there is no such key"),
        (TWO + "day = 0", "penalty[2].day: "),
        (TWO + 'penalty = "caution"', "penalty[2].penalty: 'caution' is none of"),
        (TWO.replace("GRV", "XYZ"), "penalty[1].infraction: ipg-2024-09-23 has no infraction"),
    ],
)
def test_a_mistake_in_a_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_penalties(write(tmp_path, text), POLICY)
    assert said in str(caught.value)


def test_the_next_penalty_is_given_on_the_last_day_in_the_file(tmp_path: Path) -> None:
    answer = run_command("penalties", write(tmp_path, SECOND_DAY), *ASK, "--json").document
    assert answer["occasion"]["day"] == 2
    assert [(one["person"], one["earlier"], one["penalty"]) for one in answer["counts"]] == [
        ("Alice", 0, "warning"),
        ("Bob", 0, "warning"),
    ]


def test_a_third_error_of_a_kind_on_one_day_becomes_a_game_loss(tmp_path: Path) -> None:
    path = write(tmp_path, SECOND_DAY)
    [alice, _] = run_command("penalties", path, *ASK, "--day", 1, "--json").document["counts"]
    assert (alice["earlier"], alice["place"], alice["penalty"]) == (2, 3, "game_loss")
    assert "Game Loss from number 3 on" in run_command("penalties", path, *ASK, "--day", 1).out


def test_a_file_without_penalties_is_refused(tmp_path: Path) -> None:
    done = run_command("penalties", write(tmp_path, "penalty = []"))
    assert done.code == 2
    assert "no penalty stands in it" in done.err
