"""A sentence and its greedy translation as a Transformer reads them: ids for `trace`, pieces for who looks at it."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.transformer.head_translator import transformer_of
from course_lib.translator import Translator


@dataclass(frozen=True)
class Reading:
    """The source's pieces with `</s>`, and what the decoder reads: `<s>` and the pieces written, without the last."""

    source: list[str]
    read: list[str]
    written: list[str]
    batch: tuple[Int64[Tensor, "1 source_time"], Bool[Tensor, "1 source_time"], Int64[Tensor, "1 target_time"]]


def reading(translator: Translator, text: str, max_length: int | None = None) -> Reading:
    """`trace(translator.model, *reading(translator, text).batch)` is what the model does while it translates `text`.

    Pieces stand without the mark of a word's end; of the translation at most `max_length` are read. Raises TypeError
    for a model that is no Transformer, ValueError as `Translator.trace` does.
    """
    transformer_of(translator)
    traced, vocabulary = translator.trace(text, best=1, max_length=max_length), translator.vocabulary
    number = vocabulary.piece_to_id
    read = [vocabulary.bos_id, *(number[piece] for piece in traced.target[:-1])]
    source, mask = translator.read([text])
    target_in = torch.tensor([read], device=source.device)
    plain = [[piece.removesuffix("</w>") for piece in some] for some in (traced.source, traced.target)]
    return Reading(plain[0], [vocabulary.id_to_piece[read[0]], *plain[1][:-1]], plain[1], (source, mask, target_in))
