"""Times as the wire has them."""

from __future__ import annotations

import datetime


def to_iso(time: datetime.datetime) -> str:
    """In UTC, to the millisecond."""
    return time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
