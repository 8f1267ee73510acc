"""mcp-use's agent."""

from contextlib import asynccontextmanager

import steps
from langchain_model import Scripted
from mcp_use import MCPAgent, MCPClient


class Agent(steps.Agent):
    def __init__(self, client, session, offered):
        super().__init__(session, offered)
        self.client = client

    async def play(self, script, prompt):
        agent = MCPAgent(llm=Scripted(script=script), client=self.client, max_steps=9)
        await agent.initialize()
        return await agent.run(prompt, manage_connector=False)

    def material(self, seen):
        return seen.content

    def text(self, seen):
        return seen.content if isinstance(seen.content, str) else seen.content[0]["text"]


@asynccontextmanager
async def connect(url):
    client = MCPClient({"mcpServers": {"desk": {"url": url}}})
    try:
        await client.create_all_sessions()
        session = client.get_session("desk")
        yield Agent(client, session, await session.list_tools())
    finally:
        await client.close_all_sessions()


steps.run(connect)
