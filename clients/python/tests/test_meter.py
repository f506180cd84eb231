"""The promise of ``record()``: what has returned is counted once."""

from __future__ import annotations

import asyncio
import datetime
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tollgate import AsyncMeter, SpoolError, SpoolFull, TollgateError
from tollgate._clock import SYSTEM_CLOCK
from tollgate._event import to_event
from tollgate._settlement import back_off, plan_settlement
from tollgate._spool.format import to_line

from .support.bench import Bench, record_many
from .support.counting_server import UNAVAILABLE, Answer
from .support.eventually import eventually

HOUR = 3600.0


def test_sends_what_it_recorded_in_full_requests_and_leaves_an_empty_folder(bench: Bench) -> None:
    meter = bench.open(linger=60)
    keys = record_many(meter, 2_500)
    assert meter.close(timeout=60).left == 0
    assert bench.counted() == keys
    assert max(bench.server.batches) == 1_000
    assert os.listdir(bench.dir) == ["account.json"]
    stats = meter.stats()
    assert (stats.queued, stats.sent, stats.duplicates, stats.rejected, stats.last_error) == (0, 2_500, 0, 0, None)


def test_keeps_what_it_could_not_send_for_the_next_meter_of_the_folder(bench: Bench) -> None:
    bench.server.always = UNAVAILABLE
    first = bench.open()
    keys = record_many(first, 300)
    eventually(lambda: first.stats().failures > 0)
    assert first.close(timeout=0.05).left == 300
    assert isinstance(first.stats().last_error, TollgateError)
    second = bench.open()
    assert second.stats().queued == 300
    bench.server.always = None
    assert second.close(timeout=60).left == 0
    assert bench.counted() == keys


def test_a_request_that_outlasts_the_meter_settles_nothing(bench: Bench) -> None:
    bench.server.always = "late"
    meter = bench.open()
    key = meter.record("search").idempotency_key
    eventually(lambda: bench.server.batches == [1])
    assert meter.close(timeout=0).left == 1
    bench.server.may_answer.set()
    eventually(lambda: all(thread.name != "tollgate-sender" for thread in threading.enumerate()))
    assert len(bench.segments()) == 1
    following = bench.open()
    assert following.close(timeout=60).left == 0
    assert bench.counted() == [key]
    assert following.stats().duplicates == 1


def test_counts_an_event_once_under_a_key_of_the_caller(bench: Bench) -> None:
    meter = bench.open()
    meter.record("search", idempotency_key="mine")
    meter.record("search", idempotency_key="mine")
    meter.close(timeout=60)
    assert bench.counted() == ["mine"]
    assert (meter.stats().sent, meter.stats().duplicates) == (2, 1)


SPAN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (SPAN, SPAN),
        ("cc" + SPAN[2:], "cc" + SPAN[2:]),
        (None, None),
        ("", None),
        ("ff" + SPAN[2:], None),
        (SPAN.upper(), None),
        (SPAN + "\n", None),
        (SPAN + "-00", None),
        ("00-" + "0" * 32 + SPAN[35:], None),
        (SPAN[:36] + "0" * 16 + "-01", None),
        (7, None),
    ],
)
def test_an_event_keeps_the_span_that_it_names_and_a_bad_one_loses_no_event(
    bench: Bench, given: Any, sent: str | None
) -> None:
    meter = bench.open()
    key = meter.record("search", traceparent=given).idempotency_key
    assert meter.close(timeout=20).left == 0
    assert bench.server.counted[key].get("traceparent") == sent


def test_records_no_more_once_it_is_closed(bench: Bench) -> None:
    meter = bench.open()
    meter.close(timeout=60)
    with pytest.raises(SpoolError) as caught:
        meter.record("search", idempotency_key="late")
    assert (caught.value.code, caught.value.idempotency_key) == ("meter_closed", "late")


def test_without_a_disk_sends_the_same_from_memory(bench: Bench) -> None:
    meter = bench.open(durability="memory")
    keys = record_many(meter, 1_200)
    meter.close(timeout=60)
    assert bench.counted() == keys
    assert not bench.dir.exists()


