"""Knows which writers live. Locks save work: an event is safe even if a segment is taken from a living writer."""

from __future__ import annotations

import json
import os
import socket
from typing import Any

from .folder import Folder
from .names import lock_name

#: A lock that was not written for so many seconds belongs to a dead writer, unless its process can be seen.
_SILENCE_MAX = 60.0


class WriterLock:
    def __init__(self, folder: Folder, writer: str) -> None:
        self._folder = folder
        self._own = lock_name(writer)
        self._machine = _machine_of_this()
        line = {"pid": os.getpid(), "machine": self._machine, "started": _start_of(os.getpid()) or ""}
        self._line = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def beat(self) -> None:
        """Says that the writer lives. Creates the lock anew if somebody removed it."""
        self._folder.write(self._own, self._line)

    def is_alive(self, writer: str) -> bool:
        name = lock_name(writer)
        content = self._folder.read(name)
        if content is None:
            return False
        lock = _parse(content)
        if lock.get("machine") == self._machine:
            return _is_running(lock.get("pid"), lock.get("started"))
        try:
            # Both times are those of the file system, whatever the clocks of the machines say.
            return self._folder.written_at(self._own) - self._folder.written_at(name) < _SILENCE_MAX
        except FileNotFoundError:
            return False  # it has ended meanwhile

    def release(self) -> None:
        self._folder.remove(self._own)


def _parse(content: bytes) -> dict[str, Any]:
    """A lock that is being written may be empty."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _is_running(pid: Any, started: Any) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True  # it runs as another user
    except (OSError, OverflowError, TypeError):
        return False
    return bool(started == "" or (_start_of(pid) or started) == started)


def _machine_of_this() -> str:
    """Equal where a process id means the same process."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _start_of(pid: int) -> str | None:
    """When a process started: the same id again is another process. None where there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read()
    except OSError:
        return None
    return stat[stat.rindex(")") + 2 :].split(" ")[19]  # field 22; the name in field 2 may have spaces
