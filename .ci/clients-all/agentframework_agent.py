"""Microsoft's agent framework and its MCP tool."""

from contextlib import asynccontextmanager

import scripted_model
import steps
from agent_framework import Agent, MCPStreamableHTTPTool
from agent_framework.openai import OpenAIChatCompletionClient


class Framework(steps.Agent):
    async def resources(self):
        return {}  # the framework reads no resources

    async def play(self, script, prompt):
        with scripted_model.serve(script) as url:
            client = OpenAIChatCompletionClient(model="scripted", api_key="none", base_url=url)
            return (await Agent(client=client, name="desk", tools=self.mcp).run(prompt)).text


@asynccontextmanager
async def connect(url):
    async with MCPStreamableHTTPTool(name="desk", url=url, request_timeout=10) as tool:
        yield Framework(tool, tool.functions)


steps.run(connect)
