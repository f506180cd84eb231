"""Meters the streams that answer calls: each call is settled once, at the end of its stream or at a cut."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union, overload

from ._event import Metadata
from .calls import PaidCall

__all__ = ["AsyncMeteredStream", "Charge", "MeteredStream", "StreamEnd", "meter_stream"]

Item = TypeVar("Item")

#: The cost of a stream that is cut. ``delivered``: the last usage, and nothing before the first item. ``none``: nothing.
#: ``all``: ``most``, also before the first item.
Charge = Literal["delivered", "none", "all"]


class StreamEnd(NamedTuple):
    """How a stream ended."""

    #: None: it is whole. ``caller``: its reader stopped or was cancelled, as when the network cut it. ``builder``: its source
    #: or ``usage`` raised.
    cut_by: Optional[Literal["caller", "builder"]]
    #: So many items were handed on.
    items: int


@overload
def meter_stream(
    call: PaidCall,
    source: AsyncIterable[Item],
    *,
    usage: Optional[Callable[[Item], Optional[Metadata]]] = None,
    charge: Charge = "delivered",
    most: Optional[Metadata] = None,
) -> AsyncMeteredStream[Item]: ...


@overload
def meter_stream(
    call: PaidCall,
    source: Iterable[Item],
    *,
    usage: Optional[Callable[[Item], Optional[Metadata]]] = None,
    charge: Charge = "delivered",
    most: Optional[Metadata] = None,
) -> MeteredStream[Item]: ...


def meter_stream(
    call: PaidCall,
    source: Union[AsyncIterable[Item], Iterable[Item]],
    *,
    usage: Optional[Callable[[Item], Optional[Metadata]]] = None,
    charge: Charge = "delivered",
    most: Optional[Metadata] = None,
) -> Union[AsyncMeteredStream[Item], MeteredStream[Item]]:
    """The same stream, once, as the answer to a call. Its end or its cut ends the call, or releases it if it costs nothing.

    ``usage`` reads from an item what the call has come to so far; the last value that is not None counts. ``charge``: the
    cost of a cut. ``most``: the most that the call can come to, for ``all``; default: the metadata of the gate's ``max``.

    No item is read before it is asked for, and a cut closes the source. ``break`` does not close an iterator of Python: use
    ``async with`` or ``with``, or the stream is cut when nothing refers to it any more.

    Call it where an asyncio loop runs: the loop settles the call. A ``source`` that is no asynchronous iterable gives an
    iterator for another thread, such as that in which a framework reads the body of an answer.
    """
    settling = _Settling(call, usage, charge, most)
    if isinstance(source, AsyncIterable):
        return AsyncMeteredStream(settling, source)
    return MeteredStream(settling, source)


class _Settling(Generic[Item]):
    """The part of a stream that was handed on, and what it costs."""

    def __init__(
        self,
        call: PaidCall,
        usage: Optional[Callable[[Item], Optional[Metadata]]],
        charge: Charge,
        most: Optional[Metadata],
    ) -> None:
        self._call = call
        self._usage = usage
        self._charge = charge
        self._most = call.most if most is None else most
        self._items = 0
        self._last: Optional[Metadata] = None
        self._lock = threading.Lock()
        self._is_over = False
        self.loop = asyncio.get_running_loop()
        #: Resolves when the call is settled.
        self.ended: asyncio.Future[StreamEnd] = self.loop.create_future()

    @property
    def is_over(self) -> bool:
        return self._is_over

    def note(self, item: Item) -> None:
        """The item is about to be handed on."""
        if self._usage is not None:
            found = self._usage(item)
            self._last = self._last if found is None else found
        self._items += 1

    def settle(self, cut_by: Optional[Literal["caller", "builder"]]) -> bool:
        """Settles the call, in its loop and by itself. False: that has begun before."""
        with self._lock:
            if self._is_over:
                return False
            self._is_over = True
        end = StreamEnd(cut_by, self._items)
        if _is_in(self.loop):
            self._start(end)
        elif not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._start, end)
        return True

    def _start(self, end: StreamEnd) -> None:
        self._call._calls._start(self._pay(end))

    async def _pay(self, end: StreamEnd) -> None:
        """A cut that costs something is recorded as a success, since a price may bill no failed calls."""
        is_cut = end.cut_by is not None
        if is_cut and self._charge == "all":
            await self._call.end(success=True, metadata={**(self._last or {}), **(self._most or {})})
        elif is_cut and (self._charge == "none" or self._items == 0):
            await self._call.release()
        else:
            await self._call.end(success=True, metadata=self._last)
        if not self.ended.done():
            self.ended.set_result(end)


class AsyncMeteredStream(AsyncIterator[Item]):
    """The answer to a call, item by item. ``ended`` resolves when the call is settled."""

    def __init__(self, settling: _Settling[Item], source: AsyncIterable[Item]) -> None:
        self._settling = settling
        self._source = source
        self._iterator = source.__aiter__()
        self._is_reading = False
        self.ended = settling.ended

    def __aiter__(self) -> AsyncMeteredStream[Item]:
        return self

    async def __anext__(self) -> Item:
        if self._settling.is_over:
            await asyncio.shield(self.ended)
            raise StopAsyncIteration
        self._is_reading = True
        try:
            item = await self._iterator.__anext__()
            is_late = self._settling.is_over
            if not is_late:
                self._settling.note(item)
        except StopAsyncIteration:
            await self._settle(None)
            raise
        except BaseException as error:
            await self._settle("caller" if isinstance(error, asyncio.CancelledError) else "builder")
            with contextlib.suppress(Exception):  # the reader gets the error that came first
                await self._close_source()
            raise
        finally:
            self._is_reading = False
        if is_late:  # nobody paid it
            await self._close_source()
            raise StopAsyncIteration
        return item

    async def aclose(self) -> None:
        """The caller leaves. A source that hangs does not hold this up: it is closed when it has answered."""
        await self._settle("caller")
        if not self._is_reading:
            await self._close_source()

    async def __aenter__(self) -> AsyncMeteredStream[Item]:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        settling = getattr(self, "_settling", None)  # it is missing where no loop runs
        if settling is not None:
            settling.settle("caller")

    async def _settle(self, cut_by: Optional[Literal["caller", "builder"]]) -> None:
        self._settling.settle(cut_by)
        await asyncio.shield(self.ended)

    async def _close_source(self) -> None:
        """Clients of models close their connection by the iterable, not by its iterator."""
        for closable in (self._iterator, self._source):
            close = getattr(closable, "aclose", None) or getattr(closable, "close", None)
            closing = close() if close is not None else None
            if inspect.isawaitable(closing):
                await closing


class MeteredStream(Iterator[Item]):
    """The answer to a call, item by item, for a thread. ``ended`` resolves, in the loop, when the call is settled."""

    def __init__(self, settling: _Settling[Item], source: Iterable[Item]) -> None:
        self._settling = settling
        self._source = source
        self._iterator = iter(source)
        self._is_reading = False
        self.ended = settling.ended

    def __iter__(self) -> MeteredStream[Item]:
        return self

    def __next__(self) -> Item:
        if self._settling.is_over:
            raise StopIteration
        self._is_reading = True
        try:
            item = next(self._iterator)
            is_late = self._settling.is_over
            if not is_late:
                self._settling.note(item)
        except StopIteration:
            self._settle(None)
            raise
        except BaseException:
            self._settle("builder")
            with contextlib.suppress(Exception):  # the reader gets the error that came first
                self._close_source()
            raise
        finally:
            self._is_reading = False
        if is_late:  # nobody paid it
            self._close_source()
            raise StopIteration
        return item

    def close(self) -> None:
        """The caller leaves. A source that hangs does not hold this up: it is closed when it has answered."""
        self._settle("caller")
        if not self._is_reading:
            self._close_source()

    def __enter__(self) -> MeteredStream[Item]:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        settling = getattr(self, "_settling", None)
        if settling is not None:
            settling.settle("caller")

    def _settle(self, cut_by: Optional[Literal["caller", "builder"]]) -> None:
        """Waits as long as a call waits for its recording. The loop itself cannot wait for what it does."""
        settling = self._settling
        if settling.settle(cut_by) and not _is_in(settling.loop) and settling.loop.is_running():
            asyncio.run_coroutine_threadsafe(_wait_for(settling.ended), settling.loop).result()

    def _close_source(self) -> None:
        for closable in (self._iterator, self._source):
            close = getattr(closable, "close", None)
            if close is not None:
                close()


async def _wait_for(ended: asyncio.Future[Any]) -> None:
    await asyncio.shield(ended)


def _is_in(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether this thread runs the loop now."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
