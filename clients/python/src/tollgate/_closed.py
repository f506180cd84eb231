"""The events that a closed meter leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

from ._spool.spool import Spool


@dataclass(frozen=True)
class Closed:
    #: Its events that Tollgate does not have. The next meter of the folder sends them; in memory they are lost.
    left: int
    #: Events of other programs in the folder: they hold them, and send them themselves.
    others: int
    #: Why events wait, in a sentence; None if none does.
    reason: str | None


def to_closed(spool: Spool, error: Exception | None) -> Closed:
    """``error``: the last one of the meter, if it has not passed."""
    left = spool.figures().queued
    try:
        others = spool.others()
    except OSError as failure:  # a folder in trouble keeps nobody from closing
        others, error = 0, error or failure
    return Closed(left, others, _reason_of(left, others, error))


def _reason_of(left: int, others: int, error: Exception | None) -> str | None:
    if left > 0:
        return "the time ran out before they were sent" if error is None else str(error)
    if others > 0:
        return "another program has the folder open, and sends its events itself"
    return None if error is None else str(error)
