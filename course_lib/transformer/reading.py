"""A sentence and its translation as a Transformer reads them: ids for `trace`, pieces for display."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.subwords.vocabulary import BOS
from course_lib.transformer.head_translator import transformer_of
from course_lib.translator import Translator


@dataclass(frozen=True)
class Reading:
    """The source's pieces with `</s>`, and what the decoder reads: `<s>` and the pieces written, without the last."""

    source: list[str]
    read: list[str]
    written: list[str]
    batch: tuple[Int64[Tensor, "1 source_time"], Bool[Tensor, "1 source_time"], Int64[Tensor, "1 target_time"]]

    def plain(self) -> "Reading":
        """The same with pieces that lack the mark of a word's end."""
        names = ("source", "read", "written")
        return replace(self, **{name: [piece.removesuffix("</w>") for piece in getattr(self, name)] for name in names})


def reading(
    translator: Translator, text: str, translation: str | None = None, *, max_length: int | None = None
) -> Reading:
    """`trace(translator.model, *reading(translator, text).batch)` is what the model does while it translates `text`.

    By default it reads its own greedy translation, of at most `max_length` pieces. Raises TypeError for a model that is
    no Transformer, ValueError as `Translator.trace` does.
    """
    model = transformer_of(translator)
    if translation is None:
        pair = translator.trace(text, best=1, max_length=max_length)
    else:
        pair = translator.align(text, translator.words(translation))
    source, mask = translator.read([text])
    target_in = [model.bos_id, *translator.vocabulary.ids(pair.target[:-1])]
    return Reading(
        pair.source,
        [BOS, *pair.target[:-1]],
        pair.target,
        (source, mask, torch.tensor([target_in], device=source.device)),
    )
