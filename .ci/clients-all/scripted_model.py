"""A model for frameworks that take an address in place of a model: a server here that speaks
OpenAI's chat completions and follows a script of steps.py."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def message(script, messages):
    """What the model says next: the call of the script's tool, or the answer to its result."""
    if messages[-1]["role"] == "tool":
        return "stop", {"role": "assistant", "content": script.finish(messages[-1]["content"])}
    function = {"name": script.tool, "arguments": json.dumps(script.arguments)}
    return "tool_calls", {"role": "assistant", "content": None,
                          "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


@contextmanager
def serve(script):
    """The address of the model."""
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reason, said = message(script, request["messages"])
            completion = {
                "id": "1", "object": "chat.completion", "created": 1, "model": "scripted",
                "choices": [{"index": 0, "finish_reason": reason, "message": said}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(json.dumps(completion).encode())

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_port}/v1"
    finally:
        http.shutdown()
