"""Agno and its MCP tools."""

from contextlib import asynccontextmanager

import scripted_model
import steps
from agno.agent import Agent
from agno.models.openai.like import OpenAILike
from agno.tools.mcp import MCPTools


class Agno(steps.Agent):
    async def resources(self):
        return {}  # the toolkit reads no resources

    async def play(self, script, prompt):
        with scripted_model.serve(script) as url:
            model = OpenAILike(id="scripted", api_key="none", base_url=url)
            return (await Agent(model=model, tools=[self.mcp], telemetry=False).arun(prompt)).content


@asynccontextmanager
async def connect(url):
    async with MCPTools(url=url) as tools:
        yield Agno(tools, list(tools.functions.values()))


steps.run(connect)
