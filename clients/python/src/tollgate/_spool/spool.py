"""The methods of a spool that a meter needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class KeyedEvent(NamedTuple):
    """An event with everything that makes a repeat of it a repeat for ever."""

    #: UTF-8.
    json: bytes
    idempotency_key: str


class Batch(NamedTuple):
    """The oldest events that are not settled, in their order, each as JSON."""

    events: list[bytes]
    #: Notes that the first so many events are settled. They are never handed out again.
    settle: Callable[[int], None]


class Refusal(NamedTuple):
    event: bytes
    #: ``status``, ``code``, ``detail``.
    error: dict[str, Any]


class Figures(NamedTuple):
    #: Events that are not settled.
    queued: int
    #: Bytes of all segments of the folder.
    size: int
    #: Lines whose checksum was wrong.
    damaged: int


class Spool(Protocol):
    """Keeps events from ``record()`` until they are settled: on disk, or in memory.

    One thread appends, one sends, and one tends.
    """

    def append(self, events: Sequence[KeyedEvent]) -> list[Exception | None]:
        """Says of each event why it is not kept, or None: it is kept as durably as promised."""

    def next(self, events_max: int, bytes_max: int) -> Batch | None:
        """None if there is none. One batch at a time: settle it before the next call."""

    def keep_refused(self, refusals: Sequence[Refusal]) -> None:
        """Keeps what the service refused for good, durably, before it is settled."""

    def belongs_to(self, account_id: str) -> bool:
        """Whether events may be sent for this account: a key counts once per account."""

    def tend(self) -> None:
        """Says that this writer lives, and takes over what dead writers left behind."""

    def figures(self) -> Figures: ...

    def end_appends(self) -> None:
        """Called after the last append."""

    def close(self) -> None:
        """Closes the spool; events that are not settled stay for the next writer."""

    def others(self) -> int:
        """Events that the folder has of other writers, and that are not settled."""

    def abandon(self) -> None:
        """Called in the child of a fork, whose parent has the spool."""
