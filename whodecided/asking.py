"""The questions about one game, for whoever holds a log."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from domain.visibility import JUDGE
from queries.active import ActiveAnswer, active
from queries.control import ControlAnswer, control
from queries.findings import FindingsAnswer, findings
from queries.record import GameRecord
from queries.replay import ReplayAnswer, replay
from queries.sees import SeesAnswer, sees
from queries.show import ShowAnswer, show
from queries.who import WhoAnswer, who
from whodecided.status import journal_of
from whodecided.store.directory import LogDirectory

if TYPE_CHECKING:
    from domain.rules import Language
    from queries.responsible import ResponsibleAnswer

__all__ = ["GameQuestions"]


class _Answer(Protocol):
    @property
    def viewer(self) -> str: ...
    @property
    def game_id(self) -> str: ...


_A = TypeVar("_A", bound=_Answer)


class GameQuestions(ABC):
    """Questions about one game of a log; what a judge is shown is recorded.

    `viewer` counts where a question names none.
    """

    viewer: str
    directory: LogDirectory

    @abstractmethod
    def game_record(self, name: str | int, edition: str | None = None) -> GameRecord:
        """The folded game, as the questions take it; it holds what no viewer may see."""

    @abstractmethod
    def note_read(
        self,
        command: str,
        record: str | None = None,
        first: int | None = None,
        last: int | None = None,
        *,
        statement: str | None = None,
    ) -> None:
        """Record that a judge is about to be shown what is hidden; the questions do it themselves.

        `record` is the stream id of what is read, None for all of the log.
        """

    def game(self, name: str | int, *, viewer: str | None = None) -> ShowAnswer:
        """One game at a glance."""
        record = self.game_record(name)
        journal = journal_of(self.directory.events, record.game_id)
        return self._noted("show", show(record, journal, viewer or self.viewer))

    def at(self, name: str | int, number: int, *, viewer: str | None = None) -> ReplayAnswer:
        """The state just after an event."""
        record = self.game_record(name)
        answer = replay(record, number, viewer or self.viewer, before=0, after=0)
        return self._noted("replay", answer, number)

    def who(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> WhoAnswer:
        """Acting seat and deciding player of an event, with authority, rules and proof."""
        answer = who(self.game_record(name, edition), number, viewer or self.viewer)
        return self._noted("who", answer, number)

    def control(
        self, name: str | int, *, viewer: str | None = None, edition: str | None = None
    ) -> ControlAnswer:
        """Who controlled whom, from which event to which."""
        answer = control(self.game_record(name, edition), viewer or self.viewer)
        return self._noted("control", answer)

    def active(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> ActiveAnswer:
        """Whose turn it is just after an event, and who decides for each seat."""
        answer = active(self.game_record(name, edition), number, viewer or self.viewer)
        return self._noted("active", answer, number)

    def sees(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> SeesAnswer:
        """Who may see, and who was shown, what is hidden just after an event."""
        answer = sees(self.game_record(name, edition), number, viewer or self.viewer)
        return self._noted("sees", answer, number)

    def replay(
        self,
        name: str | int,
        at: int | None = None,
        *,
        viewer: str | None = None,
        before: int = 10,
        after: int = 10,
    ) -> ReplayAnswer:
        """State at an event (by default the last) and the events around it."""
        record = self.game_record(name)
        answer = replay(record, at, viewer or self.viewer, before=before, after=after)
        return self._noted("replay", answer, answer.number)

    def responsible(
        self,
        name: str | int,
        number: int,
        *,
        policy: str | None = None,
        infractions: Sequence[str] = (),
        noticed: int | None = None,
        viewer: str | None = None,
        language: Language = "en",
        rules_dir: Path | None = None,
        edition: str | None = None,
    ) -> ResponsibleAnswer:
        """Who would answer for an infraction in an event, and where policies differ.

        `policy` is a day, a pack or a reading; by default that of the day of the game. `rules_dir`
        is a folder of one's own packs and readings.
        """
        from queries.responsible import responsible
        from whodecided.policy import load_policies

        answer = responsible(
            self.game_record(name, edition),
            number,
            load_policies(rules_dir),
            policy=policy,
            infractions=infractions,
            noticed=noticed,
            viewer=viewer or self.viewer,
            language=language,
        )
        return self._noted("responsible", answer, number)

    def findings(
        self,
        name: str | int,
        *,
        severity: str | None = None,
        code: str | None = None,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> FindingsAnswer:
        """What the log noticed about a game.

        `severity` (info, warning, serious) leaves out what is less, `code` what is another.
        """
        record = self.game_record(name, edition)
        answer = findings(record, viewer or self.viewer, severity=severity, code=code)
        return self._noted("findings", answer)

    def _noted(self, command: str, answer: _A, number: int | None = None) -> _A:
        if answer.viewer == JUDGE:
            self.note_read(command, answer.game_id, number)
        return answer
