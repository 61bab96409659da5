"""Common options are checked for every command, also where one has no use for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from domain.errors import BadInput, NotFound
from whodecided.cardnames import language_code

if TYPE_CHECKING:
    from whodecided.cli.session import Session

__all__ = ["check_options", "check_values", "check_viewer"]

_ADVICE: Final = "A viewer is a seat (1, seat:2), a player's id, spectator or judge."
_ANYWHERE: Final = re.compile(
    r"spectator|judge|(?:seat:)?[1-9]\d?|(?:person|judge|program):[A-Za-z0-9_.\-/]+"
)
_HALVES: Final = re.compile(r"[\ud800-\udfff]")
_PLAYER: Final = re.compile(r"(?:player:)?[A-Za-z0-9_.\-/]+")


def check_options(session: Session) -> None:
    """Raise BadInput for a language nobody speaks and for a text that names no viewer."""
    if session.common.lang is not None:
        language_code(session.common.lang)
    if not (_ANYWHERE.fullmatch(session.viewer) or _PLAYER.fullmatch(session.viewer)):
        raise BadInput("--viewer", f"{session.viewer!r} names nobody", advice=_ADVICE)


def check_values(values: Mapping[str, Any]) -> None:
    """Raise BadInput for an argument that is no text and for a folder of rules with a mistake.

    Names of files may be any bytes.
    """
    for name, value in values.items():
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str) and _HALVES.search(text):
                raise BadInput(name.replace("_", "-"), "it is not UTF-8 text")
    if values.get("rules_dir") is not None:
        from whodecided.rulesdir import check_rules_dir

        check_rules_dir(values["rules_dir"])


def check_viewer(session: Session) -> None:
    """Raise NotFound for a viewer who is a player of no game of the log."""
    if _ANYWHERE.fullmatch(session.viewer):
        return
    wanted = session.viewer.removeprefix("player:")
    players = {seat.player for game in session.log.games().games for seat in game.seats}
    if not any(player.removeprefix("player:").startswith(wanted) for player in players):
        raise NotFound("player", session.viewer, advice=_ADVICE)
