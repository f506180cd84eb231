"""A folder and a server for each test of a meter."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tollgate import Meter
from tollgate._clock import SYSTEM_CLOCK, Clock
from tollgate.meter import _Options, _read_options

from .counting_server import CountingServer


class Bench:
    def __init__(self, dir: Path, server: CountingServer) -> None:
        self.dir = dir
        self.server = server
        self.warnings: list[str] = []
        self._meters: list[Meter] = []

    def open(self, dir: Path | None = None, **options: Any) -> Meter:
        """A meter on the folder; it is closed after the test, without waiting for its events."""
        meter = Meter(self.options(dir, **options))
        self._meters.append(meter)
        return meter

    def options(self, dir: Path | None = None, clock: Clock = SYSTEM_CLOCK, **options: Any) -> _Options:
        common: Any = {
            "url": self.server.url,
            "api_key": "tg_live_test",
            "linger": 0.001,
            "on_warning": self.warnings.append,
        }
        merged: Any = {**common, **options, "clock": clock}
        return _read_options(dir or self.dir, merged)

    def counted(self) -> list[str]:
        return sorted(self.server.counted)

    def segments(self) -> list[str]:
        return sorted(path.name for path in self.dir.glob("*.spool"))

    def rejected(self) -> list[dict[str, Any]]:
        path = self.dir / "rejected.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def close(self) -> None:
        for meter in self._meters:
            meter.close(timeout=0)
        for meter in self._meters:  # the next test's server may get the port, to which a request would be repeated
            meter._running._sender._worker.join(20)


def record_many(meter: Meter, count: int, threads: int = 16) -> list[str]:
    """Many events at once, so that they share flushes."""
    keys: list[str] = []

    def record(share: Iterable[int]) -> None:
        for _ in share:
            keys.append(meter.record("search", duration_ms=5).idempotency_key)

    workers = [threading.Thread(target=record, args=(range(at, count, threads),)) for at in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sorted(keys)
