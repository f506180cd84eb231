from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .support.bench import Bench
from .support.counting_server import counting_server


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with counting_server() as server:
        bench = Bench(tmp_path / "spool", server)
        yield bench
        server.over.set()
        server.may_answer.set()
        bench.close()
