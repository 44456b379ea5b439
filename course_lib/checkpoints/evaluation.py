"""How well a translator does on the grammar corpus: BLEU, by length too, and what its attention aligns."""

from collections.abc import Sequence
from statistics import fmean

from sacrebleu.metrics import BLEU

from course_lib.alignment import Links, align_corpus, alignment_error_rate
from course_lib.corpora.grammar import Example, reference_streams
from course_lib.metrics.truth import Judge
from course_lib.subwords.words import UNK
from course_lib.translator import Translator

BIN = 5  # tokens of the source that a bin of lengths is wide


def bleu(translations: Sequence[str], examples: Sequence[Example], source: str, target: str) -> dict[str, float]:
    """sacreBLEU of running text against "all" readings of each sentence, and against "one", that it was drawn from.

    An unknown word is one wrong token: of `<unk>` sacreBLEU's 13a would make three.
    """
    outputs = [text.replace(UNK, "UNK") for text in translations]
    one = [[example.text(target) for example in examples]]
    streams = {"all": reference_streams(examples, source, target), "one": one}
    return {name: BLEU().corpus_score(outputs, stream).score for name, stream in streams.items()}


def by_length(
    translations: Sequence[str], examples: Sequence[Example], source: str, target: str, width: int = BIN
) -> list[dict]:
    """BLEU of the sentences whose source has 1 to `width` tokens, …: {"from", "to", "sentences", "all", "one"} each."""
    bins: dict[int, list[int]] = {}
    for k, example in enumerate(examples):
        bins.setdefault((len(example.sentences[source]) - 1) // width, []).append(k)
    return [
        {"from": b * width + 1, "to": (b + 1) * width, "sentences": len(chosen)}
        | bleu([translations[k] for k in chosen], [examples[k] for k in chosen], source, target)
        for b, chosen in sorted(bins.items())
    ]


def aer(translator: Translator, examples: Sequence[Example], source: str, target: str) -> dict[str, float]:
    """Alignment error rates of the attention behind the true translations (teacher forcing) against the gold alignment.

    "rows": each target word with the source word it looks at most; "symmetrised": that, and each source word with the
    target word that looks at it most, made one as Model 1's two directions are.
    """
    traces = translator.align_all([(e.text(source), e.sentences[target]) for e in examples])
    found = {"rows": [trace.links for trace in traces], "symmetrised": [trace.symmetrised() for trace in traces]}
    return {name: alignment_error_rate(links, *gold(examples, source, target)) for name, links in found.items()}


def model1_aer(
    text: Sequence[tuple[str, str]], examples: Sequence[Example], source: str, target: str, iterations: int = 5
) -> float:
    """The alignment error rate of IBM Model 1, symmetrised, that has learnt from `text` and from the examples."""
    asked = [(e.sentences[source], e.sentences[target]) for e in examples]
    links = align_corpus(asked + [(x.split(), y.split()) for x, y in text], iterations)[: len(asked)]
    return alignment_error_rate(links, *gold(examples, source, target))


def gold(examples: Sequence[Example], source: str, target: str) -> tuple[list[Links], list[Links]]:
    """The sure and the possible links of all examples."""
    return [e.alignment(source, target) for e in examples], [e.possible(source, target) for e in examples]


def evaluate(
    translator: Translator, examples: Sequence[Example], source: str, target: str, outputs: int | None = None
) -> dict:
    """BLEU over all `examples` and by the length of the source; and the first `outputs`, if a number is given."""
    translations = translator.translate([example.text(source) for example in examples])
    found = bleu(translations, examples, source, target)
    found["by_length"] = by_length(translations, examples, source, target)
    return found if outputs is None else found | {"outputs": translations[:outputs]}


def judged(translator: Translator, examples: Sequence[Example], source: str, target: str) -> dict[str, float]:
    """The mean "adequacy" and "fluency" of greedy outputs, computed from the grammar: no human judgement."""
    outputs = translator.translate([example.text(source) for example in examples])
    found = [Judge(example, source, target)(output) for example, output in zip(examples, outputs, strict=True)]
    return {name: fmean(getattr(each, name) for each in found) for name in ("adequacy", "fluency")}
