"""Writes src/tollgate/_async_resources.py from _resources.py, so that both faces have the same methods.

Usage: python write_async.py [--check]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "tollgate"
SOURCE = PACKAGE / "_resources.py"
TARGET = PACKAGE / "_async_resources.py"

HEADER = '"""Written from `_resources.py` by `write_async.py`; a test compares."""\n'


def to_async(source: str) -> str:
    text = re.sub(r'^""".*?"""\n', HEADER, source, count=1, flags=re.DOTALL)
    text = text.replace("Listing", "AsyncListing").replace("Resource", "AsyncResource")
    text = re.sub(r"^class (\w+)\(AsyncResource\)", r"class Async\1(AsyncResource)", text, flags=re.MULTILINE)
    text = re.sub(r"^    def (?!_list\b|__)(\w+)", r"    async def \1", text, flags=re.MULTILINE)
    text = re.sub(r"^    async def (\w+\([^)]*\) -> AsyncListing\[)", r"    def \1", text, flags=re.MULTILINE)
    text = re.sub(r"^        def load", "        async def load", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!return )self\._call\(", "await self._call(", text)
    text = text.replace("return self._call(", "return await self._call(")
    text = text.replace("return self._caller.call(operation, **filling)", "return await self._caller.call_in_thread(operation, **filling)")
    text = text.replace("page = self._load(cursor)", "page = await self._load(cursor)")
    text = text.replace("for page in self.pages()", "async for page in self.pages()")
    text = text.replace("def __iter__(self) -> Iterator[Item]", "async def __aiter__(self) -> AsyncIterator[Item]")
    text = text.replace("-> Iterator[dict", "-> AsyncIterator[dict")
    text = text.replace("Callable[[str | None], Any]", "Callable[[str | None], Awaitable[Any]]")
    text = text.replace("import Callable, Iterator, Sequence", "import AsyncIterator, Awaitable, Callable, Sequence")
    return text[: text.index("\n\ndef with_key")].rstrip() + "\n" if "\n\ndef with_key" in text else text


def main() -> None:
    text = to_async(SOURCE.read_text()).replace(
        "from ._calls import Caller\n", "from ._calls import Caller\nfrom ._resources import with_key\n"
    ).replace("import uuid\n", "")
    if "--check" not in sys.argv:
        TARGET.write_text(text)
    elif TARGET.read_text() != text:
        sys.exit(f"{TARGET} is not what {SOURCE} says; run python write_async.py")


if __name__ == "__main__":
    main()
