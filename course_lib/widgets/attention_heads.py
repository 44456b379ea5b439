"""What the attention stepper shows of one attention, as plain data: vectors, products, weights, all its heads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention import Dot, MultiHeadAttention, ScaledDot, ScaledDotProduct
from course_lib.transformer.model import Transformer
from course_lib.transformer.reading import reading
from course_lib.transformer.trace import Heads, trace, watch
from course_lib.translator import Translator

TERMS = 4  # of the sum behind a component


@dataclass(frozen=True)
class Attention:
    """One attention between words, with all its heads: word i of `asking` looks at the words of `asked`.

    `mask` is True where it may; None: everywhere. `made_of` says for "q", "k" and "v" of which x (word, d_model) and W
    (heads, d_model, width) the vectors are made, if they are. Raises ValueError for shapes that do not fit the words.
    """

    name: str
    asking: Sequence[str]
    asked: Sequence[str]
    Q: Float[Tensor, "heads query d_k"]
    K: Float[Tensor, "heads key d_k"]
    V: Float[Tensor, "heads key d_v"]
    mask: Bool[Tensor, "query key"] | None = None
    made_of: Mapping[str, tuple[Tensor, Tensor]] = field(default_factory=dict)

    def __post_init__(self):
        for name, words, vectors in (("Q", self.asking, self.Q), ("K", self.asked, self.K), ("V", self.asked, self.V)):
            if vectors.ndim != 3 or vectors.shape[:2] != (len(self.Q), len(words)):
                wanted = f"({len(self.Q)} heads, {len(words)} words, width)"
                raise ValueError(f"{name} must have the shape {wanted}, got {tuple(vectors.shape)}")


def attentions(translator: Translator, text: str, max_length: int | None = None) -> list[Attention]:
    """All attentions of a Transformer while it translates `text`, by layers: encoder, decoder, decoder on the source.

    As `transformer.reading` reads it, which also says what raises ValueError.
    """
    pair, model = reading(translator, text, max_length=max_length).plain(), translator.model
    seen = trace(model, *pair.batch)
    encoder, decoder = model.encoder.layers, model.decoder.layers
    kinds = [
        ("Encoder", seen.encoder, [layer.self_attention for layer in encoder], pair.source, pair.source),
        ("Decoder", seen.decoder, [layer.self_attention for layer in decoder], pair.read, pair.read),
        ("Decoder on the source", seen.cross, [layer.cross_attention for layer in decoder], pair.read, pair.source),
    ]
    made_of = _made_of(model, [module for _, _, modules, _, _ in kinds for module in modules], *pair.batch)
    return [
        Attention(
            f"{kind}, layer {n}",
            asking,
            asked,
            *(one[0] for one in (h.queries, h.keys, h.values)),
            _mask(h),
            made_of[module],
        )
        for kind, layers, modules, asking, asked in kinds
        for n, (h, module) in enumerate(zip(layers, modules, strict=True), start=1)
    ]


def _made_of(
    model: Transformer, attentions: Sequence[MultiHeadAttention], *batch: Tensor
) -> dict[MultiHeadAttention, dict[str, tuple[Tensor, Tensor]]]:
    """Of each attention what its projections read, and their weights."""
    projections = {one: {"q": one.W_Q, "k": one.W_K, "v": one.W_V} for one in attentions}
    seen = watch(model, [linear for one in projections.values() for linear in one.values()], *batch)
    return {
        one: {
            letter: (seen[linear][0][0][0], linear.weight.detach().unflatten(0, (one.heads, -1)).mT)
            for letter, linear in linears.items()
        }
        for one, linears in projections.items()
    }


def _mask(heads: Heads) -> Bool[Tensor, "query key"] | None:
    """The mask of the one sentence, or None where it hides nothing."""
    if heads.mask is None or heads.mask.all():
        return None
    return heads.mask.expand_as(heads.weights)[0, 0]


def plain(attention: Attention) -> dict:
    """Its words and mask, and of each head what the equations give, rounded: [query][key] and [word][component].

    `largest` has for "q", "k" and "v" the largest component of each word, with the terms of x W that make most of it;
    `products` q·k, `scaled` q·k / √d_k, `exps` exp(e − max e) over the keys that may be looked at, `weights`, `z`.
    """
    Q, K, V = (vectors.double() for vectors in (attention.Q, attention.K, attention.V))
    mask = attention.mask
    scaled = ScaledDot()(Q, K)
    z, weights = ScaledDotProduct()(Q, K, V, mask)
    open_scores = scaled if mask is None else scaled.masked_fill(~mask, -torch.inf)
    exps = (open_scores - open_scores.amax(-1, keepdim=True)).exp()
    shown = {
        "q": Q,
        "k": K,
        "v": V,
        "products": Dot()(Q, K),
        "scaled": scaled,
        "exps": exps,
        "weights": weights,
        "z": z,
    }
    return {
        "name": attention.name,
        "asking": list(attention.asking),
        "asked": list(attention.asked),
        "width": Q.shape[-1],
        "allowed": None if mask is None else mask.tolist(),
        "inputs": attention.made_of["q"][0].shape[1] if attention.made_of else 0,
        "heads": [
            {name: _rounded(rows[n]) for name, rows in shown.items()}
            | {"largest": {letter: _largest(x, W[n]) for letter, (x, W) in attention.made_of.items()}}
            for n in range(len(Q))
        ],
    }


def _largest(x: Float[Tensor, "word d_model"], W: Float[Tensor, "d_model width"]) -> list[dict]:
    """Of each word's x W the largest component, and the largest of the products whose sum it is: [x_d, W_dc]."""
    found = []
    for row, c in zip(x, (x @ W).abs().argmax(1).tolist(), strict=True):
        column = W[:, c]
        chosen = (row * column).abs().topk(min(TERMS, len(row))).indices
        found.append({"component": c, "terms": _rounded(torch.stack([row[chosen], column[chosen]], dim=1))})
    return found


def _rounded(rows: Float[Tensor, "row column"]) -> list[list[float]]:
    return [[round(value, 3) for value in row] for row in rows.tolist()]


def _thinking_machines() -> Attention:
    ones, halves = torch.ones(64), torch.arange(64) < 32
    K = torch.stack([1 + (torch.arange(64) < 48).float(), 1 + (~halves).float()])
    return Attention(
        "One head",
        ["Thinking", "Machines"],
        ["Thinking", "Machines"],
        torch.stack([ones, 2 * (~halves).float()])[None],
        K[None],
        torch.tensor([[[1.0, 0, 2, -1], [0, 1, 1, 1]]]),
    )


# Zhao's example: q_1·k_1 = 112, q_1·k_2 = 96 (there written q_2·k_2), √d_k = 8, so 14 and 12, and the weights .88 and
# .12. The vectors are not given there. These have such products: all components of q_1 are 1, those of k_1 are 2 (48 of
# them) and 1 (16), those of k_2 are 1 (32) and 2 (32).
THINKING_MACHINES = _thinking_machines()