def test_sets_one_event_aside_that_the_service_cannot_read_and_sends_the_others(bench: Bench) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open()
    meter.record("search", idempotency_key="a")
    meter.close(timeout=0)
    lines = [b'{"tool_id":"x","idempotency_key":"b"}', b"NaN}", b'{"tool_id":"x","idempotency_key":"c"}']
    with (bench.dir / bench.segments()[0]).open("ab") as file:
        file.write(b"".join(to_line(line) for line in lines))
    bench.server.always = None
    refused: list[str] = []
    following = bench.open(on_rejected=lambda rejected: refused.append(rejected.code))
    assert following.close(timeout=60).left == 0
    assert bench.counted() == ["a", "b", "c"]
    assert [(line["code"], line["event"]) for line in bench.rejected()] == [("invalid_request", "NaN}")]
    assert refused == ["invalid_request"]


def test_a_full_spool_has_lost_nothing_and_then_there_is_room_again(bench: Bench) -> None:
    bench.server.always = "hang"
    meter = bench.open(max_bytes=10_000)
    kept: list[str] = []
    with pytest.raises(SpoolFull) as caught:
        while True:
            kept.append(meter.record("search").idempotency_key)
    assert caught.value.code == "spool_full"
    assert meter.stats().bytes <= 10_000
    meter.close(timeout=0)
    bench.server.always = None
    following = bench.open(max_bytes=10_000)
    eventually(lambda: following.stats().queued == 0)
    assert bench.counted() == sorted(kept)
    following.record("search")


def test_an_event_whose_segment_was_taken_from_its_living_writer_is_written_again(bench: Bench) -> None:
    bench.server.always = "hang"
    meter = bench.open(linger=60)
    first = meter.record("search").idempotency_key
    (bench.dir / bench.segments()[0]).rename(bench.dir / "fedcba9876543210-00000001.spool")  # as another writer does
    second = meter.record("search").idempotency_key
    assert len(bench.segments()) == 2
    meter.close(timeout=0)
    bench.server.always = None
    bench.open().close(timeout=60)
    assert bench.counted() == sorted([first, second])


def test_an_event_whose_segment_cannot_be_asked_for_its_name_is_not_kept_and_takes_no_later_one_with_it(
    bench: Bench, tmp_path: Path
) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open()
    first = meter.record("search").idempotency_key
    bench.dir.rename(tmp_path / "away")
    bench.dir.write_text("")  # a name below a file is ENOTDIR, as a disk in trouble may answer, too
    with pytest.raises(SpoolError) as caught:
        meter.record("search")
    assert caught.value.code == "ENOTDIR"
    bench.dir.unlink()
    (tmp_path / "away").rename(bench.dir)
    later = meter.record("search").idempotency_key
    bench.server.always = None
    assert meter.close(timeout=60).left == 0
    assert bench.counted() == sorted([first, later])


def test_an_event_is_still_sent_after_its_folder_was_away_while_the_sender_looked_for_it(
    bench: Bench, tmp_path: Path
) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open()
    key = meter.record("search").idempotency_key
    bench.dir.rename(tmp_path / "away")
    failures = meter.stats().failures
    eventually(lambda: meter.stats().failures > failures + 1)  # so it began one without the folder
    (tmp_path / "away").rename(bench.dir)
    bench.server.always = None
    assert meter.close(timeout=60).left == 0
    assert bench.counted() == [key]


def test_close_sends_at_once_though_a_request_has_just_failed(bench: Bench) -> None:
    bench.server.next = [Answer(503, "unavailable", retry_after=3600)]
    meter = bench.open()
    key = meter.record("search").idempotency_key
    eventually(lambda: meter.stats().failures > 0)
    assert meter.close(timeout=60).left == 0
    assert bench.counted() == [key]


def test_events_whose_answer_was_lost_are_sent_again_and_counted_once(bench: Bench) -> None:
    bench.server.next = ["lose", "lose", "count"]
    meter = bench.open()
    keys = record_many(meter, 50)
    eventually(lambda: meter.stats().queued == 0 and meter.stats().duplicates > 0)
    assert bench.counted() == keys


def test_an_event_that_grows_old_is_warned_of_and_the_service_alone_refuses_it(bench: Bench) -> None:
    bench.server.next = [UNAVAILABLE]
    bench.server.judge = lambda _event: Answer(422, "event_expired")
    refused: list[str] = []
    meter = bench.open(on_rejected=lambda rejected: refused.append(rejected.code))
    timestamp = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=25)
    key = meter.record("search", timestamp=timestamp).idempotency_key
    eventually(lambda: meter.stats().rejected == 1)
    meter.close(timeout=60)
    assert [warning for warning in bench.warnings if "Tollgate refuses events of more than 24 hours" in warning]
    assert refused == ["event_expired"]
    assert [line["event"]["idempotency_key"] for line in bench.rejected()] == [key]


