"""Put a scenario into a log as a game like any other."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.codec import encode
from domain.errors import AppendConflict, BadInput
from domain.ids import scenario_stream
from domain.observation import Observation
from domain.ports import Append
from whodecided.importers.arena.appending import origin_of
from whodecided.inputs import read_bytes
from whodecided.naming_games import require_name
from whodecided.rulebook import load_rulebook
from whodecided.scenario.cast import Cast
from whodecided.scenario.play import offset_of, recorded
from whodecided.scenario.reader import MAX_BYTES
from whodecided.scenario.scenario import read_scenarios
from whodecided.scenario.told import Scenario
from whodecided.scenario.translate import observations
from whodecided.store.directory import LogDirectory

__all__ = ["ScenarioReport", "import_scenario"]

_TOOL: Final = "whodecided-scenario/1"


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """What an import did: the game's stream, events that are new and that were there already.

    `first_event` is the number that event 1 of the scenario has in the game.
    """

    name: str
    game_id: str
    scenario: str
    first_event: int
    events_added: int
    events_present: int

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON document."""
        return {
            "schema_version": 1,
            "name": self.name,
            "game_id": self.game_id,
            "scenario": self.scenario,
            "first_event": self.first_event,
            "events_added": self.events_added,
            "events_present": self.events_present,
        }


def import_scenario(
    path: Path,
    log: LogDirectory,
    name: str,
    *,
    scenario: str | None = None,
    keep_names: bool = False,
    rules_dir: Path | None = None,
) -> ScenarioReport:
    """Append the events of a scenario to the stream of the game `name`.

    Players become pseudonyms of this game, objects get numbers in the order in which they are told
    of: neither names nor hidden cards are in the events. The same scenario again adds nothing, a
    longer one what is new. Raises BadInput for a file or name that cannot be used, and for a name
    under which the log holds another game.
    """
    require_name("--as", name)
    told = _named(read_scenarios(path, rules_dir), path, scenario)
    append = _append(replace(told, id=name), log, path, rules_dir)
    try:
        [done] = log.events.append([append])
    except AppendConflict as error:
        raise BadInput(
            "--as",
            f"the log holds a game {name!r} that differs from event {error.number} on",
            advice="Name the game otherwise.",
        ) from error
    if keep_names:
        _keep_names(told, log, name)
    first = 1 + offset_of(told)
    return ScenarioReport(name, done.stream_id, told.id, first, done.added, done.present)


def _named(found: list[Scenario], path: Path, wanted: str | None) -> Scenario:
    """The scenario that is meant."""
    named = [one for one in found if wanted in (None, one.id)]
    if len(named) == 1:
        return named[0]
    ids = ", ".join(one.id for one in found)
    reason = f"there are {len(named)} scenarios" if wanted is None else f"no scenario {wanted!r}"
    raise BadInput(str(path), reason, advice=f"Name one with --id: {ids}.")


def _append(scenario: Scenario, log: LogDirectory, path: Path, rules_dir: Path | None) -> Append:
    stream = scenario_stream(scenario.id)
    sealer = log.sealer(stream)
    cast = Cast(scenario, lambda who: sealer.pseudonym(stream, who))
    seen, objects = observations(scenario, cast, offset_of(scenario))
    numbered = _Numbered(cast, dict(objects))
    events = recorded(
        scenario,
        cast,
        [numbered.observation(one) for one in seen],
        load_rulebook(scenario.rules_date, rules_dir),
        sealer,
    )
    origin = origin_of(path.name, hashlib.sha256(read_bytes(path, MAX_BYTES)).hexdigest(), _TOOL)
    return Append(
        stream, "game", [*map(encode, events)], sealer.take(stream), (), origin, sealer.number
    )


class _Numbered:
    """Gives objects numbers, as their names may be those of hidden cards."""

    def __init__(self, cast: Cast, newest: dict[str, str]) -> None:
        self._cast = cast
        self._newest = newest
        self._numbers: dict[str, str] = {}

    def observation(self, seen: Observation) -> Observation:
        """The observation with numbers for objects, and seats for players who are targets."""
        fields = dict(seen.fields)
        if fields.get("object") is not None:
            fields["object"] = self._number(fields["object"])
        if fields.get("targets"):
            fields["targets"] = tuple(map(self._target, fields["targets"]))
        return msgspec.structs.replace(seen, fields=fields)

    def _target(self, name: str) -> str:
        seat = self._cast.seats.get(name)
        return self._number(self._newest.get(name, name)) if seat is None else f"seat:{seat}"

    def _number(self, name: str) -> str:
        return self._numbers.setdefault(name, f"o{len(self._numbers) + 1}")


def _keep_names(scenario: Scenario, log: LogDirectory, name: str) -> None:
    stream = scenario_stream(name)
    sealer = log.sealer(stream)
    log.people.keep(
        (sealer.pseudonym(stream, who), who) for who in (*scenario.players, *scenario.people)
    )
