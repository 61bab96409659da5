"""Small faults in the source of a module, as edits of its syntax tree."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["Fault", "faults", "with_fault"]

Edit: TypeAlias = Callable[[Any], None]
"""Changes a node of a copy of the tree in place."""

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_CALCULATED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_REMOVED: Final = (
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.Continue,
    ast.Break,
    ast.Raise,
    ast.If,
    ast.For,
)
"""Statements that are left out, one at a time."""
_PROSE: Final = frozenset({"because", "message", "reading"})
"""Keyword arguments that hold words for people."""
_CHANGES: Final = frozenset({"changed", "replace"})
"""Functions whose keyword arguments are left out, one at a time."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: `place` is the function (or the constant of the module), `node` where in the tree.

    `text` is the line as written and `what` what is done to it: together with the place they name
    the fault when lines move. It is run with the lines from `first` to `last`, those of a statement
    without the statements inside.
    """

    place: str
    node: int
    edit: int
    line: int
    first: int
    last: int
    text: str
    what: str


def faults(source: str) -> list[Fault]:
    """Every fault that can be put into a module's functions and constants, in order."""
    tree = ast.parse(source)
    lines = source.splitlines()
    index = {id(node): number for number, node in enumerate(ast.walk(tree))}
    found = []
    times: Counter[tuple[str, str, str]] = Counter()
    for place, root in _places(tree):
        for node, statement in _code_of(root):
            for number, edit in enumerate(_edits(node)):
                line = getattr(node, "lineno", None) or root.lineno
                first, last = _lines_of(edit.removes or statement)
                text = lines[line - 1].strip()
                times[place, text, edit.what] += 1
                nth = times[place, text, edit.what]
                what = edit.what if nth == 1 else f"{edit.what} (no. {nth})"
                found.append(Fault(place, index[id(node)], number, line, first, last, text, what))
    return found


def with_fault(source: str, fault: Fault) -> ast.Module:
    """The module's tree with the fault in it."""
    tree = copy.deepcopy(ast.parse(source))
    node = list(ast.walk(tree))[fault.node]
    list(_edits(node))[fault.edit].change(node)
    return ast.fix_missing_locations(tree)


def _places(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """The functions and methods of a module, and the values of its constants."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner
        elif isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            names_type = isinstance(node.value, ast.Subscript)
            if isinstance(target, ast.Name) and target.id != "__all__" and not names_type:
                yield target.id, node.value


def _lines_of(statement: Any) -> tuple[int, int]:
    """First and last line, without the statements inside."""
    body = getattr(statement, "body", None)
    if isinstance(body, list):
        return statement.lineno, max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, statement.end_lineno


def _code_of(root: Any) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes that are run, each with its statement.

    Not signatures, annotations, docstrings and words for people.
    """
    if isinstance(root, ast.FunctionDef):
        yield root, root
        inner: list[tuple[ast.AST, ast.AST]] = [(node, node) for node in root.body]
    else:
        inner = [(root, root)]
    while inner:
        node, statement = inner.pop()
        if isinstance(node, ast.JoinedStr | ast.Pass):
            continue
        if _is_docstring(node):
            continue
        yield node, statement
        children: list[ast.AST] = []
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "args") and not isinstance(node, ast.Call):
                continue
            items = value if isinstance(value, list) else [value]
            children += [item for item in items if isinstance(item, ast.AST)]
        if isinstance(node, ast.keyword) and node.arg in _PROSE:
            continue
        inner += [(n, n if isinstance(n, ast.stmt) else statement) for n in reversed(children)]


class _Edit(NamedTuple):
    """What is done to a node, in words and in deed, and the statement that is removed if one is."""

    what: str
    change: Edit
    removes: ast.AST | None = None


def _edits(node: Any) -> Iterator[_Edit]:
    for what, change in (*_edits_of_values(node), *_edits_of_conditions(node)):
        yield _Edit(what, change)
    yield from _edits_of_statements(node)


def _edits_of_values(node: Any) -> Iterator[tuple[str, Edit]]:
    match node:
        case ast.Constant(value=bool(value)):
            yield f"{value} -> {not value}", _setting("value", not value)
        case ast.Constant(value=int(value)):
            yield f"{value} -> {value + 1}", _setting("value", value + 1)
        case ast.Constant(value=str(value)) if value and " " not in value:
            yield f"{value!r} -> {value + '!'!r}", _setting("value", value + "!")
        case ast.BinOp() if type(node.op) in _CALCULATED:
            other = _CALCULATED[type(node.op)]
            yield f"{type(node.op).__name__} -> {other.__name__}", _setting("op", other())
        case ast.Set() | ast.Tuple() | ast.List() if len(node.elts) > 1 and _is_read(node):
            for place in range(len(node.elts)):
                yield f"without element {place + 1}", _without("elts", place)
        case ast.Call() if isinstance(node.func, ast.Name) and node.func.id in _CHANGES:
            for place, keyword in enumerate(node.keywords):
                if keyword.arg not in (None, *_PROSE):
                    yield f"without {keyword.arg}=", _without("keywords", place)
        case ast.Return() if node.value is not None and not isinstance(node.value, ast.Constant):
            yield "return None", _setting("value", ast.Constant(None))


def _edits_of_conditions(node: Any) -> Iterator[tuple[str, Edit]]:
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                other = _COMPARED[type(operator)]
                what = f"{type(operator).__name__} -> {other.__name__}"
                yield what, _replacing("ops", place, other())
        case ast.BoolOp():
            now = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"{type(node.op).__name__} -> {now.__name__}", _setting("op", now())
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", _negating("operand")
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition negated", _negating("test")
        case ast.comprehension():
            for place in range(len(node.ifs)):
                yield f"without filter {place + 1}", _without("ifs", place)


def _edits_of_statements(node: Any) -> Iterator[_Edit]:
    for block in ("body", "orelse"):
        statements = getattr(node, block, None)
        if not isinstance(statements, list):
            continue
        for place, statement in enumerate(statements):
            if isinstance(statement, _REMOVED) and not _is_docstring(statement):
                said = ast.unparse(statement).partition("\n")[0]
                yield _Edit(f"without `{said}`", _replacing(block, place, ast.Pass()), statement)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_read(node: Any) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _setting(field: str, value: Any) -> Edit:
    return lambda node: setattr(node, field, value)


def _negating(field: str) -> Edit:
    return lambda node: setattr(node, field, ast.UnaryOp(ast.Not(), getattr(node, field)))


def _replacing(field: str, place: int, value: Any) -> Edit:
    def edit(node: Any) -> None:
        getattr(node, field)[place] = value

    return edit


def _without(field: str, place: int) -> Edit:
    def edit(node: Any) -> None:
        del getattr(node, field)[place]

    return edit
