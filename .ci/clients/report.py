"""Compares what each client showed with what is expected, and prints a table of all
clients for each setting of FRONTDESK_MCP_TOOL_ERRORS.

report.py FOLDER OUT [update]: OUT holds a file for each client, as the clients print them,
and FOLDER/expected what they should show; NAME_results.txt is for errors of tools as
results. With update the expectations are written anew: read their diff.
FOLDER/checked.txt has the day on which a client of FOLDER last showed what is expected, and
not all of them must run; a folder without that file is checked in CI."""

import datetime
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
update = sys.argv[3:] == ["update"]
FOLDERS = [here, here.parent / "clients-all"]

# What differs from run to run, or with the sample content.
VARYING = [
    (r"127\.0\.0\.1:\d+|localhost:\d+", "HOST"),
    (r"Wait \d+ s", "Wait N s"),
    (r"(in|after|for) \d+ ?s(econds)?\b", r"\1 N s"),
    (r"(\\?\"retry_after_seconds\\?\":) ?\d+", r"\1N"),
    (r"(\\?\"id\\?\":)(\d+|\\?\"[0-9a-f-]+\\?\")", r"\1N"),
    (r"(request_id\\*[\"']: ?\\*[\"'])[A-Za-z0-9._-]+", r"\1N"),
    (r"The ids are [^;]*;", "The ids are …;"),
    (r"scope [0-9a-f]+", "scope …"),
    (r"""(suggestions\\*["']: ?\[).*""", r"\1…"),  # which candidates there are is the selector's matter
    (r"(\"stack\":) .*", r"\1 …"),
    (r"(Approved answers that may fit:).*", r"\1 …"),
]


def normal(raw):
    """The lines of a client without what varies. A result is named, not shown."""
    lines, first = [], {}
    for line in raw.splitlines():
        server, step, outcome, text = line.split("\t", 3)
        kind, _, tool = step.partition(" ")
        if outcome == "ok" and text.startswith(("{", "['{")) and not text.startswith('{"error"') and tool:
            if kind == "again":
                text = "the first answer" if text == first[server, tool] else "another answer"
            elif kind == "fallback":
                text = "candidates" if re.search(r"""candidates\\*["']: ?\[\{""", text) else "no candidates"
            else:
                first[server, tool] = text
                text = "a result"
        for pattern, replacement in VARYING:
            text = re.sub(pattern, replacement, text)
        lines.append("\t".join([server, step, outcome, text[:400]]))
    return "\n".join(lines) + "\n"


def compare():
    """The names of the clients that showed something else than expected, or did not run."""
    expected = folder / "expected"
    failed = []
    for file in sorted(out.glob("*.txt")):
        got, golden = normal(file.read_text()), expected / file.name
        if update:
            expected.mkdir(exist_ok=True)
            golden.write_text(got)
        elif not golden.exists() or golden.read_text() != got:
            failed.append(file.stem)
            want = golden.read_text().splitlines() if golden.exists() else []
            print(f"{file.stem}: not as expected")
            for line in [f"  - {w}" for w in want if w not in got.splitlines()] + [f"  + {g}" for g in got.splitlines() if g not in want]:
                print(line)
    for golden in sorted(expected.glob("*.txt")):
        if days(folder) is None and not (out / golden.name).exists():
            failed.append(golden.stem)
            print("did not run:", golden.stem)
    return failed


def days(of):
    """The day on which each client of a folder was checked, by name; nothing if CI does."""
    file = of / "checked.txt"
    return dict(line.split() for line in file.read_text().splitlines()) if file.exists() else None


def cell(lines, kinds, good):
    """yes if every step of the kinds on both servers showed one of the good texts, else the
    first that did not."""
    found = [(outcome, text) for _, step, outcome, text in lines if step.startswith(kinds)]
    wrong = [of for of in found if of[0] != "ok" or good and of[1] not in good]
    return "–" if not found else shown(*wrong[0]) if wrong else "yes"


def shown(outcome, text, sentence=None):
    """What a table says of an error: whether it has the sentence that a reader looks for."""
    if text.startswith("TimeoutError") or "no answer in" in text:
        return "no answer in 20 s"
    if sentence and re.search(sentence, text):
        text = "the sentence, in the raw body" if '"jsonrpc"' in text else "the sentence"
    else:
        text = "“" + text[:60].replace("|", "\\|") + ("…" if len(text) > 60 else "") + "”"
    return text if outcome == "ok" else "raises " + text


def row(name, text, day):
    lines = [line.split("\t", 3) for line in text.splitlines()]
    ended = next(((outcome, text) for _, step, outcome, text in lines if step == "session"), None)

    def error(step, sentence):
        for _, of, outcome, text in lines:
            if of.startswith(step):
                return shown(outcome, text, sentence)
        return shown(*ended, sentence) if ended else "–"

    connects = cell(lines, ("connect",), None)
    if connects == "–":
        return [name, shown(*ended), *["–"] * 7, day]
    return [
        name, connects,
        cell(lines, ("valid ask_faq",), ["a result"]),
        cell(lines, ("fallback",), ["candidates"]),
        error("invalid ask_faq", r"q is required\."),
        error("invalid get_service", r"is not the id of a service\. The ids are"),
        error("limit ", r"Wait N s\. More than \d+ \w+ requests"),
        cell(lines, ("again", "fill request_pilot", "fill start_trial"), ["a result", "the first answer"]),
        "the session ends" if ended else cell(lines, ("after",), ["a result"]).replace("yes", "goes on"),
        day,
    ]


def tables():
    head = ["client", "connects", "answer", "fallback", "invalid argument", "unknown service", "limit", "sends once", "and then", "checked"]
    rows = {"contract": [], "results": []}
    for of in FOLDERS:
        day = days(of)
        for golden in of.glob("expected/*.txt"):
            if not golden.stem.endswith("_assistant"):
                setting = "results" if golden.stem.endswith("_results") else "contract"
                name = golden.stem.removesuffix("_results")
                rows[setting].append(row(name.replace("_", " "), golden.read_text(), "CI" if day is None else day[golden.stem]))
    text = ""
    for setting, found in rows.items():
        text += f"\n`FRONTDESK_MCP_TOOL_ERRORS={setting}`:\n\n| " + " | ".join(head) + " |\n|" + " --- |" * len(head) + "\n"
        text += "".join("| " + " | ".join(of) + " |\n" for of in sorted(found, key=lambda of: of[0].lower()))
    return text + "\n"


failed = compare()
if (checked := days(folder)) is not None:
    today = datetime.date.today().isoformat()
    checked |= {file.stem: today for file in out.glob("*.txt") if file.stem not in failed}
    known = {golden.stem for golden in folder.glob("expected/*.txt")}
    (folder / "checked.txt").write_text("".join(f"{name} {day}\n" for name, day in sorted(checked.items()) if name in known))
print(tables())
print(f"{len(list(out.glob('*.txt'))) - len(failed)} as expected, {len(failed)} not")
sys.exit(1 if failed else 0)