class SetClock:
    """The clock of the system, moved by so many seconds."""

    offset = 0.0

    def now(self) -> float:
        return SYSTEM_CLOCK.now() + self.offset

    def monotonic(self) -> float:
        return SYSTEM_CLOCK.monotonic()


def test_a_clock_that_is_set_back_or_forward_loses_no_event_and_sends_none_twice(bench: Bench) -> None:
    clock = SetClock()
    bench.server.next = [UNAVAILABLE]
    meter = bench.open(clock=clock)
    keys = []
    for clock.offset in (0, -6 * HOUR, 30 * 24 * HOUR, -0.001):
        keys.append(meter.record("search").idempotency_key)
    assert meter.close(timeout=10).left == 0
    assert bench.counted() == sorted(keys)
    assert bench.rejected() == []


def test_in_a_storm_of_429s_it_waits_as_long_as_it_is_told_and_loses_nothing(bench: Bench) -> None:
    bench.server.next = [Answer(429, "rate_limit_exceeded", retry_after=3)]
    meter = bench.open()
    start = SYSTEM_CLOCK.monotonic()
    keys = record_many(meter, 20)
    eventually(lambda: meter.stats().failures > 0)
    keys += record_many(meter, 1_500)  # more than a full request, while it waits
    assert len(bench.server.batches) == 1
    eventually(lambda: meter.stats().queued == 0)
    assert SYSTEM_CLOCK.monotonic() - start >= 2.9
    assert bench.counted() == sorted(keys)


def test_a_folder_that_belongs_to_another_account_sends_nothing_and_says_so(bench: Bench) -> None:
    bench.server.always = UNAVAILABLE
    first = bench.open()
    key = first.record("search").idempotency_key
    eventually(lambda: first.stats().failures > 0)
    first.close(timeout=0)
    bench.server.always = None
    bench.server.account_id = "account-2"
    other = bench.open()
    eventually(lambda: other.stats().failures > 0)
    error = other.stats().last_error
    assert isinstance(error, TollgateError)
    assert error.code == "wrong_account"
    assert other.close(timeout=0).left == 1
    assert bench.counted() == []
    bench.server.account_id = "account-1"
    bench.open().close(timeout=60)
    assert bench.counted() == [key]


def test_a_process_that_forks_and_its_child_both_record_and_each_event_counts_once(bench: Bench) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open()
    keys = [meter.record("search").idempotency_key]
    child = os.fork()
    if child == 0:
        meter.record("search", idempotency_key="of the child")
        meter.close(timeout=0)
        os._exit(0)
    keys.append(meter.record("search").idempotency_key)
    assert os.waitpid(child, 0)[1] == 0
    writers = {name.split("-")[0] for name in bench.segments()}
    assert len(writers) == 2
    meter.close(timeout=0)
    bench.server.always = None
    assert bench.open().close(timeout=60).left == 0
    assert bench.counted() == sorted([*keys, "of the child"])


def test_a_signal_that_interrupts_record_harms_no_later_record(bench: Bench) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupted

    meter = bench.open()
    kept: list[str] = []
    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(50):
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            try:
                while True:
                    kept.append(meter.record("search").idempotency_key)
            except Interrupted:
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    kept.append(meter.record("search").idempotency_key)
    assert meter.close(timeout=60).left == 0
    assert set(kept) <= set(bench.counted())


def test_asyncio_records_alike_and_a_caller_that_is_cancelled_harms_no_other(bench: Bench) -> None:
    async def run() -> list[str]:
        async with AsyncMeter(bench.options()) as meter:
            given_up = asyncio.ensure_future(meter.record("search", idempotency_key="given up"))
            await asyncio.sleep(0)
            given_up.cancel()
            recorded = await asyncio.gather(*(meter.record("search", duration_ms=0.6) for _ in range(500)))
            return [item.idempotency_key for item in recorded]

    keys = asyncio.run(run())
    assert set(keys) <= set(bench.counted()) <= {*keys, "given up"}
    assert {event["duration_ms"] for key, event in bench.server.counted.items() if key in keys} == {1}


