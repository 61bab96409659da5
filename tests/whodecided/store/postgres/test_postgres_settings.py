"""Which database an address and the library's names lead to."""

from __future__ import annotations

import pytest
from psycopg.errors import SyntaxError as PostgresSyntaxError

from domain.errors import BadInput
from tests.support.postgres import connect
from whodecided.store.postgres.settings import is_address, read_settings

NAMES = {
    "POSTGRES_DBNAME": "club",
    "POSTGRES_HOST": "db.example",
    "POSTGRES_PORT": "6543",
    "POSTGRES_USER": "judge",
    "POSTGRES_PASSWORD": "s3cret",
    "POSTGRES_SCHEMA": "games",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    "HOME": "/home/judge",
}


def test_an_address_without_parts_takes_everything_from_the_library_names() -> None:
    settings = read_settings("postgres://", NAMES)

    assert settings.place == "postgres://judge@db.example:6543/club?schema=games"
    assert settings.environment["POSTGRES_PASSWORD"] == "s3cret"
    assert "HOME" not in settings.environment


def test_an_address_counts_more_than_the_environment() -> None:
    settings = read_settings(
        "postgresql://ref%40home:p%3Aw@Other:1/log?schema=own&sslmode=require&home=%2Fsrv%2Fx",
        NAMES,
    )

    assert settings.place == "postgres://ref%40home@Other:1/log?schema=own"
    assert settings.environment["POSTGRES_USER"] == "ref@home"
    assert settings.environment["POSTGRES_PASSWORD"] == "p:w"
    assert (settings.tls, settings.home) == ({"sslmode": "require"}, "/srv/x")


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("postgres://%2Frun%2FPg:5433/x", "/run/Pg"),
        ("postgres:///x?host=/run/Pg", "/run/Pg"),
        ("postgres://[::1]:5432/x", "::1"),
        ("postgres:///x", ""),
    ],
)
def test_a_host_may_be_a_directory_of_sockets_or_a_number(address: str, host: str) -> None:
    assert read_settings(address, {}).environment["POSTGRES_HOST"] == host


def test_functions_in_the_database_are_always_on_and_ids_are_texts() -> None:
    environment = read_settings("postgres://", NAMES).environment

    assert environment["POSTGRES_ENABLE_DB_FUNCTIONS"] == "y"
    assert environment["ORIGINATOR_ID_TYPE"] == "text"


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("postgres://u:hidden@h", "names no database"),
        ("postgres://u:hidden@h:port/d", "[Pp]ort"),
        ("postgres://u:hidden@h:99999/d", "[Pp]ort"),
        ("postgres://u:hidden@h/d?colour=red", "unknown option 'colour'"),
        ("postgres://u:hidden@h/d?schema", "options cannot be read"),
        ("postgres://u:hidden@h/d?schema=Robert%3B--", "no name of a schema"),
        ("postgres://u:hidden@h/d?schema=select", "keeps the name 'select' for itself"),
        ("postgres://u:hidden@h/d?schema=pg_club", "keeps the name 'pg_club' for itself"),
        ("postgres://u:hidden@[h/d", "IPv6"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_repeating_the_password(
    address: str, complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint) as caught:
        read_settings(address, {})

    assert "hidden" not in str(caught.value)


def test_every_word_the_server_does_not_parse_as_a_schema_is_refused(postgres_address: str) -> None:
    with connect(postgres_address) as connection:
        words = connection.execute("SELECT word FROM pg_get_keywords()").fetchall()
        for (word,) in words:
            try:
                connection.execute("SELECT to_regtype(%s)", (f"{word}.some_type",))
            except PostgresSyntaxError:
                with pytest.raises(BadInput, match="for itself"):
                    read_settings(f"postgres:///d?schema={word}", {})


@pytest.mark.parametrize("schema", ["month", "name", "left", "_1"])
def test_other_words_name_a_schema(schema: str) -> None:
    assert read_settings(f"postgres:///d?schema={schema}", {}).schema == schema


def test_a_password_is_in_no_text_made_of_the_settings() -> None:
    settings = read_settings("postgres://u:hidden@h/d", {})

    assert "hidden" not in repr(settings) + settings.place


@pytest.mark.parametrize("text", ["postgres://", "postgresql://u@h/d", "postgres:///d"])
def test_an_address_is_told_from_a_directory(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize("text", ["my-log", "/srv/postgres", "postgres", "C:\\log", ""])
def test_a_directory_is_told_from_an_address(text: str) -> None:
    assert not is_address(text)
