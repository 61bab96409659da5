"""The games of a log as the questions take them, folded once and kept."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Final

from domain.codec import decode_all
from domain.ports import EventLog
from domain.rules import RuleLibrary, rules_of_game
from projections.game import fold_game
from queries.record import GameRecord, Secrets

__all__ = ["GameRecords", "secrets_of"]

_KEPT: Final = 32


class GameRecords:
    """Folded games of a log; one is folded again when the log has more of it."""

    def __init__(self, log: EventLog, rules: RuleLibrary) -> None:
        self._log = log
        self._rules = rules
        self._kept: OrderedDict[tuple[str, str | None], tuple[int, GameRecord]] = OrderedDict()

    def record(self, game_id: str, edition: str | None) -> GameRecord:
        """A game under the rules of a day, by default its own."""
        head = self._log.stream_head(game_id)
        key = (game_id, edition)
        kept = self._kept.get(key)
        if kept is None or kept[0] != head:
            kept = self._kept[key] = (head, self._folded(game_id, head, edition))
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept[1]

    def _folded(self, game_id: str, head: int, edition: str | None) -> GameRecord:
        events = decode_all(self._log.read(game_id, upto=head))
        chosen = rules_of_game(self._rules, events, edition)
        folded = fold_game(events, chosen.rules)
        return GameRecord(game_id, folded, secrets_of(self._log, game_id), chosen.by)


def secrets_of(log: EventLog, stream_id: str) -> Secrets:
    """The values of a stream's sealed fields that have not been erased."""
    disclosed = log.disclosures(stream_id)
    return {(one.number, one.field): json.loads(one.value) for one in disclosed}
