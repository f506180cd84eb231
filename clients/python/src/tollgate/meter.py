"""Records calls of tools so that none is lost: what ``record()`` has returned is on disk and will be counted once."""

from __future__ import annotations

import asyncio
import datetime
import logging
import os
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

from ._clock import SYSTEM_CLOCK, Clock
from ._closed import Closed, to_closed
from ._event import Metadata, to_event
from ._exit import close_on_exit
from ._group_commit import GroupCommit, Waiting
from ._sender import Sender, SenderPorts
from ._rejected import END_UNKNOWN, RejectedEvent, to_rejected, warn_of_rejected
from ._settlement import Settlement
from ._spool.disk_spool import DiskSpool
from ._spool.memory_spool import MemorySpool
from ._spool.spool import KeyedEvent, Refusal, Spool
from ._worker import Worker
from .client import AsyncTollgate, Tollgate
from .errors import SpoolError

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Literal, Self, TypedDict, Unpack
    else:
        from typing_extensions import Literal, Self, TypedDict, Unpack

    class MeterOptions(TypedDict, total=False):
        """Options of ``Meter.open`` and ``AsyncMeter.open``, besides ``dir``."""

        #: A client, in place of ``api_key`` and ``url``.
        tollgate: Tollgate | AsyncTollgate | None
        #: Default: ``TOLLGATE_API_KEY``.
        api_key: str | None
        #: Default: ``TOLLGATE_URL``, else the service on this machine.
        url: str | None
        #: Says what ``record()`` waits for. ``disk`` (the default): the event survives a crash of the program and of
        #: the machine. ``os``: a crash of the program alone. ``memory``: neither; no ``dir`` is needed.
        durability: Literal["disk", "os", "memory"]
        #: The most bytes of a spool; then ``record()`` raises SpoolFull. Default: 256 MiB.
        max_bytes: int
        #: Seconds that a request waits for more events, unless it is full. Default: 0.2.
        linger: float
        #: Closes the meter when the process ends by itself, or gets SIGTERM. Default: False.
        close_on_exit: bool
        #: Called for each event that Tollgate refused for good; it is in ``rejected.jsonl`` too. Default:
        #: a warning for the first one within a minute.
        on_rejected: Callable[[RejectedEvent], None] | None
        #: Called when somebody should look: events wait or grow old, or a file is damaged. Default: the logger ``tollgate``.
        on_warning: Callable[[str], None] | None


Dir = Union[str, "os.PathLike[str]", None]

_MAX_BYTES = 256 * 1024 * 1024
_CLOSE_TIMEOUT = 5.0
_TEND_EVERY = 5.0
_logger = logging.getLogger("tollgate")


@dataclass(frozen=True)
class Recorded:
    #: The key of the event. Whoever records it again under this key changes nothing.
    idempotency_key: str


@dataclass(frozen=True)
class MeterStats:
    #: Events that are not settled.
    queued: int
    #: Bytes of all segments of the folder.
    bytes: int
    #: Lines whose checksum was wrong. They are in ``rejected.jsonl``.
    damaged: int
    #: The time of the oldest event that is not settled, as of the last request.
    oldest: str | None
    #: Events that Tollgate has, by this meter.
    sent: int
    #: The part of ``sent`` that Tollgate had already: an answer was lost.
    duplicates: int
    #: Events that Tollgate refused for good.
    rejected: int
    #: Requests that failed.
    failures: int
    #: Why the last request failed; None after a success.
    last_error: Exception | None


@dataclass(frozen=True)
class _Options:
    dir: Dir
    tollgate: Tollgate | AsyncTollgate
    durability: str = "disk"
    max_bytes: int = _MAX_BYTES
    linger: float = 0.2
    close_on_exit: bool = False
    on_rejected: Callable[[RejectedEvent], None] | None = None
    on_warning: Callable[[str], None] | None = None
    clock: Clock = field(default=SYSTEM_CLOCK)

    def warn(self, message: str) -> None:
        """A callback that raises takes nothing with it, and what it was to say is said elsewhere."""
        try:
            (self.on_warning or _logger.warning)(message)
        except Exception:
            _logger.warning("`on_warning` failed on the warning: %s", message, exc_info=True)


