"""The lines of a spool's files."""

from __future__ import annotations

import json
import zlib
from typing import NamedTuple

#: The first line of a segment.
SEGMENT_HEADER = b"tollgate-spool 1\n"

#: Checksum, space and line feed.
LINE_OVERHEAD_BYTES = 10

_CHECKSUM_LENGTH = 8
_PREFIX_LENGTH = _CHECKSUM_LENGTH + 1


class SpoolLine(NamedTuple):
    #: The JSON, as UTF-8; None if the line is damaged.
    json: bytes | None
    #: The whole line without its line feed.
    raw: bytes
    #: Where the next line begins, from the start of the chunk.
    end: int


def to_line(json_bytes: bytes) -> bytes:
    """One line of a segment, or a cursor."""
    return b"%08x %b\n" % (zlib.crc32(json_bytes), json_bytes)


def to_cursor(offset: int) -> bytes:
    return to_line(b'{"offset":%d}' % offset)


def parse_cursor(content: bytes) -> int | None:
    """None for a cursor that is torn or none at all: then nothing is known to be settled."""
    line, line_feed, _ = content.partition(b"\n")
    parsed = parse_line(line) if line_feed else None
    try:
        value = json.loads(parsed or b"null")
    except ValueError:
        return None
    offset = value.get("offset") if isinstance(value, dict) else None
    return offset if type(offset) is int and offset >= 0 else None


def lines_of(chunk: bytes) -> list[SpoolLine]:
    """The whole lines of a piece of a segment. What follows the last line feed is torn, or not written yet."""
    lines = []
    start = 0
    while (end := chunk.find(b"\n", start)) >= 0:
        raw = chunk[start:end]
        lines.append(SpoolLine(parse_line(raw), raw, end + 1))
        start = end + 1
    return lines


def parse_line(raw: bytes) -> bytes | None:
    """The JSON of a line; None if its checksum or form is wrong."""
    content = raw[_PREFIX_LENGTH:]
    if not content or raw[:_PREFIX_LENGTH] != b"%08x " % zlib.crc32(content):
        return None
    return content
