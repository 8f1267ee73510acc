"""The official Python SDK, 1.x."""

from contextlib import asynccontextmanager

import steps
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


class Client:
    def __init__(self, session, hello):
        self.session, self.hello = session, hello

    def version(self):
        return self.hello.protocolVersion

    async def tools(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def resources(self):
        return {r.name: r.uri for r in (await self.session.list_resources()).resources}

    async def read(self, uri):
        return (await self.session.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        result = await self.session.call_tool(tool, arguments)
        return ("isError: " if result.isError else "") + result.content[0].text


@asynccontextmanager
async def connect(url):
    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            yield Client(session, await session.initialize())


steps.run(connect)