class _Running:
    """The threads of a meter in one process: one writes, one sends, one tends the folder."""

    def __init__(self, options: _Options) -> None:
        self.pid = os.getpid()
        self._options = options
        self._counts = {"sent": 0, "duplicates": 0, "rejected": 0, "failures": 0}
        self._last_error: Exception | None = None
        self._tell_rejected = options.on_rejected or warn_of_rejected(options.warn, options.clock)
        self._spool: Spool = _open_spool(options)
        self._sender = Sender(
            SenderPorts(
                spool=self._spool,
                caller=options.tollgate._caller,
                clock=options.clock,
                linger=options.linger,
                on_sent=self._note_sent,
                on_refused=self._note_refused,
                on_failed=self._note_failed,
                warn=options.warn,
            )
        )
        self._commit = GroupCommit(self._spool, self._sender.notice, options.warn)
        self._is_closed = False
        #: Reentrant: a signal handler may interrupt its holder and record, too.
        self._lock = threading.RLock()
        self._stop_tending = threading.Event()
        self._tending = Worker("tending", self._tend, options.warn)

    def put(self, waiting: Waiting) -> None:
        with self._lock:
            if self._is_closed:
                key = waiting.event.idempotency_key
                raise SpoolError("the meter is closed", code="meter_closed", idempotency_key=key)
            self._commit.put(waiting)

    def stats(self) -> MeterStats:
        queued, size, damaged = self._spool.figures()
        return MeterStats(
            queued=queued,
            bytes=size,
            damaged=damaged,
            oldest=self._sender.oldest,
            last_error=self._last_error,
            **self._counts,
        )

    def close(self, timeout: float) -> Closed:
        with self._lock:
            if self._is_closed:
                return to_closed(self._spool, self._last_error)
            self._is_closed = True
            self._commit.end()
            self._stop_tending.set()
            self._tending.join()
            self._sender.drain(timeout)
            self._close_spool()
            closed = to_closed(self._spool, self._last_error)
            if closed.left > 0:
                self._options.warn(f"the meter is closed, and {closed.left} events are not sent: {closed.reason}")
            return closed

    def _close_spool(self) -> None:
        try:
            self._spool.end_appends()
            self._spool.close()
        except OSError as error:  # a folder in trouble keeps nobody from closing
            self._last_error = self._last_error or error

    def give_up(self, event: KeyedEvent, detail: str) -> None:
        """Writes the event to ``rejected.jsonl``, and tells ``on_rejected``."""
        refusal = Refusal(event.json, {"status": 0, "code": END_UNKNOWN, "detail": detail})
        self._spool.keep_refused([refusal])
        self._note_refused(refusal)

    def abandon(self) -> None:
        self._spool.abandon()

    def _tend(self) -> None:
        while not self._stop_tending.wait(_TEND_EVERY):
            try:
                self._spool.tend()
                self._sender.notice()
            except Exception as error:  # the next time may fare better
                self._options.warn(f"the spool folder cannot be maintained: {error}")

    def _note_sent(self, settlement: Settlement) -> None:
        self._counts["sent"] += settlement.recorded + settlement.duplicates
        self._counts["duplicates"] += settlement.duplicates
        self._last_error = None

    def _note_refused(self, refusal: Refusal) -> None:
        self._counts["rejected"] += 1
        try:
            self._tell_rejected(to_rejected(refusal))
        except Exception as error:  # the event is settled all the same
            self._options.warn(f"`on_rejected` failed: {error!r}")

    def _note_failed(self, error: Exception) -> None:
        self._counts["failures"] += 1
        self._last_error = error


class _Meter:
    """The base of both meters: a meter that is running, in the process that uses it."""

    def __init__(self, options: _Options) -> None:
        self._options = options
        self._running = _Running(options)
        self._starting = threading.Lock()
        self._forget_exit: Callable[[], None] = lambda: None
        if options.close_on_exit:
            self._forget_exit = close_on_exit(self._close)
        _meters.add(self)

    def stats(self) -> MeterStats:
        return self._here().stats()

    def _here(self) -> _Running:
        """After a fork, whose threads and segments are the parent's, the child has a writer of its own."""
        if self._running.pid != os.getpid():
            with self._starting:
                if self._running.pid != os.getpid():
                    self._running = _Running(self._options)
        return self._running

    def _put(self, event: KeyedEvent, loop: asyncio.AbstractEventLoop | None = None) -> Waiting:
        waiting = Waiting(event, loop)
        self._here().put(waiting)
        return waiting

    async def _keep(
        self,
        tool: str,
        *,
        duration_ms: float | None,
        success: bool | None,
        metadata: Metadata | None,
        timestamp: datetime.datetime | str | None,
        idempotency_key: str | None = None,
        authorization_id: str | None = None,
        traceparent: str | None = None,
    ) -> Recorded:
        event = self._to_event(
            tool,
            duration_ms=duration_ms,
            success=success,
            metadata=metadata,
            timestamp=timestamp,
            idempotency_key=idempotency_key,
            authorization_id=authorization_id,
            traceparent=traceparent,
        )
        waiting = self._put(event, asyncio.get_running_loop())
        if waiting.future is not None:
            await waiting.future
        return Recorded(event.idempotency_key)

    async def _give_up(self, tool: str, detail: str, **fields: Any) -> None:
        """Keeps a call that nobody pays, with the reason."""
        event = self._to_event(tool, **fields)
        await asyncio.to_thread(self._here().give_up, event, detail)

    def _to_event(self, tool: str, **fields: Any) -> KeyedEvent:
        return to_event(tool, now=self._options.clock.now(), **fields)

    def _close(self, timeout: float = _CLOSE_TIMEOUT) -> Closed:
        self._forget_exit()
        return self._here().close(timeout)

    def _forked(self) -> None:
        self._running.abandon()
        self._starting = threading.Lock()  # a thread of the parent may have held it


