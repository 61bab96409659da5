"""The commands that ask: what people and programs get, and how the process ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from projections.views import ViewStatus
from tests.support.games import ALICE, BOB, fact, tell, turn
from tests.support.stories import STORIES, controlled_turn
from whodecided.api import Log, Progress
from whodecided.cli import importing

Runs = Callable[..., Any]
WIDE = {"COLUMNS": "160"}
QUESTIONS = (
    ("games",),
    ("show", 1),
    ("who", 1, 16),
    ("control", 1),
    ("active", 1, 16),
    ("sees", 1, 16),
    ("replay", 1),
    ("findings",),
    ("findings", 3),
    ("status",),
    ("sql", "--viewer", "judge", "SELECT count(*) AS n FROM games"),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q[0]))
def test_every_question_writes_one_json_document_with_a_schema_version(
    ask: Runs, question: tuple[object, ...]
) -> None:
    run = ask(*question, "--json")

    assert run.document["schema_version"] == 1
    assert (run.err, run.code) == ("", 0)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q[0]))
@pytest.mark.parametrize("columns", ["80", "120"])
def test_every_question_writes_lines_that_fit_and_do_not_end_in_blanks(
    ask: Runs, question: tuple[object, ...], columns: str
) -> None:
    run = ask(*question, env={"COLUMNS": columns})

    lines = run.out.splitlines()
    assert lines
    assert [line for line in lines if line != line.rstrip()] == []
    assert max(map(len, lines)) <= int(columns)
    assert "\x1b" not in run.out


def test_who_says_acting_seat_and_decided_by_at_a_glance(ask: Runs) -> None:
    out = ask("who", 1, 16, env=WIDE).out

    assert "acting seat    Seat 2 · player b0b00000" in out
    assert "decided by     Seat 1 · player a11ce000   <- not the acting seat's own player" in out
    assert "control effect mindslaver (Mindslaver, next turn)" in out
    assert "made by event 12, in force events 13-18 (next turn started)" in out
    assert "CR 723.5 (2026-09-25)" in out
    assert "event 20: the judge was called here" in out
    assert "says Seat 2 · player b0b00000 decided: I did this myself" in out


def test_who_for_a_program_holds_the_same_answer(ask: Runs) -> None:
    document = ask("who", 1, 16, "--json").document

    assert document["acting_seat"] == 2
    assert document["deciding_player"] == ALICE
    assert document["acting_player"] == BOB
    assert document["authority"]["effect"]["label"] == "mindslaver"


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (("who", 3, 5), 6),
        (("who", 3, 8), 0),
        (("active", 3, 5), 6),
        (("sees", 3, 5), 6),
        (("replay", 3, "--at", 5), 6),
        (("replay", 3), 0),
        (("who", 1, 99), 4),
        (("who", 99, 1), 4),
        (("who", "ffffffff", 1), 4),
        (("sees", 1, 3, "--viewer", "9"), 4),
        (("sees", 1, 3, "--viewer", "rules"), 2),
        (("sql", "SELECT 1"), 5),
        (("sql", "--viewer", "judge", "DROP TABLE games"), 2),
        (("who", 1), 2),
        (("who", 1, "x"), 2),
        (("who", 1, "-1"), 2),
        (("nonsense",), 2),
    ],
)
def test_the_exit_code_says_how_it_went(ask: Runs, question: tuple[object, ...], code: int) -> None:
    assert ask(*question).code == code


def test_an_answer_after_a_gap_is_marked_incomplete(ask: Runs) -> None:
    assert "! incomplete: A gap in the record hides who decided." in ask("who", 3, 5).out
    assert ask("who", 3, 5, "--json").document["incomplete"] != []


def test_an_error_goes_to_standard_error_with_advice_and_without_a_traceback(ask: Runs) -> None:
    run = ask("who", 1, 99)

    game = controlled_turn().game_id[:8]
    assert run.out == ""
    assert run.err == (f"error no event '99' in game {game}\nIt has the events 1 to 24.\n")


def test_an_error_is_json_too_where_json_is_asked_for(ask: Runs) -> None:
    run = ask("who", 1, 99, "--json")

    assert run.out == ""
    assert json.loads(run.err) == {
        "schema_version": 1,
        "error": {
            "kind": "NotFound",
            "message": f"no event '99' in game {controlled_turn().game_id[:8]}",
            "advice": "It has the events 1 to 24.",
            "exit_code": 4,
        },
    }


def test_who_is_not_entitled_is_advised_alike_in_words_and_json(ask: Runs) -> None:
    advice = "Name another viewer with --viewer if you may act as one."

    assert ask("sql", "SELECT 1").err.endswith(f"\n{advice}\n")
    assert json.loads(ask("sql", "SELECT 1", "--json").err)["error"]["advice"] == advice


def test_control_draws_a_lane_per_seat(ask: Runs) -> None:
    out = ask("control", 1, env=WIDE).out

    assert "Seat 1  ------------------------\n" in out
    assert "Seat 2  -------------11111------" in out
    assert "in force events 13-18 (next turn started)" in out


def test_control_of_a_game_without_control_says_so(ask: Runs) -> None:
    assert "No player was controlled" in ask("control", 4).out


def test_control_denies_nothing_about_what_a_gap_hides(ask: Runs) -> None:
    run = ask("control", 3, env=WIDE)

    assert "nobody stood in for one, as far as recorded." in run.out
    assert "incomplete: Who decided for seat 1, from event 4 to event 7: a gap" in run.out
    assert run.code == 6


def test_who_does_not_say_that_nobody_chose_a_discard(tmp_path: Path, run: Runs) -> None:
    moved = fact("object_moved", object="o1", to_zone="graveyard", cause="discard")
    tell(turn(1), moved).in_directory(tmp_path / "log")
    out = run("--log", tmp_path / "log", "who", 1, 3, env=WIDE).out

    assert "not in this event: a consequence, the choice is not recorded here" in out
    assert "nobody chooses" not in out


def test_show_does_not_call_a_local_time_utc(tmp_path: Path, run: Runs) -> None:
    begin = replace(turn(1), occurred_at="2018-11-04T18:00:20.659000Z", clock="local")
    tell(begin).in_directory(tmp_path / "log")
    out = run("--log", tmp_path / "log", "show", 1, env=WIDE).out

    assert "2018-11-04 18:00:20.659 local time" in out
    assert "20.659 UTC" not in out


def test_a_stand_in_has_a_lane_and_a_line(ask: Runs) -> None:
    out = ask("control", 2).out

    assert "Seat 2  ---sss-" in out
    assert "server arena" in out
    assert "stand-in (AI_Goldfish)" in out


def test_sees_shows_the_matrix_and_the_cards_of_the_viewer(ask: Runs) -> None:
    out = ask("sees", 1, 16, "--viewer", 1, env=WIDE).out

    assert "seat 2 hand" in out
    assert "The viewer controls that player." in out
    assert "card 82102 (object o22)" in out
    assert "82102" not in ask("sees", 1, 16, "--viewer", "spectator").out


def test_replay_marks_the_event_and_what_was_undone(ask: Runs) -> None:
    out = ask("replay", 4, "--at", 8).out

    assert [line for line in out.splitlines() if line.startswith(">")] != []
    assert out.count("(undone later)") == 3


def test_replay_shows_so_many_events_as_asked_for(ask: Runs) -> None:
    events = ask("replay", 1, "--at", 10, "--before", 2, "--after", 1, "--json").document["events"]

    assert [event["view"]["number"] for event in events] == [8, 9, 10, 11]


def test_findings_are_called_observations(ask: Runs) -> None:
    assert "observations, not verdicts" in ask("findings").out
    assert ask("findings", 2, "--rules-date", "2026-09-25").out.startswith("No findings.\n")
    assert "stamp-disputed" in ask("findings", 1).out


def test_some_games_are_listed_with_how_many_there_are(ask: Runs) -> None:
    whole, some = ask("games").out, ask("games", "--remarks", "--since", "2026-10-01")

    assert "of 5 games" not in whole
    assert [line.split()[0] for line in some.out.splitlines()[2:]] == ["1", "3", "2"]
    assert some.out.endswith("\n2 of 5 games.\n")
    assert ask("games", "--until", "2026-09-30").out == "None of 5 games.\n"


def test_some_findings_are_shown_with_how_many_there_are(ask: Runs) -> None:
    many = len(ask("findings", "--json").document["findings"])
    assert ask("findings").out.startswith(f"{many} findings")

    out = ask("findings", "--severity", "warning").out
    assert f" of {many} findings" in out
    assert "stamp-disputed" in out
    assert "gap-before-decision" not in out
    assert ask("findings", 3, "--severity", "serious").out.startswith("None of 1 finding.")
    assert ask("findings", "--code", "nonsense").code == 2


@pytest.mark.parametrize(
    "question",
    [("who", 1, 16), ("control", 1), ("active", 1, 16), ("sees", 1, 16), ("findings", 1)],
)
def test_a_question_is_answered_by_the_rules_of_a_day_asked_for(
    ask: Runs, question: tuple[object, ...]
) -> None:
    asked = ask(*question, "--rules-date", "2016-07-18", "--json").document["edition"]
    own = ask(*question, "--json").document["edition"]

    assert (asked["edition"], asked["section"], asked["by"]) == ("2016-04-08", "712", "asked")
    assert asked["notices"] == ["disputed-day"]
    assert (own["day"], own["by"], own["notices"]) == (
        "2026-10-01",
        "played_on",
        ["after-newest-edition"],
    )


@pytest.mark.parametrize(("language", "said"), [("en", "differ"), ("fr", "diffèrent")])
def test_people_are_told_of_the_edition_asked_for(ask: Runs, language: str, said: str) -> None:
    out = ask("who", 1, 16, "--rules-date", "2016-07-18", "--lang", language, env=WIDE).out

    assert "CR 2016-04-08 712 (2016-07-18)" in out
    assert said in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("who", 1, 16, "--rules-date", "1990-01-01"), "no edition of the rules"),
        (("control", 1, "--rules-date", "today"), "is not a date"),
        (("findings", "--rules-date", "2016-07-18"), "it needs a game"),
    ],
)
def test_a_day_that_cannot_be_is_a_mistake_of_use(
    ask: Runs, arguments: tuple[object, ...], message: str
) -> None:
    run = ask(*arguments)

    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_ones_own_edition_is_used_where_a_folder_names_it(ask: Runs, tmp_path: Path) -> None:
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions" / "900.toml").write_text(
        'section = "900"\nfamily = "player"\n\n'
        '[[documents]]\nid = 2026-09-30\nstatus = "inferred"\nsources = ["SD-723"]\n',
        encoding="utf-8",
    )
    rules = ask("who", 1, 16, "--rules-dir", tmp_path, "--json").document["rules"]

    assert "900.5" in [rule["number"] for rule in rules]


def test_sql_gives_columns_and_rows(ask: Runs) -> None:
    document = ask(
        "sql", "--viewer", "judge", "--json", "SELECT game_id, events FROM games ORDER BY 2"
    ).document

    assert document["columns"] == ["game_id", "events"]
    assert [row[1] for row in document["rows"]] == [7, 8, 9, 23, 24]


def test_status_of_a_healthy_log_ends_well(run: Runs, tmp_path: Path) -> None:
    for story in STORIES:
        story().in_directory(tmp_path / "log")
    told = run("--log", tmp_path / "log", "status")

    assert told.code == 0
    assert "71 events in 5 game streams" in told.out


def test_rebuild_makes_the_tables_anew(ask: Runs) -> None:
    before = ask("status", "--json").document["tables"]["generation"] or 0
    run = ask("rebuild", "--json")

    assert run.document["tables"]["generation"] > before
    assert run.document["tables"]["behind"] == 0


@pytest.mark.parametrize(
    ("many", "processors", "wanted"), [(0, 2, 2), (0, 64, 4), (0, None, 1), (50_000, 64, 1)]
)
def test_a_large_log_is_rebuilt_by_several_processes(
    ask: Runs, monkeypatch: pytest.MonkeyPatch, many: int, processors: int | None, wanted: int
) -> None:
    used: list[int] = []
    rebuild = Log.rebuild

    def noted(log: Log, progress: Progress | None, *, jobs: int) -> ViewStatus:
        used.append(jobs)
        return rebuild(log, progress)

    monkeypatch.setattr(Log, "rebuild", noted)
    monkeypatch.setattr(importing, "_MANY_EVENTS", many)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert ask("rebuild").code == 0
    assert ask("rebuild", "--jobs", "3").code == 0
    assert used == [wanted, 3]


def test_a_card_that_no_record_names_is_not_called_hidden_from_whoever_may_see_all(
    ask: Runs,
) -> None:
    whole = " ".join(ask("replay", 1, "--at", 16, "--viewer", "judge").out.split())

    assert "card 82103 (object o28), and 1 card that the record does not name" in whole
    assert "hidden" not in whole
    assert "hidden card" in ask("replay", 1, "--at", 16, "--viewer", "spectator").out
