"""The words of the scenario format, version 1: events, questions, and what their keys hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from domain.events.base import Zone
from domain.events.control import Scope
from domain.events.frame import Step

__all__ = [
    "ABOUT_DECISIONS",
    "COMMON",
    "DECISIONS",
    "DECISION_KEYS",
    "EFFECTS",
    "EVENTS",
    "KINDS",
    "PERSONAL_WORDS",
    "QUESTIONS",
    "STAND_INS",
    "VALUES",
    "WORDS",
    "EventShape",
]

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
        "label", "chooser", "affected", may=("decisions", "lasts", "source", "object")
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

DECISIONS: Final = tuple(name for name, shape in EVENTS.items() if shape.decides)
EFFECTS: Final = ("control_created", "control_observed", "choice_granted")
"""Events that make an effect, which their label names."""
ABOUT_DECISIONS: Final = frozenset(
    {"authority", "decision_class", "lawful", "resource_owner", "roles", "stamp"}
)
"""Questions about an event that must be a decision."""

STAND_INS: Final = ("server", "judge", "ai")
WORDS: Final = (*STAND_INS, "rules", "unknown")
"""Who may have decided besides players and people."""
PERSONAL_WORDS: Final = ("all", "nobody", "null", "opponents", "undetermined", "true", "false", "~")
"""Words with a meaning of their own, so that nobody and nothing can be called so."""

KINDS: Final[dict[str, str]] = {
    "affected": "players or opponents",
    "amount": "number",
    "at": "earlier event",
    "by": "stand-in",
    "called_for": "flag",
    "chooser": "person",
    "combat": "count",
    "controller": "person",
    "decided_by": "anyone",
    "effect": "earlier effect",
    "extra": "flag",
    "extra_turn_after": "flag",
    "face_down": "flag",
    "for": "player",
    "game": "count",
    "keep": "flag",
    "life": "number",
    "optional_extra": "flag",
    "owner": "player",
    "paid_from": "player",
    "performed_by": "anyone",
    "permanent_of": "player",
    "refused": "flag",
    "restores": "players",
    "seat": "team",
    "team": "team",
    "viewer": "viewer",
    "whole_action": "flag",
    "wrong_type": "flag",
    "decisions": "words",
    "may_hide": "words",
    "may_not": "words",
    "must": "words",
    "targets": "texts",
    "control_observed.by": "person or nobody",
    "instructed.by": "official",
    "instructed.to": "person",
    "object_control_changed.controller": "player",
    "object_entered.controller": "player",
    "object_moved.controller": "player",
    "revealed.to": "people or all",
    "rewound.by": "official",
    "rewound.to": "moment",
}
"""Key (or event.key) -> what it holds; any other key holds a text, or one of VALUES."""

_ZONES: Final = tuple(
    zone for zone in get_args(Zone) if zone not in ("sideboard", "limbo", "other")
)
_LASTS: Final = ("this_turn", "this_combat", "this_vote", "while_resolving")

VALUES: Final[dict[str, tuple[str, ...]]] = {
    "decisions": ("attackers", "blockers", "votes", "targets", *DECISIONS),
    "from": _ZONES,
    "kind": (
        "discard",
        "trigger_order",
        "damage_order",
        "mode",
        "target",
        "attack_target",
        "pay_optional",
        "pile",
        "name",
        "other",
    ),
    "may_hide": tuple(EVENTS),
    "may_not": DECISIONS,
    "must": DECISIONS,
    "object_moved.to": _ZONES,
    "phase": ("beginning", "precombat_main", "combat", "postcombat_main", "ending"),
    "scope": tuple(scope for scope in get_args(Scope) if scope != "observed"),
    "step": get_args(Step),
    "zone": _ZONES,
    "choice_granted.lasts": _LASTS,
    "look_granted.lasts": ("this_turn", "while_in_zone", "rest_of_game"),
    "player_left.reason": ("conceded", "lost", "drew", "disqualified", "disconnected"),
    "question.decision": (
        "game",
        "tournament",
        "remedy",
        "searching",
        "attackers",
        "blockers",
        "votes",
        *DECISIONS,
    ),
}
"""Key (or event.key) -> the values it may have."""
