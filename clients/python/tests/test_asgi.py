"""Requests of ASGI applications, served by a real server and paid at a real service."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tollgate import Meter, Tollgate
from tollgate._callers import RecentMap
from tollgate.asgi import EndedAnswer, MeterRequests
from tollgate.calls import Calls

from .support.eventually import eventually
from .support.market import Market
from .support.slow_gate import slow_gate

uvicorn = pytest.importorskip("uvicorn")


@pytest.fixture
def market() -> Market:
    return Market()


_meters: list[Meter] = []


def open_meter(tollgate: Tollgate) -> Meter:
    meter = Meter.open(durability="memory", tollgate=tollgate)
    _meters.append(meter)
    return meter


@pytest.fixture(autouse=True)
def _close_meters() -> Iterator[None]:
    yield
    while _meters:
        _meters.pop().close(timeout=0)


@contextmanager
def serving(app: Any) -> Iterator[int]:
    """Its port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    eventually(lambda: server.started)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)


def get(
    port: int, path: str = "/", key: str | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={**headers, **({"authorization": f"Bearer {key}"} if key else {})})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def metered(market: Market, app: Any, **options: Any) -> Any:
    """The application behind the middleware; its own account records nothing."""
    errors: list[Exception] = options.pop("errors", [])
    gate = options.pop("gate", False)
    tollgate = options.pop("tollgate", market.builder)
    meter = options.pop("meter", None) or open_meter(market.builder)
    calls = Calls(tollgate=tollgate, meter=meter, require_pass=True, gate=gate, on_error=errors.append)
    return MeterRequests(app, calls=calls, **{"tool": market.slug, **options})


async def translate(scope: Any, receive: Any, send: Any) -> None:
    """Answers by the path: /fail with 500, /break breaks off, /raise raises, all else with 200."""
    status = 500 if scope["path"] == "/fail" else 200
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
    if scope["path"] == "/raise":
        raise RuntimeError("the application fails")
    await send({"type": "http.response.body", "body": b"Hej ", "more_body": True})
    if scope["path"] != "/break":
        await send({"type": "http.response.body", "body": b"hej"})


def test_lets_the_owner_of_the_pass_pay_for_each_request_and_marks_those_that_failed(market: Market) -> None:
    errors: list[Exception] = []
    with serving(metered(market, translate, errors=errors)) as port:
        response, body = get(port, key=market.key)
        assert (response.status, body) == (200, b"Hej hej")
        assert get(port, "/fail", market.key)[0].status == 500
        for path in ("/break", "/raise"):
            with pytest.raises(http.client.HTTPException):
                get(port, path, market.key)
    market.require_counted(successes=1, failures=3)
    assert errors == []


def test_the_gate_and_the_event_have_the_span_of_the_request(market: Market) -> None:
    span = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    with slow_gate(market.builder) as gate:
        gate.may_pass.set()
        meter = open_meter(gate.client)
        with serving(metered(market, translate, tollgate=gate.client, meter=meter, gate=True)) as port:
            for headers in ({"traceparent": span}, {"traceparent": "none"}, {}):
                assert get(port, key=market.key, **headers)[0].status == 200
        market.require_counted(successes=3, failures=0)
        assert gate.traces == [span, None, None]
        assert [event.get("traceparent") for event in gate.events] == [span, None, None]


def test_refuses_who_has_no_pass_that_allows_the_tool_and_runs_nothing(market: Market) -> None:
    ran: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        ran.append(scope["path"])
        await translate(scope, receive, send)

    with serving(metered(market, app)) as port:
        answers = [
            get(port, key=key) for key in (None, "tg_pass_nobody", market.paused_key(), market.other_key())
        ]
    assert [response.status for response, _ in answers] == [402, 403, 403, 403]
    assert {response.headers["content-type"] for response, _ in answers} == {"application/problem+json"}
    codes = [json.loads(body)["code"] for _, body in answers]
    assert codes == ["payment_required", "pass_refused", "pass_refused", "tool_not_allowed"]
    assert ran == []


def test_refuses_while_tollgate_cannot_be_asked(market: Market) -> None:
    errors: list[Exception] = []
    nobody = Tollgate("tg_live_test", "http://127.0.0.1:9", retries=0)
    meter = open_meter(nobody)
    calls = Calls(tollgate=nobody, meter=meter, require_pass=True, on_error=errors.append)
    with serving(MeterRequests(translate, calls=calls, tool=market.slug)) as port:
        response, body = get(port, key=market.key)
    assert (response.status, json.loads(body)["code"]) == (503, "gate_unavailable")
    assert response.headers["retry-after"] == "1"
    assert len(errors) == 1


