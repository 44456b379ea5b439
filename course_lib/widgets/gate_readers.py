"""What the gate explorer looks into: a language model, or the encoder of a translator."""

from collections.abc import Callable, Mapping, Sequence

import torch
from jaxtyping import Int64
from torch import Tensor

from course_lib.recurrent import Clamp, GateTrace, RNNEncoder, RNNLanguageModel, holding, trace
from course_lib.subwords.vocabulary import EOS
from course_lib.translator import Translator


def thousandths(values: Tensor) -> list:
    """Values as whole numbers of thousandths: 0.2504 -> 250."""
    return (values.double() * 1000).round().long().tolist()


class LanguageModelReader:
    """A layer of a language model; `split` cuts a text into tokens, `vocabulary` maps a token to its number."""

    reverse, said = False, ""

    def __init__(
        self, model: RNNLanguageModel, vocabulary: Mapping[str, int], split: Callable[[str], Sequence[str]], layer: int
    ):
        self.model, self.vocabulary, self.split, self.layer = model, vocabulary, split, layer
        self.network = model.network
        self.words = {number: token for token, number in vocabulary.items()}

    def cut(self, text: str) -> list[str]:
        """The tokens. Raises ValueError for one that the vocabulary has not."""
        tokens = list(self.split(text))
        if unknown := [token for token in dict.fromkeys(tokens) if token not in self.vocabulary]:
            raise ValueError(f"the model has never read {', '.join(map(repr, unknown))}")
        return tokens

    def trace(self, tokens: Sequence[str], clamps: Sequence[Clamp]) -> GateTrace:
        """What happens in the layer."""
        return trace(self.network, self.model.embedding(self._ids(tokens)), tokens, clamps, self.layer)

    @torch.no_grad()
    def told(self, text: str, tokens: Sequence[str], written: GateTrace) -> dict:
        """What it predicts, probabilities in thousandths: `given` [token], of each token but the first, given those
        before it; `best` [token], the three likeliest to follow, each [token, probability]; `bits`, the mean −log₂ p.
        """
        ids, weight = self._ids(tokens), self.model.output.weight
        outputs = torch.tensor(written.outputs, device=ids.device, dtype=weight.dtype)
        p = self.model.output(outputs).softmax(1)
        given = p[:-1].gather(1, ids[1:, None])[:, 0]
        top = p.topk(min(3, p.shape[1]), dim=1)
        return {
            "given": [None, *thousandths(given)],
            "best": [
                [[self.words.get(i, "?"), v] for i, v in zip(*pair, strict=True)]
                for pair in zip(top.indices.tolist(), thousandths(top.values), strict=True)
            ],
            "bits": round(-given.log2().mean().item(), 3),
        }

    def _ids(self, tokens: Sequence[str]) -> Int64[Tensor, " time"]:
        return torch.tensor([self.vocabulary[token] for token in tokens], device=self.model.output.weight.device)


class EncoderReader:
    """A layer and direction of a translator's recurrent encoder; gates are held there alone, or `everywhere` in it.

    Raises ValueError for a translator without such an encoder.
    """

    def __init__(self, translator: Translator, layer: int, reverse: bool, everywhere: bool):
        encoder = getattr(translator.model, "encoder", None)
        if not isinstance(encoder, RNNEncoder):
            raise ValueError(f"translator must have a recurrent encoder, got a {type(translator.model).__name__}")
        self.translator, self.encoder, self.layer, self.reverse = translator, encoder, layer, reverse
        self.network = encoder.network
        self.place = (None, None) if everywhere else (layer, reverse)
        direction = "right to left" if reverse else "left to right"
        held = "all layers and directions" if everywhere else "this layer and direction alone"
        self.said = f"Layer {layer + 1} of {len(self.network.layers)}, from {direction}. Gates are held in {held}."

    def cut(self, text: str) -> list[str]:
        """The pieces that the encoder reads, with `</s>`."""
        source, _ = self.translator.read([text])
        return [*self.translator.vocabulary.pieces(source[0].tolist()), EOS]

    def trace(self, tokens: Sequence[str], clamps: Sequence[Clamp]) -> GateTrace:
        """What happens in the layer."""
        ids = self.translator.vocabulary.ids(tokens[:-1], eos=True)
        x = self.encoder.embedding(torch.tensor(ids, device=self.encoder.embedding.weight.device))
        with holding(self.network, clamps, *self.place):
            return trace(self.network, x, tokens, clamps, self.layer, self.reverse)

    def told(self, text: str, tokens: Sequence[str], written: GateTrace) -> dict:
        """`translation`: what is written while the gates are held."""
        with holding(self.network, written.clamps, *self.place):
            return {"translation": self.translator.translate([text])[0]}
