"""The files of a spool, by their names."""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

_PATTERN = re.compile(r"([0-9a-f]{16})(?:-[0-9]{8})?\.(?:(spool|cursor|lock)|cursor\.tmp)")


class SpoolFile(NamedTuple):
    name: str
    writer: str
    #: ``spool``, ``cursor``, ``lock`` or ``tmp``.
    kind: str


def new_writer() -> str:
    return secrets.token_hex(8)


def segment_name(writer: str, number: int) -> str:
    return f"{writer}-{number:08d}.spool"


def cursor_name(segment: str) -> str:
    return segment[: -len("spool")] + "cursor"


def lock_name(writer: str) -> str:
    return f"{writer}.lock"


def parse_spool_file(name: str) -> SpoolFile | None:
    """None for a file that is none of ours."""
    match = _PATTERN.fullmatch(name)
    return SpoolFile(name, match[1], match[2] or "tmp") if match else None
