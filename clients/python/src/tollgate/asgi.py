"""Meters every request of an ASGI application, and lets its callers pay by the pass that they send."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Union

from ._event import Metadata
from .calls import Calls, PaidCall, Refusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_TITLES = {402: "Payment required", 403: "Forbidden", 503: "Service unavailable"}
_STATUSES = {"payment_required": 402, "spending_cap_reached": 402, "gate_unavailable": 503}


class MeterRequests:
    """An ASGI application around another one. Starlette and FastAPI: ``app.add_middleware(MeterRequests, calls=…)``.

    ``tool``: the slug at Tollgate, or ``(scope) -> slug``; for None the request is free. ``key``: ``(scope) -> key`` of
    the caller who pays; default: the bearer token. ``metadata``: ``(scope, status) -> dict`` picks metadata of the
    event; without it nothing of the request is sent. ``failed``: ``(status) -> bool``; default: 500 and above. An
    answer that was cut off always is a failed call.
    """

    def __init__(
        self,
        app: App,
        *,
        calls: Calls,
        tool: Union[str, Callable[[Scope], "str | None"]],
        key: Callable[[Scope], str | None] | None = None,
        metadata: Callable[[Scope, int], Metadata | None] | None = None,
        failed: Callable[[int], bool] = lambda status: status >= 500,
    ) -> None:
        self.app = app
        self._calls = calls
        self._tool = tool
        self._key = key or bearer_of
        self._metadata = metadata
        self._failed = failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tool = None
        if scope["type"] == "http":
            tool = self._tool if isinstance(self._tool, str) else self._tool(scope)
        if tool is None:
            await self.app(scope, receive, send)
            return
        begun = await self._calls.begin(tool, self._key(scope))
        if isinstance(begun, Refusal):
            await _send_refusal(begun, send)
            return
        answer = _Answer(receive, send)
        if await answer.is_unheard():
            await begun.release()  # nobody waits for it any more, so the application does not run
            return
        await self._run(begun, scope, answer)

    async def _run(self, call: PaidCall, scope: Scope, answer: _Answer) -> None:
        async def end(*, aborted: bool) -> None:
            metadata = self._metadata(scope, answer.status) if self._metadata else None
            await call.end(success=not aborted and not self._failed(answer.status), metadata=metadata)

        answer.before_last = lambda: end(aborted=answer.has_hung_up)
        try:
            await self.app(scope, answer.receive, answer.send)
        finally:
            answer.forget_early()
            # After the last byte this does nothing: the call has ended.
            await end(aborted=True)


class _Answer:
    """The answer to a request, as its application sends it."""

    before_last: Callable[[], Awaitable[None]]

    def __init__(self, receive: Receive, send: Send) -> None:
        self.status = 500
        self.has_hung_up = False
        self._receive = receive
        self._send = send
        self._is_receiving = False
        #: Asked for before the application did. It is never cancelled while the application may still ask for it.
        self._early: asyncio.Future[Message] | None = None

    async def is_unheard(self) -> bool:
        """Whether the client has hung up before the application runs."""
        early = self._early = asyncio.ensure_future(self._receive())
        await asyncio.wait([early], timeout=0)
        return early.done() and early.exception() is None and early.result()["type"] == "http.disconnect"

    def forget_early(self) -> None:
        if self._early is not None:
            self._early.cancel()

    async def receive(self) -> Message:
        self._is_receiving = True
        try:
            message = await self._next()
        finally:
            self._is_receiving = False
        if message["type"] == "http.disconnect":
            self.has_hung_up = True
        return message

    async def _next(self) -> Message:
        early = self._early
        if early is None:
            return await self._receive()
        message = await asyncio.shield(early)
        self._early = None
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if is_last or message["type"] == "http.response.pathsend":
            await self._look_whether_hung_up()
            await self.before_last()  # before the end is told: an ended answer is never lost
        await self._send(message)

    async def _look_whether_hung_up(self) -> None:
        """A server drops what is sent to a client that hung up, and only tells who asks. The application is done."""
        while not self._is_receiving and not self.has_hung_up:
            asked = asyncio.ensure_future(self._next())
            await asyncio.wait([asked], timeout=0)
            if not asked.done():
                asked.cancel()
                return
            if asked.exception() is not None:
                return
            self.has_hung_up = asked.result()["type"] == "http.disconnect"


def bearer_of(scope: Scope) -> str | None:
    """The bearer token of a request."""
    for name, value in scope["headers"]:
        if name.lower() == b"authorization":
            match = re.fullmatch(r"(?i)bearer +(\S+)", value.decode("latin-1"))
            return match[1] if match else None
    return None


async def _send_refusal(refusal: Refusal, send: Send) -> None:
    """A problem document (RFC 9457), with the code of Tollgate's own refusal."""
    status = _STATUSES.get(refusal.code, 403)
    problem = {"type": "about:blank", "title": _TITLES[status], "status": status, **refusal.to_wire()}
    body = json.dumps(problem).encode()
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"%d" % len(body)),
    ]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
