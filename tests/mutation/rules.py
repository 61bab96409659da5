"""Faults in the edition data: dates moved by a day, numbers changed, switches turned round."""

from __future__ import annotations

import functools
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import domain.rules
from domain.errors import BadInput
from domain.rules import RuleLibrary
from domain.rules.editions import Switch, SwitchSpan, day_after, day_before
from tests.mutation.checks import Checks
from tests.mutation.report import Outcome
from whodecided.rulebook import load_rules

__all__ = ["TESTS", "DataFault", "sampled", "try_faults"]

TESTS: Final = (
    "tests/domain/rules/test_library.py",
    "tests/whodecided/test_edition_data.py",
    "tests/whodecided/test_rulebook.py",
    "tests/queries/test_rules.py",
)
_DATA: Final = Path(domain.rules.__path__[0]) / "data"
_FILES: Final = ("editions/*.toml", "topics.toml", "switches.toml", "tournament.toml")
_DATE: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NUMBER: Final = re.compile(r'(?<=")\.?\d+(?:\.\d+[a-z]?|[a-z])?(?=")')
_NUMBERED: Final = re.compile(r"^(?:clause|number|numbers|section) = ")
_QUOTED: Final = re.compile(r'"[^"]*"')
_FIRST_DAY: Final = "1993-08-05"


@dataclass(frozen=True, slots=True)
class DataFault:
    """One fault: another text at a place of a file, or (without a file) a switch turned round."""

    file: str
    line: int
    start: int
    end: int
    new: str
    key: str


def sampled(size: int | None, seed: int, only: str = "") -> tuple[list[DataFault], int]:
    """So many faults at random (all: None), in order, and how many there are.

    `only` those whose name contains this. Every switch turned round is among them.
    """
    every = [fault for fault in _in_files() if only in fault.key]
    turned = [fault for fault in _in_switches() if only in fault.key]
    among = len(every) + len(turned)
    if size is None or size >= among:
        return [*every, *turned], among
    chosen = random.Random(seed).sample(range(len(every)), max(0, size - len(turned)))
    return [*(every[number] for number in sorted(chosen)), *turned], among


def _in_files() -> Iterator[DataFault]:
    for pattern in _FILES:
        for path in sorted(_DATA.glob(pattern)):
            name = path.relative_to(_DATA).as_posix()
            entry = ""
            for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.match(r"(?:id|key|section) = ", text):
                    entry = text
                yield from _in_line(name, line, text, entry)


def _in_line(file: str, line: int, text: str, entry: str) -> Iterator[DataFault]:
    if text.startswith("#"):
        return
    quoted = [match.span() for match in _QUOTED.finditer(text)]

    def fault(match: re.Match[str], new: str) -> DataFault:
        where = entry if entry == text else f"{entry}: {text.partition(' = ')[0]}"
        nth = sum(1 for other in match.re.finditer(text) if other.start() <= match.start())
        key = f"{file}, {where}: {match[0]} (no. {nth}) -> {new}"
        return DataFault(file, line, match.start(), match.end(), new, key)

    for match in _DATE.finditer(text):
        if not any(start <= match.start() < end for start, end in quoted):
            yield fault(match, day_after(match[0]))
            yield fault(match, day_before(match[0]))
    if _NUMBERED.match(text):
        for match in _NUMBER.finditer(text):
            yield fault(match, _other_number(match[0]))


def _other_number(number: str) -> str:
    """A number of the same form that is not this one."""
    if number[-1].isalpha():
        return number[:-1] + chr(ord(number[-1]) + 1)
    head = number.rstrip("0123456789")
    return head + str(int(number[len(head) :]) + 1).zfill(len(number) - len(head))


def _in_switches() -> Iterator[DataFault]:
    for key in load_rules().switches:
        yield DataFault("", 0, 0, 0, "", f"switch {key} turned round")


def try_faults(
    chosen: list[DataFault], checks: Checks, told: Callable[[Outcome], None]
) -> list[Outcome]:
    """Put in one fault after the other and see which check notices it."""
    outcomes = []
    for fault in chosen:
        try:
            library = _faulty(fault)
        except BadInput as error:
            noticed: str | None = f"reading: {error.reason}"
        else:
            noticed = checks.noticed_by(functools.partial(_instead, library))
        where = f"{fault.file}:{fault.line}" if fault.file else "switches turned round:"
        outcome = Outcome(where, fault.key, noticed)
        told(outcome)
        outcomes.append(outcome)
    return outcomes


def _faulty(fault: DataFault) -> RuleLibrary:
    """The rules as read from files with the fault; raises BadInput where reading notices it."""
    if not fault.file:
        known = load_rules()
        key = fault.key.split()[1]
        switches = dict(known.switches)
        switches[key] = _turned_round(switches[key])
        return replace(known, switches=switches)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(_DATA, Path(folder) / "data")
        path = Path(folder) / "data" / fault.file
        lines = path.read_text(encoding="utf-8").splitlines()
        text = lines[fault.line - 1]
        lines[fault.line - 1] = text[: fault.start] + fault.new + text[fault.end :]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        domain.rules.__path__.insert(0, folder)
        try:
            return load_rules.__wrapped__()
        finally:
            domain.rules.__path__.pop(0)


def _turned_round(switch: Switch) -> Switch:
    """The switch on when it was off, and off when it was on."""
    spans: list[SwitchSpan] = []
    begin: str | None = _FIRST_DAY
    for span in sorted(switch.on, key=lambda span: span.first):
        if begin is not None and begin < span.first:
            spans.append(SwitchSpan(first=begin, last=day_before(span.first)))
        begin = None if span.last is None else day_after(span.last)
    if begin is not None:
        spans.append(SwitchSpan(first=begin, last=None))
    return replace(switch, on=tuple(spans))


@contextmanager
def _instead(library: RuleLibrary) -> Iterator[None]:
    """Let everybody who holds the product's rules hold these."""
    held = [load_rules(), load_rules(None)]  # one call each is kept
    before = [_values(each) for each in held]
    for each in held:
        _put(each, _values(library))
    try:
        yield
    finally:
        for each, values in zip(held, before, strict=True):
            _put(each, values)


def _values(library: RuleLibrary) -> dict[str, Any]:
    return {field.name: getattr(library, field.name) for field in fields(library) if field.init}


def _put(library: RuleLibrary, values: dict[str, Any]) -> None:
    for name, value in values.items():
        object.__setattr__(library, name, value)
    library._memo.clear()
