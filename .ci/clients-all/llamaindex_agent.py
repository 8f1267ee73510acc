"""LlamaIndex and its MCP tools, with its mock model."""

from contextlib import asynccontextmanager

import steps
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


class Agent(steps.Agent):
    async def tools(self):
        return [tool.metadata.name for tool in self.offered]

    async def play(self, script, prompt):
        def follow(messages, **_):
            if messages[-1].role == "tool":
                return ChatMessage(role="assistant", content=script.finish(messages[-1].content))
            call = ToolCallBlock(tool_call_id="1", tool_name=script.tool, tool_kwargs=script.arguments)
            return ChatMessage(role="assistant", blocks=[call])

        agent = FunctionAgent(tools=self.offered, llm=MockFunctionCallingLLM(response_generator=follow), streaming=False)
        return str(await agent.run(prompt))

    def text(self, seen):
        return seen.partition("text=")[2][1:] or seen  # the model sees a printed Python object


@asynccontextmanager
async def connect(url):
    mcp = BasicMCPClient(url, timeout=10)
    yield Agent(mcp, await McpToolSpec(client=mcp).to_tool_list_async())


steps.run(connect)
