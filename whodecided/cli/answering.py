"""`who` and `responsible`: who decided, in the reader's language, and who answers for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from queries.explain import Explanation, explain
from queries.language import speech
from queries.naming import Naming
from whodecided.cards import load_cards
from whodecided.cli.document import document
from whodecided.cli.policy_options import PolicyAsked
from whodecided.cli.render.common import sections
from whodecided.cli.speaking import language_of
from whodecided.provisions import load_provisions
from whodecided.rulebook import load_rules

if TYPE_CHECKING:
    from queries.responsible import ResponsibleAnswer
    from queries.who import WhoAnswer
    from whodecided.cli.session import Session

__all__ = ["run_responsible", "run_who"]


def _naming(session: Session, seats: Sequence[Any], rules_dir: Path | None) -> Naming:
    """Names for an answer of the session in its language."""
    return Naming(
        speech=speech(language_of(session)),
        seats={seat.seat: seat for seat in seats},
        catalogue=load_cards(rules_dir),
        people=session.log.names(seat.player for seat in seats),
        card=session.names.cards.get,
        ability=session.names.abilities.get,
    )


def run_who(session: Session, game: str, event: int, asked: PolicyAsked) -> None:
    """Who decided an event; with a policy also who answers for it."""
    answer = session.log.who(game, event, viewer=session.viewer, edition=asked.rules_date)
    held = _responsible(session, game, event, asked) if asked.wanted else None
    if answer.incomplete:
        session.ends_with(6)
    reason = None if session.language is None else _explanation(session, answer, asked)
    if session.json:
        session.write(_document(session, answer, held, reason))
        return
    from whodecided.cli.render.edition import edition_note
    from whodecided.cli.render.explained import draw_explanation
    from whodecided.cli.render.responsible import draw_responsibility
    from whodecided.cli.render.who import draw_who

    naming = _naming(session, answer.seats, asked.rules_dir)
    if reason is None or reason.language == "en":
        told = draw_who(answer, session.labels(answer))
    else:
        told = sections(draw_explanation(reason), edition_note(answer.edition, reason.language))
    session.print(sections(told, None if held is None else draw_responsibility(held, naming)))


def run_responsible(session: Session, game: str, event: int, asked: PolicyAsked) -> None:
    """Who answers for an infraction in an event."""
    answer = _responsible(session, game, event, asked)
    if answer.incomplete:
        session.ends_with(6)
    if session.json:
        session.write_answer(answer)
        return
    from whodecided.cli.render.responsible import draw_responsible

    session.print(draw_responsible(answer, _naming(session, answer.seats, asked.rules_dir)))


def _responsible(session: Session, game: str, event: int, asked: PolicyAsked) -> ResponsibleAnswer:
    return session.log.responsible(
        game,
        event,
        policy=asked.policy,
        infractions=asked.infractions,
        noticed=asked.noticed,
        viewer=session.viewer,
        language=language_of(session),
        rules_dir=asked.rules_dir,
        edition=asked.rules_date,
    )


def _explanation(session: Session, answer: WhoAnswer, asked: PolicyAsked) -> Explanation:
    naming = _naming(session, answer.seats, asked.rules_dir)
    return explain(answer, naming, load_rules(asked.rules_dir), load_provisions(asked.rules_dir))


def _document(
    session: Session,
    answer: WhoAnswer,
    held: ResponsibleAnswer | None,
    reason: Explanation | None,
) -> dict[str, Any]:
    """The answer as `who` gives it, with what was asked for besides."""
    extra = {"explanation": reason, "responsibility": held}
    given = {key: msgspec.to_builtins(value) for key, value in extra.items() if value is not None}
    return document(answer, session.names) | given
