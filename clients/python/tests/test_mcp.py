"""Tool calls of a real MCP client, of the generation that is installed, paid at a real service."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tollgate import Meter, Tollgate, TollgateError
from tollgate._clock import SYSTEM_CLOCK
from tollgate._is_unfit import is_unfit
from tollgate._outcome import outcome_of
from tollgate.calls import Calls, to_async
from tollgate.mcp import (
    ERROR_META,
    IDEMPOTENCY_META,
    KEY_META,
    PRICE_META,
    Response,
    TokenVerifier,
    ToolCall,
    _Metering,
    meter_server,
)

from .support.bench import Bench
from .support.eventually import eventually
from .support.hanging import hanging_tollgate
from .support.market import Market
from .support.mcp_program import new_server
from .support.slow_gate import SlowGate, slow_gate

pytest.importorskip("mcp")
ROOT = Path(__file__).parents[1]


@pytest.fixture
def market() -> Market:
    return Market()


class Conversation:
    """A client's. Results are as the wire has them, whichever generation made them."""

    def __init__(self, session: Any, key: str) -> None:
        self.session = session
        self._key = key

    async def call(self, arguments: dict[str, Any], name: str = "weather", **meta: Any) -> dict[str, Any]:
        """With the pass, unless ``key`` says another one."""
        key = meta.pop("key", self._key)
        trace = {"traceparent": meta.pop("trace")} if "trace" in meta else {}
        sent = {**({} if key is None else {KEY_META: key}), **({IDEMPOTENCY_META: meta["again"]} if meta else {})}
        sent.update(trace)
        return _dump(await self.session.call_tool(name, arguments, meta=sent))

    async def tools(self) -> list[dict[str, Any]]:
        return [_dump(tool) for tool in (await self.session.list_tools()).tools]


