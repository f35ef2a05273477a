"""Errors of the service, and of the way to it."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

_PASSING_CODES = {"connection", "unavailable", "resource_exhausted", "rate_limited", "conflict"}


class ErrandError(Exception):
    """An error of the service, or the reason why it could not be reached."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        param: str | None = None,
        doc_url: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        # "invalid_argument", "not_found" and so on; "connection" if there was no response.
        self.code = code
        self.status = status
        # The field of the request that is invalid.
        self.param = param
        self.doc_url = doc_url
        self.request_id = request_id
        # Seconds that the service asks to wait.
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in _PASSING_CODES or (self.status or 0) >= 502


def _read_retry_after(response: httpx.Response) -> float | None:
    text: str | None = response.headers.get("retry-after")
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        at: float = parsedate_to_datetime(text).timestamp()
        return max(0.0, at - time.time())
    except ValueError:
        return None


def error_of(response: httpx.Response) -> ErrandError:
    """The error of an unsuccessful response that has been read. Proxies respond without an envelope."""
    try:
        body: Any = response.json()
    except ValueError:
        body = None
    envelope: dict[str, Any] = body if isinstance(body, dict) else {}
    error = envelope.get("error")
    fields: dict[str, Any] = error if isinstance(error, dict) else {}
    status = response.status_code
    return ErrandError(
        str(fields.get("message") or f"the service answered with status {status}"),
        code=str(fields.get("code") or ("unavailable" if status >= 500 else "unknown")),
        status=status,
        param=fields.get("param"),
        doc_url=fields.get("doc_url"),
        request_id=envelope.get("request_id") or response.headers.get("x-request-id"),
        retry_after=_read_retry_after(response),
    )


def lost_connection(cause: Exception) -> ErrandError:
    """Why there was no response."""
    return ErrandError(f"the service could not be reached: {cause or type(cause).__name__}", code="connection")
