"""Run scenarios: every question answered, and whether the answer is the expected one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from domain.errors import BadInput, WhodecidedError
from domain.rules import RuleBook
from whodecided.rulebook import load_rulebook
from whodecided.scenario.answer import Answer
from whodecided.scenario.answers import answer
from whodecided.scenario.compare import holds, typed
from whodecided.scenario.play import Play, play
from whodecided.scenario.scenario import read_scenarios
from whodecided.scenario.told import Question, Scenario

__all__ = ["QuestionResult", "ScenarioResult", "run_file", "run_scenario"]

_NUMBERS: Final = ("after", "at")


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question with its answer under the edition of its date."""

    question: Question
    edition: str
    answer: Answer

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the rules that the answer cites."""
        return tuple(rule.number for rule in self.answer.rules)

    @property
    def as_expected(self) -> bool:
        """Whether the value is the expected one; without an `expect` it always is."""
        return not self.question.expects or holds(self.question.expect, self.answer.value)

    @property
    def cited(self) -> bool:
        """Whether the rule that the question demands, if any, is cited."""
        demanded = self.question.keys.get("rule")
        return demanded is None or demanded in self.numbers

    @property
    def passed(self) -> bool:
        """Whether the answer holds against all that the question expects."""
        return self.as_expected and self.cited

    @property
    def expected(self) -> Any:
        """What is expected, in the types of the answer."""
        return typed(self.question.expect, self.answer.value)

    @property
    def asked(self) -> Mapping[str, Any]:
        """The question as written, without what is expected; numbers of events are numbers."""
        return {
            key: int(value) if key in _NUMBERS and value.isdecimal() else value
            for key, value in self.question.asked.items()
            if key != "expect"
        }


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A scenario that was run; `edition` is that of its own date."""

    scenario: Scenario
    edition: str
    questions: tuple[QuestionResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every question passed."""
        return all(question.passed for question in self.questions)

    def to_json(self) -> dict[str, Any]:
        """The result as the JSON document that the format describes, without its version."""
        return {
            "file": self.scenario.file,
            "id": self.scenario.id,
            "edition": self.edition,
            "passed": self.passed,
            "questions": [_plain(result) for result in self.questions],
        }


def _plain(result: QuestionResult) -> dict[str, Any]:
    expect = {"expect": result.expected} if result.question.expects else {}
    return {
        "number": result.question.number,
        "ask": result.asked,
        **expect,
        "answer": result.answer.value,
        "passed": result.passed,
        "rules": list(result.numbers),
        "rule_gap": result.answer.rule_gap,
        "because": result.answer.because,
    }


def run_file(path: Path, rules_dir: Path | None = None) -> list[ScenarioResult]:
    """Run every scenario of a file under the product's rules and those of `rules_dir`.

    Raises BadInput, naming file and entry, for a file that cannot be used; nothing is half-run.
    """
    return [run_scenario(scenario, rules_dir) for scenario in read_scenarios(path, rules_dir)]


def run_scenario(scenario: Scenario, rules_dir: Path | None = None) -> ScenarioResult:
    """Play a scenario once per date that is asked about, and answer its questions."""
    plays: dict[str, Play] = {}
    own = _rules(scenario, scenario.rules_date, rules_dir)
    results = []
    for question in scenario.questions:
        date = question.keys.get("rules_date", scenario.rules_date)
        if date not in plays:
            plays[date] = _played(scenario, _rules(scenario, date, rules_dir), own)
        told = plays[date]
        results.append(QuestionResult(question, told.rules.edition, answer(told, question)))
    return ScenarioResult(scenario, own.edition, tuple(results))


def _rules(scenario: Scenario, date: str, rules_dir: Path | None) -> RuleBook:
    with _named(scenario):
        return load_rulebook(date, rules_dir)


def _played(scenario: Scenario, rules: RuleBook, own: RuleBook) -> Play:
    with _named(scenario):
        return play(scenario, rules, own)


@contextmanager
def _named(scenario: Scenario) -> Iterator[None]:
    """Name file and scenario in errors."""
    try:
        yield
    except WhodecidedError as error:
        reason = f"{scenario.id}: {error}"
        raise BadInput(scenario.file, reason, advice=error.advice) from error
