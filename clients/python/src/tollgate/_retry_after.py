"""The wait that ``Retry-After`` asks for."""

from __future__ import annotations

import email.utils
import math
import re
import time
from email.message import Message

#: More seconds than anybody means by a wait (31 years): the number is a time.
_EPOCH_SECONDS_MIN = 1e9
_EPOCH_MS_MIN = 1e12


def read_retry_after(headers: Message) -> float | None:
    """Seconds. The header has a number of them, a date, or an epoch, which some proxies send."""
    text = (headers.get("retry-after") or "").strip()
    date = _parse_date(headers.get("date"))
    now = time.time() if date is None else date  # its clock, for its date
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) is None:
        until = _parse_date(text)
        return None if until is None else max(0.0, until - now)
    value = float(text)
    if value < _EPOCH_SECONDS_MIN:
        return value
    if not math.isfinite(value):
        return None
    return max(0.0, (value if value < _EPOCH_MS_MIN else value / 1000) - now)


def _parse_date(text: str | None) -> float | None:
    if text is None or not re.match(r"[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d", text):
        return None
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
