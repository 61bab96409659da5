"""Arena's words and numbers in the words of the event catalogue."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from domain.canonical import canonical_json

__all__ = [
    "ANSWERS",
    "CAST",
    "DECISIONS",
    "DRAWN",
    "ENTERING_TYPES",
    "HIDDEN_ZONES",
    "NEVER_WITHIN_AN_ACTION",
    "PAYMENT",
    "PLAY",
    "PLAY_ACTIONS",
    "REASONS",
    "SERVER",
    "SPECIALS",
    "STEPS",
    "SYSTEM",
    "TAKEN_AS",
    "UNFINISHED",
    "WITHOUT_EVENT",
    "bare",
    "json_text",
    "snake",
    "whole",
    "zone_word",
]

SYSTEM: Final = "arena"
SERVER: Final = "server:arena"

_UPPER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def bare(name: Any) -> str:
    """An enumeration's value without the enumeration's name: `Cast` of `ActionType_Cast`.

    Unknown values, which old clients log as numbers, become text.
    """
    return _bare(name if isinstance(name, str) else str(name))


@lru_cache(maxsize=2048)
def _bare(text: str) -> str:
    return text.partition("_")[2] or text


@lru_cache(maxsize=2048)
def snake(name: str) -> str:
    """`SBA_Damage` and `CastSpell` as `sba_damage` and `cast_spell`."""
    return _UPPER.sub("_", name).replace("-", "_").replace(" ", "_").lower()


def whole(value: Any) -> int | None:
    """The value if it is a whole number that may be stored, else None."""
    return value if type(value) is int and -(2**53) < value < 2**53 else None


def json_text(value: Any) -> str:
    """A value of the log as canonical JSON text, also if it holds numbers of any size."""
    try:
        return canonical_json(value).decode()
    except OverflowError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


_ZONES: Final = {
    "ZoneType_Library": "library",
    "ZoneType_Hand": "hand",
    "ZoneType_Battlefield": "battlefield",
    "ZoneType_Graveyard": "graveyard",
    "ZoneType_Exile": "exile",
    "ZoneType_Stack": "stack",
    "ZoneType_Command": "command",
    "ZoneType_Sideboard": "sideboard",
    "ZoneType_Limbo": "limbo",
}
HIDDEN_ZONES: Final = frozenset({"library", "hand", "sideboard"})


def zone_word(zone: dict[str, Any] | None) -> str:
    """The catalogue's word for a zone of the log; `other` for zones that only the client has."""
    return "other" if zone is None else _ZONES.get(zone.get("type", ""), "other")


ENTERING_TYPES: Final = frozenset(
    {"GameObjectType_Card", "GameObjectType_Token", "GameObjectType_Emblem", "GameObjectType_Boon"}
)
"""Objects that are cards, tokens or emblems; the other types are faces, abilities and markers."""

STEPS: Final = MappingProxyType(
    {
        (1, 1): "untap",
        (1, 2): "upkeep",
        (1, 3): "draw",
        (2, 0): "precombat_main",
        (3, 0): "beginning_of_combat",
        (3, 4): "beginning_of_combat",
        (3, 5): "declare_attackers",
        (3, 6): "declare_blockers",
        (3, 7): "combat_damage",
        (3, 11): "combat_damage",
        (3, 8): "end_of_combat",
        (4, 0): "postcombat_main",
        (5, 0): "end",
        (5, 9): "end",
        (5, 10): "cleanup",
        ("Phase_Beginning", "Step_Untap"): "untap",
        ("Phase_Beginning", "Step_Upkeep"): "upkeep",
        ("Phase_Beginning", "Step_Draw"): "draw",
        ("Phase_Main1", None): "precombat_main",
        ("Phase_Combat", "Step_BeginCombat"): "beginning_of_combat",
        ("Phase_Combat", "Step_DeclareAttack"): "declare_attackers",
        ("Phase_Combat", "Step_DeclareBlock"): "declare_blockers",
        ("Phase_Combat", "Step_FirstStrikeDamage"): "combat_damage",
        ("Phase_Combat", "Step_CombatDamage"): "combat_damage",
        ("Phase_Combat", "Step_EndCombat"): "end_of_combat",
        ("Phase_Main2", None): "postcombat_main",
        ("Phase_Ending", "Step_End"): "end",
        ("Phase_Ending", "Step_Cleanup"): "cleanup",
    }
)
"""(phase, step) of an annotation (numbers) or of `turnInfo` (names) -> step."""

