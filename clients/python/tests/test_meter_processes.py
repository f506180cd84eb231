"""Processes that share a folder, and are killed."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .support.bench import Bench
from .support.counting_server import UNAVAILABLE
from .support.eventually import eventually

ROOT = Path(__file__).parents[1]


class Recording:
    """A program of its own that meters its calls, as a user's would."""

    def __init__(self, bench: Bench, output: Path, threads: int = 8, count: int = 10**9) -> None:
        self._output = output
        self._dir = bench.dir
        command = [sys.executable, "-m", "tests.support.recording_program"]
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [*command, str(bench.dir), bench.server.url, str(threads), str(count)],
                stdout=file,
                cwd=ROOT,
                env={**os.environ, "TOLLGATE_API_KEY": "tg_live_test"},
            )

    def keys(self, word: str) -> set[str]:
        return set(re.findall(rf"^{word} ([0-9a-f-]{{36}})$", self.text(), re.MULTILINE))

    def text(self) -> str:
        return self._output.read_text()

    def writer(self) -> str:
        """Its name in the folder."""
        locks = {path.stem: json.loads(path.read_text())["pid"] for path in self._dir.glob("*.lock")}
        return next(writer for writer, pid in locks.items() if pid == self.process.pid)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Programs:
    def __init__(self, bench: Bench, folder: Path) -> None:
        self._bench = bench
        self._folder = folder
        self._started: list[Recording] = []

    def start(self, **options: Any) -> Recording:
        output = self._folder / f"output-{len(self._started)}"
        recording = Recording(self._bench, output, **options)
        self._started.append(recording)
        eventually(lambda: "open\n" in recording.text(), within=20)
        return recording

    def keys(self, word: str) -> set[str]:
        return set().union(*(recording.keys(word) for recording in self._started))

    def kill(self) -> None:
        for recording in self._started:
            recording.kill()


@pytest.fixture
def programs(bench: Bench, tmp_path: Path) -> Any:
    programs = Programs(bench, tmp_path)
    yield programs
    programs.kill()


def require_each_once(bench: Bench, programs: Programs) -> None:
    counted = set(bench.server.counted)
    assert programs.keys("kept") - counted == set()
    assert counted - programs.keys("begun") == set()
    assert bench.segments() == []
    assert bench.rejected() == []


def test_the_dead_are_taken_over_the_living_are_left_alone_and_all_count_once(bench: Bench, programs: Programs) -> None:
    def writers() -> set[str]:
        return {name.split("-")[0] for name in bench.segments()}

    bench.server.always = UNAVAILABLE
    dead, living = programs.start(), programs.start()
    eventually(lambda: len(dead.keys("kept")) > 100 and len(living.keys("kept")) > 100, within=20)
    assert len(writers()) == 2
    dead.kill()
    of_the_dead = {name for name in bench.segments() if name.startswith(dead.writer())}
    of_the_living = {name for name in bench.segments() if name.startswith(living.writer())}
    following = programs.start(count=500)  # takes over from the dead, and not from the living
    left = set(bench.segments())
    assert of_the_dead & left == set()
    assert of_the_living <= left
    living.kill()
    bench.server.always = None
    eventually(lambda: "closed" in following.text(), within=60)
    bench.open().close(timeout=30)
    require_each_once(bench, programs)


def test_every_record_that_returned_is_counted_once_over_kills(bench: Bench, programs: Programs) -> None:
    """``KILLS=200`` is the long form; ``FAULT_SEED`` repeats a run."""
    kills = int(os.environ.get("KILLS") or 20)
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(2**32))
    print(f"FAULT_SEED={seed}")
    chance = random.Random(seed)
    for _ in range(kills):
        bench.server.next = chance.choices(["count", "lose", UNAVAILABLE], k=3)
        recording = programs.start(threads=chance.randint(1, 16))
        least = chance.randint(1, 200)
        eventually(lambda: len(recording.keys("kept")) >= least, within=30)
        recording.kill()
    bench.server.next = []
    assert bench.open().close(timeout=60).left == 0
    require_each_once(bench, programs)
    print(f"kills {kills}, kept {len(programs.keys('kept'))}, counted {len(bench.server.counted)}")
