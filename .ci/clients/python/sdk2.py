"""The official Python SDK, 2.x."""

from contextlib import asynccontextmanager

import steps
from mcp import Client as SDK


class Client:
    def __init__(self, sdk):
        self.sdk = sdk

    def version(self):
        return self.sdk.protocol_version

    async def tools(self):
        return [tool.name for tool in (await self.sdk.list_tools()).tools]

    async def resources(self):
        return {r.name: r.uri for r in (await self.sdk.list_resources()).resources}

    async def read(self, uri):
        return (await self.sdk.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        result = await self.sdk.call_tool(tool, arguments)
        return ("isError: " if result.is_error else "") + result.content[0].text


@asynccontextmanager
async def connect(url):
    async with SDK(url) as sdk:
        yield Client(sdk)


steps.run(connect)
