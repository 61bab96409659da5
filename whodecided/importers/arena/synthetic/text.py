"""The text of a client log: headers, one-line batches, pretty-printed client messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from domain.ids import NAMESPACE, uuid5_text

__all__ = ["LogText", "spaced"]

_TICKS_AT_EPOCH: Final = 621_355_968_000_000_000
_MATCH_SERVICE: Final = "ClientToMatchServiceMessageType_ClientTo"


def spaced(value: Any) -> str:
    """One-line JSON with the client's blanks: `{ "a": [ 1, 2 ] }`."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(key)}: {spaced(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{ }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[ {', '.join(spaced(item) for item in value)} ]" if value else "[ ]"
    return json.dumps(value)


class LogText:
    """A log that is being written, entry by entry.

    `account` stands in the headers, `moment` is the clock (UTC) that `wait` moves, `newline` ends
    every line. `entries` are the entries so far, without line ends, in the order of the file.
    """

    def __init__(self, account: str, start: datetime, *, newline: str = "\n") -> None:
        self.account = account
        self.moment = start.astimezone(UTC)
        self.newline = newline
        self.entries: list[str] = []
        self._requests = 0

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.moment += timedelta(milliseconds=milliseconds)

    def preamble(self, *, detailed: bool = True) -> None:
        """The first lines of a session, with the line that says whether detailed logs are on."""
        self.entries.append("Mono path[0] = 'synthetic'")
        self.entries.append(f"DETAILED LOGS: {'ENABLED' if detailed else 'DISABLED'}")

    def chatter(self, line: str) -> None:
        """A line that says nothing about the game."""
        self.entries.append(line)

    def room(self, info: Mapping[str, Any]) -> None:
        """A change of the match's room."""
        envelope = self._envelope() | {"matchGameRoomStateChangedEvent": {"gameRoomInfo": info}}
        self._incoming("MatchGameRoomStateChangedEvent", spaced(envelope))

    def batch(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Messages of the rules engine that arrive together."""
        envelope = self._envelope() | {"greToClientEvent": {"greToClientMessages": list(messages)}}
        self._incoming("GreToClientEvent", spaced(envelope))

    def client(self, payload: Mapping[str, Any]) -> None:
        """A message of the client."""
        self._requests += 1
        chat = payload["type"] == "ClientMessageType_UIMessage"
        kind = "GREUIMessage" if chat else "GREMessage"
        since = self.moment - datetime(1970, 1, 1, tzinfo=UTC)
        message = {
            "requestId": self._requests,
            "clientToMatchServiceMessageType": _MATCH_SERVICE + kind,
            "timestamp": str(_TICKS_AT_EPOCH + since // timedelta(microseconds=1) * 10),
            "transactionId": self._transaction(),
            "payload": payload,
        }
        header = f"{self.account} to Match: ClientToGre{'ui' if chat else ''}message"
        body = json.dumps(message, indent=2).replace("\n", self.newline)
        self.entries.append(self._header(header) + self.newline + body)

    def summarised(self, objects: int) -> None:
        """The client's own note that it left a batch out."""
        lines = (
            self._header(f"Match to {self.account}: GreToClientEvent"),
            "[Message summarized because one or more GameStateMessages exceeded"
            " the 50 GameObject or 50 Annotation limit.]",
            "::: GameStateMessage",
            f":: GameObject Count = {objects}",
            ":: Annotation Count = 4",
        )
        self.entries.append(self.newline.join(lines))

    def text(self) -> str:
        """Everything written so far."""
        return "".join(entry + self.newline for entry in self.entries)

    def _incoming(self, kind: str, body: str) -> None:
        header = self._header(f"Match to {self.account}: {kind}")
        self.entries.append(header + self.newline + body)

    def _header(self, what: str) -> str:
        now = self.moment
        hour, half = now.hour % 12 or 12, "AM" if now.hour < 12 else "PM"
        clock = f"{now.month}/{now.day}/{now.year} {hour}:{now:%M:%S} {half}"
        return f"[UnityCrossThreadLogger]{clock}: {what}"

    def _envelope(self) -> dict[str, Any]:
        since = self.moment - datetime(1970, 1, 1, tzinfo=UTC)
        return {
            "transactionId": self._transaction(),
            "requestId": self._requests + 1,
            "timestamp": str(since // timedelta(milliseconds=1)),
        }

    def _transaction(self) -> str:
        name = f"synthetic|{self.account}|{self.moment.isoformat()}|{len(self.entries)}"
        return uuid5_text(NAMESPACE.bytes, name)
