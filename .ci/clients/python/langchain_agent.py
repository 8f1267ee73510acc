"""LangChain's MCP adapters in a LangGraph agent, with a model that follows a script."""

from collections.abc import Callable
from contextlib import asynccontextmanager

import steps
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_mcp_adapters.client import MultiServerMCPClient
from langgraph.prebuilt import create_react_agent


class Scripted(BaseChatModel):
    """Calls one tool, then answers with what conclude makes of the tool's message."""

    tool: str
    arguments: dict
    conclude: Callable = lambda content: "Done."

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        if isinstance(messages[-1], ToolMessage):
            message = AIMessage(self.conclude(messages[-1].content))
        else:
            message = AIMessage("", tool_calls=[{"name": self.tool, "args": self.arguments, "id": "1"}])
        return ChatResult(generations=[ChatGeneration(message=message)])


class Client:
    def __init__(self, adapters, tools):
        self.adapters, self.offered = adapters, tools

    def version(self):
        return f"{len(self.offered)} tools"

    async def tools(self):
        return [tool.name for tool in self.offered]

    async def resources(self):
        return {str(blob.metadata["uri"]).rsplit("/", 1)[-1]: blob for blob in await self.adapters.get_resources("desk")}

    async def read(self, blob):
        return blob.as_string()

    async def call(self, tool, arguments):
        agent = create_react_agent(Scripted(tool=tool, arguments=arguments), self.offered)
        answer = await agent.ainvoke({"messages": [("user", "Go on.")]})
        seen = next(m for m in answer["messages"] if isinstance(m, ToolMessage))
        text = seen.content if isinstance(seen.content, str) else seen.content[0]["text"]
        return ("isError: " if seen.status == "error" else "") + text

    async def converse(self, question, choose):
        agent = create_react_agent(Scripted(tool="ask_faq", arguments={"q": question}, conclude=choose), self.offered)
        return (await agent.ainvoke({"messages": [("user", question)]}))["messages"][-1].content


@asynccontextmanager
async def connect(url):
    adapters = MultiServerMCPClient({"desk": {"url": url, "transport": "streamable_http"}})
    yield Client(adapters, await adapters.get_tools())


steps.run(connect)
