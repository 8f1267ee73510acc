"""The OpenAI Agents SDK and its MCP server class."""

import json
from contextlib import asynccontextmanager

import steps
from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)


class Scripted(Model):
    def __init__(self, script):
        self.script, self.called = script, False

    async def get_response(self, system_instructions, input, *args, **kwargs):
        if self.called:
            text = ResponseOutputText(type="output_text", text=self.script.finish(input[-1]["output"]), annotations=[])
            output = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        else:
            self.called = True
            output = ResponseFunctionToolCall(
                type="function_call", call_id="1", name=self.script.tool, arguments=json.dumps(self.script.arguments))
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError("the script is not streamed")


class OpenAI(steps.Agent):
    async def play(self, script, prompt):
        agent = Agent(name="desk", model=Scripted(script), mcp_servers=[self.mcp])
        return (await Runner.run(agent, prompt)).final_output

    def text(self, seen):
        first = seen[0] if isinstance(seen, list) else seen  # several blocks of text are a list
        return first if isinstance(first, str) else first["text"]


@asynccontextmanager
async def connect(url):
    async with MCPServerStreamableHttp(params={"url": url}, client_session_timeout_seconds=10) as server:
        yield OpenAI(server, await server.list_tools())


steps.run(connect)
