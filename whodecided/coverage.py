"""The page that shows what became of every clause: docs/rules-coverage.md."""

from __future__ import annotations

from collections.abc import Iterable

from domain.rules import RuleLibrary
from domain.rules.editions import Edition, Switch, SwitchSpan
from domain.rules.provisions import Provision, ProvisionSet

__all__ = ["coverage_page"]

_HEAD = """# Coverage of the rules

What became of every clause of the section on player control, edition by edition, and of every
clause, example and note of the rule texts the product honours. This page is made from the data
(`python -m whodecided.reference`); a test keeps it true. Scenarios are named by their ids. A clause
of an edition whose text is not among those is implemented and tested as in the texts that number it
alike.

"""
_CLAUSES = "| number | topic | implemented by | tested by |\n| --- | --- | --- | --- |\n"
_PROVISIONS = "| id | says | implemented by | tested by |\n| --- | --- | --- | --- |\n"
_OUTSIDE = """
## Rules outside the section

| topic | document | number | from | until | read in |
| --- | --- | --- | --- | --- | --- |
"""
_BEHAVIOUR = """
## Behaviour by date

| switch | means | on | disputed | how it is known |
| --- | --- | --- | --- | --- |
"""
_TOURNAMENT = """
## Documents of the tournament rules

"""
_SEED = """
## The text with rule {seed}

"""


def coverage_page(library: RuleLibrary, provisions: ProvisionSet) -> str:
    """The Markdown of the page."""
    parts = [_HEAD, *_editions(library, provisions), _OUTSIDE, *_outside(library)]
    parts += [_BEHAVIOUR, *(_switch_row(switch) for switch in library.switches.values())]
    parts += [_TOURNAMENT, *(f"* {d.id} ({d.status})\n" for d in library.tournament)]
    for seed in provisions.seeds():
        parts += [_SEED.format(seed=seed), _PROVISIONS]
        parts += (_provision_row(provision) for provision in provisions.of_seed(seed))
        parts += _defects(provisions.of_seed(seed))
    return "".join(parts)


def _editions(library: RuleLibrary, provisions: ProvisionSet) -> Iterable[str]:
    for group in _periods(library):
        first, last = group[0], library.last_day(group[-1])
        title = library.families[first.family].title.en
        until = f"to {last}" if last else "on"
        yield f"## {first.section or 'No section'}: {first.id} {until}\n\n{title}. Documents: "
        yield ", ".join(_named(edition) for edition in group) + ".\n"
        rows = list(_clause_rows(library, provisions, group))
        yield "\n" + _CLAUSES + "".join(rows) + "\n" if rows else "\n"


def _periods(library: RuleLibrary) -> Iterable[list[Edition]]:
    """Editions in a row with the same numbers."""
    group: list[Edition] = []
    for edition in library.editions:
        if group and (edition.section, edition.family) != (group[-1].section, group[-1].family):
            yield group
            group = []
        group.append(edition)
    yield group


def _named(edition: Edition) -> str:
    return edition.id if edition.status == "seen" else f"{edition.id} ({edition.status})"


def _clause_rows(
    library: RuleLibrary, provisions: ProvisionSet, group: list[Edition]
) -> Iterable[str]:
    last = group[-1]
    topics: dict[str, list[str]] = {}
    for topic in library.topics.values():
        number = topic.in_section(last)
        if number is not None:
            topics.setdefault(number, []).append(topic.name.en)
    for number, names in topics.items():
        about = provisions.of_clause(last.family, number.removeprefix(last.section))
        yield _row(number, "; ".join(names), *_done(about))


def _outside(library: RuleLibrary) -> Iterable[str]:
    for topic in library.topics.values():
        for span in topic.numbers:
            until = span.last or ""
            seen = ", ".join(span.seen)
            yield _row(topic.name.en, topic.document, span.number, span.first, until, seen)


def _switch_row(switch: Switch) -> str:
    known = dict.fromkeys((span.status, span.day) for span in switch.on)
    how = ", ".join(status if status == day else f"{status}, day {day}" for status, day in known)
    on, disputed = (", ".join(map(_days, spans)) for spans in (switch.on, switch.disputed))
    return _row(f"`{switch.key}`", switch.meaning.en, on or "never", disputed, how)


def _days(span: SwitchSpan) -> str:
    return f"{span.first} to {span.last}" if span.last else f"{span.first} on"


def _provision_row(provision: Provision) -> str:
    says = provision.text.en
    return _row(provision.id, says, *_done([provision]))


def _defects(provisions: Iterable[Provision]) -> Iterable[str]:
    found = [p for p in provisions if p.defect is not None]
    if found:
        yield "\nKnown defects of this text, which are not implemented:\n\n"
    for provision in found:
        yield f"* {provision.id}: {provision.defect.en if provision.defect else ''}\n"


def _done(provisions: Iterable[Provision]) -> tuple[str, str]:
    """Cells: what implements these, what tests them; or why neither is needed."""
    about = list(provisions)
    reasons = dict.fromkeys(p.not_implemented_because for p in about if p.not_implemented_because)
    functions = dict.fromkeys(f"`{path}`" for p in about for path in p.implemented_by)
    tests = dict.fromkeys(test for p in about for test in p.tested_by)
    return ", ".join([*functions, *reasons]), ", ".join(tests)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"
