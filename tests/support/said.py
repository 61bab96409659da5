"""One observation with every field named as in the catalogue, `seat` among them."""

from __future__ import annotations

from typing import Any

from domain.observation import Observation

__all__ = ["said"]


def said(event: str, **fields: Any) -> Observation:
    """A fact of play; `secrets` (a mapping) holds the plain values of sealed fields."""
    secrets = fields.pop("secrets", {})
    return Observation(event, "", fields=fields, secrets=secrets)
