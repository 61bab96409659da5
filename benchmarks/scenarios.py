"""How many scenarios a second, and whether a long game costs more per event than a short one.

Random scenarios of 100 events (two to six players, every scope, every edition) are built in memory
and run as `whodecided scenario` runs them: recorded, folded, their questions answered. Then the
kernel alone (record, evolve, decide) is timed on games of different length.

    python -m benchmarks.scenarios [--scenarios 10000] [--events 100] [--seed 1]
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.rules import RuleBook
from whodecided.rulebook import editions, load_rulebook
from whodecided.scenario.cast import Cast
from whodecided.scenario.play import offset_of, recorded
from whodecided.scenario.running import run_scenario
from whodecided.scenario.told import Question, Scenario, Told
from whodecided.scenario.translate import observations

__all__ = ["kernel_seconds", "main", "random_scenario", "run_seconds"]

WANTED_SECONDS: Final = 60.0
WANTED_RATIO: Final = 1.3
LENGTHS: Final = (100, 1_000, 10_000)

_NAMES: Final = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
_SCOPES: Final = (
    "next_turn",
    "next_turn",
    "next_combat_phase",
    "this_turn",
    "while_resolving",
    "while_searching",
)
_STEPS: Final = ("upkeep", "beginning_of_combat", "declare_attackers", "end_of_combat", "end")
_ACTS: Final = ("priority_passed", "attackers_declared", "blockers_declared", "damage_assigned")
_KINDS: Final = (
    *("turn", "turn", "act", "act", "act", "act", "cast", "cast", "step", "step", "resolved"),
    *("control", "control", "search", "search over", "observed", "choice", "object", "revealed"),
    *("skipped", "ended", "stand-in", "returned"),
)
_SELDOM: Final = ("rewound", "gap", "left", "judge")


class _Writer:
    """Writes one random scenario."""

    def __init__(self, seed: int, events: int) -> None:
        self.chance = random.Random(seed)
        self.players = _NAMES[: self.chance.randint(2, 6)]
        self.events = events
        self.labels: dict[str, int] = {}
        self.permissions: list[str] = []
        self.stay = list(self.players)
        self.objects = 0
        self.told: list[Told] = []

    def scenario(self, ident: str) -> Scenario:
        """The scenario, with questions about its last event and about one in the middle."""
        while len(self.told) < self.events:
            seldom = self.chance.random() < 0.03
            kind = self.chance.choice(_SELDOM if seldom else _KINDS)
            name, keys = _WRITERS[kind](self)
            self.told.append(Told(len(self.told) + 1, name, keys))
        return Scenario(
            file="memory",
            id=ident,
            title=ident,
            rules_date=self.chance.choice(editions()),
            confidence="derived",
            players=self.players,
            people=(),
            teams=(),
            events=tuple(self.told),
            questions=self._questions(),
            labels=self.labels,
        )

    def _questions(self) -> tuple[Question, ...]:
        decided = [told.number for told in self.told if told.name in (*_ACTS, "spell_cast")]
        at = {"at": self.chance.choice(decided or [1])}
        asked: list[tuple[str, dict[str, Any]]] = [
            *(("decider", {"seat": name, "after": self.events}) for name in self.players),
            ("active_player", {"after": self.events}),
            *((ask, at) for ask in ("stamp", "finding", "rule_gap") if decided),
        ]
        return tuple(
            Question(number, ask, keys, keys, False) for number, (ask, keys) in enumerate(asked, 1)
        )

    def seat(self) -> str:
        return self.chance.choice(self.players)

    def label(self) -> str:
        label = f"e{len(self.told) + 1}"
        self.labels[label] = len(self.told) + 1
        return label

    def object(self) -> str:
        return f"o{self.chance.randint(1, max(1, self.objects))}"


def _control(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    """An effect; of permissions to search there are few at a time, as of permanents at a table."""
    scope = w.chance.choice(_SCOPES)
    if len(w.permissions) > 2:
        return "control_ended", {"effect": w.permissions.pop(0)}
    label = w.label()
    if scope == "while_searching":
        w.permissions.append(label)
    return "control_created", {
        "label": label,
        "controller": w.seat(),
        "affected": tuple(w.chance.sample(w.players, w.chance.randint(1, 2))),
        "scope": scope,
        "object": w.object(),
        "extra_turn_after": w.chance.random() < 0.2,
        "must": ("spell_cast",) if w.chance.random() < 0.2 else (),
    }


def _choice(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    return "choice_granted", {
        "label": w.label(),
        "chooser": w.seat(),
        "affected": (w.seat(),),
        "decisions": ("attackers", "blockers", "votes"),
        "lasts": w.chance.choice(("this_turn", "this_combat", "this_vote", "while_resolving")),
        "object": w.object(),
    }


def _object(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    w.objects += 1
    zone = w.chance.choice(("hand", "library", "battlefield", "outside"))
    return "object_entered", {"object": f"o{w.objects}", "owner": w.seat(), "zone": zone}


def _act(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    stated = {"decided_by": w.seat()} if w.chance.random() < 0.3 else {}
    return w.chance.choice(_ACTS), {"seat": (w.seat(),), **stated}


def _observed(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    by = w.seat() if w.chance.random() < 0.5 else None
    return "control_observed", {"label": w.label(), "seat": (w.seat(),), "by": by}


def _turn(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    return "turn_started", {"seat": (w.seat(),), "extra": w.chance.random() < 0.3}


def _ended(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    made = [label for label, at in w.labels.items() if at > len(w.told) - 30]
    return ("control_ended", {"effect": w.chance.choice(made)}) if made else _turn(w)


def _left(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    """A player leaves, except for two who play on."""
    if len(w.stay) == 2:
        return _act(w)
    name = w.stay.pop(w.chance.randrange(len(w.stay)))
    return "player_left", {"seat": (name,), "reason": "lost"}


def _rewound(w: _Writer) -> tuple[str, Mapping[str, Any]]:
    return "rewound", {"to": max(0, len(w.told) - w.chance.randint(0, 20))}


_WRITERS: Final[dict[str, Callable[[_Writer], tuple[str, Mapping[str, Any]]]]] = {
    "act": _act,
    "cast": lambda w: ("spell_cast", {"seat": (w.seat(),), "card": "Opt"}),
    "choice": _choice,
    "control": _control,
    "ended": _ended,
    "gap": lambda w: ("gap_found", {}),
    "judge": lambda w: ("judge_called", {"seat": (w.seat(),)}),
    "left": _left,
    "object": _object,
    "observed": _observed,
    "resolved": lambda w: ("resolved", {"object": w.object()}),
    "returned": lambda w: ("seat_returned", {"seat": (w.seat(),), "by": "server"}),
    "revealed": lambda w: ("revealed", {"object": w.object(), "to": (w.seat(),)}),
    "rewound": _rewound,
    "search": lambda w: ("library_search_started", {"seat": (w.seat(),)}),
    "search over": lambda w: ("library_search_ended", {"seat": (w.seat(),)}),
    "skipped": lambda w: ("turn_skipped", {"seat": (w.seat(),)}),
    "stand-in": lambda w: ("seat_taken_over", {"seat": (w.seat(),), "by": "server"}),
    "step": lambda w: ("step_started", {"step": w.chance.choice(_STEPS)}),
    "turn": _turn,
}


def random_scenario(seed: int, events: int) -> Scenario:
    """A random scenario, the same for the same seed."""
    return _Writer(seed, events).scenario(f"RND-{seed}")


def run_seconds(scenarios: Sequence[Scenario]) -> float:
    """Seconds to run scenarios one after the other: recorded, folded, their questions answered."""
    started = time.process_time()
    for scenario in scenarios:
        run_scenario(scenario)
    return time.process_time() - started


def kernel_seconds(scenario: Scenario, rules: RuleBook) -> float:
    """Seconds to record a scenario's events, which decides every decision and evolves the state."""
    cast = Cast(scenario)
    seen, _ = observations(scenario, cast, offset_of(scenario))
    gc.collect()
    gc.disable()
    started = time.process_time()
    recorded(scenario, cast, seen, rules, lambda *_: "ab" * 32)
    taken = time.process_time() - started
    gc.enable()
    return taken


