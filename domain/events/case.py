"""Events of a judge's investigation. A case points at events of games and never changes them."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from domain.events.base import CaseEvent
from domain.principals import Principal
from domain.sealed import Sealed

__all__ = [
    "AppealDecided",
    "AppealMade",
    "CaseClosed",
    "CaseOpened",
    "CaseSealed",
    "CaseUnsealed",
    "CaseViewed",
    "EventRef",
    "EvidenceAttached",
    "HiddenInformationRead",
    "InfractionFound",
    "PenaltyAssessed",
    "PersonErased",
    "RemedyApplied",
    "RulingMade",
    "StatementTaken",
]


class EventRef(BaseModel):
    """One event of one game."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    game_id: str
    """The game's stream."""
    number: int
    """The event's number."""


class CaseOpened(CaseEvent):
    """An investigation begins."""

    TOPIC: ClassVar[str] = "case.case_opened/v1"

    title: str
    """Short name."""
    rules_edition: str | None
    """Edition id of the rules it is judged by."""
    policy_pack: str | None
    """Id of the policy pack it is judged by."""


class EvidenceAttached(CaseEvent):
    """Events or a document are put into the case."""

    TOPIC: ClassVar[str] = "case.evidence_attached/v1"

    events: tuple[EventRef, ...] = ()
    """Events of games."""
    document_digest: str | None = None
    """Hex SHA-256 of an attached document."""
    document_kind: str | None = None
    """What it is."""


class StatementTaken(CaseEvent):
    """Somebody's account is written down."""

    TOPIC: ClassVar[str] = "case.statement_taken/v1"

    by: Principal
    """Who speaks."""
    about: tuple[EventRef, ...] = ()
    """About which events."""
    text: Sealed[str] | None = None
    """What was said."""


class InfractionFound(CaseEvent):
    """A judge finds an infraction in an event."""

    TOPIC: ClassVar[str] = "case.infraction_found/v1"

    label: str
    """Name of the finding inside the case."""
    infraction: str
    """Infraction code of the policy pack."""
    about: tuple[EventRef, ...]
    """In which events."""
    persons: tuple[Principal, ...]
    """Who committed it."""


class RulingMade(CaseEvent):
    """A judge rules."""

    TOPIC: ClassVar[str] = "case.ruling_made/v1"

    text: str
    """The ruling."""
    citations: tuple[str, ...] = ()
    """Rules and policy it rests on."""


class PenaltyAssessed(CaseEvent):
    """A penalty is given."""

    TOPIC: ClassVar[str] = "case.penalty_assessed/v1"

    infraction: str
    """Label of the infraction."""
    person: Principal
    """To whom."""
    penalty: str
    """Which."""
    deviation: bool = False
    """It deviates from the policy's default."""


class RemedyApplied(CaseEvent):
    """A remedy is carried out."""

    TOPIC: ClassVar[str] = "case.remedy_applied/v1"

    infraction: str
    """Label of the infraction."""
    remedy: str
    """Which."""


class AppealMade(CaseEvent):
    """A player appeals."""

    TOPIC: ClassVar[str] = "case.appeal_made/v1"

    by: Principal
    """Who appeals."""
    grounds: str | None = None
    """Why."""


class AppealDecided(CaseEvent):
    """The appeal is decided."""

    TOPIC: ClassVar[str] = "case.appeal_decided/v1"

    upheld: bool
    """Whether the first ruling stands."""
    text: str | None = None
    """The decision."""


class CaseSealed(CaseEvent):
    """The case's file is fixed."""

    TOPIC: ClassVar[str] = "case.case_sealed/v1"


class CaseUnsealed(CaseEvent):
    """The case is opened again."""

    TOPIC: ClassVar[str] = "case.case_unsealed/v1"

    reason: str
    """Why."""


class CaseViewed(CaseEvent):
    """Somebody looked at hidden information of the case."""

    TOPIC: ClassVar[str] = "case.case_viewed/v1"

    what: str
    """What was looked at."""
    reason: str | None = None
    """Why."""


class CaseClosed(CaseEvent):
    """The investigation ends."""

    TOPIC: ClassVar[str] = "case.case_closed/v1"

    outcome: str | None = None
    """How."""


class HiddenInformationRead(CaseEvent):
    """Somebody acting as judge was shown what only a judge may see; the decider is the reader."""

    TOPIC: ClassVar[str] = "case.hidden_information_read/v1"

    command: str
    """The question, as the command line calls it."""
    viewer: str
    """For whom the answer was."""
    record: str | None
    """Stream id of the record that was read; null for all records of the log."""
    first: int | None
    """The event asked about, or the first of several; null for the whole record."""
    last: int | None
    """The last of several events."""
    statement: Sealed[str] | None
    """What was asked in SQL, or which table was taken."""
    reason: Sealed[str] | None
    """Why; null where none was given."""


class PersonErased(CaseEvent):
    """The names and hidden values of a person are deleted from the log."""

    TOPIC: ClassVar[str] = "case.person_erased/v1"

    person: Principal
    """Who; the pseudonym stays in the events."""
    reason: str
    """Why, and on whose request."""
    names: int
    """How many names were kept of the person."""
    values: int
    """How many hidden values were kept of the person's decisions and objects."""
    streams: tuple[str, ...]
    """Ids of the streams the values belonged to."""
