"""Calls that a real MCP server answers with a task, paid at a real service: by MCP 1, or by FastMCP with its extension."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from tollgate import Meter, RejectedEvent
from tollgate.calls import Calls
from tollgate.mcp import meter_server

from .support.eventually import eventually
from .support.market import Market
from .support.task_servers import HAS_FASTMCP, HAS_FIRST, Extension, FirstGeneration, TaskServer, Work

if not (HAS_FASTMCP or HAS_FIRST):
    pytest.skip("what is installed has no tasks", allow_module_level=True)

only_first = pytest.mark.skipif(not HAS_FIRST, reason="the extension tells nothing, and its server sets the time to live")


class Bench:
    """Two processes of one server: each has a meter and a memory of its own."""

    def __init__(self, market: Market, work: Work) -> None:
        self.market = market
        self.work = work
        self.here: TaskServer
        self.there: TaskServer
        self.errors: list[Exception] = []
        self.rejected: list[RejectedEvent] = []

    async def open(self, stack: AsyncExitStack, gate: bool) -> None:
        self.here, self.there = [await self._open_process(stack, gate) for _ in range(2)]

    async def _open_process(self, stack: AsyncExitStack, gate: bool) -> TaskServer:
        builder = self.market.builder
        meter = stack.enter_context(Meter.open(durability="memory", tollgate=builder, on_rejected=self.rejected.append))
        calls = Calls(tollgate=builder, meter=meter, gate=gate, require_pass=True, on_error=self.errors.append)
        kind = FirstGeneration if HAS_FIRST else Extension
        server = meter_server(kind.new_server(self.work), calls=calls, tool=self.market.slug, own_key=self.market.key)
        return await stack.enter_async_context(kind.connect(server))

    async def until(self, check: Callable[[], object]) -> None:
        await asyncio.to_thread(check)

    async def until_status(self, server: TaskServer, task_id: str, status: str) -> None:
        """A worker ends its tasks one by one."""
        for _ in range(400):
            if await server.get(task_id) == status:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"the task {task_id} is not {status}")


def with_two(talk: Callable[[Bench], Awaitable[None]], *, gate: bool = True, bill_failed_calls: bool = False) -> Bench:
    market = Market(bill_failed_calls=bill_failed_calls)
    market.cap_at(5)

    async def run() -> Bench:
        bench = Bench(market, Work())
        async with AsyncExitStack() as stack:
            await bench.open(stack, gate)
            await talk(bench)
        return bench

    return asyncio.run(run())


def test_f379_a_task_is_paid_once_it_has_ended_whoever_sees_it_and_not_before() -> None:
    async def talk(bench: Bench) -> None:
        market, here, there = bench.market, bench.here, bench.there
        ids = [await here.call("Oslo"), await here.call("Rome")]
        assert [await here.get(ids[0]), await there.get(ids[1])] == ["working", "working"]
        assert await asyncio.to_thread(market.held_usd) == 0.02
        found = await asyncio.to_thread(lambda: [len(list(market.builder.spending.authorizations(reference=id))) for id in ids])
        assert found == [1, 1]
        await bench.work.end_all()
        await bench.until_status(here, ids[0], "completed")
        await bench.until_status(there, ids[1], "completed")
        if not HAS_FIRST:  # FastMCP does not say when a task ended, so two processes at once would not tell the same time
            await bench.until(lambda: market.require_paid(successes=2, failures=0, usd=0.02))
        for server in (here, there, here):
            for task_id in ids:
                assert await server.get(task_id) == "completed"
                assert await server.result(task_id) is not None
        await bench.until(lambda: market.require_paid(successes=2, failures=0, usd=0.02))

    bench = with_two(talk)
    assert (bench.errors, bench.rejected) == ([], [])


def test_f379_a_task_that_fails_costs_what_a_failed_call_costs_by_whichever_process() -> None:
    async def talk(bench: Bench) -> None:
        ids = [await bench.here.call("Atlantis"), await bench.here.call("Wrong")]
        await bench.work.end_all()
        for server, task_id in zip((bench.here, bench.there), ids):
            while await server.get(task_id) == "working":
                await asyncio.sleep(0.05)
        await bench.until(lambda: bench.market.require_paid(successes=0, failures=2, usd=0.02))

    bench = with_two(talk, bill_failed_calls=True)
    assert (bench.errors, bench.rejected) == ([], [])


def test_f379_a_task_that_is_cancelled_is_free_by_whichever_process() -> None:
    async def talk(bench: Bench) -> None:
        ids = [await bench.here.call("Oslo"), await bench.here.call("Rome")]
        for server, task_id in zip((bench.here, bench.there), ids):
            await server.cancel(task_id)
            await bench.until_status(server, task_id, "cancelled")
        await bench.until(lambda: bench.market.require_paid(successes=0, failures=0, usd=0))

    bench = with_two(talk)
    assert (bench.errors, bench.rejected) == ([], [])


def test_f379_a_task_is_recorded_once_it_has_ended_where_no_money_is_held() -> None:
    async def talk(bench: Bench) -> None:
        task_id = await bench.here.call("Oslo")
        await bench.here.get(task_id)
        bench.market.require_counted(successes=0, failures=0)
        await bench.work.end_all()
        await bench.until_status(bench.here, task_id, "completed")
        for server in (bench.there, bench.here, bench.there):
            await server.get(task_id)
        await bench.until(lambda: bench.market.require_counted(successes=1, failures=0))

    assert with_two(talk, gate=False).errors == []


@only_first
def test_f379_a_task_is_paid_when_a_notification_tells_its_end_also_if_nobody_asks() -> None:
    async def talk(bench: Bench) -> None:
        await bench.here.call("Told")
        assert await asyncio.to_thread(bench.market.held_usd) == 0.01
        bench.work.may_end.set()
        await bench.until(lambda: bench.market.require_paid(successes=1, failures=0, usd=0.01))

    bench = with_two(talk)
    assert (bench.errors, bench.rejected) == ([], [])


@only_first
@pytest.mark.parametrize("ends", [True, False])
def test_f380_a_task_that_nobody_asks_about_again_is_settled_or_free_at_its_end_of_life(ends: bool) -> None:
    async def talk(bench: Bench) -> None:
        task_id = await bench.here.call("Oslo", 3_000)
        assert await asyncio.to_thread(bench.market.held_usd) == 0.01
        if ends:
            await bench.work.end_all()
            await bench.until(lambda: bench.market.require_paid(successes=1, failures=0, usd=0.01))
            return
        await bench.until(lambda: eventually(lambda: len(bench.rejected) == 1, within=20))
        assert (bench.rejected[0].code, task_id in bench.rejected[0].message) == ("end_unknown", True)
        await bench.until(lambda: bench.market.require_paid(successes=0, failures=0, usd=0))

    bench = with_two(talk)
    assert (bench.errors, len(bench.rejected)) == ([], 0 if ends else 1)
