"""A way to Tollgate on which authorizations wait, until they may pass."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tollgate import Tollgate


class SlowGate(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, client: Tollgate) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = urlsplit(client.url).netloc
        self.client = Tollgate(client._caller.api_key, f"http://127.0.0.1:{self.server_address[1]}")
        #: The bodies of authorizations that were asked for.
        self.asks: list[dict[str, Any]] = []
        #: The ``traceparent`` of each of them, as a header.
        self.traces: list[str | None] = []
        #: Events, one by one or in batches.
        self.events: list[dict[str, Any]] = []
        #: Set once an authorization is granted whose answer waits.
        self.asked = threading.Event()
        self.may_pass = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: SlowGate

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        upstream = http.client.HTTPConnection(self.server.upstream, timeout=20)
        upstream.request(self.command, self.path, body or None, dict(self.headers))
        answer = upstream.getresponse()
        content = answer.read()
        upstream.close()
        if self.path == "/v1/authorizations":
            self.server.asks.append(json.loads(body))
            self.server.traces.append(self.headers.get("traceparent"))
            self.server.asked.set()
            self.server.may_pass.wait(20)
        if self.path.startswith("/v1/events"):
            sent = json.loads(body)
            self.server.events.extend(sent.get("events", [sent]))
        self.send_response(answer.status)
        for name in ("content-type", "retry-after"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        if answer.status != 204:
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = _forward

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def slow_gate(client: Tollgate) -> Iterator[SlowGate]:
    server = SlowGate(client)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.may_pass.set()
        server.shutdown()
        server.server_close()
