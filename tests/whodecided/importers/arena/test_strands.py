"""An import is divided only where nothing of a file can belong to the file before it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.arena_importing import import_into
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
        gzip.compress(BEGINNING.encode(), mtime=0),
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
        'roClientEvent": { "greToClientMes\n' + BEGINNING,
        "DETAILED LOGS: ENA",
        "DETAILED LOGS: ENABLED",
        "said DETAILED LOGS: ENABLED\n",
        "ETAILED LOGS: ENABLED\n",
        " " * (1 << 16) + "\n" + BEGINNING,
        BEGINNING.encode("utf-16-le"),
        bytes(range(256)),
        gzip.compress(BEGINNING.encode(), mtime=0)[:20],
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_log_cut_around_its_beginning_means_what_it_means_whole(
    tmp_path: Path, encoding: str
) -> None:
    text = demo_log().replace("Synthetic_Play", "\u65e5\u672c")
    raw = (BEGINNING + text[text.index("DETAILED LOGS: ENABLED\n") + 23 :]).encode(encoding)
    whole, _ = import_into(tmp_path / "whole", [written(tmp_path, raw)])

    for at in range(1, len(BEGINNING.encode(encoding)) + 8, 9):
        parts = [written(tmp_path, raw[:at], "1.log"), written(tmp_path, raw[at:], "2.log")]
        assert import_into(tmp_path / str(at), parts)[0] == whole
