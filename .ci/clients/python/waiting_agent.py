"""A Pydantic AI agent that meets the limit, waits as long as the answer says, and goes on. Its
model follows a script, but knows only what the tools return to it."""

import asyncio
import re
import sys
import time

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

began = time.monotonic()


def say(who, text):
    print(f"[{time.monotonic() - began:4.0f} s] {who}: {' '.join(text.split())[:150]}", flush=True)


def model(messages, info):
    asked = sum(isinstance(p, ToolCallPart) and p.tool_name == "ask_faq" for m in messages for p in m.parts)
    for part in messages[-1].parts:
        if isinstance(part, ToolReturnPart):
            text = part.model_response_str()
            say("tool", text)
            if told := re.search(r"Wait (\d+) s", text):
                say("agent", f"waits {told[1]} s, as it was told")
                return ModelResponse(parts=[ToolCallPart("wait", {"seconds": int(told[1])})])
    if asked == 7:
        return ModelResponse(parts=[TextPart("Done.")])
    say("agent", f"asks, call {asked + 1}")
    return ModelResponse(parts=[ToolCallPart("ask_faq", {"q": "What does it cost?"})])


async def main(base):
    async with MCPToolset(base + "/mcp") as toolset:
        agent = Agent(FunctionModel(model), toolsets=[toolset])

        @agent.tool_plain
        async def wait(seconds: int) -> str:
            await asyncio.sleep(seconds)
            return "The wait is over."

        say("agent", (await agent.run("Ask seven times.")).output)


asyncio.run(main(sys.argv[1]))
