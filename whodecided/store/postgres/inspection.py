"""Are the tables on the server still those this product makes: whole, with their guards?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import tuple_row

from whodecided.store.postgres.schema import (
    FUNCTIONS,
    SCHEMA_VERSION,
    TABLES,
    TRIGGERS,
    function_body,
)
from whodecided.store.row_faults import row_faults

__all__ = ["inspect_tables"]

Rows = Callable[[str], list[Any]]

_BITS: Final = {"BEFORE": 2, "INSERT": 4, "DELETE": 8, "UPDATE": 16, "TRUNCATE": 32}
_HERE: Final = "to_regnamespace(current_schema())"
_RELATIONS: Final = f"""
    SELECT 'table ' || relname,
        concat_ws(' ', relkind, relpersistence, relrowsecurity, relhasrules)
    FROM pg_class WHERE relnamespace = {_HERE} AND relkind NOT IN ('i', 'I', 't')
"""
_COLUMNS: Final = f"""
    SELECT 'column ' || relname || '.' || attname, concat_ws(
        ' ', format_type(atttypid, atttypmod), attnotnull, atthasdef, collname
    )
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relnamespace = {_HERE} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
"""
_KEYS: Final = f"""
    SELECT 'key ' || relname || ' (' || string_agg(attname, ', ' ORDER BY place) || ')',
        concat_ws(' ', contype, condeferrable, indisvalid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    JOIN pg_index ON indexrelid = conindid,
    unnest(conkey) WITH ORDINALITY AS part (number, place)
    JOIN pg_attribute ON attnum = number
    WHERE attrelid = conrelid AND relnamespace = {_HERE} AND contype IN ('p', 'u')
    GROUP BY pg_constraint.oid, relname, contype, condeferrable, indisvalid
"""
_TRIGGERS: Final = f"""
    SELECT 'trigger ' || tgname, concat_ws(
        ' ', relname, tgtype, tgenabled, proname, coalesce(tgnewtable, '-'),
        tgqual IS NULL AND tgattr = ''
    )
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE relnamespace = {_HERE} AND NOT tgisinternal
"""
_FUNCTIONS: Final = f"""
    SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')',
        concat_ws(
            ' ', lanname, prokind, prosecdef, proisstrict, provolatile, proconfig::text,
            format_type(prorettype, NULL), proretset, prosrc
        )
    FROM pg_proc JOIN pg_language ON pg_language.oid = prolang WHERE pronamespace = {_HERE}
"""
# Not null is seen in the columns; newer servers keep it as a constraint too.
_CONSTRAINTS: Final = f"""
    SELECT 'constraint ' || conrelid::regclass || '.' || conname, contype::text
    FROM pg_constraint JOIN pg_class ON pg_class.oid IN (conrelid, confrelid)
    WHERE relnamespace = {_HERE} AND contype NOT IN ('n', 'p', 'u')
"""
_INDEXES: Final = f"""
    SELECT 'unique index ' || indexrelid::regclass, 'u'
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = {_HERE} AND indisunique
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)
"""
_RELATIVES: Final = f"""
    SELECT 'table ' || inhrelid::regclass || ' under ' || inhparent::regclass, 'r'
    FROM pg_inherits JOIN pg_class ON pg_class.oid IN (inhrelid, inhparent)
    WHERE relnamespace = {_HERE} AND relkind NOT IN ('i', 'I')
"""
_STATEMENTS: Final = (
    _RELATIONS,
    _COLUMNS,
    _KEYS,
    _TRIGGERS,
    _FUNCTIONS,
    _CONSTRAINTS,
    _INDEXES,
    _RELATIVES,
)


def inspect_tables(datastore: PostgresDatastore) -> str | None:
    """What is wrong, None when nothing is.

    Compares tables, columns, keys and other constraints, triggers and functions with those made,
    and looks for tables related to them, and for holes and rows of no event in the tables
    themselves, not in their indexes. Damaged pages are found where the server keeps checksums.
    Errors of the library and of psycopg are raised.
    """
    with datastore.transaction(commit=False) as cursor:
        cursor.row_factory = tuple_row  # type: ignore[assignment]  # the library's are dictionaries

        def rows(statement: str) -> list[Any]:
            return cursor.execute(statement).fetchall()

        cursor.execute(
            "SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;"
            "SET LOCAL enable_bitmapscan = off"
        )
        return next(_faults(rows, datastore.schema), None)


def _faults(rows: Rows, schema: str) -> Iterator[str]:
    made = dict(_made(schema))
    found = dict(row for statement in _STATEMENTS for row in rows(statement))
    for name in sorted(made.keys() - found.keys()):
        yield f"{name} is missing"
    for name in sorted(found.keys() - made.keys()):
        yield f"{name} does not belong to a log"
    for name in sorted(made.keys() & found.keys()):
        if made[name] != found[name]:
            yield f"{name} is not as it was made"
    versions = [version for (version,) in rows("SELECT schema_version FROM log")]
    if versions != [SCHEMA_VERSION]:
        yield f"log: schema version {versions}, its tables are of version {SCHEMA_VERSION}"
    numbers = [number for (number,) in rows("SELECT number FROM secrets ORDER BY 1")]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"secrets: numbered {numbers}: there are holes"
    yield from row_faults(rows, "notification_id")


def _made(schema: str) -> Iterator[tuple[str, str]]:
    """What the catalogues say of a log as it was made, in the form of the statements above."""
    for name, table in TABLES.items():
        yield f"table {name}", "r p f f"
        for column, kind in table.columns.items():
            collation = " C" if kind == "text" else ""
            yield f"column {name}.{column}", f"{kind} t f{collation}"
        for at, key in enumerate(table.keys):
            yield f"key {name} ({', '.join(key)})", f"{'u' if at else 'p'} f t"
    for name, trigger in TRIGGERS.items():
        when = sum(_BITS.get(word, 0) for word in trigger.timing.split())
        fresh = "fresh" if trigger.fresh else "-"
        yield f"trigger {name}", f"{trigger.table} {when} O {trigger.function} {fresh} t"
    for name, (parameters, result, _) in FUNCTIONS.items():
        body = function_body(name, schema)
        yield f"function {name}({parameters})", f"plpgsql f f f v {result} f {body}"
