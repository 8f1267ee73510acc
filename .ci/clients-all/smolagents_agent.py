"""smolagents and its MCP client, with a model that follows a script."""

import asyncio
from contextlib import asynccontextmanager

import steps
from smolagents import ChatMessage, LogLevel, MCPClient, Model, ToolCallingAgent
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction


class Scripted(Model):
    """Calls one tool, then says that it is done; keeps what the tool gave it."""

    def __init__(self, tool, arguments):
        super().__init__(model_id="scripted")
        self.tool, self.arguments, self.seen = tool, arguments, None

    def generate(self, messages, **_):
        name, arguments = self.tool, self.arguments
        if len([m for m in messages if m.role == "assistant"]):
            self.seen = messages[-1].content[0]["text"].removeprefix("Observation:\n")
            name, arguments = "final_answer", {"answer": "Done."}
        function = ChatMessageToolCallFunction(name=name, arguments=arguments)
        return ChatMessage(role="assistant", content="", tool_calls=[ChatMessageToolCall(function=function, id="1", type="function")])


class Client:
    def __init__(self, offered):
        self.offered = offered

    def version(self):
        return f"{len(self.offered)} tools"

    async def tools(self):
        return [tool.name for tool in self.offered]

    async def resources(self):
        return {}  # smolagents reads no resources

    async def call(self, tool, arguments):
        """smolagents requires every argument that a schema names: its models give null, or false."""
        inputs = next(t.inputs for t in self.offered if t.name == tool)
        omitted = {name: False if "boolean" in of["type"] else None for name, of in inputs.items() if name not in arguments}
        model = Scripted(tool, arguments | omitted)
        agent = ToolCallingAgent(tools=self.offered, model=model, verbosity_level=LogLevel.OFF, max_steps=3)
        await asyncio.to_thread(agent.run, "Go on.")
        return model.seen


@asynccontextmanager
async def connect(url):
    client = await asyncio.to_thread(MCPClient, {"url": url, "transport": "streamable-http"})
    try:
        yield Client(client.get_tools())
    finally:
        await asyncio.to_thread(client.disconnect)


steps.run(connect)
