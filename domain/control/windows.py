"""Opening and closing the window of one effect."""

from __future__ import annotations

from msgspec.structs import replace

from domain.control.effects import Effect, end

__all__ = ["close", "forfeit", "open_window", "pause", "wait_on"]


def open_window(effect: Effect, number: int) -> Effect:
    """The effect with its window open from this event; `began` only if it had not ended before."""
    if effect.ended is not None:
        return replace(effect, window="open")
    began = number if effect.began is None else effect.began
    return replace(effect, window="open", began=began)


def close(effect: Effect, number: int, reason: str) -> Effect:
    """The effect with its window over for good; what it promised falls due (CR 500.7)."""
    due = "due" if effect.promise == "promised" else effect.promise
    return replace(end(effect, number, reason), window="closed", promise=due)


def forfeit(effect: Effect, number: int) -> Effect:
    """The effect whose players have all left; nothing it promised falls due to them."""
    gone = close(effect, number, "affected_left")
    return replace(gone, promise="void") if gone.promise == "due" else gone


def pause(effect: Effect) -> Effect:
    """The permission with its window shut until the next search."""
    return replace(effect, window="waiting")


def wait_on(effect: Effect) -> Effect:
    """The effect, whose turn or phase was skipped and which waits for the next (CR 723.1b)."""
    return effect if effect.waited else replace(effect, waited=True)
