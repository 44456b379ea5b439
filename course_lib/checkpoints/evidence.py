"""What the recorded runs of the experiments show: means with the range of their seeds, and which claims they decide.

python -m course_lib.checkpoints evidence [--seeds 3]

The rule was written down before the runs. A claim says which of two rows has the better measure. Its difference is the
mean over seeds, with a 95 % interval: Student's of the differences seed by seed where both numbers come from the same
training, Welch's where they come from two. The claim is *shown* where the interval lies above 0, *contradicted* where
it lies below, else *not decided*. Fewer than `LEAST` seeds decide nothing. Where no seed differs from another, the
interval is the difference alone.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from scipy import stats

from course_lib.checkpoints.experiments import CLAIMS, Claim
from course_lib.checkpoints.queue import SEEDS
from course_lib.checkpoints.recipes import RECIPES, run_of
from course_lib.checkpoints.recorded import about, is_recorded
from course_lib.tables import Table

LEAST = 3
Verdict = Literal["shown", "contradicted", "not decided", "too few runs"]


@dataclass(frozen=True)
class Measure:
    """How a number is read from a record, what it is, and whether a larger one is better (`sign` 1) or a smaller (−1).

    `read` gets the record and what stands behind ": " in the name of a row, one of `parts`: "last" is the state of the
    last step where the weights are a mean, "before" the checkpoint that the run began from, "beam 5" a search with five
    hypotheses.
    """

    read: Callable[[dict, str], float]
    said: str
    sign: int = 1
    decimals: int = 1
    parts: str = "last|before|"  # as a regular expression


def results(record: dict, part: str) -> dict:
    """The results of the run, of its last step's weights, or of the checkpoint that it began from."""
    return record[part if part in ("last", "before") else "results"]


def searched(record: dict, part: str) -> dict:
    """What a beam of the size in `part`, "beam 5", finds on `long`. Raises ValueError where none was tried."""
    found = {f"beam {each['beam_size']}": each for each in record["beams"]}
    if part not in found:
        raise ValueError(f"the part of the row must be one of {', '.join(found)}, got {part!r}")
    return found[part]


def kept_with_length(record: dict, part: str) -> float:
    """BLEU of sources of 26 to 30 tokens as a share (%) of that of sources of 6 to 10, on `test`."""
    of = {each["from"]: each["all"] for each in results(record, part)["test"]["by_length"]}
    return 100 * of[26] / of[6]


def busiest_expert(record: dict, part: str) -> float:
    """How many times the words of a mean expert the busiest one of a mixture gets, the mean over all mixtures."""
    return sum(max(words) * len(words) / sum(words) for words in record["loads"]) / len(record["loads"])


def loss(record: dict, part: str) -> float:
    """The held-out loss after the last step."""
    return record["held_out_losses"][-1][1]


def aer(how: str) -> Callable[[dict, str], float]:
    """The alignment error rate on `test`, made hard by "rows" or "symmetrised"."""
    return lambda record, part: results(record, part)["test"]["aer"][how]


def same_nearer(kind: str) -> Callable[[dict, str], float]:
    """Of how many triples of a kind, in %, the same meaning is the nearer one (`vectors.triples`)."""
    return lambda record, part: record["same_nearer"][kind]


def bleu(split: str) -> Callable[[dict, str], float]:
    """BLEU on a split; beams were tried on `long`."""
    return lambda record, part: searched(record, part)["all"] if "beam" in part else results(record, part)[split]["all"]


BEAM = r"beam \d+"
MEASURES = {
    "bleu": Measure(bleu("test"), "BLEU on test"),
    "bleu on long": Measure(bleu("long"), "BLEU on long", parts=f"last|before|{BEAM}|"),
    "bleu on captions": Measure(
        lambda record, part: record["test_2016_flickr"]["cased"]["bleu"], "BLEU on Multi30k's test 2016", parts=""
    ),
    "kept with length": Measure(kept_with_length, "BLEU of 26 to 30 tokens, in % of that of 6 to 10"),
    "aer": Measure(aer("rows"), "AER by rows", sign=-1, decimals=3),
    "aer, both": Measure(aer("symmetrised"), "AER, both directions", sign=-1, decimals=3),
    "adequacy": Measure(lambda record, part: 100 * results(record, part)["test"]["adequacy"], "adequacy, %"),
    "same nearer, order": Measure(same_nearer("order"), "same meaning nearer, two orders, %", parts=""),
    "same nearer, voice": Measure(same_nearer("voice"), "same meaning nearer, active and passive, %", parts=""),
    "perplexity": Measure(
        lambda record, part: math.exp(loss(record, part)), "perplexity on dev", sign=-1, decimals=2, parts=""
    ),
    "busiest expert": Measure(
        busiest_expert, "words of the busiest expert, of the mean one", sign=-1, decimals=2, parts=""
    ),
    "log p": Measure(
        lambda record, part: searched(record, part)["log_probability"],
        "mean ln p of an output",
        decimals=2,
        parts=BEAM,
    ),
    "length": Measure(
        lambda record, part: searched(record, part)["length"],
        "words for a word of the reference",
        decimals=2,
        parts=BEAM,
    ),
}


