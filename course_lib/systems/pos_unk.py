"""Unknown words put back: PosUnk (Luong et al. 2015), and by attention (Jean et al. 2015).

A model over a short list of words writes <unk> for all others. PosUnk has it say which source word the unknown one
translates: in training a rare target word j that is aligned to source word i becomes unkpos_d, d = j − i. After the
search, source word j − d is looked up in a dictionary made from the alignments, or copied. A model with attention
needs no new symbols: the source word with the largest weight takes the place of i.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from course_lib.alignment import Links, SentencePair
from course_lib.metrics.bleu import corpus_bleu
from course_lib.subwords.bpe import BPE
from course_lib.subwords.word_level import Words
from course_lib.subwords.words import UNK
from course_lib.translation import Translation

FURTHEST = 7  # |d|, as in the paper
PREFIX = "unkpos_"
NOWHERE = f"{PREFIX}null"  # an unknown word without a link, or with one that is further away


def symbols(furthest: int = FURTHEST) -> list[str]:
    """What the vocabulary gets in place of <unk>: unkpos_-7 … unkpos_7 and unkpos_null."""
    return [*(f"{PREFIX}{d}" for d in range(-furthest, furthest + 1)), NOWHERE]


def annotate(
    source: Sequence[str], target: Sequence[str], links: Links, known: Collection[str], furthest: int = FURTHEST
) -> list[str]:
    """The target with unkpos_d, d = j − i, for each word j that is not `known` and is linked to source word i.

    Of several links the one with the smallest |d| counts, of two equally near the earlier source word. Raises
    ValueError for a link outside the sentences.
    """
    for i, j in links:
        if not (0 <= i < len(source) and 0 <= j < len(target)):
            raise ValueError(f"links must lie within {len(source)} and {len(target)} words, got {(i, j)}")

    def symbol(j: int) -> str:
        distances = [j - i for i in sorted(i for i, other in links if other == j)]
        d = min(distances, key=abs, default=furthest + 1)
        return f"{PREFIX}{d}" if abs(d) <= furthest else NOWHERE

    return [word if word in known else symbol(j) for j, word in enumerate(target)]


def dictionary(pairs: Iterable[SentencePair], alignments: Iterable[Links]) -> dict[str, str]:
    """For each source word the target word that it is linked to most often, of equally frequent ones the first met."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (source, target), links in zip(pairs, alignments, strict=True):
        for i, j in sorted(links):
            counts[source[i]][target[j]] += 1
    return {x: found.most_common(1)[0][0] for x, found in counts.items()}


def put_back(source: Sequence[str], target: Sequence[str], translations: Mapping[str, str] | None = None) -> list[str]:
    """The output with each unkpos_d replaced by the translation of source word j − d, or by that word itself where the
    dictionary has none (or there is no dictionary). unkpos_null, and what points outside the source, become <unk>."""

    def word(j: int, said: str) -> str:
        if not said.startswith(PREFIX):
            return said
        i = -1 if said == NOWHERE else j - int(said.removeprefix(PREFIX))
        return _translated(source[i], translations) if 0 <= i < len(source) else UNK

    return [word(j, said) for j, said in enumerate(target)]


def put_back_by_attention(translation: Translation, translations: Mapping[str, str] | None = None) -> list[str]:
    """The words of the output, each <unk> replaced by the translation of the source word with the largest weight, or by
    that word itself. Where `</s>` has it, <unk> stays. Raises ValueError without attention."""
    looked_at = {j: i for i, j in translation.links}
    source, ended = translation.source_words, translation.target_words[-1:] == ["</s>"]
    words = translation.target_words[: len(translation.target_words) - ended]
    return [
        _translated(source[looked_at[j]], translations) if word == UNK and j in looked_at else word
        for j, word in enumerate(words)
    ]


def _translated(word: str, translations: Mapping[str, str] | None) -> str:
    return (translations or {}).get(word, word)


@dataclass(frozen=True)
class Reach:
    """The most that an output can be with a vocabulary: the references, written in it and put back.

    `right`: the share of their words that come back; `bleu`: that of the result; `unknown`: the share of their words
    that the vocabulary does not have; `pieces`: how many a sentence has.
    """

    name: str
    vocabulary: int
    unknown: float
    right: float
    bleu: float
    pieces: float


def reach(
    train: Sequence[SentencePair],
    train_links: Sequence[Links],
    test: Sequence[SentencePair],
    test_links: Sequence[Links],
    *,
    words: int,
    merges: int,
) -> list[Reach]:
    """How far each way goes on the test pairs: the `words` most frequent target words with <unk>, with PosUnk that
    copies, with PosUnk and a dictionary; and BPE with `merges`, learnt from the same target text.

    Links are gold or of `alignment.align_corpus`. No model is trained: a model can only do worse. Raises ValueError
    for lists of unequal length.
    """
    for name, pairs, links in (("train_links", train, train_links), ("test_links", test, test_links)):
        if len(pairs) != len(links):
            raise ValueError(f"{name} must be as many as their pairs, {len(pairs)}, got {len(links)}")
    text = [" ".join(target) for _, target in train]
    kept, bpe = Words.learn(text, words).vocabulary, BPE.learn(text, merges)
    known = set(kept)
    targets = [list(target) for _, target in test]
    total = sum(map(len, targets))
    unknown = sum(word not in known for target in targets for word in target) / total
    marked = [annotate(*pair, links, known) for pair, links in zip(test, test_links, strict=True)]
    lexicon = dictionary(train, train_links)
    outputs = {
        "words": [[word if word in known else UNK for word in target] for target in targets],
        "PosUnk, copied": [put_back(x, y) for (x, _), y in zip(test, marked, strict=True)],
        "PosUnk, dictionary": [put_back(x, y, lexicon) for (x, _), y in zip(test, marked, strict=True)],
    }
    sizes = {"words": len(kept) + 1}
    found = [
        Reach(name, sizes.get(name, len(kept) + len(symbols())), unknown, *_right(ys, targets), total / len(test))
        for name, ys in outputs.items()
    ]
    pieces = [bpe.encode(" ".join(target)) for target in targets]
    have = set(bpe.vocabulary)
    decoded = [bpe.decode([piece if piece in have else UNK for piece in cut]).split() for cut in pieces]
    missing = sum(piece not in have for cut in pieces for piece in cut) / sum(map(len, pieces))
    mean = sum(map(len, pieces)) / len(test)
    return [*found, Reach("BPE", len(bpe.vocabulary), missing, *_right(decoded, targets), mean)]


def _right(outputs: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> tuple[float, float]:
    """The share of the words that are the reference's at their place, and BLEU."""
    right = sum(
        a == b for y, target in zip(outputs, targets, strict=True) for a, b in zip(y, target, strict=False)
    ) / sum(map(len, targets))
    return right, corpus_bleu(outputs, [[target] for target in targets], tokenizer=None).score
