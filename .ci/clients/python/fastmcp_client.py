"""FastMCP's client."""

from contextlib import asynccontextmanager

import steps
from fastmcp import Client as FastMCP


@asynccontextmanager
async def connect(url):
    async with FastMCP(url) as fast:
        yield steps.Client(fast, fast.initialize_result.protocol_version)


steps.run(connect)
