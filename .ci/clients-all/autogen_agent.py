"""AutoGen's assistant and its MCP workbench, with a model that follows a script."""

import json
from contextlib import asynccontextmanager

import steps
from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, FunctionExecutionResultMessage, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient
from autogen_ext.tools.mcp import McpWorkbench, StreamableHttpServerParams

ABLE = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}


class Client:
    def __init__(self, workbench):
        self.workbench = workbench

    def version(self):
        return "a workbench"

    async def tools(self):
        return [tool["name"] for tool in await self.workbench.list_tools()]

    async def resources(self):
        return {r.name: str(r.uri) for r in (await self.workbench.list_resources()).resources}

    async def read(self, uri):
        return (await self.workbench.read_resource(uri)).contents[0].text

    async def call(self, tool, arguments):
        """The model calls one tool, then says that it is done; what it sees is in its calls."""
        usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
        call = CreateResult(finish_reason="function_calls", content=[FunctionCall("1", json.dumps(arguments), tool)], usage=usage, cached=False)
        model = ReplayChatCompletionClient([call, "Done."], model_info=ABLE)
        await AssistantAgent("desk", model, workbench=self.workbench, reflect_on_tool_use=True).run(task="Go on.")
        seen = [m for m in model.create_calls[-1]["messages"] if isinstance(m, FunctionExecutionResultMessage)]
        result = seen[0].content[0]
        return ("isError: " if result.is_error else "") + result.content


@asynccontextmanager
async def connect(url):
    async with McpWorkbench(StreamableHttpServerParams(url=url, timeout=10)) as workbench:
        yield Client(workbench)


steps.run(connect)
