"""The OpenAI Agents SDK and its MCP server class, with a model that follows a script."""

import json
from contextlib import asynccontextmanager

import steps
from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.items import ToolCallOutputItem
from agents.mcp import MCPServerStreamableHttp
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)


class Scripted(Model):
    """Calls one tool, then answers with what conclude makes of the tool's output."""

    def __init__(self, tool, arguments, conclude=lambda output: "Done."):
        self.call = ResponseFunctionToolCall(
            type="function_call", call_id="1", name=tool, arguments=json.dumps(arguments))
        self.conclude = conclude

    async def get_response(self, system_instructions, input, *args, **kwargs):
        if self.call:
            output, self.call = self.call, None
        else:
            text = ResponseOutputText(type="output_text", text=self.conclude(input[-1]["output"]), annotations=[])
            output = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError("the script is not streamed")


class Client:
    def __init__(self, server):
        self.server = server

    def version(self):
        return self.server.server_initialize_result.protocol_version

    async def tools(self):
        return [tool.name for tool in await self.server.list_tools()]

    async def resources(self):
        return {r.name: r.uri for r in (await self.server.list_resources()).resources}

    async def read(self, uri):
        return (await self.server.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        agent = Agent(name="desk", model=Scripted(tool, arguments), mcp_servers=[self.server])
        result = await Runner.run(agent, "Go on.")
        seen = next(item.output for item in result.new_items if isinstance(item, ToolCallOutputItem))
        first = seen[0] if isinstance(seen, list) else seen  # several blocks of text are a list
        return first if isinstance(first, str) else first["text"]

    async def converse(self, question, choose):
        model = Scripted("ask_faq", {"q": question}, choose)
        return (await Runner.run(Agent(name="desk", model=model, mcp_servers=[self.server]), question)).final_output


@asynccontextmanager
async def connect(url):
    async with MCPServerStreamableHttp(params={"url": url}, client_session_timeout_seconds=10) as server:
        yield Client(server)


steps.run(connect)
