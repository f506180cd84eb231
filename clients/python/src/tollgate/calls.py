"""Meters calls, and lets their callers pay. `tollgate.asgi` and `tollgate.mcp` stand on it."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Union

from ._callers import Caller, Kept, RecentMap
from ._clock import SYSTEM_CLOCK
from ._event import Metadata
from ._free_refused import is_never_recorded
from ._refusal import PASS_REFUSED, Refusal, key_missing, misconfigured, read_refusal, tool_not_allowed, unavailable
from ._rejected import refusal_message
from ._time import to_iso_seconds
from ._traceparent import read_traceparent
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError
from .meter import AsyncMeter, Meter

if TYPE_CHECKING:
    from . import types as t

__all__ = ["Begun", "Calls", "Gate", "PaidCall", "Refusal"]

#: So many callers are remembered, each with its client, which has a retry budget of its own.
_CALLERS_MAX = 1_000
_TOOLS_MAX = 1_000
#: For so many seconds a tool that was found is believed to be there.
_TOOL_KEPT = 60.0
#: So many seconds a call waits for Tollgate before it is refused, and its answer for the recording, which then goes on by
#: itself. Callers give up after a time of their own, often a minute; an agent is told why before that.
_WAIT = 10.0
#: The most that Tollgate allows: an outage after the call must not cost the builder its money.
_TTL_SECONDS = 3_600
_PASS_PREFIX = "tg_pass_"

_logger = logging.getLogger("tollgate")
_Result = TypeVar("_Result")


def _is_pass(key: str) -> bool:
    """Whether the key is a pass or an OAuth token of one: the builder names it when it asks."""
    return key.startswith(_PASS_PREFIX) or _is_token(key)


def _is_token(key: str) -> bool:
    """An OAuth token is a JWT, and keys have no dot. It is never a bearer at Tollgate, so its calls are held first."""
    return "." in key


class Gate(TypedDict, total=False):
    """The options of the gate."""

    #: The most that a call can come to. Needed where the price counts durations or metadata.
    max: t.AuthorizedMax
    #: 5 to 3,600. An event that comes later than so many seconds after its call was asked for is refused.
    ttl_seconds: int


@dataclass(frozen=True)
class _Held:
    """Money that is held for a call."""

    authorization_id: str
    #: The key that records the call: only the key that asked can. None: this program's own account.
    key: str | None


class _Fields(TypedDict):
    """All that the meter's event of a call has."""

    duration_ms: float
    success: bool
    metadata: Metadata | None
    timestamp: str
    idempotency_key: str | None
    authorization_id: str | None
    traceparent: str | None


