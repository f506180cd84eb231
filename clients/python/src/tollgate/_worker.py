"""A thread of a meter."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_PAUSE = 1.0
_logger = logging.getLogger("tollgate")


class Worker:
    """Runs ``work`` until it returns. Events wait for it: an error that nobody expected stops it for a moment alone."""

    def __init__(self, name: str, work: Callable[[], None], warn: Callable[[str], None]) -> None:
        self._name = name
        self._work = work
        self._warn = warn
        self._thread = threading.Thread(target=self._run, name=f"tollgate-{name}", daemon=True)
        self._thread.start()

    def join(self, timeout: float | None = None) -> None:
        """Returns when the work has ended, or after so many seconds."""
        self._thread.join(None if timeout is None else min(max(0.0, timeout), threading.TIMEOUT_MAX))

    def _run(self) -> None:
        while True:
            try:
                return self._work()
            except BaseException as error:  # SystemExit, too: it ends a thread without a word
                self._say(f"the meter's {self._name} thread has stopped, and is started again: {error!r}")
            time.sleep(_PAUSE)

    def _say(self, message: str) -> None:
        try:
            self._warn(message)
        except BaseException:
            _logger.warning(message, exc_info=True)
