"""The event sourcing library's Application over a log: for live appends of single events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eventsourcing.application import Application
from eventsourcing.persistence import ApplicationRecorder, Recording

from domain.ports import Origin
from whodecided.store.mapper import EventMapper

__all__ = ["LogApplication"]


class LogApplication(Application[str]):
    """`save` and `repository.get` over a log's own recorder; every save stands in the journal.

    `kind` is the aggregate the application writes (game, match or case); `origin` is asked at every
    save. A taken number raises the library's IntegrityError.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        mapper: EventMapper,
        *,
        kind: str,
        origin: Callable[[], Origin],
    ) -> None:
        self._log_recorder = recorder
        self._log_mapper = mapper
        self._kind = kind
        self._origin = origin
        super().__init__()

    def construct_recorder(self) -> ApplicationRecorder:
        """The recorder given."""
        return self._log_recorder

    def construct_mapper(self) -> EventMapper:
        """The mapper given."""
        return self._log_mapper

    def save(self, *objs: Any, **kwargs: Any) -> list[Recording[str]]:
        """Append the events, or the new events of the aggregates, in one transaction."""
        return super().save(*objs, **kwargs, kind=self._kind, origin=self._origin())
