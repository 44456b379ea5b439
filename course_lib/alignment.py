"""Word alignment: IBM Model 1 by expectation maximisation, both directions made one, and the alignment error rate.

A link is a pair (source index, target index), an alignment a set of links. Model 1 (Brown et al. 1993, section 4.1)
gives each target word y_j one source word x_i, every i being as likely as the next:

    p(y | x) = Π_j 1/I · Σ_i t(y_j | x_i)          (I source words, NULL among them where it is used)

and t, the probability that word y translates word x, is learnt from sentence pairs alone.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

Links = Set[tuple[int, int]]
SentencePair = tuple[Sequence[str], Sequence[str]]
TranslationTable = dict[tuple[str, str], Real]  # (source word x, target word y) -> t(y | x)

NULL = "NULL"  # the source word of target words that translate none


def uniform(pairs: Iterable[SentencePair]) -> TranslationTable:
    """t(y | x) = 1/|V_y| for every x and y that meet in a sentence pair, V_y being all target words: EM's start."""
    pairs = list(pairs)
    vocabulary = {y for _, target in pairs for y in target}
    return {(x, y): 1 / len(vocabulary) for source, target in pairs for y in target for x in source}


def posterior(source: Sequence[str], target: Sequence[str], t: TranslationTable) -> list[list[Real]]:
    """p(a_j = i | x, y) = t(y_j | x_i) / Σ_i' t(y_j | x_i'), at [j][i]: how likely y_j is the translation of x_i."""
    evidence = [sum(t[x, y] for x in source) for y in target]
    return [[t[x, y] / total for x in source] for y, total in zip(target, evidence, strict=True)]


def expected_counts(pairs: Iterable[SentencePair], t: TranslationTable) -> TranslationTable:
    """The E step: c(y | x) = Σ over places where x and y meet of p(a_j = i | x, y)."""
    counts = defaultdict(int)
    for source, target in pairs:
        for y, row in zip(target, posterior(source, target, t), strict=True):
            for x, probability in zip(source, row, strict=True):
                counts[x, y] += probability
    return dict(counts)


def maximised(counts: TranslationTable) -> TranslationTable:
    """The M step: t(y | x) = c(y | x) / Σ_y' c(y' | x)."""
    total = defaultdict(int)
    for (x, _), count in counts.items():
        total[x] += count
    return {(x, y): count / total[x] for (x, y), count in counts.items()}


def log_likelihood(pairs: Iterable[SentencePair], t: TranslationTable) -> float:
    """Σ over pairs of log p(y | x), natural logarithm; no step of EM makes it smaller."""
    return sum(math.log(sum(t[x, y] for x in source) / len(source)) for source, target in pairs for y in target)


def em(pairs: Iterable[SentencePair], iterations: int) -> TranslationTable:
    """t(y | x) after so many iterations from `uniform`, by the equations above; for a handful of sentences.

    NULL, if wanted, is a word of the source like any other: `(NULL, *source)`. `Model1` computes the same for a whole
    corpus, `trace_em` keeps every step.
    """
    pairs = list(pairs)
    t = uniform(pairs)
    for _ in range(iterations):
        t = maximised(expected_counts(pairs, t))
    return t


@dataclass(frozen=True)
class EMStep:
    """EM at one iteration: `translation[x][y]` is t(y | x) and `log_likelihood` the corpus's under it.

    `posteriors[k][j][i]` is p(a_j = i) in pair k; `counts[x][y]` are the expected counts, from which the next step's
    `translation` comes.
    """

    translation: list[list[float]]
    log_likelihood: float
    posteriors: list[list[list[float]]]
    counts: list[list[float]]


@dataclass(frozen=True)
class EMTrace:
    """A whole run of `em`: the words that x and y number, and one step for each iteration, from 0 to the last."""

    source_words: list[str]
    target_words: list[str]
    steps: list[EMStep]


def trace_em(pairs: Iterable[SentencePair], iterations: int) -> EMTrace:
    """What `em` does, step by step; `dataclasses.asdict` makes plain lists of it."""
    pairs = list(pairs)
    xs, ys = (list(dict.fromkeys(word for pair in pairs for word in pair[side])) for side in (0, 1))
    steps, t = [], uniform(pairs)
    for _ in range(iterations + 1):
        counts = expected_counts(pairs, t)
        table, expected = ([[float(entries.get((x, y), 0)) for y in ys] for x in xs] for entries in (t, counts))
        posteriors = [[[float(p) for p in row] for row in posterior(*pair, t)] for pair in pairs]
        steps.append(EMStep(table, log_likelihood(pairs, t), posteriors, expected))
        t = maximised(counts)
    return EMTrace(xs, ys, steps)


