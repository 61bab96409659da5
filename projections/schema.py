"""The tables of the views: every column's name, type and meaning, in one place.

`docs/data-dictionary.md` is made from this file. No column ever holds a hidden card: a sealed value
of an event appears only by the name of its field.
"""

from __future__ import annotations

import hashlib
from types import MappingProxyType
from typing import Final

from projections.columns import Table, optional, required

__all__ = ["FOLDED", "SCHEMA_DIGEST", "TABLES"]

_GAME = required("game_id", "VARCHAR", "Stream of the game as one source saw it (UUID).")
_POSITION = required(
    "stream_position",
    "BIGINT",
    "Position in the log of the stream's first event: the fast way to join `games` and `events`.",
)
_NUMBER = required("number", "INTEGER", "Number of the event in its stream, from 1.")

_COMPUTED = (
    optional("computed_decider", "VARCHAR", "Who decides by the rules, computed now."),
    optional("should_decide", "VARCHAR", "The same, had no stand-in answered for the seat."),
    optional("computed_authority", "VARCHAR", "By what right, computed now."),
    optional("computed_ref", "INTEGER", "Number of the event that granted it, computed now."),
    optional("certain", "BOOLEAN", "False where it cannot be known who decides."),
    optional("rule_gap", "BOOLEAN", "The rules leave the answer open; a reading was used."),
    optional("agrees", "BOOLEAN", "Recorded equals computed; null where either is unknown."),
)
"""Null for an event that is neither a decision nor a request for one."""

_GAMES = Table(
    "games",
    "One row per game as one source saw it.",
    ("game_id",),
    (
        _GAME,
        required("short_id", "VARCHAR", "First eight hex digits of game_id: what people type."),
        _POSITION,
        optional("game_key", "VARCHAR", "Same for every record of one game; null without a start."),
        optional("match_key", "VARCHAR", "Same for every record of the match, where named."),
        optional("match_id", "VARCHAR", "Stream of the match record it belongs to."),
        optional("game_number", "INTEGER", "Which game of the match, from 1."),
        required("system", "VARCHAR", "The source system."),
        optional("viewpoint", "VARCHAR", "Whose view the source is: `seat:<n>`, `full` ..."),
        optional("format", "VARCHAR", "The format or queue as the source names it."),
        optional("variant", "VARCHAR", "The variant as the source names it."),
        optional("played_on", "VARCHAR", "Local date of play as the source states it."),
        optional("started_at", "TIMESTAMP", "Time of the first event that has one."),
        optional("ended_at", "TIMESTAMP", "Time of the last event that has one."),
        required("from_start", "BOOLEAN", "False where the record starts in mid-game."),
        optional("generation", "INTEGER", "Generation of the importer's numbering."),
        optional("supersedes", "VARCHAR", "The older record of the same source that it replaces."),
        optional("result", "VARCHAR", "`win`, `draw` or `unknown`; null while it has no end."),
        required("winners", "INTEGER[]", "The seats that won."),
        optional("reason", "VARCHAR", "Why it ended."),
        required("seats", "INTEGER", "How many seats."),
        required("turns", "INTEGER", "How many turns were taken, undone ones not counted."),
        required("events", "INTEGER", "How many events: the last one's number."),
        required("gaps", "INTEGER", "How many gaps the record has."),
        required("decisions", "INTEGER", "How many rows it has in `decisions`."),
        required("findings", "INTEGER", "How many findings."),
        required(
            "reading", "VARCHAR", "Edition and kernel of everything computed in these tables."
        ),
    ),
)

_MATCHES = Table(
    "matches",
    "One row per match as one source saw it.",
    ("match_id",),
    (
        required("match_id", "VARCHAR", "Stream of the match (UUID)."),
        required("short_id", "VARCHAR", "First eight hex digits of match_id."),
        optional("match_key", "VARCHAR", "Same for every record of the match."),
        required("system", "VARCHAR", "The source system."),
        optional("viewpoint", "VARCHAR", "Whose view the source is."),
        required("players", "VARCHAR[]", "The players in the order of their seats."),
        optional("format", "VARCHAR", "The format or queue as the source names it."),
        optional("best_of", "INTEGER", "1 or 3, where stated."),
        optional("client", "VARCHAR", "Version of the source's program, where stated."),
        optional("generation", "INTEGER", "Generation of the importer's numbering."),
        required("from_start", "BOOLEAN", "False where the record starts in mid-match."),
        optional("started_at", "TIMESTAMP", "Time of the first event that has one."),
        optional("ended_at", "TIMESTAMP", "Time of the last event that has one."),
        required("game_ids", "VARCHAR[]", "The streams of its games, in the order linked."),
        optional("result", "VARCHAR", "`win`, `draw` or `unknown`; null while it has no end."),
        required("winners", "INTEGER[]", "The seats that won."),
        optional("reason", "VARCHAR", "Why it ended."),
        optional("ended_by", "VARCHAR", "Who ended it, where somebody did."),
        required("events", "INTEGER", "How many events the match's stream has."),
        required("gaps", "INTEGER", "How many gaps the record has."),
    ),
)

