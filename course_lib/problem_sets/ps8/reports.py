"""What scripts print that compute BLEU, right and faulty ones: each number follows from those before it."""

from functools import lru_cache
from math import exp
from random import Random
from statistics import mean

from course_lib.grading.cases.isolate import until
from course_lib.problem_sets.ps8 import brevity_penalty, modified_precision
from course_lib.problem_sets.ps8.corpus_bleu import geometric
from course_lib.problem_sets.ps8.tokens import References, Tokens, different, edited

Report = dict[str, list | int | float]
FAULTS = ("exchanged", "clipping", "case", "length", "brevity", "score")
EXCLUDED = ({"exchanged", "clipping"}, {"exchanged", "length"})
ORDERS = range(1, 5)
LIMITS = ("none", "sum")  # ways not to clip
BOUNDS = {"bp": 0.02, "score": 1.0}  # by how much a wrong number is off at least

# Counts


def folded(tokens: Tokens) -> Tokens:
    return [token.lower() for token in tokens]


def matches(hypothesis: Tokens, references: References, n: int, limit: str) -> int:
    if limit == "max":
        return modified_precision.defined(hypothesis, references, n)[0]
    if limit == "none":
        return modified_precision.not_clipped(hypothesis, references, n)[0]
    return modified_precision.counts_of_all_references_added(hypothesis, references, n)[0]


@lru_cache(maxsize=4096)
def _counted(pairs: tuple, limit: str, fold: bool) -> tuple[int, ...]:
    form = folded if fold else list
    made = [(form(h), [form(each) for each in references]) for h, references in pairs]
    return tuple(sum(matches(h, references, n, limit) for h, references in made) for n in ORDERS)


def counted(report: Report, limit: str = "max", fold: bool = False) -> list[int]:
    """The matches of each order over the corpus, limited so, of lower-cased words if `fold`."""
    pairs = zip(report["hypotheses"], report["references"], strict=True)
    return [*_counted(tuple((tuple(h), tuple(map(tuple, r))) for h, r in pairs), limit, fold)]


def totals(sentences: list[Tokens]) -> list[int]:
    return [sum(max(0, len(each) - n + 1) for each in sentences) for n in ORDERS]


def lengths(report: Report) -> tuple[list[int], list[list[int]]]:
    return [*map(len, report["hypotheses"])], [[*map(len, each)] for each in report["references"]]


def length(report: Report, choose=brevity_penalty.closest) -> float:
    """r, if each sentence's reference is chosen so."""
    return sum(choose(c, others) for c, others in zip(*lengths(report), strict=True))


CHOICES = {
    "closest": brevity_penalty.closest,
    "shortest": lambda c, others: min(others),
    "longest": lambda c, others: max(others),
    "first": lambda c, others: others[0],
    "last": lambda c, others: others[-1],
}


def precisions(report: Report) -> list[float]:
    return [m / t for m, t in zip(report["matched"], report["total"], strict=True)]


def penalty(report: Report) -> float:
    """The brevity penalty that follows from the numbers printed."""
    return brevity_penalty.penalty(report["total"][0], report["r"])


def score(report: Report) -> float:
    """The score that follows from the numbers printed."""
    return 100 * report["bp"] * geometric(precisions(report))


# Faulty numbers


def penalties(report: Report) -> dict[str, float]:
    c, r = report["total"][0], report["r"]
    each = [brevity_penalty.defined([c], [others]) for c, others in zip(*lengths(report), strict=True)]
    return {"mean": mean(each), "ratio": min(1.0, c / r), "none": 1.0, "turned": exp(1 - max(c, r) / min(c, r))}


def scores(report: Report) -> dict[str, float]:
    p, bp = precisions(report), 100 * report["bp"]
    each = [
        100
        * brevity_penalty.defined([len(h)], [[*map(len, references)]])
        * geometric([matches(h, references, n, "max") / max(1, len(h) - n + 1) for n in ORDERS])
        for h, references in zip(report["hypotheses"], report["references"], strict=True)
    ]
    left_out = {f"without {n}": bp * geometric(p[: n - 1] + p[n:]) for n in ORDERS}
    return {"mean": mean(each), "arithmetic": bp * mean(p), "no penalty": bp and 100 * geometric(p)} | left_out


# Reports


