"""Connections that can read one generation and nothing else: no files, settings, extensions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

__all__ = ["Limits", "open_reader"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may use: `memory_mb` of 1,000,000 bytes, `threads`."""

    memory_mb: int = 1000
    threads: int = 2


def open_reader(file: Path, limits: Limits) -> duckdb.DuckDBPyConnection:
    """Open a generation for reading.

    The generation is attached to an empty database in memory: within a process DuckDB shares one
    database per file, and with it the settings of whoever opened it first.
    """
    connection = duckdb.connect(
        ":memory:",
        config={
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": f"{limits.memory_mb}MB",
            "python_enable_replacements": False,
            "temp_directory": "",
            "threads": limits.threads,
        },
    )
    try:
        quoted = str(file).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS views (READ_ONLY)")
        connection.execute("USE views")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection
