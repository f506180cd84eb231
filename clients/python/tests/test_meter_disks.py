"""Disks in trouble. Only root can mount one; ``SPOOL_DISK`` names one of 2 MiB that the caller mounted."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tollgate import SpoolError

from .support.bench import Bench
from .support.counting_server import UNAVAILABLE


class Disk:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.spool = path / "spool"
        self._ballast = path / "ballast"

    def fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as file:
            for size in (4096, 1):
                try:
                    while True:
                        file.write(b"\0" * size)
                except OSError:
                    pass

    def free(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk() -> Iterator[Disk]:
    path = os.environ.get("SPOOL_DISK")
    if path is None:
        pytest.skip("SPOOL_DISK names no small disk; the test of the repository mounts one")
    disk = Disk(Path(path))
    yield disk
    for child in disk.path.iterdir():
        shutil.rmtree(child) if child.is_dir() else child.unlink()


def test_on_a_full_disk_record_raises_with_the_key_and_works_again_when_there_is_room(bench: Bench, disk: Disk) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open(disk.spool)
    kept = [meter.record("search").idempotency_key]
    disk.fill()
    refused: list[str] = []
    for _ in range(100):
        try:
            kept.append(meter.record("search").idempotency_key)
        except SpoolError as error:
            assert (error.code, str(error)) == ("ENOSPC", "the event was not kept: the disk is full")
            refused.append(error.idempotency_key)
        if len(refused) == 3:
            break
    assert len(refused) == 3
    disk.free()
    for key in [*refused, "later"]:
        kept.append(meter.record("search", idempotency_key=key).idempotency_key)
    bench.server.always = None
    assert meter.close(timeout=20).left == 0
    assert bench.counted() == sorted(kept)


def test_events_that_a_full_disk_refused_are_not_sent_later(bench: Bench, disk: Disk) -> None:
    bench.server.always = UNAVAILABLE
    meter = bench.open(disk.spool)
    kept = [meter.record("search").idempotency_key]
    disk.fill()
    metadata = {"text": "x" * 200}

    def record() -> None:
        for _ in range(10):
            try:
                kept.append(meter.record("search", metadata=metadata).idempotency_key)
            except SpoolError:
                pass

    workers = [threading.Thread(target=record) for _ in range(64)]  # together too many for a page
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(kept) < 320
    meter.close(timeout=0)
    disk.free()
    bench.server.always = None
    bench.open(disk.spool).close(timeout=60)
    assert bench.counted() == sorted(kept)


def test_a_folder_that_cannot_be_written_is_refused_at_once_with_its_name(bench: Bench, disk: Disk) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk.path)], check=True)
    try:
        with pytest.raises(OSError, match=rf"the spool folder {disk.spool} cannot be written \(EROFS\)"):
            bench.open(disk.spool)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk.path)], check=True)
