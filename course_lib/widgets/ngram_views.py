"""What the n-gram explorer shows of one output: every n-gram with its fate, BLEU's factors as logs, chrF and TER."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from course_lib.metrics.bleu import BLEU
from course_lib.metrics.chrf import sentence_chrf
from course_lib.metrics.ngram_matches import NgramMatches, ngram_matches
from course_lib.metrics.ter import segment_ter

AT_ONCE = 800  # tokens of the output times those of all references: so many cost TER about a tenth of a second


def ngram_view(hypothesis: str, references: Sequence[str], smoothing: str = "exp", *, wait: bool = True) -> dict:
    """An output beside its references, JSON-able, in sacreBLEU's 13a tokens.

    `orders[n - 1]` has the n-grams in the output's order, `matches` and `total`, and `p`, smoothed. `c` and `r` are the
    lengths that count, `factors` BP and p_1 … p_4 (see there); `bleu`, `chrf` and `ter` are the scores. TER tries many
    shifts, of a long output for seconds: without `wait` it is None then. Raises as `metrics.ngram_matches`.
    """
    found = ngram_matches(hypothesis, references, smoothing=smoothing)
    parts = found.parts
    quick = len(found.hypothesis) * sum(map(len, found.references)) <= AT_ONCE
    return {
        "hypothesis": list(found.hypothesis),
        "references": [list(reference) for reference in found.references],
        "closest": found.closest,
        "orders": _orders(found),
        "c": parts.hypothesis_length,
        "r": parts.reference_length,
        "factors": factors(parts),
        "bleu": parts.score,
        "chrf": sentence_chrf(hypothesis, references).score,
        "ter": ter(hypothesis, tuple(references)) if wait or quick else None,
    }


@lru_cache(1000)
def ter(hypothesis: str, references: tuple[str, ...]) -> float:
    """TER of one output."""
    return segment_ter([hypothesis], [references])[0].score


def factors(parts: BLEU) -> list[dict]:
    """BLEU / 100 = BP · p_1^(1/N) · … · p_N^(1/N), each factor as {"name", "value", "weight", "log", "after"}.

    log = weight · log value; all add up to log(BLEU / 100), and `after` is 100 · exp of the sum so far. −∞ is None, as
    in JSON. N counts the orders that the output has n-grams of; one without has weight 0 and takes nothing away.
    """
    counted = [total > 0 or (parts.smoothing == "add-k" and n > 0) for n, total in enumerate(parts.totals)]
    weights = [1.0, *(has / max(sum(counted), 1) for has in counted)]
    values = [parts.brevity_penalty, *parts.precisions]
    names = ["BP", *(f"p{n}" for n in range(1, len(counted) + 1))]
    logs = [_log(*both) for both in zip(values, weights, strict=True)]
    after = [100 * math.exp(total) for total in accumulate(logs)]
    return [
        {"name": name, "value": value, "weight": weight, "log": None if log == -math.inf else log, "after": score}
        for name, value, weight, log, score in zip(names, values, weights, logs, after, strict=True)
    ]


def _log(value: float, weight: float) -> float:
    if not weight:
        return 0.0
    return weight * math.log(value) if value else -math.inf


def _orders(found: NgramMatches) -> list[dict]:
    parts = found.parts
    each = zip(found.occurrences, found.clips, parts.matches, parts.totals, parts.precisions, strict=True)
    orders = []
    for occurrences, clips, matches, total, p in each:
        by_ngram = {clip.ngram: clip for clip in clips}
        ngrams = [
            {
                "ngram": list(one.ngram),
                "at": one.position,
                "state": one.state,
                "match": one.match and list(one.match),
                "places": [list(place) for place in one.places],
                "count": by_ngram[one.ngram].count,
                "most": by_ngram[one.ngram].most,
                "counted": by_ngram[one.ngram].counted,
            }
            for one in occurrences
        ]
        orders.append({"ngrams": ngrams, "matches": matches, "total": total, "p": p})
    return orders
