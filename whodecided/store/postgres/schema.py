"""The tables of a log on PostgreSQL, and the triggers that keep its history as it was written.

The same rules as in `events.sqlite`. The triggers stop accidents and careless tools on any
connection. Whoever owns the tables can drop them; proving that nobody did is the work of the
evidence, not of the schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from psycopg.sql import SQL, Composed, Identifier

__all__ = [
    "FUNCTIONS",
    "SCHEMA_VERSION",
    "TABLES",
    "TRIGGERS",
    "Table",
    "Trigger",
    "create_statements",
    "function_body",
]

SCHEMA_VERSION: Final = 1
"""What `schema_version` in the table `log` says about the tables below."""


class Table(NamedTuple):
    """Columns with their types, none of which may be null, and keys; the first is primary.

    Texts are ordered by their bytes, as everywhere in the product.
    """

    columns: Mapping[str, str]
    keys: tuple[tuple[str, ...], ...]


class Trigger(NamedTuple):
    """A statement trigger: its table, when it fires, the function it calls."""

    table: str
    timing: str
    function: str
    fresh: bool = False


# The library selects the columns of `events` by these names; numbers without holes, so no sequence.
TABLES: Final = {
    "log": Table({"log_id": "text", "schema_version": "bigint"}, (("log_id",),)),
    "events": Table(
        {
            "originator_id": "text",
            "originator_version": "bigint",
            "topic": "text",
            "state": "bytea",
            "notification_id": "bigint",
        },
        (("notification_id",), ("originator_id", "originator_version")),
    ),
    "streams": Table(
        {"creation": "bigint", "stream_id": "text", "kind": "text", "secret": "bigint"},
        (("creation",), ("stream_id",)),
    ),
    "journal": Table({"journal_index": "bigint", "entry": "bytea"}, (("journal_index",),)),
    "leaves": Table(
        {
            "journal_index": "bigint",
            "stream_id": "text",
            "size": "bigint",
            "peaks": "bytea",
            "leaves": "bytea",
            "entry_hash": "bytea",
        },
        (("journal_index",), ("stream_id", "size")),
    ),
    "files": Table({"file_key": "bigint", "digest": "text"}, (("file_key",), ("digest",))),
    "provenance": Table(
        {"position": "bigint", "file_key": "bigint", "byte_offset": "bigint", "line": "bigint"},
        (("position",),),
    ),
    "disclosures": Table(
        {"position": "bigint", "field": "text", "value": "bytea", "salt": "bytea"},
        (("position", "field"),),
    ),
    # What the log secrets are known by: they themselves never reach the server.
    "secrets": Table({"number": "bigint", "fingerprint": "bytea"}, (("number",),)),
    # Names are kept as bytes: they may hold characters that PostgreSQL refuses in texts.
    "names": Table({"pseudonym": "text", "name": "bytea"}, (("pseudonym", "name"),)),
}

_KEPT: Final = (
    "events",
    "files",
    "journal",
    "leaves",
    "log",
    "provenance",
    "secrets",
    "streams",
)

TRIGGERS: Final = {
    **{
        f"{table}_kept": Trigger(table, "BEFORE UPDATE OR DELETE OR TRUNCATE", "refuse")
        for table in _KEPT
    },
    "disclosures_kept": Trigger("disclosures", "BEFORE UPDATE OR TRUNCATE", "refuse"),
    **{
        f"{table}_next": Trigger(table, "AFTER INSERT", f"require_next_{table}", fresh=True)
        for table in ("events", "journal", "leaves", "log", "secrets", "streams")
    },
}

_RAISE: Final = "RAISE EXCEPTION '{}' USING ERRCODE = 'integrity_constraint_violation';"


def _consecutive(table: str, column: str, first: int, said: str) -> str:
    """New rows of a table must have the numbers that come next, without holes."""
    return f"""
    IF EXISTS (
        SELECT FROM (
            SELECT count(*) AS many, min({column}) AS low, max({column}) AS high FROM fresh
        ) AS added
        WHERE added.many > 0 AND (
            added.high - added.low + 1 <> added.many
            OR added.low <> coalesce(
                (SELECT max({column}) + 1 FROM {{schema}}.{table} WHERE {column} < added.low),
                {first}
            )
        )
    ) THEN
        {_RAISE.format(said)}
    END IF;"""


_NUMBERS: Final = f"""
    IF EXISTS (
        SELECT FROM (
            SELECT originator_id, count(*) AS many, min(originator_version) AS low,
                max(originator_version) AS high
            FROM fresh GROUP BY originator_id
        ) AS added
        WHERE added.high - added.low + 1 <> added.many
        OR added.low <> coalesce(
            (
                SELECT max(kept.originator_version) + 1 FROM {{schema}}.events AS kept
                WHERE kept.originator_id = added.originator_id
                AND kept.originator_version < added.low
            ), 1
        )
    ) OR EXISTS (
        SELECT FROM (
            SELECT originator_version - lag(originator_version) OVER stream AS step
            FROM fresh WINDOW stream AS (PARTITION BY originator_id ORDER BY notification_id)
        ) AS added WHERE step <> 1
    ) THEN
        {_RAISE.format("only the next number of the stream can be appended")}
    END IF;"""

_LEAVES: Final = f"""
    IF (SELECT count(*) FROM fresh) > 1 OR EXISTS (
        SELECT FROM fresh
        WHERE journal_index <> (SELECT max(journal_index) FROM {{schema}}.journal)
        OR EXISTS (
            SELECT FROM {{schema}}.leaves AS kept
            WHERE kept.stream_id = fresh.stream_id AND kept.size > fresh.size
        )
    ) THEN
        {_RAISE.format("only the leaves of the last journal entry can be written")}
    END IF;"""

_ONCE: Final = f"""
    IF (SELECT count(*) FROM {{schema}}.log) > 1 THEN
        {_RAISE.format("the log has its id already")}
    END IF;"""

_SECRET: Final = f"""
    IF EXISTS (SELECT FROM fresh WHERE secret < 1) THEN
        {_RAISE.format("log secrets are numbered from 1")}
    END IF;"""

_REFUSE: Final = """
    RAISE EXCEPTION '%: % is not allowed', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';"""

