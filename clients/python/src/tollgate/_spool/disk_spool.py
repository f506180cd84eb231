"""A spool in a folder, as SPOOL.md describes it."""

from __future__ import annotations

import base64
import errno
import itertools
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from .._time import to_iso_seconds
from ..errors import SpoolError, SpoolFull
from .appender import Appender
from .folder import Folder
from .format import LINE_OVERHEAD_BYTES, to_line
from .names import new_writer, segment_name
from .segment import Segment, SegmentList, count_queued, read_piece
from .spool import Batch, Figures, KeyedEvent, Refusal
from .take_over import take_over
from .writer_lock import WriterLock

_SEGMENT_BYTES_MAX = 4 * 1024 * 1024
_REJECTED_FILE = "rejected.jsonl"
_ACCOUNT_FILE = "account.json"


class DiskSpool:
    """Opens the folder and takes over what dead writers left there."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        is_flushed: bool,
        max_bytes: int,
        now: Callable[[], float],
        warn: Callable[[str], None],
    ) -> None:
        self._folder = Folder.open(path)
        self._max_bytes = max_bytes
        self._now = now
        self._warn = warn
        self._writer = new_writer()
        self._numbers = itertools.count(1)
        self._lock = WriterLock(self._folder, self._writer)
        self._segments = SegmentList(self._folder)
        self._appender = Appender(
            self._folder,
            self._segments,
            self._next_name,
            is_flushed=is_flushed,
            segment_bytes=min(_SEGMENT_BYTES_MAX, -(-max_bytes // 4)),
        )
        self._others_bytes = 0
        self._damaged = 0
        self._unknown: set[str] = set()
        self.tend()

    def append(self, events: Sequence[KeyedEvent]) -> list[Exception | None]:
        results: list[Exception | None] = []
        lines: list[bytes] = []
        room = self._max_bytes - self._size()
        for event in events:
            room -= len(event.json) + LINE_OVERHEAD_BYTES
            if room < 0:
                room += len(event.json) + LINE_OVERHEAD_BYTES  # a smaller one may fit
                results.append(self._full(event))
            else:
                lines.append(to_line(event.json))
                results.append(None)
        if not lines:
            return results
        try:
            self._appender.append(b"".join(lines), len(lines))
        except OSError as error:
            return [result or _not_kept(error, event) for result, event in zip(results, events)]
        return results

    def next(self, events_max: int, bytes_max: int) -> Batch | None:
        """Torn tails and damaged lines are settled on the way."""
        while (segment := self._segments.first()) is not None:
            is_open = segment.is_open  # before the size, which grows only while it is open
            if segment.settled_to >= segment.size:
                if is_open:
                    return None  # the newest
                self._segments.settle_to(segment, segment.size, 0)
                continue
            piece = read_piece(self._folder, segment, bytes_max)
            if piece is None:
                self._segments.forget(segment)  # another writer took it
                continue
            lines, rest = piece
            whole = list(itertools.takewhile(lambda line: line.json is not None, lines[:events_max]))
            if whole:
                return self._batch(segment, [line.json or b"" for line in whole], [line.end for line in whole])
            if lines:
                self._keep_damaged(lines[0].raw)
                self._segments.settle_to(segment, segment.settled_to + lines[0].end, 1)
            else:
                if segment.settled_to + len(rest) < segment.size:
                    self._keep_damaged(rest)  # too long to be an event; else it is the torn tail of a dead writer
                self._segments.settle_to(segment, segment.settled_to + len(rest) if rest else segment.size, 0)
        return None

    def keep_refused(self, refusals: Sequence[Refusal]) -> None:
        self._keep_rejected([{**refusal.error, "event": parse_sent(refusal.event)} for refusal in refusals])

    def belongs_to(self, account_id: str) -> bool:
        """The first account to ask gets the folder."""
        owner = self._owner()
        if owner is None:
            content = json.dumps({"account_id": account_id}, separators=(",", ":")).encode() + b"\n"
            self._folder.replace(_ACCOUNT_FILE, content)
            owner = self._owner()
        return owner == account_id

    def tend(self) -> None:
        self._lock.beat()
        taken = take_over(
            self._folder, self._lock, self._writer, next_name=self._next_name, on_unknown=self._warn_of_unknown
        )
        self._segments.add_oldest(taken.segments)
        self._others_bytes = taken.others_bytes

    def figures(self) -> Figures:
        return Figures(self._segments.queued(), self._size(), self._damaged)

    def end_appends(self) -> None:
        self._appender.close()

    def close(self) -> None:
        self.next(1, 70_000)  # removes segments that are settled
        self._lock.release()

    def others(self) -> int:
        names = [file.name for file in self._folder.files() if file.kind == "spool" and file.writer != self._writer]
        return sum(count_queued(self._folder, name) for name in names)

    def abandon(self) -> None:
        self._appender.close()

    def _batch(self, segment: Segment, events: list[bytes], ends: list[int]) -> Batch:
        start = segment.settled_to

        def settle(count: int) -> None:
            if count > 0:
                self._segments.settle_to(segment, start + ends[count - 1], count)

        return Batch(events, settle)

    def _next_name(self) -> str:
        return segment_name(self._writer, next(self._numbers))

    def _owner(self) -> str | None:
        try:
            value = json.loads(self._folder.read(_ACCOUNT_FILE) or b"")
        except ValueError:
            return None  # missing, or torn by a crash
        owner = value.get("account_id") if isinstance(value, dict) else None
        return owner if isinstance(owner, str) else None

    def _keep_damaged(self, content: bytes) -> None:
        error = {"status": 0, "code": "damaged_line", "detail": "The checksum of the line is wrong."}
        self._keep_rejected([{**error, "bytes_base64": base64.b64encode(content).decode()}])
        self._damaged += 1
        self._warn(f"the spool in {self._folder.path} has a damaged line; see {_REJECTED_FILE}")

    def _keep_rejected(self, lines: Sequence[dict[str, Any]]) -> None:
        rejected_at = {"rejected_at": to_iso_seconds(self._now())}
        text = "".join(json.dumps({**rejected_at, **line}, separators=(",", ":")) + "\n" for line in lines)
        self._folder.append_durably(_REJECTED_FILE, text.encode())

    def _warn_of_unknown(self, name: str) -> None:
        if name not in self._unknown:
            self._unknown.add(name)
            self._warn(f"{name} in {self._folder.path} was written by a newer version, and is not read")

    def _full(self, event: KeyedEvent) -> SpoolFull:
        message = (
            f"the spool in {self._folder.path} has reached {self._max_bytes} bytes: "
            "Tollgate does not take events fast enough"
        )
        return SpoolFull(message, code="spool_full", idempotency_key=event.idempotency_key)

    def _size(self) -> int:
        return self._segments.size() + self._others_bytes


def parse_sent(event: bytes) -> Any:
    """An event as it was sent. What is no JSON the service refuses, too; it stays as text."""
    try:
        return json.loads(event)
    except ValueError:
        return event.decode("utf-8", "replace")


def _not_kept(error: OSError, event: KeyedEvent) -> SpoolError:
    code = errno.errorcode.get(error.errno or 0, "unknown")
    reason = "the disk is full" if code == "ENOSPC" else str(error)
    failure = SpoolError(f"the event was not kept: {reason}", code=code, idempotency_key=event.idempotency_key)
    failure.__cause__ = error
    return failure
