"""One try of a request, over connections that are kept open."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ._retry_after import read_retry_after
from .errors import TollgateError


#: So many requests of asyncio run at once; more wait for a thread.
_THREADS_MAX = 32


@dataclass(frozen=True)
class Request:
    method: str
    #: With the query, without the base URL.
    path: str
    headers: dict[str, str]
    body: bytes | None
    #: A second one has no second effect.
    is_safe_to_repeat: bool


class Transport:
    """Sends requests to one base URL. Each thread has a connection of its own, so any number of threads may send."""

    def __init__(self, url: str, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("`url` (or TOLLGATE_URL) must begin with http:// or https://")
        self.url = url.rstrip("/")
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._timeout = timeout
        self._local = threading.local()
        self._threads: tuple[int, ThreadPoolExecutor] | None = None

    def send(self, request: Request) -> Any:
        """The decoded JSON of a success, its bytes if it is no JSON, None for 204. Raises TollgateError otherwise."""
        try:
            status, headers, body = self._exchange(request)
        except (TimeoutError, socket.timeout) as error:  # two names of one error from Python 3.10 on
            raise _no_answer("timed_out", f"{self.url} did not answer within {self._timeout} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise _no_answer("connection_failed", f"{self.url} cannot be reached: {error}") from error
        if status == 204:
            return None
        if 200 <= status < 300:
            is_json = (headers.get("content-type") or "").startswith("application/json")
            return json.loads(body) if is_json else body
        raise _to_error(status, headers, body)

    def threads(self) -> ThreadPoolExecutor:
        """Threads for those who cannot wait themselves. A fork has none of its parent's, so it makes its own."""
        kept = self._threads
        if kept is None or kept[0] != os.getpid():
            kept = self._threads = os.getpid(), ThreadPoolExecutor(_THREADS_MAX, thread_name_prefix="tollgate")
        return kept[1]

    def close(self) -> None:
        """Closes the connection of this thread."""
        self._drop()

    def _exchange(self, request: Request) -> tuple[int, http.client.HTTPMessage, bytes]:
        kept = self._kept()
        if kept is not None:
            try:
                return self._once(kept, request)
            except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected):
                # The server closed the idle connection. Whether the request reached it is not known.
                self._drop()
                if not request.is_safe_to_repeat:
                    raise
        return self._once(self._open(), request)

    def _once(
        self, connection: http.client.HTTPConnection, request: Request
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        try:
            connection.request(request.method, self._prefix + request.path, body=request.body, headers=request.headers)
            response = connection.getresponse()
            return response.status, response.msg, response.read()
        except BaseException:
            self._drop()
            raise

    def _open(self) -> http.client.HTTPConnection:
        self._drop()
        if self._tls is None:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        else:
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._tls)
        self._local.connection = connection
        self._local.pid = os.getpid()
        return connection

    def _kept(self) -> http.client.HTTPConnection | None:
        """The open connection of this thread. After a fork the connection is the parent's."""
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        return kept if kept is not None and self._local.pid == os.getpid() else None

    def _drop(self) -> None:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            kept.close()
        self._local.connection = None


def _to_error(status: int, headers: http.client.HTTPMessage, body: bytes) -> TollgateError:
    retry_after = read_retry_after(headers)
    problem = _problem_of(body)
    if problem is not None:
        return TollgateError(
            status=status,
            code=problem["code"],
            detail=str(problem.get("detail")),
            request_id=problem.get("request_id"),
            retry_after=retry_after,
            problem=problem,
        )
    text = body[:200].decode("utf-8", "replace")
    return TollgateError(
        status=status,
        code="unexpected_answer",
        detail=f"HTTP {status}: {text}",
        request_id=headers.get("x-request-id"),
        retry_after=retry_after,
    )


def _problem_of(body: bytes) -> dict[str, Any] | None:
    """None if something between us and the service answered with a page of its own."""
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("code"), str) else None


def _no_answer(code: str, detail: str) -> TollgateError:
    return TollgateError(status=0, code=code, detail=detail)
