"""The answers to a scenario's questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from whodecided.cli.labels import plural, spoken
from whodecided.cli.render.common import heading, sections
from whodecided.scenario.running import QuestionResult, ScenarioResult
from whodecided.scenario.told import Scenario

__all__ = ["draw_scenario", "summary_text"]

_ASKED: Final[Mapping[str, str]] = {
    "active_player": "Whose turn is it {after}?",
    "authority": "By what right was {at} decided?",
    "control_interval": "When was {effect} in force?",
    "controls": "Whom does {player} control {after}?",
    "decider": "Who decides{decision} for {seat} {after}?",
    "decider_path": "Through whom does a decision{decision} of {seat} pass {after}?",
    "decision_class": "Which class of decision is {at}?",
    "extra_turns_due": "How many extra turns are promised to {seat} {after}?",
    "finding": "What is noticed about {at}?",
    "first_learned": "At which event was {viewer} first shown {thing}?",
    "in_force": "Which effect controls {seat} {after}?",
    "lawful": "Was whoever decided {at} entitled to?",
    "mana_burn": "How much life do the rules take from {seat} for {at}?",
    "object_controller": "Who controls {thing} {after}?",
    "overwritten_by": "What overwrote {effect}?",
    "pending": "Which effect waits for {seat} {after}?",
    "policies_differ": "Do policies differ about {at}?",
    "resource_owner": "Whose resources may pay for {at}?",
    "responsible": "Who answers for {at} by the policy {policy}?",
    "roles": "Who was who in {at}?",
    "rule_gap": "Does what is said of {moment} rest on a gap in the rules?",
    "sees": "May {viewer} see {thing} {after}?",
    "stamp": "Who decided {at}, and for whom?",
    "turn_table": "Which turns were taken, and who decided in them?",
}
_NOTHING: Final[Mapping[str, str]] = {
    "active_player": "nobody's, or not known",
    "first_learned": "never",
    "mana_burn": "there is no such rule",
    "object_controller": "nobody",
}
_MARKS: Final = {"fail": "bold red", "ok": "green", "-": "dim"}


def draw_scenario(result: ScenarioResult) -> RenderableType:
    """A scenario's title, then each question with answer, reason, rules and what was expected."""
    scenario = result.scenario
    seats = ", ".join(f"{name} (seat {n})" for n, name in enumerate(scenario.players, 1))
    about = Text(f"rules of {result.edition}, {scenario.file}\n{seats}", "dim")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in result.questions:
        mark = "fail" if not one.passed else "ok" if _demands(one) else "-"
        body = Group(*_question(result, one))
        table.add_row(str(one.question.number), Text(mark, _MARKS[mark]), body)
    return Group(sections(Group(heading(scenario.id, scenario.title), about), table), Text())


def summary_text(results: Sequence[ScenarioResult], unreadable: int) -> Text:
    """How many questions were asked, and how many answers were not as expected."""
    asked = [one for result in results for one in result.questions]
    wrong = [one for one in asked if not one.passed]
    text = Text(f"{plural(len(results), 'scenario')}, {plural(len(asked), 'question')}: ")
    if not asked:
        text.append("nothing was asked", "dim")
    elif wrong:
        text.append(f"{len(wrong):,} not as expected", "bold red")
    else:
        text.append("all as expected", "green")
    if unreadable:
        text.append(f"; {plural(unreadable, 'file')} could not be read", "bold red")
    return text


def _demands(result: QuestionResult) -> bool:
    return result.question.expects or "rule" in result.question.keys


def _question(scenario: ScenarioResult, result: QuestionResult) -> Iterator[RenderableType]:
    ask, answer = result.question.ask, result.answer
    yield Text(_asked(scenario, result))
    yield _indented(Text(_value(ask, answer.value), "bold"))
    if not result.as_expected:
        yield _indented(Text(f"expected: {_value(ask, result.expected)}", "red"))
    if answer.because:
        yield _indented(Text(answer.because))
    for rule in answer.rules:
        yield _indented(Text(f"{rule.document} {rule.number} {rule.name}", "dim"))
    if not result.cited:
        yield _indented(Text(f"expected rule: {result.question.keys['rule']}", "red"))
    if answer.rule_gap:
        yield _indented(Text("! The rules leave a gap here; this is one reading.", "yellow"))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2))


def _asked(scenario: ScenarioResult, result: QuestionResult) -> str:
    keys = result.question.keys
    words = {key: str(value) for key, value in keys.items()}
    words["decision"] = f" ({spoken(keys['decision'])})" if "decision" in keys else ""
    if "at" in keys:
        words["at"] = words["moment"] = _event(scenario.scenario, keys["at"])
    if "after" in keys:
        words["after"] = _after(scenario.scenario, keys["after"])
        words["moment"] = f"the state {words['after']}"
    words["thing"] = keys.get("object") or f"{keys.get('owner')}'s {keys.get('zone')}"
    if keys.get("zone") == "outside":
        words["thing"] = f"{keys['owner']}'s cards outside the game"
    other = "rules_date" in keys and result.edition != scenario.edition
    suffix = f" (rules of {result.edition})" if other else ""
    return _ASKED[result.question.ask].format_map(words) + suffix


def _event(scenario: Scenario, number: int) -> str:
    return f"event {number} ({spoken(scenario.events[number - 1].name)})"


def _after(scenario: Scenario, number: int) -> str:
    return f"after {_event(scenario, number)}" if number else "before the first event"


def _value(ask: str, value: Any) -> str:
    """An answer as people read it."""
    if value is None:
        return _NOTHING.get(ask, "none")
    special = _SPECIAL.get(ask)
    return _plain(value) if special is None else special(value)


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{spoken(key)}: {_plain(one)}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    return str(value)


def _interval(value: Any) -> str:
    if not isinstance(value, dict) or not {"created", "began", "ended", "reason"} <= value.keys():
        return _plain(value)
    began, ended = value["began"], value["ended"]
    parts = [f"created at event {_plain(value['created'])}"]
    if began is None:
        parts.append("never in force")
    elif ended is None:
        parts.append(f"in force since event {_plain(began)}")
    else:
        parts.append(f"in force from event {_plain(began)} to {_plain(ended)}")
    if ended is not None:
        parts.append(f"over at event {_plain(ended)} ({spoken(_plain(value['reason']))})")
    return ", ".join(parts)


def _turns(value: Any) -> str:
    rows = []
    for row in value:
        if not isinstance(row, list) or len(row) != 4:
            return _plain(value)
        turn, active, decider, extra = row
        kind = " (extra turn)" if extra is True else ""
        rows.append(f"turn {_plain(turn)}{kind}: {_plain(active)}, decided by {_plain(decider)}")
    return "\n".join(rows) or "none"


def _path(value: Any) -> str:
    return " -> ".join(map(str, value)) if isinstance(value, list) else _plain(value)


def _event_number(value: Any) -> str:
    return f"event {_plain(value)}"


_SPECIAL: Final[Mapping[str, Callable[[Any], str]]] = {
    "control_interval": _interval,
    "decider_path": _path,
    "first_learned": _event_number,
    "turn_table": _turns,
}