def _per_event(length: int, seed: int) -> float:
    """Median microseconds per event of games of this length, of 100,000 events in all."""
    rules = load_rulebook()
    rounds = max(5, 100_000 // length)
    taken = [kernel_seconds(random_scenario(seed + n, length), rules) for n in range(rounds)]
    return statistics.median(taken) / length * 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--scenarios", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    taken, done = 0.0, 0
    while done < chosen.scenarios:
        many = range(done, min(done + 500, chosen.scenarios))
        batch = [random_scenario(chosen.seed + number, chosen.events) for number in many]
        taken += run_seconds(batch)
        done += len(batch)
    asked = WANTED_SECONDS * chosen.scenarios / 10_000 * chosen.events / 100
    print(f"{done} scenarios of {chosen.events} events: {taken:.1f} s (wanted: under {asked:.0f})")
    print(f"{done / taken:,.0f} scenarios/s, {taken / done / chosen.events * 1e6:.0f} us per event")
    costs = {length: _per_event(length, chosen.seed) for length in LENGTHS}
    for length, cost in costs.items():
        print(f"kernel, games of {length:6,} events: {cost:5.1f} us per event")
    longest = costs[LENGTHS[-1]]
    for length in LENGTHS[:-1]:
        ratio = longest / costs[length]
        print(f"{LENGTHS[-1]:,} to {length:,} events: {ratio:.2f} (wanted: under {WANTED_RATIO})")


if __name__ == "__main__":
    main()
