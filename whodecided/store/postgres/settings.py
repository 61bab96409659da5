"""Which database a log is in: what an address says, completed by the library's environment names.

`postgres://user:password@host:port/database?schema=name`; every part may be left out. The names are
those of `eventsourcing.postgres`: POSTGRES_DBNAME, POSTGRES_HOST, POSTGRES_PASSWORD and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from domain.errors import BadInput

__all__ = ["HOME", "PERSISTENCE_MODULE", "PostgresSettings", "is_address", "read_settings"]

PERSISTENCE_MODULE: Final = "eventsourcing.postgres"
"""Value of the library's name PERSISTENCE_MODULE that asks for this store."""

HOME: Final = "WHODECIDED_HOME"
"""Environment name of the folder that holds a directory for every log on a server."""

_SCHEMES: Final = ("postgres:", "postgresql:")
_DEFAULTS: Final = {
    "POSTGRES_HOST": "",
    "POSTGRES_PORT": "5432",
    "POSTGRES_USER": "",
    "POSTGRES_PASSWORD": "",
    "POSTGRES_SCHEMA": "whodecided",
    "POSTGRES_POOL_SIZE": "1",
    "POSTGRES_PRE_PING": "y",
    "POSTGRES_LOCK_TIMEOUT": "30",
    "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT": "60",
}
# Without functions in the database the library sends large appends in a way that hangs.
_ALWAYS: Final = {"POSTGRES_ENABLE_DB_FUNCTIONS": "y", "ORIGINATOR_ID_TYPE": "text"}
_TLS: Final = ("sslmode", "sslrootcert", "sslcert", "sslkey")
# The library names a type of the schema without quotes: these words of the server's grammar, up to
# PostgreSQL 18, do not parse there.
_RESERVED: Final = """
    all analyse analyze and any array as asc asymmetric between bigint bit boolean both case
    cast char character check coalesce collate column constraint create current_catalog
    current_date current_role current_time current_timestamp current_user dec decimal default
    deferrable desc distinct do else end except exists extract false fetch float for foreign
    from grant greatest group grouping having in initially inout int integer intersect
    interval into json json_array json_arrayagg json_exists json_object json_objectagg
    json_query json_scalar json_serialize json_table json_value lateral leading least limit
    localtime localtimestamp merge_action national nchar none normalize not null nullif
    numeric offset on only or order out overlay placing position precision primary real
    references returning row select session_user setof smallint some substring symmetric
    system_user table then time timestamp to trailing treat trim true union unique user using
    values varchar variadic when where window with xmlattributes xmlconcat xmlelement
    xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
"""


@dataclass(frozen=True, slots=True)
class PostgresSettings:
    """How to reach one log.

    `environment` holds the library's names with their values, `tls` options of the connection;
    `home` is the folder for what is not on the server, None for the usual one.
    """

    environment: Mapping[str, str] = field(repr=False)
    tls: Mapping[str, str]
    home: str | None

    @property
    def schema(self) -> str:
        """The database schema that holds the log's tables."""
        return self.environment["POSTGRES_SCHEMA"]

    @property
    def place(self) -> str:
        """The address for messages, without the password."""
        env = self.environment
        user = f"{quote(env['POSTGRES_USER'])}@" if env["POSTGRES_USER"] else ""
        host = quote(env["POSTGRES_HOST"], safe="") + f":{env['POSTGRES_PORT']}"
        return (
            f"postgres://{user}{host}/{quote(env['POSTGRES_DBNAME'])}?schema={quote(self.schema)}"
        )


def is_address(text: str) -> bool:
    """Whether this names a log on a server and not a directory."""
    return text.startswith(_SCHEMES)


def read_settings(address: str, environment: Mapping[str, str]) -> PostgresSettings:
    """The settings of an address and the environment; the address counts more.

    Raises BadInput, which never repeats a password, for an address that cannot be used.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise _bad(str(error)) from error
    said = {
        "POSTGRES_USER": unquote(parts.username or ""),
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
        "POSTGRES_HOST": _host(parts),
        "POSTGRES_PORT": "" if port is None else str(port),
        "POSTGRES_DBNAME": unquote(parts.path.removeprefix("/")),
    }
    options = _options(parts)
    said["POSTGRES_SCHEMA"] = options.pop("schema", "")
    said["POSTGRES_HOST"] = options.pop("host", said["POSTGRES_HOST"])
    home = options.pop("home", None) or environment.get(HOME)
    for name in options:
        if name not in _TLS:
            known = ", ".join(("schema", "home", "host", *_TLS))
            raise _bad(f"it has an unknown option {name!r}", advice=f"Known: {known}.")
    given = {k: v for k, v in environment.items() if k.startswith("POSTGRES_") and v}
    merged = _DEFAULTS | given | {k: v for k, v in said.items() if v} | _ALWAYS
    if not merged.get("POSTGRES_DBNAME"):
        raise _bad(
            "it names no database",
            advice="Write postgres://user@host:port/database, or set POSTGRES_DBNAME.",
        )
    _require_schema(merged["POSTGRES_SCHEMA"])
    return PostgresSettings(merged, options, home)


def _require_schema(name: str) -> None:
    if not re.fullmatch("[a-z_][a-z0-9_]{0,62}", name):
        raise _bad(
            f"{name!r} is no name of a schema",
            advice="Use small letters, digits and underscores.",
        )
    if name in _RESERVED.split() or name.startswith("pg_"):
        raise _bad(
            f"PostgreSQL keeps the name {name!r} for itself",
            advice="Name another schema with ?schema= or POSTGRES_SCHEMA.",
        )


def _host(parts: SplitResult) -> str:
    """The host as written: a directory of sockets keeps its capital letters."""
    host = parts.netloc.rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return unquote(host.partition(":")[0])


def _options(parts: SplitResult) -> dict[str, str]:
    try:
        return dict(
            parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        )
    except ValueError as error:
        raise _bad("its options cannot be read") from error


def _bad(reason: str, advice: str | None = None) -> BadInput:
    return BadInput("address of a PostgreSQL log", reason, advice=advice)