def _dump(value: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = value.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dumped


def converse(market: Market, folder: Path, talk: Callable[[Conversation], Awaitable[None]], **env: str) -> None:
    """Starts the server, and talks to it over standard input and output."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def run() -> None:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "tests.support.mcp_program", market.slug, str(folder)],
            cwd=str(ROOT),
            env={**os.environ, "TOLLGATE_API_KEY": market.builder_key, **env},
        )
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await talk(Conversation(session, market.key))

    asyncio.run(run())


def text_of(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


def code_of(result: dict[str, Any]) -> str:
    assert result["isError"] is True
    assert text_of(result).endswith(".")
    return str(result["_meta"][ERROR_META]["code"])


def test_the_owner_of_the_pass_pays_for_calls_those_that_failed_too_and_for_nothing_else(
    market: Market, tmp_path: Path
) -> None:
    async def talk(client: Conversation) -> None:
        assert text_of(await client.call({"city": "Oslo"})) == "Oslo 1"
        assert (await client.call({"city": "Atlantis"}))["isError"] is True
        assert (await client.call({}))["isError"] is True  # does not fit the schema of the tool
        try:
            assert (await client.call({}, name="no-such-tool"))["isError"] is True
        except Exception as error:  # a generation may answer with an error
            assert "no-such-tool" in str(error)
        await client.tools()

    converse(market, tmp_path, talk)
    market.require_counted(successes=1, failures=1)
    assert sorted(str(event.get("metadata")) for event in market.consumer.events.list()) == [
        "{'city': 'Atlantis'}",
        "{'city': 'Oslo'}",
    ]
    assert not (tmp_path / "errors").exists()


def test_the_gate_and_the_event_have_the_span_that_the_agent_names_in_meta(market: Market, tmp_path: Path) -> None:
    span = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    async def talk(client: Conversation) -> None:
        for trace in (span, "no traceparent", 7):
            assert text_of(await client.call({"city": "Oslo"}, trace=trace)).startswith("Oslo")
        # The program keeps events in memory alone, and ends with this conversation.
        await asyncio.to_thread(market.require_counted, successes=3, failures=0)

    with slow_gate(market.builder) as gate:
        gate.may_pass.set()
        converse(market, tmp_path, talk, TOLLGATE_URL=gate.client.url, GATE="1")
        assert gate.traces == [span, None, None]
        assert [event.get("traceparent") for event in gate.events] == [span, None, None]


def test_shows_what_a_call_costs_and_never_the_pass_to_the_tool(market: Market, tmp_path: Path) -> None:
    async def talk(client: Conversation) -> None:
        (tool,) = await client.tools()
        assert '"unit_price_usd": "0.01"' in json.dumps(tool["_meta"][PRICE_META])
        await client.call({"city": "Oslo"}, again="call-1")

    converse(market, tmp_path, talk)
    seen = (tmp_path / "seen").read_text()
    assert seen.startswith("Oslo ")
    assert "tollgate/" not in seen
    assert market.key not in seen


def test_refuses_who_has_no_pass_that_allows_the_tool_and_says_what_to_do(market: Market, tmp_path: Path) -> None:
    keys = [None, market.paused_key(), "tg_pass_nobody", market.other_key()]

    async def talk(client: Conversation) -> None:
        refused = [await client.call({"city": "Oslo"}, key=key) for key in keys]
        codes = [code_of(result) for result in refused]
        assert codes == ["payment_required", "pass_refused", "pass_refused", "tool_not_allowed"]
        assert "tool weather" in text_of(refused[0])  # the name that its caller knows
        assert "tool weather" in text_of(refused[3])

    converse(market, tmp_path, talk)
    assert not (tmp_path / "seen").exists()


def test_runs_and_charges_a_call_once_that_its_client_sends_again(market: Market, tmp_path: Path) -> None:
    async def talk(client: Conversation) -> None:
        answers = await asyncio.gather(*(client.call({"city": "Oslo"}, again="call-1") for _ in range(3)))
        assert [text_of(answer) for answer in answers] == ["Oslo 1"] * 3
        assert code_of(await client.call({"city": "Rome"}, again="call-1")) == "idempotency_key_reused"
        assert code_of(await client.call({"city": "Rome"}, key="tg_pass_nobody", again="call-1")) == "pass_refused"

    converse(market, tmp_path, talk)
    market.require_counted(successes=1, failures=0)


def test_a_call_is_free_whose_tool_obeyed_its_client(market: Market, tmp_path: Path) -> None:
    async def talk(client: Conversation) -> None:
        await client.call({"city": "Oslo"})
        call = asyncio.ensure_future(client.call({"city": "Nowhere"}))
        await asyncio.to_thread(eventually, (tmp_path / "begun").exists, 20)
        call.cancel()

    converse(market, tmp_path, talk)
    market.require_counted(successes=1, failures=0)


def test_a_list_waits_once_for_a_tollgate_that_hangs(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tollgate.mcp._PRICES_WAIT", 0.2)
    errors: list[Exception] = []
    listed = {"tools": [{"name": "weather"}]}

    async def run() -> None:
        with hanging_tollgate() as tollgate:
            calls = Calls(tollgate=tollgate, meter=bench.open(durability="memory"), on_error=errors.append)
            metering = _Metering(calls, lambda _name: "weather", None, None)
            assert await metering.price(listed) == listed
            monkeypatch.setattr(asyncio, "wait", None)  # it would be called to wait
            assert await metering.price(listed) == listed
            monkeypatch.undo()
            assert errors == []  # the one question is still out

    asyncio.run(run())


@pytest.mark.parametrize(
    ("mistake", "code", "detail"),
    [
        ("a key that is refused", "unauthorized", "unknown or revoked"),
        ("a key without a scope", "events_scope_missing", "needs the scopes events and read"),
        ("a key that may not read", "read_scope_missing", "needs the scopes events and read"),
        ("a tool that does not exist", "tool_not_found", "no-such-tool-anywhere"),
        ("an archived tool", "tool_archived", "is archived"),
    ],
)
def test_a_builders_mistake_is_reported_at_the_start(market: Market, mistake: str, code: str, detail: str) -> None:
    errors: list[Exception] = []
    key = market.builder_key
    if mistake == "a key that is refused":
        key = "tg_live_nobody"
    elif mistake == "a key without a scope":
        key = market.builder.api_keys.create({"name": "reads", "can": ["read"]}).get("key", "")
    elif mistake == "a key that may not read":
        key = market.builder.api_keys.create({"name": "records", "can": ["events"]}).get("key", "")
    slug = "no-such-tool-anywhere" if mistake == "a tool that does not exist" else market.slug
    if mistake == "an archived tool":
        market.builder.tools.archive(market.slug)
    meter_with(Tollgate(key), slug, errors)
    eventually(lambda: len(errors) == 1)
    (error,) = errors
    assert isinstance(error, TollgateError)
    assert error.code == code
    assert detail in error.detail


def test_a_start_waits_for_no_tollgate_that_hangs_and_tells_nothing_where_all_is_well(market: Market) -> None:
    errors: list[Exception] = []
    with hanging_tollgate() as tollgate:
        meter_with(tollgate, market.slug, errors)
        assert len(asking()) == 1  # the start is over, and the question is still out
    meter_with(market.builder, market.slug, errors)
    eventually(lambda: asking() == [])
    assert errors == []


def asking() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "tollgate-mistakes"]


def meter_with(tollgate: Tollgate, slug: str, errors: list[Exception]) -> None:
    with Meter.open(durability="memory", tollgate=tollgate) as meter:
        calls = Calls(tollgate=tollgate, meter=meter, on_error=errors.append)
        meter_server(new_server("weather")[0], calls=calls, tool=slug)


def test_a_list_has_the_price_that_was_read_last(market: Market, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tollgate.mcp._PRICES_KEPT", 0.0)
    monkeypatch.setattr("tollgate.mcp._PRICES_WAIT", 20.0)

    async def run(meter: Meter) -> None:
        calls = Calls(tollgate=market.builder, meter=meter)
        metering = _Metering(calls, lambda _name: market.slug, None, None)
        first = await metering.price({"tools": [{"name": "weather"}]})
        assert PRICE_META in first["tools"][0]["_meta"]
        with hanging_tollgate() as tollgate:
            calls.tollgate = to_async(tollgate)
            monkeypatch.setattr("tollgate.mcp._PRICES_WAIT", 0.2)
            assert await metering.price({"tools": [{"name": "weather"}]}) == first

    with Meter.open(durability="memory", tollgate=market.builder) as meter:
        asyncio.run(run(meter))


async def lists_weather(_cursor: str | None) -> dict[str, Any]:
    return {"tools": [{"name": "weather", "inputSchema": {"type": "object"}}]}


class OneRun:
    """A call of a server whose Tollgate answers late, in a scope that a client can cancel."""

    def __init__(self, bench: Bench, run: Callable[[], Awaitable[Response]]) -> None:
        import anyio

        calls = Calls(tollgate=Tollgate("tg_live_test", bench.server.url), meter=bench.open(durability="memory"))
        self.scope = anyio.CancelScope()
        self._metering = _Metering(calls, lambda _name: "weather", None, None)
        self._run = run

    async def call(self) -> None:
        with self.scope:
            call = ToolCall("weather", {}, {KEY_META: "tg_pass_test"}, None)
            await self._metering.call(call, self._run, lists_weather)


def test_a_call_that_is_cancelled_and_goes_on_ends_when_it_is_recorded(bench: Bench) -> None:
    import anyio

    bench.server.always = "late"

    async def run() -> None:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def stubborn() -> Response:
            begun.set()
            with anyio.CancelScope(shield=True):
                await may_end.wait()
            return Response({"content": []})

        one = OneRun(bench, stubborn)
        task = asyncio.ensure_future(one.call())
        await begun.wait()
        one.scope.cancel()
        may_end.set()
        await asyncio.to_thread(eventually, lambda: bench.server.batches == [1])
        assert not task.done()
        bench.server.may_answer.set()
        await task

    asyncio.run(run())
    assert [event["success"] for event in bench.server.counted.values()] == [True]


def test_a_tool_that_fails_when_it_is_given_up_has_obeyed(bench: Bench) -> None:
    import anyio

    async def run() -> None:
        begun = asyncio.Event()

        async def failing() -> Response:
            begun.set()
            try:
                await anyio.sleep_forever()
            except BaseException:
                return Response({"content": [], "isError": True})
            raise AssertionError

        one = OneRun(bench, failing)
        task = asyncio.ensure_future(one.call())
        await begun.wait()
        one.scope.cancel()
        await task

    asyncio.run(run())
    assert bench.server.counted == {}


def test_calls_whose_ids_collide_are_each_recorded(market: Market, tmp_path: Path) -> None:
    with raw_server(market, tmp_path) as server:
        for id in (1, 1, "1"):
            server.call(id, "Stubborn")
        for run in (1, 2, 3):
            eventually((tmp_path / f"begun-{run}").exists, within=20)
        (tmp_path / "may-end").touch()
        market.require_counted(successes=3, failures=0)
        assert [str(server.answer()["id"]) for _ in range(3)] == ["1", "1", "1"]
        server.call(1, "Oslo")
        market.require_counted(successes=4, failures=0)


class RawServer:
    """A server, and a client of it that gives its requests any ids."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.send({"id": 0, "method": "initialize", "params": client})
        self.answer()
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def call(self, id: object, city: str) -> None:
        self.send({"id": id, "method": "tools/call", "params": {"name": "weather", "arguments": {"city": city}}})

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@contextmanager
def raw_server(market: Market, folder: Path) -> Iterator[RawServer]:
    command = [sys.executable, "-m", "tests.support.mcp_program", market.slug, str(folder)]
    env = {**os.environ, "TOLLGATE_API_KEY": market.builder_key, "TOLLGATE_KEY": market.key}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield RawServer(process)
        finally:
            process.terminate()


def test_the_gate_stops_at_the_cap_before_the_tool_runs_and_is_paid_for_what_ran(
    market: Market, tmp_path: Path
) -> None:
    market.cap_at(0.02)

    async def talk(client: Conversation) -> None:
        assert text_of(await client.call({"city": "Oslo"})) == "Oslo 1"
        assert text_of(await client.call({"city": "Rome"})) == "Rome 2"
        refused = await client.call({"city": "Bonn"})
        assert "a call of weather" in text_of(refused)
        assert code_of(refused) == "spending_cap_reached"
        resets_at = refused["_meta"][ERROR_META]["resets_at"]
        assert re.fullmatch(r"\d{4}-\d\d-01T00:00:00.000Z", resets_at)
        assert f"It resets at {resets_at}; its owner can raise it." in text_of(refused)
        await asyncio.to_thread(market.cap_at, 0.03)
        assert text_of(await client.call({"city": "Bonn"})) == "Bonn 3"
        assert code_of(await client.call({"city": "Kyiv"})) == "spending_cap_reached"
        await asyncio.to_thread(lambda: market.require_paid(successes=3, failures=0, usd=0.03))

    converse(market, tmp_path, talk, GATE="1")
    assert not (tmp_path / "errors").exists()


def test_the_gate_holds_nothing_for_a_call_that_never_ran(market: Market, tmp_path: Path) -> None:
    market.cap_at(0.01)

    async def talk(client: Conversation) -> None:
        assert (await client.call({}))["isError"] is True  # does not fit the schema of the tool
        try:
            assert (await client.call({}, name="no-such-tool"))["isError"] is True
        except Exception as error:  # a generation may answer with an error
            assert "no-such-tool" in str(error)
        assert text_of(await client.call({"city": "Oslo"})) == "Oslo 1"  # for which there is room
        await asyncio.to_thread(lambda: market.require_paid(successes=1, failures=0, usd=0.01))

    converse(market, tmp_path, talk, GATE="1")


@pytest.mark.parametrize(("bills_failures", "usd"), [(False, 0), (True, 0.01)])
def test_the_gate_captures_what_the_price_bills_for_a_failure(
    tmp_path: Path, bills_failures: bool, usd: float
) -> None:
    market = Market(bill_failed_calls=bills_failures)
    market.cap_at(0.01)

    async def talk(client: Conversation) -> None:
        assert (await client.call({"city": "Atlantis"}))["isError"] is True
        await asyncio.to_thread(lambda: market.require_paid(successes=0, failures=1, usd=usd))

    converse(market, tmp_path, talk, GATE="1")


@pytest.mark.skipif(find_spec("mcp.server.mcpserver") is None, reason="clients of MCP 1 do not tell what they gave up")
def test_the_gate_frees_what_a_call_held_whose_tool_obeyed_its_client(market: Market, tmp_path: Path) -> None:
    market.cap_at(0.01)

    async def talk(client: Conversation) -> None:
        call = asyncio.ensure_future(client.call({"city": "Nowhere"}))
        await asyncio.to_thread(eventually, (tmp_path / "begun").exists, 20)
        assert await asyncio.to_thread(market.held_usd) == 0.01
        call.cancel()
        await asyncio.to_thread(market.require_spent, 0)

    converse(market, tmp_path, talk, GATE="1")
    market.require_counted(successes=0, failures=0)


@pytest.mark.skipif(find_spec("mcp.server.mcpserver") is None, reason="clients of MCP 1 do not tell what they gave up")
def test_the_gate_captures_a_call_that_runs_to_its_end_though_its_client_gave_it_up(
    market: Market, tmp_path: Path
) -> None:
    market.cap_at(0.01)

    async def talk(client: Conversation) -> None:
        call = asyncio.ensure_future(client.call({"city": "Stubborn"}))
        await asyncio.to_thread(eventually, (tmp_path / "begun-1").exists, 20)
        call.cancel()
        await client.tools()  # comes after the cancellation
        (tmp_path / "may-end").touch()
        await asyncio.to_thread(lambda: market.require_paid(successes=1, failures=0, usd=0.01))

    converse(market, tmp_path, talk, GATE="1")


def error_of(code: int) -> Exception:
    """As the packages raise it."""
    error = Exception()
    error.error = SimpleNamespace(code=code)  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize("slug", ["weather", None])
@pytest.mark.parametrize("asks", [Response({"resultType": "input_required"}), Response(None, error_of(-32_042))])
def test_a_call_that_asked_for_input_runs_when_it_is_sent_again_with_it(
    bench: Bench, asks: Response, slug: str | None
) -> None:
    calls = Calls(tollgate=Tollgate("tg_live_test", bench.server.url), meter=bench.open(durability="memory"))
    metering = _Metering(calls, lambda _name: slug, None, None)
    call = ToolCall("weather", {}, {IDEMPOTENCY_META: "call-1"}, None)
    gives = Response({"content": [{"type": "text", "text": "12 degrees"}]})
    answers = [asks, gives]

    async def run() -> Response:
        return answers.pop(0)

    async def talk() -> list[Response]:
        return [await metering.call(call, run, lists_weather) for _ in range(3)]

    assert asyncio.run(talk()) == [asks, gives, gives]


def test_a_call_that_brings_input_never_gets_the_answer_to_another_input(bench: Bench) -> None:
    calls = Calls(tollgate=Tollgate("tg_live_test", bench.server.url), meter=bench.open(durability="memory"))
    metering = _Metering(calls, lambda _name: "weather", None, None)
    runs = 0

    async def ask(city: str | None) -> Any:
        brought = None if city is None else {"inputResponses": {"city": {"content": {"city": city}}}}
        call = ToolCall("weather", {}, {IDEMPOTENCY_META: "call-1"}, None, brought)

        async def run() -> Response:
            nonlocal runs
            runs += 1
            if city is None:
                return Response({"resultType": "input_required"})
            await asyncio.sleep(0)
            return Response({"content": [], "run": runs})

        return ((await metering.call(call, run, lists_weather)).result or {}).get("run", "asked")

    async def talk() -> list[Any]:
        one_by_one = [await ask(city) for city in (None, "Oslo", "Oslo", None, "Rome", "Oslo")]
        return [*one_by_one, *await asyncio.gather(ask("Bonn"), ask("Kyiv"), ask("Bonn"))]

    assert asyncio.run(talk()) == ["asked", 2, 2, 2, 3, 4, 5, 6, 5]


def test_the_gate_holds_nothing_for_a_call_that_is_cancelled_while_it_asks(market: Market) -> None:
    import anyio

    market.cap_at(0.01)

    async def run(gate: SlowGate, meter: Meter) -> None:
        metering = _Metering(Calls(tollgate=gate.client, meter=meter, gate=True), lambda _name: market.slug, None, None)
        call, scope = ToolCall("weather", {}, {KEY_META: market.key}, None), anyio.CancelScope()

        async def never() -> Response:
            raise AssertionError("it runs")

        async def cancelled() -> None:
            with scope:
                await metering.call(call, never, lists_weather)

        task = asyncio.ensure_future(cancelled())
        assert await asyncio.to_thread(gate.asked.wait, 20)
        scope.cancel()
        await task
        assert await asyncio.to_thread(market.held_usd) == 0.01
        gate.may_pass.set()
        await asyncio.to_thread(market.require_spent, 0)

    with slow_gate(market.builder) as gate, Meter.open(durability="memory", tollgate=market.builder) as meter:
        asyncio.run(run(gate, meter))
    market.require_counted(successes=0, failures=0)


def test_what_a_server_held_is_free_again_after_the_server_died(market: Market, tmp_path: Path) -> None:
    market.cap_at(0.01)

    async def talk(client: Conversation) -> None:
        asyncio.ensure_future(client.call({"city": "Nowhere"}))
        await asyncio.to_thread(eventually, (tmp_path / "begun").exists, 20)
        assert await asyncio.to_thread(market.held_usd) == 0.01
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    converse(market, tmp_path, talk, GATE_TTL="5")
    eventually(lambda: market.held_usd() == 0, within=60)
    market.require_counted(successes=0, failures=0)


def test_the_key_of_a_stdio_server_pays_for_its_one_caller(market: Market, tmp_path: Path) -> None:
    async def talk(client: Conversation) -> None:
        assert text_of(await client.call({"city": "Oslo"}, key=None)) == "Oslo 1"

    converse(market, tmp_path, talk, TOLLGATE_KEY=market.key)
    market.require_counted(successes=1, failures=0)


@contextmanager
def serving_http(market: Market, folder: Path, **env: str) -> Iterator[int]:
    """Its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.support.mcp_program", market.slug, str(folder), str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "TOLLGATE_API_KEY": market.builder_key, **env})

    def is_listening() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        eventually(is_listening, within=20)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def test_the_bearer_token_of_streamable_http_pays(market: Market, tmp_path: Path) -> None:
    async def run(port: int) -> None:
        from mcp import ClientSession

        async with _http_client(f"http://127.0.0.1:{port}/mcp", market.key) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                answer = await Conversation(session, "").call({"city": "Oslo"}, key=None)
                assert text_of(answer) == "Oslo 1"

    with serving_http(market, tmp_path) as port:
        asyncio.run(run(port))
    market.require_counted(successes=1, failures=0)


def _http_client(url: str, key: str) -> Any:
    """Both generations send headers so."""
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    return streamable_http_client(url, http_client=create_mcp_http_client(headers={"authorization": f"Bearer {key}"}))


class RawClient:
    """A client over streamable HTTP that writes its requests itself, and hangs up."""

    def __init__(self, port: int, key: str, *, modern: bool) -> None:
        self._port = port
        self._modern = modern
        accept = "application/json, text/event-stream"
        self._headers = {"authorization": f"Bearer {key}", "accept": accept, "content-type": "application/json"}
        if not modern:
            client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
            greeting = self._post({"id": 0, "method": "initialize", "params": client}).getresponse()
            session = greeting.headers["mcp-session-id"]
            greeting.read()
            self._headers.update({"mcp-session-id": session, "mcp-protocol-version": "2025-06-18"})
            self._post({"method": "notifications/initialized"}).getresponse().read()

    def call(self, city: str) -> http.client.HTTPConnection:
        params: dict[str, Any] = {"name": "weather", "arguments": {"city": city}}
        if self._modern:
            prefix = "io.modelcontextprotocol/"
            info = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "raw", "version": "1"}}
            meta = {**info, "clientCapabilities": {}}
            params["_meta"] = {prefix + name: value for name, value in meta.items()}
            routing = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "weather"}
            self._headers.update(routing)
        return self._post({"id": 1, "method": "tools/call", "params": params})

    def text(self, city: str) -> str:
        body = self.call(city).getresponse().read().decode()
        data = body if body.startswith("{") else body.rsplit("data: ", 1)[1]
        return str(json.loads(data)["result"]["content"][0]["text"])

    def _post(self, message: dict[str, Any]) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), self._headers)
        return connection


HAS_2026 = find_spec("mcp.server.mcpserver") is not None


@pytest.mark.parametrize("modern", [False, pytest.param(True, marks=pytest.mark.skipif(not HAS_2026, reason="of MCP 2"))])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_a_client_over_http_that_was_cut_off_gets_its_answer_and_pays_once(
    market: Market, tmp_path: Path, where: str, modern: bool
) -> None:
    market.cap_at(0.02)
    (tmp_path / "elsewhere").mkdir()
    env = {"GATE": "1", "ANSWERS": str(tmp_path / "answers")}
    with serving_http(market, tmp_path, **env) as here, serving_http(market, tmp_path / "elsewhere", **env) as elsewhere:
        client = RawClient(here, market.key, modern=modern)
        call = client.call("Patient")
        eventually((tmp_path / "begun").exists, within=20)
        call.close()
        eventually(lambda: len(list((tmp_path / "answers").iterdir())) == 1, within=20)
        again = RawClient(here if where == "here" else elsewhere, market.key, modern=modern)
        assert again.text("Patient") == "Patient 1"
        assert len((tmp_path / "seen").read_text().splitlines()) == 1
        assert not (tmp_path / "elsewhere/seen").exists()
        market.require_paid(successes=1, failures=0, usd=0.01)
        assert client.text("Patient") == "Patient 2"  # a call of its own
        market.require_paid(successes=2, failures=0, usd=0.02)
        assert list((tmp_path / "answers").iterdir()) == []


def test_passes_are_the_bearer_tokens_of_a_server_over_http(market: Market) -> None:
    verifier = TokenVerifier(market.builder)
    revoked = market.consumer.passes.create({"name": "revoked", "tools": "*"})
    market.consumer.passes.delete(revoked["id"])
    expires_at = "2099-01-01T00:00:00.000Z"
    all_tools = market.consumer.passes.create({"name": "all", "tools": "*", "expires_at": expires_at})
    no_passes = [revoked["key"], market.paused_key(), "tg_pass_nobody", "nobody", market.builder_key]
    begun = time.time()

    async def verify() -> None:
        live = await verifier.verify_token(market.key)
        assert live is not None and live.expires_at is not None
        assert (live.token, live.client_id, live.scopes) == (market.key, market.pass_id, ["tollgate:spend", market.slug])
        assert begun < live.expires_at <= time.time() + 300  # then it is asked about again
        forever = await verifier.verify_token(all_tools["key"])
        assert forever is not None
        assert (forever.scopes, forever.expires_at) == (["tollgate:spend", "*"], 4_070_908_800)
        assert [await verifier.verify_token(key) for key in no_passes] == [None] * len(no_passes)
        with pytest.raises(TollgateError, match="connection_failed"):
            await TokenVerifier(Tollgate(url="http://127.0.0.1:9", api_key="tg_live_test", retries=0)).verify_token(market.key)

    asyncio.run(verify())


@pytest.mark.skipif(find_spec("fastmcp") is not None, reason="FastMCP 4 takes verifiers of its own class alone")
def test_a_server_over_http_lets_only_live_passes_in(market: Market, tmp_path: Path) -> None:
    with serving_http(market, tmp_path, VERIFY="1") as port:

        def ask(key: str) -> int:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            headers = {"authorization": f"Bearer {key}", "accept": "application/json, text/event-stream"}
            connection.request("POST", "/mcp", "{", {**headers, "content-type": "application/json"})
            status = connection.getresponse().status
            connection.close()
            return status

        assert [ask(market.key), ask("tg_pass_nobody"), ask(market.paused_key())] == [400, 401, 401]


@pytest.mark.skipif(find_spec("fastmcp") is not None, reason="FastMCP 4 takes verifiers of its own class alone")
def test_a_repeat_under_the_next_key_of_its_pass_is_the_same_repeat(market: Market, tmp_path: Path) -> None:
    async def call(port: int, key: str, city: str) -> str:
        from mcp import ClientSession

        async with _http_client(f"http://127.0.0.1:{port}/mcp", key) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return text_of(await Conversation(session, "").call({"city": city}, key=None, again="trip-1"))

    with serving_http(market, tmp_path, VERIFY="1") as port:
        assert asyncio.run(call(port, market.key, "Oslo")) == "Oslo 1"
        following = market.consumer.passes.rotate(market.pass_id, {"grace_seconds": 3_600})["key"]
        assert asyncio.run(call(port, following, "Oslo")) == "Oslo 1"
        assert "other arguments" in asyncio.run(call(port, following, "Rome"))
        other = market.consumer.passes.create({"name": "other agent", "tools": [market.slug]})["key"]
        assert asyncio.run(call(port, other, "Rome")) == "Rome 2"
    market.require_counted(successes=2, failures=0)


def test_a_missing_tool_is_asked_for_once_a_minute_and_for_tokens_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = pytest.importorskip("mcp.server.auth.provider")
    now = [1_000.0]
    monkeypatch.setattr(type(SYSTEM_CLOCK), "monotonic", lambda _self: now[0])
    verifier = TokenVerifier(Tollgate(url="http://127.0.0.1:9", api_key="tg_live_test"), "https://mcp.example.com/mcp")

    def access(**given: Any) -> Any:
        token = {"token": "a.b.c", "client_id": "pass-1", "scopes": ["tollgate:spend", "forecast"]}
        return provider.AccessToken(**{**token, "resource": "https://mcp.example.com/mcp", **given})

    assert verifier.step_up(access(), "history") == (
        'Bearer error="insufficient_scope", '
        'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", '
        'scope="tollgate:spend tollgate:tool:forecast tollgate:tool:history"'
    )
    assert verifier.step_up(access(), "forecast") is None
    assert verifier.step_up(access(scopes=["tollgate:spend", "*"]), "alerts") is None
    assert verifier.step_up(access(resource=None), "alerts") is None
    now[0] += 59
    assert verifier.step_up(access(), "history") is None
    assert verifier.step_up(access(client_id="pass-2"), "history") is not None
    now[0] += 1
    assert verifier.step_up(access(), "history") is not None


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        (Response({"content": []}), "success"),
        (Response({"content": [], "isError": True}), "failure"),
        (Response({"resultType": "input_required"}), "not_run"),
        (Response({"isError": True, "content": [{"type": "text", "text": "Unknown tool: x"}]}), "not_run"),
        (Response({"isError": True, "content": [{"type": "text", "text": "Error executing tool x: no"}]}), "failure"),
        (Response(None, ValueError()), "failure"),
        (Response(None, error_of(-32_602)), "not_run"),
        (Response(None, error_of(-32_020)), "not_run"),  # headers that differ from the body
        (Response(None, error_of(-32_021)), "not_run"),  # a capability that the client lacks
        (Response(None, error_of(-32_022)), "not_run"),  # a version that the server does not speak
        (Response(None, error_of(-32_042)), "not_run"),  # an address that its user must visit first
        (Response(None, error_of(-32_023)), "failure"),
    ],
)
def test_only_a_call_that_ran_is_metered(response: Response, outcome: str) -> None:
    async def nothing(_cursor: str | None) -> dict[str, Any]:
        raise ValueError("no list")

    assert asyncio.run(outcome_of(response, "x", {}, nothing)) == outcome


LISTED = {"name": "x", "inputSchema": {"type": "object", "required": ["city"]}}


@pytest.mark.parametrize("response", [Response(None, error_of(-32_602)), Response({"isError": True})])
@pytest.mark.parametrize(
    ("name", "arguments", "outcome"),
    [("x", {"city": "Oslo"}, "failure"), ("x", {}, "not_run"), ("y", {"city": "Oslo"}, "not_run")],
)
def test_the_list_of_tools_says_whether_a_tool_ran(
    response: Response, name: str, arguments: dict[str, str], outcome: str
) -> None:
    async def pages(cursor: str | None) -> dict[str, Any]:
        return {"tools": [], "nextCursor": "more"} if cursor is None else {"tools": [LISTED]}

    assert asyncio.run(outcome_of(response, name, arguments, pages)) == outcome


VECTORS = json.loads((ROOT / "../../packages/mcp/test/argument-vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=json.dumps)
def test_arguments_fit_in_doubt(vector: dict[str, Any]) -> None:
    assert is_unfit(vector["schema"], vector["value"]) is vector["unfit"]


def test_what_is_no_server_of_mcp_is_refused() -> None:
    with pytest.raises(TypeError, match="must be an MCP server"):
        meter_server(object(), calls=None, tool="weather")  # type: ignore[arg-type]
