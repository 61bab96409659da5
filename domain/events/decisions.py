"""Decisions: one event is one choice with one stamp; the choices of one action share `action`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from domain.events.base import (
    DecisionEvent,
    ObjectId,
    SealedCard,
    StampedGameEvent,
    Zone,
)
from domain.sealed import Sealed
from domain.stamp import Seat

__all__ = [
    "AbilityActivated",
    "Attack",
    "AttackersDeclared",
    "Block",
    "BlockersDeclared",
    "CardFound",
    "ChoiceMade",
    "CostPaid",
    "DamageAssigned",
    "DecisionRequested",
    "LandPlayed",
    "LibrarySearchEnded",
    "LibrarySearchStarted",
    "ManaProduced",
    "ModesChosen",
    "MulliganDecided",
    "OutsideGameCardChosen",
    "PriorityPassed",
    "RemedyChosen",
    "RequestRefused",
    "SettingChanged",
    "SpecialActionTaken",
    "SpellCast",
    "TargetsChosen",
    "VoteCast",
]


class DecisionRequested(StampedGameEvent):
    """The game asks a seat for a decision; the stamp names who is asked and who should answer."""

    TOPIC: ClassVar[str] = "game.decision_requested/v1"

    decision: str
    """The decision that is asked for: an event name, or `choice_made`."""
    request_kind: str
    """The source's own name of the request."""
    asked: tuple[Seat, ...]
    """The seats the source addresses."""
    answers_wanted: bool
    """False where the request is only shown."""
    source_object: ObjectId | None = None
    """The object that asks."""
    options: Sealed[str] | None = None
    """What may be answered, as canonical JSON text."""
    options_count: int | None = None
    """How many options there are."""


class RequestRefused(StampedGameEvent):
    """The game did not accept an answer."""

    TOPIC: ClassVar[str] = "game.request_refused/v1"

    request: int | None
    """Number of the decision_requested event."""
    reason: str
    """The source's own reason."""


class SpellCast(DecisionEvent):
    """A spell is cast (CR 601)."""

    TOPIC: ClassVar[str] = "game.spell_cast/v1"

    object: ObjectId | None = None
    """The spell."""
    card: SealedCard = None
    """The card; hidden when cast face down."""
    from_zone: Zone | None = None
    """Where it was cast from."""
    face_down: bool = False
    """Cast face down."""
    targets: tuple[str, ...] = ()
    """Targets where the source states them with the cast: object ids or `seat:<n>`."""


class AbilityActivated(DecisionEvent):
    """An activated ability is activated (CR 602)."""

    TOPIC: ClassVar[str] = "game.ability_activated/v1"

    object: ObjectId | None = None
    """The ability on the stack; null for a mana ability."""
    source_object: ObjectId | None = None
    """The object whose ability it is."""
    ability: SealedCard = None
    """The ability as the source names it."""
    mana_ability: bool = False
    """It is a mana ability (CR 605)."""
    targets: tuple[str, ...] = ()
    """Targets where stated with the activation."""


class LandPlayed(DecisionEvent):
    """A land is played (CR 305, 116.2a)."""

    TOPIC: ClassVar[str] = "game.land_played/v1"

    object: ObjectId | None = None
    """The land."""
    card: SealedCard = None
    """The card."""
    from_zone: Zone | None = None
    """Where it was played from."""


class ManaProduced(DecisionEvent):
    """A permanent is tapped, or otherwise used, for mana."""

    TOPIC: ClassVar[str] = "game.mana_produced/v1"

    object: ObjectId | None = None
    """The source of the mana."""
    permanent_of: Seat | None = None
    """Whose permanent it is."""


class CostPaid(DecisionEvent):
    """A cost, or a part of it, is paid."""

    TOPIC: ClassVar[str] = "game.cost_paid/v1"

    object: ObjectId | None = None
    """What it is paid for."""
    resource: str | None = None
    """What is paid: `mana`, `life`, or the source's word."""
    owner: Seat | None = None
    """Whose resource it is."""
    payment: tuple[str, ...] = ()
    """The objects that pay, where stated."""


class TargetsChosen(DecisionEvent):
    """Targets are chosen (CR 601.2c)."""

    TOPIC: ClassVar[str] = "game.targets_chosen/v1"

    object: ObjectId | None = None
    """The spell or ability."""
    targets: tuple[str, ...] = ()
    """Object ids or `seat:<n>`."""


class ModesChosen(DecisionEvent):
    """Modes or other casting options are chosen (CR 601.2b)."""

    TOPIC: ClassVar[str] = "game.modes_chosen/v1"

    object: ObjectId | None = None
    """The spell or ability."""
    modes: tuple[str, ...] = ()
    """The options as the source names them."""


