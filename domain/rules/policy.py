"""Tournament policy by date: infractions, who answers for them, how penalties are counted.

A pack is the official documents of a period, a reading a dated opinion about them. Nothing here
says what a person meant to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from domain.errors import BadInput
from domain.rules.editions import holds, is_day
from domain.rules.text import LocalText, Status

__all__ = [
    "Counting",
    "Infraction",
    "InfractionForm",
    "Pack",
    "Penalty",
    "Policy",
    "PolicyLibrary",
    "Reading",
    "Role",
    "Situation",
    "SpecialPenalty",
    "Statement",
]

InfractionClass = Literal["GPE", "TE", "USC"]
Penalty = Literal["none", "warning", "game_loss", "match_loss", "disqualification"]
Role = Literal[
    "acting_player",
    "deciding_player",
    "performer",
    "instructor",
    "looking_player",
    "effect_controller",
    "others_who_could_notice",
]
"""Who somebody is in an event: the player of the acting seat, who decided, who carried it out, who
instructed the performer, who looked, who controls the object that asked for the choice, and the
others at the table who could have noticed."""

Situation = Literal[
    "own_decision",
    "controlled",
    "chosen_for_another",
    "without_right",
    "instructed",
    "opponents_effect",
    "noticed_late",
    "outside_the_game",
    "decider_unknown",
]
"""What an event is like: the acting seat's player decided, or who controls that player, or whom
another effect or a rule lets choose, or somebody who had no right to; and what else is true of it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialPenalty:
    """Another penalty than the default one, and when it applies."""

    penalty: Penalty
    when: LocalText


