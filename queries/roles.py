"""The roles in an event: whose action, who decided, who carried it out, who could have noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from domain.control import decide
from domain.principals import RULES, UNDETERMINED, UNKNOWN, is_stand_in
from domain.rules.policy import Role, Situation
from projections.rows.details import SHAPES
from queries.parts import seats_of
from queries.record import GameRecord
from queries.who import WhoAnswer, who

__all__ = ["InstructionView", "NoticeView", "RolesView", "persons_in", "roles_in", "situations_in"]

Notice = Literal["yes", "in_part", "no"]
"""Whether somebody could see the event: wholly, without the hidden cards in it, or not at all."""

_CONTROL: Final = frozenset({"control_effect", "observed"})
_CHOSEN: Final = frozenset({"choice_effect", "rule_substitution"})
_OUTSIDE: Final = frozenset({"outside", "sideboard"})
_PLAY_GOES_ON: Final = frozenset({"step_started", "turn_started", "phase_skipped"})


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionView:
    """Event `number`: somebody told the performer what to do. `text` as far as it may be seen."""

    number: int
    by: str
    to: str
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """Whether a player at the table could notice the event when it happened.

    `yes`: it was all to be seen. `in_part`: cards in it were `hidden` from the player. `no`: the
    player had left. `team` is None where everybody plays alone.
    """

    seat: int
    player: str
    team: int | None
    could: Notice
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RolesView:
    """Who is who in an event.

    `answering` is whose doing it is: the deciding player, of a look the one who looked, and of what
    nobody decides the one who decides for the seat then; None where it is nobody's action.
    `effect_controller` controls the object that asked for the choice, where it is another player.
    `noticed` is the event at which it was pointed out, if that is known, and `decisions_since` how
    many decisions of the game were made in between.
    """

    acting_seat: int | None
    acting_player: str | None
    deciding_player: str | None
    answering: str | None
    performer: str | None
    authority: str | None
    authority_ref: int | None
    instruction: InstructionView | None
    looking_player: str | None
    effect_controller: str | None
    could_notice: tuple[NoticeView, ...]
    noticed: int | None
    decisions_since: int | None


def roles_in(
    record: GameRecord, number: int, *, noticed: int | None = None, viewer: str = "spectator"
) -> RolesView:
    """The roles in event `number`; `noticed` is the event at which it was pointed out."""
    answer = who(record, number, viewer)
    event = record.event(number)
    looking = event.viewer if event.NAME == "looked_at" else None
    seat = _seat(record, event, answer, looking)
    player = None if seat is None else record.players.get(seat)
    answering, authority = _answering(record, event, answer, looking, seat)
    since = None if noticed is None else tuple(_decisions(record, event, noticed))
    return RolesView(
        acting_seat=seat,
        acting_player=player if looking is None else looking,
        deciding_player=answer.deciding_player,
        answering=answering,
        performer=answer.performer,
        authority=authority,
        authority_ref=None if answer.authority is None else answer.authority.ref,
        instruction=_instruction(record, event, answer.performer or answering, viewer),
        looking_player=looking or answering,
        effect_controller=_effect_controller(record, event, player),
        could_notice=tuple(_notices(record, number)),
        noticed=noticed,
        decisions_since=None if since is None else len(since),
    )


def situations_in(record: GameRecord, number: int, roles: RolesView) -> frozenset[Situation]:
    """What the event is like, in the words of policy."""
    event = record.event(number)
    return frozenset(_situations(record, event, roles))


def persons_in(roles: RolesView, role: Role, *, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The persons who have a role in the event, none of `without`."""
    if role == "others_who_could_notice":
        found = [one.player for one in roles.could_notice if one.could == "yes"]
    else:
        found = [person for person in (_person(roles, role),) if person is not None]
    return tuple(person for person in found if person not in without)


def _person(roles: RolesView, role: Role) -> str | None:
    if role == "instructor":
        return None if roles.instruction is None else roles.instruction.by
    people: dict[str, str | None] = {
        "acting_player": roles.acting_player,
        "deciding_player": roles.answering,
        "performer": roles.performer or roles.answering,
        "looking_player": roles.looking_player,
        "effect_controller": roles.effect_controller,
    }
    return people[role]


def _seat(record: GameRecord, event: Any, answer: WhoAnswer, looking: str | None) -> int | None:
    """The seat whose action it is; of what nobody decides the seat that it happens to."""
    if looking is not None:
        return next((seat for seat, who in record.players.items() if who == looking), None)
    if answer.acting_seat is None and answer.recorded is not None:
        seat: int | None = getattr(event, "seat", None)
        return seat
    return answer.acting_seat


def _answering(
    record: GameRecord, event: Any, answer: WhoAnswer, looking: str | None, seat: int | None
) -> tuple[str | None, str | None]:
    """Whose doing the event is, and by what authority."""
    if looking is not None:
        return looking, "self"
    kind = None if answer.authority is None else answer.authority.kind
    if answer.deciding_player != RULES:
        return answer.deciding_player, kind
    if seat is None:
        return None, kind
    verdict = decide(record.folded.control_at(event.number - 1), seat, "game", record.folded.rules)
    return verdict.decider, verdict.authority


