"""The four top-level packages arrive whole, alone and under licences that let anyone use them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.shared import PROJECT_ROOT

PACKAGES = ("domain", "projections", "queries", "whodecided")
LOCKS = ("runtime.txt", "dev.txt", "build.txt")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with the installed back end and no network."""
    target = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(build, cwd=PROJECT_ROOT, check=True, capture_output=True)
    [built] = target.glob("*.whl")
    return built


def wheel_files(wheel: Path) -> set[str]:
    """The files of the wheel without its metadata folder."""
    with zipfile.ZipFile(wheel) as archive:
        return {n for n in archive.namelist() if ".dist-info/" not in n}


def source_files() -> set[str]:
    """The files of the four packages in this checkout, byte code left out."""
    found = (p for package in PACKAGES for p in (PROJECT_ROOT / package).rglob("*") if p.is_file())
    return {p.relative_to(PROJECT_ROOT).as_posix() for p in found if p.suffix != ".pyc"}


def top_level(file: metadata.PackagePath) -> str:
    return file.parts[0].removesuffix(".py")


def test_no_other_distribution_ships_files_under_our_package_names() -> None:
    intruders = {
        f"{other.name} {other.version}: {file}"
        for other in metadata.distributions()
        if other.name != "whodecided"
        for file in other.files or ()
        if top_level(file) in PACKAGES
    }

    assert intruders == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_is_imported_from_this_checkout(package: str) -> None:
    where = "import importlib, sys; print(importlib.import_module(sys.argv[1]).__file__)"
    run = subprocess.run(
        [sys.executable, "-c", where, package],
        cwd=PROJECT_ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert Path(run.stdout.strip()) == PROJECT_ROOT / package / "__init__.py"


def test_the_wheel_holds_every_file_of_the_four_packages_and_nothing_else(wheel: Path) -> None:
    assert wheel_files(wheel) == source_files()


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_in_the_wheel_is_marked_as_typed(wheel: Path, package: str) -> None:
    assert f"{package}/py.typed" in wheel_files(wheel)


def test_the_wheel_is_named_private_and_carries_the_command(wheel: Path) -> None:
    [dist] = metadata.distributions(path=[str(wheel)])
    [command] = dist.entry_points.select(group="console_scripts")

    assert (dist.name, command.name) == ("whodecided", "whodecided")
    assert "Private :: Do Not Upload" in dist.metadata.get_all("Classifier", [])
    assert callable(command.load())


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_carries_no_address_and_hashes_every_pin(lock: str) -> None:
    text = (PROJECT_ROOT / "requirements" / lock).read_text(encoding="utf-8")
    pins = re.findall(r"^\w[\w.-]*==.*$", text, flags=re.MULTILINE)

    assert re.findall(r"https?:|://|^-.*$", text, flags=re.MULTILINE) == []
    assert len(pins) > 4
    assert [p for p in pins if not p.endswith("\\")] == []


def run_lock_check(root: Path) -> subprocess.CompletedProcess[str]:
    script = PROJECT_ROOT / "requirements" / "check.py"
    return subprocess.run(
        [sys.executable, str(script), str(root)], check=False, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("pyproject.toml", '"duckdb>=2.0,<3"', '"duckdb>=3"', "requires duckdb>=3, locked is"),
        ("pyproject.toml", '"duckdb>=2.0,<3",', "", "nothing requires duckdb"),
        ("pyproject.toml", '"rich>=', '"absent-package", "rich>=', "which is not locked"),
        ("requirements/dev.txt", "pytest==9", "pytest==8", "requires pytest"),
        ("requirements/runtime.txt", "rich==", "--index-url x\nrich==", "an option"),
        ("requirements/runtime.txt", "mdurl==", "mdurl==9.9\n# ", "mdurl has no hash"),
        ("requirements/build.txt", "hatchling==1.", "hatchling==1.99.", "is installed, locked is"),
    ],
)
def test_the_lock_check_refuses_a_lock_that_does_not_satisfy_its_inputs(
    tmp_path: Path, file: str, old: str, new: str, complaint: str
) -> None:
    shutil.copytree(PROJECT_ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(PROJECT_ROOT / "pyproject.toml", tmp_path)
    changed = tmp_path / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")

    run = run_lock_check(tmp_path)

    assert run.returncode == 1
    assert complaint in run.stderr


def stated_licence(dist: metadata.Distribution) -> str:
    """What the distribution says about its licence: expression, classifiers, first line of text."""
    fields = dist.metadata
    expression = fields.get_all("License-Expression", [])
    classifiers = [c for c in fields.get_all("Classifier", []) if c.startswith("License ::")]
    first_lines = [text.strip().partition("\n")[0] for text in fields.get_all("License", [])]
    return "; ".join([*expression, *classifiers, *first_lines])


def runtime_distributions() -> list[metadata.Distribution]:
    """What the product needs to run on this platform, as locked."""
    text = (PROJECT_ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^(\w[^\\\n]*?)\s*\\$", text, flags=re.MULTILINE)
    needed = [Requirement(pin) for pin in pins]
    return [
        metadata.distribution(r.name) for r in needed if r.marker is None or r.marker.evaluate()
    ]


def test_every_runtime_dependency_states_a_licence_and_none_is_copyleft_on_use() -> None:
    stated = {dist.name: stated_licence(dist) for dist in runtime_distributions()}

    assert len(stated) > 8
    assert [name for name, licence in stated.items() if not licence] == []
    assert {n: s for n, s in stated.items() if re.search(r"GPL|General Public", s)} == {}