@dataclass
class Model1:
    """IBM Model 1 over a whole corpus: `em` vectorised over every place where a source and a target word meet.

    `null` puts NULL before each source sentence. Arithmetic is float64 and needs no seed. `log_likelihoods` holds one
    value for each iteration done, of the table before it.
    """

    pairs: Sequence[SentencePair]
    null: bool = True
    log_likelihoods: list[float] = field(default_factory=list)

    def __post_init__(self):
        empty = [k for k, (source, target) in enumerate(self.pairs) if not source or not target]
        if empty or not self.pairs:
            where = f"pair {empty[0]} is empty on one side" if empty else "there are none"
            raise ValueError(f"Model 1 needs sentence pairs with words on both sides, but {where}")
        prefix = (NULL,) if self.null else ()
        self.source_ids, xs = _numbered(x for source, _ in self.pairs for x in (*prefix, *source))
        self.target_ids, ys = _numbered(y for _, target in self.pairs for y in target)
        source_sizes = np.array([len(prefix) + len(source) for source, _ in self.pairs])
        target_sizes = np.array([len(target) for _, target in self.pairs])
        self.sizes = np.repeat(source_sizes, target_sizes)  # of the source sentence, for each target word of the corpus
        self.position = np.repeat(np.arange(len(ys)), self.sizes)  # the target word of the corpus each meeting is of
        # Of each target word: where its source sentence begins in xs, and how many meetings come before its own.
        first = np.repeat(np.cumsum(source_sizes) - source_sizes, target_sizes)
        earlier = np.cumsum(self.sizes) - self.sizes
        x = xs[np.arange(len(self.position)) + (first - earlier)[self.position]]
        codes, self.entry = _unique(x * len(self.target_ids) + ys[self.position])
        self.codes, self.entry_source = codes, codes // len(self.target_ids)
        self.t = np.full(len(codes), 1 / len(self.target_ids))  # t(y | x) of each x, y that meet somewhere

    def fit(self, iterations: int) -> "Model1":
        """So many more iterations of EM."""
        for _ in range(iterations):
            self.step()
        return self

    def step(self) -> None:
        """One iteration: E, then M."""
        t = self.t[self.entry]
        evidence = np.bincount(self.position, weights=t)  # Σ_i t(y_j | x_i)
        self.log_likelihoods.append(float(np.log(evidence / self.sizes).sum()))
        counts = np.bincount(self.entry, weights=t / evidence[self.position])
        self.t = counts / np.bincount(self.entry_source, weights=counts)[self.entry_source]

    def probabilities(self, source: Sequence[str], target: Sequence[str]) -> np.ndarray:
        """t(y_j | x_i) at [j, i], float64; 0 where the two words never met in training."""
        x = np.array([self.source_ids.get(word, -1) for word in source], dtype=np.int64)
        y = np.array([self.target_ids.get(word, -1) for word in target], dtype=np.int64)
        codes = x * len(self.target_ids) + y[:, None]
        places = np.searchsorted(self.codes, codes).clip(max=len(self.codes) - 1)
        met = (self.codes[places] == codes) & (x >= 0) & (y >= 0)[:, None]
        return np.where(met, self.t[places], 0.0)

    def log_probability(self, source: Sequence[str], target: Sequence[str]) -> float:
        """log p(y | x) = Σ_j log(1/I Σ_i t(y_j | x_i)), natural logarithm; -inf if a y_j never met any x_i."""
        means = self.probabilities((NULL, *source) if self.null else source, target).mean(axis=1)
        return sum(math.log(mean) if mean else -math.inf for mean in means)

    def align(self, source: Sequence[str], target: Sequence[str]) -> set[tuple[int, int]]:
        """The most probable (Viterbi) alignment: a link from each y_j to its best x_i.

        Of equally good x_i (a word that stands twice in the sentence, or any before the first step) the one nearest the
        diagonal, |i/I - j/J| smallest, then the first. No link where NULL is better than all of them, or where y_j
        never met any word of the source.
        """
        if not source or not target:
            return set()
        return self._viterbi(self.probabilities((NULL, *source) if self.null else source, target))

    def alignments(self) -> list[set[tuple[int, int]]]:
        """What `align` gives for each of the training pairs."""
        lengths = np.array([len(target) for _, target in self.pairs])
        sizes = self.sizes[np.cumsum(lengths) - 1]
        tables = np.split(self.t[self.entry], np.cumsum(lengths * sizes)[:-1])
        return [self._viterbi(table.reshape(-1, size)) for table, size in zip(tables, sizes, strict=True)]

    def _viterbi(self, scores: np.ndarray) -> set[tuple[int, int]]:
        """Links from the scores at [target word, source word], NULL in column 0 where it is used."""
        words = scores[:, 1:] if self.null else scores
        best = words.max(axis=1)
        linked = (best > 0) & (best >= scores[:, 0])
        targets, sources = (np.arange(length) / length for length in words.shape)
        nearest = np.where(words == best[:, None], abs(sources - targets[:, None]), np.inf).argmin(axis=1)
        return {(int(nearest[j]), int(j)) for j in np.flatnonzero(linked)}


