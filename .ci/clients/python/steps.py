"""Plays ../steps.json with one client and prints what its user sees: a line for each
step, with the server, the step, its tool and what came of it. With the argument
"assistant" it plays a conversation instead: see converse."""

import asyncio
import json
import pathlib
import sys
import traceback
import urllib.request

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


def candidates(material):
    """The candidates in what a framework hands to its model: JSON, at any depth."""
    if isinstance(material, str):
        try:
            return candidates(json.loads(material))
        except ValueError:
            return []
    if isinstance(material, dict) and material.get("candidates"):
        return material["candidates"]
    inner = material.values() if isinstance(material, dict) else material if isinstance(material, list) else []
    return next(filter(None, map(candidates, inner)), [])


def approved(base, question):
    """The answer that the HTTP API gives to a published question."""
    body = json.dumps({"q": question}).encode()
    with urllib.request.urlopen(urllib.request.Request(base + "/v1/ask", body)) as answer:
        return json.load(answer)["answer"]


async def converse(base, connect):
    """Shows an agent's view of questions that are not answered for certain. Its model asks
    in the user's words, reads the candidates, and gives the answer of the one that the user
    meant. Each answer is compared with the approved text, byte for byte."""
    def show(step, outcome, text):
        print("\t".join(["assistant", step, outcome, " ".join(str(text).split())]), flush=True)

    async with connect(base + PATHS["website"]) as client:
        for step in STEPS["assistant"]:
            def choose(material):
                for text in material if isinstance(material, list) else [material]:
                    show("sees", "ok", text if isinstance(text, str) else json.dumps(text, ensure_ascii=False))
                found = candidates(material)
                chosen = next((c for c in found if c["question"] == step["means"]), {})
                show("picks", "ok" if chosen else "finds none", chosen.get("question"))
                return chosen.get("answer", "No approved answer fits.")

            show("asks", "ok", step["question"])
            outcome, answer = await attempt(client.converse(step["question"], choose))
            show("answers", "ok" if answer == approved(base, step["means"]) else "not the approved text", answer)


def field(value, *names):
    """The first of the attributes that a value has, or the value itself: clients differ in
    whether they unpack what the SDK's types wrap."""
    return next((getattr(value, name) for name in names if hasattr(value, name)), value)


class Client:
    """What the steps need of a client. mcp is its object with the methods of the official
    SDK, version what it shows once it is connected. What a tool reports as its own failure
    is a text that begins with "isError:"."""

    def __init__(self, mcp, version):
        self.mcp, self.hello = mcp, version

    def version(self):
        return self.hello

    async def tools(self):
        return [tool.name for tool in field(await self.mcp.list_tools(), "tools")]

    async def resources(self):
        return {r.name: str(r.uri) for r in field(await self.mcp.list_resources(), "resources")}

    async def read(self, uri):
        return field(field(await self.mcp.read_resource(uri), "contents")[0], "text")

    async def call(self, tool, arguments):
        result = await self.mcp.call_tool(tool, arguments)
        return ("isError: " if field(result, "isError", "is_error") is True else "") + result.content[0].text


class Script:
    """What a framework's model does: it calls one tool, then answers with what conclude
    makes of what the framework hands it, which is kept in seen."""

    def __init__(self, tool, arguments, conclude):
        self.tool, self.arguments, self.conclude = tool, arguments, conclude
        self.seen = None

    def finish(self, seen):
        self.seen = seen
        return self.conclude(seen)


class Agent(Client):
    """A client whose tools are called by a framework's agent. It has play(script, prompt),
    which lets an agent follow the script and returns its answer. material(seen) is what the
    model reads of what the framework handed to it, and text(seen) the first text of that."""

    def __init__(self, mcp, offered):
        super().__init__(mcp, f"{len(offered)} tools")
        self.offered = offered

    async def tools(self):
        return [tool.name for tool in self.offered]

    def material(self, seen):
        return seen

    def text(self, seen):
        return self.material(seen)

    async def call(self, tool, arguments):
        script = Script(tool, arguments, lambda seen: "Done.")
        await self.play(script, "Go on.")
        return self.text(script.seen)

    async def converse(self, question, choose):
        return await self.play(Script("ask_faq", {"q": question}, lambda seen: choose(self.material(seen))), question)


def run(connect):
    """connect(url) is an async context manager of a Client, or of an Agent."""
    play = converse if sys.argv[2:] == ["assistant"] else main
    asyncio.run(play(sys.argv[1].rstrip("/"), connect))
