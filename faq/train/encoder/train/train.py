"""Tune the upper layers of the encoder on the training desks (README.md).

  train.py BASE DESKS OUT [--sets FOLDER...] [--steps N] [--folds N]

writes OUT/final.bin, one OUT/fold-N.bin for each fold, which has not seen the desks and the public set of that fold, and
OUT/folds.json, which says of each of their texts whose fold encoder must read it when the ranker is fitted.
"""
import argparse
import json
import os
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..")]
import desks as data
from model import Encoder, auroc
from weightfile import WeightFile

FIRST = 6          # layers below it, and the embeddings, stay as they are
RATE = 1e-4        # of AdamW
TEMPERATURE = 0.03
COLUMN = 0.5       # weight of: an entry ranks its own questions above all others
NONE = 0.3         # weight of: near and far questions score below a learnt threshold
MAXSIM = 0.5       # weight of the same losses for the tokens' best likeness
ANCHOR = 10        # weight of staying close to the untuned vector, so that other content is not harmed
QUESTIONS = 96     # of a step, all of one desk
DRAWN = 12         # desks of a public set


def likeness(vectors, tokens, desk, asked):
    """Two scores of each question for each entry: pooled vectors (best wording + passage), and best tokens."""
    keys, owner = [], []
    for i, texts in enumerate(desk["entries"]):
        keys += texts
        owner += [i] * len(texts)
    count, n = len(keys), len(desk["entries"])
    own, passage = torch.tensor(owner), torch.tensor([kind == "passage" for kind, _ in keys])
    cosine = vectors[count:count + asked] @ vectors[:count].T
    best = torch.stack([cosine[:, (own == i) & ~passage].max(1).values + cosine[:, (own == i) & passage].max(1).values for i in range(n)], 1)
    each = tokens[count:count + asked]
    joined, lengths = torch.cat(each), [len(t) for t in each]
    by_token = torch.stack([(joined @ torch.cat([tokens[j] for j in range(count) if owner[j] == i]).T).max(1).values for i in range(n)], 1)
    return best, torch.stack([part.mean(0) for part in by_token.split(lengths)])


def loss_of(score, wanted, temperature, threshold):
    logits, has = score / temperature, wanted >= 0
    loss = F.cross_entropy(logits[has], wanted[has])
    mine = torch.zeros_like(logits, dtype=torch.bool)
    mine[has.nonzero().squeeze(1), wanted[has]] = True
    columns = []
    for entry in mine.any(0).nonzero().squeeze(1):
        right, others = logits[mine[:, entry], entry], torch.logsumexp(logits[~mine[:, entry], entry], 0)
        columns.append((torch.logaddexp(right, others) - right).mean())
    refused = torch.cat([logits, (threshold / temperature).expand(len(logits), 1)], 1)
    none = F.cross_entropy(refused, torch.where(has, wanted, logits.shape[1]))
    return loss + COLUMN * torch.stack(columns).mean() + NONE * none


def texts_of(desk):
    return [key for entry in desk["entries"] for key in entry]


def train(file, desks, lower, anchors, steps, seed):
    """Return the encoder, tuned on the desks."""
    torch.manual_seed(seed)
    rng = data.seeded("steps", seed)
    encoder = Encoder(file)
    with torch.no_grad():
        untuned = {}
        for d in desks.values():
            keys = texts_of(d) + [("query", q[0]) for q in d["asked"]]
            untuned |= dict(zip(keys, encoder.upper([lower[k] for k in keys], FIRST)[0]))
        untuned |= dict(zip(anchors, encoder.upper([lower[k] for k in anchors], FIRST)[0]))
    for name, parameter in encoder.named_parameters():
        parameter.requires_grad_(name.startswith("layers.") and int(name.split(".")[1]) >= FIRST)
    tuned = [p for p in encoder.parameters() if p.requires_grad]
    thresholds = [nn.Parameter(torch.tensor(1.62)), nn.Parameter(torch.tensor(0.85))]
    optimizer = torch.optim.AdamW([
        {"params": [p for p in tuned if p.dim() > 1], "weight_decay": 0.01},
        {"params": [p for p in tuned if p.dim() < 2], "weight_decay": 0},
        {"params": thresholds, "weight_decay": 0, "lr": 2e-3},
    ], lr=RATE, betas=(0.9, 0.98))
    rates = [group["lr"] for group in optimizer.param_groups]
    queue, began, losses = [], time.time(), []
    for step in range(steps):
        if not queue:
            for name in desks:
                asked = desks[name]["asked"][:]
                rng.shuffle(asked)
                parts = max(1, round(len(asked) / QUESTIONS))
                queue += [(name, asked[i::parts]) for i in range(parts)]
            rng.shuffle(queue)
        name, asked = queue.pop()
        keys = texts_of(desks[name]) + [("query", q[0]) for q in asked] + rng.sample(anchors, min(6, len(anchors)))
        vectors, tokens = encoder.upper([lower[k] for k in keys], FIRST)
        wanted = torch.tensor([q[1] for q in asked])
        pooled, by_token = likeness(vectors, tokens, desks[name], len(asked))
        loss = loss_of(pooled, wanted, TEMPERATURE, thresholds[0]) + MAXSIM * loss_of(by_token, wanted, 0.7 * TEMPERATURE, thresholds[1])
        loss = loss + ANCHOR * (1 - (vectors * torch.stack([untuned[k] for k in keys])).sum(1)).mean()
        factor = min(1, (step + 1) / (0.1 * steps)) * max(0.02, 1 - step / steps)
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * factor
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 20 == 19 or step + 1 == steps:
            print(f"  step {step + 1} loss {np.mean(losses[-20:]):.3f} {time.time() - began:.0f} s", flush=True)
    return encoder


