"""Strands Agents and its MCP client."""

import asyncio
import json
from contextlib import asynccontextmanager

import steps
from mcp.client.streamable_http import streamable_http_client
from strands import Agent
from strands.models import Model
from strands.tools.mcp import MCPClient


class Scripted(Model):
    def __init__(self, script):
        self.script = script

    def update_config(self, **_):
        pass

    def get_config(self):
        return {}

    def structured_output(self, *_, **__):
        raise NotImplementedError("the script has no structured output")

    async def stream(self, messages, *_, **__):
        yield {"messageStart": {"role": "assistant"}}
        results = [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block]
        if results:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": self.script.finish(results[0])}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "1", "name": self.script.tool}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(self.script.arguments)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if results else "tool_use"}}


class Strands(steps.Agent):
    async def tools(self):
        return [tool.tool_name for tool in self.offered]

    async def resources(self):
        return {r.name: r.uri for r in self.mcp.list_resources_sync().resources}

    async def read(self, uri):
        return self.mcp.read_resource_sync(uri).contents[0].text

    async def play(self, script, prompt):
        return str(await Agent(model=Scripted(script), tools=self.offered, callback_handler=None).invoke_async(prompt))

    def material(self, seen):
        return seen["content"]

    def text(self, seen):
        return ("isError: " if seen["status"] == "error" else "") + seen["content"][0]["text"]


@asynccontextmanager
async def connect(url):
    mcp = MCPClient(lambda: streamable_http_client(url))
    await asyncio.to_thread(mcp.start)
    try:
        yield Strands(mcp, await asyncio.to_thread(mcp.list_tools_sync))
    finally:
        await asyncio.to_thread(mcp.stop, None, None, None)


steps.run(connect)
