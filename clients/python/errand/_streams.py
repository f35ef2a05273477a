"""Server-sent events of a task, as items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from . import types
from ._errors import ErrandError
from ._requests import Settings

# The service sends a sign of life at least every 25 seconds.
_SILENCE = 60.0


@dataclass(frozen=True)
class StreamItem:
    """An event of the log, or a piece of what is being written (`delta` and `output`, with `deltas=True`)."""

    kind: Literal["event", "delta", "output"]
    data: dict[str, Any]

    @property
    def event(self) -> types.TaskEvent | None:
        """The event of an item of that kind."""
        return self.data if self.kind == "event" else None  # type: ignore[return-value]


class StreamReader:
    """Puts the lines of a stream together. A message that is cut off at the end is dropped."""

    def __init__(self) -> None:
        self._event = "message"
        self._data: list[str] = []

    def take(self, line: str) -> Iterator[StreamItem]:
        line = line.rstrip("\r\n")
        if line == "":
            event, data = self._event, self._data
            self._event, self._data = "message", []
            if data:
                yield _read_item(event, "\n".join(data))
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)


def _read_item(event: str, data: str) -> StreamItem:
    value: dict[str, Any] = json.loads(data)
    if event == "delta":
        return StreamItem("delta", value)
    if event == "output":
        return StreamItem("output", value)
    if event != "error":
        return StreamItem("event", value)
    error = value["error"]
    raise ErrandError(
        error["message"], code=error["code"], doc_url=error.get("doc_url"), request_id=value.get("request_id")
    )


def stream_request(
    settings: Settings, last_event_id: str | None
) -> tuple[dict[str, str], httpx.Timeout]:
    """Headers and time limits of one connection."""
    headers = dict(settings.headers)
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    return headers, httpx.Timeout(settings.timeout, read=_SILENCE)
