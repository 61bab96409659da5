"""Writes the bundled demo log anew: `python -m whodecided.importers.arena.synthetic`."""

from __future__ import annotations

from whodecided.importers.arena.synthetic.demo import DEMO_FILE, demo_log

if __name__ == "__main__":
    DEMO_FILE.write_bytes(demo_log().encode())
