"""A call of the API: its request, and its repeats."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import json
import random
import time
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from ._operations import OPERATIONS
from ._retry import RetryBudget, delay_before, may_repeat
from ._transport import Request, Transport
from ._version import VERSION
from .errors import TollgateError

_IDEMPOTENT_METHODS = frozenset({"GET", "PUT", "DELETE"})


class Caller:
    """Sends requests with one credential, and repeats those that may be repeated."""

    def __init__(self, transport: Transport, api_key: str | None, retries: int) -> None:
        self.transport = transport
        self.retries = retries
        self.api_key = api_key
        self._budget = RetryBudget()

    def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        text: bytes | None = None,
        idempotency_key: str | None = None,
        is_keyed_by_body: bool = False,
        retries: int | None = None,
        traceparent: str | None = None,
    ) -> Any:
        """``text``: the body, if it is JSON already. ``retries``: default is that of the client.

        ``traceparent``: the span that asks.
        """
        method, template, needs_key, is_keyed = OPERATIONS[operation]
        if needs_key and self.api_key is None:
            raise TollgateError(status=0, code="no_api_key", detail="Pass `api_key`, or set TOLLGATE_API_KEY.")
        key = (idempotency_key or str(uuid.uuid4())) if is_keyed and not is_keyed_by_body else None
        content = _encode(body) if text is None else text
        is_safe = method in _IDEMPOTENT_METHODS or is_keyed or is_keyed_by_body
        url = _fill(template, path) + _search(query)
        headers = self._headers(self.api_key if needs_key else None, key, content)
        if traceparent is not None:
            headers["traceparent"] = traceparent
        request = Request(method, url, headers, content, is_safe_to_repeat=is_safe)
        return self._send(request, self.retries if retries is None else retries)

    async def call_in_thread(self, operation: str, **filling: Any) -> Any:
        """As ``call``, in a thread of the transport: requests that hang take no thread of asyncio's own."""
        context = contextvars.copy_context()
        call = functools.partial(context.run, self.call, operation, **filling)
        return await asyncio.get_running_loop().run_in_executor(self.transport.threads(), call)

    def _send(self, request: Request, retries: int) -> Any:
        repeats = 0
        while True:
            try:
                answer = self.transport.send(request)
            except TollgateError as error:
                if repeats > 0 and request.method == "DELETE" and error.status == 404:
                    return None  # an earlier try of this call deleted it, and its answer was lost
                delay = _delay(error, request.is_safe_to_repeat, repeats) if repeats < retries else None
                if delay is None or not self._budget.take():
                    raise
                time.sleep(delay)
                repeats += 1
            else:
                self._budget.earn()
                return answer

    def _headers(self, api_key: str | None, idempotency_key: str | None, body: bytes | None) -> dict[str, str]:
        headers = {"accept": "application/json, */*", "user-agent": f"tollgate-sdk-python/{VERSION}"}
        if api_key is not None:
            headers["authorization"] = f"Bearer {api_key}"
        if body is not None:
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        return headers


def _delay(error: TollgateError, is_safe_to_repeat: bool, repeats: int) -> float | None:
    """None if there must be no further try."""
    if not may_repeat(is_safe_to_repeat=is_safe_to_repeat, status=error.status, code=error.code):
        return None
    return delay_before(repeats=repeats, retry_after=error.retry_after, random=random.random())


def _encode(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body, separators=(",", ":"), allow_nan=False).encode()


def _fill(template: str, values: Mapping[str, str] | None) -> str:
    path = template
    for name, value in (values or {}).items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    return path


def _search(query: Mapping[str, Any] | None) -> str:
    entries = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
    return f"?{urlencode(entries)}" if entries else ""


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