def sentence(rng: Random, references: int, gram: bool) -> tuple[Tokens, References]:
    """A hypothesis that repeats a word (or three next to each other, if `gram`) and has a capital letter of its own.

    So have the references: their first words are small letters in the hypothesis.
    """
    base = different(rng, rng.randint(8, 10))
    at = rng.randrange(1, 3 if gram else 5)
    if gram:  # the references have each two of the three as often, and all three once
        one, two, three = base[at : at + 3]
        hypothesis = [*base, one, two, three]
        texts = [
            [*base[:-1], *different(rng, 1, base), one, two, new, two, three]
            for new in different(rng, references, base)
        ]
    else:
        hypothesis = [base[at], *base, base[at]]
        texts = [edited(rng, base, 1) for _ in range(references)]
    texts = [each + different(rng, rng.choice((0, 1, 3, 5)), (*each, *base)) for each in texts]
    for each in texts:  # so lower-casing one side alone is another way to count
        each[0] = each[0].capitalize()
    place = rng.randrange(5, 8)
    hypothesis[place] = hypothesis[place].capitalize()
    return hypothesis, texts


def drawn(rng: Random, several: bool, gram: bool) -> Report:
    """A report of two or three sentences in which no number is printed yet; one reference each, unless `several`."""
    made = [
        sentence(rng, rng.randint(2, 3) if several and k == 0 else 1 + (several and rng.random() < 0.5), gram)
        for k in range(rng.randint(2, 3))
    ]
    hypotheses, references = map(list, zip(*made, strict=True))
    return {"hypotheses": hypotheses, "references": references}


def filled(report: Report, faults: set[str], how: dict[str, str]) -> Report:
    """The report with all numbers, those of the faults wrong in the way that `how` says."""
    exchanged = "exchanged" in faults
    report["matched"] = counted(report, how["clipping"] if "clipping" in faults else "max", "case" in faults)
    report["total"] = totals([each[0] for each in report["references"]] if exchanged else report["hypotheses"])
    report["r"] = length(report, CHOICES[how["length"] if "length" in faults else "closest"])
    if exchanged:
        report["r"] = sum(map(len, report["hypotheses"]))
    report["bp"] = round(penalties(report)[how["brevity"]] if "brevity" in faults else penalty(report), 4)
    report["score"] = round(scores(report)[how["score"]] if "score" in faults else score(report), 2)
    return report


WAYS = {
    "clipping": LIMITS,
    "length": ("shortest", "longest", "first"),
    "brevity": ("mean", "ratio", "none", "turned"),
    "score": ("mean", "mean", "arithmetic", "no penalty", *(f"without {n}" for n in ORDERS)),
}


def decided(report: Report) -> bool:
    """Whether counts tell of clipping and of case: no two faults have the same."""
    R, L = counted(report), counted(report, fold=True)
    cased, low = (
        [c for limit in LIMITS if (c := counted(report, limit, fold)) != right] for fold, right in ((0, R), (1, L))
    )
    return R[3] > 0 and R != L and L not in cased and R not in low and not any(each in cased for each in low)


def told(report: Report, faults: set[str]) -> bool:
    """Whether each number shows the faults that there are, and follows from those before it where there is none."""
    off = {
        "exchanged": report["total"][0] != sum(map(len, report["hypotheses"])),
        "clipping": report["matched"] not in (counted(report), counted(report, fold=True)),
        "length": "exchanged" not in faults and report["r"] != length(report),
        "brevity": abs(report["bp"] - penalty(report)) > BOUNDS["bp"],
        "score": abs(report["score"] - score(report)) > BOUNDS["score"],
    }
    return all(shows == (fault in faults) for fault, shows in off.items())


def report_with(
    rng: Random, faults: set[str], how: dict[str, str] | None = None, several: bool | None = None, gram: bool = False
) -> Report:
    """A report with these faults, in the ways of `how`, else in any; `several`: there are several references."""

    def attempt() -> tuple[Report]:
        ways = {fault: rng.choice(each) for fault, each in WAYS.items()} | (how or {})
        more = rng.random() < 0.7 if several is None else several
        if "exchanged" in faults:
            more = False
        elif "length" in faults or ("clipping" in faults and ways["clipping"] == "sum"):
            more = True
        return (filled(drawn(rng, more, gram), faults, ways),)

    return until(attempt, lambda report: decided(report) and told(report, faults))[0]
