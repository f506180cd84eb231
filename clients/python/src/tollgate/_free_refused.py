"""Frees what calls held whose events Tollgate refused for good."""

from __future__ import annotations

from collections.abc import Sequence

from ._calls import Caller
from ._spool.disk_spool import parse_sent
from ._spool.spool import Refusal
from .errors import SpoolError, TollgateError

#: Statuses that speak of the moment: the same request may pass later.
_MOMENTARY = frozenset({408, 425, 429})
#: Statuses that speak of the key. Events wait until it is another one.
_OF_KEY = frozenset({401, 403})


def free_refused(caller: Caller, refusals: Sequence[Refusal]) -> None:
    """Nobody captures it any more. Raises if that has to be tried again; then the events must not be settled yet."""
    for refusal in refusals:
        event = parse_sent(refusal.event)
        found = event.get("authorization_id") if isinstance(event, dict) else None
        if isinstance(found, str):
            _free(caller, found)


def is_never_recorded(error: Exception) -> bool:
    """Whether Tollgate refuses the event, or it cannot be written.

    False for one that may have been recorded, and for a call that holds nothing any more.
    """
    if isinstance(error, SpoolError):
        return error.code in ("spool_full", "meter_closed")
    if not isinstance(error, TollgateError):
        return isinstance(error, (TypeError, ValueError))
    return _is_of_request(error) and error.code != "authorization_not_open"


def _free(caller: Caller, authorization_id: str) -> None:
    try:
        caller.call("releaseAuthorization", path={"authorization_id": authorization_id})
    except TollgateError as error:
        if not _is_of_request(error) or error.status in _OF_KEY:
            raise  # else it is captured, expired, or none


def _is_of_request(error: TollgateError) -> bool:
    return 400 <= error.status < 500 and error.status not in _MOMENTARY
