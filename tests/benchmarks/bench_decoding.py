"""Beam search with a Transformer: sentences per second, against Hugging Face's `generate` and CTranslate2.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_decoding [--rounds 3] [--sentences 128] [--json PATH]

The model is the checkpoint `transformer`, as it is and made wider (d_model 256, d_ff 1024, 8,000 words; widened.py).
All have its weights in float32. They search the same test sentences of the grammar corpus, 64 at a time and one at a
time (of these an eighth), and stop alike: at `beam` finished outputs, ranked by the mean log-probability of a word.
`same_outputs` is the share of sentences whose best output is that of `generate`. CTranslate2 takes part where it is
installed (`pip install ctranslate2`). All cases run round-robin in one process, the first round uncounted.
"""

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence

import torch

from course_lib import checkpoints
from course_lib.corpora.grammar import sample
from course_lib.search.beam import beam
from course_lib.search.hypothesis import power
from course_lib.subwords import Vocabulary
from course_lib.training.device import device
from course_lib.transformer import Transformer
from course_lib.translator import Translator
from tests.benchmarks import peers
from tests.benchmarks.rounds import best_of, options, report
from tests.benchmarks.widened import widened

PEER = "Hugging Face generate"
Search = Callable[[torch.Tensor, torch.Tensor, int], list[tuple[int, ...]]]


def searches(ours: Transformer, vocabulary: Vocabulary, k: int, folder: str) -> dict[str, Search]:
    """Name → (source, mask, longest output) → the best output of each sentence, without eos."""
    theirs = peers.marian(ours)
    found: dict[str, Search] = {}

    def generate(source, mask, longest):
        outputs = theirs.generate(
            source, attention_mask=mask.long(), num_beams=k, max_length=longest + 1, early_stopping=True,
            length_penalty=1.0, do_sample=False,
        )  # fmt: skip
        rows = outputs[:, 1:].tolist()
        return [tuple(row[: row.index(ours.eos_id)] if ours.eos_id in row else row) for row in rows]

    def translate_batch(source, mask, longest):
        lengths = mask.sum(1).tolist()
        words = [[tokens[word] for word in row[:n]] for row, n in zip(source.tolist(), lengths, strict=True)]
        outputs = fast.translate_batch(words, beam_size=k, length_penalty=1, max_decoding_length=longest)
        return [tuple(number[token] for token in output.hypotheses[0]) for output in outputs]

    def search(source, mask, longest):
        return [outputs[0].words for outputs in beam(ours, source, mask, longest, k, normalise=power(1))]

    found[PEER] = generate
    if importlib.util.find_spec("ctranslate2"):
        tokens = peers.tokens(vocabulary, ours.config.vocabulary_size)
        number = {token: k for k, token in enumerate(tokens)}
        fast = peers.ctranslate2(theirs, vocabulary, folder, torch.get_num_threads())
        found["CTranslate2 float32"] = translate_batch
    theirs.to(device()), ours.to(device())
    return found | {"beam": search}


def batches(
    translator: Translator, texts: Sequence[str], size: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor, int]]:
    """The sentences as the searches take them, `size` at a time."""
    for start in range(0, len(texts), size):
        source, mask = translator.read(texts[start : start + size])
        yield source, mask, translator.limit(source.shape[1])


def measured(model: str, found: dict[str, Search], given: list, size: int, rounds: int) -> list[dict]:
    """A row for each search."""
    cases = {
        name: lambda search=search: [y for batch in given for y in search(*batch)] for name, search in found.items()
    }
    best, outputs = best_of(cases, rounds)
    n = len(outputs[PEER])
    return [
        {
            "model": model,
            "batch": size,
            "case": name,
            "wall_s": round(seconds.wall, 3),
            "cpu_s": round(seconds.cpu, 3),
            "sentences_per_s": round(n / seconds.counted, 1),
            "times_generate": round(best[PEER].counted / seconds.counted, 2),
            "same_outputs": round(sum(map(tuple.__eq__, outputs[name], outputs[PEER])) / n, 3),
            "words": round(sum(map(len, outputs[name])) / n, 1),
        }
        for name, seconds in best.items()
    ]


def main(arguments: list[str]) -> None:
    chosen = options(__doc__, arguments, rounds=3, sentences=128, beam=5)
    translator = checkpoints.load("transformer")
    texts = sorted((one.text("en") for one in sample(chosen.sentences, split="test")), key=len)
    small = translator.model.cpu()
    rows = []
    for name, model in (("as it is", widened(small, 1, 1)), ("wider", widened(small, 2, 4, 8000))):
        with tempfile.TemporaryDirectory() as folder:
            found = searches(model, translator.vocabulary, chosen.beam, folder)
            for size, part in ((64, texts), (1, texts[::8])):
                rows += measured(name, found, list(batches(translator, part, size)), size, chosen.rounds)
    report("tests.benchmarks.bench_decoding", arguments, rows, chosen.json)


if __name__ == "__main__":
    main(sys.argv[1:])
