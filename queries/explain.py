"""The reasoning of `who` in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain.rules import RuleLibrary
from domain.rules.provisions import ProvisionSet
from domain.rules.text import Language
from queries.naming import Naming
from queries.parts import Citation
from queries.who import AuthorityView, WhoAnswer

__all__ = ["Explanation", "ExplanationLine", "RuleText", "explain", "rule_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationLine:
    """One line of an explanation: what it is about (`key`, and `label` in the language), and texts.

    `attention`: something a reader should not miss.
    """

    key: str
    label: str
    texts: tuple[str, ...]
    attention: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """A rule that the answer rests on, by the number of the game's edition, in our words.

    `name` says what it is about; `paraphrase` what it says, None where no rule text that the
    product restates has it.
    """

    document: str
    number: str
    edition: str
    name: str
    paraphrase: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why the answer is what it is. `heading` names game and event."""

    language: Language
    heading: str
    lines: tuple[ExplanationLine, ...]
    rules: tuple[RuleText, ...]
    incomplete: tuple[str, ...]


def explain(
    answer: WhoAnswer, naming: Naming, library: RuleLibrary, provisions: ProvisionSet
) -> Explanation:
    """The answer in the language of `naming`.

    Facts are those of the answer and nothing is worked out anew. A sentence that has not been put
    into the language stays in English.
    """
    speech = naming.speech
    told = _Explaining(answer, naming)
    return Explanation(
        language=speech.language,
        heading=speech.say(
            "game_event",
            game=answer.short_id,
            number=answer.event.number,
            event=naming.event(answer.event),
        ),
        lines=tuple(told.lines()),
        rules=tuple(rule_text(rule, speech.language, library, provisions) for rule in answer.rules),
        incomplete=tuple(
            speech.say("incomplete", reason=speech.sentence(one)) for one in answer.incomplete
        ),
    )


def rule_text(
    rule: Citation, language: Language, library: RuleLibrary, provisions: ProvisionSet
) -> RuleText:
    """A cited rule in our words."""
    topic = library.topics.get(rule.topic)
    return RuleText(
        document=rule.document,
        number=rule.number,
        edition=rule.edition,
        name=rule.name if topic is None else topic.name.get(language),
        paraphrase=_paraphrase(rule, language, library, provisions),
    )


def _paraphrase(
    rule: Citation, language: Language, library: RuleLibrary, provisions: ProvisionSet
) -> str | None:
    edition, topic = library.edition(rule.edition), library.topics.get(rule.topic)
    if edition is None or topic is None or topic.in_section(edition) != rule.number:
        return None
    clause = topic.clause[edition.family]
    every = provisions.of_clause(edition.family, clause)
    own = [one for one in every if one.id == one.seed + clause]
    return own[-1].text.get(language) if own else None


