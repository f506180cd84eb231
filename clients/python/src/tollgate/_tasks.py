"""A call that an MCP server answers with a task works on, and is paid when it has ended.

1. Before the handle is sent on, the money is held until the task's end of life and an hour, and named by the task's id.
2. Whoever sees the end settles it: an answer to ``tasks/get``, ``tasks/result`` or ``tasks/cancel``, or a notification. A
   process that did not begin the task finds its money at Tollgate by the name.
3. A task that nobody asks about is looked at once more before its end of life. If it has not ended, it is released, and
   kept in ``rejected.jsonl``.
"""

from __future__ import annotations

import asyncio
import dataclasses
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._clock import SYSTEM_CLOCK
from ._event import Metadata
from ._outcome import ListTools, Response, Wire, code_of, outcome_of
from ._task_state import TaskState, read_answer, span_of, times_of, to_reference
from .calls import Calls, PaidCall

if TYPE_CHECKING:
    from .mcp import ToolCall

#: The methods whose answers tell of a task.
TASK_METHODS = frozenset({"tasks/get", "tasks/result", "tasks/cancel"})

_ENDED_MAX = 10_000
#: So many seconds a server has for an answer about a task.
_TOLD_WITHIN = 2.0
_TTL_SECONDS_MIN = 5
_METHOD_NOT_FOUND = -32_601


class Asker(NamedTuple):
    """Somebody who asks about tasks, and the server that is asked."""

    #: Asks as the client that asked last, in a method and its parameters.
    ask: Callable[[str, Wire], Awaitable[Response]]
    list_tools: ListTools
    #: The key of the caller.
    key: Optional[str]


@dataclasses.dataclass
class _LiveTask:
    """A task that this process began."""

    call: ToolCall
    paid: PaidCall
    asker: Asker
    started: float
    held_until: float = 0.0
    extending: Optional[asyncio.Task[None]] = None
    timer: Optional[asyncio.TimerHandle] = None