class PaidCall:
    """A call that may run. It is ended if it ran, and released if it never did; what comes second does nothing."""

    def __init__(
        self,
        calls: Calls,
        tool: str,
        key: str | None,
        held: _Held | None = None,
        most: Metadata | None = None,
        traceparent: str | None = None,
    ) -> None:
        #: The most metadata for which money is held. None: no money is, or the gate has no ``max``.
        self.most = most
        self._calls = calls
        self._tool = tool
        self._key = key
        self._held = held
        self._traceparent = traceparent
        self._started = SYSTEM_CLOCK.now()
        self._is_over = False

    async def end(
        self, *, success: bool, metadata: Metadata | None = None, span: tuple[float, float] | None = None
    ) -> None:
        """Records the call. Raises nothing: the caller's answer does not depend on it, and waits for it only so long.

        Who is cancelled meanwhile leaves the recording to itself. A call that Tollgate refuses to record frees what it held.
        ``span``: when it ran, in seconds since the epoch; default: from its beginning until now.
        """
        if self._is_over:
            return  # a reader that gives up may end a call in two ways
        self._is_over = True
        await self._calls._finish(self._record(success, metadata, span or (self._started, SYSTEM_CLOCK.now())))

    async def release(self) -> None:
        """Frees the money that is held for the call. Raises nothing: a hold that stays expires by itself."""
        if self._is_over:
            return
        self._is_over = True
        if self._held is not None:
            await self._calls._finish(self._calls._release(self._held))

    async def extend(self, *, ttl_seconds: int, reference: str) -> bool:
        """Holds the money longer, and names the call, so that ``Calls.resume`` finds it. Raises nothing.

        ``ttl_seconds`` from now: 5 to 86,400, and 24 hours in all. ``reference``: a name that no other call has, at most
        255 characters. Returns whether it is held; True where no money is held at all.
        """
        held = self._held
        if held is None or self._is_over:
            return True
        extending = self._calls._start(self._calls._extend(held, ttl_seconds, reference))
        await asyncio.wait([extending], timeout=_WAIT)
        return extending.done() and extending.result()

    async def is_open(self, reference: str) -> bool:
        """Whether no other process has ended the call, which was extended under this name.

        True where no money is held, and where it cannot be asked. Raises nothing.
        """
        if self._held is None:
            return True
        finding = self._calls._start(self._calls._find(reference, self._held.key))
        await asyncio.wait([finding], timeout=_WAIT)
        if not finding.done() or finding.exception() is not None:
            return True
        found = finding.result()
        return found is not None and found._held == self._held

    async def abandon(self, detail: str) -> None:
        """Releases a call of which nobody can say how it ended, and keeps it with the reason. Raises nothing.

        It gets a row of ``rejected.jsonl``.
        """
        if self._is_over:
            return
        self._is_over = True
        await self._calls._finish(self._give_up(detail))

    async def _give_up(self, detail: str) -> None:
        fields = self._fields(False, None, (self._started, SYSTEM_CLOCK.now()))
        if self._held is not None:
            await self._calls._release(self._held)
        try:
            await self._calls._meter._give_up(self._tool, detail, **fields)
        except Exception as error:
            self._calls.on_error(error)

    def _fields(self, success: bool, metadata: Metadata | None, span: tuple[float, float]) -> _Fields:
        """All that an event has, so that a call which is given up lacks nothing."""
        return {
            "duration_ms": max(0.0, (span[1] - span[0]) * 1000),
            "success": success,
            "metadata": metadata,
            "timestamp": to_iso_seconds(span[0]),
            "idempotency_key": None,
            "authorization_id": None if self._held is None else self._held.authorization_id,
            "traceparent": self._traceparent,
        }

    async def _record(self, success: bool, metadata: Metadata | None, span: tuple[float, float]) -> None:
        fields = self._fields(success, metadata, span)
        try:
            if self._key is None:
                await self._calls._meter._keep(self._tool, **fields)
                return
            event: t.Event = {
                "tool_id": self._tool,
                "duration_ms": round(fields["duration_ms"]),
                "success": success,
                "timestamp": fields["timestamp"],
            }
            if metadata is not None:
                event["metadata"] = dict(metadata)
            if fields["authorization_id"] is not None:
                event["authorization_id"] = fields["authorization_id"]
            if self._traceparent is not None:
                event["traceparent"] = self._traceparent
            await self._calls._send(event, self._key)
        except Exception as error:
            self._calls.on_error(error)
            if self._held is not None and is_never_recorded(error):
                await self._calls._release(self._held)


