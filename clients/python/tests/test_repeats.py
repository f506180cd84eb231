"""Shows what the client does when an answer is lost, late or a refusal."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tollgate import Tollgate, TollgateError
from tollgate._retry import RetryBudget, delay_before, may_repeat


class Scripted(ThreadingHTTPServer):
    """Answers requests by a script of statuses; 0 closes the connection without an answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[int] = []
        self.keys: list[str | None] = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.keys.append(self.headers.get("idempotency-key"))
        status = self.server.script.pop(0) if self.server.script else 201
        if status == 0:
            self.close_connection = True
            self.connection.close()
            return
        body = json.dumps({"slug": "a"} if status < 300 else {"code": "unavailable", "detail": "The reason."}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_DELETE = do_POST

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Scripted]:
    scripted = Scripted()
    threading.Thread(target=scripted.serve_forever, daemon=True).start()
    yield scripted
    scripted.shutdown()
    scripted.server_close()


@pytest.fixture
def client(server: Scripted) -> Tollgate:
    return Tollgate("tg_live_test", f"http://127.0.0.1:{server.server_address[1]}")


NEW_TOOL: Any = {"slug": "a", "name": "A", "price": {"per_call_usd": "0.002"}}


def test_a_lost_answer_is_asked_for_again_under_the_same_key(server: Scripted, client: Tollgate) -> None:
    server.script = [0, 503]
    assert client.tools.create(NEW_TOOL)["slug"] == "a"
    assert len(server.keys) == 3
    assert len(set(server.keys)) == 1
    assert server.keys[0] is not None


def test_an_authorization_is_asked_for_again_under_the_one_key_of_its_body(server: Scripted, client: Tollgate) -> None:
    server.script = [0]
    client.spending.authorize({"tool_id": "a", "idempotency_key": "mine"})
    assert server.keys == [None, None]


def test_a_request_without_a_key_is_not_sent_twice(server: Scripted, client: Tollgate) -> None:
    server.script = [0]
    with pytest.raises(TollgateError) as caught:
        client.auth.change_password({"current_password": "a", "new_password": "b"})
    assert (caught.value.code, len(server.keys)) == ("connection_failed", 1)


def test_a_deleted_thing_is_deleted_though_the_first_answer_was_lost(server: Scripted, client: Tollgate) -> None:
    server.script = [503, 404]
    client.api_keys.delete("k")


def test_a_refusal_is_not_repeated(server: Scripted, client: Tollgate) -> None:
    server.script = [422]
    with pytest.raises(TollgateError, match=r"unavailable: The reason\."):
        client.tools.create(NEW_TOOL)
    assert len(server.keys) == 1


def test_a_client_repeats_20_times_and_then_one_in_ten() -> None:
    budget = RetryBudget()
    assert [budget.take() for _ in range(21)] == [True] * 20 + [False]
    for _ in range(10):
        budget.earn()
    assert [budget.take(), budget.take()] == [True, False]


@pytest.mark.parametrize(
    ("repeats", "retry_after", "delay"),
    [(0, None, 0.1), (1, None, 0.2), (0, 3.0, 3.1), (10, None, 10.0), (0, 61.0, None)],
)
def test_waits_longer_each_time_and_as_long_as_asked(
    repeats: int, retry_after: float | None, delay: float | None
) -> None:
    assert delay_before(repeats=repeats, retry_after=retry_after, random=0.5) == pytest.approx(delay)


def test_only_what_is_safe_is_repeated_and_any_request_that_the_limit_refused() -> None:
    assert may_repeat(is_safe_to_repeat=False, status=429, code="rate_limited")
    assert not may_repeat(is_safe_to_repeat=False, status=503, code="unavailable")
    assert may_repeat(is_safe_to_repeat=True, status=0, code="timed_out")
    assert not may_repeat(is_safe_to_repeat=True, status=400, code="invalid_request")
