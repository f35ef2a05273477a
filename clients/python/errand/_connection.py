"""Requests that wait for their response."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from ._errors import ErrandError, error_of, lost_connection
from ._requests import Prepared, Settings, plan_delay, prepare, url_of
from ._streams import StreamItem, StreamReader, stream_request


class Connection:
    """Requests of one caller to one service."""

    def __init__(self, settings: Settings, http: httpx.Client | None = None) -> None:
        self.settings = settings
        self.http = http or httpx.Client(timeout=settings.timeout)

    def call(
        self,
        name: str,
        method: str,
        request: Mapping[str, Any],
        idempotency_key: str | None = None,
        has_secret: bool = False,
    ) -> Any:
        """Calls one operation, with retries of temporary failures."""
        prepared = prepare(self.settings, name, method, request, idempotency_key, has_secret)
        retry = 0
        while True:
            try:
                return self._ask(prepared)
            except ErrandError as error:
                if not error.is_passing or retry >= prepared.max_retries:
                    raise
                time.sleep(plan_delay(retry, error.retry_after))
            retry += 1

    def put(self, url: str, data: bytes) -> None:
        """Puts bytes to a pre-signed URL, without a credential."""
        try:
            response = self.http.put(url, content=data)
        except httpx.HTTPError as cause:
            raise lost_connection(cause) from cause
        if not response.is_success:
            raise error_of(response)

    def stream_once(self, request: Mapping[str, Any], last_event_id: str | None) -> Iterator[StreamItem]:
        """The items of one connection to an event stream, until it ends or breaks."""
        headers, timeout = stream_request(self.settings, last_event_id)
        reader = StreamReader()
        url = url_of(self.settings, "task.stream", request)
        try:
            with self.http.stream("GET", url, headers=headers, timeout=timeout) as response:
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                for line in response.iter_lines():
                    yield from reader.take(line)
        except httpx.HTTPError as cause:
            raise lost_connection(cause) from cause

    def _ask(self, prepared: Prepared) -> Any:
        try:
            response = self.http.request(
                prepared.method, prepared.url, headers=prepared.headers, json=prepared.json
            )
        except httpx.HTTPError as cause:
            raise lost_connection(cause) from cause
        if not response.is_success:
            raise error_of(response)
        return response.json()
