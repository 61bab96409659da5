"""Which measurements are made, and that the guide tells of all of them."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from benchmarks.__main__ import LONG, MEASUREMENTS, chosen
from benchmarks.peak import peak_mb
from tests.shared import PROJECT_ROOT


def test_without_names_everything_but_the_long_ones_is_measured() -> None:
    assert chosen([]) == MEASUREMENTS
    assert not MEASUREMENTS.keys() & LONG.keys()


def test_only_what_is_named_is_measured_in_that_order() -> None:
    assert list(chosen(["memory", "growth_5m", "evidence"])) == ["memory", "growth_5m", "evidence"]


def test_an_unknown_name_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        chosen(["memory", "nonsense"])
    said = capsys.readouterr().err
    assert "nonsense" in said
    assert all(name in said for name in MEASUREMENTS | LONG)


@pytest.mark.parametrize("name", MEASUREMENTS | LONG)
def test_every_measurement_has_a_program_and_stands_in_the_guide(name: str) -> None:
    measurement = (MEASUREMENTS | LONG)[name]
    assert callable(importlib.import_module(f"benchmarks.{measurement.module}").main)
    guide = (PROJECT_ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"`{name}`" in guide


def test_the_peak_of_a_program_is_its_own_and_not_that_of_what_started_it() -> None:
    ballast = bytearray(200 << 20)
    ran = subprocess.run(
        [sys.executable, "-c", "from benchmarks.peak import peak_mb; print(peak_mb())"],
        cwd=PROJECT_ROOT,
        capture_output=True,
        check=True,
    )
    assert peak_mb() > len(ballast) >> 20
    assert 1 < float(ran.stdout) < 100
