"""What a bundle may disclose to a viewer, and which rules it takes along."""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from projections.game import FoldedGame
from whodecided.evidence.bundle import MayShow

__all__ = ["may_show_everything", "may_show_in_game", "may_show_nothing", "rule_files"]

_LEFT_OUT: Final = frozenset({"provisions"})


def may_show_in_game(game: FoldedGame, viewer: str) -> MayShow:
    """Of a game's events the sealed fields that the viewer may see in clear; no event is withheld.

    Raises NotEntitled or BadInput, when it is asked, for what is no viewer of the game.
    """

    def may_show(event: Any) -> Collection[str]:
        return game.clear_fields(viewer, event.number)

    return may_show


def may_show_everything(event: Any) -> Collection[str]:
    """Every sealed field: what a judge may see."""
    return [name for name in event.__struct_fields__ if hasattr(getattr(event, name), "digest")]


def may_show_nothing(event: Any) -> Collection[str]:
    """No sealed field."""
    return ()


def rule_files() -> dict[str, bytes]:
    """The product's editions and policies, by name: what its answers were computed from."""
    found: dict[str, bytes] = {}
    _collect(files("domain.rules").joinpath("data"), "", found)
    return found


def _collect(folder: Traversable, prefix: str, found: dict[str, bytes]) -> None:
    for item in folder.iterdir():
        if item.is_dir() and item.name not in _LEFT_OUT:
            _collect(item, f"{prefix}{item.name}/", found)
        elif item.name.endswith(".toml"):
            found[f"{prefix}{item.name}"] = item.read_bytes()
