"""A Tollgate that takes every connection and never answers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from tollgate import Tollgate


@contextmanager
def hanging_tollgate() -> Iterator[Tollgate]:
    """A client of it. Its requests fail at the end of the block, so that no thread waits for them."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield Tollgate("tg_live_test", f"http://127.0.0.1:{server.getsockname()[1]}", retries=0)
