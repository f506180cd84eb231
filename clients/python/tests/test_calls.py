"""Calls that are paid at a real service, whatever asks for them."""

from __future__ import annotations

import asyncio

import pytest

from tollgate import Meter, RejectedEvent, Tollgate, TollgateError
from tollgate.calls import Calls, PaidCall, Refusal

from .support.bench import Bench
from .support.eventually import eventually
from .support.hanging import hanging_tollgate
from .support.market import Market
from .support.slow_gate import slow_gate


@pytest.fixture
def market() -> Market:
    return Market()


async def begin(calls: Calls, market: Market, key: str) -> PaidCall:
    begun = await calls.begin(market.slug, key)
    assert isinstance(begun, PaidCall), begun
    return begun


def test_a_hold_lasts_an_hour_unless_the_gate_says_otherwise(market: Market) -> None:
    with slow_gate(market.builder) as gate, Meter.open(durability="memory", tollgate=market.builder) as meter:
        gate.may_pass.set()
        for option in (True, {"ttl_seconds": 5, "max": {"duration_ms": 200}}):
            calls = Calls(tollgate=gate.client, meter=meter, gate=option)  # type: ignore[arg-type]
            asyncio.run(release(calls, market))
    assert [(ask["ttl_seconds"], ask.get("max")) for ask in gate.asks] == [(3_600, None), (5, {"duration_ms": 200})]


SPAN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize(("given", "sent"), [(SPAN, SPAN), ("no traceparent", None)])
@pytest.mark.parametrize("is_pass", [True, False])
def test_gate_and_event_have_the_span_of_the_call(market: Market, given: str, sent: str | None, is_pass: bool) -> None:
    """A call with a pass is recorded by the meter, one with an API key by its own client."""
    key = market.key if is_pass else market.consumer.api_keys.create({"name": "caller"}).get("key", "")

    async def run(calls: Calls) -> None:
        begun = await calls.begin(market.slug, key, traceparent=given)
        assert isinstance(begun, PaidCall), begun
        await begun.end(success=True)

    with slow_gate(market.builder) as gate:
        gate.may_pass.set()
        with Meter.open(durability="memory", tollgate=gate.client) as meter:
            asyncio.run(run(Calls(tollgate=gate.client, meter=meter, gate=True)))
        assert gate.traces == [sent]
        assert [event.get("traceparent") for event in gate.events] == [sent]
    market.require_counted(successes=1, failures=0)


async def release(calls: Calls, market: Market) -> None:
    await (await begin(calls, market, market.key)).release()


def test_what_comes_second_does_nothing(market: Market) -> None:
    errors: list[Exception] = []
    market.cap_at(0.02)

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=market.builder, meter=meter, gate=True, on_error=errors.append)
        ended, released = await begin(calls, market, market.key), await begin(calls, market, market.key)
        await ended.end(success=True)
        await ended.release()
        await released.release()
        await released.end(success=True)

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        asyncio.run(run(meter))
    market.require_paid(successes=1, failures=0, usd=0.01)
    assert errors == []


def test_an_api_key_of_the_caller_pays_and_its_owner_sees_the_figures(market: Market) -> None:
    errors: list[Exception] = []
    key = market.consumer.api_keys.create({"name": "caller"}).get("key", "")
    market.consumer.spending.set_budget({"amount_usd": 0.01, "window": "month"})

    async def run(meter: Meter) -> Refusal | PaidCall:
        calls = Calls(tollgate=market.builder, meter=meter, gate=True, on_error=errors.append)
        await (await begin(calls, market, key)).release()
        await (await begin(calls, market, key)).end(success=True)
        return await calls.begin(market.slug, key)

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        refusal = asyncio.run(run(meter))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "spending_cap_reached"
    assert refusal.limit is not None
    assert (refusal.limit["cap_usd"], refusal.limit["needed_usd"]) == (0.01, 0.01)
    assert refusal.resets_at == refusal.limit["resets_at"]
    market.require_counted(successes=1, failures=0)
    assert (meter.stats().sent, errors) == (0, [])


@pytest.mark.parametrize("by_key", [False, True])
def test_a_call_whose_event_is_refused_holds_nothing_any_more(market: Market, by_key: bool) -> None:
    errors: list[Exception] = []
    rejected: list[RejectedEvent] = []
    market.cap_at(0.02)
    market.consumer.spending.set_budget({"amount_usd": 0.02, "window": "month"})
    key = market.consumer.api_keys.create({"name": "caller"}).get("key", "") if by_key else market.key

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=market.builder, meter=meter, gate=True, on_error=errors.append)
        for metadata in ({f"key{at}": at for at in range(11)}, {"tokens": float("nan")}):  # Tollgate takes ten keys
            call = await begin(calls, market, key)
            assert market.consumer.spending.budget()["held_usd"] == 0.01
            await call.end(success=True, metadata=metadata)
            await asyncio.to_thread(eventually, lambda: market.consumer.spending.budget()["held_usd"] == 0, 20)

    with Meter.open(durability="memory", tollgate=market.builder, on_rejected=rejected.append) as meter:
        asyncio.run(run(meter))
    assert len(errors) == (2 if by_key else 1)
    assert [event.code for event in rejected] == ([] if by_key else ["invalid_request"])
    market.require_counted(successes=0, failures=0)


