"""Semantic Kernel's chat agent and its MCP plugin."""

import json
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import steps
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin
from semantic_kernel.contents import ChatMessageContent, FunctionCallContent, FunctionResultContent, TextContent


class Scripted(ChatCompletionClientBase):
    SUPPORTS_FUNCTION_CALLING: ClassVar[bool] = True
    script: Any

    def _update_function_choice_settings_callback(self):
        return lambda configuration, settings, choice: None

    def _reset_function_choice_settings(self, settings):
        pass

    async def _inner_get_chat_message_contents(self, chat_history, settings):
        results = [item for item in chat_history.messages[-1].items if isinstance(item, FunctionResultContent)]
        if results:
            item = TextContent(text=self.script.finish(results[0].result))
        else:
            item = FunctionCallContent(id="1", name=f"desk-{self.script.tool}", arguments=json.dumps(self.script.arguments))
        return [ChatMessageContent(role="assistant", items=[item])]


class SemanticKernel(steps.Agent):
    async def tools(self):
        return self.offered

    async def play(self, script, prompt):
        agent = ChatCompletionAgent(name="desk", service=Scripted(ai_model_id="scripted", script=script), plugins=[self.plugin])
        return str((await agent.get_response(messages=prompt)).content)

    def material(self, seen):
        """The kernel hands a list of texts, or what it makes of an exception."""
        return [str(item) for item in seen] if isinstance(seen, list) else str(seen)

    def text(self, seen):
        material = self.material(seen)
        return material if isinstance(material, str) else material[0]


@asynccontextmanager
async def connect(url):
    async with MCPStreamableHttpPlugin(name="desk", url=url, timeout=10, load_prompts=False) as plugin:
        functions = [name for name, value in vars(plugin).items() if hasattr(value, "__kernel_function__")]
        agent = SemanticKernel(plugin.session, functions)
        agent.plugin = plugin
        yield agent


steps.run(connect)
