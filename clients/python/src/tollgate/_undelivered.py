"""Answers that their clients have missed, for equal calls."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Optional

from ._delivery import Delivery
from ._outcome import Response
from ._repeat_store import RepeatStore
from ._seal import Seal

if TYPE_CHECKING:
    from .mcp import ToolCall

#: Gives the answer that an equal call left. None: there is none, so the call runs.
Claim = Callable[[], Awaitable[Optional[Response]]]
#: The response, and whether the call ran to its end.
Answer = tuple[Response, bool]

_ANSWER_BYTES_MAX = 1024 * 1024
#: A server that ends waits so many seconds until an answer is kept.
_KEPT_WITHIN = 10.0


class _OpenCall:
    def __init__(self, name: str, delivery: Delivery | None) -> None:
        self.name = name
        self.delivery = delivery
        self.was_given_up = False
        #: Resolves with the answer that may be kept.
        self.answered: asyncio.Future[Optional[Response]] = asyncio.get_running_loop().create_future()
        self.is_claimed = False
        #: Resolves when the answer is in the store.
        self.stored: asyncio.Future[None] | None = None

    def is_lost(self) -> bool:
        return self.was_given_up or (self.delivery is not None and self.delivery.is_lost)


class Undelivered:
    """A client whose connection breaks sends its call again, under another id.

    A call that ran to its end is paid then, so its answer waits for an equal call of the same payer, which neither runs
    nor pays. Each answer is given once. An answer that was delivered waits for nobody: two equal calls are two calls.

    A call can be in three places. It runs, or its answer is on its way: it is among the open ones, and if its client has
    hung up an equal call may claim it, and waits for its end. Its answer is lost, and nobody has claimed it: the answer
    moves to the store, where equal calls of other processes find it. It is delivered or claimed: nobody else gets it.
    """

    def __init__(self, store: RepeatStore, seal: Seal, on_error: Callable[[Exception], None]) -> None:
        self._store = store
        self._seal = seal
        self._on_error = on_error
        self._open: list[_OpenCall] = []
        self._handing: set[asyncio.Future[None]] = set()

    async def follow(
        self,
        text: str | None,
        delivery: Delivery | None,
        is_cancelled: Callable[[], bool],
        run: Callable[[Claim], Awaitable[Answer]],
    ) -> Answer:
        """Runs a call with what gives it the answer that an equal one left. ``text`` is one for all equal calls.

        None: nobody pays by a key of its own, so callers may be strangers.
        """
        if text is None:
            return await run(_nothing)
        call = _OpenCall(self._seal.name_of(text), delivery)
        self._open.append(call)
        try:
            response, is_final = await run(lambda: self._claim(call))
        except BaseException:
            call.answered.set_result(None)
            self._open.remove(call)
            raise
        call.was_given_up = is_cancelled()
        kept = response if is_final and response.error is None else None
        call.answered.set_result(kept)
        handing = asyncio.ensure_future(self._hand_over(call, kept))
        self._handing.add(handing)
        handing.add_done_callback(self._handing.discard)
        if call.is_lost():  # the next call of its client finds the answer
            with importlib.import_module("anyio").move_on_after(_KEPT_WITHIN, shield=True):
                await asyncio.shield(handing)
        return response, is_final

    async def _hand_over(self, call: _OpenCall, answer: Response | None) -> None:
        """The call has ended: its answer goes to its client, to who claimed it, or to the store."""
        try:
            if answer is None or (not call.is_lost() and (call.delivery is None or await call.delivery.ended)):
                return
            if not call.is_claimed:
                call.stored = asyncio.ensure_future(self._put(call.name, answer))
                await call.stored
        finally:
            self._open.remove(call)

    async def _claim(self, own: _OpenCall) -> Response | None:
        while True:
            left = next((one for one in self._open if _is_left(one) and one is not own and one.name == own.name), None)
            taken = await self._take(own.name)
            if taken is not None or left is None:
                return taken
            if left.stored is not None:
                await asyncio.shield(left.stored)
            elif not left.is_claimed:
                answer = await self._wait_for(left)
                if answer is not None:
                    return answer

    async def _wait_for(self, left: _OpenCall) -> Response | None:
        left.is_claimed = True
        try:
            return await asyncio.shield(left.answered)
        except BaseException:  # its own client hung up
            left.is_claimed = False
            if left.answered.done() and left not in self._open and left.answered.result() is not None:
                with importlib.import_module("anyio").move_on_after(_KEPT_WITHIN, shield=True):
                    await self._put(left.name, left.answered.result() or Response(None))
            raise

    async def _put(self, name: str, answer: Response) -> None:
        text = json.dumps({"jsonrpc": "2.0", "result": answer.result})
        if len(text.encode()) > _ANSWER_BYTES_MAX:
            return
        try:
            await self._store.put(name, self._seal.close(name, text))
        except Exception as error:
            self._on_error(error)

    async def _take(self, name: str) -> Response | None:
        try:
            sealed = await self._store.take(name)
        except Exception as error:
            self._on_error(error)
            return None
        text = None if sealed is None else self._seal.open(name, sealed)
        return None if text is None else Response(json.loads(text)["result"])


def name_call(call: ToolCall, payer: str | None, server: str) -> str | None:
    """One text for all equal calls of one payer."""
    if payer is None:
        return None
    meta = {name: value for name, value in call.meta.items() if name not in _UNLIKE_META}
    equal: list[Any] = [server, payer, call.name, call.arguments, call.continuation, meta]
    return json.dumps(equal, default=str, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


#: The parts that differ when a client sends a call again, and the caller's key.
_UNLIKE_META = frozenset({"tollgate/key", "progressToken", "progress_token", "traceparent", "tracestate", "baggage"})


def _is_left(call: _OpenCall) -> bool:
    return call.is_lost() and not call.is_claimed


async def _nothing() -> None:
    return None
