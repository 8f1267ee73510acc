"""Training desks: entries, and questions with the place of the entry that answers them or -1."""
import glob
import json
import os
import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def read(folder):
    """All desks of a folder by name, the same on every machine."""
    return {os.path.basename(path): desk(path) for path in sorted(glob.glob(folder + "/*"))}


def desk(path):
    entries, questions = lines(path + "/entries.jsonl"), lines(path + "/queries.jsonl")
    place = {entry["id"]: i for i, entry in enumerate(entries)}
    return {
        "language": questions[0]["lang"],
        "entries": [
            [("query", wording) for wording in [entry["question"], *entry.get("alternates", [])]]
            + [("passage", entry["question"] + " " + entry["answer"])]
            for entry in entries
        ],
        "questions": [(q["q"], place.get(q["id"], -1), q.get("kind", "plain")) for q in questions],
    }


TOPICS, OTHERS, ASKED = 40, 10, 2  # of a drawn desk: its entries, topics that it lacks, and questions of each


def drawn(folder, count):
    """Desks drawn from the training part of a public set of intents, by name. Topics that a desk lacks are asked as near questions."""
    topics, name = lines(folder + "/entries.jsonl"), os.path.basename(folder)
    return {f"{name} {i}": draw(topics, seeded(name, i)) for i in range(count)}


def draw(topics, rng):
    wordings, some = rng.choice([0, 1, 2, 4]), rng.sample(topics, TOPICS + OTHERS)
    entries, questions = [], []
    for i, topic in enumerate(some):
        texts = rng.sample(topic["alternates"], wordings + ASKED)
        questions += [(text, i if i < TOPICS else -1, "plain" if i < TOPICS else "near") for text in texts[wordings:]]
        if i < TOPICS:
            entries.append([("query", text) for text in [topic["question"], *texts[:wordings]]] + [("passage", topic["question"])])
    return {"language": "en", "entries": entries, "questions": questions}


def texts_of_set(folder):
    """Every text of a public set."""
    for path in sorted(glob.glob(folder + "/*.jsonl")):
        if "background" not in path:
            for line in lines(path):
                yield from [line["question"], *line["alternates"]] if "question" in line else [line["q"]]


def folds(desks, count):
    """Divide desks into folds, each with a like share of every language."""
    ordered = sorted(desks, key=lambda name: (desks[name]["language"], name))
    return [ordered[i::count] for i in range(count)]


def mistyped(text, rng):
    """The text as somebody types it in a hurry: one slip in some fifteen letters, no capitals, no marks at its end."""
    letters = list(text.lower().rstrip("?.! "))
    for _ in range(max(1, len(letters) // 15)):
        places = [i for i in range(1, len(letters) - 1) if letters[i].isalpha() and letters[i + 1].isalpha()]
        if not places:
            break
        i = rng.choice(places)
        slip = rng.randrange(4)
        if slip == 0:
            letters[i], letters[i + 1] = letters[i + 1], letters[i]
        elif slip == 1:
            del letters[i]
        elif slip == 2:
            letters.insert(i, letters[i])
        else:
            letters[i] = rng.choice(LETTERS)
    return "".join(letters)


def with_typing_errors(desk, rng, share=0.15):
    """The desk with mistyped copies of some of its plain and short questions."""
    some = [q for q in desk["questions"] if q[2] in ("plain", "short") and q[1] >= 0 and rng.random() < share * 2.5]
    return desk["questions"] + [(mistyped(text, rng), entry, "typo") for text, entry, _ in some]


def seeded(*parts):
    return random.Random("/".join(map(str, parts)))