CAST: Final = frozenset({1, 10, 11, 16, 18, 21, 22, 23, 24})
"""Numbers of `actionType` that cast: plain, halves, adventure, other face, room, omen."""
PLAY: Final = frozenset({3, 19})
"""Numbers of `actionType` that play a land: plain, other face."""
PAYMENT: Final = frozenset({9, 12, 13, 20})
"""Numbers of `actionType` that pay a cost."""
SPECIALS: Final = MappingProxyType(
    {7: "special", 8: "turn_face_up", 15: "opening_hand", 17: "float_mana"}
)
"""Numbers of `actionType` for special actions; others are named after their number."""

UNFINISHED: Final = "GameStateUpdate_Send"
"""`update` of a state in the middle of an action or a choice."""
DRAWN: Final = "Draw"
TAKEN_AS: Final = MappingProxyType({"CastSpell": 1, "PlayLand": 3})
"""Category of a zone change that is a player's action -> its number of `actionType`."""

PLAY_ACTIONS: Final = MappingProxyType(
    {
        "Cast": "spell_cast",
        "CastLeft": "spell_cast",
        "CastRight": "spell_cast",
        "CastAdventure": "spell_cast",
        "CastMDFC": "spell_cast",
        "CastPrototype": "spell_cast",
        "CastLeftRoom": "spell_cast",
        "CastRightRoom": "spell_cast",
        "CastOmen": "spell_cast",
        "Play": "land_played",
        "PlayMDFC": "land_played",
        "Activate": "ability_activated",
        "Activate_Mana": "ability_activated",
        "Make_Payment": "cost_paid",
        "Special_Payment": "cost_paid",
        "ResolutionCost": "cost_paid",
        "CombatCost": "cost_paid",
    }
)
"""`actionType` of a client's action -> event; the others are special actions."""

DECISIONS: Final = MappingProxyType(
    {
        "ActionsAvailableReq": "priority_passed",
        "AssignDamageReq": "damage_assigned",
        "CastingTimeOptionsReq": "modes_chosen",
        "ChooseStartingPlayerReq": "choice_made",
        "DeclareAttackersReq": "attackers_declared",
        "DeclareBlockersReq": "blockers_declared",
        "DistributionReq": "choice_made",
        "GatherReq": "choice_made",
        "GroupReq": "choice_made",
        "MulliganReq": "mulligan_decided",
        "NumericInputReq": "choice_made",
        "OptionalActionMessage": "choice_made",
        "OrderCombatDamageReq": "choice_made",
        "OrderReq": "choice_made",
        "PayCostsReq": "cost_paid",
        "RevealHandReq": "choice_made",
        "SearchFromGroupsReq": "choice_made",
        "SearchReq": "card_found",
        "SelectCountersReq": "choice_made",
        "SelectFromGroupsReq": "choice_made",
        "SelectNReq": "choice_made",
        "SelectReplacementReq": "choice_made",
        "SelectTargetsReq": "targets_chosen",
        "StringInputReq": "choice_made",
        "SubmitDeckReq": "sideboarded",
    }
)
"""Request that wants an answer -> the decision it asks for."""

NEVER_WITHIN_AN_ACTION: Final = frozenset(
    {"AssignDamageReq", "DeclareAttackersReq", "DeclareBlockersReq", "SearchReq"}
)
"""Requests that no spell or ability being put on the stack makes: what was announced is done."""

