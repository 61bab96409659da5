"""Connections that can read one generation and nothing else: no files, settings, extensions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from projections.attach import attach

__all__ = ["Limits", "is_damage", "open_reader"]

_DAMAGE: Final = (
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.IOException,
    duckdb.SerializationException,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may use: `memory_mb` of 1,000,000 bytes, `threads`."""

    memory_mb: int = 1000
    threads: int = 2


def open_reader(file: Path, limits: Limits) -> duckdb.DuckDBPyConnection:
    """Open a generation for reading."""
    settings = {
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
        "memory_limit": f"{limits.memory_mb}MB",
        "python_enable_replacements": False,
        "threads": limits.threads,
    }
    connection = attach(file, "READ_ONLY", settings)
    try:
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection


def is_damage(error: duckdb.Error) -> bool:
    """Whether the file is at fault; a block with a wrong checksum has no error class of its own."""
    return isinstance(error, _DAMAGE) or type(error) is duckdb.Error
