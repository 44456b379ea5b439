"""The values of the Transformer's pictures: what a model computes while it translates a sentence."""

from typing import Literal

import torch
from torch import Tensor, nn

from course_lib.attention import MultiHeadAttention, ScaledDot
from course_lib.diagrams.values import Rows
from course_lib.transformer.reading import Reading, reading
from course_lib.transformer.trace import Heads, watch
from course_lib.translator import Translator

Values = dict[str, Rows]
Seen = dict[nn.Module, tuple]


def self_attention_values(
    translator: Translator, text: str, *, layer: int = 0, head: int = 0, units: int = 8
) -> tuple[list[str], Values]:
    """(source pieces, values of `self_attention` where each of them asks) of a head of the encoder.

    Layers and heads count from 0; of vectors the first `units` are shown. Raises ValueError for a layer or a head that
    is not there, and as `transformer.reading` does.
    """
    read, seen, chosen = _watched(translator, text, "encoder", layer, head)
    x, heads = _heads(seen, chosen.self_attention)
    scores = ScaledDot()(heads.queries, heads.keys)[0, head]
    values = {
        "xi": _rows(x, units),
        "q": _rows(heads.queries[0, head], units),
        "z": _rows(heads.contexts[0, head], units),
    }
    for j, _ in enumerate(read.source):
        for name, vectors in (("x", x), ("k", heads.keys[0, head]), ("v", heads.values[0, head])):
            values[f"{name}{j + 1}"] = [vectors[j, :units].tolist()] * len(x)
        values[f"e{j + 1}"] = _rows(scores[:, j : j + 1])
        values[f"a{j + 1}"] = values[f"a{j + 1} -- m{j + 1}"] = _rows(heads.weights[0, head, :, j : j + 1])
    return read.source, values


def multi_head_values(
    translator: Translator, text: str, *, layer: int = 0, heads: int = 2, units: int = 8
) -> tuple[list[str], Values]:
    """(source pieces, values of `multi_head(heads)` at each of them): the first `heads` of a layer of the encoder.

    Side by side stand the first units of each, as many as there is room for. Raises as `self_attention_values` does.
    """
    read, seen, chosen = _watched(translator, text, "encoder", layer, heads - 1)
    x, found = _heads(seen, chosen.self_attention)
    joined = found.contexts[0, :heads, :, : max(1, 2 * units // heads)].transpose(0, 1).flatten(1)
    values = {"x": _rows(x, units), "joined": _rows(joined), "z": _rows(seen[chosen.self_attention.W_O][1][0], units)}
    for i in range(heads):
        for name, vectors in (("q", found.queries), ("k", found.keys), ("v", found.values), ("head", found.contexts)):
            values[f"{name}{i + 1}"] = _rows(vectors[0, i], units)
    return read.source, values


def encoder_layer_values(
    translator: Translator, text: str, *, layer: int = 0, head: int = 0, units: int = 8
) -> tuple[list[str], Values]:
    """(source pieces, values of `encoder_layer(norm, pieces)` at each of them); the weights are those of one `head`.

    `norm` is the model's, `translator.model.config.norm`. Raises as `self_attention_values` does.
    """
    read, seen, chosen = _watched(translator, text, "encoder", layer, head)
    return read.source, _layer(chosen, seen, head, units)


def decoder_layer_values(
    translator: Translator, text: str, *, layer: int = 0, head: int = 0, units: int = 8
) -> tuple[list[str], list[str], Values]:
    """(source pieces, pieces that are read, values of `decoder_layer(norm, source, read)` at each that is read).

    As `encoder_layer_values`, without the encoder's vectors. Raises as `self_attention_values` does.
    """
    read, seen, chosen = _watched(translator, text, "decoder", layer, head)
    return read.source, read.read, _layer(chosen, seen, head, units)


@torch.no_grad()
def transformer_values(translator: Translator, text: str, *, best: int = 1) -> tuple[Reading, list[str], Values]:
    """(what is read and written, candidates, values of `transformer(source, read, candidates)` at each piece written).

    The candidates are the `best` likeliest of each step. Raises as `self_attention_values` does.
    """
    read = reading(translator, text).plain()
    p = translator.model(*read.batch)[0].softmax(1)
    shown = list(dict.fromkeys(p.topk(best).indices.flatten().tolist()))
    candidates = [translator.vocabulary.id_to_piece[number].removesuffix("</w>") for number in shown]
    return read, candidates, {"p": _rows(p[:, shown])}


def _watched(
    translator: Translator, text: str, side: Literal["encoder", "decoder"], layer: int, head: int
) -> tuple[Reading, Seen, nn.Module]:
    """What is read, and of a layer's modules (inputs, output)."""
    read, layers = reading(translator, text).plain(), getattr(translator.model, side).layers
    for name, value, count in (("layer", layer, len(layers)), ("head", head, translator.model.config.heads)):
        if not 0 <= value < count:
            raise ValueError(f"{name} must be from 0 to {count - 1}, got {value}")
    return read, watch(translator.model, list(layers[layer].modules()), *read.batch), layers[layer]


def _heads(seen: Seen, attention: MultiHeadAttention) -> tuple[Tensor, Heads]:
    """The vectors that the queries are made of, and what all heads compute."""
    inputs, (contexts, α) = seen[attention.attention]
    return seen[attention.W_Q][0][0][0], Heads(*inputs, α, contexts)


def _layer(layer: nn.Module, seen: Seen, head: int, units: int) -> Values:
    """Of each sublayer what it computes, the sum with what went around, and layer norm before or after."""
    x = seen[layer][0][0][0]
    values = {"x": _rows(x, units), "hidden": _rows(seen[layer.feed_forward.W_1][1][0].relu(), units)}
    sublayers = [("self", "self", layer.around_self, layer.self_attention.W_O)]
    if hasattr(layer, "cross_attention"):
        sublayers.append(("cross", "cross", layer.around_cross, layer.cross_attention.W_O))
    for id, last, around, module in [*sublayers, ("hidden", "network", layer.around_feed_forward, layer.feed_forward)]:
        y, normalised = seen[module][1][0], seen[around.norm][1][0]
        x = x + y if around.order == "pre" else normalised
        values |= {last: _rows(y, units), f"{id}_out": _rows(x, units)}
        if around.order == "pre":
            values[f"{id}_norm"] = _rows(normalised, units)
        if last == id:
            attention = getattr(layer, f"{id}_attention")
            values[f"{id}_weights"] = _rows(_heads(seen, attention)[1].weights[0, head])
    return values


def _rows(rows: Tensor, units: int | None = None) -> list[list[float]]:
    return rows[:, :units].tolist()
