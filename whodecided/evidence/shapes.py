"""The form of stored events, checked fast: every name and type of the schemas, but no patterns.

Checking text patterns takes most of the time of reading an event. A whole log is read in this form;
the thorough verification reads it with the full schemas.
"""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from domain.codec import UPCASTERS, decode, hot
from domain.events.registry import BY_TOPIC
from domain.ports import StoredEvent

__all__ = ["Identity", "identities", "identity"]

Identity = tuple[str, int, str]
"""Stream id, number and topic."""


def identities(events: Sequence[StoredEvent]) -> list[Identity] | None:
    """What the bytes of events say they are, their form checked; None when any has no such form."""
    if not UPCASTERS.keys().isdisjoint(event.topic for event in events):
        return None
    try:
        found = [_decode(event.state) for event in events]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return [(getattr(item, item.STREAM), item.number, item.TOPIC) for item in found]


def identity(event: StoredEvent) -> Identity:
    """The same for one event by the full schemas. PoisonEvent when the bytes are no event."""
    found = decode(event)
    same = f'"topic":"{event.topic}"'.encode() in event.state
    return found.stream_id, found.number, event.topic if same else found.TOPIC


@functools.cache
def _without_patterns(kind: Any) -> Any:
    """The type with structs, unions and tuples made anew and text patterns dropped."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        kept = [item for item in parts[1:] if getattr(item, "pattern", None) is None]
        base = _without_patterns(parts[0])
        return typing.Annotated[base, *kept] if kept else base
    if origin in (typing.Union, types.UnionType):
        return functools.reduce(operator.or_, map(_without_patterns, parts))
    if origin is tuple:
        return types.GenericAlias(
            tuple, tuple(item if item is ... else _without_patterns(item) for item in parts)
        )
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _struct(kind)
    return kind


def _struct(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    fields: list[Any] = []
    for item in msgspec.structs.fields(kind):
        named = (item.name, _without_patterns(item.type))
        fields.append(named if item.required else (*named, item.default))
    topic = kind.__struct_config__.tag
    about = {"TOPIC": topic, "STREAM": f"{str(topic).partition('.')[0]}_id"} if topic else {}
    return msgspec.defstruct(
        kind.__name__,
        fields,
        tag=topic,
        tag_field=kind.__struct_config__.tag_field,
        forbid_unknown_fields=True,
        frozen=True,
        kw_only=True,
        gc=False,
        namespace=about,
    )


_decode: Final[Callable[[bytes], Any]] = msgspec.json.Decoder(
    functools.reduce(operator.or_, [_without_patterns(hot(model)) for model in BY_TOPIC.values()])
).decode
