"""The product's codec in the shape the event sourcing library asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper
from eventsourcing.persistence import StoredEvent as LibraryStoredEvent

from domain.ports import StoredEvent

__all__ = ["EventMapper"]


class EventMapper(Mapper[str]):
    """Stores exactly the canonical bytes of `encode`; reads through `decode`, upcasters included.

    The library's own transcoder, compressor and cipher play no part: stored bytes are hashed bytes.
    """

    def __init__(
        self, encode: Callable[[Any], StoredEvent], decode: Callable[[StoredEvent], Any]
    ) -> None:
        super().__init__(JSONTranscoder())
        self._encode = encode
        self._decode = decode

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> LibraryStoredEvent:
        """The event's stream, number, topic and canonical bytes."""
        stored = self._encode(domain_event)
        return LibraryStoredEvent(stored.stream_id, stored.number, stored.topic, stored.state)

    def to_domain_event(self, stored_event: LibraryStoredEvent) -> DomainEventProtocol[str]:
        """The event of the stored bytes, in today's form."""
        event: DomainEventProtocol[str] = self._decode(
            StoredEvent(
                str(stored_event.originator_id),
                stored_event.originator_version,
                stored_event.topic,
                stored_event.state,
            )
        )
        return event
