"""Haystack and its MCP toolset."""

import asyncio
from contextlib import asynccontextmanager

import scripted_model
import steps
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from haystack_integrations.tools.mcp import MCPToolset, StreamableHttpServerInfo


class Haystack(steps.Agent):
    async def resources(self):
        return {}  # the toolset reads no resources

    async def play(self, script, prompt):
        with scripted_model.serve(script) as url:
            model = OpenAIChatGenerator(model="scripted", api_key=Secret.from_token("none"), api_base_url=url)
            agent = Agent(chat_generator=model, tools=self.mcp)
            done = await asyncio.to_thread(agent.run, messages=[ChatMessage.from_user(prompt)])
            return done["last_message"].text

    def text(self, seen):
        """Without the frame around an error, which repeats the arguments twice."""
        return seen.rpartition("got error: ")[2]


@asynccontextmanager
async def connect(url):
    tools = await asyncio.to_thread(MCPToolset, StreamableHttpServerInfo(url=url), eager_connect=True)
    try:
        yield Haystack(tools, list(tools))
    finally:
        await asyncio.to_thread(tools.close)


steps.run(connect)
