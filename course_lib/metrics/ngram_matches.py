"""Which n-grams of a hypothesis BLEU counts, and where it found them: the trace that a widget shows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from course_lib.metrics.bleu import BLEU, ORDER, closest_length, count
from course_lib.metrics.segments import Tokens, tokenized

Place = tuple[int, int]  # (number of the reference, position of the n-gram's first token in it)
Places = dict[Tokens, list[int]]  # n-gram → where it begins, in ascending order


@dataclass(frozen=True)
class Occurrence:
    """An n-gram at one place of the hypothesis. `state` is one of

    - "matched": it counts. `match` is its partner in the reference that has this n-gram most often;
    - "clipped": a reference has the n-gram, but the hypothesis has it more often than any: this one counts no more;
    - "absent": no reference has it.
    """

    ngram: Tokens
    position: int  # of its first token in the hypothesis, from 0
    state: str
    match: Place | None
    places: tuple[Place, ...]  # everywhere that it stands in the references


@dataclass(frozen=True)
class Clip:
    """How often an n-gram counts: `counted` = min(`count`, `most`)."""

    ngram: Tokens
    count: int  # in the hypothesis
    most: int  # in the one reference that has it most often
    counted: int


@dataclass(frozen=True)
class NgramMatches:
    """A hypothesis beside its references, every n-gram of it with what BLEU makes of it; `asdict` makes it plain.

    `occurrences[n - 1][i]` is the n-gram that begins at token i; `clips[n - 1]` has each different one once.
    """

    hypothesis: Tokens
    references: tuple[Tokens, ...]
    closest: int  # the number of the reference whose length counts
    occurrences: tuple[tuple[Occurrence, ...], ...]
    clips: tuple[tuple[Clip, ...], ...]
    parts: BLEU


def ngram_matches(
    hypothesis: str | Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    order: int = ORDER,
    tokenizer: str | None = "13a",
    lowercase: bool = False,
    smoothing: str = "exp",
    effective_order: bool = True,
) -> NgramMatches:
    """Every n-gram of the hypothesis, n = 1 … `order`: matched, clipped or absent, and where.

    BLEU only counts; that the first occurrences in the hypothesis match, and the later ones are clipped, is our choice.
    The k-th occurrence is shown with the k-th in the reference that has the n-gram most often (of several, the first).
    Raises as `bleu.segment_bleu`.
    """
    if isinstance(references, str):
        raise TypeError(f"references must be a list of references, got one string: {references!r:.40}")
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order}")
    ((h,), (texts,)) = tokenized([hypothesis], [references], tokenizer, lowercase)
    lengths = [len(text) for text in texts]
    orders = range(1, order + 1)
    found = [[_places(text, n) for text in texts] for n in orders]
    own = [_places(h, n) for n in orders]
    return NgramMatches(
        hypothesis=h,
        references=tuple(texts),
        closest=lengths.index(closest_length(len(h), lengths)),
        occurrences=tuple(_occurrences(own[n - 1], found[n - 1]) for n in orders),
        clips=tuple(_clips(own[n - 1], found[n - 1]) for n in orders),
        parts=count(h, texts, order, smoothing=smoothing, effective_order=effective_order),
    )


def _occurrences(own: Places, found: Sequence[Places]) -> tuple[Occurrence, ...]:
    """All n-grams of one order, in the order of the hypothesis."""
    occurrences = []
    for ngram, positions in own.items():
        everywhere = tuple((r, i) for r, places in enumerate(found) for i in places.get(ngram, ()))
        best = max(range(len(found)), key=lambda r: len(found[r].get(ngram, ())))
        partners = found[best].get(ngram, [])
        for k, position in enumerate(positions):
            match = (best, partners[k]) if k < len(partners) else None
            state = "matched" if match else "clipped" if everywhere else "absent"
            occurrences.append(Occurrence(ngram, position, state, match, everywhere))
    return tuple(sorted(occurrences, key=lambda occurrence: occurrence.position))


def _clips(own: Places, found: Sequence[Places]) -> tuple[Clip, ...]:
    """Every n-gram of one order once, in the order of its first occurrence."""
    most = {ngram: max(len(places.get(ngram, ())) for places in found) for ngram in own}
    return tuple(Clip(ngram, len(at), most[ngram], min(len(at), most[ngram])) for ngram, at in own.items())


def _places(tokens: Tokens, n: int) -> Places:
    places = defaultdict(list)
    for i in range(len(tokens) - n + 1):
        places[tokens[i : i + n]].append(i)
    return dict(places)
