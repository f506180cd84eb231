"""Times as the wire has them."""

from __future__ import annotations

import datetime


def to_iso(time: datetime.datetime) -> str:
    """In UTC, to the millisecond."""
    return time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_iso_seconds(time: float) -> str:
    """Formats seconds since the epoch."""
    return to_iso(datetime.datetime.fromtimestamp(time, datetime.timezone.utc))


def read_iso(time: str) -> float | None:
    """Seconds since the epoch; without a zone the time is in UTC. None: it cannot be read."""
    try:
        parsed = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    except ValueError:
        return None
    return parsed.replace(tzinfo=parsed.tzinfo or datetime.timezone.utc).timestamp()
