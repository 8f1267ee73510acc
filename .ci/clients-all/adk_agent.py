"""Google's Agent Development Kit and its MCP toolset."""

from contextlib import asynccontextmanager
from typing import Any

import steps
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from google.genai import types


class Scripted(BaseLlm):
    model: str = "scripted"
    script: Any

    async def generate_content_async(self, llm_request, stream=False):
        results = [part.function_response for part in llm_request.contents[-1].parts if part.function_response]
        if results:
            part = types.Part(text=self.script.finish(results[0].response))
        else:
            part = types.Part(function_call=types.FunctionCall(name=self.script.tool, args=self.script.arguments))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


class ADK(steps.Agent):
    async def resources(self):
        return {name: name for name in await self.mcp.list_resources()}

    async def read(self, name):
        return (await self.mcp.read_resource(name))[0].text

    async def play(self, script, prompt):
        agent = LlmAgent(name="desk", model=Scripted(script=script), tools=[self.mcp])
        events = await InMemoryRunner(agent).run_debug(prompt, quiet=True)
        return events[-1].content.parts[0].text

    def text(self, seen):
        """The model reads the whole result; a failure that was not a result is under "error"."""
        if "content" not in seen:
            return str(seen.get("error", seen))
        return ("isError: " if seen.get("isError") else "") + seen["content"][0]["text"]


@asynccontextmanager
async def connect(url):
    toolset = McpToolset(connection_params=StreamableHTTPConnectionParams(url=url, timeout=10))
    try:
        yield ADK(toolset, await toolset.get_tools())
    finally:
        await toolset.close()


steps.run(connect)
