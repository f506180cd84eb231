"""Appends to the open segment of a writer, and opens the next one when it is full. For one thread."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from .folder import Folder, sync_data, write_all
from .format import SEGMENT_HEADER
from .segment import Segment, SegmentList


class Appender:
    def __init__(
        self,
        folder: Folder,
        segments: SegmentList,
        next_name: Callable[[], str],
        *,
        is_flushed: bool,
        segment_bytes: int,
    ) -> None:
        self._folder = folder
        self._segments = segments
        self._next_name = next_name
        self._is_flushed = is_flushed
        self._segment_bytes = segment_bytes
        self._open: tuple[Segment, int] | None = None

    def append(self, content: bytes, events: int) -> None:
        """Returns when the bytes are as durable as was asked for. Raises OSError: they are not kept.

        The fence: a segment that lost its name while we wrote belongs to another, who may have read it before these
        bytes were in it. So they are written again, and their keys keep them from counting twice.
        """
        while True:
            segment, descriptor = self._open or self._open_segment()
            if self._write(segment, descriptor, content):
                self._segments.grow(segment, len(content), events)
                if segment.size >= self._segment_bytes:
                    self.close()
                return
            self._open = None
            self._segments.forget(segment)
            os.close(descriptor)

    def close(self) -> None:
        if self._open is not None:
            segment, descriptor = self._open
            self._open = None
            segment.is_open = False
            os.close(descriptor)

    def _write(self, segment: Segment, descriptor: int, content: bytes) -> bool:
        """False if the segment has lost its name.

        After a failure nobody knows what the disk has: the segment is cut back and never appended to.
        """
        try:
            write_all(descriptor, content)
            if self._is_flushed:
                sync_data(descriptor)
            return self._folder.has(segment.name)
        except BaseException:
            with contextlib.suppress(OSError):  # the first failure is the one to report
                os.ftruncate(descriptor, segment.size)
            with contextlib.suppress(OSError):
                self.close()
            raise

    def _open_segment(self) -> tuple[Segment, int]:
        name = self._next_name()
        descriptor = self._folder.create(name)
        try:
            write_all(descriptor, SEGMENT_HEADER)
            if self._is_flushed:
                self._folder.sync()
        except BaseException:
            os.close(descriptor)
            self._folder.remove(name)
            raise
        segment = Segment(name, len(SEGMENT_HEADER), len(SEGMENT_HEADER), is_open=True)
        self._segments.add_newest(segment)
        self._open = (segment, descriptor)
        return self._open
