"""Closes something when the process ends by itself, or by SIGTERM."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


def close_on_exit(close: Callable[[], Any]) -> Callable[[], None]:
    """SIGTERM is given back after it. Returns how to forget it."""
    atexit.register(close)
    if threading.current_thread() is not threading.main_thread():
        return lambda: atexit.unregister(close)  # only the main thread may set handlers
    previous = signal.getsignal(signal.SIGTERM)

    def terminate(_number: int, _frame: FrameType | None) -> None:
        forget()
        close()
        os.kill(os.getpid(), signal.SIGTERM)

    def forget() -> None:
        atexit.unregister(close)
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is terminate:
            signal.signal(signal.SIGTERM, previous)

    signal.signal(signal.SIGTERM, terminate)
    return forget
