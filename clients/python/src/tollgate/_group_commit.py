"""All that wait share one write and one flush: while it runs, the next ones gather."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Optional

from ._spool.spool import KeyedEvent, Spool
from ._worker import Worker

_EVENTS_PER_WRITE_MAX = 10_000


class Waiting:
    """An event whose ``record()`` waits, in a thread or in a loop of asyncio."""

    def __init__(self, event: KeyedEvent, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self.event = event
        self.error: Exception | None = None
        self.loop = loop
        self.future = None if loop is None else loop.create_future()
        self.gate = threading.Lock()
        self.gate.acquire()

    def wait(self) -> None:
        self.gate.acquire()
        if self.error is not None:
            raise self.error


class GroupCommit:
    """Writes in a thread of its own, so that no signal that hits a caller can cut a write in two."""

    def __init__(self, spool: Spool, on_written: Callable[[], None], warn: Callable[[str], None]) -> None:
        self._spool = spool
        self._on_written = on_written
        self._queue: SimpleQueue[Optional[Waiting]] = SimpleQueue()
        self._has_ended = False
        self._worker = Worker("spool", self._run, warn)

    def put(self, waiting: Waiting) -> None:
        """May be called from any thread, and from a signal handler that interrupts another call of it."""
        self._queue.put(waiting)

    def end(self) -> None:
        """Returns when everything that was put before is written. Nothing must be put after it."""
        self._queue.put(None)
        self._worker.join()

    def _run(self) -> None:
        while not self._has_ended:
            taken = self._take()
            self._has_ended = None in taken
            group = [waiting for waiting in taken if waiting is not None]
            if group:
                self._write(group)

    def _take(self) -> list[Waiting | None]:
        taken = [self._queue.get()]
        try:
            while len(taken) < _EVENTS_PER_WRITE_MAX:
                taken.append(self._queue.get_nowait())
        except Empty:
            pass
        return taken

    def _write(self, group: list[Waiting]) -> None:
        try:
            errors = self._spool.append([waiting.event for waiting in group])
        except BaseException as error:  # its callers get it; the next ones may fare better
            errors = [error if isinstance(error, Exception) else RuntimeError(repr(error))] * len(group)
        for waiting, failure in zip(group, errors):
            waiting.error = failure
        self._on_written()
        for waiting in group:
            waiting.gate.release()
        for loop in {waiting.loop for waiting in group if waiting.loop is not None}:
            try:
                loop.call_soon_threadsafe(_resolve, [waiting for waiting in group if waiting.loop is loop])
            except RuntimeError:
                pass  # the loop was closed: nobody waits


def _resolve(group: list[Waiting]) -> None:
    for waiting in group:
        if waiting.future is None or waiting.future.done():
            continue  # its caller gave up
        if waiting.error is None:
            waiting.future.set_result(None)
        else:
            waiting.future.set_exception(waiting.error)
