"""The report of an event that Tollgate refused for good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._clock import Clock
from ._spool.disk_spool import parse_sent
from ._spool.spool import Refusal

_QUIET = 60.0
#: The code of a call that was not recorded, since nobody can say how it ended.
END_UNKNOWN = "end_unknown"


@dataclass(frozen=True)
class RejectedEvent:
    """An event that Tollgate refused for good."""

    status: int
    code: str
    detail: str
    #: The event, as it was sent.
    event: Any
    #: The reason of the refusal, in a sentence for people.
    message: str


def to_rejected(refusal: Refusal) -> RejectedEvent:
    error, event = refusal.error, parse_sent(refusal.event)
    code, detail = str(error["code"]), str(error.get("detail", ""))
    return RejectedEvent(int(error["status"]), code, detail, event, refusal_message(event, code, detail))


def refusal_message(event: Any, code: str, detail: str) -> str:
    """Says what became of the call of an event."""
    sent = event if isinstance(event, dict) else {}
    tool, time = sent.get("tool_id", "a tool"), sent.get("timestamp")
    call = f"the call of {tool} at {time}" if isinstance(time, str) else f"a call of {tool}"
    if code == END_UNKNOWN:
        return f"Nobody pays for {call}: {detail}"
    late = (
        " Its event came when the money that was held for it was free again." if code == "authorization_not_open" else ""
    )
    return f"Nobody pays for {call}: Tollgate refused its event.{late} {code}: {detail}"


def warn_of_rejected(warn: Callable[[str], None], clock: Clock) -> Callable[[RejectedEvent], None]:
    """Warns of the first event within a minute: a spool may have many that are refused for one reason."""
    warned_at: float | None = None

    def tell(rejected: RejectedEvent) -> None:
        nonlocal warned_at
        now = clock.monotonic()
        if warned_at is None or now - warned_at >= _QUIET:
            warned_at = now
            warn(rejected.message)

    return tell
