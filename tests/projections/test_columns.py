"""Rows become typed Arrow tables, and a row that does not fit is refused."""

from __future__ import annotations

import pytest

from projections.columns import Table, optional, required

TABLE = Table(
    "games",
    "Games.",
    ("name",),
    (
        required("name", "VARCHAR", "Name."),
        optional("seats", "INTEGER[]", "Seats."),
        optional("at", "TIMESTAMP", "When."),
        optional("long", "BIGINT", "Large."),
    ),
)


def test_rows_become_columns_of_the_declared_types() -> None:
    made = TABLE.arrow(
        [("a", (1, 2), "2026-10-01T09:00:00.000001Z", 2**40), ("b", None, None, None)]
    )
    assert [str(field.type) for field in made.schema] == [
        "string",
        "list<item: int32>",
        "timestamp[us]",
        "int64",
    ]
    first, second = made.to_pylist()
    assert first["at"].isoformat() == "2026-10-01T09:00:00.000001"
    assert (first["seats"], first["long"]) == ([1, 2], 2**40)
    assert second == {"name": "b", "seats": None, "at": None, "long": None}


def test_a_table_without_rows_has_its_columns() -> None:
    assert TABLE.arrow([]).schema.names == ["name", "seats", "at", "long"]


@pytest.mark.parametrize(
    "row",
    [
        (None, None, None, None),
        (1, None, None, None),
        ("a", ("x",), None, None),
        ("a", None, "yesterday", None),
        ("a", None, None, 2**70),
        ("a", None, None),
    ],
)
def test_a_row_that_does_not_fit_is_refused(row: tuple[object, ...]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        TABLE.arrow([("a", None, None, None), row])


def test_the_sql_names_types_and_what_may_not_be_null() -> None:
    assert TABLE.create_statement() == (
        'CREATE TABLE "games" ("name" VARCHAR NOT NULL, "seats" INTEGER[], "at" TIMESTAMP,'
        ' "long" BIGINT)'
    )
