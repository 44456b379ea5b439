"""BLEU from its parts (Papineni et al. 2002), as sacreBLEU computes it (Post 2018).

    p_n = Σ_segments Σ_ngrams min(c_hypothesis, max_references c_reference) / Σ_segments Σ_ngrams c_hypothesis
    BP  = 1 if c ≥ r else exp(1 − r/c)
    BLEU = 100 · BP · exp(1/N Σ_{n=1..N} log p_n)

Counts add over segments and the ratio is taken at the end: BLEU of a corpus is no mean of its sentences' BLEU.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from course_lib.metrics.segments import tokenized

ORDER = 4
SMOOTHINGS = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}  # with what they add, by default


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram stands in the tokens: `ngrams("a b a b".split(), 2)` is {(a, b): 2, (b, a): 1}."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped(hypothesis: Sequence[str], references: Sequence[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of the hypothesis matches: min(c_hypothesis, max_references c_reference), zeros left out.

    Both are tokens. An n-gram counts at most as often as in the one reference that has it most.
    """
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, n)  # the union of counters is the maximum, the intersection the minimum
    return ngrams(hypothesis, n) & most


def closest_length(length: int, reference_lengths: Sequence[int]) -> int:
    """The reference length r nearest to the hypothesis's; of two equally near the shorter."""
    return min(reference_lengths, key=lambda r: (abs(r - length), r))


