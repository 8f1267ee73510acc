"""Write faq/encoder/testdata/reference.jsonl: what other implementations make of some 220 texts.

  reference.py WEIGHTS DESKS OUT   (see README.md)

Pieces come from Google's sentencepiece with the normalisation nmt_nfkc and the vocabulary of the weight
file, vectors from PyTorch in float32.
"""
import base64
import glob
import json
import os
import re
import sys

import numpy as np
import torch

sys.path.append(os.path.join(os.path.dirname(__file__), "train"))
from model import Encoder
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
        chosen += [lines[i]["q"] for i in range(0, len(lines), 90)]
    return [text for pair in zip_longest(chosen, NASTY) for text in pair if text is not None]


def zip_longest(a, b):
    for i in range(max(len(a), len(b))):
        yield (a[i] if i < len(a) else None, b[i] if i < len(b) else None)


def encoded(vector):
    vector = np.asarray(vector, np.float32)
    return base64.b64encode(np.rint(vector / np.abs(vector).max() * 32767).astype("<i2").tobytes()).decode()


@torch.no_grad()
def main(weights, desks, out):
    encoder = Encoder(WeightFile(weights))
    with open(out, "w", encoding="utf-8") as f:
        for i, text in enumerate(texts(desks)):
            split = encoder.pieces(("query", text))[:POSITIONS - 2]
            line = {"text": text, "pieces": " ".join(piece if piece in encoder.ids else "<unk>" for piece in split)}
            if i % WITH_VECTOR == 0:
                line["vector"] = encoded(encoder.states(split).mean(0))
            f.write(re.sub("\x7f", "\\\\u007f", json.dumps(line, ensure_ascii=False)) + "\n")


main(*sys.argv[1:])
