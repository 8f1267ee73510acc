"""AutoGen's assistant and its MCP workbench, with its replayed model."""

import json
from contextlib import asynccontextmanager

import steps
from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, FunctionExecutionResultMessage, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient
from autogen_ext.tools.mcp import McpWorkbench, StreamableHttpServerParams

ABLE = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}


class Agent(steps.Agent):
    async def tools(self):
        return [tool["name"] for tool in self.offered]

    async def play(self, script, prompt):
        """The model answers what it is told to before it sees the result: that is in its calls."""
        usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
        call = CreateResult(
            finish_reason="function_calls", content=[FunctionCall("1", json.dumps(script.arguments), script.tool)], usage=usage, cached=False)
        model = ReplayChatCompletionClient([call, "Done."], model_info=ABLE)
        await AssistantAgent("desk", model, workbench=self.mcp, reflect_on_tool_use=True).run(task=prompt)
        seen = next(m for m in model.create_calls[-1]["messages"] if isinstance(m, FunctionExecutionResultMessage))
        return script.finish(seen.content[0])

    def material(self, seen):
        return seen.content

    def text(self, seen):
        return ("isError: " if seen.is_error else "") + seen.content


@asynccontextmanager
async def connect(url):
    async with McpWorkbench(StreamableHttpServerParams(url=url, timeout=10)) as workbench:
        yield Agent(workbench, await workbench.list_tools())


steps.run(connect)
