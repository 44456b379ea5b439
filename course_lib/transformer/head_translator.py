"""A Transformer's translator, seen through one head: where on the source it looks, and what if it looks elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from course_lib.attention.scaled_dot_product import by_equations
from course_lib.attention.weights import context
from course_lib.intervention import Forced, forced_weights
from course_lib.transformer.model import Transformer
from course_lib.translation import Translation
from course_lib.translator import Translator


def transformer_of(translator: Translator) -> Transformer:
    """Its model. Raises TypeError for one without heads."""
    if not isinstance(translator.model, Transformer):
        got = type(translator.model).__name__
        raise TypeError(f"translator must hold a Transformer, whose attention has heads, got {got}")
    return translator.model


class HeadTranslator:
    """`trace` and `align` of a translator, their attention that of one `head` on the source, in one `layer` of the
    decoder: both counted from 0, the last layer if −1; of head None the mean of all heads.

    Raises TypeError for a model without heads, ValueError for a layer or a head that it does not have.
    """

    def __init__(self, translator: Translator, layer: int = -1, head: int | None = None):
        model = transformer_of(translator)
        layers, heads = len(model.decoder.layers), model.config.heads
        if not -1 <= layer < layers:
            raise ValueError(f"layer must lie in 0..{layers - 1} or be -1, got {layer}")
        if head is not None and not 0 <= head < heads:
            raise ValueError(f"head must lie in 0..{heads - 1} or be None, got {head}")
        self.translator, self.layer = translator, layer
        self.heads = range(heads) if head is None else [head]

    def trace(self, sentence: str, *, force: Forced | None = None, **options) -> Translation:
        """`Translator.trace`; `force` sets the weights of this head (or of all heads of the layer) in those steps."""
        with self._watched(force or {}) as rows:
            found = self.translator.trace(sentence, **options)
        return replace(found, attention=rows)

    def align(self, sentence: str, words: Sequence[str], best: int = 1) -> Translation:
        """`Translator.align`."""
        with self._watched({}) as rows:
            found = self.translator.align(sentence, words, best)
        return replace(found, attention=rows)

    @contextmanager
    def _watched(self, force: Forced) -> Iterator[list[list[float]]]:
        """Keep the weights of each step; where they are forced, α V is computed again with those."""
        rows, model = [], self.translator.model
        attention = model.decoder.layers[self.layer].cross_attention.attention

        def step(_module, inputs, outputs):
            α, t = outputs[1].clone(), len(rows)  # (1, heads, 1, source_time)
            if t in force:
                α[:, self.heads] = forced_weights(force[t], α.shape[-1]).to(α)
            rows.append(α[0, self.heads, 0].mean(0).tolist())
            return (context(α, inputs[2]), α) if t in force else None

        hook = attention.register_forward_hook(step)
        try:
            with by_equations(model):
                yield rows
        finally:
            hook.remove()
