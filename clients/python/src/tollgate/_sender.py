"""Sends the events of a spool, the oldest first, one request at a time, until all are settled."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._calls import Caller
from ._clock import Clock
from ._free_refused import free_refused
from ._settlement import Settlement, back_off, plan_settlement
from ._spool.spool import Batch, Refusal, Spool
from ._time import read_iso
from ._worker import Worker
from .errors import TollgateError

_EVENTS_MAX = 1000
_BYTES_MAX = 900_000  # the service takes 1 MiB
_OLD_AGE = 12 * 3600.0
_WARNING_EVERY = 3600.0


@dataclass(frozen=True)
class SenderPorts:
    spool: Spool
    caller: Caller
    clock: Clock
    #: Seconds that a request waits for more events, unless it is full.
    linger: float
    on_sent: Callable[[Settlement], None]
    on_refused: Callable[[Refusal], None]
    #: A request failed, and its events are sent again.
    on_failed: Callable[[Exception], None]
    warn: Callable[[str], None]


class Sender:
    def __init__(self, ports: SenderPorts) -> None:
        self._ports = ports
        self._changed = threading.Condition()
        #: How often somebody said that there are new events. So none is missed between a look and a wait.
        self._notices = 0
        self._is_draining = False
        self._has_ended = False
        #: Held while an answer is settled, so that nothing is after the end.
        self._settling = threading.Lock()
        self._has_account = False
        self._batch_max = _EVENTS_MAX
        self._failures = 0
        #: The code of the last request's error, if that lasts until somebody acts.
        self._refusal: str | None = None
        self._warned_at: float | None = None
        #: The time of the oldest event, as of the last request.
        self.oldest: str | None = None
        self._worker = Worker("sender", self._run, ports.warn)

    def notice(self) -> None:
        """There are new events."""
        with self._changed:
            self._notices += 1
            self._changed.notify_all()

    def drain(self, timeout: float) -> None:
        """Sends what there is, without waiting for more, until nothing is left or the time, in seconds, is over.

        It does not wait for what no wait mends, such as the key of another account. A request that is under way then settles nothing.
        """
        with self._changed:
            self._is_draining = True
            self._changed.notify_all()
        self._worker.join(timeout)
        with self._settling, self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            while not self._has_ended:
                seen = self._notices
                try:
                    pause = self._send_next()
                except Exception as error:  # whatever it is, the events are still there
                    pause = self._fail(error)
                if self._is_draining and (pause is None or self._refusal is not None):
                    return
                self._pause(pause, seen)
        finally:
            self._ports.caller.transport.close()

    def _pause(self, pause: float | None, seen: int) -> None:
        """Waits as long as the service must be left alone; else for events, then a moment for more of them."""
        with self._changed:
            if pause:
                # New events do not cut this short. Draining does once, when it begins, and when its time is over.
                was_draining = self._is_draining
                self._changed.wait_for(lambda: self._has_ended or self._is_draining != was_draining, pause)
                return
            if pause is None:
                self._changed.wait_for(lambda: self._is_draining or self._has_ended or self._notices != seen)
            self._changed.wait_for(
                lambda: self._is_draining or self._has_ended or self._is_full(),
                min(self._ports.linger, threading.TIMEOUT_MAX),
            )

    def _is_full(self) -> bool:
        return self._ports.spool.figures().queued >= self._batch_max

    def _send_next(self) -> float | None:
        """Returns the wait before the next request in seconds; None if there was nothing to send."""
        spool, caller = self._ports.spool, self._ports.caller
        batch = spool.next(self._batch_max, _BYTES_MAX)
        if batch is None:
            self.oldest = None
            return None
        self.oldest = _time_of(batch.events[0])
        self._require_account()
        text = b'{"events":[' + b",".join(batch.events) + b"]}"
        try:
            answer = caller.call("recordEvents", text=text, is_keyed_by_body=True, retries=0)
            settlement = plan_settlement(_results_of(answer, len(batch.events)))
        except TollgateError as error:
            if error.code not in ("invalid_request", "payload_too_large"):
                raise
            return self._divide(batch, error)
        return self._settle(batch, settlement)

    def _settle(self, batch: Batch, settlement: Settlement) -> float:
        refusals = [Refusal(batch.events[place], error) for place, error in settlement.rejected]
        # Before they are settled: a program that dies meanwhile sends them again.
        free_refused(self._ports.caller, refusals)
        with self._settling:
            if self._has_ended:
                return 0.0
            if refusals:
                self._ports.spool.keep_refused(refusals)
            batch.settle(settlement.settled)
        self._ports.on_sent(settlement)
        for refusal in refusals:
            self._ports.on_refused(refusal)
        if settlement.settled < len(batch.events):
            detail = "the service does not know yet whether an event is durable; it is sent again"
            raise TollgateError(status=200, code="unavailable", detail=detail)
        self._failures = 0
        self._refusal = None
        self._batch_max = min(_EVENTS_MAX, self._batch_max * 2)
        return 0.0

    def _divide(self, batch: Batch, error: TollgateError) -> float:
        """The service takes no part of a request that it cannot read. Halved again and again, one event is left."""
        if len(batch.events) > 1:
            self._batch_max = -(-len(batch.events) // 2)
            return 0.0
        reason = {"status": error.status, "code": error.code, "detail": error.detail}
        refusal = Refusal(batch.events[0], reason)
        free_refused(self._ports.caller, [refusal])
        with self._settling:
            if self._has_ended:
                return 0.0
            self._ports.spool.keep_refused([refusal])
            batch.settle(1)
        self._ports.on_refused(refusal)
        return 0.0

    def _require_account(self) -> None:
        if self._has_account:
            return
        account_id = self._ports.caller.call("getAccount", retries=0)["account_id"]
        if not self._ports.spool.belongs_to(account_id):
            detail = (
                f"the spool has events of another account than {account_id}, whose API key this is; "
                "give each account a `dir`"
            )
            raise TollgateError(status=0, code="wrong_account", detail=detail)
        self._has_account = True

    def _fail(self, error: Exception) -> float:
        self._failures += 1
        self._ports.on_failed(error)
        self._note_refusal(error)
        self._warn_of_age()
        retry_after = error.retry_after if isinstance(error, TollgateError) else None
        return back_off(self._failures, retry_after, random.random())

    def _note_refusal(self, error: Exception) -> None:
        """Said once: whoever runs the program has to act."""
        before, self._refusal = self._refusal, _lasting_code(error)
        if self._refusal is not None and self._refusal != before:
            self._ports.warn(f"events wait and are not sent: {error}")

    def _warn_of_age(self) -> None:
        clock = self._ports.clock
        age = clock.now() - _seconds_of(self.oldest) if self.oldest else 0.0
        is_quiet = self._warned_at is not None and clock.monotonic() - self._warned_at < _WARNING_EVERY
        if age > _OLD_AGE and not is_quiet:
            self._warned_at = clock.monotonic()
            self._ports.warn(
                f"the oldest event that waits to be sent is of {self.oldest}; "
                "Tollgate refuses events of more than 24 hours"
            )


def _lasting_code(error: Exception) -> str | None:
    """The key must be another one, or its account must be let in again."""
    is_lasting = isinstance(error, TollgateError) and (
        error.status in (401, 403) or error.code in ("wrong_account", "no_api_key")
    )
    return error.code if isinstance(error, TollgateError) and is_lasting else None


def _results_of(answer: Any, count: int) -> list[dict[str, Any]]:
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list) or len(results) != count:
        came = len(results) if isinstance(results, list) else "no"
        detail = f"{count} events were sent, and {came} results came back"
        raise TollgateError(status=200, code="unexpected_answer", detail=detail)
    return results


def _time_of(event: bytes) -> str | None:
    try:
        value = json.loads(event)
    except ValueError:
        return None  # the service will refuse it
    time = value.get("timestamp") if isinstance(value, dict) else None
    return time if isinstance(time, str) else None


def _seconds_of(time: str) -> float:
    """Now and later, for a time that cannot be read: the service will refuse it."""
    read = read_iso(time)
    return float("inf") if read is None else read
