"""The values of `decoder_step`: what a recurrent decoder holds and expects at each step of greedy decoding."""

import torch

from course_lib.diagrams.values import Rows
from course_lib.subwords.vocabulary import EOS
from course_lib.translator import Translator


@torch.no_grad()
def decoding_values(
    translator: Translator, text: str, *, units: int = 8, best: int = 2
) -> tuple[list[str], list[str], dict[str, Rows]]:
    """(pieces that are read, candidates, values at each step) of the greedy translation of `text`.

    The candidates are the `best` likeliest of each step, each once, without the mark of a word's end; of states and
    embeddings the first `units` are shown. For a model whose state holds the network's `layers`. Raises ValueError as
    `Translator.trace` does.
    """
    traced = translator.trace(text, best=best)
    model, vocabulary = translator.model, translator.vocabulary
    candidates = list(dict.fromkeys(piece for step in traced.best for piece, _ in step))
    numbers = [vocabulary.piece_to_id[piece] for piece in candidates]
    read = [vocabulary.bos_id, *(vocabulary.piece_to_id[piece] for piece in traced.target if piece != EOS)]
    read = read[: len(traced.target)]
    source = torch.tensor([[vocabulary.piece_to_id[piece] for piece in traced.source]])
    state = model.start(model.encode(source, torch.ones_like(source, dtype=torch.bool)))
    values: dict[str, list] = {name: [] for name in ("before", "read", "now", "p", "written")}
    for number, written in zip(read, traced.target, strict=True):
        values["before"].append(state.layers[0][-1, 0, :units].tolist())
        values["read"].append(model.decoder.embedding.weight[number, :units].tolist())
        step = model.step(torch.tensor([number]), state)
        state = step.state
        values["now"].append(state.layers[0][-1, 0, :units].tolist())
        values["p"].append(step.log_probs[0, numbers].exp().tolist())
        values["written"].append([float(piece == written) for piece in candidates])
    plain = [piece.removesuffix("</w>") for piece in candidates]
    return [vocabulary.id_to_piece[number].removesuffix("</w>") for number in read], plain, values
