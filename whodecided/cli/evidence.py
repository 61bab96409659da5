"""Commands of the evidence: keys, checkpoints, witnesses, verification, case bundles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whodecided.cli.command import command
from whodecided.cli.session import Session

__all__ = ["add_evidence"]

keys_app = typer.Typer(help="The signing keys and the secret of this log.", rich_markup_mode=None)
witness_app = typer.Typer(
    help="Let somebody else remember what this log has shown.", rich_markup_mode=None
)

Trusted = Annotated[
    list[str] | None,
    typer.Option(
        "--trust",
        metavar="KEY",
        show_default=False,
        help="Key of the log or of a witness, kept elsewhere, or a file of keys. Repeatable.",
    ),
]
Against = Annotated[
    list[Path] | None,
    typer.Option(
        "--against",
        metavar="FILE",
        show_default=False,
        help="A checkpoint of the log, kept elsewhere. Repeatable.",
    ),
]
WitnessDir = Annotated[
    Path, typer.Argument(metavar="DIR", show_default=False, help="The witness's own directory.")
]


def add_evidence(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(keys_app, name="keys")
    app.add_typer(witness_app, name="witness")
    for name, function in (
        ("checkpoint", checkpoint),
        ("verify", verify),
        ("verify-bundle", verify_bundle),
        ("erase", erase),
        ("copy", copy),
    ):
        command(app, name)(function)
    command(app, "bundle", reads=True)(bundle)


@command(keys_app, None)
def keys(session: Session) -> None:
    """The public keys that have signed for this log, the newest last."""
    from whodecided.cli.proving import run_keys

    run_keys(session)


@command(keys_app, "new")
def new_key(
    session: Session,
    replace: Annotated[
        bool, typer.Option("--replace", help="Retire the key there is; its public half is kept.")
    ] = False,
) -> None:
    """Make the key that signs this log's checkpoints and bundles."""
    from whodecided.cli.proving import run_new_key

    run_new_key(session, replace)


@command(keys_app, "rotate-secret")
def rotate_secret(session: Session) -> None:
    """Seal new games, and name their players, with a new secret."""
    from whodecided.cli.proving import run_rotate_secret

    run_rotate_secret(session)


def checkpoint(session: Session) -> None:
    """Sign what the log holds now; keep the result elsewhere."""
    from whodecided.cli.proving import run_checkpoint

    run_checkpoint(session)


def verify(
    session: Session,
    trust: Trusted = None,
    against: Against = None,
    from_scratch: Annotated[
        bool,
        typer.Option(
            "--from-scratch", help="Also encode every event again and make all tables anew."
        ),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, show_default=False, help="Processes; default: as useful."),
    ] = None,
) -> None:
    """Recompute all evidence of the log, step by step."""
    from whodecided.cli.proving import run_verify

    run_verify(session, trust or (), against or (), from_scratch, jobs)


def bundle(
    session: Session,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", show_default=False, help="A game as elsewhere, or any stream's id."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.zip", help="Where to write it.")
    ],
    events: Annotated[
        str | None,
        typer.Option("--events", metavar="A-B", help="Show these events; the others by hash."),
    ] = None,
    shown_to: Annotated[
        str | None,
        typer.Option("--as", metavar="VIEWER", help="For whom; default: as for --viewer."),
    ] = None,
    since: Annotated[
        list[Path] | None,
        typer.Option(
            "--since",
            metavar="FILE",
            show_default=False,
            help="Prove that nothing of this checkpoint, kept elsewhere, is gone. Repeatable.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file where there is one already.")
    ] = False,
) -> None:
    """Write one record as a file that anybody can check."""
    from whodecided.cli.proving import run_bundle

    run_bundle(session, game, output, events, shown_to or session.viewer, since or (), force)


def verify_bundle(
    session: Session,
    file: Annotated[
        Path, typer.Argument(metavar="FILE.zip", show_default=False, help="A case bundle.")
    ],
    trust: Trusted = None,
    against: Against = None,
) -> None:
    """Check a case bundle; it needs no log."""
    from whodecided.cli.proving import run_verify_bundle

    run_verify_bundle(session, file, trust or (), against or ())


def erase(
    session: Session,
    person: Annotated[
        str,
        typer.Argument(metavar="PLAYER", show_default=False, help="A kept name, or a player's id."),
    ],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why, and on whose request.")
    ],
    by: Annotated[
        str, typer.Option("--by", metavar="WHO", help="Who asks: person:<id> or judge:<id>.")
    ] = "person:owner",
) -> None:
    """Delete a player's names and hidden values for good."""
    from whodecided.cli.proving import run_erase

    run_erase(session, person, reason, by)


def copy(
    session: Session,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="LOG",
            show_default=False,
            help="New or empty directory, or postgres://user@host/database; or an earlier copy.",
        ),
    ],
    with_key: Annotated[
        bool, typer.Option("--key/--no-key", help="Whether the copy can sign, as this log can.")
    ] = True,
) -> None:
    """Copy the log to another place, the same to the byte."""
    from whodecided.cli.copying import run_copy

    run_copy(session, to, with_key)


@command(witness_app, "new")
def new_witness(
    session: Session,
    directory: WitnessDir,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", show_default=False, help="Its name, like witness.example/club."
        ),
    ],
) -> None:
    """Make a witness with a key of its own, apart from every log."""
    from whodecided.cli.witnessing import run_new_witness

    run_new_witness(session, directory, name)


@command(witness_app, "trust")
def trust_log(
    session: Session,
    directory: WitnessDir,
    key: Annotated[
        str,
        typer.Argument(metavar="KEY", show_default=False, help="The log's key, or a file of it."),
    ],
) -> None:
    """Let the witness cosign the log of this key from now on."""
    from whodecided.cli.witnessing import run_trust

    run_trust(session, directory, key)


@command(witness_app, "request")
def request(
    session: Session,
    old: Annotated[
        int, typer.Option("--old", min=0, help="The size it last cosigned; 0 for the first time.")
    ] = 0,
) -> None:
    """Sign what the log holds now and write the request for a witness."""
    from whodecided.cli.witnessing import run_request

    run_request(session, old)


@command(witness_app, "cosign")
def cosign(
    session: Session,
    directory: WitnessDir,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", show_default=False, help="The request; default: input."),
    ] = None,
) -> None:
    """Cosign a request that continues what the witness saw, or say why not (exit code 3)."""
    from whodecided.cli.witnessing import run_cosign

    run_cosign(session, directory, file)


@command(witness_app, "accept")
def accept(
    session: Session,
    key: Annotated[
        str, typer.Option("--key", metavar="KEY", help="The witness's key, or a file of it.")
    ],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", show_default=False, help="The answer; default: input."),
    ] = None,
) -> None:
    """Add a witness's cosignature to the log's checkpoint it is for."""
    from whodecided.cli.witnessing import run_accept

    run_accept(session, key, file)
