"""Compares what each client showed with expected/, and prints a table of all, and one of
the errors that each shows where errors of tools are results (NAME_results.txt).

report.py OUT [update|show]: OUT holds a file for each client, as the clients print them.
With update the expectations are written anew: read their diff. show compares nothing."""

import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
out = pathlib.Path(sys.argv[1])
update, show = sys.argv[2:] == ["update"], sys.argv[2:] == ["show"]

# What differs from run to run, or with the sample content.
VARYING = [
    (r"127\.0\.0\.1:\d+|localhost:\d+", "HOST"),
    (r"Wait \d+ s", "Wait N s"),
    (r"(in|after|for) \d+ ?s(econds)?\b", r"\1 N s"),
    (r"(\\?\"retry_after_seconds\\?\":) ?\d+", r"\1N"),
    (r"(\\?\"id\\?\":)(\d+|\\?\"[0-9a-f-]+\\?\")", r"\1N"),
    (r"The ids are [^;]*;", "The ids are …;"),
    (r"scope [0-9a-f]+", "scope …"),
    (r"""(suggestions\\*["']: ?\[).*""", r"\1…"),  # which candidates there are is the selector's matter
    (r"(Approved answers that may fit:).*", r"\1 …"),
]


def normal(raw):
    """The lines of a client without what varies. A result is named, not shown."""
    lines, first = [], {}
    for line in raw.splitlines():
        server, step, outcome, text = line.split("\t", 3)
        kind, _, tool = step.partition(" ")
        if outcome == "ok" and text.startswith("{") and not text.startswith('{"error"') and tool:
            if kind == "again":
                text = "the first answer" if text == first[server, tool] else "another answer"
            else:
                first[server, tool] = text
                text = "a result"
        for pattern, replacement in VARYING:
            text = re.sub(pattern, replacement, text)
        lines.append("\t".join([server, step, outcome, text[:400]]))
    return "\n".join(lines) + "\n"


def cell(lines, kinds):
    """ok if every step of the kinds on both servers is, else what was shown first."""
    found = [line for line in lines if line[1].split()[0] in kinds]
    wrong = [line for line in found if line[2] != "ok" or line[3] not in ("a result", "text", "the first answer") and line[1] not in ("tools", "resources", "connect")]
    return "-" if not found else wrong[0][3] if wrong else "ok"


def first(lines, step):
    """What the first line of a step showed, or nothing."""
    return next((line[3] for line in lines if line[1].startswith(step)), "")


def shown(text):
    """The part of an error that a reader looks for."""
    if not text:
        return ""
    if found := re.search(r"Wait N s\. More than \d+ \w+ requests", text):
        return f"“{found[0]} …”" + (" within the body" if '"jsonrpc"' in text else "")
    return f"“{text[:70]}”"


failed = []
tables = {
    "contract": [("client", "connects", "lists", "reads", "calls", "key", "invalid arguments", "past the limit", "and then")],
    "results": [("client", "invalid arguments", "unknown service", "past the limit", "and then")],
}
for file in sorted(out.glob("*.txt")):
    name, got = file.stem, normal(file.read_text())
    golden = here / "expected" / file.name
    if update:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(got)
    elif not show and (not golden.exists() or golden.read_text() != got):
        failed.append(name)
        want = golden.read_text().splitlines() if golden.exists() else []
        print(f"{name}: not as expected")
        for line in [f"  - {w}" for w in want if w not in got.splitlines()] + [f"  + {g}" for g in got.splitlines() if g not in want]:
            print(line)
    lines = [line.split("\t", 3) for line in got.splitlines()]
    if lines[0][0] == "assistant":
        continue  # a conversation has no steps for the table
    ended = next((line[3] for line in lines if line[1] == "session"), "")
    invalid, unknown, limit = (shown(first(lines, step)) for step in ("invalid ask_faq", "invalid get_service", "limit "))
    then = "the session ends" if ended else "goes on" if cell(lines, ["after"]) == "ok" else cell(lines, ["after"])
    if name.endswith("_results"):
        tables["results"].append((name.removesuffix("_results").replace("_", " "), invalid, unknown, limit or shown(ended), then))
    else:
        tables["contract"].append((
            name.replace("_", " "), cell(lines, ["connect"]), cell(lines, ["tools", "resources"]), cell(lines, ["read"]),
            cell(lines, ["valid", "fill"]), cell(lines, ["again"]), invalid, limit or shown(ended), then,
        ))

for setting, rows in tables.items():
    print(f"errors of tools: {setting}")
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + " --- |" * len(rows[0]))
    for row in rows[1:]:
        print("| " + " | ".join(row) + " |")
if show:
    sys.exit(0)
if missing := [f.stem for f in (here / "expected").glob("*.txt") if not (out / f.name).exists()]:
    print("did not run:", ", ".join(sorted(missing)))
sys.exit(1 if failed or missing else 0)
