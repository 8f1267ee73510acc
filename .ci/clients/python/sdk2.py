"""The official Python SDK, 2.x."""

from contextlib import asynccontextmanager

import steps
from mcp import Client as SDK


@asynccontextmanager
async def connect(url):
    async with SDK(url) as sdk:
        yield steps.Client(sdk, sdk.protocol_version)


steps.run(connect)
