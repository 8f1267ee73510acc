"""CrewAI and its MCP adapter, with a model that follows a script."""

import asyncio
import json
from contextlib import asynccontextmanager

import steps
from crewai import Agent, BaseLLM
from crewai_tools import MCPServerAdapter


class Scripted(BaseLLM):
    """Calls one tool, then says that it is done; keeps what the tool gave it."""

    def __init__(self, tool, arguments):
        super().__init__(model="scripted")
        self._tool, self._arguments, self._seen = tool, arguments, None

    def call(self, messages, *_, **__):
        results = [m["content"].partition("\nObservation:")[2] for m in messages if m["role"] == "assistant"]
        if not results:
            return f"Thought: ask\nAction: {self._tool}\nAction Input: {json.dumps(self._arguments)}"
        self._seen = results[0].strip()
        return "Thought: I know\nFinal Answer: Done."

    def supports_function_calling(self):
        return False


class Client:
    def __init__(self, offered):
        self.offered = offered

    def version(self):
        return f"{len(self.offered)} tools"

    async def tools(self):
        return [tool.name for tool in self.offered]

    async def resources(self):
        return {}  # the adapter reads no resources

    async def call(self, tool, arguments):
        model = Scripted(tool, arguments)
        agent = Agent(role="desk", goal="ask", backstory="none", llm=model, tools=self.offered, max_iter=3)
        await asyncio.to_thread(agent.kickoff, "Go on.")
        return model._seen


@asynccontextmanager
async def connect(url):
    adapter = await asyncio.to_thread(MCPServerAdapter, {"url": url, "transport": "streamable-http"})
    try:
        yield Client(list(adapter.tools))
    finally:
        await asyncio.to_thread(adapter.stop)


steps.run(connect)
