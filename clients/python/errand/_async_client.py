"""The client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType

import httpx

from . import types
from ._async_connection import AsyncConnection
from ._errors import ErrandError
from ._async_operations import AsyncOperations
from ._requests import plan_delay, settings_of
from ._streams import StreamItem
from ._turns import TaskOutcome

_POLL = 0.25


class AsyncErrand(AsyncOperations):
    """A service and its operations: `await errand.task.create(message={"content": "…"})`. Every failure is an `ErrandError`."""

    def __init__(
        self,
        base_url: str = "http://localhost:7070",
        *,
        api_key: str | None = None,
        access_token: str | None = None,
        max_retries: int = 4,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(AsyncConnection(settings_of(base_url, api_key, access_token, max_retries, timeout), http))

    async def __aenter__(self) -> AsyncErrand:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._connection.http.aclose()

    async def stream_task(
        self, task_id: str, *, verbose: bool = False, deltas: bool = False, last_event_id: str | None = None
    ) -> AsyncIterator[StreamItem]:
        """Every event of a task, each once and in order: a connection that breaks is reopened after the last event."""
        retry = 0
        while True:
            after: float | None = None
            try:
                request = {"task_id": task_id, "verbose": verbose, "deltas": deltas}
                async for item in self._connection.stream_once(request, last_event_id):
                    if item.kind == "event":
                        last_event_id = item.data["id"]
                    retry = 0
                    yield item
            except ErrandError as error:
                if not error.is_passing:
                    raise
                after = error.retry_after
            await asyncio.sleep(plan_delay(retry, after))
            retry += 1

    async def wait_for_task(self, task_id: str) -> TaskOutcome:
        """Waits until the task's turn is over: stopped, failed, or waiting for an answer."""
        turn = TaskOutcome(task_id)
        async for item in self.stream_task(task_id, verbose=True):
            if item.kind != "event":
                continue
            turn.read(item.data)
            # The log may continue after the end of an earlier turn: only its newest event shows the current status.
            if turn.has_ended:
                newest = (await self.task.list_messages(task_id=task_id, limit=1, verbose=True))["messages"]
                if newest and newest[0]["id"] == turn.last_event_id:
                    return turn
        raise AssertionError("a stream of a task has no end")

    async def upload_file(self, filename: str, data: bytes) -> types.FileDetailResponse:
        """Registers a file, sends its bytes, and waits until a message can reference its `id`."""
        registered = await self.file.upload(filename=filename)
        await self._connection.put(registered["upload_url"], data)
        while True:
            answer = await self.file.detail(file_id=registered["file"]["id"])
            file = answer["file"]
            if file["status"] == "uploaded":
                return answer
            if file["status"] != "pending":
                raise ErrandError(f"the file is {file['status']}", code="upload_failed")
            await asyncio.sleep(_POLL)