class Calls:
    """Decides for each call whether it may run, and records what it came to.

    A call without a pass or an API key is recorded by the meter, for the account of this program, and survives crashes.
    A call that comes with one is recorded with it, so its account pays. Its event is sent when the call ends and waits
    in no spool, for a spool keeps no secrets of others.

    ``meter`` must stay open while calls may run. ``require_pass``: refuse each call whose caller has no live pass that
    allows the tool. ``on_error`` gets each error that no caller gets; default: the logger ``tollgate``.

    ``gate``: hold the money of each call before it runs, so that no spending cap is passed and no work is done for
    nothing. The account of ``tollgate`` and ``meter`` must be the builder of the tool: it records the calls that come
    with a pass, whose events survive crashes then. A call that did not run frees what it held. What is held when this
    program dies is free again after ``ttl_seconds``, by default an hour, and an event that comes later is refused.
    """

    def __init__(
        self,
        *,
        tollgate: Tollgate | AsyncTollgate,
        meter: Meter | AsyncMeter,
        require_pass: bool = False,
        gate: bool | Gate = False,
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        self.tollgate = to_async(tollgate)
        self.on_error = on_error or _warn
        self._meter = meter
        self._require_pass = require_pass
        self._gate = _read_gate(gate)
        self._callers: RecentMap[Caller] = RecentMap(_CALLERS_MAX)
        self._tools: RecentMap[Kept[None]] = RecentMap(_TOOLS_MAX)
        self._finishing: set[asyncio.Task[Any]] = set()

    async def begin(
        self, tool: str, key: str | None, *, name: str | None = None, traceparent: str | None = None
    ) -> PaidCall | Refusal:
        """``tool``: its slug. ``key``: the caller's pass or API key.

        ``name``: by which the caller knows the tool, for refusals; default: the slug. ``traceparent``: the span of the call,
        as W3C Trace Context has it; what is none is left out.
        """
        span = read_traceparent(traceparent)
        gate = self._gate
        if gate is None and key is not None and _is_token(key):
            gate = {}
        if gate is not None:
            return await self._hold_call(tool, key, name or tool, gate, span)
        refusal = await self._refusal_of(tool, key, name or tool) if self._require_pass else None
        return refusal or PaidCall(self, tool, key, traceparent=span)

    async def resume(self, reference: str, key: str | None) -> PaidCall | None:
        """A call that was extended under this name, also by another process. Raises if that cannot be asked.

        ``key``: the caller's, in case that it asked for the call itself. None: no such call is open, or nothing is held
        for calls.
        """
        if self._gate is None and (key is None or not _is_token(key)):
            return None
        found = await asyncio.wait_for(self._find(reference, None), _WAIT)
        if found is None and key is not None and not _is_pass(key):
            found = await asyncio.wait_for(self._find(reference, key), _WAIT)
        return found

    async def _find(self, reference: str, key: str | None) -> PaidCall | None:
        """Finds a call that this key asked for; None: this program's own. A name of two calls says nothing."""
        pages = self._client_of(key).spending.authorizations(reference=reference, limit=2).pages()
        found = (await pages.__anext__())["authorizations"]
        if len(found) != 1:
            return None
        return PaidCall(self, found[0]["tool_id"], key, _Held(found[0]["id"], key))

    async def _hold_call(
        self, tool: str, key: str | None, name: str, gate: Gate, traceparent: str | None
    ) -> PaidCall | Refusal:
        if key is None:
            return key_missing(name)
        holding = asyncio.ensure_future(self._hold(tool, key, gate, traceparent))
        try:
            await asyncio.wait([holding], timeout=_WAIT)
        except asyncio.CancelledError:
            self._start(self._release_late(holding))
            raise
        if not holding.done():
            self._start(self._release_late(holding))  # the call is refused, so it never runs
            return unavailable(name)
        try:
            held = holding.result()
        except Exception as error:
            return self._to_refusal(error, name, is_builders_key=_is_pass(key))
        return PaidCall(self, tool, held.key, held, gate.get("max", {}).get("metadata"), traceparent)

    async def _hold(self, tool: str, key: str, gate: Gate, traceparent: str | None) -> _Held:
        ask: t.AuthorizationInput = {
            "tool_id": tool,
            "ttl_seconds": gate.get("ttl_seconds", _TTL_SECONDS),
            "idempotency_key": str(uuid.uuid4()),
        }
        if "max" in gate:
            ask["max"] = gate["max"]
        if not _is_pass(key):
            asking = self._caller_of(key).client.spending.authorize(ask, traceparent=traceparent)
            return _Held((await asking)["id"], key)
        # The builder asks, so its meter records the call: the event then survives crashes.
        ask["pass"] = key
        try:
            return _Held((await self.tollgate.spending.authorize(ask, traceparent=traceparent))["id"], None)
        except TollgateError as error:
            if error.code == "pass_refused":
                await self._blame_tool(tool)
            raise

    async def _blame_tool(self, tool: str) -> None:
        """No pass is good for a tool that is not there. The gate says no more than that: it tells nothing to strangers."""
        try:
            await self._require_tool(tool)
        except TollgateError as error:
            if error.code in ("tool_not_found", "tool_archived"):
                raise

    async def _release_late(self, holding: asyncio.Task[_Held]) -> None:
        """The call was cancelled while it asked, and will not run."""
        try:
            held = await holding
        except Exception:
            return  # nothing is held
        await self._release(held)

    async def _release(self, held: _Held) -> None:
        try:
            await self._client_of(held.key).spending.release(held.authorization_id)
        except Exception as error:
            self.on_error(error)

    async def _extend(self, held: _Held, ttl_seconds: int, reference: str) -> bool:
        more: t.AuthorizationExtension = {"ttl_seconds": ttl_seconds, "reference": reference}
        try:
            await self._client_of(held.key).spending.extend(held.authorization_id, more)
        except Exception as error:
            self.on_error(error)
            return False
        return True

    async def _refusal_of(self, tool: str, key: str | None, name: str) -> Refusal | None:
        if key is None:
            return key_missing(name)
        # A pass for all tools would run one that is not there for nothing.
        asking = asyncio.gather(self._caller_of(key).read_pass(), self._require_tool(tool))
        try:
            found, _ = await asyncio.wait_for(asking, _WAIT)
        except asyncio.TimeoutError:
            return unavailable(name)
        except Exception as error:
            # The answer about the pass itself is judged already.
            return self._to_refusal(error, name, is_builders_key=True)
        if found is None or found["paused"]:
            return PASS_REFUSED
        return None if found["tools"] == "*" or tool in found["tools"] else tool_not_allowed(name)

    async def _require_tool(self, tool: str) -> None:
        """Raises if no call of the tool can be charged, or if that cannot be asked."""
        await self._tools.get(tool, lambda: Kept(_TOOL_KEPT, lambda: require_tool(self.tollgate, tool))).get()

    def _to_refusal(self, error: Exception, name: str, *, is_builders_key: bool) -> Refusal:
        """An error that says neither yes nor no refuses the call: an unchecked yes would be a call that nobody pays."""
        refusal = read_refusal(error, name, is_builders_key=is_builders_key)
        if refusal is None or refusal.code == misconfigured(name).code:
            self.on_error(error)
        return refusal or unavailable(name)

    async def _send(self, event: t.Event, key: str) -> None:
        try:
            await self._caller_of(key).client.events.record(event)
        except TollgateError as error:
            if error.code != "authorization_not_open":
                raise
            detail = refusal_message(event, error.code, error.detail)
            status, request_id = error.status, error.request_id
            raise TollgateError(status=status, code=error.code, detail=detail, request_id=request_id) from error

    def _client_of(self, key: str | None) -> AsyncTollgate:
        """The client that asks: for a pass it is the builder's."""
        return self.tollgate if key is None else self._caller_of(key).client

    def _caller_of(self, key: str) -> Caller:
        return self._callers.get(key, lambda: Caller(self.tollgate.with_key(key)))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Waits for the work, which goes on by itself if it is late or its waiter is cancelled."""
        await asyncio.wait([self._start(work)], timeout=_WAIT)

    def _start(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Task[_Result]:
        task = asyncio.ensure_future(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return task


async def require_tool(tollgate: AsyncTollgate, slug: str) -> None:
    if (await tollgate.tools.get(slug))["archived"]:
        detail = f"The tool {slug} is archived: no call of it can be charged."
        raise TollgateError(status=0, code="tool_archived", detail=detail)


def to_async(tollgate: Tollgate | AsyncTollgate) -> AsyncTollgate:
    """The same client, with its key and its connections, for asyncio."""
    if isinstance(tollgate, AsyncTollgate):
        return tollgate
    caller = tollgate._caller
    return AsyncTollgate(caller.api_key, retries=caller.retries, _transport=caller.transport)


Begun = Union[PaidCall, Refusal]


def _read_gate(gate: bool | Gate) -> Gate | None:
    """None: there is none."""
    if isinstance(gate, bool):
        return {} if gate else None
    return gate


def _warn(error: Exception) -> None:
    _logger.warning("%s", error)
