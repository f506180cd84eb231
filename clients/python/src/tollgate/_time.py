"""Times as the wire has them."""

from __future__ import annotations

import datetime


def to_iso(time: datetime.datetime) -> str:
    """In UTC, to the millisecond."""
    return time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_iso_seconds(time: float) -> str:
    """Formats seconds since the epoch."""
    return to_iso(datetime.datetime.fromtimestamp(time, datetime.timezone.utc))
