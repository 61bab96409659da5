"""Answers to the questions of a scenario, from the folds and the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.control import (
    ChoiceEffect,
    Effect,
    Verdict,
    cite_effect,
    cite_pending,
    decide,
    mana_burn,
)
from domain.findings import Finding, lawful
from domain.rules import RuleRef
from queries.parts import Citation
from queries.who import WhoAnswer
from whodecided.scenario.answer import Answer
from whodecided.scenario.play import Play
from whodecided.scenario.responsibility import POLICY_ANSWERS
from whodecided.scenario.scenario import Question

__all__ = ["ANSWERED", "Answer", "answer"]


def answer(told: Play, question: Question) -> Answer:
    """The answer to one question. KeyError for a kind of question that is not in ANSWERED."""
    return _ANSWERS[question.ask](told, question.keys)


def _asked_verdict(told: Play, keys: Any) -> Verdict:
    seat = told.cast.seat(keys["seat"])
    return decide(told.state(keys["after"]), seat, keys.get("decision", "game"), told.rules)


def _of_verdict(value: Any, verdict: Verdict) -> Answer:
    return Answer(
        value=value, rules=verdict.rules, rule_gap=verdict.rule_gap, because=verdict.because
    )


def _decider(told: Play, keys: Any) -> Answer:
    verdict = _asked_verdict(told, keys)
    return _of_verdict(told.cast.name(verdict.decider), verdict)


def _decider_path(told: Play, keys: Any) -> Answer:
    verdict = _asked_verdict(told, keys)
    return _of_verdict([told.cast.name(step.player) for step in verdict.path], verdict)


def _active_player(told: Play, keys: Any) -> Answer:
    active = told.folded.active_at(keys["after"] + told.offset)
    names = [told.cast.player_of(seat) for seat in active.seats]
    return Answer(
        value=None if not names else names[0] if len(names) == 1 else names,
        rules=told.rules.cite("player-control.active-player"),
        because="Control of a player never changes whose turn it is.",
    )


def _stamp(told: Play, keys: Any) -> Answer:
    found = told.who(keys["at"])
    return _of_event(found, _stamp_of(told, found))


def _stamp_of(told: Play, found: WhoAnswer) -> dict[str, Any]:
    return {
        "acting_seat": _named(told, found.acting_player),
        "deciding_player": _named(told, found.deciding_player),
    }


def _named(told: Play, principal: str | None) -> str | None:
    return None if principal is None else told.cast.name(principal)


def _of_event(found: WhoAnswer, value: Any) -> Answer:
    return Answer(
        value=value,
        rules=tuple(map(_rule, found.rules)),
        rule_gap=found.rule_gap is not None,
        because="" if found.computed is None else found.computed.because,
    )


def _rule(cited: Citation) -> RuleRef:
    return RuleRef(cited.document, cited.topic, cited.number, cited.edition, cited.name)


def _roles(told: Play, keys: Any) -> Answer:
    found = told.who(keys["at"])
    value = _stamp_of(told, found) | {
        "performer": _named(told, found.performer),
        "authority": None if found.authority is None else found.authority.kind,
    }
    return _of_event(found, value)


def _authority(told: Play, keys: Any) -> Answer:
    found = told.who(keys["at"])
    ref = None if found.authority is None else found.authority.ref
    value = {
        "kind": None if found.authority is None else found.authority.kind,
        "ref": None if ref is None else getattr(told.events[ref - 1], "label", None),
    }
    return _of_event(found, value)


def _decision_class(told: Play, keys: Any) -> Answer:
    found = told.who(keys["at"])
    return _of_event(found, found.decision_class)


def _resource_owner(told: Play, keys: Any) -> Answer:
    seat = told.event(keys["at"]).stamp.acting_seat
    return Answer(
        value=told.cast.player_of(seat),
        rules=told.rules.cite("player-control.resources"),
        because="Only the acting seat's own resources may pay its costs.",
    )


def _mana_burn(told: Play, keys: Any) -> Answer:
    event, before = told.event(keys["at"]), told.state(keys["at"] - 1)
    burn = mana_burn(before, told.cast.seat(keys["seat"]), event.amount, told.rules)
    return Answer(
        value=burn.life,
        rules=burn.rules,
        rule_gap=burn.reading is not None,
        because=burn.because,
    )


def _lawful(told: Play, keys: Any) -> Answer:
    number = keys["at"]
    found = told.findings(number)
    value = lawful(told.state(number - 1), told.event(number), found, told.rules)
    said = tuple(finding.rule for finding in found if finding.rule is not None)
    verdict = told.verdict(number)
    return Answer(
        value=value,
        rules=tuple(dict.fromkeys((*said, *(verdict.rules if verdict else ())))),
        rule_gap=told.reading(number) is not None,
        because=_messages(found) if found or verdict is None else verdict.because,
    )


def _messages(found: Sequence[Finding]) -> str:
    return " ".join(finding.message for finding in found) or "Nothing is noticed about the event."


def _finding(told: Play, keys: Any) -> Answer:
    found = told.findings(keys["at"])
    return Answer(
        value=[finding.code for finding in found],
        rules=tuple(finding.rule for finding in found if finding.rule is not None),
        because=_messages(found),
    )


def _pending(told: Play, keys: Any) -> Answer:
    state = told.state(keys["after"])
    effect = state.pending(told.cast.seat(keys["seat"]))
    if effect is None:
        return Answer(value=None, because="No effect waits for the player.")
    return Answer(
        value=effect.label,
        rules=cite_pending(state, effect, told.rules),
        because=f"{effect.label} waits for the player's next turn or combat phase.",
    )


def _in_force(told: Play, keys: Any) -> Answer:
    effect = told.state(keys["after"]).in_force(told.cast.seat(keys["seat"]))
    verdict = decide(told.state(keys["after"]), told.cast.seat(keys["seat"]), "game", told.rules)
    return _of_verdict(None if effect is None else effect.label, verdict)


def _controls(told: Play, keys: Any) -> Answer:
    state = told.state(keys["after"])
    player = told.cast.principal(keys["player"])
    held = {
        told.cast.player_of(seat): effect
        for seat, other in sorted(state.players.items())
        if other != player
        and (effect := state.in_force(seat)) is not None
        and effect.controller == player
    }
    cited = (rule for effect in held.values() for rule in cite_effect(state, effect, told.rules))
    said = ", ".join(f"{name} by {effect.label}" for name, effect in held.items())
    return Answer(
        value=list(held),
        rules=tuple(dict.fromkeys(cited)),
        because=said or "No effect in force gives the player control of another one.",
    )


def _effects(told: Play, label: str) -> list[Effect | ChoiceEffect]:
    every: list[Effect | ChoiceEffect] = [*told.last.effects, *told.last.choices]
    return [effect for effect in every if effect.label == label]


def _control_interval(told: Play, keys: Any) -> Answer:
    shares = _effects(told, keys["effect"])
    if not shares:
        return _no_effect(told, keys["effect"])
    began = [n for share in shares if (n := getattr(share, "began", share.created)) is not None]
    over = all(share.ended is not None for share in shares)
    last = max(shares, key=lambda share: share.ended or 0)
    value = {
        "created": told.number(shares[0].created),
        "began": told.number(min(began, default=None)),
        "ended": told.number(last.ended) if over else None,
        "reason": last.reason if over else None,
    }
    cited = cite_effect(told.last, last, told.rules) if isinstance(last, Effect) else ()
    return Answer(value=value, rules=cited, because=_course(value))


def _course(interval: Mapping[str, Any]) -> str:
    """An effect's course in words."""
    began, ended = interval["began"], interval["ended"]
    opened = "its window never opened" if began is None else f"its window opened at event {began}"
    reason = str(interval["reason"]).replace("_", " ")
    over = "it is not over" if ended is None else f"it was over at event {ended} ({reason})"
    return f"Event {interval['created']} made it, {opened}, and {over}."


