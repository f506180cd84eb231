"""The only source of time of the meter, so that tests can hold it still or set it back."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since the epoch; somebody may set it."""

    def monotonic(self) -> float:
        """Seconds since some start, which nobody moves."""


class _SystemClock:
    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()


SYSTEM_CLOCK: Clock = _SystemClock()
