"""Meters every request of an ASGI application, and lets its callers pay by the pass that they send."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Literal, Union

from ._event import Metadata
from .calls import Calls, PaidCall, Refusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_BODY_TYPES = frozenset({"http.response.body", "http.response.pathsend", "http.response.zerocopysend"})
_PIECE_BYTES_MAX = 65_536
_AHEAD_MAX = 16

_TITLES = {402: "Payment required", 403: "Forbidden", 503: "Service unavailable"}
_STATUSES = {"payment_required": 402, "spending_cap_reached": 402, "approval_required": 402, "gate_unavailable": 503}


@dataclass(frozen=True)
class EndedAnswer:
    """How an answer ended."""

    status: int
    #: All of it was sent, whether its reader stayed to the end or not.
    is_whole: bool
    #: ``caller``: the caller or the network cut it. ``builder``: the application itself did. None if it is whole.
    cut_by: Literal["caller", "builder"] | None
    #: Bytes of the body that the server took while the caller was there.
    delivered_bytes: int


def _has_failed(answer: EndedAnswer) -> bool:
    return answer.status >= 500 or not answer.is_whole


class MeterRequests:
    """An ASGI application around another one. Starlette and FastAPI: ``app.add_middleware(MeterRequests, calls=…)``.

    ``tool``: the slug at Tollgate, or ``(scope) -> slug``; for None the request is free. ``key``: ``(scope) -> key`` of
    the caller who pays; default: the bearer token. ``metadata``: ``(scope, answer) -> dict`` picks metadata of the
    event; without it nothing of the request is sent. ``failed``: ``(answer) -> bool``; default: 500 and above, and what
    was cut. ``answer`` is an ``EndedAnswer``. A preflight is not metered, and its answer has no body.
    """

    def __init__(
        self,
        app: App,
        *,
        calls: Calls,
        tool: Union[str, Callable[[Scope], "str | None"]],
        key: Callable[[Scope], str | None] | None = None,
        metadata: Callable[[Scope, EndedAnswer], Metadata | None] | None = None,
        failed: Callable[[EndedAnswer], bool] = _has_failed,
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
        if _is_preflight(scope):
            await self.app(scope, receive, _without_body(send))
            return
        begun = await self._calls.begin(tool, self._key(scope), traceparent=_header_of(scope, b"traceparent"))
        if isinstance(begun, Refusal):
            await _send_refusal(begun, send)
            return
        answer = _Answer(receive, send)
        if await answer.is_unheard():
            await begun.release()  # nobody waits for it any more, so the application does not run
            return
        await self._run(begun, scope, answer)

    async def _run(self, call: PaidCall, scope: Scope, answer: _Answer) -> None:
        async def end() -> None:
            ended = answer.ended()
            metadata = self._metadata(scope, ended) if self._metadata else None
            await call.end(success=not self._failed(ended), metadata=metadata)

        answer.before_last = end
        try:
            await self.app(scope, answer.receive, answer.send)
        finally:
            answer.forget()
            # After the last byte this does nothing: the call has ended.
            await end()


class _Answer:
    """The answer to a request, as its application sends it."""

    before_last: Callable[[], Awaitable[None]]

    def __init__(self, receive: Receive, send: Send) -> None:
        self._status = 500
        self._delivered = 0
        self._is_sent = False
        self._has_lost_bytes = False
        self._has_hung_up = False
        #: Too much came that the application did not ask for: a client that hangs up is not seen.
        self._is_blind = False
        self._receive = receive
        self._send = send
        #: Messages that come before the application asks for them. So a client that hangs up is seen before it asks.
        self._ahead: deque[Message] = deque()
        #: It is never cancelled while the application may still ask for it: from some receivers nothing comes again.
        self._coming: asyncio.Future[Message] | None = None

    def ended(self) -> EndedAnswer:
        is_whole = self._is_sent and not self._has_lost_bytes
        cut_by: Literal["caller", "builder"] = "caller" if self._has_hung_up else "builder"
        return EndedAnswer(self._status, is_whole, None if is_whole else cut_by, self._delivered)

    async def is_unheard(self) -> bool:
        """Whether the client has hung up before the application runs."""
        await self._look()
        return self._has_hung_up

    def forget(self) -> None:
        if self._coming is not None:
            self._coming.cancel()

    async def receive(self) -> Message:
        while not self._ahead:
            coming = self._ask()
            await asyncio.wait([coming])
            self._take(coming)
        message = self._ahead[0]
        if message["type"] != "http.disconnect":
            self._ahead.popleft()  # every reader learns of a disconnection
        return message

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind == "http.response.start":
            self._status = message["status"]
        if kind == "http.response.body":
            await self._send_body(message)
        elif kind in _BODY_TYPES and not message.get("more_body", False):
            await self._send_last(message, 0)
        else:
            await self._pass_on(message)

    async def _send_body(self, message: Message) -> None:
        """A large body goes in pieces, so that a server can say when it is full, and a cut within it is seen."""
        body, is_last = message.get("body", b""), not message.get("more_body", False)
        first = 0
        while len(body) - first > _PIECE_BYTES_MAX:
            await self._send_piece({**message, "body": body[first : first + _PIECE_BYTES_MAX], "more_body": True})
            first += _PIECE_BYTES_MAX
        rest = {**message, "body": body[first:]} if first else message
        if is_last:
            await self._send_last(rest, len(body) - first)
        else:
            await self._send_piece(rest)

    async def _send_piece(self, message: Message) -> None:
        await self._pass_on(message)
        await self._look()
        self._note(len(message.get("body", b"")))

    async def _send_last(self, message: Message, size: int) -> None:
        await self._look(is_application_done=True)
        self._note(size)
        self._is_sent = True
        await self.before_last()  # before the end is sent: an ended answer is never lost
        await self._pass_on(message)

    async def _pass_on(self, message: Message) -> None:
        try:
            await self._send(message)
        except OSError:  # so a server may tell that the client hung up
            self._has_hung_up = True
            raise

    def _note(self, size: int) -> None:
        if self._has_hung_up and size > 0:
            self._has_lost_bytes = True
        else:
            self._delivered += size

    async def _look(self, *, is_application_done: bool = False) -> None:
        """A server drops what is sent to a client that hung up, and only tells who asks."""
        while not self._has_hung_up:
            if is_application_done:
                self._ahead.clear()
            elif len(self._ahead) >= _AHEAD_MAX:
                self._is_blind = True
                return
            coming = self._ask()
            await asyncio.wait([coming], timeout=0)
            if not coming.done() or coming.exception() is not None:
                return  # the application gets the exception when it asks
            self._take(coming)
        if is_application_done and self._is_blind:
            self._has_lost_bytes = True  # nobody knows since when

    def _ask(self) -> asyncio.Future[Message]:
        if self._coming is None:
            self._coming = asyncio.ensure_future(self._receive())
        return self._coming

    def _take(self, coming: asyncio.Future[Message]) -> None:
        if self._coming is not coming:
            return  # another who waited for it has taken it
        self._coming = None
        message = coming.result()
        self._has_hung_up = self._has_hung_up or message["type"] == "http.disconnect"
        self._ahead.append(message)


def _is_preflight(scope: Scope) -> bool:
    """A browser asks so whether it may send the request itself. It sends no credentials."""
    return scope["method"] == "OPTIONS" and any(
        name.lower() == b"access-control-request-method" for name, _ in scope["headers"]
    )


def _without_body(send: Send) -> Send:
    """A browser shows the body of this answer to nobody. So nobody gets work for nothing by asking so."""

    async def send_without_body(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [header for header in message.get("headers", []) if header[0].lower() != b"content-length"]
            await send({**message, "headers": headers})
        elif message["type"] not in _BODY_TYPES:
            await send(message)
        elif not message.get("more_body", False):
            await send({"type": "http.response.body", "body": b""})

    return send_without_body


def bearer_of(scope: Scope) -> str | None:
    """The bearer token of a request."""
    match = re.fullmatch(r"(?i)bearer +(\S+)", _header_of(scope, b"authorization") or "")
    return match[1] if match else None


def _header_of(scope: Scope, asked: bytes) -> str | None:
    """The first header of this name, which is in lower case."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name.lower() == asked), None)


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
