"""Events to canonical bytes and back.

The pydantic models are the contract. Recording and replay go through msgspec structs generated from
those models: same names, same types, a fraction of the cost. A struct has the attributes of its
model, so folds take either. Reading runs the upcasters of old topics first, in every read path.
"""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import msgspec
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from domain.canonical import sha256
from domain.errors import PoisonEvent
from domain.events.base import Event
from domain.events.registry import BY_TOPIC, name_of
from domain.ports import StoredEvent

__all__ = [
    "UPCASTERS",
    "Upcaster",
    "decode",
    "decode_all",
    "encode",
    "facts_digest",
    "from_model",
    "hot",
    "to_model",
]

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTERS: Final[dict[str, Upcaster]] = {}
"""Old topic -> function that turns the old event's plain JSON into that of a newer topic."""

_nested: dict[type[BaseModel], type[msgspec.Struct]] = {}


def _union(members: Iterable[Any]) -> Any:
    return functools.reduce(operator.or_, members)


def _translate(annotation: Any) -> Any:
    """The struct type for a pydantic field type; models become structs, constraints stay."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _nested_struct(annotation)
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        base, *extra = typing.get_args(annotation)
        return typing.Annotated[_translate(base), *_constraints(extra)]
    if origin in (typing.Union, types.UnionType):
        return _union(_translate(part) for part in typing.get_args(annotation))
    if origin is tuple:
        parts = typing.get_args(annotation)
        return types.GenericAlias(tuple, tuple(p if p is ... else _translate(p) for p in parts))
    return annotation


def _constraints(extra: Sequence[Any]) -> list[Any]:
    """msgspec metadata for the constraints of pydantic field infos (ge, le, pattern)."""
    found: dict[str, Any] = {}
    for item in extra:
        for rule in item.metadata if isinstance(item, FieldInfo) else (item,):
            for name in ("ge", "le", "pattern"):
                value = getattr(rule, name, None)
                if value is not None:
                    found[name] = value
    return [msgspec.Meta(**found)] if found else [None]


def _fields(model: type[BaseModel]) -> list[Any]:
    fields: list[Any] = []
    for name, info in model.model_fields.items():
        kind = _translate(info.annotation)
        meta = _constraints(info.metadata)
        if meta != [None]:
            kind = typing.Annotated[kind, *meta]
        fields.append((name, kind) if info.is_required() else (name, kind, info.default))
    return fields


def _nested_struct(model: type[BaseModel]) -> type[msgspec.Struct]:
    if model not in _nested:
        _nested[model] = msgspec.defstruct(
            model.__name__.partition("[")[0],
            _fields(model),
            frozen=True,
            forbid_unknown_fields=True,
            kw_only=True,
            gc=False,
        )
    return _nested[model]


def _event_struct(model: type[Event]) -> type[msgspec.Struct]:
    stream_field = f"{model.TOPIC.partition('.')[0]}_id"
    return msgspec.defstruct(
        model.__name__,
        _fields(model),
        tag_field="topic",
        tag=model.TOPIC,
        frozen=True,
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
        namespace={
            "TOPIC": model.TOPIC,
            "FAMILY": model.FAMILY,
            "NAME": name_of(model.TOPIC),
            "DECISION_CLASS": getattr(model, "DECISION_CLASS", None),
            "stream_id": property(operator.attrgetter(stream_field)),
            "originator_id": property(operator.attrgetter(stream_field)),
            "originator_version": property(operator.attrgetter("number")),
        },
    )


_STRUCTS: Final = {topic: _event_struct(model) for topic, model in BY_TOPIC.items()}
_decoder: Final = msgspec.json.Decoder(_union(_STRUCTS.values()))
_encoder: Final = msgspec.json.Encoder(order="sorted")


def hot(model: type[BaseModel]) -> Callable[..., Any]:
    """The struct type of an event model or of a model inside one (Stamp, SeatInfo, Sealed ...)."""
    if issubclass(model, Event):
        return _STRUCTS[model.TOPIC]
    return _nested_struct(model)


class _Topic(msgspec.Struct):
    """The topic of stored bytes, without reading the rest."""

    topic: str


_topic_decoder: Final = msgspec.json.Decoder(_Topic)


class _FactsStamp(msgspec.Struct, frozen=True, kw_only=True):
    """What of a stamp the source itself says."""

    acting_seat: int | None
    team_seats: tuple[int, ...] | None
    deciding_player: str | None
    performer: str | None
    decision_class: str


@functools.lru_cache(maxsize=4096)
def _stamps(stamp: Any) -> tuple[bytes, bytes]:
    """A stamp as it stands in an event's bytes, and what stands in its place in the facts."""
    said = _FactsStamp(
        acting_seat=stamp.acting_seat,
        team_seats=stamp.team_seats,
        deciding_player=stamp.deciding_player if stamp.basis == "stated" else None,
        performer=stamp.performer,
        decision_class=stamp.decision_class,
    )
    return b'"stamp":' + _encoder.encode(stamp), b'"stamp":' + _encoder.encode(said)


