"""MCP servers whose calls are answered with tasks, of what is installed: MCP 1, or FastMCP with its extension."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

HAS_FASTMCP = find_spec("fastmcp_tasks") is not None
#: ``mcp`` 2 has the names of tasks alone.
HAS_FIRST = find_spec("mcp.server.experimental") is not None


class TaskServer(Protocol):
    """A process of a server, with its client."""

    async def call(self, city: str, ttl: int | None = None) -> str:
        """Gives the id of the task."""

    async def get(self, task_id: str) -> str: ...
    async def result(self, task_id: str) -> Any: ...
    async def cancel(self, task_id: str) -> None: ...


class Work:
    """The tasks of all processes: each ends when the test says so, as its city says."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.cities: dict[str, str] = {}
        if HAS_FIRST:
            self.store: Any = import_module("mcp.shared.experimental.tasks.in_memory_task_store").InMemoryTaskStore()
        self.name = f"tasks-{uuid.uuid4()}"

    async def end_all(self) -> None:
        self.may_end.set()
        for task_id, city in self.cities.items() if HAS_FIRST else ():
            result = _result_of(city, is_error=city in ("Atlantis", "Wrong"))
            await self.store.store_result(task_id, result)
            await self.store.update_task(task_id, "failed" if city == "Atlantis" else "completed")


class FirstGeneration:
    """Tasks of MCP 2025-11-25. Their store is one for all processes, as a database is."""

    def __init__(self, session: Any) -> None:
        self._session = session

    @staticmethod
    def new_server(work: Work) -> Any:
        types = import_module("mcp.types")
        server = import_module("mcp.server.lowlevel").Server("weather")
        server.experimental.enable_tasks(store=work.store)

        async def list_tools() -> list[Any]:
            schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
            execution = types.ToolExecution(taskSupport="optional")
            return [types.Tool(name="weather", inputSchema=schema, execution=execution)]

        async def weather(_name: str, arguments: dict[str, Any]) -> Any:
            context = server.request_context.experimental
            if arguments["city"] == "Told":  # it tells its client when it has ended

                async def tell(_task: Any) -> Any:
                    await work.may_end.wait()
                    return _result_of("Told")

                return await context.run_task(tell)
            task = await work.store.create_task(context.task_metadata)
            work.cities[task.taskId] = arguments["city"]
            return types.CreateTaskResult(task=task)

        server.list_tools()(list_tools)
        server.call_tool()(weather)
        return server

    @staticmethod
    @asynccontextmanager
    async def connect(server: Any) -> AsyncIterator[FirstGeneration]:
        async with import_module("mcp.shared.memory").create_connected_server_and_client_session(server) as session:
            yield FirstGeneration(session)

    async def call(self, city: str, ttl: int | None = None) -> str:
        asked = self._session.experimental.call_tool_as_task("weather", {"city": city}, ttl=60_000 if ttl is None else ttl)
        return str((await asked).task.taskId)

    async def get(self, task_id: str) -> str:
        return str((await self._session.experimental.get_task(task_id)).status)

    async def result(self, task_id: str) -> Any:
        return await self._session.experimental.get_task_result(task_id, import_module("mcp.types").CallToolResult)

    async def cancel(self, task_id: str) -> None:
        await self._session.experimental.cancel_task(task_id)


class Extension:
    """Tasks of the extension of MCP 2026-07-28, as FastMCP serves them."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @staticmethod
    def new_server(work: Work) -> Any:
        server = import_module("fastmcp").FastMCP("weather")
        extension = import_module("fastmcp_tasks").TasksExtension(url=f"memory://{work.name}", name=work.name)
        server.add_extension(extension)

        async def weather(city: str) -> str:
            await work.may_end.wait()
            if city in ("Atlantis", "Wrong"):
                raise ValueError("no such city")
            return city

        server.tool(task=True)(weather)
        return server

    @staticmethod
    @asynccontextmanager
    async def connect(server: Any) -> AsyncIterator[Extension]:
        async with import_module("fastmcp").Client(server) as client:
            yield Extension(client)

    async def call(self, city: str, ttl: int | None = None) -> str:
        call_tool_task = import_module("fastmcp_tasks").call_tool_task
        return str((await call_tool_task(self._client, "weather", {"city": city})).task_id)

    async def get(self, task_id: str) -> str:
        return str((await self._ask(task_id)).status)

    async def result(self, task_id: str) -> Any:
        return (await self._ask(task_id)).result

    async def cancel(self, task_id: str) -> None:
        await import_module("fastmcp_tasks.client")._send_cancel(self._client.session, task_id)

    async def _ask(self, task_id: str) -> Any:
        return await import_module("fastmcp_tasks.client")._send_get(self._client.session, task_id)


def _result_of(text: str, *, is_error: bool = False) -> Any:
    """A tool result of the first generation."""
    types = import_module("mcp.types")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], isError=is_error)
