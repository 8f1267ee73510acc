"""smolagents and its MCP client."""

import asyncio
from contextlib import asynccontextmanager

import steps
from smolagents import ChatMessage, LogLevel, MCPClient, Model, ToolCallingAgent
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction


class Scripted(Model):
    def __init__(self, script, omitted):
        super().__init__(model_id="scripted")
        self.script, self.omitted = script, omitted

    def generate(self, messages, **_):
        name, arguments = self.script.tool, self.script.arguments | self.omitted
        if any(m.role == "assistant" for m in messages):
            seen = messages[-1].content[0]["text"].removeprefix("Observation:\n")
            name, arguments = "final_answer", {"answer": self.script.finish(seen)}
        function = ChatMessageToolCallFunction(name=name, arguments=arguments)
        return ChatMessage(role="assistant", content="", tool_calls=[ChatMessageToolCall(function=function, id="1", type="function")])


class Agent(steps.Agent):
    async def resources(self):
        return {}  # smolagents reads no resources

    async def play(self, script, prompt):
        """smolagents requires dry_run, whatever its default; models may give null for optional texts."""
        inputs = next(t.inputs for t in self.offered if t.name == script.tool)
        omitted = {name: False if "boolean" in of["type"] else None for name, of in inputs.items() if name not in script.arguments}
        agent = ToolCallingAgent(tools=self.offered, model=Scripted(script, omitted), verbosity_level=LogLevel.OFF, max_steps=3)
        return await asyncio.to_thread(agent.run, prompt)


@asynccontextmanager
async def connect(url):
    client = await asyncio.to_thread(MCPClient, {"url": url, "transport": "streamable-http"})
    try:
        yield Agent(client, client.get_tools())
    finally:
        await asyncio.to_thread(client.disconnect)


steps.run(connect)
