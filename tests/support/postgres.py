"""A real PostgreSQL server for the tests: the one the environment names, or one of our own.

`POSTGRES_DBNAME`, `POSTGRES_HOST` and the library's other names choose a server that runs already;
the tests make schemas of their own in that database and drop them. Otherwise a private server is
started in a temporary directory where `initdb` is found, on Debian under /usr/lib/postgresql.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest

from whodecided.store.postgres.settings import read_settings

__all__ = [
    "connect",
    "drop_schema",
    "fresh_address",
    "running_server",
    "server_programs",
    "with_database",
]

_REASON = (
    "no PostgreSQL server: set POSTGRES_DBNAME and the other names, or install Debian's postgresql"
)
# The server ends when this process does, however that ends: then nothing writes to the pipe.
_WHILE_READ = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'
_QUICK = ("fsync=off", "listen_addresses=", "shared_buffers=16MB", "max_connections=60")


def server_programs() -> Path | None:
    """The folder with `initdb`, `postgres`, `pg_dump` and `psql`; the newest where several are."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parts[-3])
    )
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return None if on_path is None else Path(on_path).resolve().parent


@contextmanager
def running_server() -> Iterator[str]:
    """Address of a database for tests; skips the test with a reason when there is no server."""
    if os.environ.get("POSTGRES_DBNAME"):
        yield "postgres://"
        return
    programs = server_programs()
    if programs is None:
        pytest.skip(_REASON)
    user = _user()
    # The other user must be able to get there, and the path of a socket is short.
    folder = Path(tempfile.mkdtemp(prefix="whodecided-pg-", dir=None if user is None else "/tmp"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        with _private(programs, folder, user) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fresh_address(server: str, home: Path) -> str:
    """Address of a schema in which nothing is yet; `home` is for what is not on the server."""
    return f"{server}?schema=test_{secrets.token_hex(8)}&home={quote(str(home), safe='')}"


def with_database(address: str, name: str) -> str:
    """The address of the same schema in another database of the server."""
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def connect(address: str) -> psycopg.Connection[tuple[object, ...]]:
    """A raw connection that knows nothing of this product but where the tables are."""
    env = read_settings(address, os.environ).environment
    return psycopg.connect(
        dbname=env["POSTGRES_DBNAME"],
        host=env["POSTGRES_HOST"],
        port=env["POSTGRES_PORT"],
        user=env["POSTGRES_USER"],
        password=env["POSTGRES_PASSWORD"],
        options=f"-c search_path={env['POSTGRES_SCHEMA']}",
        autocommit=True,
    )


def drop_schema(address: str) -> None:
    """Remove everything a test made."""
    with connect(address) as connection:
        schema = read_settings(address, os.environ).schema
        connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())


def _user() -> str | None:
    """The server does not run as root; then it runs as Debian's own user, or as nobody."""
    if os.name != "posix" or os.getuid() != 0:
        return None
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def _private(programs: Path, folder: Path, user: str | None) -> Iterator[str]:
    data = folder / "data"
    make: list[str | Path] = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "whodecided",
        "--auth=trust",
        "--no-sync",
    ]
    subprocess.run(
        [*make, "--encoding=UTF8", "--locale=C"],
        check=True,
        capture_output=True,
        cwd="/",
        user=user,
    )
    settings = [
        part
        for setting in (*_QUICK, f"unix_socket_directories={folder}")
        for part in ("-c", setting)
    ]
    log = folder / "server.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            ["sh", "-c", _WHILE_READ, "sh", programs / "postgres", "-D", data, *settings],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            cwd="/",
            user=user,
        ) as server,
    ):
        try:
            ready: list[str | Path] = [programs / "pg_isready", "-h", folder, "-t", "30", "-q"]
            while subprocess.run(ready, check=False).returncode:
                if server.poll() is not None:
                    pytest.fail(f"PostgreSQL did not start: {log.read_text()}")
            yield f"postgres://whodecided@{quote(str(folder), safe='')}/postgres"
        finally:
            assert server.stdin is not None
            server.stdin.close()