class Meter(_Meter):
    """For threads. Keep one open per process and folder."""

    @classmethod
    def open(cls, dir: Dir = None, **options: Unpack[MeterOptions]) -> Self:
        """Opens the folder, takes over what earlier processes left there, and begins to send.

        ``dir``: the folder of the spool. One per account; processes may share it.
        """
        return cls(_read_options(dir, options))

    def record(
        self,
        tool: str,
        *,
        duration_ms: float | None = None,
        success: bool | None = None,
        metadata: Metadata | None = None,
        timestamp: datetime.datetime | str | None = None,
        idempotency_key: str | None = None,
        authorization_id: str | None = None,
        traceparent: str | None = None,
    ) -> Recorded:
        """Returns when the event is kept as ``durability`` says. SpoolError: it is not, and the error names its key.

        ``duration_ms``: fractions are rounded. ``success``: default True. ``metadata``: at most 10 keys, and 256
        characters per value. ``timestamp``: when the call happened; default: now. ``idempotency_key``: default is a
        random one; give one if you may record the same call twice. ``authorization_id``: the call captures this
        authorization, so its account pays. ``traceparent``: the span of the call, as W3C Trace Context has it; what is none
        is left out.
        """
        event = self._to_event(
            tool,
            duration_ms=duration_ms,
            success=success,
            metadata=metadata,
            timestamp=timestamp,
            idempotency_key=idempotency_key,
            authorization_id=authorization_id,
            traceparent=traceparent,
        )
        waiting = self._put(event)
        waiting.wait()
        return Recorded(waiting.event.idempotency_key)

    def close(self, timeout: float = _CLOSE_TIMEOUT) -> Closed:
        """Sends what it can in this time, in seconds, and says what is left and why.

        It does not wait for what no wait mends, such as the key of another account.
        """
        return self._close(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncMeter(_Meter):
    """For asyncio. Keep one open per process and folder."""

    @classmethod
    async def open(cls, dir: Dir = None, **options: Unpack[MeterOptions]) -> Self:
        """As ``Meter.open``."""
        return await asyncio.to_thread(cls, _read_options(dir, options))

    async def record(
        self,
        tool: str,
        *,
        duration_ms: float | None = None,
        success: bool | None = None,
        metadata: Metadata | None = None,
        timestamp: datetime.datetime | str | None = None,
        idempotency_key: str | None = None,
        authorization_id: str | None = None,
        traceparent: str | None = None,
    ) -> Recorded:
        """As ``Meter.record``. Who is cancelled while it waits does not know whether the event is kept."""
        return await self._keep(
            tool,
            duration_ms=duration_ms,
            success=success,
            metadata=metadata,
            timestamp=timestamp,
            idempotency_key=idempotency_key,
            authorization_id=authorization_id,
            traceparent=traceparent,
        )

    async def close(self, timeout: float = _CLOSE_TIMEOUT) -> Closed:
        """As ``Meter.close``."""
        return await asyncio.to_thread(self._close, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.close()


_meters: weakref.WeakSet[_Meter] = weakref.WeakSet()


def _note_fork() -> None:
    for meter in list(_meters):
        meter._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def _read_options(dir: Dir, options: MeterOptions) -> _Options:
    rest: dict[str, Any] = {**options}
    api_key, url = rest.pop("api_key", None), rest.pop("url", None)
    tollgate = rest.pop("tollgate", None) or Tollgate(api_key, url)
    return _Options(dir, tollgate, **rest)


def _open_spool(options: _Options) -> Spool:
    if options.durability == "memory":
        return MemorySpool(options.max_bytes)
    if options.durability not in ("disk", "os"):
        raise ValueError("`durability` must be 'disk', 'os' or 'memory'")
    if options.dir is None:
        raise ValueError("`dir` must name a folder, unless `durability` is 'memory'")
    return DiskSpool(
        options.dir,
        is_flushed=options.durability == "disk",
        max_bytes=options.max_bytes,
        now=options.clock.now,
        warn=options.warn,
    )
