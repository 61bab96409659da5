"""Random, valid values of the event models, for property tests."""

from __future__ import annotations

import types
import typing
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from domain.canonical import MAX_INT
from domain.events.base import Event
from domain.events.registry import BY_TOPIC

__all__ = ["any_event", "event_of", "value_of"]


def _limits(metadata: typing.Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in metadata:
        for rule in item.metadata if isinstance(item, FieldInfo) else (item,):
            for name in ("ge", "le", "pattern"):
                if getattr(rule, name, None) is not None:
                    found[name] = getattr(rule, name)
    return found


def value_of(annotation: Any, limits: dict[str, Any] | None = None) -> st.SearchStrategy[Any]:
    """A strategy for values of a field's type in their JSON form."""
    limits = limits or {}
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return value_of(arguments[0], limits | _limits(arguments[1:]))
    if origin in (typing.Union, types.UnionType):
        return st.one_of([value_of(part, limits) for part in arguments])
    if origin is tuple:
        if arguments[-1] is ...:
            return st.lists(value_of(arguments[0]), max_size=3)
        return st.tuples(*(value_of(part) for part in arguments)).map(list)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _fields_of(annotation)
    return _plain(annotation, limits)


def _plain(annotation: Any, limits: dict[str, Any]) -> st.SearchStrategy[Any]:
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return st.integers(limits.get("ge", -MAX_INT), limits.get("le", MAX_INT))
    if annotation is str and "pattern" in limits:
        return st.from_regex(limits["pattern"].replace(r"\d", "[0-9]"), fullmatch=True)
    if annotation is str:
        return st.text(st.characters(codec="utf-8"), max_size=12)
    if annotation is type(None):
        return st.none()
    raise TypeError(f"no strategy for {annotation!r}")


def _fields_of(model: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            name: value_of(info.annotation, _limits(info.metadata))
            for name, info in model.model_fields.items()
        }
    )


def event_of(model: type[Event]) -> st.SearchStrategy[Event]:
    """Valid events of one type."""
    return _fields_of(model).map(lambda plain: model.model_validate(plain, strict=False))


def any_event() -> st.SearchStrategy[Event]:
    """Valid events of every type."""
    return st.sampled_from(list(BY_TOPIC.values())).flatmap(event_of)