def _numbered(words: Iterable[str]) -> tuple[dict[str, int], np.ndarray]:
    """A number for each different word, from 0 in order of first appearance, and the words as numbers."""
    words = list(words)
    ids = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return ids, np.fromiter(map(ids.__getitem__, words), np.int64, len(words))


def _unique(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`np.unique(codes, return_inverse=True)`, faster: code and place sorted as one number if it fits in 63 bits."""
    bits = len(codes).bit_length()
    if int(codes.max()).bit_length() + bits > 63:
        return np.unique(codes, return_inverse=True)
    packed = np.sort(codes << bits | np.arange(len(codes)))
    ordered, places = packed >> bits, packed & ((1 << bits) - 1)
    new = np.diff(ordered, prepend=-1) > 0
    inverse = np.empty_like(codes)
    inverse[places] = np.cumsum(new) - 1
    return ordered[new], inverse


NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
METHODS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


def symmetrise(forward: Links, backward: Links, method: str = "grow-diag-final-and") -> set[tuple[int, int]]:
    """One alignment from the two directions', both given as (source, target) links (Koehn et al. 2005).

    "grow-diag" starts from the intersection and adds, as long as there are any, links of the union that touch a link
    (diagonally too) and whose source word or target word has none yet. "-final" then adds the links of `forward`, then
    of `backward`, whose source word or target word still has none; "-final-and" those where neither has one. Links are
    visited in ascending order. Raises ValueError for a method not in METHODS.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    union = set(forward | backward)
    if method == "union":
        return union
    links = set(forward & backward)
    if method == "intersection":
        return links
    sources, targets = {i for i, _ in links}, {j for _, j in links}

    def add(link: tuple[int, int]) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    size = -1
    while size < len(links):
        size = len(links)
        for i, j in sorted(union):
            if (i, j) in links:
                for link in ((i + down, j + right) for down, right in NEIGHBOURS):
                    if link in union and (link[0] not in sources or link[1] not in targets):
                        add(link)
    if "final" in method:
        needed = all if method.endswith("and") else any
        for link in sorted(forward) + sorted(backward):
            if needed((link[0] not in sources, link[1] not in targets)):
                add(link)
    return links


def align_corpus(
    pairs: Sequence[SentencePair], iterations: int, method: str = "grow-diag-final-and", null: bool = True
) -> list[set[tuple[int, int]]]:
    """Alignments of all `pairs`: a Model 1 in each direction, so many iterations of EM, the two symmetrised."""
    forward = Model1(pairs, null).fit(iterations)
    backward = Model1([(target, source) for source, target in pairs], null).fit(iterations)
    return [
        symmetrise(links, {(i, j) for j, i in turned}, method)
        for links, turned in zip(forward.alignments(), backward.alignments(), strict=True)
    ]


def alignment_error_rate(
    predicted: Sequence[Links], sure: Sequence[Links], possible: Sequence[Links] | None = None
) -> float:
    """AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|), counted over all sentences (Och and Ney 2003): 0 is best.

    `predicted`, `sure` and `possible` hold one set of links for each sentence; every sure link is possible too, and
    without `possible` only sure links are (P = S). 0.0 where there are neither predicted nor sure links.
    """
    possible = sure if possible is None else possible
    if not len(predicted) == len(sure) == len(possible):
        lengths = f"{len(predicted)} predicted, {len(sure)} sure, {len(possible)} possible"
        raise ValueError(f"alignments must be of the same sentences, got {lengths}")
    hits = total = 0
    for k, (a, s, p) in enumerate(zip(predicted, sure, possible, strict=True)):
        if not s <= p:
            raise ValueError(f"sure links must be possible links too; in sentence {k} {sorted(s - p)} are not")
        hits += len(a & s) + len(a & p)
        total += len(a) + len(s)
    return 1 - hits / total if total else 0.0