class _Explaining:
    """One answer on its way into a language."""

    def __init__(self, answer: WhoAnswer, naming: Naming) -> None:
        self.answer = answer
        self.naming = naming
        self.speech = naming.speech
        self.say = naming.speech.say

    def lines(self) -> Iterator[ExplanationLine]:
        """All lines that have something to say."""
        yield self._line("active_player", [self._active()])
        if self.answer.event.hidden:
            yield self._line("hidden", [self._hidden()])
        yield self._line("moment", [self.naming.moment(self.answer.moment)])
        yield self._line("acting_seat", [self._acting()])
        yield self._line("decided_by", [self._decided()], attention=self._by_another())
        if self.answer.performer is not None:
            yield self._line("performed_by", [self.naming.principal(self.answer.performer)])
        if self.answer.authority is not None:
            yield self._line("authority", self._authority(self.answer.authority))
            yield self._line("class", [self.say(f"class_{self.answer.decision_class}")])
            yield self._line("basis", [self._basis()])
        yield from self._computed()
        yield from self._evidence()

    def _line(self, key: str, texts: Iterable[str], *, attention: bool = False) -> ExplanationLine:
        return ExplanationLine(
            key=key, label=self.speech.label(key), texts=tuple(texts), attention=attention
        )

    def _active(self) -> str:
        moment = self.answer.moment
        if not moment.certain:
            return self.say("unknown_gap")
        return ", ".join(map(self.naming.seat, moment.active_seats)) or self.say("none")

    def _hidden(self) -> str:
        viewer = self.naming.principal(self.answer.viewer)
        return self.say(
            "hidden_from", fields=self.naming.fields(self.answer.event.hidden), viewer=viewer
        )

    def _acting(self) -> str:
        seat = self.naming.seat(self.answer.acting_seat)
        if not self.answer.team_seats:
            return seat
        return self.say("team_of", seat=seat, seats=", ".join(map(str, self.answer.team_seats)))

    def _by_another(self) -> bool:
        answer = self.answer
        words = (None, answer.acting_player, "rules", "unknown", "undetermined")
        return answer.acting_player is not None and answer.deciding_player not in words

    def _decided(self) -> str:
        decider = self.answer.deciding_player
        if decider is None:
            return self.say("decided_none")
        if self.answer.consequence:
            return self.say("decided_elsewhere")
        name = self.naming.principal(decider)
        return f"{name}  <- {self.say('not_own')}" if self._by_another() else name

    def _authority(self, authority: AuthorityView) -> Iterator[str]:
        if self.answer.consequence:
            yield self.say("decided_elsewhere")
            return
        kind, effect = self.speech.word("authority", authority.kind), authority.effect
        if effect is None:
            at = None if authority.ref is None else self.say("at_event", number=authority.ref)
            yield kind if at is None else f"{kind} ({at})"
            return
        yield self.say("by_effect", authority=kind, effect=self.naming.effect(effect))
        made = self.say("effect_made", number=effect.created)
        yield self.say("list", one=made, other=self.naming.in_force(effect))

    def _basis(self) -> str:
        reading = None if self.answer.recorded is None else self.answer.recorded.reading
        basis = self.speech.word("basis", self.answer.basis or "unknown")
        return f"{basis} ({reading})" if reading else basis

    def _computed(self) -> Iterator[ExplanationLine]:
        """What the rules give today beside what is recorded, and why."""
        computed, answer = self.answer.computed, self.answer
        if computed is not None:
            yield self._line("computed", self._compared(), attention=answer.agrees is False)
            yield self._line("because", [self.speech.sentence(computed.because)])
        if answer.rule_gap is not None:
            gap = self.speech.sentence(answer.rule_gap)
            yield self._line("rule_gap", [gap], attention=True)
        if answer.alternatives:
            others = ", ".join(map(self.naming.principal, answer.alternatives))
            yield self._line("alternatives", [others], attention=True)

    def _compared(self) -> Iterator[str]:
        computed, recorded = self.answer.computed, self.answer.recorded
        if computed is None:
            return
        name = self.naming.principal(computed.deciding_player)
        if self.answer.agrees:
            yield self.say("agrees", reading=computed.reading)
        elif self.answer.agrees is False and recorded is not None:
            was = self.naming.principal(recorded.deciding_player)
            yield self.say("differs", computed=name, recorded=was)
        else:
            yield f"{name} ({computed.reading})"
        if computed.stand_in is not None:
            owner = self.naming.principal(computed.should_decide)
            yield self.say("decision_belongs", person=owner)

    def _evidence(self) -> Iterator[ExplanationLine]:
        """Proof, findings, disputes and notes."""
        answer, say = self.answer, self.say
        proof = (
            say(
                "proof",
                number=one.number,
                event=self.speech.word("event", one.event),
                why=self.speech.sentence(one.why),
            )
            for one in answer.proof
        )
        yield self._line("proof", proof)
        found = [
            say("finding", code=one.code, meaning=self.speech.sentence(one.message))
            for one in answer.findings
        ]
        yield self._line("findings", found or [say("none")], attention=bool(found))
        if answer.disputes:
            yield self._line("disputed", self._disputes(), attention=True)
        if answer.notes:
            noted = (say("note", number=one.number, text=one.text) for one in answer.notes)
            yield self._line("notes", noted)

    def _disputes(self) -> Iterator[str]:
        for one in self.answer.disputes:
            said = self.say(
                "dispute",
                number=one.number,
                by=self.naming.principal(one.by),
                claimed=self.naming.principal(one.claimed),
            )
            grounds = one.grounds
            yield said if not grounds else self.say("dispute_grounds", said=said, grounds=grounds)