def streaming(ended: threading.Event) -> Callable[..., Any]:
    """Sends until it is told to end, and notices no client that hangs up."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await asyncio.to_thread(ended.wait)
        await send({"type": "http.response.body", "body": b"last"})

    return app


def test_a_request_whose_client_hung_up_has_failed(market: Market) -> None:
    ended, hung_up = threading.Event(), threading.Event()
    app = metered(market, streaming(ended))

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            hung_up.set()

        watching = asyncio.ensure_future(watch())
        await app(scope, receive, send)
        await watching

    with serving(watched) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/", headers={"authorization": f"Bearer {market.key}"})
        response = connection.getresponse()
        assert response.read(5) == b"first"
        response.close()
        connection.close()
        assert hung_up.wait(20)  # the server knows
        ended.set()
        market.require_counted(successes=0, failures=1)


LARGE = 64 * 1024 * 1024


async def send_large(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LARGE)]})
    await send({"type": "http.response.body", "body": b"x" * LARGE})


def read_and_leave(port: int, key: str, size: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n".encode())
        received = b""
        while len(received.partition(b"\r\n\r\n")[2]) < size:
            received += connection.recv(size)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return received


def ended_metadata(_scope: Any, answer: EndedAnswer) -> dict[str, Any]:
    is_short = answer.delivered_bytes < LARGE
    return {"whole": answer.is_whole, "by": answer.cut_by or "nobody", "short": is_short}


def test_an_answer_that_is_cut_at_its_beginning_has_failed_though_it_was_sent_at_once(market: Market) -> None:
    with serving(metered(market, send_large, metadata=ended_metadata)) as port:
        read_and_leave(port, market.key, 1)
        market.require_counted(successes=0, failures=1)
    (event,) = market.consumer.events.list()
    assert event.get("metadata") == {"whole": False, "by": "caller", "short": True}


def test_an_answer_that_was_cut_is_what_the_application_says(market: Market) -> None:
    failed = lambda answer: answer.cut_by == "builder"  # noqa: E731
    with serving(metered(market, send_large, failed=failed)) as port:
        read_and_leave(port, market.key, 1)
        market.require_counted(successes=1, failures=0)


def test_an_answer_whose_reader_leaves_when_all_of_it_was_sent_is_no_failure(market: Market) -> None:
    left = threading.Event()

    async def announced(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
        await send({"type": "http.response.body", "body": b"Hej", "more_body": True})
        await asyncio.to_thread(left.wait)
        while (await receive())["type"] != "http.disconnect":
            pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    with serving(metered(market, announced, metadata=ended_metadata)) as port:
        assert read_and_leave(port, market.key, 3).endswith(b"Hej")
        left.set()
        market.require_counted(successes=1, failures=0)
    (event,) = market.consumer.events.list()
    assert event.get("metadata") == {"whole": True, "by": "nobody", "short": True}


def test_an_answer_that_the_application_breaks_off_is_cut_by_it(market: Market) -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"Hej", "more_body": True})

    with serving(metered(market, broken, metadata=ended_metadata)) as port:
        with pytest.raises(http.client.HTTPException):
            get(port, key=market.key)
        market.require_counted(successes=0, failures=1)
    (event,) = market.consumer.events.list()
    assert event.get("metadata") == {"whole": False, "by": "builder", "short": True}


def test_a_preflight_is_neither_refused_nor_metered_and_its_answer_has_no_body(market: Market) -> None:
    with serving(metered(market, translate)) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"origin": "https://shop.example", "access-control-request-method": "GET"}
        connection.request("OPTIONS", "/", headers=headers)
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
        connection.request("OPTIONS", "/")
        assert connection.getresponse().status == 402  # it is no preflight
        connection.close()
        get(port, key=market.key)
    market.require_counted(successes=1, failures=0)


def test_a_function_names_the_tool_and_what_has_none_is_free(market: Market) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise AssertionError("not asked for")
        await translate(scope, receive, send)

    def tool(scope: Any) -> str | None:
        return market.slug if scope["path"] == "/paid" else None

    def key(scope: Any) -> str:
        return scope["query_string"].decode()  # type: ignore[no-any-return]

    def metadata(scope: Any, answer: EndedAnswer) -> dict[str, str | int]:
        return {"path": scope["path"], "status": answer.status}

    app = metered(market, app, tool=tool, key=key, metadata=metadata, failed=lambda answer: answer.status == 200)
    with serving(app) as port:
        assert get(port, "/free")[0].status == 200
        assert get(port, f"/paid?{market.key}")[0].status == 200
    market.require_counted(successes=0, failures=1)
    (event,) = market.consumer.events.list()
    assert event.get("metadata") == {"path": "/paid", "status": 200}


def test_without_require_pass_the_account_of_the_program_pays_for_who_sends_no_key(market: Market) -> None:
    meter = open_meter(market.consumer)
    calls = Calls(tollgate=market.consumer, meter=meter)
    with serving(MeterRequests(translate, calls=calls, tool=market.slug)) as port:
        assert get(port)[0].status == 200
    assert meter.close(timeout=20).left == 0
    market.require_counted(successes=1, failures=0)


def test_the_gate_answers_402_when_a_cap_is_reached_in_the_middle(market: Market) -> None:
    errors: list[Exception] = []
    meter = open_meter(market.builder)
    market.cap_at(0.02)
    with serving(metered(market, translate, gate=True, meter=meter, errors=errors)) as port:
        answers = [get(port, key=market.key) for _ in range(3)]
        assert [response.status for response, _ in answers] == [200, 200, 402]
        problem = json.loads(answers[2][1])
        assert (problem["code"], problem["title"]) == ("spending_cap_reached", "Payment required")
        assert f"It resets at {problem['resets_at']}; its owner can raise it. " in problem["detail"]
        assert problem["approval"]["url"] in problem["detail"]
        assert "limit" not in problem  # the figures are its owner's
        market.require_paid(successes=2, failures=0, usd=0.02)
        market.cap_at(0.03)
        assert get(port, key=market.key)[0].status == 200
        assert get(port, key=market.key)[0].status == 402
    market.require_paid(successes=3, failures=0, usd=0.03)
    assert meter.stats().sent == 3  # they were in its spool
    assert errors == []


def test_the_gate_runs_nothing_while_tollgate_cannot_be_asked(market: Market) -> None:
    errors: list[Exception] = []
    nobody = Tollgate("tg_live_test", "http://127.0.0.1:9", retries=0)
    with serving(metered(market, must_not_run, gate=True, tollgate=nobody, errors=errors)) as port:
        response, body = get(port, key=market.key)
        assert get(port)[0].status == 402
    assert (response.status, json.loads(body)["code"]) == (503, "gate_unavailable")
    assert len(errors) == 1


def test_the_gate_holds_nothing_for_a_client_that_hung_up_while_its_request_asked(market: Market) -> None:
    hung_up = threading.Event()
    market.cap_at(0.01)
    with slow_gate(market.builder) as gate:
        app = metered(market, must_not_run, gate=True, tollgate=gate.client)

        async def watched(scope: Any, receive: Any, send: Any) -> None:
            async def watch() -> Any:
                await receive()  # the body
                message = await receive()
                hung_up.set()
                return message

            watching = asyncio.ensure_future(watch())
            await app(scope, lambda: asyncio.shield(watching), send)

        with serving(watched) as port:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", "/", headers={"authorization": f"Bearer {market.key}"})
            assert gate.asked.wait(20)
            connection.close()
            assert hung_up.wait(20)  # the server knows
            assert market.held_usd() == 0.01
            gate.may_pass.set()
            market.require_spent(0)
    market.require_counted(successes=0, failures=0)


async def must_not_run(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("it runs")


def test_an_application_gets_the_whole_body_of_a_slow_client(market: Market) -> None:
    runs, cancelled, meanwhile = threading.Event(), list[str](), list[str]()

    async def shout(scope: Any, receive: Any, send: Any) -> None:
        runs.set()
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        meanwhile.extend(cancelled)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body.upper()})

    async def strict(scope: Any, receive: Any, send: Any) -> None:
        async def receive_once() -> Any:
            try:
                return await receive()
            except asyncio.CancelledError:  # from some receivers nothing would ever come again
                cancelled.append(scope["path"])
                raise

        await app(scope, receive_once, send)

    app = metered(market, shout)
    with serving(strict) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.putrequest("POST", "/")
        connection.putheader("authorization", f"Bearer {market.key}")
        connection.putheader("content-length", "6")
        connection.endheaders()
        assert runs.wait(20)
        connection.send(b"hej")
        connection.send(b"hej")
        assert connection.getresponse().read() == b"HEJHEJ"
        assert meanwhile == []
        connection.close()
    market.require_counted(successes=1, failures=0)


def test_starlette_takes_it_as_middleware(market: Market) -> None:
    applications = pytest.importorskip("starlette.applications")
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, StreamingResponse
    from starlette.routing import Route

    async def plain(request: Request) -> PlainTextResponse:
        return PlainTextResponse("Hej")

    async def stream(request: Request) -> StreamingResponse:
        return StreamingResponse(iter(["He", "j"]))

    app = applications.Starlette(routes=[Route("/plain", plain), Route("/stream", stream)])
    meter = open_meter(market.builder)
    calls = Calls(tollgate=market.builder, meter=meter, require_pass=True)
    app.add_middleware(MeterRequests, calls=calls, tool=market.slug)
    with serving(app) as port:
        assert [get(port, path, market.key)[1] for path in ("/plain", "/stream")] == [b"Hej", b"Hej"]
        assert get(port, "/plain")[0].status == 402
    meter.close()
    market.require_counted(successes=2, failures=0)


def test_the_callers_that_were_seen_last_are_remembered() -> None:
    seen: RecentMap[int] = RecentMap(2)
    assert [seen.get("a", lambda: 1), seen.get("b", lambda: 2), seen.get("a", lambda: 3)] == [1, 2, 1]
    seen.get("c", lambda: 4)
    assert [seen.get("a", lambda: 5), seen.get("b", lambda: 6)] == [1, 6]
