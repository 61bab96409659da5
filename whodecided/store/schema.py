"""The tables of `events.sqlite`, and the triggers that keep its history as it was written.

The triggers stop accidents and careless tools on any connection. Whoever owns the file can drop
them; proving that nobody did is the work of the evidence, not of the schema.
"""

from __future__ import annotations

from typing import Final

__all__ = ["APPLICATION_ID", "SCHEMA_STATEMENTS", "SCHEMA_VERSION"]

APPLICATION_ID: Final = 0x57444C47
"""SQLite `application_id` of a log ("WDLG")."""
SCHEMA_VERSION: Final = 3
"""SQLite `user_version` of the tables below."""

_TABLES: Final = (
    """
    CREATE TABLE log (
        log_id TEXT NOT NULL
    ) STRICT
    """,
    # The library selects the notification id by the name rowid; an implicit one may be renumbered.
    """
    CREATE TABLE events (
        rowid INTEGER PRIMARY KEY AUTOINCREMENT CHECK (rowid > 0),
        originator_id TEXT NOT NULL,
        originator_version INTEGER NOT NULL,
        topic TEXT NOT NULL,
        state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version)
    ) STRICT
    """,
    """
    CREATE TABLE streams (
        creation INTEGER PRIMARY KEY,
        stream_id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        secret INTEGER NOT NULL CHECK (secret > 0)
    ) STRICT
    """,
    """
    CREATE TABLE journal (
        journal_index INTEGER PRIMARY KEY,
        entry BLOB NOT NULL
    ) STRICT
    """,
    # Kept so that an append need not read the stream again, and so that a changed event is found.
    """
    CREATE TABLE leaves (
        journal_index INTEGER PRIMARY KEY REFERENCES journal (journal_index),
        stream_id TEXT NOT NULL,
        size INTEGER NOT NULL,
        peaks BLOB NOT NULL,
        leaves BLOB NOT NULL,
        entry_hash BLOB NOT NULL,
        UNIQUE (stream_id, size)
    ) STRICT
    """,
    """
    CREATE TABLE files (
        file_key INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE provenance (
        position INTEGER PRIMARY KEY REFERENCES events (rowid),
        file_key INTEGER NOT NULL REFERENCES files (file_key),
        byte_offset INTEGER NOT NULL,
        line INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE disclosures (
        position INTEGER NOT NULL REFERENCES events (rowid),
        field TEXT NOT NULL,
        value BLOB NOT NULL,
        salt BLOB NOT NULL,
        PRIMARY KEY (position, field)
    ) STRICT, WITHOUT ROWID
    """,
)

# BEFORE INSERT, because INSERT OR REPLACE deletes the old row without any delete trigger.
# SQLite shows -1 as the rowid of a row whose rowid it will choose; the CHECK refuses a written -1.
_INSERT_TRIGGERS: Final = (
    """
    CREATE TRIGGER events_next BEFORE INSERT ON events BEGIN
        SELECT RAISE(ABORT, 'only the next number of the stream can be appended')
        WHERE NEW.originator_version IS NOT (
            SELECT coalesce(max(originator_version), 0) + 1 FROM events
            WHERE originator_id = NEW.originator_id
        );
        SELECT RAISE(ABORT, 'only the next position of the log can be used')
        WHERE NEW.rowid IS NOT -1
        AND NEW.rowid IS NOT (SELECT coalesce(max(rowid), 0) + 1 FROM events);
    END
    """,
    """
    CREATE TRIGGER streams_new BEFORE INSERT ON streams BEGIN
        SELECT RAISE(ABORT, 'the stream exists already')
        WHERE EXISTS (SELECT 1 FROM streams WHERE stream_id = NEW.stream_id);
        SELECT RAISE(ABORT, 'only the next creation number can be used')
        WHERE NEW.creation IS NOT -1
        AND NEW.creation IS NOT (SELECT coalesce(max(creation), 0) + 1 FROM streams);
    END
    """,
    """
    CREATE TRIGGER journal_next BEFORE INSERT ON journal BEGIN
        SELECT RAISE(ABORT, 'only the next index of the journal can be written')
        WHERE NEW.journal_index IS NOT (SELECT coalesce(max(journal_index), -1) + 1 FROM journal);
    END
    """,
    """
    CREATE TRIGGER leaves_next BEFORE INSERT ON leaves BEGIN
        SELECT RAISE(ABORT, 'only the leaves of the last journal entry can be written')
        WHERE NEW.journal_index IS NOT (SELECT max(journal_index) FROM journal)
        OR EXISTS (SELECT 1 FROM leaves WHERE journal_index = NEW.journal_index)
        OR EXISTS (SELECT 1 FROM leaves WHERE stream_id = NEW.stream_id AND size >= NEW.size);
    END
    """,
    """
    CREATE TRIGGER log_once BEFORE INSERT ON log BEGIN
        SELECT RAISE(ABORT, 'the log has its id already') WHERE EXISTS (SELECT 1 FROM log);
    END
    """,
)


def _forbid(table: str, verb: str) -> str:
    return (
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} BEGIN "
        f"SELECT RAISE(ABORT, '{table}: {verb} is not allowed'); END"
    )


_KEPT: Final = ("events", "files", "journal", "leaves", "log", "provenance", "streams")

SCHEMA_STATEMENTS: Final = (
    *_TABLES,
    *_INSERT_TRIGGERS,
    *(_forbid(table, verb) for table in _KEPT for verb in ("UPDATE", "DELETE")),
    _forbid("disclosures", "UPDATE"),
    f"PRAGMA application_id={APPLICATION_ID}",
    f"PRAGMA user_version={SCHEMA_VERSION}",
)
"""Everything that makes an empty database an empty log, in order."""
