"""Streams that are paid at a real service, whoever cuts them."""

from __future__ import annotations

import asyncio
import gc
import threading
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest

from tollgate import Meter
from tollgate.calls import Calls, PaidCall
from tollgate.streams import AsyncMeteredStream, Charge, MeteredStream, meter_stream

from .support.market import Market

_ITEMS = 3
_MOST = 100
_CHARGES: tuple[Charge, ...] = ("delivered", "none", "all")
_COSTS: dict[str, Callable[[int], int]] = {
    "delivered": lambda items: items * 10,
    "none": lambda _items: 0,
    "all": lambda _items: _MOST,
}


class ModelGone(Exception):
    pass


class Source:
    """Three items, each of which says the tokens until now. ``fail_at``: it raises in place of this item."""

    def __init__(self, *, fail_at: int | None = None, hang_at: int | None = None) -> None:
        self.fail_at = fail_at
        self.hang_at = hang_at
        self.asked = 0
        self.is_closed = False
        self.may_answer = threading.Event()

    def __iter__(self) -> Iterator[int]:
        try:
            for item in range(_ITEMS + 1):
                if item == self.hang_at:
                    self.may_answer.wait(20)
                self._answer(item)
                if item < _ITEMS:
                    yield (item + 1) * 10
        finally:
            self.is_closed = True

    def _answer(self, item: int) -> None:
        self.asked += 1
        if item == self.fail_at:
            raise ModelGone


class AsyncSource(Source):
    async def __aiter__(self) -> AsyncIterator[int]:
        try:
            for item in range(_ITEMS + 1):
                if item == self.hang_at:
                    await asyncio.Event().wait()
                self._answer(item)
                if item < _ITEMS:
                    yield (item + 1) * 10
        finally:
            self.is_closed = True


class StreamMarket(Market):
    """Its tool costs a tenth of a cent per token."""

    def __init__(self) -> None:
        super().__init__()
        slug = f"stream-{uuid.uuid4()}"
        self.builder.tools.create(
            {
                "slug": slug,
                "name": "Answers",
                "price": {
                    "currency": "usd",
                    "charges": [
                        {
                            "metric": {"type": "metadata_sum", "key": "tokens"},
                            "model": {"type": "per_unit", "unit_price_usd": "0.001"},
                        }
                    ],
                },
            }
        )
        self.consumer.passes.update(self.pass_id, {"tools": [slug], "cap": {"amount_usd": 10, "window": "month"}})
        self.slug = slug

    def require_tokens(self, tokens: list[int]) -> None:
        """Waits until these are the successful calls, and no others; and nothing is held."""
        self.require_paid(successes=len(tokens), failures=0, usd=round(sum(tokens) * 0.001, 6))
        events = self.consumer.events.list(tool_id=self.slug)
        assert sorted(int((event.get("metadata") or {}).get("tokens", -1)) for event in events) == sorted(tokens)


@pytest.fixture
def market() -> StreamMarket:
    return StreamMarket()


def usage(tokens: int) -> dict[str, int]:
    return {"tokens": tokens}


Run = Callable[[Callable[[], Awaitable[PaidCall]]], Awaitable[list[int]]]


def pay(market: StreamMarket, has_gate: bool, run: Run) -> None:
    """Runs streams, and holds what they say that they cost against what was paid."""
    errors: list[Exception] = []

    async def open_calls(meter: Meter) -> list[int]:
        gate: Any = has_gate and {"max": {"metadata": {"tokens": _MOST}}}
        calls = Calls(tollgate=market.builder, meter=meter, require_pass=True, gate=gate, on_error=errors.append)

        async def begin() -> PaidCall:
            begun = await calls.begin(market.slug, market.key)
            assert isinstance(begun, PaidCall), begun
            assert begun.most == ({"tokens": _MOST} if has_gate else None)
            return begun

        return await run(begin)

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        tokens = asyncio.run(open_calls(meter))
    market.require_tokens([count for count in tokens if count > 0])
    assert errors == []


async def read(stream: AsyncMeteredStream[int], items: int) -> None:
    for _ in range(items):
        await stream.__anext__()


async def stop(stream: AsyncMeteredStream[int], items: int) -> None:
    async with stream:
        await read(stream, items)
    await stream.aclose()  # settles nothing more


async def cancel(stream: AsyncMeteredStream[int], items: int) -> None:
    reading = asyncio.ensure_future(read(stream, items + 1))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


async def break_source(stream: AsyncMeteredStream[int], items: int) -> None:
    with pytest.raises(ModelGone):
        await read(stream, items + 1)


