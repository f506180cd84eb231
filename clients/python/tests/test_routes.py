"""The face of the client is whole."""

from __future__ import annotations

from pathlib import Path

import tollgate
from tollgate._operations import OPERATIONS


def test_every_route_has_a_method() -> None:
    face = (Path(tollgate.__file__).parent / "_resources.py").read_text()
    assert [operation for operation in OPERATIONS if f'"{operation}"' not in face] == []
