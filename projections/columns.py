"""What a table is made of: typed columns with a meaning, as DuckDB and as Arrow see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import pyarrow as pa

__all__ = ["Column", "ColumnType", "Table", "optional", "required"]

ColumnType = Literal[
    "VARCHAR", "INTEGER", "BIGINT", "BOOLEAN", "TIMESTAMP", "INTEGER[]", "VARCHAR[]"
]

_ARROW: Final[Mapping[str, Any]] = {
    "VARCHAR": pa.string(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
    "INTEGER[]": pa.list_(pa.int32()),
    "VARCHAR[]": pa.list_(pa.string()),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column. A TIMESTAMP is in UTC, without zone, to the microsecond."""

    name: str
    type: ColumnType
    nullable: bool
    meaning: str


def required(name: str, kind: ColumnType, meaning: str) -> Column:
    """A column that is never null."""
    return Column(name, kind, False, meaning)


def optional(name: str, kind: ColumnType, meaning: str) -> Column:
    """A column that may be null; its meaning says when."""
    return Column(name, kind, True, meaning)


@dataclass(frozen=True)
class Table:
    """One table: `key` names the columns that tell its rows apart, in the order of the rows."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def create_statement(self) -> str:
        """The SQL that makes the empty table."""
        parts = (f'"{c.name}" {c.type}{"" if c.nullable else " NOT NULL"}' for c in self.columns)
        return f'CREATE TABLE "{self.name}" ({", ".join(parts)})'

    def arrow(self, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
        """The rows (one value per column, in order) as an Arrow table.

        A TIMESTAMP is given as canonical time text. Raises ValueError (of which ArrowInvalid is a
        kind) for a value that does not fit, also for a null where there may be none.
        """
        values = zip(*rows, strict=True) if rows else ((),) * len(self.columns)
        arrays = [self._checked(c, v) for c, v in zip(self.columns, values, strict=True)]
        return pa.Table.from_arrays(arrays, names=list(self.names))

    def _checked(self, column: Column, values: Sequence[Any]) -> pa.Array:
        array = _array(column, values)
        if array.null_count and not column.nullable:
            raise ValueError(f"{self.name}.{column.name} is null in row {values.index(None)}")
        return array


def _array(column: Column, values: Sequence[Any]) -> pa.Array:
    if column.type == "TIMESTAMP":
        # Canonical times end in Z, which Arrow reads only into a type with a zone.
        texts = [None if value is None else value[:-1] for value in values]
        return pa.array(texts, pa.string()).cast(_ARROW["TIMESTAMP"])
    return pa.array(values, _ARROW[column.type])