def _no_effect(told: Play, label: str) -> Answer:
    """The interval of an observation that shows nothing new, and so makes no effect."""
    value = {"created": told.scenario.labels[label], "began": None, "ended": None, "reason": None}
    return Answer(value=value, because="The event shows nothing that was not known.")


def _overwritten_by(told: Play, keys: Any) -> Answer:
    shares = _effects(told, keys["effect"])
    by = [name for share in shares if (name := getattr(share, "overwritten_by", None)) is not None]
    rules = told.rules.cite("player-control.overwriting") if by else ()
    because = "The later one of two works." if by else "No later one took its place."
    return Answer(value=by[0] if by else None, rules=rules, because=because)


def _extra_turns_due(told: Play, keys: Any) -> Answer:
    due = told.state(keys["after"]).extra_turns_due(told.cast.seat(keys["seat"]))
    because = f"{due} of the turns promised to the player are due." if due else "None is due."
    return Answer(value=due, rules=told.rules.cite("turn.extra"), because=because)


def _turn_table(told: Play, keys: Any) -> Answer:
    rows = []
    for turn in told.folded.turns.turns(len(told.events)):
        state = told.folded.control_at(turn.number)
        names = [told.cast.player_of(seat) for seat in turn.seats]
        verdict = decide(state, turn.seats[0], "game", told.rules)
        active = names[0] if len(names) == 1 else names
        rows.append([turn.ordinal, active, told.cast.name(verdict.decider), turn.extra])
    return Answer(value=rows, because="The turns really taken, without those that a rewind undid.")


