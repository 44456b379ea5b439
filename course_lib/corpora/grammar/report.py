"""The grammar corpus in figures: `python -m course_lib.corpora.grammar.report [--train N] [--test N]` prints README.md.

Words are counted without names and numbers in digits. Baselines: each word's best translation by IBM Model 1, in the
order of the source, and the monotone phrase decoder; BLEU is sacreBLEU's, over all references.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from sacrebleu.metrics import BLEU

from course_lib.alignment import Model1, align_corpus
from course_lib.corpora.grammar import LANGUAGES, Example, reference_streams, sample
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS
from course_lib.corpora.grammar.meaning import Named, nodes
from course_lib.corpora.grammar.splits import BIN
from course_lib.ngrams import NgramModel
from course_lib.phrases import PhraseTable, decode

PAIRS = (("en", "de"), ("de", "en"), ("en", "fr"), ("fr", "en"))


def words(examples: Sequence[Example], language: str) -> Counter[str]:
    """How often each word occurs, names and numbers in digits left out."""
    names = {node.name for e in examples for node in nodes(e.meaning) if isinstance(node, Named)}
    tokens = (token for e in examples for token in e.sentences[language])
    return Counter(token for token in tokens if token not in names and not token.isdigit())


def vocabulary(train: Sequence[Example], test: Sequence[Example]) -> Iterator[list[str]]:
    """Tokens a sentence, types, hapax legomena (types that occur once), test tokens that train does not have."""
    for code in LANGUAGES:
        known, asked = words(train, code), words(test, code)
        length = sum(len(e.sentences[code]) for e in train) / len(train)
        hapax = sum(count == 1 for count in known.values()) / len(known)
        unknown = sum(count for word, count in asked.items() if word not in known) / sum(asked.values())
        tail = sum(len(e.sentences[code]) >= 25 for e in train) / len(train)
        yield [code, f"{length:.1f}", f"{tail:.1%}", f"{len(known):,}", f"{hapax:.1%}", f"{unknown:.2%}"]


def lengths(examples: Sequence[Example]) -> Iterator[list[str]]:
    """How many sentences there are in each bin of lengths."""
    bins = {code: Counter((len(e.sentences[code]) - 1) // BIN for e in examples) for code in LANGUAGES}
    for k in sorted(set().union(*bins.values())):
        yield [f"{k * BIN + 1} to {k * BIN + BIN}", *(str(bins[code][k]) for code in LANGUAGES)]


def crossings(examples: Sequence[Example], source: str, target: str) -> float:
    """The share of sentences in which two sure links cross."""
    linked = (e.alignment(source, target) for e in examples)
    return sum(any(i < k and j > m for i, j in links for k, m in links) for links in linked) / len(examples)


def word_by_word(model: Model1, sources: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each word's most probable translation by Model 1, in the order of the source; unknown words are copied."""
    targets = list(model.target_ids)
    best: dict[int, tuple[float, str]] = {}
    for code, t in zip(model.codes, model.t, strict=True):
        x, y = divmod(int(code), len(targets))
        best[x] = max(best.get(x, (0.0, "")), (float(t), targets[y]))
    return [[best[model.source_ids[x]][1] if x in model.source_ids else x for x in source] for source in sources]


def baselines(train: Sequence[Example], test: Sequence[Example], source: str, target: str) -> list[str]:
    """Readings, crossings, and the BLEU of copying, of Model 1 word by word and of the phrase decoder."""
    pairs = [(e.sentences[source], e.sentences[target]) for e in train]
    table = PhraseTable(pairs, align_corpus(pairs, 5))
    language = NgramModel([y for _, y in pairs])
    sources = [e.sentences[source] for e in test]
    hypotheses = [sources, word_by_word(Model1(pairs).fit(5), sources)]
    hypotheses.append([decode(x, table, language).target for x in sources])
    streams, detokenise = reference_streams(test, source, target), LANGUAGES[target].detokenise
    scores = [BLEU().corpus_score([detokenise(list(y)) for y in system], streams).score for system in hypotheses]
    several = np.mean([len(e.references(source, target)) > 1 for e in test])
    return [f"{source} to {target}", f"{several:.0%}", f"{crossings(test, source, target):.0%}"] + [
        f"{score:.1f}" for score in scores
    ]


def markdown(header: Sequence[str], rows: Iterator[list[str]]) -> str:
    """A table in Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]) + "\n"


def report(train_size: int, test_size: int, long_size: int) -> Iterator[str]:
    """The tables, one after the other."""
    train, test = sample(train_size), sample(test_size, split="test")
    yield f"{len(NOUNS)} nouns and {len(VERBS)} verbs; {train_size:,} sentences of `train`, {test_size:,} of `test`.\n"
    header = ["", "tokens a sentence", "25 tokens or more", "types", "once only", "test tokens unknown"]
    yield markdown(header, vocabulary(train, test))
    for split, examples in (("test", test), ("long", sample(long_size, split="long"))):
        yield f"Sentences of {len(examples):,} from `{split}` by their tokens:\n"
        yield markdown(["tokens", *LANGUAGES], lengths(examples))
    taught, asked = train[:4000], test[:150]
    yield f"Baselines, taught by {len(taught):,} sentences and asked for {len(asked):,} of `test`:\n"
    header = ["", "several readings", "crossing links", "BLEU: copied", "word by word", "phrases"]
    yield markdown(header, (baselines(taught, asked, *pair) for pair in PAIRS))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The grammar corpus in figures.")
    parser.add_argument("--train", type=int, default=20_000)
    parser.add_argument("--test", type=int, default=1_050)
    parser.add_argument("--long", type=int, default=450)
    chosen = parser.parse_args()
    for part in report(chosen.train, chosen.test, chosen.long):
        print(part, flush=True)