@pytest.mark.parametrize("has_gate", [True, False])
def test_a_stream_that_ends_is_recorded_once_with_its_last_usage(market: StreamMarket, has_gate: bool) -> None:
    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        for charge in _CHARGES:
            stream = meter_stream(await begin(), AsyncSource(), usage=usage, charge=charge)
            assert [item async for item in stream] == [10, 20, 30]
            assert await stream.ended == (None, _ITEMS)
            await stream.aclose()
            in_thread = meter_stream(await begin(), Source(), usage=usage, charge=charge)
            assert await asyncio.to_thread(list, in_thread) == [10, 20, 30]
            assert await in_thread.ended == (None, _ITEMS)
        return [30] * 2 * len(_CHARGES)

    pay(market, has_gate, run)


@pytest.mark.parametrize("has_gate", [True, False])
@pytest.mark.parametrize(
    ("cut", "by", "where"),
    [(stop, "caller", None), (cancel, "caller", "hang_at"), (break_source, "builder", "fail_at")],
)
def test_a_stream_that_is_cut_costs_what_its_builder_says(
    market: StreamMarket, has_gate: bool, cut: Any, by: str, where: str | None
) -> None:
    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        tokens: list[int] = []
        for charge in _CHARGES:
            for items in range(_ITEMS + 1):
                source = AsyncSource(**({} if where is None else {where: items}))
                most = None if has_gate else {"tokens": _MOST}
                stream = meter_stream(await begin(), source, usage=usage, charge=charge, most=most)
                await cut(stream, items)
                assert await stream.ended == (by, items)
                assert [item async for item in stream] == []
                assert source.is_closed or source.asked == 0
                tokens.append(_COSTS[charge](items))
        return tokens

    pay(market, has_gate, run)


def stop_in_thread(stream: MeteredStream[int], items: int) -> None:
    with stream:
        for _ in range(items):
            next(stream)
    stream.close()


def break_in_thread(stream: MeteredStream[int], items: int) -> None:
    for _ in range(items):
        next(stream)
    with pytest.raises(ModelGone):
        next(stream)


@pytest.mark.parametrize("has_gate", [True, False])
@pytest.mark.parametrize(("cut", "by"), [(stop_in_thread, "caller"), (break_in_thread, "builder")])
def test_a_stream_of_a_thread_that_is_cut_costs_what_its_builder_says(
    market: StreamMarket, has_gate: bool, cut: Any, by: str
) -> None:
    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        tokens: list[int] = []
        for charge in _CHARGES:
            for items in range(_ITEMS + 1):
                source = Source(fail_at=items if by == "builder" else None)
                most = None if has_gate else {"tokens": _MOST}
                stream = meter_stream(await begin(), source, usage=usage, charge=charge, most=most)
                await asyncio.to_thread(cut, stream, items)
                assert await stream.ended == (by, items)
                assert list(stream) == []
                assert source.is_closed or source.asked == 0
                tokens.append(_COSTS[charge](items))
        return tokens

    pay(market, has_gate, run)


def test_a_stream_that_nothing_refers_to_any_more_is_cut(market: StreamMarket) -> None:
    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        stream = meter_stream(await begin(), AsyncSource(), usage=usage)
        async for _ in stream:
            break
        ended = [stream.ended]
        del stream
        in_thread = meter_stream(await begin(), Source(), usage=usage)
        for _ in in_thread:
            break
        ended.append(in_thread.ended)
        del in_thread, _
        gc.collect()
        assert [await end for end in ended] == [("caller", 1), ("caller", 1)]
        return [10, 10]

    pay(market, True, run)


def test_a_cut_waits_for_no_source_and_what_comes_later_is_handed_to_nobody(market: StreamMarket) -> None:
    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        source = Source(hang_at=1)
        stream = meter_stream(await begin(), source, usage=usage)
        reading = asyncio.ensure_future(asyncio.to_thread(list, stream))
        while source.asked == 0 or not stream._is_reading:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(stream.close)
        assert await stream.ended == ("caller", 1)
        source.may_answer.set()
        assert await reading == [10]
        assert (source.asked, source.is_closed) == (2, True)
        return [10]

    pay(market, True, run)


def test_a_usage_that_raises_cuts_the_stream(market: StreamMarket) -> None:
    def picky(tokens: int) -> dict[str, int]:
        if tokens == 20:
            raise ModelGone
        return {"tokens": tokens}

    async def run(begin: Callable[[], Awaitable[PaidCall]]) -> list[int]:
        source = AsyncSource()
        stream = meter_stream(await begin(), source, usage=picky)
        await break_source(stream, 1)
        assert (await stream.ended, source.is_closed) == (("builder", 1), True)
        in_loop = meter_stream(await begin(), Source(), usage=picky)  # it blocks its loop, and is paid all the same
        with pytest.raises(ModelGone):
            list(in_loop)
        assert await in_loop.ended == ("builder", 1)
        return [10, 10]

    pay(market, True, run)
