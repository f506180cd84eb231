"""Finds the events that an answer to a batch settles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Settlement(NamedTuple):
    #: How many events, from the first, are settled.
    settled: int
    recorded: int
    duplicates: int
    #: Settled events that the service refused for good: their places, and why.
    rejected: list[tuple[int, dict[str, Any]]]


#: Statuses that speak of the caller or the moment, and not of the event.
_PASSING = frozenset({401, 403, 408, 425, 429})


def plan_settlement(results: Sequence[dict[str, Any]]) -> Settlement:
    """Everything before the first event that must be sent again."""
    settled = next((place for place, result in enumerate(results) if _is_open(result)), len(results))
    counted = results[:settled]
    statuses = [result["status"] for result in counted]
    return Settlement(
        settled,
        statuses.count("recorded"),
        statuses.count("duplicate"),
        [(place, result["error"]) for place, result in enumerate(counted) if result.get("error") is not None],
    )


def _is_open(result: dict[str, Any]) -> bool:
    if result.get("status") in ("recorded", "duplicate"):
        return False
    error = result.get("error")
    if result.get("status") != "rejected" or error is None:
        return True
    return bool(error["status"] >= 500 or error["status"] in _PASSING)


#: An answer can ask for years, or for more than a lock can wait, and the events are old after a day.
_WAIT_MAX = 300.0


def back_off(failures: int, retry_after: float | None, random: float) -> float:
    """Seconds before the next request: a random part of a bound that doubles, after what the service asked for,
    within reason.

    ``failures`` in a row, the last one included; ``random`` from 0 to below 1.
    """
    bound = min(60.0, 0.5 * (1 << min(failures - 1, 10)))
    return min(_WAIT_MAX, (retry_after or 0.0) + random * bound)
