"""The commands of `whodecided`. What each needs is loaded when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from domain.errors import BadInput
from whodecided.cli.command import command, options_before_commands
from whodecided.cli.evidence import add_evidence
from whodecided.cli.penalties import count_penalties
from whodecided.cli.policy_options import (
    Infractions,
    Noticed,
    PolicyAsked,
    PolicyName,
    RulesDate,
    RulesDir,
)
from whodecided.cli.rules import rules_app
from whodecided.cli.scenario import scenario_app
from whodecided.cli.session import Session
from whodecided.cli.usage import ToldAsAsked

__all__ = ["app"]

app = typer.Typer(
    name="whodecided",
    cls=ToldAsAsked,
    help="Who decided this, in whose name, by what right, and who could know what?",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
options_before_commands(app)
app.add_typer(rules_app, name="rules")
app.add_typer(scenario_app, name="scenario")

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME", show_default=False, help="Id, its first digits, or its # in `games`."
    ),
]
Event = Annotated[
    int, typer.Argument(metavar="EVENT", show_default=False, min=0, help="Number of the event.")
]


@command(app, "import")
def import_files(
    session: Session,
    files: Annotated[
        list[Path],
        # A file that cannot be read is reported like any other bad file; it stops nothing.
        typer.Argument(
            metavar="FILES...",
            show_default=False,
            readable=False,
            help="Arena client logs, also .gz.",
        ),
    ],
    keep_names: Annotated[
        bool, typer.Option("--keep-names", help="Keep players' names, apart and erasable.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, show_default=False, help="Processes; default: as useful."),
    ] = None,
) -> None:
    """Import game logs; nothing is imported twice."""
    from whodecided.cli.importing import run_import

    run_import(session, files, keep_names, jobs)


@command(app, "games")
def games(
    session: Session,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DAY", help="Played on this day or later.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DAY", help="Played on this day or earlier.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="WHO", help="Of this player: a kept name or an id."),
    ] = None,
    remarks: Annotated[
        bool, typer.Option("--remarks", help="With gaps, findings or other remarks only.")
    ] = False,
) -> None:
    """List the games of the log."""
    from whodecided.cli.render.lists import draw_games
    from whodecided.cli.validating import check_viewer

    check_viewer(session)
    answer = session.log.games(since=since, until=until, player=player, remarks=remarks)
    session.show(answer, draw_games)


@command(app, "show", reads=True)
def show(session: Session, game: Game) -> None:
    """One game at a glance."""
    from whodecided.cli.render.overview import draw_show

    session.show(session.log.game(game, viewer=session.viewer), draw_show)


@command(app, "who", reads=True)
def who(
    session: Session,
    game: Game,
    event: Event,
    policy: PolicyName = None,
    infraction: Infractions = None,
    noticed: Noticed = None,
    rules_date: RulesDate = None,
    rules_dir: RulesDir = None,
) -> None:
    """Who decided this event, for which seat, and by what right."""
    session.rules_dir = rules_dir
    asked = PolicyAsked(policy, infraction or (), noticed, rules_dir, rules_date)
    if asked.wanted or session.common.lang is not None:
        from whodecided.cli.answering import run_who

        run_who(session, game, event, asked)
        return
    from whodecided.cli.render.who import draw_who

    answer = session.log.who(game, event, viewer=session.viewer, edition=rules_date)
    session.show(answer, draw_who)


@command(app, "responsible", reads=True)
def responsible(
    session: Session,
    game: Game,
    event: Event,
    policy: PolicyName = None,
    infraction: Infractions = None,
    noticed: Noticed = None,
    rules_date: RulesDate = None,
    rules_dir: RulesDir = None,
) -> None:
    """Who would answer for an infraction, by dated policy."""
    from whodecided.cli.answering import run_responsible

    session.rules_dir = rules_dir
    asked = PolicyAsked(policy, infraction or (), noticed, rules_dir, rules_date)
    run_responsible(session, game, event, asked)


command(app, "penalties")(count_penalties)


@command(app, "control", reads=True)
def control(session: Session, game: Game, rules_date: RulesDate = None) -> None:
    """Who controlled whom, from which event to which."""
    from whodecided.cli.render.control import draw_control

    answer = session.log.control(game, viewer=session.viewer, edition=rules_date)
    session.show(answer, draw_control)


@command(app, "active", reads=True)
def active(session: Session, game: Game, event: Event, rules_date: RulesDate = None) -> None:
    """Whose turn it is after an event; who decides for each seat."""
    from whodecided.cli.render.overview import draw_active

    answer = session.log.active(game, event, viewer=session.viewer, edition=rules_date)
    session.show(answer, draw_active)


@command(app, "sees", reads=True)
def sees(session: Session, game: Game, event: Event, rules_date: RulesDate = None) -> None:
    """Who may see what is hidden after an event, and who saw it."""
    from whodecided.cli.render.sees import draw_sees

    answer = session.log.sees(game, event, viewer=session.viewer, edition=rules_date)
    session.show(answer, draw_sees)


@command(app, "replay", reads=True)
def replay(
    session: Session,
    game: Game,
    at: Annotated[
        int | None, typer.Option("--at", metavar="EVENT", min=0, help="Default: the last event.")
    ] = None,
    before: Annotated[int, typer.Option(min=0, help="How many events before it.")] = 10,
    after: Annotated[int, typer.Option(min=0, help="How many events after it.")] = 10,
) -> None:
    """The game at an event, as the viewer may see it."""
    from whodecided.cli.render.replay import draw_replay

    answer = session.log.replay(game, at, viewer=session.viewer, before=before, after=after)
    session.show(answer, draw_replay)


@command(app, "findings", reads=True)
def findings(
    session: Session,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", show_default=False, help="One game; default: all."),
    ] = None,
    severity: Annotated[
        str | None,
        typer.Option("--severity", metavar="LEVEL", help="At least info, warning or serious."),
    ] = None,
    code: Annotated[
        str | None, typer.Option("--code", metavar="CODE", help="Of this code only.")
    ] = None,
    rules_date: RulesDate = None,
) -> None:
    """What the log noticed: observations, not verdicts."""
    from whodecided.cli.render.lists import draw_findings
    from whodecided.cli.validating import check_viewer

    if game is not None:
        answer = session.log.findings(
            game, severity=severity, code=code, viewer=session.viewer, edition=rules_date
        )
        session.show(answer, draw_findings)
        return
    if rules_date is not None:
        raise BadInput("--rules-date", "it needs a game", advice="Name the game to be judged so.")
    check_viewer(session)
    session.show(session.log.all_findings(severity=severity, code=code), draw_findings)


@command(app, "sql", reads=True)
def sql(
    session: Session,
    text: Annotated[str, typer.Argument(metavar="TEXT", show_default=False, help="One SELECT.")],
) -> None:
    """Ask the tables of all games in SQL (judges, reading only)."""
    from whodecided.cli.render.lists import draw_sql

    session.show(session.log.sql(text, viewer=session.viewer), draw_sql)


@command(app, "access", reads=True)
def access(
    session: Session,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", show_default=False, help="One game; default: all."),
    ] = None,
    newest: Annotated[
        int | None,
        typer.Option("--newest", min=1, show_default=False, help="The last so many only."),
    ] = None,
) -> None:
    """Who read hidden information as judge, what, when and why."""
    from whodecided.cli.render.lists import draw_access
    from whodecided.cli.validating import check_viewer

    check_viewer(session)
    session.show(session.log.access(game, newest=newest, viewer=session.viewer), draw_access)


@command(app, "status")
def status(session: Session) -> None:
    """What the log holds, and whether its tables are up to date."""
    from whodecided.cli.render.overview import draw_status
    from whodecided.cli.validating import check_viewer

    check_viewer(session)
    answer: Any = session.log.status()
    if answer.tables.poison:
        session.ends_with(3)
    session.show(answer, draw_status)


@command(app, "rebuild")
def rebuild(
    session: Session,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, show_default=False, help="Processes; default: as useful."),
    ] = None,
) -> None:
    """Make the tables anew from the log."""
    from whodecided.cli.importing import run_rebuild

    run_rebuild(session, jobs)


@command(app, "demo")
def demo(session: Session) -> None:
    """Ask about an invented game with player control."""
    from whodecided.cli.demo import run_demo

    run_demo(session)


add_evidence(app)
