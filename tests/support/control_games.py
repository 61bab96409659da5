"""Games told step by step for tests of player control: `game.turn(2)`, then `game.decider(2)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from domain.codec import hot
from domain.control import ControlState, Effect, Verdict, decide, decision_word
from domain.events.frame import SeatInfo
from domain.findings import Finding, findings_of, lawful
from domain.game import GameState, begin, evolve, record
from domain.observation import Observation
from domain.principals import kind_of
from domain.rules import RuleBook
from domain.sealed import sealed_digest
from whodecided.rulebook import load_rulebook

__all__ = ["RULES", "STREAM", "Game", "player"]

RULES: Final[RuleBook] = load_rulebook("2026-09-25")
STREAM: Final = "00000000-0000-5000-8000-000000000001"


def player(seat: int) -> str:
    """The principal of the player in a seat."""
    return f"player:p{seat}"


class Game:
    """A game in the making; `states[n]` is the control state just after event n.

    Event 1 is game_started. Every method that tells an event gives back its number. Deciders are
    named by their seats where they have one, else as principals.
    """

    def __init__(
        self, seats: int = 3, teams: Sequence[Sequence[int]] = (), rules: RuleBook = RULES
    ) -> None:
        self.rules = rules
        self.state: GameState = begin(STREAM, "told", rules)
        self.states: list[ControlState] = [self.state.control]
        self.events: list[Any] = []
        self.start(seats, teams)

    def tell(self, event: str, acting: int | None = None, /, **fields: Any) -> int:
        """Record any event; `stated` and `performer` name who is recorded to have decided."""
        about = {key: fields.pop(key, None) for key in ("stated", "performer", "team_seats")}
        secrets = fields.pop("secrets", {})
        word = decision_word(event, fields.get)
        observation = Observation(
            event,
            f"told:{len(self.events) + 1}",
            fields=fields,
            secrets=secrets,
            acting_seat=acting,
            stated=_principal(about["stated"]),
            performer=_principal(about["performer"]),
            team_seats=about["team_seats"],
            decision=word,
        )
        made = record(self.state, observation, _seal, self.rules)
        self.state = evolve(self.state, made)
        self.events.append(made)
        self.states.append(self.state.control)
        return len(self.events)

    # Frame.

    def start(self, seats: int, teams: Sequence[Sequence[int]] = ()) -> int:
        team_of = {seat: n for n, team in enumerate(teams, 1) for seat in team}
        infos = tuple(
            hot(SeatInfo)(seat=seat, player=player(seat), team=team_of.get(seat))
            for seat in range(1, seats + 1)
        )
        return self.tell(
            "game_started",
            game_key="told",
            match_key=None,
            match_stream=None,
            game_number=None,
            viewpoint="full",
            seats=infos,
            played_on=None,
            format=None,
            variant=None,
            generation=1,
            supersedes=None,
            from_start=True,
        )

    def turn(self, *seats: int, extra: bool | None = False) -> int:
        team = seats if len(seats) > 1 else None
        return self.tell("turn_started", seat=seats[0], team_seats=team, extra=extra)

    def skip(self, seat: int) -> int:
        return self.tell("turn_skipped", seat=seat)

    def step(self, step: str, seat: int | None = None, combat: int | None = None) -> int:
        return self.tell("step_started", step=step, seat=seat, combat=combat)

    def leaves(self, seat: int, reason: str = "lost") -> int:
        return self.tell("player_left", seat=seat, reason=reason)

    def concedes(self, seat: int, **more: Any) -> int:
        return self.tell("conceded", seat, **more)

    def ends(self) -> int:
        return self.tell("game_ended", result="unknown", winners=(), reason=None)

    def rewinds(self, to: int, restores: tuple[int, ...] = ()) -> int:
        return self.tell("rewound", to=to, restores=restores)

    def gap(self) -> int:
        return self.tell("gap_found", cause="missing")

    def anchor(self, active: int | None, *controlled: tuple[int, int]) -> int:
        return self.tell(
            "state_anchored", active_seat=active, turn=None, step=None, controlled=controlled
        )

    # Control.

    def control(
        self, label: str, by: int | str, of: int | Sequence[int], scope: str, **more: Any
    ) -> int:
        affected = (of,) if isinstance(of, int) else tuple(of)
        return self.tell(
            "control_created",
            label=label,
            controller=_principal(by),
            affected=affected,
            scope=scope,
            **more,
        )

    def observe(self, label: str, seat: int, by: int | str | None) -> int:
        return self.tell("control_observed", label=label, seat=seat, by=_principal(by))

    def choice(
        self, label: str, by: int, of: Sequence[int], *decisions: str, lasts: str, **more: Any
    ) -> int:
        return self.tell(
            "choice_granted",
            label=label,
            chooser=player(by),
            affected=tuple(of),
            decisions=decisions,
            lasts=lasts,
            **more,
        )

    def over(self, label: str) -> int:
        return self.tell("control_ended", effect=label)

    def resolves(self, object: str) -> int:
        return self.tell("resolved", object=object)

    def searches(self, seat: int, owner: int | None = None) -> int:
        return self.tell("library_search_started", seat, owner=owner)

    def found(self, seat: int) -> int:
        return self.tell("library_search_ended", seat=seat)

    def taken_over(self, seat: int, by: str) -> int:
        return self.tell("seat_taken_over", seat=seat, by=by)

    def returned(self, seat: int) -> int:
        return self.tell("seat_returned", seat=seat)

    def enters(self, object: str, owner: int, zone: str, *, face_down: bool = False) -> int:
        return self.tell(
            "object_entered",
            object=object,
            owner=owner,
            controller=owner,
            zone=zone,
            zone_owner=None if zone == "battlefield" else owner,
            face_down=face_down,
            secrets={"card": object},
        )

    # Decisions.

    def acts(self, seat: int, event: str = "priority_passed", **more: Any) -> int:
        return self.tell(event, seat, **more)

    # Answers.

    @property
    def now(self) -> ControlState:
        return self.state.control

    def verdict(self, seat: int, decision: str = "game", at: int | None = None) -> Verdict:
        state = self.now if at is None else self.states[at]
        return decide(state, seat, decision, self.rules)

    def decider(self, seat: int, decision: str = "game", at: int | None = None) -> int | str:
        return self._seat_or_name(self.verdict(seat, decision, at).decider)

    def recorded(self, number: int) -> int | str:
        """Who is recorded to have decided an event."""
        return self._seat_or_name(self.events[number - 1].stamp.deciding_player)

    def effect(self, label: str) -> Effect:
        return next(effect for effect in self.now.effects if effect.label == label)

    def span(self, label: str) -> tuple[int | None, int | None, str | None]:
        """When an effect's window opened, when the effect ended and why."""
        effect = self.effect(label)
        return effect.began, effect.ended, effect.reason

    def findings(self, number: int) -> tuple[Finding, ...]:
        event = self.events[number - 1]
        return findings_of(self.states[number - 1], event, self.states[number], self.rules)

    def codes(self, number: int) -> list[str]:
        return [finding.code for finding in self.findings(number)]

    def lawful(self, number: int) -> bool | None:
        event = self.events[number - 1]
        return lawful(self.states[number - 1], event, self.findings(number), self.rules)

    def _seat_or_name(self, principal: str) -> int | str:
        seat = self.now.seat_of(principal)
        return principal if seat is None else seat


def _principal(who: int | str | None) -> str | None:
    if isinstance(who, int):
        return player(who)
    if who is not None:
        kind_of(who)
    return who


def _seal(stream: str, number: int, field: str, value: Any) -> str:
    return sealed_digest(f"{stream}|{number}".encode(), field, str(value).encode())
