"""How far the answer to an HTTP request has come on its way to its client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Optional

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_App = Callable[[Any, _Receive, _Send], Awaitable[None]]

_SCOPE_KEY = "tollgate.delivery"


class Delivery:
    """Ends with the whole answer given to the server of HTTP, or with a client that hung up before."""

    def __init__(self) -> None:
        self.is_lost = False
        #: Resolves with whether the client has the answer.
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def end(self, *, is_delivered: bool) -> None:
        if not self.ended.done():
            self.is_lost = not is_delivered
            self.ended.set_result(is_delivered)


class FollowAnswers:
    """Goes around an ASGI application. The MCP SDK shows a handler no answer."""

    def __init__(self, app: _App) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        delivery = scope[_SCOPE_KEY] = Delivery()

        async def watch() -> _Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                delivery.end(is_delivered=False)
            return message

        async def follow(message: _Message) -> None:
            is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_last and await _has_hung_up(receive):
                delivery.end(is_delivered=False)  # servers take the answer all the same
            await send(message)
            if is_last:
                delivery.end(is_delivered=True)

        try:
            await self._app(scope, watch, follow)
        finally:
            delivery.end(is_delivered=False)


def delivery_of(request: Any) -> Optional[Delivery]:
    """``request``: that of Starlette, over HTTP. None: nobody follows it."""
    found = getattr(request, "scope", {}).get(_SCOPE_KEY)
    return found if isinstance(found, Delivery) else None


async def _has_hung_up(receive: _Receive) -> bool:
    """The body is read already, so there is nothing else to be received."""
    asking = asyncio.ensure_future(receive())
    await asyncio.sleep(0)
    if not asking.done():
        asking.cancel()
        return False
    return str(asking.result()["type"]) == "http.disconnect"