_SEATS = Table(
    "seats",
    "One row per seat of a game.",
    ("game_id", "seat"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event that names the seat."),
        required("seat", "INTEGER", "The seat, 1..n in turn order."),
        required("player", "VARCHAR", "Its player (pseudonymous), or the program that plays it."),
        optional("team", "INTEGER", "Team number where the source has teams."),
        optional("left_at", "INTEGER", "Number of the event with which the player left."),
        optional("left_reason", "VARCHAR", "Why the player left."),
        optional("won", "BOOLEAN", "Whether the seat won; null while the result is not known."),
    ),
)

_EVENTS = Table(
    "events",
    "One row per event of any stream, with its stamp as recorded.",
    ("stream_id", "number"),
    (
        required("stream_id", "VARCHAR", "Stream of the event (UUID)."),
        required("stream_kind", "VARCHAR", "`game`, `match` or `case`."),
        optional("game_id", "VARCHAR", "The stream, if it is a game's; else null."),
        _POSITION,
        _NUMBER,
        required("event_id", "VARCHAR", "UUID made from stream and source record."),
        required("event", "VARCHAR", "Short name, for example `spell_cast`."),
        required("family", "VARCHAR", "Family of the catalogue, for example `decisions`."),
        required("topic", "VARCHAR", "Full name with version."),
        optional("occurred_at", "TIMESTAMP", "When it happened, where the source says."),
        required("clock", "VARCHAR", "Quality of the time: `server`, `client`, `local`, `none`."),
        required("system", "VARCHAR", "The source system."),
        required("record", "VARCHAR", "The source's own identity of the record."),
        optional(
            "correlation_id", "VARCHAR", "Shared by a request and everything that answers it."
        ),
        optional("causation", "INTEGER", "Number of the event that led to this one."),
        optional("action", "VARCHAR", "Shared by the decisions of one action."),
        optional("acting_seat", "INTEGER", "The seat whose action it is."),
        optional("team_seats", "INTEGER[]", "All seats of a team that acts as one."),
        optional("deciding_player", "VARCHAR", "Who is recorded to have made the choice."),
        optional("performer", "VARCHAR", "Who carried it out, where known."),
        optional("authority", "VARCHAR", "Why the decider was entitled."),
        optional("authority_ref", "INTEGER", "Number of the event that granted it."),
        optional("decision_class", "VARCHAR", "`game`, `tournament` or `remedy`."),
        optional("basis", "VARCHAR", "How the decider is known."),
        optional("reading", "VARCHAR", "Edition and kernel that derived the recorded decider."),
        optional("acting_player", "VARCHAR", "The acting seat's player."),
        *_COMPUTED,
        optional("active_seat", "INTEGER", "The active player's seat just after it; null unknown."),
        optional("turn", "INTEGER", "Ordinal of the turn it lies in; null before the first turn."),
        required("sealed", "VARCHAR[]", "Names of the fields that hold a sealed value."),
        required("details", "VARCHAR", "The event's other fields as JSON, without sealed values."),
    ),
)

_TURNS = Table(
    "turns",
    "One row per turn that was taken or skipped, on undone branches too.",
    ("game_id", "number"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event with which it began or was skipped."),
        required("to_number", "INTEGER", "Number of its last event."),
        optional("turn", "INTEGER", "Counts the turns taken, from 1; null for a skipped one."),
        optional("source_turn", "INTEGER", "The source's turn number."),
        required("seat", "INTEGER", "The active player's seat; of a team the primary player's."),
        optional("player", "VARCHAR", "The active player."),
        optional("team_seats", "INTEGER[]", "All seats of a team that takes the turn together."),
        required("skipped", "BOOLEAN", "It was not taken."),
        required("undone", "BOOLEAN", "A later rewind took it back."),
        optional("extra", "BOOLEAN", "It is an extra turn; null for a skipped one."),
        optional("started_at", "TIMESTAMP", "Time of its first event that has one."),
        optional("ended_at", "TIMESTAMP", "Time of its last event that has one."),
    ),
)

