"""The official Python SDK, 1.x."""

from contextlib import asynccontextmanager

import steps
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


@asynccontextmanager
async def connect(url):
    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            yield steps.Client(session, (await session.initialize()).protocolVersion)


steps.run(connect)
