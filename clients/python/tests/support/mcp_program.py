"""An MCP server over standard input and output, of either generation: ``mcp_program.py <slug> <folder>``."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import anyio

from tollgate import Meter, Tollgate
from tollgate.calls import Calls
from tollgate.mcp import meter_server


def new_server(name: str) -> tuple[Any, Any]:
    """A server, and the class of the context that its tools may take."""
    try:
        module = importlib.import_module("mcp.server.mcpserver")
        return module.MCPServer(name), module.Context
    except ModuleNotFoundError:
        module = importlib.import_module("mcp.server.fastmcp")
        return module.FastMCP(name), module.Context


def main() -> None:
    slug, folder = sys.argv[1], Path(sys.argv[2])
    server, context_class = new_server("weather")
    runs = 0

    async def weather(city: str, context: Any) -> str:
        nonlocal runs
        runs += 1
        with (folder / "seen").open("a") as file:
            meta = context.request_context.meta
            file.write(f"{city} {meta.model_dump() if hasattr(meta, 'model_dump') else meta}\n")
        if city == "Atlantis":
            raise ValueError("no such city")
        if city == "Nowhere":
            (folder / "begun").touch()
            await anyio.sleep_forever()
        return f"{city} {runs}"

    def note_error(error: Exception) -> None:
        (folder / "errors").write_text(str(error))

    weather.__annotations__["context"] = context_class
    server.tool()(weather)
    tollgate = Tollgate()
    meter = Meter.open(durability="memory", tollgate=tollgate)
    calls = Calls(
        tollgate=tollgate,
        meter=meter,
        require_pass=True,
        on_error=note_error,
    )
    meter_server(
        server,
        calls=calls,
        tool=slug,
        own_key=os.environ.get("TOLLGATE_KEY"),
        metadata=lambda call, response: {"city": str(call.arguments.get("city"))},
    )
    if len(sys.argv) > 3:
        serve_http(server, int(sys.argv[3]))
    else:
        server.run("stdio")


def serve_http(server: Any, port: int) -> None:
    import uvicorn

    uvicorn.run(server.streamable_http_app(), port=port, log_level="error")


if __name__ == "__main__":
    main()
