"""The state of a task at the end of a turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_ENDS = {"stopped", "waiting", "error"}


@dataclass
class TaskOutcome:
    """How a turn ended: `status` is "stopped", "error", or "waiting" with the agent's question as `message`."""

    task_id: str
    status: str = "running"
    message: str = ""
    attachments: list[dict[str, Any]] = field(default_factory=list)
    structured_output: dict[str, Any] | None = None
    # The last event, after which a stream can resume.
    last_event_id: str = ""

    @property
    def has_ended(self) -> bool:
        return self.status in _ENDS

    def read(self, event: dict[str, Any]) -> None:
        """Takes the next event of the log into account."""
        self.last_event_id = event["id"]
        kind = event["type"]
        content: dict[str, Any] = event.get(kind) or {}
        if kind == "user_message":
            self.message, self.attachments, self.structured_output = "", [], None
        elif kind == "assistant_message":
            self.message = content["content"]
            self.attachments = content.get("attachments", [])
        elif kind == "error_message":
            self.message = content["content"]
        elif kind == "structured_output_result":
            self.structured_output = content
        elif kind == "status_update":
            self.status = content["agent_status"]
            if self.status == "waiting":
                self.message = (content.get("status_detail") or {}).get("waiting_description") or self.message
