"""The message of a meter that closes, and the troubles that do not end it before."""

from __future__ import annotations

import datetime
import http.client
import threading
from pathlib import Path
from typing import Any

import pytest

from tollgate import Closed
from tollgate._clock import SYSTEM_CLOCK
from tollgate._retry_after import read_retry_after
from tollgate._settlement import back_off

from .support.bench import Bench
from .support.counting_server import UNAVAILABLE, Answer
from .support.eventually import eventually

DATE = "Sat, 21 Nov 2026 10:00:00 GMT"
NOW = datetime.datetime(2026, 11, 21, 10, tzinfo=datetime.timezone.utc).timestamp()
LONG = 600.0


def test_says_nothing_where_nothing_waits(bench: Bench) -> None:
    meter = bench.open()
    meter.record("search")
    assert meter.close(timeout=60) == Closed(left=0, others=0, reason=None)
    assert bench.warnings == []


def test_says_how_many_events_wait_and_why(bench: Bench) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open()
    meter.record("search")
    eventually(lambda: meter.stats().failures > 0)
    assert meter.close(timeout=0) == Closed(left=1, others=0, reason="unavailable: Not now.")
    assert bench.warnings == ["the meter is closed, and 1 events are not sent: unavailable: Not now."]


def test_says_what_another_program_holds_in_the_folder(bench: Bench) -> None:
    bench.server.always = "hang"
    living = bench.open()
    living.record("search")
    living.record("search")
    reason = "another program has the folder open, and sends its events itself"
    assert bench.open().close(timeout=60) == Closed(left=0, others=2, reason=reason)
    assert bench.warnings == []


@pytest.mark.parametrize(
    ("account_id", "refusal", "code"),
    [
        ("account-2", None, "wrong_account"),
        ("account-1", Answer(401, "unauthenticated"), "unauthenticated"),
        ("account-1", Answer(403, "account_suspended"), "account_suspended"),
    ],
)
def test_close_does_not_wait_for_what_no_wait_mends(
    bench: Bench, account_id: str, refusal: Answer | None, code: str
) -> None:
    bench.server.always = UNAVAILABLE
    first = bench.open()
    first.record("search")
    eventually(lambda: first.stats().failures > 0)
    first.close(timeout=0)
    bench.warnings.clear()
    bench.server.always, bench.server.account_id, bench.server.refusal = None, account_id, refusal
    start = SYSTEM_CLOCK.monotonic()
    closed = bench.open().close(timeout=LONG)
    assert SYSTEM_CLOCK.monotonic() - start < 30
    assert (closed.left, closed.others) == (1, 0)
    assert closed.reason is not None and closed.reason.startswith(f"{code}: ")
    assert len([warning for warning in bench.warnings if warning.startswith("events wait and are not sent: ")]) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("0", 0.0),
        ("86400", 86_400.0),
        ("Sat, 21 Nov 2026 10:00:30 GMT", 30.0),
        ("Saturday, 21-Nov-26 10:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 09:59:30 GMT", 0.0),
        (str(int(NOW) + 30), 30.0),
        (str((int(NOW) + 30) * 1000), 30.0),
        (str(int(NOW) - 30), 0.0),
        ("9" * 400, None),
        ("-5", None),
        ("inf", None),
        ("Infinity", None),
        ("nan", None),
        ("1e3", None),
        ("1_000", None),
        ("", None),
        ("soon", None),
        ("Sat, 99 Nov 2026 10:00:30 GMT", None),
    ],
)
def test_reads_every_form_of_retry_after(text: str, seconds: float | None) -> None:
    headers = http.client.HTTPMessage()
    headers["date"] = DATE
    headers["retry-after"] = text
    assert read_retry_after(headers) == seconds


@pytest.mark.parametrize("retry_after", [301.0, 86_400.0, 1e12, 1e308, float("inf")])
def test_waits_five_minutes_at_most(retry_after: float) -> None:
    assert back_off(1, retry_after, random=0.9) == 300.0


@pytest.mark.parametrize("retry_after", ["inf", "nan", "99999999999999", "1e400", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_lives_and_does_not_spin_whatever_the_service_asks_for(bench: Bench, retry_after: str) -> None:
    bench.server.next = [Answer(503, "unavailable", retry_after=retry_after)]
    meter = bench.open()
    keys = [meter.record("search").idempotency_key]
    eventually(lambda: meter.stats().failures > 0)
    assert meter.close(timeout=LONG).left == 0
    assert bench.counted() == sorted(keys)
    assert bench.server.batches == [1, 1]


def test_times_without_end_end_no_thread(bench: Bench) -> None:
    bench.server.next = [UNAVAILABLE]
    meter = bench.open(linger=float("inf"))
    meter.record("search")
    assert meter.close(timeout=float("inf")).left == 0


def test_a_sender_that_dies_says_so_and_is_started_again(bench: Bench) -> None:
    warnings: list[str] = []

    def warn(message: str) -> None:
        warnings.append(message)
        raise SystemExit(1)  # the hardest way to leave a thread

    bench.server.next = [UNAVAILABLE]
    meter = bench.open(on_warning=warn)
    old = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=13)
    key = meter.record("search", timestamp=old).idempotency_key
    eventually(lambda: meter.stats().queued == 0, 30)
    assert warnings[1] == "the meter's sender thread has stopped, and is started again: SystemExit(1)"
    assert bench.counted() == [key]


def test_the_thread_that_tends_the_folder_outlives_its_warning(bench: Bench, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("tollgate.meter._TEND_EVERY", 0.01)
    warnings: list[str] = []

    def warn(message: str) -> None:
        warnings.append(message)
        raise SystemExit(1)

    bench.open(on_warning=warn)
    bench.dir.rename(tmp_path / "away")
    eventually(lambda: len([message for message in warnings if "cannot be maintained" in message]) > 1, 30)
    (tmp_path / "away").rename(bench.dir)
    assert "tollgate-tending" in [thread.name for thread in threading.enumerate()]


def test_callbacks_that_fail_take_nothing_with_them(bench: Bench) -> None:
    def broken(_: object) -> None:
        raise ValueError("broken")

    bench.server.judge = lambda _event: Answer(404, "tool_not_found")
    meter = bench.open(on_rejected=broken, on_warning=broken)
    meter.record("search")
    meter.record("search")
    eventually(lambda: meter.stats().rejected == 2)
    assert meter.stats().failures == 0
