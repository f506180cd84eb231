"""Meters calls, and lets their callers pay. `tollgate.asgi` and `tollgate.mcp` stand on it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Optional, TypeVar, Union

from ._clock import SYSTEM_CLOCK
from ._event import Metadata
from ._time import to_iso_seconds
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError
from .meter import AsyncMeter, Meter

if TYPE_CHECKING:
    from . import types as t

#: So many callers are remembered, each with its client, which has a retry budget of its own.
_CALLERS_MAX = 1_000
#: For so many seconds a pass is believed without another look; its owner's changes are felt after that at the latest.
_PASS_KEPT = 1.0

_logger = logging.getLogger("tollgate")
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Refusal:
    """Why a call was refused before it ran."""

    #: Stable: program against this.
    code: str
    #: A sentence that says what to do, for people and for agents.
    detail: str


class PaidCall:
    """A call that may run."""

    def __init__(self, calls: Calls, tool: str, key: str | None) -> None:
        self._calls = calls
        self._tool = tool
        self._key = key
        self._started = SYSTEM_CLOCK.now()
        self._has_ended = False

    async def end(self, *, success: bool, metadata: Metadata | None = None) -> None:
        """Records the call, once. Raises nothing: the caller's answer does not depend on it.

        A call that never ran is not ended. Who is cancelled meanwhile leaves the recording to itself.
        """
        if self._has_ended:
            return  # a reader that gives up may end a call in two ways
        self._has_ended = True
        duration_ms = max(0.0, (SYSTEM_CLOCK.now() - self._started) * 1000)
        await self._calls._finish(self._record(duration_ms, success, metadata))

    async def _record(self, duration_ms: float, success: bool, metadata: Metadata | None) -> None:
        try:
            timestamp = to_iso_seconds(self._started)
            if self._key is None:
                await self._calls._meter._keep(
                    self._tool, duration_ms=duration_ms, success=success, metadata=metadata, timestamp=timestamp
                )
                return
            event: t.Event = {
                "tool_id": self._tool,
                "duration_ms": round(duration_ms),
                "success": success,
                "timestamp": timestamp,
            }
            if metadata is not None:
                event["metadata"] = dict(metadata)
            await self._calls._caller_of(self._key).client.events.record(event)
        except Exception as error:
            self._calls.on_error(error)


class Calls:
    """Decides for each call whether it may run, and records what it came to.

    A call that comes with a pass or an API key is recorded with it, so its account pays, and its event is sent when the
    call ends. A call without is recorded by the meter, for the account of this program, and survives crashes.

    ``meter`` must stay open while calls may run. ``require_pass``: refuse each call whose caller has no live pass that
    allows the tool. ``on_error`` gets each error that no caller is told; default: the logger ``tollgate``.
    """

    def __init__(
        self,
        *,
        tollgate: Tollgate | AsyncTollgate,
        meter: Meter | AsyncMeter,
        require_pass: bool = False,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        self.tollgate = to_async(tollgate)
        self.on_error = on_error or _warn
        self._meter = meter
        self._require_pass = require_pass
        self._callers: RecentMap[_Caller] = RecentMap(_CALLERS_MAX)
        self._finishing: set[asyncio.Task[None]] = set()

    async def begin(self, tool: str, key: str | None) -> PaidCall | Refusal:
        """``tool``: its slug. ``key``: the caller's pass or API key."""
        refusal = await self._refusal_of(tool, key) if self._require_pass else None
        return refusal or PaidCall(self, tool, key)

    async def _refusal_of(self, tool: str, key: str | None) -> Refusal | None:
        """An error that says neither yes nor no refuses the call: an unchecked yes would be a call that nobody pays."""
        if key is None:
            return _key_missing(tool)
        try:
            found = await self._caller_of(key).read_pass()
        except Exception as error:
            refusal = _read_refusal(error, tool)
            if refusal is None:
                self.on_error(error)
            return refusal or _unavailable(tool)
        if found is None or found["paused"]:
            return _PASS_REFUSED
        return None if found["tools"] == "*" or tool in found["tools"] else _tool_not_allowed(tool)

    def _caller_of(self, key: str) -> _Caller:
        return self._callers.get(key, lambda: _Caller(self.tollgate.with_key(key)))

    async def _finish(self, work: Awaitable[None]) -> None:
        """Waits for the work, which goes on by itself if its waiter is cancelled."""
        task = asyncio.ensure_future(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        await asyncio.shield(task)


class RecentMap(Generic[_Value]):
    """Remembers the values that were used last, up to a bound."""

    def __init__(self, max: int) -> None:
        self._max = max
        self._values: OrderedDict[str, _Value] = OrderedDict()

    def get(self, key: str, make: Callable[[], _Value]) -> _Value:
        """The value of a key; made if there is none."""
        if key not in self._values:
            self._values[key] = make()
        self._values.move_to_end(key)
        if len(self._values) > self._max:
            self._values.popitem(last=False)
        return self._values[key]


class _Caller:
    def __init__(self, client: AsyncTollgate) -> None:
        self.client = client
        self._found: asyncio.Task[Optional[t.Pass]] | None = None
        self._until = 0.0

    async def read_pass(self) -> t.Pass | None:
        """None for a credential that is no live pass. All that ask at once share one request."""
        found = self._found
        if found is None or self._until <= time.monotonic() or (found.done() and _has_failed(found)):
            found = self._found = asyncio.ensure_future(self._ask())
            self._until = time.monotonic() + _PASS_KEPT
        return await asyncio.shield(found)

    async def _ask(self) -> t.Pass | None:
        try:
            return await self.client.passes.self()
        except TollgateError as error:
            if error.status == 401 or error.code == "forbidden":
                return None
            raise


def to_async(tollgate: Tollgate | AsyncTollgate) -> AsyncTollgate:
    """The same client, with its key and its connections, for asyncio."""
    if isinstance(tollgate, AsyncTollgate):
        return tollgate
    caller = tollgate._caller
    return AsyncTollgate(caller.api_key, retries=caller.retries, _transport=caller.transport)


Begun = Union[PaidCall, Refusal]

_PASS_REFUSED = Refusal(
    "pass_refused",
    "This key is no live pass: it is unknown, revoked, paused or expired. Ask its owner for another one.",
)


def _key_missing(tool: str) -> Refusal:
    return Refusal(
        "payment_required",
        f"The tool {tool} is paid per call, and this call names nobody who pays. Send a Tollgate pass with it.",
    )


def _tool_not_allowed(tool: str) -> Refusal:
    return Refusal("tool_not_allowed", f"This key does not allow the tool {tool}. Its owner can add the tool.")


def _unavailable(tool: str) -> Refusal:
    return Refusal(
        "gate_unavailable",
        f"Whether this call of {tool} may be charged could not be asked. Nothing was charged. Try again later.",
    )


def _read_refusal(error: Exception, tool: str) -> Refusal | None:
    """The refusal in an answer of Tollgate (402 or 403). None for every other error: then nobody knows."""
    if not isinstance(error, TollgateError) or error.status not in (402, 403):
        return None
    known = {
        "pass_refused": _PASS_REFUSED.detail,
        "payment_required": "The account of this key has to pay what it owes, or to set up a payment method, "
        f"before a call of {tool}.",
        "tool_not_allowed": _tool_not_allowed(tool).detail,
        "account_suspended": "The account of this key is suspended. Its owner has to ask the operator.",
    }
    return Refusal(error.code, known.get(error.code, f"The call of {tool} was refused: {error.code}."))


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.cancelled() or task.exception() is not None


def _warn(error: Exception) -> None:
    _logger.warning("%s", error)
