"""The outcome of a call, as the response of its MCP server tells it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Optional

from ._is_unfit import is_unfit

Wire = dict[str, Any]
#: Gives the result of the server's ``tools/list``, from a cursor on.
ListTools = Callable[[Optional[str]], Awaitable[Wire]]

#: JSON-RPC: method not found, invalid params. Servers answer so before a tool runs; a tool may raise it, too.
_REFUSED_BEFORE_RUNNING = frozenset({-32_601, -32_602})
#: MCP: headers that differ from the body, a capability that the client lacks, a version that the server does not speak, and
#: an address that its user must visit first. Each asks for something before the tool can do its work.
_RAN_NOTHING = frozenset({-32_020, -32_021, -32_022, -32_042})
_PAGES_MAX = 100
#: An answer waits for this.
_LISTED_WITHIN = 2.0


class RefusalText(NamedTuple):
    """How a package answers a call that it did not run, with nothing but a text to tell it by."""

    package: str
    #: With which it was tried.
    version: str
    text: re.Pattern[str]


_UNFIT = re.compile(r"Error executing tool \S+: \d+ validation errors? for \S+Arguments\n")
#: The last resort, where a server's list of tools cannot be read or says less than the server checks.
REFUSAL_TEXTS = (
    RefusalText("mcp", "1.30.0", re.compile(r"Unknown tool: \S+$")),
    RefusalText("mcp", "1.30.0", re.compile(r"Input validation error: ")),
    RefusalText("mcp", "1.30.0", _UNFIT),
    RefusalText("mcp", "2.3.0", re.compile(r"Unknown tool: \S+$")),
    RefusalText("mcp", "2.3.0", _UNFIT),
    RefusalText("fastmcp", "4.2.3", re.compile(r"Unknown tool: '\S+'$")),
    RefusalText("fastmcp", "4.2.3", re.compile(r"\d+ validation errors? for call\[\S+\]\n")),
)


class Response(NamedTuple):
    """The result of a call as the wire has it, or the error that the server raised."""

    result: Optional[Wire]
    error: Optional[Exception] = None


async def outcome_of(response: Response, name: str, arguments: Mapping[str, Any], list_tools: ListTools) -> str:
    """``success``, ``failure``, or ``not_run``: then the call is not metered, and frees what it held."""
    result = response.result or {}
    if response.error is None:
        if result.get("resultType") == "input_required":
            return "not_run"  # the client sends the whole call again with more input
        if result.get("isError") is not True:
            return "success"
    elif code_of(response) in _RAN_NOTHING:
        return "not_run"
    elif code_of(response) not in _REFUSED_BEFORE_RUNNING:
        return "failure"
    tools = await _read_tools(list_tools)
    tool = None if tools is None else tools.get(name)
    if tools is not None and (tool is None or is_unfit(tool.get("inputSchema"), arguments)):
        return "not_run"
    if response.error is not None:
        return "not_run" if tools is None else "failure"
    text = _first_text(result)
    return "not_run" if any(refusal.text.match(text) for refusal in REFUSAL_TEXTS) else "failure"


def code_of(response: Response) -> Any:
    return getattr(getattr(response.error, "error", None), "code", None)


async def _read_tools(list_tools: ListTools) -> dict[str, Wire] | None:
    """The tools that the server lists, by name. None: its list cannot be read."""
    try:
        return await asyncio.wait_for(_read_pages(list_tools), _LISTED_WITHIN)
    except Exception:  # whatever the server's author made of it
        return None


async def _read_pages(list_tools: ListTools) -> dict[str, Wire] | None:
    tools: dict[str, Wire] = {}
    cursor: str | None = None
    for _ in range(_PAGES_MAX):
        page = await list_tools(cursor)
        tools.update({str(tool.get("name")): tool for tool in page.get("tools") or []})
        cursor = page.get("nextCursor")
        if cursor is None:
            return tools
    return None


def _first_text(result: Wire) -> str:
    content = result.get("content")
    first = content[0] if isinstance(content, list) and content else {}
    text = first.get("text") if isinstance(first, dict) else None
    return text if isinstance(text, str) else ""
