"""Meters every tool call of an MCP server, and lets its callers pay.

It needs the package ``mcp``: an ``MCPServer`` or ``Server`` of its second generation, a ``FastMCP`` or ``Server`` of its
first; or a ``FastMCP`` of the package ``fastmcp``, which stands on it. Its state is in the memory of one process.
"""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import functools
import hashlib
import importlib
import json
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Optional, TypeVar, Union

from ._delivery import Delivery, FollowAnswers, delivery_of
from ._event import Metadata
from ._mistake import tell_mistakes
from ._outcome import ListTools, Response, Wire, outcome_of
from ._repeat_store import FolderRepeatStore, MemoryRepeatStore, RepeatStore
from ._seal import Seal
from ._task_state import read_handle, read_told
from ._tasks import TASK_METHODS, Asker, Tasks
from ._token_verifier import PASS_CLAIM, TokenVerifier
from ._undelivered import Claim, Undelivered, name_call
from .calls import Calls, PaidCall, Refusal

__all__ = [
    "ERROR_META",
    "IDEMPOTENCY_META",
    "KEY_META",
    "PRICE_META",
    "FolderRepeatStore",
    "FollowAnswers",
    "MemoryRepeatStore",
    "RepeatStore",
    "Response",
    "TokenVerifier",
    "ToolCall",
    "meter_server",
]

#: The ``_meta`` entry of a call that carries the caller's key, for clients that can set no header.
KEY_META = "tollgate/key"
#: The ``_meta`` entry that names a call, so that a client may send it again without paying twice.
IDEMPOTENCY_META = "tollgate/idempotency_key"
#: The ``_meta`` entry of a tool in ``tools/list`` that says what a call costs.
PRICE_META = "tollgate/price"
#: The ``_meta`` entry of a refused call's result: the refusal for programs.
ERROR_META = "tollgate/error"

_REPEATS_KEPT = 600.0
_REPEATS_MAX = 1_000
_PRICES_KEPT = 60.0
#: So many seconds a list waits for a price that was just asked for.
_PRICES_WAIT = 1.0
#: A server that ends waits so many seconds for the recording of a call; a longer one goes on by itself.
_RECORDED_WITHIN = 10.0

#: A caller who lacks money alone gets what is paid already.
_WANTS_MONEY = frozenset({"spending_cap_reached", "approval_required", "payment_required"})

Server = TypeVar("Server")

#: The requests about tasks of the first generation, by their method.
_TASK_REQUESTS = {"tasks/get": "GetTaskRequest", "tasks/result": "GetTaskPayloadRequest", "tasks/cancel": "CancelTaskRequest"}


class ToolCall(NamedTuple):
    name: str
    arguments: Mapping[str, Any]
    meta: Mapping[str, Any]
    #: The bearer token of streamable HTTP.
    bearer: str | None
    #: The input that the call brings, for one that asked for it. None: it is new.
    continuation: Mapping[str, Any] | None = None
    #: The pass for which the bearer token stands, if ``TokenVerifier`` has found it.
    pass_id: str | None = None


#: A call that another process has begun.
_UNKNOWN_CALL = ToolCall("", {}, {}, None)


