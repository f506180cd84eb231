"""Takes over the segments of writers that have ended, and removes what else they left behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from .folder import Folder
from .format import SEGMENT_HEADER
from .names import SpoolFile, cursor_name
from .segment import Segment, count_lines, is_segment
from .writer_lock import WriterLock


class TakenOver(NamedTuple):
    segments: list[Segment]
    #: Bytes of the segments of living writers.
    others_bytes: int


def take_over(
    folder: Folder,
    lock: WriterLock,
    writer: str,
    *,
    next_name: Callable[[], str],
    on_unknown: Callable[[str], None],
) -> TakenOver:
    """``on_unknown``: a segment of a version that we do not know, or a file that is none."""
    segments: list[Segment] = []
    others_bytes = 0
    by_writer: defaultdict[str, list[SpoolFile]] = defaultdict(list)
    for file in folder.files():
        by_writer[file.writer].append(file)
    by_writer.pop(writer, None)
    for other, files in by_writer.items():
        if lock.is_alive(other):
            others_bytes += sum(folder.size(file.name) or 0 for file in files if file.kind == "spool")
            continue
        for name in sorted(file.name for file in files if file.kind == "spool"):
            if not is_segment(folder, name):
                on_unknown(name)
            elif (taken := _take(folder, name, next_name())) is not None:
                segments.append(taken)
        # Segments first: whoever finds their lock gone knows that they are free.
        for file in files:
            if file.kind != "spool":
                folder.remove(file.name)
    return TakenOver(segments, others_bytes)


def _take(folder: Folder, old: str, name: str) -> Segment | None:
    """The cursor is read before the rename and written after it: a crash between only means that more is sent again."""
    cursor = folder.read_cursor(old)
    if not folder.rename(old, name):
        return None  # another one was faster
    size = folder.size(name)
    if size is None:
        return None
    settled_to = size if cursor > size else max(cursor, min(size, len(SEGMENT_HEADER)))
    if cursor > 0:
        try:
            folder.write_cursor(name, settled_to)
        except OSError:
            pass  # more is sent again
    folder.remove(cursor_name(old))
    return Segment(name, size, settled_to, count_lines(folder, name, settled_to, size))
