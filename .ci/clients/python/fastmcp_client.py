"""FastMCP's client."""

from contextlib import asynccontextmanager

import steps
from fastmcp import Client as FastMCP


class Client:
    def __init__(self, fast):
        self.fast = fast

    def version(self):
        return self.fast.initialize_result.protocol_version

    async def tools(self):
        return [tool.name for tool in await self.fast.list_tools()]

    async def resources(self):
        return {r.name: r.uri for r in await self.fast.list_resources()}

    async def read(self, uri):
        return (await self.fast.read_resource(uri))[0].text

    async def call(self, tool, arguments):
        return (await self.fast.call_tool(tool, arguments)).content[0].text


@asynccontextmanager
async def connect(url):
    async with FastMCP(url) as fast:
        yield Client(fast)


steps.run(connect)
