"""An MCP server over standard input and output, of either generation: ``mcp_program.py <slug> <folder>``."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import anyio

from tollgate import Meter, Tollgate
from tollgate.calls import Calls
from tollgate.mcp import FolderRepeatStore, TokenVerifier, meter_server


def new_server(name: str, **options: Any) -> tuple[Any, Any]:
    """A server, and the class of the context that its tools may take."""
    if importlib.util.find_spec("fastmcp") is not None:
        module = importlib.import_module("fastmcp")
        return module.FastMCP(name, **options), module.Context
    try:
        module = importlib.import_module("mcp.server.mcpserver")
        return module.MCPServer(name, **options), module.Context
    except ModuleNotFoundError:
        module = importlib.import_module("mcp.server.fastmcp")
        return module.FastMCP(name, **options), module.Context


def main() -> None:
    slug, folder = sys.argv[1], Path(sys.argv[2])
    (folder / "pid").write_text(str(os.getpid()))
    tollgate = Tollgate()
    server, context_class = new_server("weather", **verifying(tollgate))
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
        if city == "Stubborn":  # goes on though its client gives up, until the test lets it end
            (folder / f"begun-{runs}").touch()
            with anyio.CancelScope(shield=True):
                while not (folder / "may-end").exists():
                    await anyio.sleep(0.02)
        if city == "Patient" and runs == 1:  # goes on until its client over HTTP has hung up
            (folder / "begun").touch()
            with anyio.CancelScope(shield=True):
                while not await context.request_context.request.is_disconnected():
                    await anyio.sleep(0.02)
        return f"{city} {runs}"

    def note_error(error: Exception | str) -> None:
        (folder / "errors").write_text(str(error))

    weather.__annotations__["context"] = context_class
    server.tool()(weather)
    meter = Meter.open(durability="memory", tollgate=tollgate, on_rejected=lambda event: note_error(event.message))
    calls = Calls(
        tollgate=tollgate,
        meter=meter,
        require_pass=True,
        gate={"ttl_seconds": int(os.environ["GATE_TTL"])} if "GATE_TTL" in os.environ else "GATE" in os.environ,
        on_error=note_error,
    )
    meter_server(
        server,
        calls=calls,
        tool=slug,
        own_key=os.environ.get("TOLLGATE_KEY"),
        metadata=lambda call, response: {"city": str(call.arguments.get("city"))},
        repeat_store=FolderRepeatStore(os.environ["ANSWERS"]) if "ANSWERS" in os.environ else None,
    )
    if len(sys.argv) > 3:
        serve_http(server, int(sys.argv[3]))
    else:
        server.run("stdio")


def verifying(tollgate: Tollgate) -> dict[str, Any]:
    if "VERIFY" not in os.environ:
        return {}
    settings = importlib.import_module("mcp.server.auth.settings").AuthSettings
    auth = settings(issuer_url="https://tollgate.example.com", resource_server_url=None)
    return {"token_verifier": TokenVerifier(tollgate), "auth": auth}


def serve_http(server: Any, port: int) -> None:
    import uvicorn

    app = server.http_app() if hasattr(server, "http_app") else server.streamable_http_app()
    uvicorn.run(app, port=port, log_level="error")


if __name__ == "__main__":
    main()
