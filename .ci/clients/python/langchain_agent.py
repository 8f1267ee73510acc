"""LangChain's MCP adapters in a LangGraph agent."""

from contextlib import asynccontextmanager

import steps
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_model import Scripted
from langgraph.prebuilt import create_react_agent


class Agent(steps.Agent):
    async def resources(self):
        return {str(blob.metadata["uri"]).rsplit("/", 1)[-1]: blob for blob in await self.mcp.get_resources("desk")}

    async def read(self, blob):
        return blob.as_string()

    async def play(self, script, prompt):
        agent = create_react_agent(Scripted(script=script), self.offered)
        return (await agent.ainvoke({"messages": [("user", prompt)]}))["messages"][-1].content

    def material(self, seen):
        return seen.content

    def text(self, seen):
        text = seen.content if isinstance(seen.content, str) else seen.content[0]["text"]
        return ("isError: " if seen.status == "error" else "") + text


@asynccontextmanager
async def connect(url):
    adapters = MultiServerMCPClient({"desk": {"url": url, "transport": "streamable_http"}})
    yield Agent(adapters, await adapters.get_tools())


steps.run(connect)
