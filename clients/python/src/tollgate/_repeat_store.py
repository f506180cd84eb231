"""Answers that their clients have missed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

_KEPT = 600.0
_BYTES_MAX = 64 * 1024 * 1024
_ANSWERS_MAX = 1_000


class RepeatStore(Protocol):
    """Keeps answers for the processes of a server. They are encrypted: a store can read none."""

    async def put(self, name: str, answer: bytes) -> None:
        """Keeps an answer for a time. Beyond its bounds a store drops those first that it has kept longest."""

    async def take(self, name: str) -> bytes | None:
        """Takes an answer out. Of several processes that ask at once, one gets it. None: there is none."""


class _Kept(NamedTuple):
    name: str
    answer: bytes
    until: float


class MemoryRepeatStore:
    """Keeps answers in this process alone. ``kept`` in seconds; ``clock`` gives seconds since the epoch."""

    def __init__(
        self,
        *,
        kept: float = _KEPT,
        bytes_max: int = _BYTES_MAX,
        answers_max: int = _ANSWERS_MAX,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._kept = kept
        self._bytes_max = bytes_max
        self._answers_max = answers_max
        self._clock = clock
        self._oldest_first: list[_Kept] = []

    async def put(self, name: str, answer: bytes) -> None:
        self._oldest_first.append(_Kept(name, answer, self._clock() + self._kept))
        while self._is_too_much():
            del self._oldest_first[0]

    async def take(self, name: str) -> bytes | None:
        for index, kept in enumerate(self._oldest_first):
            if kept.name == name and kept.until > self._clock():
                return self._oldest_first.pop(index).answer
        return None

    def _is_too_much(self) -> bool:
        if not self._oldest_first:
            return False
        count, size = len(self._oldest_first), sum(len(kept.answer) for kept in self._oldest_first)
        return self._oldest_first[0].until <= self._clock() or size > self._bytes_max or count > self._answers_max


class _File(NamedTuple):
    until_ms: int
    size: int
    name: str
    file: str


#: ``<name>.<until, in ms>.<bytes>.<id>``; one that is being written begins with a dot.
_FILE = re.compile(r"(\.?[\w-]+)\.(\d+)\.(\d+)\.[\w-]+")


class FolderRepeatStore:
    """Keeps answers in a folder that the processes of a server share, for its owner alone.

    A file is there whole or not at all. It survives a killed process; a machine that loses its power may lose it. Its
    form is that of ``@tollgate/mcp``. ``kept`` in seconds; ``clock`` gives seconds since the epoch.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        kept: float = _KEPT,
        bytes_max: int = _BYTES_MAX,
        answers_max: int = _ANSWERS_MAX,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._kept = kept
        self._bytes_max = bytes_max
        self._answers_max = answers_max
        self._clock = clock

    async def put(self, name: str, answer: bytes) -> None:
        await asyncio.to_thread(self._put, name, answer)

    async def take(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._take, name)

    def _put(self, name: str, answer: bytes) -> None:
        file = f"{name}.{round((self._clock() + self._kept) * 1000)}.{len(answer)}.{uuid.uuid4()}"
        with open(self._folder / f".{file}", "xb", opener=_open_for_owner) as written:
            written.write(answer)
        (self._folder / f".{file}").rename(self._folder / file)
        self._drop_too_much()

    def _take(self, name: str) -> bytes | None:
        for kept in self._oldest_first():
            if kept.name == name and kept.until_ms > self._clock() * 1000:
                with contextlib.suppress(FileNotFoundError):  # another process has it
                    answer = (self._folder / kept.file).read_bytes()
                    (self._folder / kept.file).unlink()
                    return answer
        return None

    def _drop_too_much(self) -> None:
        files = self._oldest_first()
        size = sum(kept.size for kept in files)
        for index, kept in enumerate(files):
            is_live = kept.until_ms > self._clock() * 1000
            if is_live and size <= self._bytes_max and len(files) - index <= self._answers_max:
                return
            size -= kept.size
            (self._folder / kept.file).unlink(missing_ok=True)

    def _oldest_first(self) -> list[_File]:
        matches = (_FILE.fullmatch(file) for file in os.listdir(self._folder))
        return sorted(_File(int(match[2]), int(match[3]), match[1], match[0]) for match in matches if match)


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
