"""The callers of a server, each with a client of its own."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Generic, Optional, TypeVar

from .client import AsyncTollgate
from .errors import TollgateError

if TYPE_CHECKING:
    from . import types as t

#: For so many seconds a pass is believed without another look; its owner's changes are felt after that at the latest.
_PASS_KEPT = 1.0

_Value = TypeVar("_Value")


class Kept(Generic[_Value]):
    """An answer that serves for so many seconds. All that ask at once share one question; one that failed is put anew."""

    def __init__(self, seconds: float, ask: Callable[[], Coroutine[Any, Any, _Value]]) -> None:
        self._seconds = seconds
        self._ask = ask
        self._found: asyncio.Task[_Value] | None = None
        self._until = 0.0

    async def get(self) -> _Value:
        found = self._found
        if found is None or self._until <= time.monotonic() or (found.done() and _has_failed(found)):
            found = self._found = asyncio.ensure_future(self._ask())
            found.add_done_callback(_has_failed)  # its caller may have stopped waiting, and asyncio would log its error
            self._until = time.monotonic() + self._seconds
        return await asyncio.shield(found)


class Caller:
    def __init__(self, client: AsyncTollgate) -> None:
        self.client = client
        self._pass: Kept[Optional[t.OwnPass]] = Kept(_PASS_KEPT, lambda: find_pass(client))

    async def read_pass(self) -> t.OwnPass | None:
        """None for a credential that is no live pass."""
        return await self._pass.get()


async def find_pass(client: AsyncTollgate) -> t.OwnPass | None:
    """The pass whose key the client has. None for a credential that is no pass, or none any more."""
    try:
        return await client.passes.self()
    except TollgateError as error:
        if error.status == 401 or error.code == "forbidden":
            return None
        raise


class RecentMap(Generic[_Value]):
    """Remembers the values that were used last, up to a bound."""

    def __init__(self, max: int) -> None:
        self._max = max
        self._values: OrderedDict[str, _Value] = OrderedDict()

    def get(self, key: str, make: Callable[[], _Value]) -> _Value:
        """The value of a key; made if there is none."""
        if key not in self._values:
            self._values[key] = make()
        self._values.move_to_end(key)
        if len(self._values) > self._max:
            self._values.popitem(last=False)
        return self._values[key]


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.cancelled() or task.exception() is not None
