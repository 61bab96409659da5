"""Records a live game until it is stopped: `python -m tests.whodecided.live_appender`.

Arguments: the directory or address of a log, the prefix of the record ids, how many spells. Begins
the game if need be, prints the number of every event once it is acknowledged, and goes on from its
own start when it is run again: what it has recorded before is acknowledged once more.
"""

from __future__ import annotations

import sys

from tests.support.live import GAME, casts, starts
from whodecided import open_log


def main(place: str, who: str, count: int) -> None:
    """Record one event after the other, each in a transaction of its own."""
    with open_log(place, create=True) as log:
        log.record(GAME, starts())
        for turn in range(count):
            [done] = log.record(GAME, casts(f"{who}-{turn}"))
            print(done.number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