def _object(told: Play, keys: Any) -> str | None:
    """The log's id of the object asked about; None where a zone is asked about."""
    return told.object(keys["object"]) if "object" in keys else None


def _sees(told: Play, keys: Any) -> Answer:
    viewer = told.cast.principal(keys["viewer"])
    number = keys["after"] + told.offset
    name = _object(told, keys)
    visibility = told.folded.visibility
    if name is not None:
        sight = visibility.why(viewer, number, name)
    else:
        sight = visibility.why_zone(viewer, number, keys["zone"], told.cast.seat(keys["owner"]))
    return Answer(
        value=sight.entitled,
        rules=told.rules.cite(*sight.topics),
        rule_gap=sight.rule_gap is not None,
        because=sight.because,
    )


def _first_learned(told: Play, keys: Any) -> Answer:
    viewer = told.cast.principal(keys["viewer"])
    name = _object(told, keys)
    knowledge = told.folded.knowledge
    if name is not None:
        number = knowledge.first_learned(viewer, name)
    else:
        number = knowledge.first_learned_zone(viewer, keys["zone"], told.cast.seat(keys["owner"]))
    because = "It was shown, or the viewer became entitled, at this event first."
    if number is None:
        because = "Nothing on record showed it to the viewer or entitled them to it."
    return Answer(value=told.number(number), because=because)


def _object_controller(told: Play, keys: Any) -> Answer:
    objects = told.folded.visibility.objects_at(keys["after"] + told.offset)
    facts = objects.get(told.object(keys["object"]))
    seat = None if facts is None else facts.controller
    return Answer(
        value=None if seat is None else told.cast.player_of(seat),
        rules=told.rules.cite("player-control.objects"),
        because="Control of a player gives no control of that player's objects.",
    )


def _rule_gap(told: Play, keys: Any) -> Answer:
    if "at" in keys:
        return _gap_at(told, keys["at"])
    state = told.state(keys["after"])
    verdicts = [
        decide(state, seat, "game", told.rules)
        for seat in state.players
        if not state.has_left(seat)
    ]
    thin = next((verdict for verdict in verdicts if verdict.rule_gap), None)
    if thin is None:
        return Answer(value=False, because="The rules settle who decides for every seat.")
    return _of_verdict(True, thin)


def _gap_at(told: Play, number: int) -> Answer:
    reading, verdict = told.reading(number), told.verdict(number)
    return Answer(
        value=reading is not None,
        rules=() if verdict is None else verdict.rules,
        rule_gap=reading is not None,
        because=reading or (_NO_GAP if verdict is None else verdict.because),
    )


_NO_GAP: Final = "The rules settle what is said of the event."

_ANSWERS: Final[dict[str, Callable[[Play, Any], Answer]]] = {
    **POLICY_ANSWERS,
    "active_player": _active_player,
    "authority": _authority,
    "control_interval": _control_interval,
    "controls": _controls,
    "decider": _decider,
    "decider_path": _decider_path,
    "decision_class": _decision_class,
    "extra_turns_due": _extra_turns_due,
    "finding": _finding,
    "first_learned": _first_learned,
    "in_force": _in_force,
    "lawful": _lawful,
    "mana_burn": _mana_burn,
    "object_controller": _object_controller,
    "overwritten_by": _overwritten_by,
    "pending": _pending,
    "resource_owner": _resource_owner,
    "roles": _roles,
    "rule_gap": _rule_gap,
    "sees": _sees,
    "stamp": _stamp,
    "turn_table": _turn_table,
}

ANSWERED: Final = frozenset(_ANSWERS)
"""The kinds of questions that are answered."""
