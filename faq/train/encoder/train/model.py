"""The encoder as a PyTorch module, and texts as its token states."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

LONGEST = 64  # tokens of a text in training; the service reads up to 128

# Where the processor multiplies bfloat16 itself it takes half the time of float32, elsewhere many times as much.
BFLOAT16 = any(flag in open("/proc/cpuinfo").read() for flag in ("avx512_bf16", "amx_bf16"))


class Layer(nn.Module):
    def __init__(self, h):
        super().__init__()
        d = h["hidden"]
        self.heads = h["heads"]
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, h["inner"]), nn.Linear(h["inner"], d)
        self.n1, self.n2 = nn.LayerNorm(d, h["epsilon"]), nn.LayerNorm(d, h["epsilon"])

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :], scale=1.0)  # 1/sqrt is in the weights
        x = self.n1(x + self.out(a.transpose(1, 2).reshape(b, t, d)))
        return self.n2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    """A weight file as a module."""

    def __init__(self, file):
        super().__init__()
        h, self.tokens = file.header, file.tokenizer()
        self.header = h
        self.ids = {piece: i for i, piece in enumerate(file.pieces)}
        tensors = {name: torch.tensor(value) for name, value in file.tensors.items()}
        self.emb, self.pos = tensors.pop("emb"), tensors.pop("pos")
        self.n = nn.LayerNorm(h["hidden"], h["epsilon"])
        self.layers = nn.ModuleList(Layer(h) for _ in range(h["layers"]))
        self.load_state_dict(tensors)

    def pieces(self, key):
        """The pieces of a text; key is (kind, text), and the kind names the prefix: query or passage."""
        kind, text = key
        # The published table makes U+200D a space, which newer versions of sentencepiece keep. The service
        # removes zero bytes and reads the wide tilde as a tilde.
        text = text.replace("\u200d", " ").replace("\0", "").replace("～", "~")
        return self.tokens.encode(self.header[kind] + text, out_type=str)

    def tokens_of(self, pieces):
        ids = [self.ids.get(piece, self.header["unknown"]) for piece in pieces]
        return [self.header["first"]] + ids + [self.header["last"]]

    def split(self, key):
        """The tokens of a text as it is trained on."""
        return self.tokens_of(self.pieces(key)[:LONGEST - 2])

    def states(self, pieces):
        """The token states of one text in float32."""
        ids = torch.tensor([self.tokens_of(pieces)])
        return self.run(self.n(self.emb[ids] + self.pos[:ids.shape[1]]), torch.ones(ids.shape, dtype=torch.bool))[0]

    def run(self, x, mask, first=0, last=None):
        for layer in self.layers[first:last]:
            x = layer(x, mask)
        return x

    @torch.no_grad()
    def lower(self, keys, last):
        """The token states of texts after the first layers, which are not trained, by key."""
        ids = {key: self.split(key) for key in keys}
        states = {}
        for batch in batches(sorted(ids, key=lambda key: len(ids[key])), lambda key: len(ids[key])):
            padded = torch.zeros(len(batch), len(ids[batch[-1]]), dtype=torch.long)
            mask = torch.zeros(padded.shape, dtype=torch.bool)
            for row, key in enumerate(batch):
                padded[row, :len(ids[key])] = torch.tensor(ids[key])
                mask[row, :len(ids[key])] = True
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                x = self.run(self.n(self.emb[padded] + self.pos[:padded.shape[1]]), mask, 0, last)
            for row, key in enumerate(batch):
                states[key] = x[row, :len(ids[key])].to(torch.bfloat16).clone()
        return states

    def upper(self, states, first):
        """Pooled vectors, and the normalised token states without the prefix, of texts by their lower states."""
        vectors, tokens = [None] * len(states), [None] * len(states)
        order = sorted(range(len(states)), key=lambda i: len(states[i]))
        for batch in batches(order, lambda i: len(states[i])):
            x = nn.utils.rnn.pad_sequence([states[i].float() for i in batch], batch_first=True)
            lengths = torch.tensor([len(states[i]) for i in batch])
            mask = torch.arange(x.shape[1])[None] < lengths[:, None]
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                y = self.run(x, mask, first).float()
            pooled = F.normalize((y * mask[..., None]).sum(1), dim=-1)
            each = F.normalize(y, dim=-1)
            for row, i in enumerate(batch):
                vectors[i] = pooled[row]
                tokens[i] = each[row, 3:len(states[i]) - 1] if len(states[i]) > 4 else each[row, :len(states[i])]
        return torch.stack(vectors), tokens


def batches(ordered, length, most=2500):
    """Split what is ordered by length into batches of about as many tokens."""
    batch = []
    for one in ordered:
        if batch and ((len(batch) + 1) * length(one) > most or length(one) > 1.25 * length(batch[0]) + 3):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def auroc(above, below):
    """The chance that one of above is greater than one of below; a tie counts half."""
    above, below = np.asarray(above), np.sort(below)
    return float((np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")).mean() / 2 / len(below))
