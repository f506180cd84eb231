"""Keeps events in memory: they are lost with the process."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Sequence

from ..errors import SpoolFull
from .spool import Batch, Figures, KeyedEvent, Refusal


class MemorySpool:
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._events: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()

    def append(self, events: Sequence[KeyedEvent]) -> list[Exception | None]:
        with self._lock:
            return [self._append(event) for event in events]

    def _append(self, event: KeyedEvent) -> Exception | None:
        if self._size + len(event.json) > self._max_bytes:
            message = f"{self._max_bytes} bytes of events wait in memory: Tollgate does not take them fast enough"
            return SpoolFull(message, code="spool_full", idempotency_key=event.idempotency_key)
        self._events.append(event.json)
        self._size += len(event.json)
        return None

    def next(self, events_max: int, bytes_max: int) -> Batch | None:
        with self._lock:
            events = list(itertools.islice(self._events, events_max))
        sizes = itertools.accumulate(len(event) for event in events)
        events = events[: sum(size <= bytes_max for size in sizes)]
        return Batch(events, self._settle) if events else None

    def _settle(self, count: int) -> None:
        with self._lock:
            for _ in range(count):
                self._size -= len(self._events.popleft())

    def keep_refused(self, refusals: Sequence[Refusal]) -> None:
        pass  # the callback has them

    def belongs_to(self, account_id: str) -> bool:
        return True

    def tend(self) -> None:
        pass

    def figures(self) -> Figures:
        with self._lock:
            return Figures(len(self._events), self._size, 0)

    def end_appends(self) -> None:
        pass

    def close(self) -> None:
        pass

    def others(self) -> int:
        return 0

    def abandon(self) -> None:
        pass
