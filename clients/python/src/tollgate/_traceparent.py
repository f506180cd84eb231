"""The span to which a call belongs."""

from __future__ import annotations

import re

_PATTERN = re.compile(r"(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}", re.ASCII)


def read_traceparent(value: object) -> str | None:
    """A ``traceparent`` of W3C Trace Context as it came; None for anything else, since a bad one must not lose a call."""
    return value if isinstance(value, str) and _PATTERN.fullmatch(value) else None
