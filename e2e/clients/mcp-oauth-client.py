"""A client by the official package, which knows an address and nothing else.

It prints the address that it would open in a browser, and calls the tool once for each line that it reads. Arguments: the
server's address, the port at which it hears the browser come back, and the address of its metadata document, if it has one.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

url, port, document = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [None])[0]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def hear_browser():
    heard = asyncio.get_running_loop().create_future()

    async def answer(reader, writer):
        target = (await reader.readline()).decode().split(" ")[1]
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nBack")
        await writer.drain()
        writer.close()
        query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        if "code" in query and not heard.done():
            heard.set_result(AuthorizationCodeResult(**{name: query.get(name) for name in ("code", "state", "iss")}))

    async with await asyncio.start_server(answer, "127.0.0.1", port):
        return await heard


async def open_browser(address):
    print("open", address, flush=True)


async def main():
    metadata = OAuthClientMetadata(
        client_name="Python agent", redirect_uris=[f"http://127.0.0.1:{port}/callback"], token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(
        url, metadata, Memory(), open_browser, hear_browser, client_metadata_url=document
    )
    async with create_mcp_http_client(auth=auth) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            print("connected", flush=True)
            loop = asyncio.get_running_loop()
            while await loop.run_in_executor(None, sys.stdin.readline):
                try:
                    result = await client.call_tool("weather", {"city": "Oslo"})
                    text = result.model_dump_json(by_alias=True)
                except Exception as error:  # noqa: BLE001 -- the test reads it
                    text = json.dumps({"raised": str(error)})
                print("answer", text, flush=True)


asyncio.run(main())
