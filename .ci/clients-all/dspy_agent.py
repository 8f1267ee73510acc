"""DSPy's ReAct and its tools of an MCP session."""

import json
import re
from contextlib import asynccontextmanager

import dspy
import steps
from dspy.utils import DummyLM
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


class DSPy(steps.Agent):
    async def play(self, script, prompt):
        """The model answers what it is told to before it sees the result: that is in the trajectory."""
        turns = [{"next_thought": "ask", "next_tool_name": script.tool, "next_tool_args": json.dumps(script.arguments)},
                 {"next_thought": "done", "next_tool_name": "finish", "next_tool_args": "{}"},
                 {"reasoning": "none", "answer": "Done."}]
        with dspy.context(lm=DummyLM(turns)):
            done = await dspy.ReAct("question -> answer", tools=self.offered).acall(question=prompt)
        return script.finish(done.trajectory["observation_0"])

    def text(self, seen):
        """Without the stack that the model reads before an error."""
        return re.sub(r"Traceback .*\n(?:\s.*\n)*", "", seen) if isinstance(seen, str) else seen


@asynccontextmanager
async def connect(url):
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        yield DSPy(session, [dspy.Tool.from_mcp_tool(session, tool) for tool in tools])


steps.run(connect)