def meter_server(
    server: Server,
    *,
    calls: Calls,
    tool: Union[str, Callable[[str], "str | None"]],
    own_key: str | None = None,
    metadata: Callable[[ToolCall, Response], Metadata | None] | None = None,
    repeat_store: RepeatStore | None = None,
) -> Server:
    """Meters the server, and returns it. Call it before the server runs.

    A key that is refused or lacks a scope, and a ``tool`` that is not there, are reported to ``on_error`` of ``calls`` at once.

    ``tool``: the slug at Tollgate: one for all tools, or ``(name) -> slug``; for None the calls of a tool are free.
    ``own_key``: the key of a caller who sends none: of a stdio server, whose one caller started it. ``metadata`` picks
    metadata of the event; without it no argument and no result leaves the server. ``repeat_store`` keeps answers that
    their clients have missed: a ``FolderRepeatStore`` for several processes; default: the memory of this one.

    A call that the server answers with a task is paid when the task has ended, by how it ended. For tasks of the first
    generation call ``experimental.enable_tasks()`` of the server before.
    """
    low = getattr(server, "_mcp_server", server)  # a `FastMCP` of either package has it
    if not any(kind.__module__.split(".")[0] == "mcp" for kind in type(low).__mro__):
        raise TypeError("`server` must be an MCP server of the package `mcp`, or a `FastMCP` of `fastmcp`")
    slug_of = (lambda _name: tool) if isinstance(tool, str) else tool
    metering = _Metering(calls, slug_of, own_key, metadata, repeat_store, str(getattr(server, "name", "")))
    if isinstance(getattr(low, "middleware", None), list):
        _meter_second_generation(low, metering)
    else:
        _meter_first_generation(low, metering)
    _follow_answers(server)
    tell_mistakes(calls.tollgate, tool if isinstance(tool, str) else None, calls.on_error)
    return server


class _Incoming(NamedTuple):
    call: ToolCall
    run: Callable[[], Awaitable[Response]]
    list_tools: ListTools
    #: None: only a cancellation tells that its client misses the answer.
    delivery: Delivery | None
    server: _Server | None


class _Server(NamedTuple):
    """The server, as a request reaches it."""

    #: Asks it about tasks.
    ask: Callable[[str, Wire], Awaitable[Response]]
    #: Its client is told through this.
    session: Any


