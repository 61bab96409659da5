"""The command line: `whodecided`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from whodecided.cli.app import app

    app()
