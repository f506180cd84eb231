"""The spool files that every client reads alike."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from .support.bench import Bench

CORPUS = Path(__file__).parents[3] / "packages/sdk/test/spool-corpus"
CASES = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())


@pytest.mark.parametrize("name", CASES)
def test_is_read_as_its_expected_json_says(bench: Bench, name: str) -> None:
    expected = json.loads((CORPUS / name / "expected.json").read_text())
    shutil.copytree(CORPUS / name / "spool", bench.dir)
    if "lockAgeSeconds" in expected:
        written_at = time.time() - expected["lockAgeSeconds"]
        os.utime(next(bench.dir.glob("*.lock")), (written_at, written_at))
    assert bench.open().close(timeout=60).left == 0
    assert list(bench.server.counted) == expected["sent"]
    wanted = [{**line, **fields} for line, fields in zip(bench.rejected(), expected["rejected"])]
    assert bench.rejected() == wanted
    assert len(bench.rejected()) == len(expected["rejected"])
    left = {path.name for path in bench.dir.iterdir()} - {"rejected.jsonl", "account.json"}
    assert left == set(expected["left"])