class _Metering:
    def __init__(
        self,
        calls: Calls,
        slug_of: Callable[[str], str | None],
        own_key: str | None,
        metadata: Callable[[ToolCall, Response], Metadata | None] | None,
        repeat_store: RepeatStore | None = None,
        server: str = "",
    ) -> None:
        store, seal = repeat_store or MemoryRepeatStore(), Seal(calls.tollgate._caller.api_key)
        self._undelivered = Undelivered(store, seal, calls.on_error)
        self._server = server
        self._calls = calls
        self._slug_of = slug_of
        self._own_key = own_key
        self._metadata = metadata
        self._repeats = _Repeats()
        self._tasks = Tasks(calls, lambda call, response: self._metadata_of(call or _UNKNOWN_CALL, response))
        self._prices: dict[str, _Price] = {}

    async def call(
        self,
        call: ToolCall,
        run: Callable[[], Awaitable[Response]],
        list_tools: ListTools,
        delivery: Delivery | None = None,
        server: _Server | None = None,
    ) -> Response:
        """Runs a call once, if it may run. A repeat gets the response of the first."""
        incoming = _Incoming(call, run, list_tools, delivery, server)
        named = call.meta.get(IDEMPOTENCY_META)
        if not isinstance(named, str):
            return (await self._admit(incoming))[0]
        key = _fingerprint([_payer_of(call) or self._own_key or "", call.name, named])
        return await self._repeats.once(key, call, lambda: self._admit(incoming))

    async def price(self, result: Wire) -> Wire:
        """Adds to each tool of a ``tools/list`` result its price. One that cannot be read is left out."""
        tools = result.get("tools")
        if not isinstance(tools, list):
            return result
        return {**result, "tools": list(await asyncio.gather(*(self._with_price(tool) for tool in tools)))}

    async def answered(self, method: str, asked: ToolCall, response: Response, list_tools: ListTools, server: _Server) -> None:
        """The server has answered a request about a task. ``asked``: its parameters and who sent it."""
        asker = Asker(server.ask, list_tools, self._key_of(asked))
        self._hear(server)
        with _shielded():
            await self._tasks.answered(method, str(asked.arguments.get("taskId")), response, asker)

    def _hear(self, server: _Server) -> None:
        """Hears what the server tells its client of tasks."""
        send = getattr(server.session, "send_notification", None)
        if send is None or hasattr(send, "hears_tasks"):
            return

        async def send_notification(notification: Any, *args: Any, **options: Any) -> None:
            await send(notification, *args, **options)
            state = read_told(_to_wire(notification))
            if state is not None:
                self._tasks.heard(state)

        setattr(send_notification, "hears_tasks", True)
        server.session.send_notification = send_notification

    async def _admit(self, incoming: _Incoming) -> tuple[Response, bool]:
        """The response, and whether a repeat gets it, too."""
        call, run, list_tools, delivery, _ = incoming
        slug = self._slug_of(call.name)
        if slug is None:
            response = await run()
            task = read_handle(response.result)
            if task is not None:
                self._tasks.ignore(task.task_id)
            outcome = await outcome_of(response, call.name, call.arguments, list_tools)
            return response, outcome != "not_run"  # the next one may bring what this one lacked
        text = name_call(call, _payer_of(call), self._server)
        return await self._undelivered.follow(
            text, delivery, _is_cancelled, lambda claim: self._begin(slug, incoming, claim)
        )

    async def _begin(self, slug: str, incoming: _Incoming, claim: Claim) -> tuple[Response, bool]:
        call = incoming.call
        trace = call.meta.get("traceparent")
        span = trace if isinstance(trace, str) else None
        begun = await self._calls.begin(slug, self._key_of(call), name=call.name, traceparent=span)
        if isinstance(begun, Refusal):
            missed = await claim() if begun.code in _WANTS_MONEY else None
            # A refused caller may be allowed the next time.
            return (Response(_refused(begun)), False) if missed is None else (missed, True)
        try:
            missed = await claim()
        except BaseException:
            with _shielded():
                await begun.release()
            raise
        if missed is None:
            return await self._run(incoming, begun)
        with _shielded():
            await begun.release()
        return missed, True

    async def _run(self, incoming: _Incoming, begun: PaidCall) -> tuple[Response, bool]:
        call, run, list_tools, _, server = incoming
        if server is not None:
            self._hear(server)
        try:
            response = await run()
        except asyncio.CancelledError:  # its client gave up or hung up, and the tool obeyed
            with _shielded():
                await begun.release()
            raise
        except BaseException:
            with _shielded():
                await begun.end(success=False)
            raise
        task = read_handle(response.result)
        if task is not None and server is not None:
            with _shielded():
                await self._tasks.begin(task, call, begun, Asker(server.ask, list_tools, self._key_of(call)))
            return response, True
        has_given_up = _is_cancelled()
        with _shielded():
            outcome = await outcome_of(response, call.name, call.arguments, list_tools)
        if outcome == "not_run" or (outcome == "failure" and has_given_up):
            with _shielded():
                await begun.release()
            return response, False
        with _shielded():
            await begun.end(success=outcome == "success", metadata=self._metadata_of(call, response))
        return response, True

    def _metadata_of(self, call: ToolCall, response: Response) -> Metadata | None:
        """The call ran, so it is recorded even if the author's function raises."""
        try:
            return self._metadata(call, response) if self._metadata else None
        except Exception as error:
            self._calls.on_error(error)
            return None

    def _key_of(self, call: ToolCall) -> str | None:
        return _own_key_of(call) or self._own_key

    async def _with_price(self, tool: Wire) -> Wire:
        slug = self._slug_of(str(tool.get("name")))
        price = None if slug is None else await self._price_of(slug)
        return tool if price is None else {**tool, "_meta": {**(tool.get("_meta") or {}), PRICE_META: price}}

    async def _price_of(self, slug: str) -> Any:
        """The price that was read last. A list waits at most once for a Tollgate that hangs."""
        price = self._prices.setdefault(slug, _Price())
        now = time.monotonic()
        if price.until <= now:
            price.until, price.waited_until = float("inf"), now + _PRICES_WAIT  # one question at a time
            price.asked = asyncio.ensure_future(self._read_price(slug, price))
        if price.asked is not None and not price.asked.done() and price.waited_until > now:
            await asyncio.wait([price.asked], timeout=price.waited_until - now)
        return price.value

    async def _read_price(self, slug: str, price: _Price) -> None:
        try:
            price.value = (await self._calls.tollgate.tools.get(slug))["price"]
            price.until = time.monotonic() + _PRICES_KEPT
        except Exception as error:
            price.until = time.monotonic() + _PRICES_WAIT  # else each list of an outage would wait
            self._calls.on_error(error)


