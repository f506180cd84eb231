"""The errors of this package."""

from __future__ import annotations

from typing import Any


class TollgateError(Exception):
    """The only error that a call of the API raises.

    Codes of requests that got no answer: ``connection_failed``, ``timed_out``, ``no_api_key``, ``unexpected_answer``.
    All other codes are the service's, as in its OpenAPI document.
    """

    def __init__(
        self,
        *,
        status: int,
        code: str,
        detail: str,
        request_id: str | None = None,
        retry_after: float | None = None,
        problem: dict[str, Any] | None = None,
    ) -> None:
        #: The HTTP status; 0 if there was no answer.
        self.status = status
        #: Stable: program against this.
        self.code = code
        #: The cause in words.
        self.detail = detail
        #: Names the request in the logs of the service.
        self.request_id = request_id
        #: Seconds after which the service may be asked again, if it said so.
        self.retry_after = retry_after
        #: The whole problem document of the answer, such as ``limit`` of a refused authorization.
        self.problem: dict[str, Any] = problem or {}
        #: Every wrong field, for ``invalid_request``.
        self.errors: list[dict[str, Any]] = list(self.problem.get("errors") or [])
        unsaid = [error for error in self.errors if not self._is_said(error)]  # the service's detail has the first
        fields = "".join(f" {error.get('pointer')}: {error.get('message')}." for error in unsaid)
        request = f" (request {request_id})" if request_id else ""
        super().__init__(f"{code}: {detail}{fields}{request}")

    def _is_said(self, error: dict[str, Any]) -> bool:
        message = str(error.get("message"))
        return (message if len(self.errors) == 1 else f"{error.get('pointer')} {message}") in self.detail


class SpoolError(Exception):
    """Why ``record()`` did not keep an event. It is not counted, unless you record it again."""

    def __init__(self, message: str, *, code: str, idempotency_key: str) -> None:
        super().__init__(message)
        #: ``spool_full``, ``meter_closed``, or the code of the operating system, such as ``ENOSPC``.
        self.code = code
        #: The key of the event. Pass it if you record the event again: then it counts once, whatever the disk has.
        self.idempotency_key = idempotency_key


class SpoolFull(SpoolError):
    """The spool has reached ``max_bytes``: events come faster than they can be sent, or Tollgate cannot be reached."""
