"""An import is divided only where nothing of a file can belong to the file before it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from whodecided.importers.arena.strands import begins_run, divide
from whodecided.importers.arena.synthetic.demo import demo_log

BEGINNING = "Mono path[0] = 'C:/Games'\nInitialize engine version: 2022.3\nDETAILED LOGS: ENABLED\n"
ENTRY = '{"greToClientEvent": {"greToClientMessages": []}}\n'


def written(folder: Path, text: str | bytes, name: str = "Player.log") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        BEGINNING,
        BEGINNING.replace("ENABLED", "DISABLED"),
        BEGINNING.replace("\n", "\r\n"),
        "DETAILED LOGS: ENABLED\n",
        BEGINNING + ENTRY,
        demo_log(),
        BEGINNING.encode("utf-8-sig"),
        BEGINNING.encode("utf-16"),
        BEGINNING.encode("utf-16-le"),
        gzip.compress(BEGINNING.encode()),
    ],
)
def test_a_file_that_begins_with_the_client_begins_a_run(tmp_path: Path, text: str | bytes) -> None:
    assert begins_run(written(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing of a client\n",
        ENTRY,
        ENTRY + BEGINNING,
        "[Message summarized because one or more GameStateMessages exceeded the limit.]\n"
        + BEGINNING,
        ': "GREMessageType_GameStateMessage"\n' + BEGINNING,
        '"greToClientMessages": []}}\n' + BEGINNING,
        "}\n" + BEGINNING,
        "DETAILED LOGS: ENA",
        "DETAILED LOGS: ENABLED",
        "said DETAILED LOGS: ENABLED\n",
        "ETAILED LOGS: ENABLED\n",
        " " * (1 << 16) + "\n" + BEGINNING,
        bytes(range(256)),
        gzip.compress(BEGINNING.encode())[:20],
    ],
)
def test_a_file_that_may_continue_another_begins_none(tmp_path: Path, text: str | bytes) -> None:
    assert not begins_run(written(tmp_path, text))


def test_what_cannot_be_read_begins_none(tmp_path: Path) -> None:
    assert not begins_run(tmp_path / "missing.log")
    assert not begins_run(tmp_path)


def test_files_stay_with_those_they_may_continue(tmp_path: Path) -> None:
    texts = [ENTRY, BEGINNING, ENTRY, "", BEGINNING, BEGINNING]
    paths = [written(tmp_path, text, f"{n}.log") for n, text in enumerate(texts)]

    assert divide(paths) == [paths[:1], paths[1:4], paths[4:5], paths[5:]]
    assert divide([]) == []


@pytest.mark.parametrize("at", range(1, len(BEGINNING) + 1, 7))
def test_a_log_cut_around_its_beginning_may_be_divided_there(tmp_path: Path, at: int) -> None:
    text = demo_log()
    text = BEGINNING + text[text.index("DETAILED LOGS: ENABLED\n") + 23 :]
    first, second = written(tmp_path, text[:at], "1.log"), written(tmp_path, text[at:], "2.log")

    divided = divide([first, second])
    assert [path for strand in divided for path in strand] == [first, second]
    assert len(divided) == 1 or "{" not in text[:at]