@torch.no_grad()
def measure(encoder, desks, lower):
    """Print how the encoder's likeness by itself ranks the questions of desks: first, among five, near misses."""
    first = five = count = 0
    right, near = [], []
    for d in desks.values():
        keys = texts_of(d) + [("query", q[0]) for q in d["questions"]]
        vectors, tokens = encoder.upper([lower[k] for k in keys], FIRST)
        pooled, by_token = likeness(vectors, tokens, d, len(d["questions"]))
        score = pooled + 1.5 * by_token
        for row, (_, entry, kind) in zip(score, d["questions"]):
            if entry >= 0:
                rank = int((row > row[entry]).sum())
                first, five, count = first + (rank == 0), five + (rank < 5), count + 1
                right.append(float(row.max()))
            elif kind == "near":
                near.append(float(row.max()))
    print(f"  {len(desks)} desks: first {100 * first / count:.1f}, among five {100 * five / count:.1f}, near AUROC {auroc(right, near):.3f}", flush=True)


def save(encoder, file, path):
    tensors = {name: p.detach().numpy() for name, p in encoder.named_parameters() if p.requires_grad}
    print(" ", path, file.write(path, tensors)[:16], flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base"), parser.add_argument("desks"), parser.add_argument("out")
    parser.add_argument("--steps", type=int, default=315)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--sets", nargs="*", default=[], help="folders of public sets, one a fold at most, of which desks are drawn too")
    parser.add_argument("--sentences", default="", help="JSON lines with plain sentences (q or text) that must keep their vectors")
    parser.add_argument("--only", nargs="*", help="final, or numbers of folds: to run them side by side")
    parser.add_argument("--threads", type=int, default=1)
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    os.makedirs(a.out, exist_ok=True)
    file, desks = WeightFile(a.base), data.read(a.desks)
    folds = data.folds(desks, a.folds)
    texts = {text: i for i, names in enumerate(folds) for name in names for text in
             [t for _, t in texts_of(desks[name])] + [q[0] for q in desks[name]["questions"]]}
    own = set(desks)
    for i, folder in enumerate(a.sets):
        drawn = data.drawn(folder, DRAWN)
        desks |= drawn
        folds[i] += drawn
        texts |= dict.fromkeys(data.texts_of_set(folder), i)
    for name, d in desks.items():
        d["asked"] = data.with_typing_errors(d, data.seeded("typing", name))
    anchors = []
    if a.sentences:
        sentences = [line.get("q") or line.get("text") for line in data.lines(a.sentences)]
        anchors = [("query", s) for s in data.seeded("sentences").sample(sentences, 400)]
    keys = set(anchors)
    for d in desks.values():
        keys |= set(texts_of(d)) | {("query", q[0]) for q in d["asked"]}
    lower = Encoder(file).lower(sorted(keys), FIRST)
    print(len(desks), "desks,", len(keys), "texts", flush=True)
    with open(os.path.join(a.out, "folds.json"), "w", encoding="utf-8") as out:
        json.dump({"files": [f"fold-{i}.bin" for i in range(a.folds)], "texts": texts}, out, ensure_ascii=False)
    if not a.only:
        print("untuned, all desks")
        measure(Encoder(file), desks, lower)
    for i, left_out in enumerate(folds):
        if not a.only or str(i) in a.only:
            print("fold", i)
            encoder = train(file, {n: d for n, d in desks.items() if n not in left_out}, lower, anchors, a.steps, seed=i)
            save(encoder, file, os.path.join(a.out, f"fold-{i}.bin"))
            measure(encoder, {n: desks[n] for n in left_out if n in own}, lower)
            if not own.issuperset(left_out):
                measure(encoder, {n: desks[n] for n in left_out if n not in own}, lower)
    if not a.only or "final" in a.only:
        print("final")
        steps = a.steps * a.folds // (a.folds - 1)  # as many passes over more desks
        save(train(file, desks, lower, anchors, steps, seed=a.folds), file, os.path.join(a.out, "final.bin"))


main()
