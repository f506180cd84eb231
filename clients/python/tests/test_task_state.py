"""An MCP task as it is read, and the times that follow from it."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from typing import Any

import pytest

from tollgate._outcome import Response, code_of
from tollgate._task_state import TaskState, TaskTimes, read_handle, read_task, read_told, span_of, times_of, to_reference

CREATED_AT = "2026-11-29T12:00:00.000Z"
CREATED = datetime(2026, 11, 29, 12, tzinfo=timezone.utc).timestamp()
DAY, HOUR = 86_400.0, 3_600.0
FIRST = {"taskId": "a", "status": "working", "createdAt": CREATED_AT, "lastUpdatedAt": CREATED_AT, "ttl": 60_000}
EXTENSION = {**{name: value for name, value in FIRST.items() if name != "ttl"}, "ttlMs": 60_000}
WORKING = TaskState("a", "working", CREATED, CREATED, 60.0)


@pytest.mark.parametrize(
    "result",
    [
        {"task": FIRST},
        {"resultType": "task", **EXTENSION},
        {"resultType": "task", "task": EXTENSION},
        {"resultType": "task", **EXTENSION, "content": []},
    ],
)
def test_the_handle_of_a_task_is_read_in_each_form(result: dict[str, Any]) -> None:
    assert read_handle(result) == WORKING


@pytest.mark.parametrize(
    "result",
    [
        None,
        {"content": []},
        {"content": [], "task": FIRST},
        {"task": {**FIRST, "taskId": None}},
        {"resultType": "task", **EXTENSION, "status": "resting"},
        {"resultType": "input_required", "inputRequests": {}},
    ],
)
def test_an_answer_is_no_handle(result: Any) -> None:
    assert read_handle(result) is None


@pytest.mark.parametrize("ttl", [None, -1, "60000", math.inf, True])
def test_a_task_has_no_end_of_life_without_a_number_of_milliseconds(ttl: Any) -> None:
    state = read_task({**FIRST, "ttl": ttl, "createdAt": "yesterday"})
    assert state is not None
    assert (state.ttl, state.created) == (None, None)


def test_a_task_carries_the_answer_of_its_call_whichever_it_is() -> None:
    completed = read_task({**EXTENSION, "status": "completed", "result": {"content": []}})
    failed = read_task({**EXTENSION, "status": "failed", "error": {"code": -32_603, "message": "no"}})
    untold = read_task({**EXTENSION, "status": "failed", "error": {}})
    assert completed is not None and completed.response == Response({"content": []})
    assert failed is not None and failed.response is not None and code_of(failed.response) == -32_603
    assert untold is not None and untold.response is None


def test_a_task_is_told_by_the_notifications_of_both_forms_and_by_no_other() -> None:
    methods = ["notifications/tasks/status", "notifications/tasks", "notifications/progress"]
    told = [read_told({"method": method, "params": FIRST}) for method in methods]
    assert told == [WORKING, WORKING, None]


@pytest.mark.parametrize(
    ("ttl", "look_after", "held_for"),
    [
        (60.0, 58.0, HOUR + 60.0),
        (1.0, 0.9, HOUR + 1.0),
        (None, DAY - 62.0, DAY),  # the server does not say it
        (7 * DAY, DAY - 62.0, DAY),
        (0.0, 0.0, HOUR),
    ],
)
def test_the_times_of_a_task_are_within_a_day_of_its_call(ttl: float | None, look_after: float, held_for: float) -> None:
    times = times_of(WORKING._replace(ttl=ttl), CREATED)
    assert times == TaskTimes(CREATED + look_after, CREATED + held_for)


def test_a_call_has_the_times_of_its_server_whoever_tells_them_and_never_of_the_future_or_a_day_before() -> None:
    state = WORKING._replace(updated=CREATED + 0.5)
    for now in (CREATED + 1, CREATED + HOUR):
        assert span_of(state, None, now) == (CREATED, CREATED + 0.5)
    assert span_of(state, None, CREATED - HOUR)[0] == CREATED - HOUR
    late = CREATED + 2 * DAY
    assert span_of(state, None, late) == (late - DAY + 60, late)
    untold = TaskState("a", "completed")
    assert span_of(untold, CREATED, CREATED + 7) == (CREATED, CREATED + 7)
    assert span_of(untold, None, late) == (late, late)


def test_the_money_of_a_task_has_its_id_for_a_name_where_it_may() -> None:
    assert to_reference("task-1") == "task-1"
    assert to_reference("a b") != to_reference("a c")
    assert all(len(to_reference(name)) == 64 for name in ("a b", "x" * 256, "ä"))
