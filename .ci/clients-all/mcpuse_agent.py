"""mcp-use's agent, with a model that follows a script."""

from contextlib import asynccontextmanager

import steps
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from mcp_use import MCPAgent, MCPClient

class Scripted(BaseChatModel):
    """Calls one tool, then says that it is done; keeps what the tool gave it."""

    tool: str
    arguments: dict
    seen: list = []

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        if isinstance(messages[-1], ToolMessage):
            self.seen.append(messages[-1].content)
            message = AIMessage("Done.")
        else:
            message = AIMessage("", tool_calls=[{"name": self.tool, "args": self.arguments, "id": "1"}])
        return ChatResult(generations=[ChatGeneration(message=message)])


class Client:
    def __init__(self, client, session):
        self.client, self.session = client, session

    def version(self):
        return "a session"

    async def tools(self):
        return [tool.name for tool in await self.session.list_tools()]

    async def resources(self):
        return {r.name: r.uri for r in await self.session.list_resources()}

    async def read(self, uri):
        return (await self.session.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        model = Scripted(tool=tool, arguments=arguments, seen=[])
        agent = MCPAgent(llm=model, client=self.client, max_steps=9)
        await agent.initialize()
        await agent.run("Go on.", manage_connector=False)
        text = model.seen[0]
        return text if isinstance(text, str) else text[0]["text"]


@asynccontextmanager
async def connect(url):
    client = MCPClient({"mcpServers": {"desk": {"url": url}}})
    try:
        await client.create_all_sessions()
        yield Client(client, client.get_session("desk"))
    finally:
        await client.close_all_sessions()


steps.run(connect)
