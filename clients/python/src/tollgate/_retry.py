"""When a request may be sent again, and after which wait."""

from __future__ import annotations

import threading

#: In tenths of a repeat.
_BUDGET_MAX = 200
_PER_REPEAT = 10
_FIRST_DELAY = 0.2
_DELAY_MAX = 20.0
#: A longer wait is the caller's decision: the error carries ``retry_after``.
_RETRY_AFTER_MAX = 60.0

#: The service may do the same again without harm, where the request is safe to repeat.
_REPEATED_STATUSES = frozenset({408, 429, 500, 502, 503, 504})


class RetryBudget:
    """Bounds the repeats of one client, so that a service in trouble is not asked more than when it is well."""

    def __init__(self) -> None:
        self._left = _BUDGET_MAX
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Takes one repeat, unless none is left."""
        with self._lock:
            if self._left < _PER_REPEAT:
                return False
            self._left -= _PER_REPEAT
            return True

    def earn(self) -> None:
        """An answer earns a tenth of a repeat."""
        with self._lock:
            self._left = min(_BUDGET_MAX, self._left + 1)


def may_repeat(*, is_safe_to_repeat: bool, status: int, code: str) -> bool:
    """Whether the same request may be sent again. ``status`` is 0 if there was no answer."""
    if status == 429:
        return True  # refused before anything happened
    if not is_safe_to_repeat:
        return False
    if status == 0:
        return code in ("connection_failed", "timed_out")
    return status in _REPEATED_STATUSES or code == "idempotency_in_progress"


def delay_before(*, repeats: int, retry_after: float | None, random: float) -> float | None:
    """Seconds to wait: full jitter over a doubling bound, after the wait that the service asked for.

    ``repeats`` is 0 before the first repeat, ``random`` from 0 to below 1. None: too long to wait for here.
    """
    asked = retry_after or 0.0
    if asked > _RETRY_AFTER_MAX:
        return None
    return asked + random * min(_DELAY_MAX, _FIRST_DELAY * (1 << repeats))