class Attack(BaseModel):
    """One attacking creature."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    object: ObjectId
    """The creature."""
    target: str | None
    """What it attacks: `seat:<n>` or an object id."""


class AttackersDeclared(DecisionEvent):
    """Attackers are declared (CR 508.1)."""

    TOPIC: ClassVar[str] = "game.attackers_declared/v1"

    attacks: tuple[Attack, ...] = ()
    """The attacking creatures."""


class Block(BaseModel):
    """One blocking creature."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    object: ObjectId
    """The blocker."""
    attackers: tuple[ObjectId, ...]
    """What it blocks."""


class BlockersDeclared(DecisionEvent):
    """Blockers are declared (CR 509.1)."""

    TOPIC: ClassVar[str] = "game.blockers_declared/v1"

    blocks: tuple[Block, ...] = ()
    """The blocking creatures."""


class DamageAssigned(DecisionEvent):
    """Combat damage is divided (CR 510.1)."""

    TOPIC: ClassVar[str] = "game.damage_assigned/v1"

    object: ObjectId | None = None
    """The creature whose damage is divided."""
    targets: tuple[str, ...] = ()
    """To whom: object ids or `seat:<n>`."""
    amounts: tuple[int, ...] = ()
    """How much to each, in the same order."""


class VoteCast(DecisionEvent):
    """A vote is cast (CR 701.32)."""

    TOPIC: ClassVar[str] = "game.vote_cast/v1"

    vote: str | None = None
    """What was voted for."""
    optional_extra: bool = False
    """The choice to take an extra vote, not its content."""


class ChoiceMade(DecisionEvent):
    """Any other choice the rules or an object call for."""

    TOPIC: ClassVar[str] = "game.choice_made/v1"

    kind: Literal[
        "discard",
        "trigger_order",
        "damage_order",
        "mode",
        "target",
        "attack_target",
        "pay_optional",
        "pile",
        "name",
        "order",
        "number",
        "optional",
        "arrange",
        "replacement",
        "starting_player",
        "bottom",
        "cancel",
        "other",
    ] = "other"
    """What sort of choice."""
    what: Sealed[str] | None = None
    """The choice as canonical JSON text; may name hidden cards."""
    source_object: ObjectId | None = None
    """The object that asks for it."""
    for_seat: Seat | None = None
    """The seat whose choice it was, when its chooser has left the game."""
    detail: str | None = None
    """The source's own name of the answer."""


class LibrarySearchStarted(DecisionEvent):
    """A player begins to search a library (CR 701.19)."""

    TOPIC: ClassVar[str] = "game.library_search_started/v1"

    owner: Seat | None = None
    """Whose library."""


class CardFound(DecisionEvent):
    """A card is found in a search."""

    TOPIC: ClassVar[str] = "game.card_found/v1"

    object: ObjectId | None = None
    """The card as an object."""
    card: SealedCard = None
    """The card."""


class LibrarySearchEnded(StampedGameEvent):
    """The search is over."""

    TOPIC: ClassVar[str] = "game.library_search_ended/v1"

    seat: Seat
    """Who searched."""


class PriorityPassed(DecisionEvent):
    """Priority is passed (CR 117.3d)."""

    TOPIC: ClassVar[str] = "game.priority_passed/v1"

    by_setting: bool = False
    """A setting passed, not a click."""


class MulliganDecided(DecisionEvent):
    """A player keeps or takes a mulligan (CR 103.5)."""

    TOPIC: ClassVar[str] = "game.mulligan_decided/v1"

    keep: bool
    """True to keep."""
    taken: int | None = None
    """How many mulligans the player has taken so far."""


class SpecialActionTaken(DecisionEvent):
    """A special action is taken (CR 116)."""

    TOPIC: ClassVar[str] = "game.special_action_taken/v1"

    special: str
    """Which, in the source's word."""
    object: ObjectId | None = None
    """The object."""
    card: SealedCard = None
    """The card."""


class SettingChanged(DecisionEvent):
    """A client setting is changed: later passes and answers may be by setting."""

    TOPIC: ClassVar[str] = "game.setting_changed/v1"

    settings: tuple[tuple[str, str], ...] = ()
    """(setting, value) pairs."""


class OutsideGameCardChosen(DecisionEvent):
    """A card from outside the game is chosen (a Wish, a companion)."""

    TOPIC: ClassVar[str] = "game.outside_game_card_chosen/v1"

    object: ObjectId | None = None
    """The card as an object, where it became one."""
    card: SealedCard = None
    """The card."""
    wrong_type: bool = False
    """It is not of a kind that may be chosen."""


class RemedyChosen(DecisionEvent):
    """A choice that a penalty's remedy gives a person."""

    TOPIC: ClassVar[str] = "game.remedy_chosen/v1"
    DECISION_CLASS: ClassVar[str] = "remedy"

    what: Sealed[str] | None = None
    """What was chosen."""