_CONTROL_EFFECTS = Table(
    "control_effects",
    "One row per player's share of a control effect or choice effect, as it stands at the end.",
    ("game_id", "number", "label", "affected"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event that created it."),
        required("label", "VARCHAR", "Name of the effect inside the game."),
        required("kind", "VARCHAR", "`control` or `choice`."),
        required("controller", "VARCHAR", "Who decides while it is in force."),
        required("affected", "INTEGER[]", "The seats it decides for."),
        required("scope", "VARCHAR", "When it is in force, or for how long a choice effect lasts."),
        required("decisions", "VARCHAR[]", "Which choices a choice effect gives; else empty."),
        optional("source_card", "VARCHAR", "The card that made it, where public."),
        optional("object", "VARCHAR", "The object that bounds it."),
        required("extra_turn_after", "BOOLEAN", "It promises an extra turn afterwards."),
        required("may_not", "VARCHAR[]", "Decisions the controller may not make."),
        required("must", "VARCHAR[]", "Decisions the controller must make."),
        required("status", "VARCHAR", "`pending`, `in_force`, `suspended` or `ended`."),
        optional("began", "INTEGER", "Number of the event with which its window opened."),
        optional("ended", "INTEGER", "Number of the event that ended it."),
        optional("reason", "VARCHAR", "Why it ended."),
        optional("overwritten_by", "VARCHAR", "Label of the effect that overwrote it."),
    ),
)

_CONTROL_INTERVALS = Table(
    "control_intervals",
    "One row per stretch in which a control effect decides for a seat, on undone branches too.",
    ("game_id", "number", "seat"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event just after which it begins."),
        optional("to_number", "INTEGER", "Number of its last event; null to the record's end."),
        required("seat", "INTEGER", "The controlled seat."),
        required("controller", "VARCHAR", "Who controls the seat's player."),
        required("effect", "VARCHAR", "Label of the effect."),
        required("effect_number", "INTEGER", "Number of the event that created the effect."),
        required("scope", "VARCHAR", "When the effect is in force."),
        required("certain", "BOOLEAN", "False where a gap hides whether the effect still works."),
    ),
)

_DECISIONS = Table(
    "decisions",
    "One row per decision that was made, attempted, or asked for and never answered.",
    ("game_id", "number"),
    (
        _GAME,
        _NUMBER,
        required("event", "VARCHAR", "Short name of the event."),
        required("outcome", "VARCHAR", "`made`, `refused` or `unanswered`."),
        required("decision_class", "VARCHAR", "`game`, `tournament` or `remedy`."),
        optional("acting_seat", "INTEGER", "The seat whose action it is."),
        optional("acting_player", "VARCHAR", "That seat's player."),
        required("deciding_player", "VARCHAR", "Who is recorded to have made the choice."),
        optional("performer", "VARCHAR", "Who carried it out, where known."),
        required("authority", "VARCHAR", "The recorded right."),
        optional("authority_ref", "INTEGER", "Number of the event recorded to have granted it."),
        required("basis", "VARCHAR", "How the recorded decider is known."),
        optional("reading", "VARCHAR", "Edition and kernel of the recorded decider."),
        *_COMPUTED,
        optional("for_another", "BOOLEAN", "Somebody other than the acting seat's player decided."),
        optional("request", "INTEGER", "Number of the decision_requested event it answers."),
        optional("request_kind", "VARCHAR", "The source's own name of that request."),
        optional("asked_at", "TIMESTAMP", "When it was asked, where known."),
        optional("occurred_at", "TIMESTAMP", "When it was decided, where known."),
        optional("latency_ms", "BIGINT", "Milliseconds between both, where both are known."),
        optional("active_seat", "INTEGER", "The active player's seat at that moment."),
        optional("turn", "INTEGER", "Ordinal of the turn it lies in."),
        optional("action", "VARCHAR", "Shared by the decisions of one action."),
    ),
)

_OBJECTS = Table(
    "objects",
    "One row per stretch in which an object keeps its id, place, owner, controller and face."
    " What card it is, is not shown.",
    ("game_id", "track", "number"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event just after which it begins."),
        optional("to_number", "INTEGER", "Number of its last event; null to the record's end."),
        required("object", "VARCHAR", "The object as the source names it."),
        required("track", "INTEGER", "Stays the same when the source gives the object a new id."),
        required("zone", "VARCHAR", "The zone it is in."),
        optional("zone_owner", "INTEGER", "Whose zone, for a zone each player has."),
        optional("owner", "INTEGER", "Its owner's seat."),
        optional("controller", "INTEGER", "Its controller's seat, where it has one."),
        required("face_down", "BOOLEAN", "It is face down."),
        required("public", "BOOLEAN", "Everybody may see what it is."),
    ),
)

