"""Do the lock files satisfy pyproject.toml? Offline; fresh means satisfied, not newest.

Run in the locked environment: what a pinned package itself requires is read from its installed
metadata. Pins for other platforms are compared with pyproject.toml only.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

__all__ = ["main"]


@dataclass(frozen=True)
class Pin:
    """One locked package: `requirement` is `name==version` with an optional marker."""

    requirement: Requirement
    version: str
    hashes: int

    @property
    def here(self) -> bool:
        """Whether this platform installs it."""
        marker = self.requirement.marker
        return marker is None or marker.evaluate()


Lock = dict[NormalizedName, Pin]


def read_inputs(root: Path) -> dict[str, list[Requirement]]:
    """What pyproject.toml asks for, by lock file."""
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    runtime = table["project"]["dependencies"]
    extras = table["project"]["optional-dependencies"]
    groups = table["dependency-groups"]
    wanted = {
        "runtime.txt": runtime,
        "dev.txt": runtime + extras["postgres"] + groups["dev"],
        "build.txt": groups["build"],
    }
    return {name: [Requirement(line) for line in lines] for name, lines in wanted.items()}


def read_lock(text: str) -> Lock:
    """The pins of one lock file, by canonical name."""
    lock: Lock = {}
    for entry in re.sub(r"\\\n", " ", text).splitlines():
        if not re.match(r"[A-Za-z0-9]", entry):
            continue
        line, *hashes = entry.split("--hash=sha256:")
        requirement = Requirement(line.strip())
        version = str(requirement.specifier).removeprefix("==")
        lock[canonicalize_name(requirement.name)] = Pin(requirement, version, len(hashes))
    return lock


def form_faults(text: str, lock: Lock) -> Iterator[str]:
    """Faults of the file itself: addresses, options, pins without a hash."""
    for number, line in enumerate(text.splitlines(), start=1):
        if "://" in line or line.startswith("-"):
            yield f"line {number} is an address or an option: {line.strip()}"
    for name, pin in lock.items():
        if not pin.hashes:
            yield f"{name} has no hash"


def unmet(wanted: Requirement, by: str, lock: Lock) -> Iterator[str]:
    """The fault, if any, of one requirement that must hold on this platform."""
    pin = lock.get(canonicalize_name(wanted.name))
    if pin is None:
        yield f"{by} requires {wanted}, which is not locked"
    elif not wanted.specifier.contains(pin.version, prereleases=True):
        yield f"{by} requires {wanted}, locked is {pin.version}"


def requires(name: str, extras: set[str]) -> Iterator[Requirement]:
    """What the installed package *name* needs here, with the *extras* asked of it."""
    for line in metadata.requires(name) or ():
        needed = Requirement(line)
        marker = needed.marker
        if marker is None or any(marker.evaluate({"extra": e}) for e in extras | {""}):
            yield needed


def closure_faults(inputs: list[Requirement], lock: Lock) -> Iterator[str]:
    """Faults of the graph: requirements unmet, other versions installed, pins nobody needs."""
    todo: list[tuple[str, Requirement]] = [("pyproject.toml", wanted) for wanted in inputs]
    seen: set[NormalizedName] = set()
    while todo:
        by, wanted = todo.pop()
        yield from unmet(wanted, by, lock)
        name = canonicalize_name(wanted.name)
        pin = lock.get(name)
        if pin is None or not pin.here or name in seen:
            continue
        seen.add(name)
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield f"{name} is locked but not installed: run `make setup`"
            continue
        if installed != pin.version:
            yield f"{name} {installed} is installed, locked is {pin.version}: run `make setup`"
        todo += [(name, needed) for needed in requires(name, wanted.extras)]
    for name, pin in lock.items():
        if pin.here and name not in seen:
            yield f"nothing requires {name}"


def faults(root: Path) -> Iterator[str]:
    """Every fault of the three lock files, one sentence each."""
    versions: dict[NormalizedName, str] = {}
    for name, inputs in read_inputs(root).items():
        text = (root / "requirements" / name).read_text(encoding="utf-8")
        lock = read_lock(text)
        for fault in (*form_faults(text, lock), *closure_faults(inputs, lock)):
            yield f"requirements/{name}: {fault}"
        for package, pin in lock.items():
            if versions.setdefault(package, pin.version) != pin.version:
                yield f"requirements/{name}: {package} has another version in another lock"


def main(root: Path) -> int:
    """Print the faults of the locks under *root*; 1 when there are any."""
    found = list(faults(root))
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        print("run `make lock` after a change to pyproject.toml", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()))
