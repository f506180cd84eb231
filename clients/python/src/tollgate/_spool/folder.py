"""The folder of a spool."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

from .format import parse_cursor, to_cursor
from .names import SpoolFile, cursor_name, parse_spool_file

if sys.platform == "darwin":  # its fsync leaves the data in the cache of the disk
    import fcntl

    def sync_data(descriptor: int) -> None:
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)

else:

    def sync_data(descriptor: int) -> None:
        """Returns when the disk has the data of the file."""
        os.fdatasync(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


class Folder:
    """The files of a folder, by their names."""

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Folder:
        """Creates the folder if need be. Raises OSError if nothing can be written there."""
        folder = cls(os.fspath(path))
        try:
            os.makedirs(folder.path, mode=0o700, exist_ok=True)
            probe = f"{os.getpid()}.probe"  # root may write by its rights, and not on a disk that is read-only
            folder.write(probe, b"")
            folder.remove(probe)
        except OSError as error:
            code = errno.errorcode.get(error.errno or 0, "unknown")
            message = f"the spool folder {folder.path} cannot be written ({code}): choose another `dir`"
            raise OSError(error.errno, message) from error
        return folder

    def at(self, name: str) -> str:
        return os.path.join(self.path, name)

    def files(self) -> list[SpoolFile]:
        return [file for name in os.listdir(self.path) if (file := parse_spool_file(name)) is not None]

    def has(self, name: str) -> bool:
        try:
            os.stat(self.at(name))
        except FileNotFoundError:
            self._require()
            return False
        return True

    def create(self, name: str) -> int:
        """A descriptor to write. Fails if the file exists."""
        return os.open(self.at(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def read(self, name: str) -> bytes | None:
        """None if there is no such file."""
        return self.read_part(name, 0, -1)

    def read_part(self, name: str, start: int, length: int) -> bytes | None:
        """``length`` -1: to its end. None if there is no such file."""
        try:
            with open(self.at(name), "rb", buffering=0) as file:
                file.seek(start)
                return file.readall() if length < 0 else _read_exactly(file, length)
        except FileNotFoundError:
            self._require()
            return None

    def rename(self, old: str, new: str) -> bool:
        """False if there is no such file any more."""
        try:
            os.rename(self.at(old), self.at(new))
        except FileNotFoundError:
            self._require()
            return False
        return True

    def remove(self, name: str) -> None:
        try:
            os.remove(self.at(name))
        except FileNotFoundError:
            pass  # another one was faster

    def size(self, name: str) -> int | None:
        """None if there is no such file."""
        try:
            return os.stat(self.at(name)).st_size
        except FileNotFoundError:
            self._require()
            return None

    def written_at(self, name: str) -> float:
        """Seconds, by the clock of the file system."""
        return os.stat(self.at(name)).st_mtime

    def write(self, name: str, content: bytes) -> None:
        self._write(name, content, os.O_TRUNC)

    def replace(self, name: str, content: bytes) -> None:
        """Writes and renames: a reader sees the old content or the new one."""
        self.write(f"{name}.tmp", content)
        os.replace(self.at(f"{name}.tmp"), self.at(name))

    def append_durably(self, name: str, content: bytes) -> None:
        self._write(name, content, os.O_APPEND, is_flushed=True)

    def read_cursor(self, segment: str) -> int:
        return parse_cursor(self.read(cursor_name(segment)) or b"") or 0

    def write_cursor(self, segment: str, offset: int) -> None:
        self.replace(cursor_name(segment), to_cursor(offset))

    def sync(self) -> None:
        """Makes the names of new files durable."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _require(self) -> None:
        """A folder that is away, as a disk in trouble may be, says nothing about its files."""
        os.stat(self.path)

    def _write(self, name: str, content: bytes, flag: int, *, is_flushed: bool = False) -> None:
        descriptor = os.open(self.at(name), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flag, 0o600)
        try:
            write_all(descriptor, content)
            if is_flushed:
                sync_data(descriptor)
        finally:
            os.close(descriptor)


def _read_exactly(file: Any, length: int) -> bytes:
    """Fewer bytes only at the end of the file."""
    content = b""
    while len(content) < length and (part := file.read(length - len(content))):
        content = content + part if content else part
    return content
