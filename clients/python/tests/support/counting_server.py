"""A stand-in for Tollgate that fails when it is asked to, and counts each key once. The real one is in e2e/spool."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Union


class Answer(NamedTuple):
    status: int
    code: str
    retry_after: int | str | None = None


#: The server's behaviour for one request for a batch: ``count`` is the usual; ``lose`` counts and closes without an
#: answer; ``hang`` closes when the test is over; ``late`` counts, and answers when the test says so.
Behaviour = Union[str, Answer]

UNAVAILABLE = Answer(503, "unavailable")


class CountingServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        #: The events by their key, in the order in which they were counted.
        self.counted: dict[str, dict[str, Any]] = {}
        #: Events of each request, whatever became of it.
        self.batches: list[int] = []
        #: For the next requests, one each; then ``count``.
        self.next: list[Behaviour] = []
        #: For all requests, while it is set.
        self.always: Behaviour | None = None
        self.account_id = "account-1"
        #: How the key is answered, if it is refused.
        self.refusal: Answer | None = None
        self.judge: Callable[[dict[str, Any]], Answer | None] = lambda _event: None
        self.over = threading.Event()
        self.may_answer = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Clients that are killed hang up, and that is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: CountingServer

    def do_GET(self) -> None:
        if self.server.refusal is not None:
            return self._send(self.server.refusal.status, {"code": self.server.refusal.code, "detail": "No."})
        self._send(200, {"account_id": self.server.account_id})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        server = self.server
        with server.lock:
            try:
                sent = json.loads(body)
                events = sent.get("events", [sent])
            except ValueError:
                server.batches.append(0)
                return self._send(400, {"code": "invalid_request", "detail": "The body is no JSON."})
            server.batches.append(len(events))
            behaviour = server.always or (server.next.pop(0) if server.next else "count")
            results = [self._result(event) for event in events] if behaviour in ("count", "lose", "late") else []
        if behaviour == "hang":
            server.over.wait()
        if behaviour == "late":
            server.may_answer.wait()
        if isinstance(behaviour, Answer):
            return self._send(behaviour.status, {"code": behaviour.code, "detail": "Not now."}, behaviour.retry_after)
        if behaviour not in ("count", "late"):
            self.close_connection = True
            self.connection.close()
            return
        self._send(200, {"results": results})

    def _result(self, event: dict[str, Any]) -> dict[str, Any]:
        verdict = self.server.judge(event)
        if verdict is not None:
            error = {"status": verdict.status, "code": verdict.code, "detail": f"The event is {verdict.code}."}
            return {"status": "rejected", "error": error}
        key = event["idempotency_key"]
        if key in self.server.counted:
            return {"status": "duplicate"}
        self.server.counted[key] = event
        return {"status": "recorded"}

    def _send(self, status: int, body: dict[str, Any], retry_after: int | str | None = None) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if retry_after is not None:
            self.send_header("retry-after", str(retry_after))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def counting_server() -> Iterator[CountingServer]:
    server = CountingServer()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.may_answer.set()
        server.shutdown()
        server.server_close()
