"""Pydantic AI and its MCP toolset, with its function model."""

from contextlib import asynccontextmanager

import steps
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


class Pydantic(steps.Agent):
    async def play(self, script, prompt):
        def model(messages, info):
            for part in messages[-1].parts:
                if isinstance(part, RetryPromptPart):
                    return ModelResponse(parts=[TextPart(script.finish("isError: " + str(part.content)))])
                if isinstance(part, ToolReturnPart):
                    return ModelResponse(parts=[TextPart(script.finish(part.model_response_str()))])
            return ModelResponse(parts=[ToolCallPart(script.tool, script.arguments)])

        return (await Agent(FunctionModel(model), toolsets=[self.mcp]).run(prompt)).output

    async def read(self, uri):
        contents = await self.mcp.read_resource(uri)
        return contents if isinstance(contents, str) else contents[0]


@asynccontextmanager
async def connect(url):
    async with MCPToolset(url) as toolset:
        yield Pydantic(toolset, await toolset.list_tools())


steps.run(connect)