@dataclasses.dataclass
class _Price:
    value: Any = None
    #: When it is asked for again.
    until: float = 0.0
    asked: asyncio.Future[None] | None = None
    waited_until: float = 0.0


class _KeyedCall(NamedTuple):
    until: float
    arguments: str
    #: Stands for the input that the call brought. None: it is new.
    continuation: str | None
    #: Its response. None: it ended without one that a repeat may have.
    ended: asyncio.Future[Optional[Response]]


class _Repeats:
    """The calls with an idempotency key, so that a client that sends a call again runs it once and pays once.

    A call that brings input asks for what comes next, so it repeats only the call that brought the same input. A repeat
    that comes later than ten minutes, or after a restart, runs and pays anew: a repeat that is charged nothing must not
    run a tool.
    """

    def __init__(self) -> None:
        self._calls: OrderedDict[str, _KeyedCall] = OrderedDict()

    async def once(
        self, key: str, call: ToolCall, work: Callable[[], Awaitable[tuple[Response, bool]]]
    ) -> Response:
        arguments = _fingerprint(call.arguments)
        continuation = None if call.continuation is None else _fingerprint(call.continuation)
        while (first := self._find(key)) is not None:
            if first.arguments != arguments:
                detail = f"The idempotency key of this call of {call.name} was used with other arguments. Send a new key."
                return Response(_refused(Refusal("idempotency_key_reused", detail)))
            response = await asyncio.shield(first.ended)
            if response is None:
                continue  # it ended without a response: this one runs
            if continuation is None or continuation == first.continuation:
                return response
            break
        ended: asyncio.Future[Optional[Response]] = asyncio.get_running_loop().create_future()
        begun = _KeyedCall(time.monotonic() + _REPEATS_KEPT, arguments, continuation, ended)
        self._begin(key, begun)
        kept: Response | None = None
        try:
            response, is_kept = await work()
            kept = response if is_kept else None
            return response
        finally:
            if kept is None and self._calls.get(key) is begun:
                del self._calls[key]
            ended.set_result(kept)

    def _find(self, key: str) -> _KeyedCall | None:
        first = self._calls.get(key)
        return first if first is not None and first.until > time.monotonic() else None

    def _begin(self, key: str, call: _KeyedCall) -> None:
        self._calls.pop(key, None)  # an expired one would keep its place in the order
        self._calls[key] = call
        while len(self._calls) > _REPEATS_MAX:
            self._calls.popitem(last=False)


