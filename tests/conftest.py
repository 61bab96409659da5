"""Plumbing that every test shares: a clean environment and the property-test profile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.postgres import drop_schema, fresh_address, running_server

# A slow machine is no failure: no deadlines, and slow data generation is not reported.
settings.register_profile(
    "whodecided",
    settings(),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("whodecided")


@pytest.fixture(autouse=True, scope="session")
def _no_settings_from_outside() -> Iterator[None]:
    """The developer's own log, viewer and colour settings do not reach the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [n for n in os.environ if n.startswith("WHODECIDED_")]:
            patch.delenv(name)
        for name in ("PERSISTENCE_MODULE", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLUMNS"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Address of a database on a real server; tests that ask for it are skipped without one."""
    with running_server() as address:
        yield address


@pytest.fixture
def postgres_address(postgres_server: str, tmp_path: Path) -> Iterator[str]:
    """Address of a log's schema in which nothing is yet, and of a folder for its keys."""
    address = fresh_address(postgres_server, tmp_path / "servers")
    yield address
    drop_schema(address)
