"""A program that meters its calls, to be killed: ``recording_program.py <dir> <url> <threads> <count>``.

It prints the key of every event before it records it (``begun``) and after ``record()`` has returned (``kept``).
"""

from __future__ import annotations

import os
import sys
import threading
import uuid

from tollgate import Meter


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> None:
    dir, url, threads, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    meter = Meter.open(dir, url=url, linger=0.005, on_warning=lambda message: say(f"warning {message}"))
    left = threading.Semaphore(count)

    def record_all() -> None:
        while left.acquire(blocking=False):
            key = str(uuid.uuid4())
            say(f"begun {key}")
            meter.record("search", duration_ms=1, idempotency_key=key)
            say(f"kept {key}")

    say("open")
    workers = [threading.Thread(target=record_all) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    say(f"closed {meter.close(timeout=60).left}")


if __name__ == "__main__":
    main()