_APPEND: Final = """
DECLARE
    head bigint;
BEGIN
    SELECT coalesce(max(notification_id), 0) INTO head FROM {schema}.events;
    INSERT INTO {schema}.events (
        originator_id, originator_version, topic, state, notification_id
    )
    SELECT stream, first - 1 + at, topic, state, head + at
    FROM unnest(topics, states) WITH ORDINALITY AS event (topic, state, at);
    NOTIFY events;
END"""


def _checks(*parts: str) -> str:
    return f"\nBEGIN{''.join(parts)}\n    RETURN NULL;\nEND"


FUNCTIONS: Final = {
    "refuse": ("", "trigger", _checks(_REFUSE)),
    "require_next_events": (
        "",
        "trigger",
        _checks(
            _consecutive(
                "events", "notification_id", 1, "only the next position of the log can be used"
            ),
            _NUMBERS,
        ),
    ),
    "require_next_journal": (
        "",
        "trigger",
        _checks(
            _consecutive(
                "journal", "journal_index", 0, "only the next index of the journal can be written"
            )
        ),
    ),
    "require_next_leaves": ("", "trigger", _checks(_LEAVES)),
    "require_next_log": ("", "trigger", _checks(_ONCE)),
    "require_next_secrets": (
        "",
        "trigger",
        _checks(_consecutive("secrets", "number", 1, "log secrets are numbered as they are made")),
    ),
    "require_next_streams": (
        "",
        "trigger",
        _checks(
            _consecutive("streams", "creation", 1, "only the next creation number can be used"),
            _SECRET,
        ),
    ),
    "append_events": (
        "stream text, first bigint, topics text[], states bytea[]",
        "void",
        _APPEND,
    ),
}
"""Name -> parameters, result and body of what the database does itself."""


def function_body(name: str, schema: str) -> str:
    """The text of a function's body, as it stands in the database."""
    quoted = Identifier(schema).as_string(None)
    return FUNCTIONS[name][2].replace("{schema}", quoted)


def create_statements(schema: str) -> Iterator[Composed]:
    """Everything that makes an empty schema an empty log, in order."""
    for name, table in TABLES.items():
        yield _table(schema, name, table)
    for name, (parameters, result, _) in FUNCTIONS.items():
        yield SQL("CREATE FUNCTION {}({}) RETURNS {} LANGUAGE plpgsql AS {}").format(
            Identifier(schema, name),
            SQL(parameters),
            SQL(result),
            function_body(name, schema),
        )
    for name, trigger in TRIGGERS.items():
        yield _trigger(schema, name, trigger)


def _table(schema: str, name: str, table: Table) -> Composed:
    columns = [
        SQL("{} {} NOT NULL").format(
            Identifier(column),
            SQL('text COLLATE "C"' if kind == "text" else kind),
        )
        for column, kind in table.columns.items()
    ]
    keys = [
        SQL("{} ({})").format(
            SQL("UNIQUE" if at else "PRIMARY KEY"), SQL(", ").join(map(Identifier, key))
        )
        for at, key in enumerate(table.keys)
    ]
    return SQL("CREATE TABLE {} ({})").format(
        Identifier(schema, name), SQL(", ").join([*columns, *keys])
    )


def _trigger(schema: str, name: str, trigger: Trigger) -> Composed:
    return SQL("CREATE TRIGGER {} {} ON {} {} FOR EACH STATEMENT EXECUTE FUNCTION {}()").format(
        Identifier(name),
        SQL(trigger.timing),
        Identifier(schema, trigger.table),
        SQL("REFERENCING NEW TABLE AS fresh" if trigger.fresh else ""),
        Identifier(schema, trigger.function),
    )
