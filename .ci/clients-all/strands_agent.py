"""Strands Agents and its MCP client, with a model that follows a script."""

import asyncio
import json
from contextlib import asynccontextmanager

import steps
from mcp.client.streamable_http import streamable_http_client
from strands import Agent
from strands.models import Model
from strands.tools.mcp import MCPClient


class Scripted(Model):
    """Calls one tool, then says that it is done; keeps what the tool gave it."""

    def __init__(self, tool, arguments):
        self.tool, self.arguments, self.seen = tool, arguments, None

    def update_config(self, **_):
        pass

    def get_config(self):
        return {}

    def structured_output(self, *_, **__):
        raise NotImplementedError("the script has no structured output")

    async def stream(self, messages, *_, **__):
        yield {"messageStart": {"role": "assistant"}}
        if results := [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block]:
            self.seen = results[0]
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "Done."}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "1", "name": self.tool}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(self.arguments)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if results else "tool_use"}}


class Client:
    def __init__(self, mcp, offered):
        self.mcp, self.offered = mcp, offered

    def version(self):
        return f"{len(self.offered)} tools"

    async def tools(self):
        return [tool.tool_name for tool in self.offered]

    async def resources(self):
        return {r.name: r.uri for r in self.mcp.list_resources_sync().resources}

    async def read(self, uri):
        return self.mcp.read_resource_sync(uri).contents[0].text

    async def call(self, tool, arguments):
        model = Scripted(tool, arguments)
        await Agent(model=model, tools=self.offered, callback_handler=None).invoke_async("Go on.")
        return ("isError: " if model.seen["status"] == "error" else "") + model.seen["content"][0]["text"]


@asynccontextmanager
async def connect(url):
    mcp = MCPClient(lambda: streamable_http_client(url))
    await asyncio.to_thread(mcp.start)
    try:
        yield Client(mcp, await asyncio.to_thread(mcp.list_tools_sync))
    finally:
        await asyncio.to_thread(mcp.stop, None, None, None)


steps.run(connect)