@pytest.mark.parametrize("has_callback", [True, False])
def test_a_capture_after_the_end_of_its_hold_is_refused_and_reported(market: Market, has_callback: bool) -> None:
    rejected: list[RejectedEvent] = []
    warnings: list[str] = []
    market.cap_at(0.01)

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=market.builder, meter=meter, gate={"ttl_seconds": 5})
        call = await begin(calls, market, market.key)
        await asyncio.to_thread(eventually, lambda: market.held_usd() == 0, 60)
        await call.end(success=True)

    on_rejected = rejected.append if has_callback else None
    options = {"tollgate": market.builder, "on_rejected": on_rejected, "on_warning": warnings.append}
    with Meter.open(durability="memory", **options) as meter:  # type: ignore[arg-type]
        asyncio.run(run(meter))
    message = rejected[0].message if has_callback else warnings[0]
    assert message.startswith(f"Nobody pays for the call of {market.slug} at 2")
    assert "Its event came when the money that was held for it was free again." in message
    assert [event.code for event in rejected] == (["authorization_not_open"] if has_callback else [])
    market.require_paid(successes=0, failures=0, usd=0)


def test_a_late_capture_with_an_api_key_is_reported_too(market: Market) -> None:
    errors: list[Exception] = []
    key = market.consumer.api_keys.create({"name": "caller"}).get("key", "")
    market.consumer.spending.set_budget({"amount_usd": 0.01, "window": "month"})

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=market.builder, meter=meter, gate={"ttl_seconds": 5}, on_error=errors.append)
        call = await begin(calls, market, key)
        await asyncio.to_thread(eventually, lambda: market.consumer.spending.budget()["held_usd"] == 0, 60)
        await call.end(success=True)

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        asyncio.run(run(meter))
    (error,) = errors
    assert isinstance(error, TollgateError)
    assert error.code == "authorization_not_open"
    assert "Its event came when the money that was held for it was free again." in error.detail


@pytest.mark.parametrize("gate", [False, True])
def test_a_call_is_refused_in_time_by_a_tollgate_that_hangs(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, gate: bool
) -> None:
    monkeypatch.setattr("tollgate.calls._WAIT", 0.2)
    errors: list[Exception] = []

    async def run() -> None:
        with hanging_tollgate() as tollgate:
            meter = bench.open(durability="memory")
            calls = Calls(tollgate=tollgate, meter=meter, require_pass=True, gate=gate, on_error=errors.append)
            refused = await calls.begin("tool-1", "tg_pass_x", name="weather")
            assert errors == []  # nothing has ended that it could have waited for
            assert isinstance(refused, Refusal)
            assert refused.code == "gate_unavailable"
            assert "weather" in refused.detail

    asyncio.run(run())


def test_an_answer_waits_for_its_recording_only_so_long(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tollgate.calls._WAIT", 0.2)
    bench.server.always = "late"

    async def run() -> None:
        tollgate = Tollgate("tg_live_test", bench.server.url)
        call = await Calls(tollgate=tollgate, meter=bench.open(durability="memory")).begin("tool-1", "tg_pass_x")
        assert isinstance(call, PaidCall)
        await call.end(success=True)
        bench.server.may_answer.set()

    asyncio.run(run())
    eventually(lambda: len(bench.server.counted) == 1)


@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("mistake", ["a tool that does not exist", "an archived tool", "a key that is refused"])
def test_a_mistake_of_the_builder_lets_nobody_run_the_tool_for_nothing(market: Market, mistake: str, gate: bool) -> None:
    errors: list[Exception] = []
    slug = "no-such-tool-anywhere" if mistake == "a tool that does not exist" else market.slug
    tollgate = Tollgate("tg_live_nobody") if mistake == "a key that is refused" else market.builder
    key = market.consumer.passes.create({"name": "all", "tools": "*"})["key"]
    if mistake == "an archived tool":
        market.builder.tools.archive(market.slug)

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=tollgate, meter=meter, require_pass=True, gate=gate, on_error=errors.append)
        refused = await calls.begin(slug, key, name="weather")
        while isinstance(refused, PaidCall) and mistake == "an archived tool":  # the gate is notified a moment later
            await refused.release()
            refused = await calls.begin(slug, key, name="weather")
        assert isinstance(refused, Refusal)
        assert refused.code == "tool_misconfigured"
        assert refused.detail.startswith("The tool weather ")
        assert refused.detail.endswith("Only its builder can fix this: do not try again.")

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        asyncio.run(run(meter))
    assert len(errors) == 1
