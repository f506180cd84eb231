"""Finds mistakes in the settings of a builder before a call shows them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .client import AsyncTollgate, Tollgate
from .errors import TollgateError

#: Seconds for each answer. Of a Tollgate that hangs nothing is said here: its calls are refused.
_TIMEOUT = 2.0


def tell_mistakes(tollgate: AsyncTollgate, slug: str | None, tell: Callable[[Exception], None]) -> None:
    """Asks in a thread of its own, so that a start waits for nothing, and tells what lets every call go wrong."""

    def look() -> None:
        mistake = find_mistake(tollgate, slug)
        if mistake is not None:
            tell(mistake)

    threading.Thread(target=look, name="tollgate-mistakes", daemon=True).start()


def find_mistake(tollgate: AsyncTollgate, slug: str | None) -> TollgateError | None:
    """None if all is well, or if Tollgate cannot be asked now."""
    client = Tollgate(tollgate._caller.api_key, tollgate.url, timeout=_TIMEOUT, retries=0)
    # No event is recorded: the service reads the key and its scopes before it refuses a batch of none.
    found = _mistake_of(lambda: client.events.record_batch([]))
    return found or (None if slug is None else _mistake_of_tool(client, slug))


def _mistake_of_tool(client: Tollgate, slug: str) -> TollgateError | None:
    archived = False

    def look() -> None:
        nonlocal archived
        archived = client.tools.get(slug)["archived"]

    found = _mistake_of(look)
    if archived:
        return TollgateError(
            status=0, code="tool_archived", detail=f"The tool {slug} is archived: no call of it can be charged."
        )
    return found


def _mistake_of(ask: Callable[[], Any]) -> TollgateError | None:
    try:
        ask()
    except TollgateError as error:
        detail = _words_of(error)
        if detail is not None:
            return TollgateError(status=error.status, code=error.code, detail=detail, request_id=error.request_id)
    return None


def _words_of(error: TollgateError) -> str | None:
    if error.code == "no_api_key":
        return error.detail
    if error.status == 401:
        return "The API key of Tollgate is refused: it is unknown or revoked. No call can be metered."
    if error.status == 403:
        return f"The API key of Tollgate may not meter calls: {error.detail} It needs the scopes events and read."
    if error.code == "tool_not_found":
        return f"{error.detail} Correct the slug, or register the tool: no call of it can be metered."
    return None
