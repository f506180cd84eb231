"""Segments: files of events that are appended to and never changed."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from .folder import Folder
from .format import SEGMENT_HEADER, SpoolLine, lines_of
from .names import cursor_name

_COUNTED_BYTES = 256 * 1024


@dataclass(eq=False)
class Segment:
    """A segment of ours, while this process has it."""

    name: str
    #: Its durable bytes. Of its own open segment a writer sends nothing beyond them.
    size: int
    #: Every byte before this is settled.
    settled_to: int
    #: Events that are not settled.
    queued: int = 0
    #: Its writer may still append.
    is_open: bool = False


def read_piece(folder: Folder, segment: Segment, bytes_max: int) -> tuple[list[SpoolLine], bytes] | None:
    """The next bytes that are not settled: whole lines, and what follows the last line feed.

    None if somebody took the segment away.
    """
    length = min(bytes_max, segment.size - segment.settled_to)
    chunk = folder.read_part(segment.name, segment.settled_to, length)
    if chunk is None:
        return None
    lines = lines_of(chunk)
    return lines, chunk[lines[-1].end if lines else 0 :]


def count_lines(folder: Folder, name: str, start: int, end: int) -> int:
    """The number of lines between two offsets."""
    count = 0
    at = start
    while at < end:
        part = folder.read_part(name, at, min(_COUNTED_BYTES, end - at))
        if not part:
            break
        count += part.count(b"\n")
        at += len(part)
    return count


def is_segment(folder: Folder, name: str) -> bool:
    """Whether a file begins as segments do, as far as it goes. Others are left alone."""
    start = folder.read_part(name, 0, len(SEGMENT_HEADER))
    return start is not None and SEGMENT_HEADER.startswith(start)


def count_queued(folder: Folder, name: str) -> int:
    """The events of a segment that are not settled. It may be another writer's, who may remove it meanwhile."""
    size = folder.size(name)
    if size is None or not is_segment(folder, name):
        return 0
    return count_lines(folder, name, max(folder.read_cursor(name), min(size, len(SEGMENT_HEADER))), size)


class SegmentList:
    """The segments of this writer, the oldest first. The open one, if there is one, is the last.

    The threads that append, send and take over share it.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._segments: list[Segment] = []
        self._lock = threading.Lock()

    def first(self) -> Segment | None:
        with self._lock:
            return self._segments[0] if self._segments else None

    def add_newest(self, segment: Segment) -> None:
        with self._lock:
            self._segments.append(segment)

    def add_oldest(self, segments: list[Segment]) -> None:
        with self._lock:
            self._segments[:0] = segments

    def forget(self, segment: Segment) -> None:
        """Drops a segment that another writer has taken."""
        with self._lock:
            if segment in self._segments:
                self._segments.remove(segment)

    def grow(self, segment: Segment, size: int, events: int) -> None:
        """So many bytes with so many events are durable."""
        with self._lock:
            segment.size += size
            segment.queued += events

    def settle_to(self, segment: Segment, offset: int, events: int) -> None:
        """Everything before the offset is settled, ``events`` more than before: the cursor says so, or it goes."""
        with self._lock:
            segment.settled_to = offset
            segment.queued -= events
            is_done = not segment.is_open and offset >= segment.size
        if not is_done:
            try:
                self._folder.write_cursor(segment.name, offset)
            except OSError:
                pass  # an older one only costs repeats
            return
        self.forget(segment)
        # The segment before its cursor: a crash between the two leaves a cursor, which is of no use and no harm.
        self._folder.remove(segment.name)
        self._folder.remove(cursor_name(segment.name))

    def size(self) -> int:
        """Bytes."""
        with self._lock:
            return sum(segment.size for segment in self._segments)

    def queued(self) -> int:
        """Events that are not settled."""
        with self._lock:
            return sum(segment.queued for segment in self._segments)
