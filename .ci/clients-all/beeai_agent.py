"""BeeAI and its MCP tools."""

from contextlib import asynccontextmanager

import scripted_model
import steps
from beeai_framework.adapters.openai import OpenAIChatModel
from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.tools.mcp import MCPTool
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


class BeeAI(steps.Agent):
    async def play(self, script, prompt):
        with scripted_model.serve(script) as url:
            model = OpenAIChatModel("scripted", api_key="none", base_url=url)
            done = await RequirementAgent(llm=model, tools=self.offered, final_answer_as_tool=False).run(prompt)
            return done.last_message.text


@asynccontextmanager
async def connect(url):
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        yield BeeAI(session, await MCPTool.from_session(session))


steps.run(connect)