@dataclass(frozen=True)
class Row:
    """A row of an experiment: a measure of every seed that is recorded."""

    name: str
    values: dict[int, float]

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return sum(self.values.values()) / len(self.values)

    def written(self, decimals: int = 1) -> str:
        """The mean, and the smallest and the largest value; of one seed its value alone."""
        if not self.values:
            return "–"
        if len(self.values) == 1:
            return f"{self.mean:.{decimals}f}"
        low, high = min(self.values.values()), max(self.values.values())
        return f"{self.mean:.{decimals}f} ({low:.{decimals}f} … {high:.{decimals}f})"


@dataclass(frozen=True)
class Difference:
    """How much better the one row is than the other, with the 95 % interval, and what this decides."""

    mean: float
    low: float
    high: float
    verdict: Verdict


def records(recipe: str, seeds: Sequence[int] = SEEDS) -> dict[int, dict]:
    """The record of each seed with which a recipe has been run. Raises ValueError for a name that is no recipe."""
    if recipe not in RECIPES:
        raise ValueError(f"recipe must be one of {', '.join(RECIPES)}, got {recipe!r}")
    return {seed: about(run) for seed in seeds if is_recorded(run := run_of(recipe, seed))}


def row(name: str, measure: str, seeds: Sequence[int] = SEEDS) -> Row:
    """The values of "rnn.luong", or of a part of its runs, "rnn.luong: beam 5". Raises ValueError for a measure that is
    not in MEASURES, for a name that is no recipe, and for a part that the measure does not have."""
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {measure!r}")
    recipe, _, part = name.partition(": ")
    if not re.fullmatch(MEASURES[measure].parts, part):
        raise ValueError(f"{measure} cannot be told of the part {part!r} of {recipe}")
    return Row(name, {seed: MEASURES[measure].read(record, part) for seed, record in records(recipe, seeds).items()})


def difference(better: Row, worse: Row, measure: str) -> Difference:
    """By how much `better` is better, as the rule at the top of this module says."""
    sign = MEASURES[measure].sign
    same = better.name.partition(": ")[0] == worse.name.partition(": ")[0]
    seeds = sorted(better.values.keys() & worse.values.keys())
    if min(len(seeds) if same else LEAST, len(better.values), len(worse.values)) < LEAST:
        return Difference(math.nan, math.nan, math.nan, "too few runs")
    if same:
        sides = [[sign * (better.values[seed] - worse.values[seed]) for seed in seeds]]
        mean, test = sum(sides[0]) / len(seeds), partial(stats.ttest_1samp, popmean=0.0)
    else:
        sides = [[sign * value for value in each.values.values()] for each in (better, worse)]
        mean, test = sign * (better.mean - worse.mean), partial(stats.ttest_ind, equal_var=False)
    if all(len(set(side)) == 1 for side in sides):  # no seed differs from another
        low = high = mean
    else:
        low, high = test(*sides).confidence_interval(0.95)
    verdict: Verdict = "shown" if low > 0 else "contradicted" if high < 0 else "not decided"
    return Difference(float(mean), float(low), float(high), verdict)


def table(
    claims: Sequence[Claim] = CLAIMS, seeds: Sequence[int] = SEEDS, called: Mapping[str, str] | None = None
) -> Table:
    """Every claim with its two rows, their difference, and what it decides; the caption counts the verdicts.

    `called` has what a row is called in place of its name.
    """
    called = called or {}
    rows = []
    for claim in claims:
        decimals = MEASURES[claim.measure].decimals
        better, worse = (row(name, claim.measure, seeds) for name in (claim.better, claim.worse))
        found = difference(better, worse, claim.measure)
        told = (
            ""
            if math.isnan(found.mean)
            else f"{found.mean:+.{decimals}f} [{found.low:+.{decimals}f}, {found.high:+.{decimals}f}]"
        )
        counts = f"{len(better.values)}, {len(worse.values)}"
        of_rows = (f"{called.get(each.name, each.name)}: {each.written(decimals)}" for each in (better, worse))
        rows.append([claim.text, claim.measure, *of_rows, counts, told, found.verdict])
    header = ["claim", "measure", "better", "worse", "seeds", "how much better", "verdict"]
    counted = Counter(line[-1] for line in rows)
    return Table(
        header, rows, "; ".join(f"{verdict}: {counted[verdict]}" for verdict in get_args(Verdict) if counted[verdict])
    )
