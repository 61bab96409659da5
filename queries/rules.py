"""Which rules hold on a day, what changed between two days, and where a rule number belongs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domain.errors import BadInput
from domain.rules import NOTICES, Language, LocalText, RuleBook, RuleLibrary, RuleRef
from domain.rules.editions import Edition, Switch, Topic
from domain.rules.library import NumberUse
from domain.rules.text import Status

__all__ = [
    "ClauseChange",
    "ClauseView",
    "EditionAnswer",
    "EditionChange",
    "NumberAnswer",
    "NumberView",
    "RulesDiff",
    "SwitchChange",
    "SwitchView",
    "cite",
    "diff_rules",
    "rules_on",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseView:
    """A rule by topic; `status` says how its number is known for this document."""

    topic: str
    document: str
    edition: str
    number: str
    name: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchView:
    """A behaviour of the rules that day.

    `since` and `status` are those of the stretch of days on which it is on, None while it is off.
    `disputed`: why document and play differ about it that day.
    """

    key: str
    value: bool
    meaning: str
    document: str
    since: str | None
    status: Status | None
    disputed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionAnswer:
    """The edition in force on `date`, from `first_day` to `last_day` (None: no newer one is known).

    `status` says how its section number is known, `day` how its date is. `notices` are sentences
    about the choice of the edition, `notice_codes` the same for programs. `ambiguous` is true on
    days on which document and play differ. `clauses` are the rules of the section in its order,
    then those outside it. `tournament_rules` is the day of the tournament document in force, if
    one is known. `source_texts` say what the codes in `sources` mean, in the same order.
    """

    date: str
    edition: str
    section: str
    title: str
    sets: tuple[str, ...]
    first_day: str
    last_day: str | None
    in_play_from: str | None
    status: Status
    day: Status
    sources: tuple[str, ...]
    source_texts: tuple[str, ...]
    note: str | None
    changed: str | None
    clauses: tuple[ClauseView, ...]
    switches: tuple[SwitchView, ...]
    tournament_rules: str | None
    notices: tuple[str, ...]
    notice_codes: tuple[str, ...]
    ambiguous: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseChange:
    """A topic's number on the first and on the second day; None where it has none."""

    topic: str
    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchChange:
    """A behaviour that differs between the two days."""

    key: str
    meaning: str
    before: bool
    after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionChange:
    """An edition that came into force after the first day, up to the second; what it changed."""

    edition: str
    section: str
    changed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesDiff:
    """What changed from one day to another, in this order."""

    before: str
    after: str
    before_edition: str
    after_edition: str
    before_section: str
    after_section: str
    editions: tuple[EditionChange, ...]
    clauses: tuple[ClauseChange, ...]
    switches: tuple[SwitchChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberView:
    """What a number stood for, from `first_day` to `last_day` (None: still does).

    `here` is the number that the topic has on the day asked about, None where it has none.
    """

    topic: str
    name: str
    document: str
    first_day: str
    last_day: str | None
    here: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberAnswer:
    """Whether a number is one of the edition in force on `date`, and where else it belongs.

    `valid`: the number stands for a topic that day (`stands_for`). `belongs_to` tells what it stood
    for on other days and which number that topic has on this one; both are empty for a number that
    no edition uses for a topic known here.
    """

    number: str
    date: str
    edition: str
    section: str
    valid: bool
    stands_for: tuple[NumberView, ...]
    belongs_to: tuple[NumberView, ...]
    because: str
    notices: tuple[str, ...]


_VALID = LocalText(
    "{number} is a rule of the edition of {edition}.",
    "{number} est une règle de l'édition du {edition}.",
    "{number}は{edition}版の規則である。",
)
_OTHER = LocalText(
    "{number} belongs to another edition: on {date} that rule is {here}.",
    "{number} appartient à une autre édition : le {date}, cette règle est {here}.",
    "{number}は他の版の番号であり、{date}にはその規則は{here}である。",
)
_GONE = LocalText(
    "{number} belongs to another edition: on {date} no number is known for that rule.",
    "{number} appartient à une autre édition : aucun numéro connu de cette règle le {date}.",
    "{number}は他の版の番号であり、{date}にはその規則の番号は知られていない。",
)
_UNKNOWN = LocalText(
    "{number} is not a number of any rule known here.",
    "{number} n'est le numéro d'aucune règle connue ici.",
    "{number}は既知のどの規則の番号でもない。",
)


def rules_on(
    library: RuleLibrary,
    date: str | None = None,
    *,
    edition: str | None = None,
    language: Language = "en",
) -> EditionAnswer:
    """The rules of a day, or of an edition on its first day; the newest edition for neither.

    Raises BadInput for both, for a day without an edition and for an edition that is not known.
    """
    found, day = _chosen(library, date, edition)
    book = library.on(day)
    tournament = library.tournament_on(day)
    return EditionAnswer(
        date=day,
        edition=found.id,
        section=found.section,
        title=library.families[found.family].title.get(language),
        sets=found.sets,
        first_day=found.id,
        last_day=library.last_day(found),
        in_play_from=found.in_play_from,
        status=found.status,
        day=found.day,
        sources=found.sources,
        source_texts=tuple(library.sources[code] for code in found.sources),
        note=found.note,
        changed=found.changed.get(language) if found.changed else None,
        clauses=tuple(_clauses(library, found, book, language)),
        switches=tuple(_switch(s, day, language) for s in library.switches.values()),
        tournament_rules=tournament.id if tournament else None,
        notices=_notices(book, language),
        notice_codes=book.notices,
        ambiguous=bool(book.disputed),
    )


def diff_rules(
    library: RuleLibrary, before: str, after: str, language: Language = "en"
) -> RulesDiff:
    """What changed in editions, numbers and behaviour from one day to a later or earlier one."""
    old, new = library.on(before), library.on(after)
    first, last = min(before, after), max(before, after)
    return RulesDiff(
        before=before,
        after=after,
        before_edition=old.edition,
        after_edition=new.edition,
        before_section=old.section,
        after_section=new.section,
        editions=tuple(
            EditionChange(
                edition=e.id,
                section=e.section,
                changed=e.changed.get(language) if e.changed else None,
            )
            for e in library.editions
            if first < e.id <= last
        ),
        clauses=tuple(_clause_changes(library, old, new, language)),
        switches=tuple(
            SwitchChange(
                key=key,
                meaning=library.switches[key].meaning.get(language),
                before=old.switches[key],
                after=new.switches[key],
            )
            for key in library.switches
            if old.switches[key] != new.switches[key]
        ),
    )


def cite(library: RuleLibrary, number: str, date: str, language: Language = "en") -> NumberAnswer:
    """Whether a rule number belongs to the edition of a day, and if not, which one it is of.

    Raises BadInput for what is no day and for a day before the oldest edition.
    """
    book = library.on(date)
    views = [(use, _number(library, book, use, language)) for use in library.uses(number)]
    here = tuple(view for _, view in views if view.here == number)
    elsewhere = tuple(view for _, view in views if view.here != number)
    if here:
        sentence, right = _VALID, number
    elif elsewhere:
        right = ", ".join(dict.fromkeys(view.here for view in elsewhere if view.here))
        sentence = _OTHER if right else _GONE
    else:
        sentence, right = _UNKNOWN, ""
    because = sentence.get(language).format(
        number=number, date=date, edition=book.edition, here=right
    )
    return NumberAnswer(
        number=number,
        date=date,
        edition=book.edition,
        section=book.section,
        valid=bool(here),
        stands_for=here,
        belongs_to=elsewhere,
        because=because,
        notices=_notices(book, language),
    )


def _chosen(library: RuleLibrary, date: str | None, edition: str | None) -> tuple[Edition, str]:
    if edition is None:
        day = library.editions[-1].id if date is None else date
        return library.edition_on(day), day
    if date is not None:
        raise BadInput("--edition", "give a date or an edition, not both")
    found = library.edition(edition)
    if found is None:
        near = library.edition_on(edition).id
        advice = f"The edition in force on that day is {near}."
        raise BadInput("--edition", f"no edition {edition!r} is known", advice=advice)
    return found, found.id


def _notices(book: RuleBook, language: Language) -> tuple[str, ...]:
    return tuple(NOTICES[code].get(language) for code in book.notices)


def _clauses(
    library: RuleLibrary, edition: Edition, book: RuleBook, language: Language
) -> Iterable[ClauseView]:
    for topic, rule in sorted(
        book.clauses.items(), key=lambda item: _place(library, edition, item)
    ):
        known = library.topics[topic]
        yield ClauseView(
            topic=topic,
            document=rule.document,
            edition=rule.edition,
            number=rule.number,
            name=known.name.get(language),
            status=_status(known, edition, book.date, rule.edition),
        )


def _place(
    library: RuleLibrary, edition: Edition, item: tuple[str, RuleRef]
) -> tuple[bool, int, str]:
    """Where a clause is printed: the section's own in their order, then the others as listed."""
    topic, rule = item
    if library.topics[topic].in_section(edition) is None:
        return (True, 0, "")
    clause = rule.number.removeprefix(edition.section + ".")
    return (False, int(clause.rstrip("abcdefghijkmnpqrstuvwxyz")), clause)


def _status(topic: Topic, edition: Edition, day: str, document: str) -> Status:
    if topic.in_section(edition) is not None:
        return edition.status
    span = topic.span(day)
    return span.status(document) if span else "inferred"


def _switch(switch: Switch, day: str, language: Language) -> SwitchView:
    span = switch.span(day)
    dispute = switch.dispute(day)
    return SwitchView(
        key=switch.key,
        value=span is not None,
        meaning=switch.meaning.get(language),
        document=switch.document,
        since=span.first if span else None,
        status=span.status if span else None,
        disputed=dispute.why if dispute else None,
    )


def _clause_changes(
    library: RuleLibrary, old: RuleBook, new: RuleBook, language: Language
) -> Iterable[ClauseChange]:
    for topic in library.topics.values():
        before, after = old.clauses.get(topic.id), new.clauses.get(topic.id)
        numbers = (before.number if before else None, after.number if after else None)
        if numbers[0] != numbers[1]:
            yield ClauseChange(
                topic=topic.id,
                name=topic.name.get(language),
                before=numbers[0],
                after=numbers[1],
            )


def _number(library: RuleLibrary, book: RuleBook, use: NumberUse, language: Language) -> NumberView:
    here = book.clauses.get(use.topic)
    return NumberView(
        topic=use.topic,
        name=library.topics[use.topic].name.get(language),
        document=use.document,
        first_day=use.first,
        last_day=use.last,
        here=here.number if here else None,
    )
