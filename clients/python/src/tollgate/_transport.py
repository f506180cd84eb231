"""One try of a request, over connections that are kept open."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .errors import TollgateError


@dataclass(frozen=True)
class Request:
    method: str
    #: With the query, without the base URL.
    path: str
    headers: dict[str, str]
    body: bytes | None


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

    def send(self, request: Request) -> Any:
        """The decoded JSON of a success, its bytes if it is no JSON, None for 204. Raises TollgateError otherwise."""
        try:
            status, headers, body = self._exchange(request)
        except TimeoutError as error:
            raise _no_answer("timed_out", f"{self.url} did not answer within {self._timeout} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise _no_answer("connection_failed", f"{self.url} cannot be reached: {error}") from error
        if status == 204:
            return None
        if 200 <= status < 300:
            is_json = (headers.get("content-type") or "").startswith("application/json")
            return json.loads(body) if is_json else body
        raise _to_error(status, headers, body)

    def _exchange(self, request: Request) -> tuple[int, http.client.HTTPMessage, bytes]:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            try:
                return self._once(kept, request)
            except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected):
                # The server closed the idle connection. A request that reached it nevertheless is not known to be
                # done: only one that is safe to repeat goes out again, which the caller decides.
                self._drop()
                if request.method not in ("GET", "PUT", "DELETE") and "idempotency-key" not in request.headers:
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
        return connection

    def _drop(self) -> None:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            kept.close()
        self._local.connection = None


def _to_error(status: int, headers: http.client.HTTPMessage, body: bytes) -> TollgateError:
    retry_after = _seconds(headers.get("retry-after"))
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


def _seconds(header: str | None) -> float | None:
    try:
        return max(0.0, float(header)) if header is not None else None
    except ValueError:
        return None


def _no_answer(code: str, detail: str) -> TollgateError:
    return TollgateError(status=0, code=code, detail=detail)
