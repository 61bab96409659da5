"""What an event says, in a short sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from queries.parts import EventView
from whodecided.cli.labels import Labels, spoken

__all__ = ["phrase"]

_SEAT_PREFIX: Final = "seat:"
_AS_WRITTEN: Final = frozenset({"amount", "text"})
_ON: Final = frozenset({"battlefield", "stack"})
_ASKED: Final[Mapping[str, str]] = {
    "attackers_declared": "to declare attackers",
    "blockers_declared": "to declare blockers",
    "card_found": "to search for cards",
    "choice_made": "to make a choice",
    "cost_paid": "to pay a cost",
    "damage_assigned": "to divide combat damage",
    "modes_chosen": "how to cast or activate",
    "mulligan_decided": "to keep the hand or to take a mulligan",
    "priority_passed": "to act or to pass",
    "sideboarded": "to submit a deck",
    "targets_chosen": "to choose targets",
}

_PHRASES: Final[Mapping[str, str]] = {
    "ability_activated": "activates {thing}{of_source}{at_targets}",
    "ability_triggered": "{thing}{of_source} triggers",
    "attackers_declared": "declares {attacks}",
    "blockers_declared": "declares {blocks}",
    "card_drawn": "{seat} draws {thing}",
    "card_found": "finds {thing}",
    "choice_granted": "{chooser} makes the choices {decisions} for {affected}",
    "choice_made": "makes a choice ({kind}{paren_detail})",
    "conceded": "concedes",
    "control_created": "{controller} will control {affected} ({scope}){source}",
    "control_ended": "the effect {effect} ends",
    "cost_paid": "pays {resource}",
    "counters_changed": "{counters_put} {target}",
    "damage_assigned": "divides combat damage",
    "damage_dealt": "{amount} damage to {target}{from_source}",
    "decision_requested": "{asked} is asked {to_decide}",
    "game_ended": "the game ends: {result}{won_by}{paren_reason}",
    "game_restarted": "the game starts again",
    "game_started": "the record of the game begins",
    "gap_found": "a part of the game is not in the record ({cause})",
    "instructed": "{by} tells {to} what to do",
    "land_played": "plays {thing}{from_place}",
    "library_search_ended": "{seat} ends the search",
    "library_search_started": "searches {whose}library",
    "life_changed": "{seat} {signed_change} life{paren_total}",
    "look_granted": "a look at {thing_or_zone} is granted",
    "looked_at": "{viewer} looks at {thing_or_zone}",
    "mana_lost": "{seat} loses {amount} unspent mana",
    "mana_produced": "produces mana with object {object}",
    "modes_chosen": "chooses {modes}",
    "mulligan_decided": "{keeps}",
    "note_added": "note: {text}",
    "object_control_changed": "{controller_seat} gains control of object {object}",
    "object_entered": "{thing} is {in_place}",
    "object_moved": "{thing} moves{from_place} to {to_place}{paren_cause}",
    "object_renamed": "object {former} is now object {object}",
    "outside_game_card_chosen": "chooses {thing} from outside the game",
    "phase_skipped": "{seat} skips the phase {phase}",
    "player_left": "{seat} leaves the game ({reason})",
    "priority_passed": "passes priority{by_setting}",
    "request_refused": "the answer is refused ({reason})",
    "resolved": "object {object} has resolved",
    "revealed": "{thing_or_zone} is {shown}",
    "rewound": "the game goes back to just after event {to} ({cause})",
    "scried": "{seat} scries",
    "seat_returned": "the player of {seat} answers again",
    "seat_taken_over": "{by} answers in the name of {seat} from here on",
    "setting_changed": "changes a setting",
    "shuffled": "the library of {owner} is shuffled",
    "special_action_taken": "takes a special action ({special}) with {thing}",
    "spell_cast": "casts {thing}{from_place}{at_targets}",
    "stamp_disputed": "{by} disputes event {about}: {claimed} is said to have decided",
    "state_anchored": "a snapshot makes the record certain again",
    "step_started": "{step_name} begins",
    "subgame_ended": "the subgame is over",
    "subgame_started": "a subgame begins",
    "targets_chosen": "chooses {targets_list}",
    "time_extended": "{minutes} minutes are added",
    "timeout_used": "{seat} uses a time extension",
    "token_created": "{thing} is created",
    "totals_stated": "{seat} is stated to have {totals}",
    "turn_skipped": "{seat} skips a turn",
    "turn_started": "{extra_word}turn of {seat} begins",
    "turned_face_up": "{thing} is turned face up",
    "vote_cast": "votes {vote}",
}
_ACTED: Final = frozenset({"decisions", "tournament"})
_NOT_ACTED: Final = frozenset(
    {"decision_requested", "library_search_ended", "request_refused", "time_extended"}
)


def phrase(view: EventView, labels: Labels) -> str:
    """The event in one sentence; what the viewer may not see is called hidden."""
    words = _Words(view, labels)
    if view.event == "control_observed":
        text = "{by} answers for {seat}" if view.details.get("by") else _OVER
    else:
        text = _PHRASES.get(view.event, spoken(view.event))
    said = text.format_map(words)
    if view.family in _ACTED and view.event not in _NOT_ACTED and view.stamp is not None:
        said = f"{_subject(view)} {said}"
    if view.details.get("refused"):
        said += " - refused by the game"
    return said[:1].upper() + said[1:]


_OVER: Final = "nobody else answers for {seat} any more"


def _subject(view: EventView) -> str:
    seat = view.stamp.acting_seat if view.stamp is not None else None
    return f"seat {seat}" if seat is not None else "somebody"


class _Words(dict[str, str]):
    """The words that fill a phrase, worked out when they are needed."""

    def __init__(self, view: EventView, labels: Labels) -> None:
        super().__init__()
        self._view = view
        self._details = view.details
        self._labels = labels

    def __missing__(self, key: str) -> str:
        made = _MADE.get(key)
        if made is not None:
            return made(self._details, self._labels, self._view)
        if key.startswith("paren_"):
            return _in_parentheses(key.removeprefix("paren_"), self._details)
        return self._plain(key)

    def _plain(self, key: str) -> str:
        value = self._details.get(key)
        if key in ("seat", "owner") and isinstance(value, int):
            return f"seat {value}"
        if key in ("asked", "affected") and value:
            return " and ".join(f"seat {seat}" for seat in value)
        if key in ("by", "to", "viewer", "claimed", "chooser", "controller") and value:
            return self._labels.short(str(value)) if isinstance(value, str) else str(value)
        if isinstance(value, list):
            return ", ".join(map(str, value)) or "none"
        if value is None:
            return "?"
        return str(value) if key in _AS_WRITTEN else spoken(str(value))


Details = Mapping[str, Any]
Made = Callable[[Details, Labels, EventView], str]


def _in_parentheses(key: str, details: Details) -> str:
    value = details.get(key)
    if value is None:
        return ""
    if key == "detail":
        return f", {value}"
    return f" ({spoken(value) if key == 'cause' else value})"


def _target(text: Any) -> str:
    name = str(text)
    return f"seat {name[5:]}" if name.startswith(_SEAT_PREFIX) else f"object {name}"


def _targets(details: Details) -> str:
    return ", ".join(map(_target, details.get("targets") or ()))


def _of_source(details: Details) -> str:
    source = details.get("source_object")
    return f" of object {source}" if source and details.get("object") else ""


def _step_name(step: str) -> str:
    return f"{spoken(step)} {'phase' if step.endswith('_main') else 'step'}"


def _place(zone: Any, owner: Any) -> str:
    name = f"the {spoken(str(zone))}" if zone else "the game"
    return f"{name} of seat {owner}" if owner else name


def _counted(items: Any, noun: str) -> str:
    found = [f"object {item['object']}" for item in items or ()]
    return f"{noun}s: {', '.join(found)}" if found else f"no {noun}s"


def _in_place(details: Details) -> str:
    where = "on" if details.get("zone") in _ON else "in"
    return f"{where} {_place(details.get('zone'), details.get('zone_owner'))}"


def _to_decide(details: Details) -> str:
    decision = str(details.get("decision"))
    return _ASKED.get(decision, f"for a decision ({spoken(decision)})")


def _counters_put(details: Details) -> str:
    """`2 +1/+1 counters are put on`; a source may know the kinds by numbers only."""
    change, kind = int(details.get("change") or 0), str(details.get("counter"))
    one = abs(change) == 1
    noun = "counter" if one else "counters"
    named = f"{noun} of kind {kind}" if kind.isdigit() else f"{kind} {noun}"
    done = "removed from" if change < 0 else "put on"
    return f"{abs(change)} {named} {'is' if one else 'are'} {done}"


def _thing_or_zone(details: Details, labels: Labels, view: EventView) -> str:
    if details.get("zone") and not details.get("object"):
        return _place(details["zone"], details.get("owner"))
    return labels.thing(details, view.hidden)


def _shown(details: Details, labels: Labels, view: EventView) -> str:
    """To everybody, or to those who are named."""
    to = details.get("to")
    return "revealed" if to is None else f"shown to {' and '.join(map(labels.short, to))}"


def _won_by(details: Details) -> str:
    winners = details.get("winners") or ()
    return f", won by {' and '.join(f'seat {seat}' for seat in winners)}" if winners else ""


def _totals(details: Details) -> str:
    life, library = details.get("life"), details.get("library")
    said = [] if life is None else [f"{life} life"]
    if library is not None:
        said.append(f"{library} {'card' if library == 1 else 'cards'} in the library")
    return " and ".join(said)


_MADE: Final[Mapping[str, Made]] = {
    "at_targets": lambda d, _, __: f", targeting {_targets(d)}" if d.get("targets") else "",
    "attacks": lambda d, _, __: _counted(d.get("attacks"), "attacker"),
    "blocks": lambda d, _, __: _counted(d.get("blocks"), "blocker"),
    "by_setting": lambda d, _, __: " (by a setting)" if d.get("by_setting") else "",
    "controller_seat": lambda d, _, __: f"seat {d.get('controller')}",
    "counters_put": lambda d, _, __: _counters_put(d),
    "extra_word": lambda d, _, __: "extra " if d.get("extra") else "",
    "from_place": lambda d, _, __: (
        f" from the {spoken(str(d['from_zone']))}" if d.get("from_zone") else ""
    ),
    "from_source": lambda d, _, __: (
        f" from object {d['source_object']}" if d.get("source_object") else ""
    ),
    "in_place": lambda d, _, __: _in_place(d),
    "keeps": lambda d, _, __: "keeps the hand" if d.get("keep") else "takes a mulligan",
    "of_source": lambda d, _, __: _of_source(d),
    "shown": _shown,
    "signed_change": lambda d, _, __: f"{d.get('change', 0):+d}",
    "source": lambda d, _, __: f", by {d['source_card']}" if d.get("source_card") else "",
    "step_name": lambda d, _, __: _step_name(str(d.get("step"))),
    "target": lambda d, _, __: _target(d.get("target")),
    "targets_list": lambda d, _, __: f"targets: {_targets(d)}" if d.get("targets") else "no target",
    "thing": lambda d, labels, view: labels.thing(d, view.hidden),
    "thing_or_zone": _thing_or_zone,
    "to_decide": lambda d, _, __: _to_decide(d),
    "to_place": lambda d, _, __: _place(d.get("to_zone"), d.get("zone_owner")),
    "totals": lambda d, _, __: _totals(d),
    "whose": lambda d, _, __: f"seat {d['owner']}'s " if d.get("owner") else "a ",
    "won_by": lambda d, _, __: _won_by(d),
}
