"""A typed client for Errand and other services with the same API."""

from . import types
from ._async_client import AsyncErrand
from ._client import Errand
from ._errors import ErrandError
from ._streams import StreamItem
from ._turns import TaskOutcome
from .webhooks import verify_webhook

__all__ = ["AsyncErrand", "Errand", "ErrandError", "StreamItem", "TaskOutcome", "types", "verify_webhook"]