class Tasks:
    """The tasks of one server in this process."""

    def __init__(self, calls: Calls, metadata_of: Callable[[ToolCall | None, Response], Metadata | None]) -> None:
        self._calls = calls
        self._metadata_of = metadata_of
        self._live: dict[str, _LiveTask] = {}
        #: The tasks that have ended, each with its settlement. None: there is nothing to settle.
        self._ended: OrderedDict[str, Optional[asyncio.Task[None]]] = OrderedDict()
        self._working: set[asyncio.Task[None]] = set()

    async def begin(self, state: TaskState, call: ToolCall, paid: PaidCall, asker: Asker) -> None:
        """A call was answered with a task. Returns when the answer may be sent on."""
        self._ended.pop(state.task_id, None)  # a notification may have come first
        task = self._live[state.task_id] = _LiveTask(call, paid, asker, SYSTEM_CLOCK.now())
        await self._hold(task, state)
        if state.status == "cancelled":
            await self._settle(state, asker)

    def ignore(self, task_id: str) -> None:
        """A call that nobody pays was answered with a task."""
        self._note_ended(task_id, None)

    async def answered(self, method: str, task_id: str, response: Response, asker: Asker) -> None:
        """The server has answered a request about a task. Returns when the end that it tells is recorded. Raises nothing."""
        if task_id in self._ended:
            return await self._wait(self._ended[task_id])
        try:
            state = await _read_state(method, task_id, response, asker)
            if state is not None and state.task_id == task_id:
                await self._see(state, asker)
        except Exception as error:
            self._calls.on_error(error)

    def heard(self, state: TaskState) -> None:
        """The server has told its client of a task."""
        task = self._live.get(state.task_id)
        if task is not None:
            self._start(self._see(state, task.asker))

    async def _see(self, state: TaskState, asker: Asker) -> None:
        if state.has_ended:
            return await self._settle(state, asker)
        task = self._live.get(state.task_id)
        if task is not None:  # else it is of another process, whose money is held for long enough
            task.asker = asker
            await self._hold(task, state)

    async def _hold(self, task: _LiveTask, state: TaskState) -> None:
        """Holds the money of a task until its end of life, which may have moved."""
        look_at, held_until = times_of(state, task.started)
        self._watch(task, state.task_id, look_at)
        if held_until > task.held_until:
            task.held_until = held_until
            task.extending = self._start(self._extend(task, state.task_id))
        await self._wait(task.extending)

    async def _extend(self, task: _LiveTask, task_id: str) -> None:
        ttl_seconds = max(_TTL_SECONDS_MIN, math.ceil(task.held_until - SYSTEM_CLOCK.now()))
        if not await task.paid.extend(ttl_seconds=ttl_seconds, reference=to_reference(task_id)):
            task.held_until = 0.0  # asked again when somebody asks about the task

    def _watch(self, task: _LiveTask, task_id: str, look_at: float) -> None:
        if task.timer is not None:
            task.timer.cancel()
        delay = max(0.0, look_at - SYSTEM_CLOCK.now())
        task.timer = asyncio.get_running_loop().call_later(delay, lambda: self._start(self._end_life(task_id)))

    async def _end_life(self, task_id: str) -> None:
        """Nobody has asked about the task for long, and its end of life is near."""
        task = self._live.get(task_id)
        if task is None:
            return
        state = await _look_at(task_id, task.asker)
        if state is not None and state.has_ended:
            return await self._settle(state, task.asker)
        if self._take(task_id) is None:
            return
        self._note_ended(task_id, None)
        await task.paid.abandon(f"Its task {task_id} had not ended at its end of life, and nobody asked about it again.")

    async def _settle(self, state: TaskState, asker: Asker) -> None:
        """However many see the end at once, it is settled once."""
        if state.task_id not in self._ended:
            self._note_ended(state.task_id, self._start(self._settle_once(state, asker)))
        await self._wait(self._ended[state.task_id])

    async def _settle_once(self, state: TaskState, asker: Asker) -> None:
        try:
            is_known = await self._end(state, asker)
        except Exception as error:
            self._calls.on_error(error)
            is_known = False
        if not is_known:
            self._ended.pop(state.task_id, None)  # the next one that asks may have the key that asked for it

    async def _end(self, state: TaskState, asker: Asker) -> bool:
        """Whether the call is known."""
        task = self._take(state.task_id)
        if task is not None:
            await self._wait(task.extending)
        reference = to_reference(state.task_id)
        paid = task.paid if task else await self._calls.resume(reference, asker.key)
        if paid is None:
            return False
        if task is not None and task.held_until > 0 and not await paid.is_open(reference):
            return True  # another process has settled it
        call = task.call if task else None
        outcome, response = await _find_end(state, call, asker)
        if outcome == "not_run":
            await paid.release()
            return True
        span = span_of(state, task.started if task else None, SYSTEM_CLOCK.now())
        metadata = None if response is None else _to_sendable(self._metadata_of(call, response))
        await paid.end(success=outcome == "success", metadata=metadata, span=span)
        return True

    def _take(self, task_id: str) -> _LiveTask | None:
        """The task is no longer followed. None: it is none of this process, or is gone already."""
        task = self._live.pop(task_id, None)
        if task is not None and task.timer is not None:
            task.timer.cancel()
        return task

    def _note_ended(self, task_id: str, settled: asyncio.Task[None] | None) -> None:
        self._ended[task_id] = settled
        if len(self._ended) > _ENDED_MAX:
            self._ended.popitem(last=False)

    def _start(self, work: Any) -> asyncio.Task[None]:
        """The work goes on if its waiter is cancelled."""
        started: asyncio.Task[None] = asyncio.ensure_future(self._report(work))
        self._working.add(started)
        started.add_done_callback(self._working.discard)
        return started

    async def _report(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as error:
            self._calls.on_error(error)

    async def _wait(self, work: asyncio.Task[None] | None) -> None:
        if work is not None:
            await asyncio.shield(work)


async def _read_state(method: str, task_id: str, response: Response, asker: Asker) -> TaskState | None:
    """How the task stands after an answer about it. None: the answer does not say it."""
    told = read_answer(response)
    if method == "tasks/get":
        return told
    if method == "tasks/cancel":
        return told or (None if response.result is None else await _look_at(task_id, asker))
    state = await _look_at(task_id, asker)
    if state is not None and state.has_ended:
        return state._replace(response=state.response or response)
    if response.result is None:
        return None
    return (state or TaskState(task_id, "completed"))._replace(status="completed", response=response)


def _to_sendable(metadata: Metadata | None) -> Metadata | None:
    """An amount that was computed from arguments that nobody knows may be no number."""
    values = () if metadata is None else metadata.values()
    return metadata if all(math.isfinite(value) for value in values if isinstance(value, float)) else None


async def _find_end(state: TaskState, call: ToolCall | None, asker: Asker) -> tuple[str, Response | None]:
    """How a task ended that has ended: as a call without one, by the same answer. No answer: the server has not told it.

    ``call``: None if another process began the task.
    """
    if state.status == "cancelled":
        return "not_run", None
    response = state.response or await _ask_result(state.task_id, asker)
    if response is not None and response.error is not None and state.status == "completed":
        response = None  # it has a result: an error then says that the server cannot give it any more
    if response is None:
        return ("success" if state.status == "completed" else "failure"), None
    name, arguments = ("", {}) if call is None else (call.name, call.arguments)
    outcome = await outcome_of(response, name, arguments, _nothing_listed if call is None else asker.list_tools)
    return ("failure" if outcome == "success" and state.status == "failed" else outcome), response


async def _look_at(task_id: str, asker: Asker) -> TaskState | None:
    """None: the server does not know the task, or does not answer in time."""
    return read_answer(await _ask("tasks/get", task_id, asker))


async def _ask_result(task_id: str, asker: Asker) -> Response | None:
    """Until 2026-07-28 a task does not carry the answer of its call: ``tasks/result`` has it."""
    response = await _ask("tasks/result", task_id, asker)
    return None if response is None or code_of(response) == _METHOD_NOT_FOUND else response


async def _ask(method: str, task_id: str, asker: Asker) -> Response | None:
    try:
        return await asyncio.wait_for(asker.ask(method, {"taskId": task_id}), _TOLD_WITHIN)
    except asyncio.TimeoutError:
        return None


async def _nothing_listed(_cursor: str | None) -> Wire:
    raise LookupError("the name of the tool is not known")
