"""The words of the scenario format, version 1: events, questions, and what their keys hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["COMMON", "DECISION_KEYS", "EVENTS", "KINDS", "QUESTIONS", "EventShape"]

COMMON: Final = ("label", "note")
DECISION_KEYS: Final = (
    "decided_by",
    "performed_by",
    "paid_from",
    "refused",
    "called_for",
    "action",
    "whole_action",
    "cites",
    "object",
)


@dataclass(frozen=True, slots=True)
class EventShape:
    """Which keys an event needs and may have; `decides` adds the keys of every decision."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    decides: bool = False

    @property
    def allowed(self) -> tuple[str, ...]:
        """All keys the event may have."""
        return (*self.needs, *self.may, *(DECISION_KEYS if self.decides else ()), *COMMON)


def _d(*needs: str, may: tuple[str, ...] = ()) -> EventShape:
    return EventShape(needs, may, decides=True)


def _e(*needs: str, may: tuple[str, ...] = ()) -> EventShape:
    return EventShape(needs, may)


EVENTS: Final[dict[str, EventShape]] = {
    "game_started": _e(may=("game",)),
    "turn_started": _e(may=("seat", "team", "extra")),
    "turn_skipped": _e(may=("seat", "team")),
    "step_started": _e("step", may=("seat", "combat")),
    "phase_skipped": _e("phase", "seat"),
    "player_left": _e("seat", "reason"),
    "game_ended": _e(may=("result",)),
    "rewound": _e("to", may=("by", "restores")),
    "control_created": _e(
        "label",
        "controller",
        "affected",
        may=("scope", "source", "extra_turn_after", "may_not", "must", "object"),
    ),
    "control_observed": _e("seat", "by"),
    "control_ended": _e("effect", may=("reason",)),
    "choice_granted": _e(
        "label", "chooser", "affected", "decisions", "lasts", may=("source", "object")
    ),
    "seat_taken_over": _e("seat", "by"),
    "seat_returned": _e("seat", "by"),
    "resolved": _e("object", may=("seat",)),
    "subgame_started": _e(),
    "subgame_ended": _e(),
    "game_restarted": _e(),
    "gap_found": _e(may=("may_hide",)),
    "mana_lost": _e("seat", "amount", may=("life",)),
    "spell_cast": _d("seat", "card", may=("from", "targets")),
    "ability_activated": _d("seat", "card", may=("targets",)),
    "land_played": _d("seat", "card"),
    "mana_produced": _d("seat", "permanent_of"),
    "cost_paid": _d("seat", "resource", "owner"),
    "priority_passed": _d("seat"),
    "attackers_declared": _d("seat"),
    "blockers_declared": _d("seat"),
    "damage_assigned": _d("seat"),
    "vote_cast": _d("seat", may=("optional_extra",)),
    "choice_made": _d("seat", "what", may=("kind", "for")),
    "library_search_started": _d("seat", may=("owner",)),
    "card_found": _d("seat", "card"),
    "library_search_ended": _e("seat"),
    "outside_game_card_chosen": _d("seat", "card", may=("wrong_type",)),
    "mulligan_decided": _d("seat", "keep"),
    "conceded": _d("seat"),
    "draw_offered": _d("seat"),
    "draw_agreed": _d("seat"),
    "draw_declined": _d("seat"),
    "judge_called": _d("seat"),
    "table_left": _d("seat"),
    "trade_agreed": _d("seat"),
    "sideboarded": _d("seat"),
    "remedy_chosen": _d("seat", "what"),
    "instructed": _e("by", "to", "text"),
    "card_drawn": _e("seat", "object"),
    "object_entered": _e("object", "owner", "zone", may=("controller", "face_down")),
    "object_moved": _e("object", "to", may=("face_down", "controller")),
    "object_control_changed": _e("object", "controller"),
    "turned_face_up": _e("object"),
    "look_granted": _e("viewer", "lasts", may=("object", "zone", "owner")),
    "looked_at": _e("viewer", may=("object", "zone", "owner")),
    "revealed": _e("to", may=("object", "zone", "owner")),
    "infraction_found": _e("label", "infraction", "at"),
}

QUESTIONS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "decider": (("seat", "after"), ("decision",)),
    "decider_path": (("seat", "after"), ("decision",)),
    "active_player": (("after",), ()),
    "stamp": (("at",), ()),
    "authority": (("at",), ()),
    "decision_class": (("at",), ()),
    "lawful": (("at",), ()),
    "finding": (("at",), ()),
    "pending": (("seat", "after"), ()),
    "in_force": (("seat", "after"), ()),
    "controls": (("player", "after"), ()),
    "mana_burn": (("seat", "at"), ()),
    "control_interval": (("effect",), ()),
    "overwritten_by": (("effect",), ()),
    "extra_turns_due": (("seat", "after"), ()),
    "turn_table": ((), ()),
    "sees": (("viewer", "after"), ("object", "zone", "owner")),
    "first_learned": (("viewer",), ("object", "zone", "owner")),
    "object_controller": (("object", "after"), ()),
    "resource_owner": (("at",), ()),
    "roles": (("at",), ()),
    "responsible": (("at", "policy"), ()),
    "policies_differ": (("at",), ()),
    "rule_gap": ((), ("at", "after")),
}
"""Question -> keys it needs, keys it may have besides `rule`, `rules_date` and `expect`."""

KINDS: Final[dict[str, str]] = {
    "affected": "players or opponents",
    "amount": "number",
    "at": "event",
    "by": "principal",
    "called_for": "flag",
    "chooser": "principal",
    "combat": "number",
    "controller": "principal",
    "decided_by": "principal",
    "extra": "flag",
    "extra_turn_after": "flag",
    "face_down": "flag",
    "for": "player",
    "game": "number",
    "keep": "flag",
    "life": "number",
    "optional_extra": "flag",
    "owner": "player",
    "paid_from": "player",
    "performed_by": "principal",
    "permanent_of": "player",
    "refused": "flag",
    "restores": "players",
    "seat": "players",
    "team": "players",
    "viewer": "principal",
    "whole_action": "flag",
    "wrong_type": "flag",
    "decisions": "texts",
    "may_hide": "texts",
    "may_not": "texts",
    "must": "texts",
    "targets": "texts",
    "rewound.to": "event",
    "instructed.to": "principal",
    "revealed.to": "players or all",
    "object_control_changed.controller": "player",
    "object_entered.controller": "player",
    "object_moved.controller": "player",
}
"""Key (or event.key) -> what it holds; any other key holds a text."""