PROGRAM = """
import os, signal, sys, tollgate
meter = tollgate.Meter.open(sys.argv[1], url=sys.argv[2], api_key="k", close_on_exit=True, linger=60)
meter.record("search", idempotency_key=sys.argv[3])
if sys.argv[3] == "terminated":
    os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.parametrize(("way", "code"), [("ended", 0), ("terminated", -signal.SIGTERM)])
def test_close_on_exit_sends_what_is_left_when_the_process_ends(bench: Bench, way: str, code: int) -> None:
    command = [sys.executable, "-c", PROGRAM, str(bench.dir), bench.server.url, way]
    assert subprocess.run(command, timeout=30).returncode == code
    assert bench.counted() == [way]
    assert os.listdir(bench.dir) == ["account.json"]


LARGE = """
import re, sys, tollgate
meter = tollgate.Meter.open(sys.argv[1], url=sys.argv[2], api_key="k")
assert meter.stats().queued == 1_000_000, meter.stats()
while meter.stats().sent < 10_000:
    for _ in range(100):
        meter.record("search", duration_ms=1)
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) // 1024)
"""


def test_a_million_spooled_events_need_at_most_64_mb(bench: Bench) -> None:
    bench.dir.mkdir()
    event = b'{"tool_id":"search","duration_ms":1,"timestamp":"2026-11-21T10:00:01.000Z","idempotency_key":"%036d"}'
    for number in range(40):
        lines = b"".join(to_line(event % (number * 25_000 + at)) for at in range(25_000))
        (bench.dir / f"0123456789abcdef-{number:08d}.spool").write_bytes(b"tollgate-spool 1\n" + lines)
    command = [sys.executable, "-c", LARGE, str(bench.dir), bench.server.url]
    output = subprocess.run(command, timeout=600, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert int(output) <= 64


def test_threads_of_a_closed_meter_have_ended(bench: Bench) -> None:
    before = threading.active_count()
    meter = bench.open()
    meter.record("search")
    meter.close(timeout=60)
    ours = [thread.name for thread in threading.enumerate() if thread.name.startswith("tollgate-")]
    assert ours == []
    assert threading.active_count() <= before + 1  # a connection of the server


def test_what_would_never_be_sent_is_refused_at_once() -> None:
    def event(tool: str = "search", **fields: object) -> bytes:
        names = ("duration_ms", "success", "metadata", "timestamp", "authorization_id", "traceparent")
        nothing = {**dict.fromkeys(names), "idempotency_key": "k"}
        values: dict[str, object] = {**nothing, "now": 1_790_000_000.0006, **fields}
        return to_event(tool, **values).json  # type: ignore[arg-type]

    assert event() == b'{"tool_id":"search","timestamp":"2026-09-21T14:13:20.000Z","idempotency_key":"k"}'
    assert event(duration_ms=0.5, success=False, timestamp="t", metadata={"city": "Z\u00fcrich"}) == (
        '{"tool_id":"search","duration_ms":1,"success":false,"metadata":{"city":"Zürich"},'
        '"timestamp":"t","idempotency_key":"k"}'.encode()
    )
    assert b'"\\ud83e"' in event(metadata={"half": "\ud83e"})
    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert b'"2026-01-01T10:00:00.000Z"' in event(timestamp=datetime.datetime(2026, 1, 1, 12, tzinfo=zone))
    wrong: list[dict[str, object]] = [
        {"tool": ""},
        {"duration_ms": -1},
        {"duration_ms": float("nan")},
        {"duration_ms": float("inf")},
        {"idempotency_key": ""},
        {"timestamp": datetime.datetime(2026, 1, 1)},
        {"metadata": {"much": "x" * 65_536}},
        {"metadata": {"nan": float("nan")}},
    ]
    for fields in wrong:
        with pytest.raises(ValueError):
            event(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statuses", "settled"),
    [
        (["recorded", "duplicate"], 2),
        (["recorded", "unknown", "recorded"], 1),
        ([422, "recorded"], 2),
        ([429, "recorded"], 0),
        (["recorded", 503], 1),
        ([401], 0),
        ([], 0),
    ],
)
def test_only_what_comes_before_the_first_open_event_is_settled(statuses: list[str | int], settled: int) -> None:
    results = [
        {"status": status}
        if isinstance(status, str)
        else {"status": "rejected", "error": {"status": status, "code": "c"}}
        for status in statuses
    ]
    assert plan_settlement(results).settled == settled


@pytest.mark.parametrize(
    ("failures", "retry_after", "seconds"), [(1, None, 0.25), (2, None, 0.5), (30, None, 30.0), (1, 7.0, 7.25)]
)
def test_waits_longer_after_each_failure(failures: int, retry_after: float | None, seconds: float) -> None:
    assert back_off(failures, retry_after, random=0.5) == pytest.approx(seconds)


def test_a_folder_that_is_a_file_is_refused_by_its_name(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"file cannot be written .*: choose another `dir`"):
        bench.open(tmp_path / "file")
