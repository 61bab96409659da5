"""`rules`: an edition, what changed between two days, and where a rule number belongs."""

from __future__ import annotations

from typing import Annotated

import typer

from whodecided.cli.command import command
from whodecided.cli.policy_options import RulesDir
from whodecided.cli.session import Session

__all__ = ["rules_app"]

rules_app = typer.Typer(
    help="The rules of a day, and what changed.",
    rich_markup_mode=None,
)

Day = Annotated[
    str, typer.Argument(metavar="DATE", show_default=False, help="A day like 2019-05-01.")
]


@command(rules_app, None)
def edition(
    session: Session,
    date: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="The rules of this day.")
    ] = None,
    edition: Annotated[
        str | None, typer.Option("--edition", metavar="DATE", help="The edition with this id.")
    ] = None,
    rules_dir: RulesDir = None,
) -> None:
    """The rules of a day, what changed, and where a number belongs."""
    from queries.rules import rules_on
    from whodecided.cli.render.rules import draw_edition
    from whodecided.cli.speaking import language_of, show_spoken
    from whodecided.rulebook import load_rules

    language = language_of(session)
    library = load_rules(rules_dir)
    answer = rules_on(library, date, edition=edition, language=language)
    show_spoken(session, answer, draw_edition)


@command(rules_app, "diff")
def diff(session: Session, before: Day, after: Day, rules_dir: RulesDir = None) -> None:
    """What changed in numbers and behaviour between two days."""
    from queries.rules import diff_rules
    from whodecided.cli.render.rules import draw_diff
    from whodecided.cli.speaking import language_of, show_spoken
    from whodecided.rulebook import load_rules

    answer = diff_rules(load_rules(rules_dir), before, after, language_of(session))
    show_spoken(session, answer, draw_diff)


@command(rules_app, "cite")
def cite(
    session: Session,
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", show_default=False, help="A number like 712.5.")
    ],
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="DATE", help="Default: the newest edition's day."),
    ] = None,
    rules_dir: RulesDir = None,
) -> None:
    """Whether a number is one of the rules of a day, else which is."""
    from queries.rules import cite as cited
    from whodecided.cli.render.rules import draw_citation
    from whodecided.cli.speaking import language_of, show_spoken
    from whodecided.rulebook import load_rules

    library = load_rules(rules_dir)
    day = library.editions[-1].id if date is None else date
    show_spoken(session, cited(library, number, day, language_of(session)), draw_citation)
