"""Signatures of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Iterable, Mapping

# Older deliveries, and those from the future, are rejected: they may be replayed.
_TOLERANCE = 300.0


def _secret_bytes(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix("whsec_"))


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    now: float | None = None,
) -> bool:
    """Whether the service that owns the secret (`whsec_…`, of `webhook.create`) sent exactly this, within the last five minutes.

    `headers` are looked up in lower case. During a rotation, give both secrets.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, stamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs((time.time() if now is None else now) - int(stamp)) > _TOLERANCE:
        return False
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{stamp}.".encode() + content
    texts = [text.partition(",") for text in given.get("webhook-signature", "").split()]
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            expected = hmac.new(_secret_bytes(one), signed, hashlib.sha256).digest()
        except binascii.Error:
            continue
        for version, _, text in texts:
            if version == "v1" and hmac.compare_digest(base64.b64encode(expected).decode(), text):
                return True
    return False
