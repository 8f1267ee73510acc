"""The weight file of package faq/encoder (its format is in faq/encoder/weights) for Python: sections, tokenizer, rounding."""
import hashlib
import json
import struct
import tempfile

import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as spm

PARTS = ("qkv", "out", "n1", "up", "down", "n2")  # of a layer, in the order of the file


class WeightFile:
    """A weight file. tensors has each float array and each matrix (widened to float32) by its name."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        length, = struct.unpack_from("<I", self.data, 4)
        self.header, self.start = json.loads(self.data[8:8 + length]), 8 + length
        self.at, self.tensors, self.places = self.start, {}, {}
        h = self.header
        n, d = h["vocabulary"], h["hidden"]
        starts = self._take("<u4", n + 1)
        text = self._take("u1", int(starts[n])).tobytes()
        self.pieces = [text[starts[i]:starts[i + 1]].decode() for i in range(n)]
        self.scores = self._take("<f4", n)
        blocks = self._take("u1", n * d // 32 * 18).reshape(-1, 18)
        scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
        nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float32) - 8
        self.tensors["emb"] = (nibbles * scale).reshape(n, d)
        self.tensors["pos"] = self._take("<f4", h["positions"] * d).reshape(-1, d)
        self.tensors["n.weight"], self.tensors["n.bias"] = self._take("<f4", d), self._take("<f4", d)
        rows = {"qkv": (3 * d, d), "out": (d, d), "up": (h["inner"], d), "down": (d, h["inner"])}
        for layer in range(h["layers"]):
            for part in PARTS:
                name = f"layers.{layer}.{part}"
                self.places[name] = self.at
                if part in rows:
                    scales = self._take("<f4", rows[part][0])
                    self.tensors[name + ".bias"] = self._take("<f4", rows[part][0])
                    self.tensors[name + ".weight"] = self._take("i1", rows[part][0] * rows[part][1]).reshape(rows[part]) * scales[:, None]
                else:
                    self.tensors[name + ".weight"], self.tensors[name + ".bias"] = self._take("<f4", d), self._take("<f4", d)
        assert self.at == len(self.data), "the file has another length than its header says"

    def _take(self, kind, count):
        taken = np.frombuffer(self.data, kind, count, self.at).copy()
        self.at += -(-taken.nbytes // 4) * 4
        return taken

    def tokenizer(self):
        """A model of sentencepiece that has these pieces and the published normalisation."""
        with tempfile.TemporaryDirectory() as scratch:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(["some words to train a model of a few pieces"] * 10), model_prefix=scratch + "/m",
                vocab_size=30, hard_vocab_limit=False, normalization_rule_name="nmt_nfkc", minloglevel=2)
            proto = spm.ModelProto.FromString(open(scratch + "/m.model", "rb").read())
        del proto.pieces[3:]  # <unk>, <s> and </s> stay
        # The smallest score of all published pieces counts: it decides what an unknown code point costs.
        proto.pieces.add(piece="\ue123smallest", score=self.header["unknown_score"] + 10)
        for piece, score in zip(self.pieces, self.scores):
            if not piece.startswith("\0"):
                proto.pieces.add(piece=piece, score=float(score))
        return sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())

    def write(self, path, tensors):
        """Write the file with other tensors of layers. Matrices are rounded to int8 with a scale for each row."""
        data = bytearray(self.data)
        for name, at in self.places.items():
            weight, bias = tensors.get(name + ".weight"), tensors.get(name + ".bias")
            if weight is None:
                continue
            parts = [weight.astype("<f4"), bias.astype("<f4")]
            if weight.ndim == 2:
                scale = np.abs(weight).max(1) / 127
                parts = [scale.astype("<f4"), bias.astype("<f4"), carried(weight / scale[:, None])]
            new = b"".join(part.tobytes() for part in parts)
            data[at:at + len(new)] = new
        digest = hashlib.sha256(bytes(data[self.start:])).hexdigest()
        data[8:self.start] = bytes(data[8:self.start]).replace(self.header["sha256"].encode(), digest.encode())
        open(path, "wb").write(data)
        return digest


def carried(x):
    """Round each row and carry the error of a weight to the next one.

    A change by training is often smaller than half a step, and the untuned weights lie on the grid: rounding to the
    nearest would undo a seventh of what was learnt.
    """
    rounded, error = np.empty(x.shape, np.int8), np.zeros(len(x))
    for column in range(x.shape[1]):
        value = x[:, column] + error
        nearest = np.clip(np.rint(value), -127, 127)
        rounded[:, column], error = nearest, np.clip(value - nearest, -.5, .5)
    return rounded