@dataclass(frozen=True, slots=True, kw_only=True)
class InfractionForm:
    """An infraction as the guide had it from `first` to `last`, read in the documents `seen`."""

    number: str
    penalty: Penalty
    first: str
    last: str | None
    seen: tuple[str, ...]
    status: Status
    sources: tuple[str, ...]
    special: tuple[SpecialPenalty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Infraction:
    """An infraction of the guide: Game Play Error, Tournament Error or Unsporting Conduct.

    One that needs intent is never proposed: that is for a judge.
    """

    code: str
    kind: InfractionClass
    name: LocalText
    forms: tuple[InfractionForm, ...]
    needs_intent: bool = False
    never_upgraded: bool = False

    def form(self, day: str) -> InfractionForm | None:
        """The infraction as the guide has it on a day, if it exists then."""
        return next((f for f in self.forms if holds(f.first, f.last, day)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Who answers for an infraction in a situation.

    It applies when all of `when` and none of `unless` hold, to the infractions named (empty: to all
    but `except_for`). `primary` are the roles that answer for the infraction itself; a statement
    with `further` adds that these roles commit the infraction `further_infraction`. `reading` is
    the opinion it belongs to, None for the official documents. `review`: a judge has to look at it.
    """

    id: str
    text: LocalText
    clause: str | None
    when: tuple[Situation, ...]
    first: str
    last: str | None
    status: Status
    sources: tuple[str, ...]
    infractions: tuple[str, ...] = ()
    except_for: tuple[str, ...] = ()
    unless: tuple[Situation, ...] = ()
    primary: tuple[Role, ...] = ()
    further: tuple[Role, ...] = ()
    further_infraction: str | None = None
    reading: str | None = None
    review: bool = False

    def applies(self, infraction: str | None, situations: Collection[Situation]) -> bool:
        """Whether it speaks of this infraction (None: nobody has named one) in these situations."""
        if infraction is None:
            named = not self.infractions and not self.further
        else:
            named = infraction in self.infractions or not self.infractions
            named = named and infraction not in self.except_for
        return (
            named and set(self.when) <= set(situations) and not set(self.unless) & set(situations)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """How earlier penalties upgrade a later one.

    The `at`-th and every later one of the same infraction in the class becomes `becomes`; `counts`
    says what is counted, `resets` when the count begins anew.
    """

    kind: InfractionClass
    counts: Literal["penalties", "warnings"]
    at: int
    becomes: Penalty
    resets: Literal["days", "cuts"]
    first: str
    last: str | None
    status: Status
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The official documents of a period; `documents` are the days of those that were read."""

    id: str
    first: str
    day: Status
    status: Status
    documents: tuple[str, ...]
    sources: tuple[str, ...]
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A dated opinion layered on a pack, `based_on`, the one in force when it was published."""

    id: str
    published: str
    day: Status
    status: Status
    based_on: str
    text: LocalText
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What policy says on a day, or under one pack or reading.

    `review` is true where the day lies before the oldest documents known. `reading_first`: it is
    the policy of a reading, which goes before the official documents.
    """

    id: str
    day: str
    pack: Pack
    readings: tuple[Reading, ...]
    infractions: Mapping[str, Infraction] = field(repr=False)
    statements: tuple[Statement, ...] = field(repr=False)
    counting: tuple[Counting, ...] = field(repr=False)
    review: bool = False
    reading_first: bool = False

    def knows(self, infraction: str) -> bool:
        """Whether the guide of this policy has the infraction."""
        return infraction in self.infractions

    def penalty(self, infraction: str) -> InfractionForm | None:
        """Number and default penalty of an infraction."""
        found = self.infractions.get(infraction)
        return found.form(self.day) if found else None

    def answering(
        self, infraction: str | None, situations: Collection[Situation]
    ) -> Statement | None:
        """The statement that says who answers.

        Official text that was read goes before opinions, newer opinions before older ones, and all
        of them before what is only deduced; of several the one that names most of the situation.
        """
        found = [
            (self._group(s), -len(s.when), not s.infractions, place, s)
            for place, s in enumerate(self.statements)
            if s.primary and s.applies(infraction, situations)
        ]
        return min(found, key=lambda item: item[:4])[4] if found else None

    def further(
        self, infraction: str | None, situations: Collection[Situation]
    ) -> tuple[Statement, ...]:
        """The statements that say who else commits which infraction."""
        return tuple(s for s in self.statements if s.further and s.applies(infraction, situations))

    def upgrade(self, infraction: str) -> Counting | None:
        """How the infraction's penalties are counted; None where they never are."""
        found = self.infractions.get(infraction)
        if found is None or found.never_upgraded:
            return None
        return next((c for c in self.counting if c.kind == found.kind), None)

    def _group(self, statement: Statement) -> tuple[int, int]:
        if statement.reading is not None:
            order = [reading.id for reading in self.readings].index(statement.reading)
            return (0 if self.reading_first else 2, -order)
        return (1 if statement.status != "inferred" else 3, 0)


@dataclass(frozen=True, slots=True)
class PolicyLibrary:
    """All packs and readings, in order of time; `sources` says what the codes of sources mean."""

    packs: tuple[Pack, ...]
    readings: tuple[Reading, ...]
    infractions: Mapping[str, Infraction] = field(repr=False)
    statements: tuple[Statement, ...] = field(repr=False)
    counting: tuple[Counting, ...] = field(repr=False)
    sources: Mapping[str, str] = field(repr=False)

    def ids(self) -> tuple[str, ...]:
        """Ids of the packs, then of the readings."""
        return (*(pack.id for pack in self.packs), *(reading.id for reading in self.readings))

    def policy(self, which: str) -> Policy:
        """The policy of a day (YYYY-MM-DD), of a pack or of a reading.

        A day gives the pack in force then and the readings published by then; a day before the
        oldest pack gives the oldest, to be reviewed. Raises BadInput for anything else.
        """
        if is_day(which):
            return self._on(which)
        for pack in self.packs:
            if pack.id == which:
                return self._made(pack.id, pack.first, pack, ())
        for reading in self.readings:
            if reading.id == which:
                based_on = next(pack for pack in self.packs if pack.id == reading.based_on)
                day = max(based_on.first, reading.published)
                return self._made(reading.id, day, based_on, (reading,))
        advice = f"Known are a date and: {', '.join(self.ids())}."
        raise BadInput("policy", f"no policy {which!r}", advice=advice)

    def all(self) -> Iterable[Policy]:
        """Every pack and every reading, each on its own."""
        return (self.policy(name) for name in self.ids())

    def _on(self, day: str) -> Policy:
        earlier = [pack for pack in self.packs if pack.first <= day]
        if not earlier:
            oldest = self.packs[0]
            return self._made(oldest.id, oldest.first, oldest, (), review=True)
        published = tuple(reading for reading in self.readings if reading.published <= day)
        return self._made(earlier[-1].id, day, earlier[-1], published)

    def _made(
        self,
        name: str,
        day: str,
        pack: Pack,
        readings: tuple[Reading, ...],
        *,
        review: bool = False,
    ) -> Policy:
        ids = {reading.id for reading in readings}
        return Policy(
            id=name,
            day=day,
            pack=pack,
            readings=readings,
            infractions={code: i for code, i in self.infractions.items() if i.form(day)},
            statements=tuple(
                s
                for s in self.statements
                if (holds(s.first, s.last, day) if s.reading is None else s.reading in ids)
            ),
            counting=tuple(c for c in self.counting if holds(c.first, c.last, day)),
            review=review,
            reading_first=name in ids,
        )
