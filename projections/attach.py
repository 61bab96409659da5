"""A generation's file attached to an empty database in memory.

Within a process DuckDB shares one database per file, and with it the settings of whoever opened it
first; attached, every connection has its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

__all__ = ["attach"]


def attach(file: Path, option: str, settings: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
    """A new connection whose default database is the file; no extension is loaded unasked."""
    config = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": "",
        **settings,
    }
    connection = duckdb.connect(":memory:", config=config)
    try:
        # Where DuckDB takes the process for a notebook it draws on stdout, whatever `config` says.
        connection.execute("SET enable_progress_bar = false")
        quoted = str(file).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS views ({option})")
        connection.execute("USE views")
    except BaseException:
        connection.close()
        raise
    return connection