def _situations(record: GameRecord, event: Any, roles: RolesView) -> Iterator[Situation]:
    if roles.answering is not None:
        yield from _of_decider(record, event, roles)
    if roles.instruction is not None:
        yield "instructed"
    if roles.effect_controller is not None:
        yield "opponents_effect"
    if roles.noticed is not None and _went_on(record, event, roles):
        yield "noticed_late"
    if _outside(record, event):
        yield "outside_the_game"


def _of_decider(record: GameRecord, event: Any, roles: RolesView) -> Iterator[Situation]:
    decider = roles.answering
    if decider == UNKNOWN:
        yield "decider_unknown"
    elif decider == roles.acting_player or decider in _team(record, event):
        yield "own_decision"
    elif roles.authority in _CONTROL:
        yield "controlled"
    elif roles.authority in _CHOSEN:
        yield "chosen_for_another"
    elif decider is not None and decider != UNDETERMINED and not is_stand_in(decider):
        yield "without_right"


def _team(record: GameRecord, event: Any) -> set[str]:
    """The players of a team that acts as one (CR 805.2)."""
    stamp = getattr(event, "stamp", None)
    seats = () if stamp is None else stamp.team_seats or ()
    return {record.players[seat] for seat in seats if seat in record.players}


def _instruction(
    record: GameRecord, event: Any, person: str | None, viewer: str
) -> InstructionView | None:
    """What somebody told the person before the event and after the person's decision before it."""
    for earlier in reversed(record.folded.events[: event.number - 1]):
        if earlier.NAME == "instructed" and earlier.to == person and earlier.by != person:
            clear = record.folded.clear_fields(viewer, earlier.number)
            text = record.secrets.get((earlier.number, "text")) if "text" in clear else None
            return InstructionView(number=earlier.number, by=earlier.by, to=earlier.to, text=text)
        if earlier.NAME in ("turn_started", "rewound") or _other_decision(earlier, event, person):
            return None
    return None


def _other_decision(earlier: Any, event: Any, person: str | None) -> bool:
    """Whether the person made or carried out another action's decision."""
    if earlier.DECISION_CLASS is None or earlier.stamp.deciding_player == RULES:
        return False
    same_action = earlier.action is not None and earlier.action == event.action
    return not same_action and person in (earlier.stamp.performer, earlier.stamp.deciding_player)


def _effect_controller(record: GameRecord, event: Any, player: str | None) -> str | None:
    """The player whose object asked for the choice, if it is not the acting player's own."""
    asking = event.source_object if event.NAME == "choice_made" else None
    if asking is None or player is None:
        return None
    facts = record.folded.visibility.objects_at(event.number - 1).get(asking)
    controller = None if facts is None or facts.controller is None else facts.controller
    owner = None if controller is None else record.players.get(controller)
    return None if owner == player else owner


def _notices(record: GameRecord, number: int) -> Iterator[NoticeView]:
    """Everybody at the table, and what of the event was hidden from them."""
    event = record.event(number)
    held = [name for name in SHAPES[event.TOPIC].sealed if getattr(event, name) is not None]
    before = record.folded.control_at(number - 1)
    for seat in seats_of(record):
        clear = record.folded.clear_fields(f"seat:{seat.seat}", number)
        hidden = tuple(name for name in held if name not in clear)
        could: Notice = "no" if before.has_left(seat.seat) else "in_part" if hidden else "yes"
        yield NoticeView(
            seat=seat.seat, player=seat.player, team=seat.team, could=could, hidden=hidden
        )


def _decisions(record: GameRecord, event: Any, noticed: int) -> Iterator[Any]:
    """The decisions of other actions of the game between an event and when it was noticed."""
    for later in record.folded.events[event.number : noticed - 1]:
        decided = later.DECISION_CLASS == "game" and not getattr(later, "refused", False)
        same_action = later.action is not None and later.action == event.action
        if decided and not same_action and later.stamp.deciding_player != RULES:
            yield later


def _went_on(record: GameRecord, event: Any, roles: RolesView) -> bool:
    """Whether the game went on before the event was pointed out."""
    later = record.folded.events[event.number : (roles.noticed or 0) - 1]
    return bool(roles.decisions_since) or any(one.NAME in _PLAY_GOES_ON for one in later)


def _outside(record: GameRecord, event: Any) -> bool:
    """Whether the event is about cards outside the game."""
    if event.NAME == "outside_game_card_chosen":
        return True
    if getattr(event, "zone", None) in _OUTSIDE:
        return True
    name = getattr(event, "object", None)
    facts = record.folded.visibility.objects_at(event.number - 1).get(name) if name else None
    return event.NAME == "looked_at" and facts is not None and facts.zone in _OUTSIDE
