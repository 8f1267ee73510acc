"""Plays ../steps.json with one client and prints what its user sees: a line for each
step, with the server, the step, its tool and what came of it."""

import asyncio
import json
import pathlib
import sys
import traceback

STEPS = json.loads((pathlib.Path(__file__).parent.parent / "steps.json").read_text())
PATHS = {"website": "/mcp", "workspace": "/api/public/mcp"}
PATIENCE = 20  # seconds for one step: a client that hangs is a finding too


def said(error):
    """The message of an error, or of the first in a group: what a user is shown."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


async def attempt(work):
    try:
        return "ok", await asyncio.wait_for(work, PATIENCE)
    except asyncio.CancelledError:
        if asyncio.current_task().cancelling():
            raise
        return "raises", "CancelledError"
    except BaseException as error:  # the frameworks raise groups of exceptions
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return "raises", said(error)


async def play_server(server, url, connect):
    def show(step, outcome, text):
        print("\t".join([server, step, outcome, " ".join(str(text).split())]), flush=True)

    async with connect(url) as client:
        show("connect", "ok", client.version())
        for step in STEPS[server]:
            kind, tool = step["step"], step.get("tool", "")
            if kind == "tools":
                outcome, names = await attempt(client.tools())
                show(kind, outcome, " ".join(sorted(names)) if outcome == "ok" else names)
            elif kind == "resources":
                outcome, resources = await attempt(client.resources())
                show(kind, outcome, " ".join(sorted(resources)) if outcome == "ok" else resources)
            elif kind == "read":
                for name, uri in sorted(resources.items()):
                    outcome, text = await attempt(client.read(uri))
                    show(f"read {name}", outcome, "text" if outcome == "ok" and text else text)
            else:
                for _ in range(step.get("times", 1)):
                    outcome, text = await attempt(client.call(tool, step["arguments"]))
                    show(f"{kind} {tool}", outcome, text)


async def main(base, connect):
    for server, path in PATHS.items():
        try:
            await play_server(server, base + path, connect)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            print("\t".join([server, "session", "raises", " ".join(said(error).split())]), flush=True)
            traceback.print_exc(file=sys.stderr)


def run(connect):
    """connect(url) is an async context manager of an object with version(), and the
    coroutines tools(), resources(), read(uri) and call(tool, arguments); what a tool
    reports as its own failure is a text that begins with "isError:"."""
    asyncio.run(main(sys.argv[1].rstrip("/"), connect))
