"""An MCP task as its server tells it: of MCP 2025-11-25, or of the extension ``io.modelcontextprotocol/tasks``."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, Optional

from ._outcome import Response, Wire
from ._time import read_iso

_STATUSES = frozenset({"working", "input_required", "completed", "failed", "cancelled"})
_ENDED = frozenset({"completed", "failed", "cancelled"})
_DAY = 86_400.0
#: An outage of Tollgate after the end of a task must not cost the builder its money.
_GRACE = 3_600.0
#: So many seconds before its end of life a task is looked at.
_LOOKED_BEFORE = 2.0
#: Tollgate takes no event of a call that began a day ago.
_SPAN_MAX = _DAY - 60.0


class TaskState(NamedTuple):
    task_id: str
    status: str
    #: Seconds since the epoch. None: the server does not say.
    created: Optional[float] = None
    updated: Optional[float] = None
    #: The server keeps the task for so many seconds after its creation. None: without an end.
    ttl: Optional[float] = None
    #: The answer of the call, where the task carries it: that of the extension does.
    response: Optional[Response] = None

    @property
    def has_ended(self) -> bool:
        return self.status in _ENDED


class TaskError(Exception):
    """The JSON-RPC error with which a task failed, in the shape of the errors of ``mcp``."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error["message"]))
        self.error = SimpleNamespace(code=error["code"], message=str(error["message"]), data=error.get("data"))


def read_handle(result: Wire | None) -> TaskState | None:
    """The task that a call was answered with in place of a result. None: it was answered."""
    if result is None:
        return None
    if result.get("resultType") == "task":
        return read_task(result.get("task") or result)
    return read_task(result.get("task")) if result.get("content") is None else None


def read_answer(response: Response | None) -> TaskState | None:
    """The task in an answer to a request about it."""
    result = None if response is None else response.result
    return None if result is None else read_task(result.get("task") or result)


def read_told(notification: Wire) -> TaskState | None:
    """The task that a notification tells of: its method is another one in each version."""
    is_of_task = notification.get("method") in ("notifications/tasks", "notifications/tasks/status")
    return read_task(notification.get("params")) if is_of_task else None


def read_task(value: Any) -> TaskState | None:
    """None: this is no task."""
    if not isinstance(value, dict) or value.get("status") not in _STATUSES:
        return None
    task_id = value.get("taskId")
    if not isinstance(task_id, str) or task_id == "":
        return None
    return TaskState(
        task_id,
        value["status"],
        created=_to_time(value.get("createdAt")),
        updated=_to_time(value.get("lastUpdatedAt")),
        ttl=_to_ttl(value.get("ttlMs", value.get("ttl"))),
        response=_to_response(value.get("result"), value.get("error")),
    )


class TaskTimes(NamedTuple):
    """Seconds since the epoch."""

    #: When the task is looked at for the last time.
    look_at: float
    #: Until when its money must be held.
    held_until: float


def times_of(state: TaskState, started: float) -> TaskTimes:
    """The times of a task whose call began at ``started``, as the server tells it now: its time to live may change."""
    ttl = _DAY if state.ttl is None else state.ttl
    ends = min((started if state.created is None else state.created) + ttl, started + _SPAN_MAX)
    return TaskTimes(ends - min(_LOOKED_BEFORE, ttl / 10), min(started + _DAY, ends + _GRACE))


def span_of(state: TaskState, started: float | None, now: float) -> tuple[float, float]:
    """When the call ran, the same for each process that tells it: so two of them record one event."""
    began = next(time for time in (state.created, started, now) if time is not None)
    begin = min(now, max(began, now - _SPAN_MAX))
    is_known = state.created is not None and state.updated is not None and state.updated >= begin
    return begin, min(state.updated or now, now) if is_known else now


def to_reference(task_id: str) -> str:
    """The name under which Tollgate knows the money of a task: its id, unless that is no name there."""
    return task_id if re.fullmatch(r"[\x21-\x7e]{1,255}", task_id) else hashlib.sha256(task_id.encode()).hexdigest()


def _to_time(time: Any) -> float | None:
    return read_iso(time) if isinstance(time, str) else None


def _to_ttl(ttl: Any) -> float | None:
    """From milliseconds."""
    is_number = isinstance(ttl, (int, float)) and not isinstance(ttl, bool)
    return ttl / 1_000 if is_number and 0 <= ttl < math.inf else None


def _to_response(result: Any, error: Any) -> Response | None:
    if isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(error.get("message"), str):
        return Response(None, TaskError(error))
    return Response(result) if isinstance(result, dict) else None
