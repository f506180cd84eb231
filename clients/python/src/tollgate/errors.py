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
        fields = "".join(f" {error.get('pointer')}: {error.get('message')}." for error in self.errors)
        request = f" (request {request_id})" if request_id else ""
        super().__init__(f"{code}: {detail}{fields}{request}")
