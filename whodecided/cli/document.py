"""Answers and errors as JSON documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from domain.errors import WhodecidedError
from whodecided.cardnames import CardNames

__all__ = ["SCHEMA_VERSION", "document", "encoded", "error_document"]

SCHEMA_VERSION: Final = 1
"""Version of the JSON that the commands write."""


def document(answer: Any, names: CardNames) -> dict[str, Any]:
    """An answer as plain values, with the names of the cards and abilities in it that are known."""
    plain: dict[str, Any] = msgspec.to_builtins(answer)
    found = {
        kind: {ref: known[ref] for ref in sorted(set(_refs(plain, kind))) if ref in known}
        for kind, known in (("card", names.cards), ("ability", names.abilities))
    }
    named = {f"{kind}_names": known for kind, known in found.items() if known}
    return {"schema_version": SCHEMA_VERSION} | plain | named


def _refs(value: Any, kind: str) -> Iterator[str]:
    """Every text under a key `card` or `ability`."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == kind and isinstance(inner, str):
                yield inner
            else:
                yield from _refs(inner, kind)
    elif isinstance(value, list):
        for inner in value:
            yield from _refs(inner, kind)


def error_document(error: WhodecidedError) -> dict[str, Any]:
    """An expected error: its kind, what happened, what to do, and the exit code."""
    facts = {"kind": type(error).__name__, "message": str(error), "advice": error.advice}
    return {"schema_version": SCHEMA_VERSION, "error": facts | {"exit_code": error.exit_code}}


def encoded(plain: Mapping[str, Any]) -> bytes:
    """One document as one line of UTF-8; what is no text in a file's name is U+FFFD."""
    try:
        return msgspec.json.encode(plain) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_text_only(plain)) + b"\n"


def _text_only(value: Any) -> Any:
    """The value without halves of surrogate pairs."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {_text_only(key): _text_only(inner) for key, inner in value.items()}
    return [_text_only(inner) for inner in value] if isinstance(value, list) else value
