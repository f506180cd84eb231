"""A call of a tool, as an event with its key and its time."""

from __future__ import annotations

import datetime
import json
import math
import uuid
from collections.abc import Mapping
from typing import Union

from ._spool.spool import KeyedEvent
from ._time import to_iso, to_iso_seconds
from ._traceparent import read_traceparent

Metadata = Mapping[str, Union[str, int, float, bool]]

#: The service refuses larger events.
_EVENT_BYTES_MAX = 65_536


def to_event(
    tool: str,
    *,
    duration_ms: float | None,
    success: bool | None,
    metadata: Metadata | None,
    timestamp: datetime.datetime | str | None,
    idempotency_key: str | None,
    authorization_id: str | None,
    traceparent: str | None,
    now: float,
) -> KeyedEvent:
    """Checks what would keep the event from ever being sent. Everything else the service decides."""
    if not isinstance(tool, str) or tool == "":
        raise ValueError("`tool` must be the slug of a tool")
    if duration_ms is not None and not 0 <= duration_ms < math.inf:
        raise ValueError("`duration_ms` must be a finite number of 0 or more")
    key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
    if key == "":
        raise ValueError("`idempotency_key` must not be empty")
    fields = {
        "tool_id": tool,
        "duration_ms": None if duration_ms is None else math.floor(duration_ms + 0.5),
        "success": success,
        "metadata": metadata if metadata is None else dict(metadata),
        "timestamp": _to_time(timestamp, now),
        "idempotency_key": key,
        "authorization_id": authorization_id,
        "traceparent": read_traceparent(traceparent),
    }
    content = _to_json({name: value for name, value in fields.items() if value is not None})
    if len(content) > _EVENT_BYTES_MAX:
        raise ValueError(f"an event has at most {_EVENT_BYTES_MAX} bytes")
    return KeyedEvent(content, key)


def _to_time(timestamp: datetime.datetime | str | None, now: float) -> str:
    if isinstance(timestamp, str):
        return timestamp
    if timestamp is None:
        return to_iso_seconds(now)
    if timestamp.tzinfo is None:
        raise ValueError("`timestamp` must have a time zone, such as datetime.now(timezone.utc)")
    return to_iso(timestamp)


def _to_json(value: object) -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")  # half of a surrogate pair passes as an escape
