"""All findings of one event, and whether its decision was one the rules allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.control import ControlState, Verdict, decide, decision_of
from domain.events.base import DecisionEvent
from domain.events.registry import GAME_EVENTS, name_of
from domain.findings.acts import broken_demands, of_act
from domain.findings.citations import of_citations
from domain.findings.entitlement import entitlement, of_decider
from domain.findings.finding import UNLAWFUL, Finding, in_order
from domain.findings.record import of_dispute, of_object, of_observation, of_step
from domain.principals import RULES, UNKNOWN
from domain.rules import RuleBook

__all__ = ["findings_of", "lawful", "verdict_on"]

_DECISIONS: Final = frozenset(
    name for name, model in GAME_EVENTS.items() if issubclass(model, DecisionEvent)
)
_ASKED: Final = frozenset({"decision_requested", "request_refused"})


def verdict_on(before: ControlState, event: Any, rules: RuleBook) -> Verdict | None:
    """Who should have decided the event, from the control state before it.

    None where nobody decides: facts of play, choices at random, events without an acting seat.
    """
    name = name_of(event.TOPIC)
    if name not in _DECISIONS and name not in _ASKED:
        return None
    stamp = event.stamp
    if stamp.acting_seat is None or stamp.deciding_player == RULES:
        return None
    return decide(before, stamp.acting_seat, decision_of(event), rules)


def findings_of(
    before: ControlState,
    event: Any,
    after: ControlState,
    rules: RuleBook,
    *,
    former_controller: int | None = None,
) -> tuple[Finding, ...]:
    """The findings of an event, from the control states before and after it.

    `former_controller` is the seat that controlled the event's object before, where known. Findings
    about hidden information are not among them.
    """
    name = name_of(event.TOPIC)
    found: list[Finding] = []
    if name in _DECISIONS:
        found.extend(_of_decision(before, event, name, rules))
    elif name == "step_started":
        found.extend(_given(of_step(before, event, rules)))
    elif name in ("object_moved", "object_control_changed"):
        found.extend(_given(of_object(before, event, former_controller, rules)))
    elif name == "control_observed":
        found.extend(_given(of_observation(before, event)))
    elif name == "note_added":
        found.extend(of_citations(event.text, event.number, event.about or event.number, rules))
    elif name == "stamp_disputed":
        found.append(of_dispute(event))
        found.extend(of_citations(event.grounds, event.number, event.about, rules))
    if after is not before:
        found.extend(broken_demands(event, after, rules))
    return in_order(found)


def _of_decision(before: ControlState, event: Any, name: str, rules: RuleBook) -> Iterator[Finding]:
    yield from of_citations(event.cites, event.number, event.number, rules)
    verdict = verdict_on(before, event, rules)
    if verdict is None:
        return
    if verdict.decider == UNKNOWN and event.stamp.basis != "stated":
        yield from _given(_of_unknown(event, verdict))
    else:
        yield from _given(of_decider(before, event, verdict, rules))
    yield from of_act(before, event, name, verdict, rules)


def _of_unknown(event: Any, verdict: Verdict) -> Finding | None:
    """A decision whose decider the record hides, or which has several deciders at once."""
    if verdict.gap is not None:
        return Finding(
            code="gap-before-decision",
            number=event.number,
            root=verdict.gap,
            rule=None,
            message="A gap in the record hides who decided.",
        )
    if event.whole_action and verdict.candidates:
        return Finding(
            code="parts-decided-apart",
            number=event.number,
            root=event.number,
            rule=None,
            message="The record states the whole action only, and its parts have several deciders.",
        )
    return None


def _given(finding: Finding | None) -> Iterable[Finding]:
    return () if finding is None else (finding,)


def lawful(
    before: ControlState, event: Any, findings: Iterable[Finding], rules: RuleBook
) -> bool | None:
    """Whether the decider was entitled to this decision with these resources.

    None where neither the rules nor the record settle it.
    """
    if any(finding.code in UNLAWFUL for finding in findings):
        return False
    verdict = verdict_on(before, event, rules)
    if verdict is None:
        return True
    return None if entitlement(before, event, verdict) == "open" else True
