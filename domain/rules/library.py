"""All editions together: which one holds on a day, and where a number belongs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from domain.errors import BadInput
from domain.rules.book import RuleBook, RuleRef
from domain.rules.editions import (
    Edition,
    Family,
    Switch,
    Topic,
    TournamentDocument,
    day_after,
    day_before,
    is_day,
)
from domain.rules.text import LocalText

__all__ = ["NOTICES", "NumberUse", "RuleLibrary"]

NOTICES: Final[Mapping[str, LocalText]] = {
    "after-newest-edition": LocalText(
        "The day is later than the newest edition known here; that edition is used.",
        "Le jour est postérieur à l'édition la plus récente connue ici ; c'est elle qui sert.",
        "その日は既知の最新版より後なので、最新版を用いる。",
    ),
    "game-undated": LocalText(
        "The record does not say when the game was played; the newest edition known is used.",
        "Le dossier ne dit pas quand la partie a été jouée ; l'édition la plus récente sert.",
        "ゲームがいつ行われたか記録にないので、既知の最新版を用いる。",
    ),
    "no-section": LocalText(
        "No rule of that day speaks of controlling a player; the card's text decides.",
        "Aucune règle de ce jour ne parle de contrôler un joueur ; le texte de la carte décide.",
        "その日にはプレイヤーのコントロールについての規則がなく、カードの文章による。",
    ),
    "disputed-day": LocalText(
        "Document and play differ on that day; the stricter reading is used.",
        "Document et pratique diffèrent ce jour-là ; la lecture la plus stricte sert.",
        "その日は文書と実際の運用が食い違うので、より厳しい読み方を用いる。",
    ),
    "number-inferred": LocalText(
        "The section's number on that day is inferred, no document was seen.",
        "Le numéro de la section ce jour-là est déduit, aucun document n'a été vu.",
        "その日の章番号は推定であり、文書は確認されていない。",
    ),
    "day-inferred": LocalText(
        "The exact day of the edition is inferred.",
        "Le jour exact de l'édition est déduit.",
        "その版の正確な日付は推定である。",
    ),
}
"""What there is to say about the edition chosen for a day, by code."""


@dataclass(frozen=True, slots=True)
class NumberUse:
    """A stretch of editions in which a number stands for a topic; `last` None: still so."""

    topic: str
    document: str
    first: str
    last: str | None


@dataclass(frozen=True, slots=True)
class RuleLibrary:
    """Every edition known, in order of time, with topics, switches and tournament documents.

    `version` tells libraries apart that may answer differently; tables carry it.
    """

    editions: tuple[Edition, ...]
    families: Mapping[str, Family] = field(repr=False)
    topics: Mapping[str, Topic] = field(repr=False)
    switches: Mapping[str, Switch] = field(repr=False)
    tournament: tuple[TournamentDocument, ...] = field(default=(), repr=False)
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    version: str = ""
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def on(self, day: str) -> RuleBook:
        """The rule book of a day (`YYYY-MM-DD`); an edition's id gives that edition's first day."""
        book: RuleBook | None = self._memo.get(day)
        if book is None:
            book = self._memo[day] = self._book(day)
        return book

    def undated(self) -> RuleBook:
        """The newest edition, for a game of which nobody knows when it was played."""
        book: RuleBook | None = self._memo.get("undated")
        if book is None:
            newest = self.on(self.editions[-1].id)
            book = replace(newest, notices=(*newest.notices, "game-undated"))
            self._memo["undated"] = book
        return book

    def edition_on(self, day: str) -> Edition:
        """The newest edition that is not later than the day.

        Raises BadInput for what is no day, and for a day before the oldest edition.
        """
        if not is_day(day):
            raise BadInput("rules date", f"{day!r} is not a date like 2026-09-25")
        earlier = [edition for edition in self.editions if edition.id <= day]
        if not earlier:
            oldest = self.editions[0].id
            advice = f"The oldest edition here is that of {oldest}."
            raise BadInput("rules date", f"no edition of the rules for {day}", advice=advice)
        return earlier[-1]

    def edition(self, edition_id: str) -> Edition | None:
        """The edition with this id."""
        return next((e for e in self.editions if e.id == edition_id), None)

    def last_day(self, edition: Edition) -> str | None:
        """The last day on which the edition holds; None for the newest."""
        place = self.editions.index(edition) + 1
        return day_before(self.editions[place].id) if place < len(self.editions) else None

    def tournament_on(self, day: str) -> TournamentDocument | None:
        """The newest tournament document that is not later than the day."""
        earlier = [document for document in self.tournament if document.id <= day]
        return earlier[-1] if earlier else None

    def uses(self, number: str) -> tuple[NumberUse, ...]:
        """What a number of the Comprehensive Rules stood for, in order of time.

        A number may stand for several topics in one edition.
        """
        if ("uses", number) not in self._memo:
            found = [use for topic in self.topics.values() for use in self._uses(topic, number)]
            self._memo["uses", number] = tuple(sorted(found, key=lambda u: (u.first, u.topic)))
        uses: tuple[NumberUse, ...] = self._memo["uses", number]
        return uses

    def _uses(self, topic: Topic, number: str) -> Iterable[NumberUse]:
        if topic.document != "CR":
            return
        for span in topic.numbers:
            if span.number == number:
                yield NumberUse(topic.id, "CR", span.first, span.last)
        start: str | None = None
        for edition in self.editions:
            matches = topic.in_section(edition) == number
            if matches and start is None:
                start = edition.id
            elif not matches and start is not None:
                yield NumberUse(topic.id, "CR", start, day_before(edition.id))
                start = None
        if start is not None:
            yield NumberUse(topic.id, "CR", start, None)

    def _book(self, day: str) -> RuleBook:
        edition = self.edition_on(day)
        disputed = {
            key: why
            for key, switch in self.switches.items()
            if (dispute := switch.dispute(day)) and (why := dispute.why)
        }
        values = {key: switch.span(day) is not None for key, switch in self.switches.items()}
        return RuleBook(
            edition=edition.id,
            section=edition.section,
            clauses=MappingProxyType(dict(self._clauses(edition, day))),
            switches=MappingProxyType(values),
            date=day,
            since=self._since(edition, day),
            disputed=MappingProxyType(disputed),
            notices=tuple(self._notices(edition, day, bool(disputed))),
            numbers=self._numbers(),
        )

    def _numbers(self) -> Mapping[str, tuple[str, ...]]:
        if "numbers" not in self._memo:
            found: dict[str, dict[str, None]] = {}
            for topic in self.topics.values():
                if topic.document == "CR":
                    for number in self._ever(topic):
                        found.setdefault(number, {})[topic.id] = None
            self._memo["numbers"] = MappingProxyType({n: tuple(t) for n, t in found.items()})
        numbers: Mapping[str, tuple[str, ...]] = self._memo["numbers"]
        return numbers

    def _ever(self, topic: Topic) -> Iterable[str]:
        """Every number that the topic has had."""
        yield from (span.number for span in topic.numbers)
        for edition in self.editions:
            number = topic.in_section(edition)
            if number is not None:
                yield number

    def _since(self, edition: Edition, day: str) -> str:
        """The first day from which the rules behave, without a break, as on this day."""
        changes = {edition.id}
        for switch in self.switches.values():
            for span in (*switch.on, *switch.disputed):
                changes.add(span.first)
                changes.add(day_after(span.last) if span.last else span.first)
        return max(change for change in changes if change <= day)

    def _clauses(self, edition: Edition, day: str) -> Iterable[tuple[str, RuleRef]]:
        tournament = self.tournament_on(day)
        for topic in self.topics.values():
            document = edition.id if topic.document == "CR" else tournament and tournament.id
            span = topic.span(day)
            number = topic.in_section(edition) or (span and span.number)
            if number and document:
                yield topic.id, RuleRef(topic.document, topic.id, number, document, topic.name.en)

    def _notices(self, edition: Edition, day: str, disputed: bool) -> Iterable[str]:
        if edition is self.editions[-1] and day > edition.id:
            yield "after-newest-edition"
        if not edition.section:
            yield "no-section"
        elif edition.status == "inferred":
            yield "number-inferred"
        elif edition.day == "inferred":
            yield "day-inferred"
        if disputed:
            yield "disputed-day"