_VISIBILITY = Table(
    "visibility",
    "One row per stretch in which a viewer is entitled to see an object or a whole zone.",
    ("game_id", "viewer", "object", "zone", "zone_owner", "number"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event just after which it begins."),
        optional("to_number", "INTEGER", "Number of its last event; null to the record's end."),
        required("viewer", "VARCHAR", "`seat:<n>`; or `spectator`, and then everybody may see it."),
        optional("object", "VARCHAR", "The object; null where a whole zone is meant."),
        required("zone", "VARCHAR", "The zone, or the one the object is in."),
        optional("zone_owner", "INTEGER", "Whose zone, for a zone each player has."),
        required("why", "VARCHAR", "What entitles the viewer."),
        required("certain", "BOOLEAN", "False where a gap could make the answer another."),
    ),
)

_LEARNED = Table(
    "learned",
    "One row per object whose card a viewer came to know; it is never un-learned.",
    ("game_id", "viewer", "number", "object"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event since which the viewer knows it."),
        required("viewer", "VARCHAR", "`seat:<n>` or `spectator`."),
        required("object", "VARCHAR", "The object by the id it had then."),
        required("how", "VARCHAR", "`entitled`: could see it; `shown`: was shown it."),
    ),
)

_GAPS = Table(
    "gaps",
    "One row per part of a game or match that is not in the record.",
    ("stream_id", "number"),
    (
        required("stream_id", "VARCHAR", "Stream of the game or match (UUID)."),
        required("stream_kind", "VARCHAR", "`game` or `match`."),
        optional("game_id", "VARCHAR", "The stream, if it is a game's; else null."),
        _NUMBER,
        optional("anchored_at", "INTEGER", "Number of the snapshot that made the record certain."),
        required("cause", "VARCHAR", "Why it is missing."),
        optional("after_record", "VARCHAR", "The last record before it."),
        optional("before_record", "VARCHAR", "The first record after it."),
        required("may_hide", "VARCHAR[]", "Names of events it may hide, where something is known."),
    ),
)

_FINDINGS = Table(
    "findings",
    "One row per finding: a machine-made observation, never a verdict of guilt.",
    ("game_id", "number", "code", "root"),
    (
        _GAME,
        required("number", "INTEGER", "Number of the event that was noticed."),
        required("code", "VARCHAR", "What sort of finding."),
        required("severity", "VARCHAR", "How much it matters to a reader."),
        required("root", "INTEGER", "Number of the event from which it follows; may be the same."),
        optional("rule", "VARCHAR", "Number of the rule it rests on."),
        optional("rule_document", "VARCHAR", "Document of the rule."),
        optional("rule_edition", "VARCHAR", "Edition of that document."),
        required("message", "VARCHAR", "The finding in one sentence, without names."),
    ),
)

_SOURCES = Table(
    "sources",
    "One row per append: which events of a stream came from which file, and when.",
    ("journal_index",),
    (
        required("journal_index", "INTEGER", "Index of the journal's entry, from 0."),
        required("stream_id", "VARCHAR", "Stream that was appended to (UUID)."),
        required("stream_kind", "VARCHAR", "`game`, `match` or `case`."),
        required("number", "INTEGER", "Number of the first event that was added."),
        required("to_number", "INTEGER", "Number of the last event that was added."),
        required("recorded_at", "TIMESTAMP", "When it was added."),
        required("tool", "VARCHAR", "What added it."),
        optional("file_name", "VARCHAR", "Base name of the source file; null for a live append."),
        optional("file_digest", "VARCHAR", "SHA-256 (hex) of the bytes of the file read so far."),
        required("facts_digest", "VARCHAR", "SHA-256 (hex) over the facts of these events."),
        required("root", "VARCHAR", "Root (hex) of the stream's hash tree after it."),
    ),
)

_ALL: Final = (
    _GAMES,
    _MATCHES,
    _SEATS,
    _EVENTS,
    _TURNS,
    _DECISIONS,
    _CONTROL_EFFECTS,
    _CONTROL_INTERVALS,
    _OBJECTS,
    _VISIBILITY,
    _LEARNED,
    _GAPS,
    _FINDINGS,
    _SOURCES,
)

TABLES: Final = MappingProxyType({table.name: table for table in _ALL})
"""Table name -> table, in the order of the data dictionary."""

FOLDED: Final = MappingProxyType({t.name: t for t in _ALL if t is not _SOURCES})
"""The tables that are folded from the events of one stream; `sources` is read from the journal."""

SCHEMA_DIGEST: Final = hashlib.sha256(
    "\n".join(t.create_statement() for t in _ALL).encode()
).hexdigest()
"""Hex SHA-256 of all tables' definitions: a changed column means that views are made again."""
