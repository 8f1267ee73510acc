"""Pydantic AI and its MCP toolset, with a model that follows a script."""

from contextlib import asynccontextmanager

import steps
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


class Client:
    def __init__(self, toolset):
        self.toolset = toolset

    def version(self):
        return "an agent with the toolset"

    async def tools(self):
        return [tool.name for tool in await self.toolset.list_tools()]

    async def resources(self):
        return {r.name: r.uri for r in await self.toolset.list_resources()}

    async def read(self, uri):
        contents = await self.toolset.read_resource(uri)
        return contents if isinstance(contents, str) else contents[0]

    async def call(self, tool, arguments):
        """The model calls one tool, then says that it is done, whatever the answer was."""
        seen = []

        def model(messages, info):
            for part in messages[-1].parts:
                if isinstance(part, RetryPromptPart):
                    seen.append("isError: " + str(part.content))
                elif isinstance(part, ToolReturnPart):
                    seen.append(part.model_response_str())
            return ModelResponse(parts=[TextPart("Done.") if seen else ToolCallPart(tool, arguments)])

        await Agent(FunctionModel(model), toolsets=[self.toolset]).run("Go on.")
        return seen[0]

    async def converse(self, question, choose):
        def model(messages, info):
            for part in messages[-1].parts:
                if isinstance(part, ToolReturnPart):
                    return ModelResponse(parts=[TextPart(choose(part.model_response_str()))])
            return ModelResponse(parts=[ToolCallPart("ask_faq", {"q": question})])

        return (await Agent(FunctionModel(model), toolsets=[self.toolset]).run(question)).output


@asynccontextmanager
async def connect(url):
    async with MCPToolset(url) as toolset:
        yield Client(toolset)


steps.run(connect)
