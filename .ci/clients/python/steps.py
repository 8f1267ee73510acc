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


def run(connect):
    """connect(url) is an async context manager of an object with version(), and the
    coroutines tools(), resources(), read(uri) and call(tool, arguments); what a tool
    reports as its own failure is a text that begins with "isError:". An agent framework
    also has converse(question, choose): its model calls ask_faq with the question, and
    answers the user with what choose makes of what the framework hands it."""
    play = converse if sys.argv[2:] == ["assistant"] else main
    asyncio.run(play(sys.argv[1].rstrip("/"), connect))
