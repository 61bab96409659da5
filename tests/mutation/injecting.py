"""Puts a fault into a module that is in use already, and takes it back."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from tests.mutation.syntax import Fault, faults, with_fault
from tests.mutation.tracing import Line
from whodecided.rulebook import load_rules

__all__ = ["Target", "forget", "targets"]

_OURS: Final = ("domain", "projections", "queries", "whodecided", "tests")
_LOADERS: Final = "whodecided."
"""Where results of reading files are kept, which no fault in the kernel changes."""


class Target:
    """A module into which faults are put.

    A function gets other code, so that everybody who has imported it runs the fault; a constant is
    replaced wherever it is known by its name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(name)
        self.path = Path(inspect.getfile(self.module))
        self.source = self.path.read_text(encoding="utf-8")
        self.faults = [fault for fault in faults(self.source) if self._can(fault)]

    def _can(self, fault: Fault) -> bool:
        """Whether the fault can be put into what is running."""
        place = self._place(fault)
        return not isinstance(place, FunctionType) or not place.__code__.co_freevars

    def lines(self, fault: Fault) -> frozenset[Line] | None:
        """The lines that run the fault; None for a constant, whose value is used anywhere."""
        if not isinstance(self._place(fault), FunctionType):
            return None
        return frozenset((str(self.path), line) for line in range(fault.first, fault.last + 1))

    @contextmanager
    def faulty(self, fault: Fault) -> Iterator[None]:
        """Run with the fault. Raises what working out a faulty constant raises."""
        tree = with_fault(self.source, fault)
        place = self._place(fault)
        if isinstance(place, FunctionType):
            with _other_code(place, self._code(tree, fault)):
                yield
        else:
            with _other_value(fault.place, place, self._value(tree, fault)):
                yield

    def _place(self, fault: Fault) -> Any:
        value: Any = self.module
        for part in fault.place.split("."):
            value = vars(value)[part]
        return _plain_function(value)

    def _code(self, tree: ast.Module, fault: Fault) -> CodeType:
        code = compile(tree, str(self.path), "exec")
        for part in fault.place.split("."):
            code = next(
                const
                for const in code.co_consts
                if isinstance(const, CodeType) and const.co_name == part
            )
        return code

    def _value(self, tree: ast.Module, fault: Fault) -> Any:
        space = dict(vars(self.module))
        for node in tree.body:
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if isinstance(node, ast.Assign | ast.AnnAssign) and fault.place in names:
                single = ast.Module([node], type_ignores=[])
                exec(compile(single, str(self.path), "exec"), space)
                break
        return space[fault.place]


def targets(*packages: str) -> list[Target]:
    """The modules of packages, and modules, in order of name."""
    names: list[str] = []
    for package in packages:
        module = importlib.import_module(package)
        places = getattr(module, "__path__", None)
        if places is None:
            names.append(package)
            continue
        for path in sorted(Path(places[0]).glob("*.py")):
            if path.stem != "__init__":
                names.append(f"{package}.{path.stem}")
    return [Target(name) for name in names]


def _plain_function(value: Any) -> Any:
    """The function inside a property, a method of the class, or a function that keeps results."""
    for inner in ("fget", "func", "__func__", "__wrapped__"):
        found = getattr(value, inner, None)
        if isinstance(found, FunctionType):
            return _plain_function(found)
    return value


@contextmanager
def _other_code(function: FunctionType, code: CodeType) -> Iterator[None]:
    before = function.__code__
    function.__code__ = code
    forget()
    try:
        yield
    finally:
        function.__code__ = before
        forget()


@contextmanager
def _other_value(name: str, before: Any, now: Any) -> Iterator[None]:
    spaces = [space for space in _spaces() if space.get(name) is before]
    for space in spaces:
        space[name] = now
    forget()
    try:
        yield
    finally:
        for space in spaces:
            space[name] = before
        forget()


def _modules() -> list[tuple[str, ModuleType]]:
    return [
        (name, module)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in _OURS and isinstance(module, ModuleType)
    ]


def _spaces() -> list[dict[str, Any]]:
    return [vars(module) for _, module in _modules()]


@functools.cache
def _kept_results() -> tuple[Any, ...]:
    """The functions that keep results which a fault in the kernel could have changed."""
    found: Mapping[int, Any] = {
        id(value): value
        for name, module in _modules()
        if not name.startswith((_LOADERS, "tests."))
        for value in vars(module).values()
        if hasattr(value, "cache_clear")
    }
    return tuple(found.values())


def forget() -> None:
    """Forget results that a fault in the kernel could have changed."""
    for function in _kept_results():
        function.cache_clear()
    for library in (load_rules(), load_rules(None)):  # one call each is kept
        library._memo.clear()
