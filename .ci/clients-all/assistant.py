"""Plays ../clients/steps.json with an assistant for the command line, in one session for each
server: assistant.py NAME PROGRAM URL. The assistant's model is a server here that speaks
its provider's protocol: it calls the tools of the steps one after another and shows what
the assistant hands back to it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from steps import PATHS, STEPS

PATIENCE = 180  # seconds for one session: an assistant that hangs is a finding too


FRAME = re.compile(
    r"^Wall time: \S+ seconds\s+Output:\s*"  # Codex
    r"|^<untrusted_context>\s*|\s*</untrusted_context>$"  # Gemini CLI
    r"|^MCP tool '\w+' reported tool error .* with response: "  # Gemini CLI
)


def text_of(content):
    """The text of what an assistant hands to its model, without the frame around it."""
    if isinstance(content, list):
        content = " ".join(block.get("text", "") for block in content)
    return FRAME.sub("", content)


# A protocol starts its assistant (environment, arguments, a folder with its configuration) and reads
# and writes what the assistant's model does: the tools that a request offers, by name, with how a
# call names them; the results it has, by the id of the call; the events of a call or of the last answer.


class OpenAIResponses:
    """Codex."""

    def __init__(self, folder, model, mcp):
        config = f"""
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "{model}/v1"
wire_api = "responses"
[mcp_servers.desk]
url = "{mcp}"
"""
        (folder / "config.toml").write_text(config)
        self.environment = {"CODEX_HOME": str(folder)}
        self.arguments = ["exec", "--skip-git-repo-check", "Go on."]

    def offered(self, request):
        for tool in request.get("tools", []):
            if tool["type"] == "namespace":
                for inner in tool["tools"]:
                    yield inner["name"], {"name": inner["name"], "namespace": tool["name"]}
            elif tool["type"] == "function":
                yield tool["name"], {"name": tool["name"]}

    def results(self, request):
        for item in request["input"]:
            if item["type"] == "function_call_output":
                yield item["call_id"], text_of(item["output"])

    def events(self, call, number):
        if call is None:
            item = {"type": "message", "id": f"m{number}", "role": "assistant",
                    "content": [{"type": "output_text", "text": "Done."}]}
        else:
            named, arguments = call
            item = {"type": "function_call", "id": f"f{number}", "call_id": f"c{number}", **named,
                    "arguments": json.dumps(arguments)}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        response = {"id": f"r{number}", "usage": usage, "output": [item]}
        yield "response.created", {"type": "response.created", "response": {"id": f"r{number}"}}
        yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield "response.completed", {"type": "response.completed", "response": response}


class Gemini:
    """Gemini CLI."""

    def __init__(self, folder, model, mcp):
        (folder / ".gemini").mkdir()
        settings = {
            "mcpServers": {"desk": {"httpUrl": mcp, "trust": True}},
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
        }
        (folder / ".gemini/settings.json").write_text(json.dumps(settings))
        self.environment = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model,
                            "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        self.arguments = ["--model", "gemini-2.5-flash", "--yolo", "--prompt", "Go on."]

    def offered(self, request):
        for tool in request.get("tools", []):
            for function in tool.get("functionDeclarations", []):
                yield function["name"], {"name": function["name"]}

    def results(self, request):
        for content in request["contents"]:
            for part in content["parts"]:
                if "functionResponse" in part:
                    response = part["functionResponse"]
                    yield response["id"], text_of(next(iter(response["response"].values())))  # of output or error

    def events(self, call, number):
        part = {"text": "Done."} if call is None else {"functionCall": {"id": f"c{number}", **call[0], "args": call[1]}}
        content = {"role": "model", "parts": [part]}
        yield None, {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                     "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}


class OpenAIChat:
    """opencode."""

    def __init__(self, folder, model, mcp):
        config = {
            "provider": {"scripted": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": model + "/v1", "apiKey": "none"},
                "models": {"scripted": {"tool_call": True}},
            }},
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "mcp": {"desk": {"type": "remote", "url": mcp, "oauth": False}},
            "permission": "allow", "share": "disabled", "autoupdate": False,
        }
        (folder / "opencode.json").write_text(json.dumps(config))
        self.environment = {"OPENCODE_DISABLE_MODELS_FETCH": "true", "OPENCODE_DISABLE_AUTOUPDATE": "true"}
        self.arguments = ["run", "Go on."]

    def offered(self, request):
        for tool in request.get("tools", []):
            yield tool["function"]["name"], {"name": tool["function"]["name"]}

    def results(self, request):
        for message in request["messages"]:
            if message["role"] == "tool":
                yield message["tool_call_id"], text_of(message["content"])

    def events(self, call, number):
        if call is None:
            delta, reason = {"role": "assistant", "content": "Done."}, "stop"
        else:
            function = {**call[0], "arguments": json.dumps(call[1])}
            tool_call = {"index": 0, "id": f"c{number}", "type": "function", "function": function}
            delta, reason = {"role": "assistant", "tool_calls": [tool_call]}, "tool_calls"
        chunk = {"id": f"r{number}", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
        yield None, {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
                     "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}


class Anthropic:
    """Claude Code."""

    def __init__(self, folder, model, mcp):
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"desk": {"type": "http", "url": mcp}}}))
        self.environment = {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": "none", "CLAUDE_CONFIG_DIR": str(folder),
                            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}
        self.arguments = ["--mcp-config", str(folder / "mcp.json"), "--strict-mcp-config",
                          "--allowedTools", "mcp__desk", "--print", "Go on."]

    def offered(self, request):
        for tool in request.get("tools", []):
            yield tool["name"], {"name": tool["name"]}

    def results(self, request):
        for message in request["messages"]:
            for block in message["content"]:
                if isinstance(block, dict) and block["type"] == "tool_result":
                    failed = "isError: " if block.get("is_error") else ""
                    yield block["tool_use_id"], failed + text_of(block["content"])

    def events(self, call, number):
        message = {"id": f"m{number}", "type": "message", "role": "assistant", "model": "scripted", "content": [],
                   "stop_reason": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        yield "message_start", {"type": "message_start", "message": message}
        if call is None:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}
        else:
            block = {"type": "tool_use", "id": f"c{number}", **call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
        yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": 0}
        reason = "end_turn" if call is None else "tool_use"
        yield "message_delta", {"type": "message_delta", "delta": {"stop_reason": reason},
                                "usage": {"output_tokens": 1}}
        yield "message_stop", {"type": "message_stop"}


ASSISTANTS = {"codex": OpenAIResponses, "gemini": Gemini, "opencode": OpenAIChat, "claude": Anthropic}


class Session:
    """The steps of one server, as the model goes through them."""

    def __init__(self, server):
        self.server = server
        self.protocol = None
        self.calls = [step for step in STEPS[server] if "tool" in step for _ in range(step.get("times", 1))]
        self.asked = 0
        self.named = None
        self.lock = threading.Lock()

    def show(self, step, outcome, text):
        print("\t".join([self.server, step, outcome, " ".join(str(text).split())]), flush=True)

    def next(self, request):
        """The call to make next, or nothing. Shows the result of the last one."""
        tools = {step["tool"] for step in self.calls}
        named = {tool: how for name, how in self.protocol.offered(request) for tool in tools if name.endswith(tool)}
        with self.lock:
            if not named:  # a title for the session, or whether the question is a new topic
                return None
            if self.named is None:
                self.named = named
                self.show("connect", "ok", f"{len(named)} tools")
                self.show("tools", "ok", " ".join(sorted(named)))
            if self.asked:
                step = self.calls[self.asked - 1]
                result = dict(self.protocol.results(request)).get(f"c{self.asked}", "nothing")
                self.show(f"{step['step']} {step['tool']}", "ok", result)
            if self.asked == len(self.calls):
                return None
            step = self.calls[self.asked]
            self.asked += 1
            return named[step["tool"]], step["arguments"]


def serve(session):
    """A model for one session, as a server of its provider."""
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                call = session.next(json.loads(body))
            except (ValueError, KeyError, TypeError) as error:  # telemetry, or a count of tokens
                self.send_error(404)
                print(self.path, repr(error), file=sys.stderr)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for event, data in session.protocol.events(call, session.asked):
                name = f"event: {event}\n" if event else ""
                self.wfile.write(f"{name}data: {json.dumps(data)}\n\n".encode())

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def play(name, program, server, url):
    session = Session(server)
    with tempfile.TemporaryDirectory() as folder:
        http = serve(session)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        protocol = ASSISTANTS[name](pathlib.Path(folder), f"http://127.0.0.1:{http.server_port}", url)
        session.protocol = protocol
        environment = {**os.environ, "HOME": folder, "PWD": folder, **protocol.environment}
        try:
            done = subprocess.run([program, *protocol.arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=PATIENCE)
            print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
            if session.asked < len(session.calls):
                session.show("session", "raises", f"ended with status {done.returncode} after {session.asked} calls")
        except subprocess.TimeoutExpired:
            step = session.calls[session.asked - 1]
            session.show("session", "raises", f"no answer in {PATIENCE} s to {step['step']} {step['tool']}")
        http.shutdown()


for server, path in PATHS.items():
    play(sys.argv[1], sys.argv[2], server, sys.argv[3].rstrip("/") + path)
