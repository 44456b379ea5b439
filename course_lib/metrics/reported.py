"""The score to report: sacreBLEU's own, with the signature by which others can compute the same (Post 2018)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics import BLEU, CHRF, TER

from course_lib.metrics.segments import checked, streams

METRICS = {"BLEU": (BLEU, {}), "chrF": (CHRF, {}), "chrF++": (CHRF, {"word_order": 2}), "TER": (TER, {})}


@dataclass(frozen=True)
class Reported:
    """A score in 0..100 (TER can be higher, and less is better), its name and signature; `str` is the whole line."""

    name: str
    score: float
    signature: str

    def __str__(self) -> str:
        return f"{self.name}|{self.signature} = {self.score:.1f}"


def reported(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], metric: str = "BLEU", **options
) -> Reported:
    """sacreBLEU's score of a corpus of running text; `references[k]` are all references of `hypotheses[k]`.

    `options` are those of sacreBLEU's class: `tokenize`, `lowercase`, `smooth_method`, …. Raises TypeError and
    ValueError as `segments.checked`, and ValueError for a metric not in METRICS.
    """
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")
    hypotheses, references = checked(hypotheses, references)
    kind, chosen = METRICS[metric]
    computed = kind(**(chosen | options))
    found = computed.corpus_score(hypotheses, streams(references))
    return Reported(found.name, found.score, str(computed.get_signature()))
