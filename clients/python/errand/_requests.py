"""What the connections of both kinds share: requests, retries, credentials."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

_FIRST_DELAY = 0.5
_LONGEST_DELAY = 20.0


@dataclass(frozen=True)
class Settings:
    """The service and the caller's credential."""

    base_url: str
    headers: Mapping[str, str]
    max_retries: int
    timeout: float


def settings_of(
    base_url: str, api_key: str | None, access_token: str | None, max_retries: int, timeout: float
) -> Settings:
    """Exactly one credential: an API key (also of an instance), or an access token (also of a task)."""
    if (api_key is None) == (access_token is None):
        raise TypeError("Give either api_key or access_token.")
    headers = {"authorization": f"Bearer {access_token}"} if api_key is None else {"x-service-api-key": api_key}
    return Settings(base_url.rstrip("/"), headers, max_retries, timeout)


def plan_delay(retry: int, retry_after: float | None) -> float:
    """The delay before a retry: as the service asks, or twice the last one, with jitter so that clients do not retry together."""
    grown: float = min(_LONGEST_DELAY, _FIRST_DELAY * 2.0**retry)
    return max(retry_after or 0.0, grown * (0.5 + random.random() / 2))


def _text_of(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def query_of(request: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Fields of objects are parameters of their own: `metadata.<key>`."""
    for name, value in request.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            yield from query_of(value, f"{prefix}{name}.")
        elif isinstance(value, (list, tuple)):
            yield prefix + name, ",".join(map(_text_of, value))
        else:
            yield prefix + name, _text_of(value)


def url_of(settings: Settings, name: str, query: Mapping[str, Any]) -> str:
    """Where an operation is, with its parameters."""
    text = urlencode(list(query_of(query)))
    return f"{settings.base_url}/v2/{name}" + (f"?{text}" if text else "")


@dataclass(frozen=True)
class Prepared:
    """One request as it is sent, and how often it may be repeated."""

    method: str
    url: str
    headers: dict[str, str]
    json: Any
    max_retries: int


def prepare(
    settings: Settings,
    name: str,
    method: str,
    request: Mapping[str, Any],
    idempotency_key: str | None = None,
    has_secret: bool = False,
) -> Prepared:
    """A write carries a key, so that a retry takes effect once; one with a secret has none, and is not repeated."""
    headers = dict(settings.headers)
    is_read = method == "GET"
    if not is_read and not has_secret:
        headers["idempotency-key"] = idempotency_key or uuid.uuid4().hex
    return Prepared(
        method,
        url_of(settings, name, request if is_read else {}),
        headers,
        None if is_read else dict(request),
        0 if has_secret else settings.max_retries,
    )
