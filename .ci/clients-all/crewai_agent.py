"""CrewAI and its MCP adapter."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

import steps
from crewai import Agent, BaseLLM
from crewai_tools import MCPServerAdapter


class Scripted(BaseLLM):
    def __init__(self, script):
        super().__init__(model="scripted")
        self._script = script

    def call(self, messages, *_, **__):
        results = [m["content"].partition("\nObservation:")[2] for m in messages if m["role"] == "assistant"]
        if results:
            return f"Thought: I know\nFinal Answer: {self._script.finish(results[0].strip())}"
        return f"Thought: ask\nAction: {self._script.tool}\nAction Input: {json.dumps(self._script.arguments)}"

    def supports_function_calling(self):
        return False


class Crew(steps.Agent):
    async def resources(self):
        return {}  # the adapter reads no resources

    async def play(self, script, prompt):
        agent = Agent(role="desk", goal="ask", backstory="none", llm=Scripted(script), tools=self.offered, max_iter=3)
        return (await asyncio.to_thread(agent.kickoff, prompt)).raw


@asynccontextmanager
async def connect(url):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))  # a call that hangs keeps its thread
    adapter = await asyncio.to_thread(MCPServerAdapter, {"url": url, "transport": "streamable-http"})
    try:
        yield Crew(adapter, list(adapter.tools))
    finally:
        with suppress(TimeoutError):  # it never stops once a call hangs
            await asyncio.wait_for(asyncio.to_thread(adapter.stop), steps.PATIENCE)


steps.run(connect)
