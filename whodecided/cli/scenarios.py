"""What the commands of `scenario` do."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from domain.errors import BadInput
from whodecided.api import open_log
from whodecided.cli.document import SCHEMA_VERSION
from whodecided.cli.labels import plural
from whodecided.cli.render.scenario import draw_scenario, summary_text
from whodecided.scenario.running import ScenarioResult, run_file
from whodecided.scenario.scenario import read_scenarios

if TYPE_CHECKING:
    from whodecided.cli.session import Session

__all__ = ["import_into_log", "run_scenarios", "write_template"]

_TEMPLATE: Final = "template.yaml"


def run_scenarios(session: Session, files: Sequence[Path], rules_dir: Path | None) -> None:
    """Run every file; one that cannot be read is reported and stops nothing."""
    results: list[ScenarioResult] = []
    unreadable = 0
    for file in files:
        try:
            found = run_file(file, rules_dir)
        except BadInput as error:
            unreadable += 1
            _report(session, file, error)
            continue
        results += found
        for result in found:
            _show(session, result)
    if not session.json:
        session.print(summary_text(results, unreadable))


def _report(session: Session, file: Path, error: BadInput) -> None:
    if session.json:
        session.ends_with(error.exit_code)
        advice = f" {error.advice}" if error.advice else ""
        said = {"file": str(file), "error": f"{error}{advice}"}
        session.write({"schema_version": SCHEMA_VERSION} | said)
    else:
        session.fail(error)


def _show(session: Session, result: ScenarioResult) -> None:
    if not result.passed:
        session.ends_with(1)
    if session.json:
        session.write({"schema_version": SCHEMA_VERSION} | result.to_json())
    else:
        session.print(draw_scenario(result))


def write_template(session: Session, file: Path | None) -> None:
    """Write the template to a new file, or to standard output."""
    text = resources("whodecided.scenario").joinpath(_TEMPLATE).read_text(encoding="utf-8")
    if file is None:
        if session.json:
            session.write({"schema_version": SCHEMA_VERSION, "template": text})
        else:
            session.console.file.write(text)
        return
    try:
        with file.open("x", encoding="utf-8") as handle:
            handle.write(text)
    except FileExistsError as error:
        raise BadInput(
            str(file), "there is something here already", advice="Name a new file."
        ) from error
    except OSError as error:
        raise BadInput(str(file), error.strerror or str(error)) from error
    if session.json:
        session.write({"schema_version": SCHEMA_VERSION, "file": str(file)})
    else:
        hint = Text(f"Next: whodecided scenario {file}", "dim")
        session.warnings.print(hint, soft_wrap=True)


def import_into_log(
    session: Session,
    file: Path,
    name: str,
    scenario: str | None,
    keep_names: bool,
    rules_dir: Path | None,
) -> None:
    """Put one scenario of a file into the session's log, which is made when it is not there."""
    read_scenarios(file, rules_dir)  # before the log: nothing comes into being for a bad file
    with open_log(session.log_path, create=True) as log:
        report = log.import_scenario(
            file, name, scenario=scenario, keep_names=keep_names, rules_dir=rules_dir
        )
    if session.json:
        session.write(report.to_json())
        return
    text = Text(f"{report.game_id[:8]}  {name}: {plural(report.events_added, 'new event')}")
    if report.events_present:
        text.append(f", {plural(report.events_present, 'event')} were there already")
    session.console.print(text)
    place = f"Event 1 of the file is event {report.first_event} of the game."
    session.console.print(Text(place, "dim"))
    session.console.print(Text(f"Log: {session.log_name}", "dim"), soft_wrap=True)
    session.console.print(session.next_step(f"show {name}"), soft_wrap=True)
