"""SQL reads the tables for a judge and can do nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from domain.errors import BadInput, LogUnavailable, NotEntitled
from projections.reader import Limits
from projections.views import ViewSet
from queries.sql import SqlLimits, run_sql
from tests.support.games import LIBRARY, act, tell, turn
from tests.support.tables import memory_log


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> ViewSet:
    views = ViewSet(tmp_path_factory.mktemp("log") / "views")
    told = tell(turn(1), *(act("priority_passed", 1) for _ in range(5)))
    views.catch_up(memory_log(told), LIBRARY)
    return views


def test_a_judge_gets_columns_types_and_rows(views: ViewSet) -> None:
    answer = run_sql(views, "SELECT number, event FROM events ORDER BY number LIMIT 2", "judge")
    assert answer.columns == ("number", "event")
    assert answer.types == ("INTEGER", "VARCHAR")
    assert answer.rows == ((1, "game_started"), (2, "turn_started"))
    assert not answer.truncated


@pytest.mark.parametrize("viewer", ["spectator", "seat:1", "player:a11ce00000000000", ""])
def test_anybody_else_is_refused(views: ViewSet, viewer: str) -> None:
    with pytest.raises(NotEntitled):
        run_sql(views, "SELECT 1", viewer)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "VALUES (1)",
        "FROM games",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "DESCRIBE events",
        "SHOW TABLES",
        "SUMMARIZE games",
        "EXPLAIN SELECT 1",
        "SELECT * FROM games; -- the end",
    ],
)
def test_every_way_to_read_is_allowed(views: ViewSet, text: str) -> None:
    assert run_sql(views, text, "judge").rows


@pytest.mark.parametrize(
    "text",
    [
        "COPY events TO '{file}'",
        "COPY (SELECT 1) TO '{file}' (FORMAT csv)",
        "EXPLAIN ANALYZE COPY events TO '{file}'",
        "EXPORT DATABASE '{file}'",
        "ATTACH '{file}' AS other",
        "ATTACH ':memory:' AS other",
        "DETACH views",
        "USE memory",
        "SELECT * FROM read_csv('{given}')",
        "SELECT * FROM '{given}'",
        "SELECT * FROM read_text('{given}')",
        "SELECT * FROM read_blob('{given}')",
        "SELECT * FROM read_json('{given}')",
        "SELECT * FROM read_parquet('{given}')",
        "SELECT * FROM read_csv('https://localhost/x.csv')",
        "SELECT * FROM glob('{given}')",
        "SELECT * FROM sniff_csv('{given}')",
        "INSTALL httpfs",
        "FORCE INSTALL json",
        "LOAD httpfs",
        "LOAD '{given}'",
        "UPDATE EXTENSIONS",
        "PRAGMA database_size",
        "PRAGMA enable_profiling",
        "SET threads = 1",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET VARIABLE a = 1",
        "RESET memory_limit",
        "CALL pragma_version()",
        "CALL enable_logging()",
        "CHECKPOINT",
        "BEGIN",
        "CREATE TABLE a (b INTEGER)",
        "CREATE TEMP TABLE a (b INTEGER)",
        "CREATE TABLE memory.a (b INTEGER)",
        "CREATE MACRO f() AS 1",
        "CREATE SECRET s (TYPE http)",
        "INSERT INTO games SELECT * FROM games",
        "UPDATE games SET events = 0",
        "DELETE FROM games",
        "DROP TABLE games",
        "ALTER TABLE games ADD COLUMN a INTEGER",
        "TRUNCATE games",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "VACUUM",
        "EXPLAIN ANALYZE DELETE FROM games",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE games",
        "",
        "-- nothing",
        "SELEC 1",
        "SELECT * FROM nothing",
        "SELECT * FROM query('DELETE FROM games')",
    ],
)
def test_everything_else_is_refused(views: ViewSet, text: str, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("a,b\n1,2\n")
    file = tmp_path / "made"
    with pytest.raises(BadInput) as caught:
        run_sql(views, text.format(file=file, given=given), "judge")
    assert caught.value.reason
    assert not file.exists()
    assert run_sql(views, "SELECT count(*) FROM games", "judge").rows == ((1,),)


def test_variables_of_the_program_are_no_tables(views: ViewSet) -> None:
    rows = [{"a": 1}]
    assert rows
    with pytest.raises(BadInput, match="rows"):
        run_sql(views, "SELECT * FROM rows", "judge")


def test_more_rows_than_the_limit_are_cut_off_and_said_to_be(views: ViewSet) -> None:
    text = "SELECT number FROM events ORDER BY number"
    cut = run_sql(views, text, "judge", SqlLimits(rows=3))
    assert cut.rows == ((1,), (2,), (3,))
    assert cut.truncated
    assert not run_sql(views, text, "judge", SqlLimits(rows=7)).truncated


def test_a_question_that_takes_too_long_is_interrupted(views: ViewSet) -> None:
    endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7"
    with pytest.raises(BadInput, match=r"longer than 0\.2 seconds") as refused:
        run_sql(views, endless, "judge", SqlLimits(seconds=0.2))
    assert "fewer games" in (refused.value.advice or "")


def test_the_progress_of_a_long_question_is_not_drawn_into_the_answer(views: ViewSet) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from projections.views import ViewSet; from queries.sql import run_sql;"
        "text = \"SELECT current_setting('enable_progress_bar')\";"
        "print(run_sql(ViewSet(Path(sys.argv[1])), text, 'judge').rows)"
    )
    # Code given on the command line is what DuckDB takes for a notebook.
    command = [sys.executable, "-c", code, str(views.path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "((False,),)"


def test_rows_that_never_end_are_interrupted_too(views: ViewSet) -> None:
    endless = "SELECT * FROM range(1000000000000)"
    with pytest.raises(BadInput, match="longer than"):
        run_sql(views, endless, "judge", SqlLimits(seconds=0.2, rows=10**9))


def test_a_question_that_needs_too_much_memory_is_stopped(views: ViewSet) -> None:
    greedy = "SELECT list(range) FROM range(100000000)"
    with pytest.raises(BadInput, match=r"[Mm]emory"):
        run_sql(views, greedy, "judge", SqlLimits(resources=Limits(memory_mb=50)))


def test_questions_with_different_limits_may_run_at_once(views: ViewSet) -> None:
    with views.reader(Limits(memory_mb=300, threads=1)):
        limits = SqlLimits(resources=Limits(memory_mb=200))
        assert run_sql(views, "SELECT 1", "judge", limits).rows == ((1,),)


def test_a_damaged_block_is_told_and_never_read_as_an_answer(tmp_path: Path) -> None:
    views = ViewSet(tmp_path)
    told = tell(turn(1), *(act("spell_cast", 1, object=str(n)) for n in range(300)))
    views.catch_up(memory_log(told), LIBRARY)
    file = tmp_path / "1.duckdb"
    whole = file.read_bytes()
    text = "SELECT count(DISTINCT details), count(DISTINCT record), sum(number) FROM events"
    rows = run_sql(views, text, "judge").rows
    refused = 0
    for start in range(3 * 4096, len(whole), 65_536):
        damaged = bytearray(whole)
        damaged[start : start + 65_536] = bytes(len(damaged[start : start + 65_536]))
        file.write_bytes(damaged)
        try:
            assert run_sql(views, text, "judge").rows == rows
        except LogUnavailable:
            refused += 1
    assert refused


def test_without_tables_the_answer_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable) as caught:
        run_sql(ViewSet(tmp_path), "SELECT 1", "judge")
    assert "rebuild" in str(caught.value.advice)
