"""A chat model of LangChain that follows a script, for the frameworks that use LangChain."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class Scripted(BaseChatModel):
    script: Any

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        if isinstance(messages[-1], ToolMessage):
            message = AIMessage(self.script.finish(messages[-1]))
        else:
            message = AIMessage("", tool_calls=[{"name": self.script.tool, "args": self.script.arguments, "id": "1"}])
        return ChatResult(generations=[ChatGeneration(message=message)])
