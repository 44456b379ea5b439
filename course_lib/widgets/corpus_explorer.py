"""The corpus explorer: sentences in two languages with their word alignment, to browse, to filter, to compare."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import traitlets

from course_lib.alignment import Links, alignment_error_rate
from course_lib.corpora.grammar import Example
from course_lib.widgets.base import TraceWidget, front_end

MOST_PAIRS = 1000


@dataclass(frozen=True)
class AlignedPair:
    """What the explorer draws of one sentence pair: its words, its gold links (source, target), what it shows.

    `links` are the sure ones; `possible` may hold them or not, for every sure link is possible, too.
    """

    source: Sequence[str]
    target: Sequence[str]
    links: Links
    tags: Iterable[str] = ()
    possible: Links = field(default_factory=set)


def aligned_pairs(examples: Iterable[Example], source: str, target: str) -> list[AlignedPair]:
    """Examples of the grammar corpus in two of its languages; raises ValueError for another one."""
    return [
        AlignedPair(
            example.sentences[source],
            example.sentences[target],
            links,
            example.features,
            example.possible(source, target),
        )
        for example in examples
        for links in [example.alignment(source, target)]
    ]


class CorpusExplorer(TraceWidget):
    """Browse sentence pairs with their gold alignment; filter them by tag, length and word.

    `CorpusExplorer(aligned_pairs(sample(200), "de", "en"), ("German", "English"), {"Model 1": model.alignments()})`:
    each of `predicted` is a list with one set of links for each pair, drawn over the gold ones with its AER beside it.

    `at` is the pair shown, an index into `pairs`; `tag`, `length` ("from-to", source words) and `word` are the filter;
    `overlay` names the predicted alignment, "" for none. Raises ValueError for no or more than 1,000 pairs, links
    outside a sentence, or another number of predicted alignments.
    """

    _esm, _css = front_end("corpus_explorer", root="lm-explorer")
    title = "Corpus explorer"
    height = 720

    languages = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pairs = traitlets.List().tag(sync=True)
    predicted = traitlets.Dict().tag(sync=True)
    at = traitlets.Int(0, min=0).tag(sync=True)
    tag = traitlets.Unicode().tag(sync=True)
    length = traitlets.Unicode().tag(sync=True)
    word = traitlets.Unicode().tag(sync=True)
    overlay = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        pairs: Sequence[AlignedPair],
        languages: tuple[str, str] = ("Source", "Target"),
        predicted: Mapping[str, Sequence[Links]] | None = None,
        overlay: str = "",
        at: int = 0,
    ):
        predicted = predicted or {}
        if not 1 <= len(pairs) <= MOST_PAIRS:
            raise ValueError(f"expected 1 to {MOST_PAIRS:,} sentence pairs, got {len(pairs):,}")
        if overlay not in ("", *predicted):
            raise ValueError(f"overlay must be one of {', '.join(predicted) or 'none'}, got {overlay!r}")
        if not 0 <= at < len(pairs):
            raise ValueError(f"at must be from 0 to {len(pairs) - 1}, got {at}")
        gold = {name: [getattr(pair, name) for pair in pairs] for name in ("links", "possible")}
        for name, alignments in {**gold, **predicted}.items():
            _check(name, pairs, alignments)
        super().__init__(
            languages=list(languages),
            pairs=[
                {**asdict(pair), "source": list(pair.source), "target": list(pair.target)}
                | {"links": _sorted(pair.links), "possible": _sorted(pair.possible - pair.links)}
                | {"tags": sorted(pair.tags)}
                for pair in pairs
            ],
            predicted={
                name: [
                    compared(links, pair.links, pair.possible) for links, pair in zip(alignments, pairs, strict=True)
                ]
                for name, alignments in predicted.items()
            },
            overlay=overlay,
            at=at,
        )


def compared(predicted: Links, sure: Links, possible: Links) -> dict:
    """The sure links found, the possible ones allowed, those missing and spurious, and the sentence's AER."""
    either = sure | possible
    parts = {"found": predicted & sure, "allowed": predicted & (possible - sure)}
    parts |= {"missing": sure - predicted, "spurious": predicted - either}
    return {
        **{name: _sorted(links) for name, links in parts.items()},
        "aer": alignment_error_rate([predicted], [sure], [either]),
    }


def _sorted(links: Links) -> list[list[int]]:
    return sorted([i, j] for i, j in links)


def _check(name: str, pairs: Sequence[AlignedPair], alignments: Sequence[Links]) -> None:
    if len(alignments) != len(pairs):
        raise ValueError(f"{name!r} must have one alignment for each of {len(pairs)} pairs, got {len(alignments)}")
    for k, (pair, links) in enumerate(zip(pairs, alignments, strict=True)):
        if outside := [(i, j) for i, j in links if not (0 <= i < len(pair.source) and 0 <= j < len(pair.target))]:
            size = f"{len(pair.source)} source and {len(pair.target)} target words"
            raise ValueError(f"{name!r} links words that pair {k} ({size}) does not have: {sorted(outside)}")
