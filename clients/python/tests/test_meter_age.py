"""From 12 hours on a waiting event makes a warning; at 24 the service refuses it."""

from __future__ import annotations

import datetime

import pytest

from .support.bench import Bench
from .support.counting_server import UNAVAILABLE
from .support.eventually import eventually


@pytest.mark.parametrize(("hours", "warned"), [(11, 0), (13, 1)])
def test_an_event_that_has_waited_so_long_when_a_request_fails_makes_warnings(
    bench: Bench, hours: int, warned: int
) -> None:
    bench.server.next = [UNAVAILABLE]
    meter = bench.open()
    timestamp = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=hours)
    key = meter.record("search", timestamp=timestamp).idempotency_key
    eventually(lambda: meter.stats().queued == 0)
    assert meter.stats().failures == 1
    assert ["Tollgate refuses events of more than 24 hours" in warning for warning in bench.warnings] == [True] * warned
    assert bench.counted() == [key]