def _facts(event: Any, state: bytes) -> bytes:
    stamp = getattr(event, "stamp", None)
    # Inside a text the quotes would be escaped: the first place is the stamp itself.
    if stamp is None:
        return sha256(state)
    whole, said = _stamps(stamp)
    return sha256(state.replace(whole, said, 1))


def encode(event: Any) -> StoredEvent:
    """Canonical bytes and facts digest of an event (struct or model), ready to be stored."""
    struct = event if isinstance(event, msgspec.Struct) else from_model(event)
    plain = cast("Any", struct)
    state = _encoder.encode(struct)
    return StoredEvent(plain.stream_id, plain.number, plain.TOPIC, state, _facts(plain, state))


def decode(stored: StoredEvent) -> Any:
    """The event of stored bytes, as a struct with the attributes of its model.

    Raises PoisonEvent, naming stream and number, for bytes this version cannot read.
    """
    try:
        if stored.topic in UPCASTERS:
            return msgspec.convert(_upcast(stored), _decoder.type, strict=False)
        return _decoder.decode(stored.state)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PoisonEvent(stored.stream_id, stored.number, str(error)) from error


def _upcast(stored: StoredEvent) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(stored.state)
    while (topic := plain["topic"]) in UPCASTERS:
        plain = UPCASTERS[topic](plain)
    return plain


def decode_all(stored: Sequence[StoredEvent]) -> list[Any]:
    """The events of stored bytes, in order.

    Raises PoisonEvent also for bytes that are another event than the one they are stored as.
    """
    events = [decode(item) for item in stored]
    for item, event in zip(stored, events, strict=True):
        if (event.number, event.stream_id) != (item.number, item.stream_id) or (
            item.topic != event.TOPIC and item.topic not in UPCASTERS
        ):
            inside = f"{event.TOPIC} {event.number} of {event.stream_id}"
            raise PoisonEvent(item.stream_id, item.number, f"{inside} is stored as {item.topic}")
    return events


def facts_digest(state: bytes) -> bytes:
    """Facts digest (32 bytes) of stored bytes: SHA-256 of them without what was derived.

    Dropped are the authority, the reading and, unless the source stated it, the deciding player: a
    newer kernel may derive them differently from the same facts.
    """
    try:
        topic = _topic_decoder.decode(state).topic
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PoisonEvent("", 0, str(error)) from error
    event = decode(StoredEvent("", 0, topic, state))
    return _facts(event, _encoder.encode(event))


def to_model(event: Any) -> Event:
    """The pydantic model of an event struct, validated."""
    plain = msgspec.to_builtins(event)
    return BY_TOPIC[plain.pop("topic")].model_validate(plain, strict=False)


def from_model(event: Event) -> Any:
    """The event struct of a pydantic model."""
    plain = event.model_dump(mode="json")
    return msgspec.convert(plain | {"topic": event.TOPIC}, _STRUCTS[event.TOPIC], strict=False)
