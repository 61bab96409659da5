"""What a case bundle proves, and what it does not."""

from __future__ import annotations

from typing import Final

__all__ = ["DOES_NOT_PROVE", "PROVES", "statement"]

PROVES: Final = (
    "Every event shown has the bytes that were recorded: one changed character changes the root.",
    "The order and the numbers of the events are those of the record.",
    "No event of this record was left out up to its last number: withheld events are counted, and"
    " their hashes stand in their places.",
    "A disclosed value is the one that was sealed when the event was recorded.",
    "With the log's key from elsewhere: the owner of that key signed a state of the log that holds"
    " this record.",
    "With a witness's key from elsewhere: the record was in the log no later than the time of the"
    " cosignature, and the log has not been rewritten between cosignatures.",
    "With an earlier checkpoint from elsewhere: what the log held then is still in it.",
)
DOES_NOT_PROVE: Final = (
    "That the recorder told the truth, or saw everything that happened.",
    "That the times given by the source are right.",
    "That nothing was recorded for this game later than the last event here.",
    "That there is no other log of the same game, or of the same owner.",
    "Who made this bundle, unless its key is known from elsewhere.",
    "Guilt: findings and stamps are computed from rules and from what was recorded.",
)


def statement() -> str:
    """The statement as text."""
    proves = "".join(f"- {line}\n" for line in PROVES)
    does_not = "".join(f"- {line}\n" for line in DOES_NOT_PROVE)
    return f"What this bundle proves\n\n{proves}\nWhat it does not prove\n\n{does_not}"
