"""LlamaIndex and its MCP tools, with a model that follows a script."""

from contextlib import asynccontextmanager

import steps
from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


class Client:
    def __init__(self, mcp, offered):
        self.mcp, self.offered = mcp, offered

    def version(self):
        return f"{len(self.offered)} tools"

    async def tools(self):
        return [tool.metadata.name for tool in self.offered]

    async def resources(self):
        return {r.name: r.uri for r in (await self.mcp.list_resources()).resources}

    async def read(self, uri):
        return (await self.mcp.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        """The model calls one tool, then says that it is done; keeps what the tool gave it."""
        seen = []

        def follow(messages, **_):
            if messages[-1].role == "tool":
                seen.append(messages[-1].content)
                return ChatMessage(role="assistant", content="Done.")
            return ChatMessage(role="assistant", blocks=[ToolCallBlock(tool_call_id="1", tool_name=tool, tool_kwargs=arguments)])

        await FunctionAgent(tools=self.offered, llm=MockFunctionCallingLLM(response_generator=follow), streaming=False).run("Go on.")
        return seen[0].partition("text=")[2][1:] or seen[0]  # the model sees a printed Python object


@asynccontextmanager
async def connect(url):
    mcp = BasicMCPClient(url, timeout=10)
    yield Client(mcp, await McpToolSpec(client=mcp).to_tool_list_async())


steps.run(connect)