ANSWERS: Final = MappingProxyType(
    {
        "ChooseStartingPlayerResp": ("starting_player", "chooseStartingPlayerResp"),
        "DistributionResp": ("other", "distributionResp"),
        "GatherResp": ("other", "gatherResp"),
        "GroupResp": ("arrange", "groupResp"),
        "NumericInputResp": ("number", "numericInputResp"),
        "OptionalActionResp": ("optional", "optionalResp"),
        "OrderCombatDamageResp": ("damage_order", "orderCombatDamageResp"),
        "OrderResp": ("order", "orderResp"),
        "RevealHandResp": ("other", "revealHandResp"),
        "SearchFromGroupsResp": ("other", "searchFromGroupsResp"),
        "SelectCountersResp": ("other", "selectCountersResp"),
        "SelectFromGroupsResp": ("other", "selectFromGroupsResp"),
        "SelectNResp": ("other", "selectNResp"),
        "SelectReplacementResp": ("replacement", "selectReplacementResp"),
        "StringInputResp": ("name", "stringInputResp"),
    }
)
"""Answer that is recorded as `choice_made` -> its kind and the field that holds it."""

REASONS: Final = MappingProxyType(
    {
        "Concede": "concession",
        "Game": "game",
        "Timeout": "timeout",
        "Loop": "loop",
        "Force": "forced",
    }
)
"""`ResultReason` -> reason of an ended game."""

WITHOUT_EVENT: Final = frozenset(
    {
        # Messages: greetings, clocks, confirmations, informative prompts, hovering and chat.
        "AssignDamageConfirmation",
        "ConnectResp",
        "DieRollResultsResp",
        "GetSettingsResp",
        "OrderDamageConfirmation",
        "PredictionResp",
        "PromptReq",
        "SetSettingsResp",
        "SubmitAttackersResp",
        "SubmitBlockersResp",
        "SubmitDeckConfirmation",
        "SubmitTargetsResp",
        "TimerStateMessage",
        "UIMessage",
        # Client messages: connection, display, steps on the way to an answer.
        "CheckpointReq",
        "ConnectReq",
        "DeclareAttackersResp",
        "DeclareBlockersResp",
        "EnterSideboardingReq",
        "GetSettingsReq",
        "PredictionReq",
        "SelectTargetsResp",
        "TakeTimeoutReq",  # the server's own message says whether a time extension was used
        # Annotations: what is tapped, attached, designated or in effect has no event.
        "AbilityExhausted",
        "AbilityInstanceDeleted",
        "AbilityWordActive",
        "AddAbility",
        "Attachment",
        "AttachmentCreated",
        "CastingTimeOption",
        "ClassLevel",
        "ColorProduction",
        "CopiedObject",
        "Counter",
        "CrewedThisTurn",
        "DamagedThisTurn",
        "DelayedTriggerAffectees",
        "Designation",
        "DisplayCardUnderCard",
        "DisqualifiedEffect",
        "EnteredZoneThisTurn",
        "FaceDown",
        "GainDesignation",
        "LayeredEffect",
        "LayeredEffectCreated",
        "LayeredEffectDestroyed",
        "LinkInfo",
        "LoseDesignation",
        "LoyaltyActivationsRemaining",
        "MiscContinuousEffect",
        "ModifiedColor",
        "ModifiedCost",
        "ModifiedName",
        "ModifiedPower",
        "ModifiedToughness",
        "ModifiedType",
        "MultistepEffectComplete",
        "MultistepEffectStarted",
        "PlayerSelectingTargets",
        "PowerToughnessModCreated",
        "PredictedDirectDamage",
        "Qualification",
        "RemoveAbility",
        "ReplacementEffect",
        "ReplacementEffectApplied",
        "RevealedCardDeleted",
        "ShouldntPlay",
        "SuppressedPowerAndToughness",
        "SyntheticEvent",
        "TappedUntappedPermanent",
        "TargetSpec",
        "TemporaryPermanent",
        "TextChange",
        "TriggeringObject",
    }
)
"""Messages and annotations that are known and on purpose make no event of their own."""
