"""Answers of a scenario about tournament policy: who answers, and whether policies differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.rules import RuleRef
from queries.parts import Citation
from queries.record import GameRecord
from queries.responsible import CandidateView, ResponsibleAnswer, responsible
from queries.who import who
from whodecided.policy import load_policies
from whodecided.scenario.answer import Answer
from whodecided.scenario.play import Play

__all__ = ["POLICY_ANSWERS"]


def _responsible(told: Play, keys: Mapping[str, Any]) -> Answer:
    given = _asked(told, keys["at"], keys["policy"])
    candidate = _candidate(given)
    name = told.cast.name
    value = {
        "primary": [name(person) for person in candidate.primary],
        "also": [name(person) for person in candidate.also],
        "infractions": {name(charge.person): charge.infraction for charge in candidate.charges},
        "clause": None if candidate.statement is None else candidate.statement.clause,
        "review_required": candidate.review_required,
    }
    because = "" if candidate.statement is None else candidate.statement.text
    return _answer(told, given, value, because)


def _policies_differ(told: Play, keys: Mapping[str, Any]) -> Answer:
    given = _asked(told, keys["at"], None)
    answers = _candidate(given).answers
    said = (
        f"{', '.join(answer.policies)}: {' and '.join(map(told.cast.name, answer.primary)) or '-'}"
        for answer in answers
    )
    return _answer(told, given, _candidate(given).policies_differ, "; ".join(said))


def _asked(told: Play, at: int, policy: str | None) -> ResponsibleAnswer:
    """The answer about a decision, or about the infraction that an event finds in one."""
    named = () if told.scenario.events[at - 1].name == "infraction_found" else (None,)
    return responsible(
        _record(told), at + told.offset, load_policies(), policy=policy, infractions=named
    )


def _candidate(given: ResponsibleAnswer) -> CandidateView:
    [candidate] = given.candidates
    return candidate


def _record(told: Play) -> GameRecord:
    return GameRecord(told.events[0].game_id, told.folded, {})


def _answer(told: Play, given: ResponsibleAnswer, value: Any, because: str) -> Answer:
    """The answer, with the rules by which the decider is known."""
    decided = who(_record(told), given.event.number)
    return Answer(
        value=value,
        rules=tuple(map(_rule, decided.rules)),
        rule_gap=decided.rule_gap is not None,
        because=because,
    )


def _rule(cited: Citation) -> RuleRef:
    return RuleRef(cited.document, cited.topic, cited.number, cited.edition, cited.name)


POLICY_ANSWERS: Final[Mapping[str, Callable[[Play, Any], Answer]]] = {
    "policies_differ": _policies_differ,
    "responsible": _responsible,
}
"""Question -> who answers it."""
