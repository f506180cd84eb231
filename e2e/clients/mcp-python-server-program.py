"""
An MCP server over standard input and output that knows nothing of Tollgate, by the package that is installed. ``low``: by
the lower of both interfaces of the first generation, which compares arguments with the schema and leaves all else to the
server's author.
"""

import importlib
import sys
from importlib.util import find_spec
from typing import Annotated, Any

import anyio
from mcp.shared import exceptions
from pydantic import AfterValidator

INVALID_PARAMS = -32_602


def weather(city: str) -> str:
    if city == "Atlantis":
        raise ValueError("no such city")
    if city == "Lemuria":
        raise invalid_params("no such continent")
    return city


def invalid_params(message: str) -> Exception:
    if hasattr(exceptions, "MCPError"):
        return exceptions.MCPError(INVALID_PARAMS, message)
    data = importlib.import_module("mcp.types").ErrorData(code=INVALID_PARAMS, message=message)
    return exceptions.McpError(data)


def require_past(year: int) -> int:
    """A rule that the schema of the tool does not tell."""
    if year > 2100:
        raise ValueError("the weather of that year is not known")
    return year


def serve() -> None:
    server = new_server()

    def weather_of(city: str, year: Annotated[int, AfterValidator(require_past)] = 2000) -> str:
        return weather(city)

    server.tool(name="weather")(weather_of)
    server.run("stdio")


def new_server() -> Any:
    if find_spec("fastmcp") is not None:
        return importlib.import_module("fastmcp").FastMCP("weather")
    if find_spec("mcp.server.mcpserver") is not None:
        return importlib.import_module("mcp.server.mcpserver").MCPServer("weather")
    return importlib.import_module("mcp.server.fastmcp").FastMCP("weather")


async def serve_low() -> None:
    types, lowlevel = importlib.import_module("mcp.types"), importlib.import_module("mcp.server.lowlevel")
    server = lowlevel.Server("weather")
    properties = {"city": {"type": "string"}, "year": {"type": "integer", "maximum": 2100}}
    schema = {"type": "object", "properties": properties, "required": ["city"]}

    async def list_tools() -> list[Any]:
        return [types.Tool(name="weather", inputSchema=schema)]

    async def call_tool(name: str, arguments: dict[str, Any]) -> list[Any]:
        if name != "weather":
            raise ValueError("I know the weather alone")
        return [types.TextContent(type="text", text=weather(arguments["city"]))]

    server.list_tools()(list_tools)
    server.call_tool()(call_tool)
    async with importlib.import_module("mcp.server.stdio").stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "low" in sys.argv:
        anyio.run(serve_low)
    else:
        serve()