def brevity_penalty(c: float | np.ndarray, r: float | np.ndarray) -> np.ndarray:
    """BP = 1 if c ≥ r, else exp(1 − r/c), of hypothesis length c and reference length r; 0 for an empty hypothesis."""
    c, r = np.asarray(c, float), np.asarray(r, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(c >= r, 1.0, np.exp(1 - r / c))


def precisions(
    matches: np.ndarray, totals: np.ndarray, smoothing: str = "exp", value: float | None = None
) -> np.ndarray:
    """p_n = matches_n / totals_n in 0..1, n along the last axis, smoothed (Chen and Cherry 2014):

    - "none": as it is;
    - "floor": `value` (0.1) matches where there are none;
    - "add-k": `value` (1) more matches and n-grams of the orders from 2 on;
    - "exp": the k-th order without matches gets 1 / (2^k · totals_n).

    0 where the hypothesis has no n-gram. Without any match of any order all are 0, however smoothed.
    """
    _check_smoothing(smoothing)
    k = SMOOTHINGS[smoothing] if value is None else value
    matches, totals = np.asarray(matches, float), np.asarray(totals, float)
    matched = (matches > 0).any(-1, keepdims=True)
    if smoothing == "add-k":
        higher = np.arange(totals.shape[-1]) > 0
        matches, totals = matches + k * higher, totals + k * higher
    unmatched = (matches == 0) & (totals > 0)
    if smoothing == "floor":
        matches = np.where(unmatched, k, matches)
    elif smoothing == "exp":
        matches = np.where(unmatched, 0.5 ** unmatched.cumsum(-1), matches)
    return np.divide(matches, totals, out=np.zeros_like(matches), where=matched & (totals > 0))


def bleu_score(
    statistics: np.ndarray, smoothing: str = "exp", value: float | None = None, effective_order: bool = False
) -> np.ndarray:
    """BLEU = 100 · BP · exp(1/N Σ log p_n) in 0..100, of statistics (…, 2 + 2N) as `BLEU.statistics` gives them.

    N is the number of orders; with `effective_order` that of the orders of which the hypothesis has n-grams. Without,
    an order of which it has none makes BLEU 0. The last axis holds sums over segments: c, r, matches, totals.
    """
    statistics = np.asarray(statistics, float)
    N = (statistics.shape[-1] - 2) // 2
    c, r, matches, totals = np.split(statistics, [1, 2, 2 + N], axis=-1)
    p = precisions(matches, totals, smoothing, value)
    seen = (totals > 0) | ((smoothing == "add-k") & (np.arange(N) > 0))
    counted = seen if effective_order else np.ones_like(seen)
    with np.errstate(divide="ignore"):
        log_p = np.where(counted, np.log(p), 0.0)
    mean = log_p.sum(-1) / np.maximum(counted.sum(-1), 1)
    return 100 * brevity_penalty(c, r)[..., 0] * np.exp(mean) * (matches > 0).any(-1)


@dataclass(frozen=True)
class BLEU:
    """What BLEU is made of, for one segment or a corpus: `a + b` and `sum(segments)` are those of both together.

    `replace(parts, smoothing="none")` (of `dataclasses`) is the same text, smoothed otherwise. Raises ValueError for an
    unknown smoothing, and for a value of it that is not above 0.
    """

    matches: tuple[int, ...]  # clipped, of orders 1 … N
    totals: tuple[int, ...]  # n-grams of the hypothesis
    hypothesis_length: int  # c, in tokens
    reference_length: int  # r, of the closest reference of each segment
    smoothing: str = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False

    def __post_init__(self):
        _check_smoothing(self.smoothing)
        if self.smoothing_value is not None and not self.smoothing_value > 0:
            raise ValueError(f"smoothing_value must be above 0 or None, got {self.smoothing_value}")

    @property
    def precisions(self) -> tuple[float, ...]:
        """p_1 … p_N in 0..1, smoothed."""
        return tuple(precisions(self.matches, self.totals, self.smoothing, self.smoothing_value).tolist())

    @property
    def brevity_penalty(self) -> float:
        """BP in 0..1."""
        return float(brevity_penalty(self.hypothesis_length, self.reference_length))

    @property
    def score(self) -> float:
        """BLEU in 0..100."""
        return float(bleu_score(self.statistics, self.smoothing, self.smoothing_value, self.effective_order))

    @property
    def statistics(self) -> np.ndarray:
        """(c, r, matches_1 … matches_N, totals_1 … totals_N), in sacreBLEU's order: what adds over segments."""
        return np.array([self.hypothesis_length, self.reference_length, *self.matches, *self.totals], float)

    @property
    def _counted_as(self) -> tuple:
        return len(self.totals), self.smoothing, self.smoothing_value, self.effective_order

    def __add__(self, other: "BLEU") -> "BLEU":
        if not isinstance(other, BLEU):
            return NotImplemented
        if self._counted_as != other._counted_as:
            raise ValueError(f"only what is counted and smoothed alike adds up, got {self} and {other}")
        return replace(
            self,
            matches=tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            totals=tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            hypothesis_length=self.hypothesis_length + other.hypothesis_length,
            reference_length=self.reference_length + other.reference_length,
        )

    def __radd__(self, other: int) -> "BLEU":
        return self if other == 0 else NotImplemented  # sum() begins with 0


def count(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int = ORDER, **smoothing) -> BLEU:
    """The parts of one segment, given as tokens; `smoothing` as the fields of `BLEU`."""
    orders = range(1, order + 1)
    return BLEU(
        matches=tuple(clipped(hypothesis, references, n).total() for n in orders),
        totals=tuple(max(0, len(hypothesis) - n + 1) for n in orders),
        hypothesis_length=len(hypothesis),
        reference_length=closest_length(len(hypothesis), [len(reference) for reference in references]),
        **smoothing,
    )


def segment_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    tokenizer: str | None = "13a",
    lowercase: bool = False,
    order: int = ORDER,
    smoothing: str = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> list[BLEU]:
    """The parts of each segment; `references[k]` are all references of `hypotheses[k]`.

    Running text, cut by sacreBLEU's `tokenizer`; or lists of tokens with `tokenizer` None. Raises TypeError and
    ValueError as `segments.tokenized` does, and ValueError for an order below 1, an unknown smoothing, and a value for
    it that is not above 0.
    """
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order}")
    chosen = {"smoothing": smoothing, "smoothing_value": smoothing_value, "effective_order": effective_order}
    pairs = zip(*tokenized(hypotheses, references, tokenizer, lowercase), strict=True)
    return [count(hypothesis, texts, order, **chosen) for hypothesis, texts in pairs]


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **options) -> BLEU:
    """BLEU of a corpus: the counts of its segments added up. Options and errors are those of `segment_bleu`."""
    return sum(segment_bleu(hypotheses, references, **options))


def sentence_bleu(hypothesis: str, references: Sequence[str], *, effective_order: bool = True, **options) -> BLEU:
    """BLEU of one sentence, by default over the orders that it has n-grams of: shorter ones than N tokens count, too.

    Options and errors are those of `segment_bleu`.
    """
    if isinstance(references, str):
        raise TypeError(f"references must be a list of references, got one string: {references!r:.40}")
    return segment_bleu([hypothesis], [references], effective_order=effective_order, **options)[0]


def _check_smoothing(smoothing: str) -> None:
    if smoothing not in SMOOTHINGS:
        raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, got {smoothing!r}")