def _meter_second_generation(server: Any, metering: _Metering) -> None:
    """``middleware`` of the server wraps each message, before its parameters are validated."""

    async def meter(context: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        if context.method == "tools/list":
            return await metering.price(_to_wire(await call_next(context)))
        if context.method not in ("tools/call", *TASK_METHODS) or context.request_id is None:
            return await call_next(context)
        params = dict(context.params or {})
        meta = dict(params.get("_meta") or {})

        async def run(method: str = context.method, params: Wire = params) -> Response:
            # The tool never sees the caller's key.
            hidden = {**params, "_meta": _without_ours(meta)}
            changed = dataclasses.replace(context, method=method, params=hidden, meta=_without_ours(context.meta))
            try:
                return Response(_to_wire(await call_next(changed)))
            except Exception as error:
                return Response(None, error)

        async def list_tools(cursor: str | None) -> Wire:
            # Since MCP 2026-07-28 ``_meta`` says who asks, and in which version.
            asked = {name: value for name, value in (_without_ours(meta) or {}).items() if name != "progressToken"}
            params = {"_meta": asked, **({} if cursor is None else {"cursor": cursor})}
            return _to_wire(await call_next(dataclasses.replace(context, method="tools/list", params=params)))

        name, arguments = str(params.get("name")), params.get("arguments")
        if context.method in TASK_METHODS:
            name, arguments = "", params
        call = ToolCall(
            name,
            arguments if isinstance(arguments, dict) else {},
            meta,
            _bearer_of(context.request),
            continuation={name: params[name] for name in ("inputResponses", "requestState") if name in params} or None,
            pass_id=_pass_id_of(context.request),
        )
        asked = _Server(run, context.session)
        if context.method not in TASK_METHODS:
            return _give(await metering.call(call, run, list_tools, delivery_of(context.request), asked))
        response = await run()
        await metering.answered(context.method, call, response, list_tools, asked)
        return _give(response)

    server.middleware.append(meter)


def _meter_first_generation(server: Any, metering: _Metering) -> None:
    """Its handlers are in a table, by the type of their request."""
    types = importlib.import_module("mcp.types")
    handlers = getattr(server, "request_handlers", None)
    if not isinstance(handlers, dict) or types.CallToolRequest not in handlers:
        raise TypeError("`server` must be an MCP server of the package `mcp`, whose tools have a handler already")
    call_tool, list_tools = handlers[types.CallToolRequest], handlers[types.ListToolsRequest]
    task_types: dict[str, Any] = {method: getattr(types, name, None) for method, name in _TASK_REQUESTS.items()}
    #: The server's own.
    task_handlers = {method: handlers[kind] for method, kind in task_types.items() if kind in handlers}

    def server_here() -> _Server:
        context = contextvars.copy_context()  # which session asks is in it

        async def ask(method: str, params: Wire) -> Response:
            handler = task_handlers.get(method)
            if handler is None:
                return Response(None)
            request = task_types[method].model_validate({"method": method, "params": params})
            return await context.run(asyncio.ensure_future, _respond(handler, request))

        return _Server(ask, server.request_context.session)

    def meter_task(method: str) -> Callable[[Any], Awaitable[Any]]:
        async def meter(request: Any) -> Any:
            over_http = server.request_context.request
            arguments = {"taskId": request.params.taskId}
            asked = ToolCall("", arguments, _take_meta(request), _bearer_of(over_http), pass_id=_pass_id_of(over_http))
            result = None
            try:
                result = await task_handlers[method](request)
                response = Response(_to_wire(result.root))
            except Exception as error:
                response = Response(None, error)
            await metering.answered(method, asked, response, list_page, server_here())
            if response.error is not None:
                raise response.error
            return result

        return meter

    async def list_page(cursor: str | None) -> Wire:
        params = None if cursor is None else types.PaginatedRequestParams(cursor=cursor)
        return _to_wire((await list_tools(types.ListToolsRequest(method="tools/list", params=params))).root)

    async def meter_call(request: Any) -> Any:
        meta = _take_meta(request)

        async def run() -> Response:
            return await _respond(call_tool, request)

        over_http = server.request_context.request
        call = ToolCall(request.params.name, request.params.arguments or {}, meta, _bearer_of(over_http), pass_id=_pass_id_of(over_http))
        result = _give(await metering.call(call, run, list_page, delivery_of(over_http), server_here()))
        if read_handle(result) is None:
            return types.ServerResult(types.CallToolResult.model_validate(result))
        task = {"ttl": None, **result["task"]}  # a None was left out before
        return types.ServerResult(types.CreateTaskResult.model_validate({**result, "task": task}))

    async def meter_list(request: Any) -> Any:
        listed = await list_tools(request)
        if request is None:
            return listed  # the server itself asks, for its schemas
        result = await metering.price(_to_wire(listed.root))
        return types.ServerResult(types.ListToolsResult.model_validate(result))

    handlers[types.CallToolRequest] = meter_call
    handlers[types.ListToolsRequest] = meter_list
    for method in task_handlers:
        handlers[task_types[method]] = meter_task(method)


async def _respond(handler: Callable[[Any], Awaitable[Any]], request: Any) -> Response:
    """The answer of a handler of the first generation."""
    try:
        return Response(_to_wire((await handler(request)).root))
    except Exception as error:
        return Response(None, error)


def _take_meta(request: Any) -> Wire:
    """``_meta`` of a request of the first generation. Its handler does not see the caller's key."""
    given = request.params.meta
    if given is None:
        return {}
    meta: Wire = given.model_dump(by_alias=True, exclude_none=True)
    for name in (KEY_META, IDEMPOTENCY_META):
        given.model_extra.pop(name, None)
    return meta


def _follow_answers(server: Any) -> None:
    """A program that serves over HTTP gets its application here, also by ``run``. Another one can be put into ``FollowAnswers``."""
    for name in ("streamable_http_app", "http_app"):
        new_app = getattr(server, name, None)
        if callable(new_app):
            setattr(server, name, functools.partial(_follow_app, new_app))


def _follow_app(new_app: Callable[..., Any], *args: Any, **options: Any) -> Any:
    app = new_app(*args, **options)
    app.add_middleware(FollowAnswers)
    return app


def _own_key_of(call: ToolCall) -> str | None:
    """The key that came with the call."""
    own = call.meta.get(KEY_META)
    return own if isinstance(own, str) and own else call.bearer


def _payer_of(call: ToolCall) -> str | None:
    """Names who pays, for what is remembered: by the pass where it is known, since its tokens change every hour.

    No key has the name of a pass.
    """
    own = _own_key_of(call)
    return f"pass {call.pass_id}" if call.pass_id is not None and own == call.bearer else own


def _shielded() -> Any:
    """A scope that cancellation does not enter, so that a server which ends has recorded its calls before."""
    return importlib.import_module("anyio").move_on_after(_RECORDED_WITHIN, shield=True)


def _is_cancelled() -> bool:
    """Whether the client gave up the call that runs here: a tool that fails then has obeyed."""
    deadline: float = importlib.import_module("anyio").current_effective_deadline()
    return deadline == float("-inf")


def _give(response: Response) -> Wire:
    if response.error is not None:
        raise response.error
    return response.result or {}


def _to_wire(result: Any) -> Wire:
    if hasattr(result, "model_dump"):
        dumped: Wire = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        return dumped
    return dict(result or {})


def _refused(refusal: Refusal) -> Wire:
    """A tool result that an agent can read and act upon, and that a program can tell from a failure of the tool."""
    return {
        "content": [{"type": "text", "text": refusal.detail}],
        "isError": True,
        "resultType": "complete",
        "_meta": {ERROR_META: refusal.to_wire()},
    }


def _without_ours(meta: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if meta is None:
        return None
    return {name: value for name, value in meta.items() if name not in (KEY_META, IDEMPOTENCY_META)}


def _bearer_of(request: Any) -> str | None:
    """``request``: that of Starlette, over HTTP."""
    headers = getattr(request, "headers", None)
    header = headers.get("authorization") if headers is not None else None
    match = re.fullmatch(r"(?i)bearer +(\S+)", header or "")
    return match[1] if match else None


def _pass_id_of(request: Any) -> str | None:
    """``request``: that of Starlette, with the user that ``TokenVerifier`` has found."""
    user = request.scope.get("user") if hasattr(request, "scope") else None
    claims = getattr(getattr(user, "access_token", None), "claims", None) or {}
    pass_id = claims.get(PASS_CLAIM)
    return pass_id if isinstance(pass_id, str) else None


def _fingerprint(value: Any) -> str:
    """Names a caller without being the key: keys are no part of what is remembered."""
    return hashlib.sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()
