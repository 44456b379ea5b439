"""ps1.wordpiece_gain: what a merge does to the log-likelihood of a unigram model of pieces (Straka 2021, WordPiece)."""

from collections import Counter
from itertools import pairwise
from math import log
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import isolating
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.subwords import likelihood

Counts = dict[str, int]
Candidate = tuple[str, str, int]  # a, b, n_ab


def reference(counts: Counts, a: str, b: str, n_ab: int) -> float:
    """L(after) − L(before), L = Σ_w n_w log(n_w / N), of writing `n_ab` times the piece ab for a and b."""
    return likelihood.log_likelihood(updated(counts, a, b, n_ab)) - likelihood.log_likelihood(counts)


def updated(counts: Counts, a: str, b: str, n_ab: int) -> Counts:
    after = Counter(counts)
    after[a] -= n_ab
    after[b] -= n_ab
    after[likelihood.join((a, b))] += n_ab
    return dict(after)


# Wrong versions


def terms(counts: Counts, total: int) -> float:
    return sum(n * log(n / total) for n in counts.values() if n)


def defined(counts: Counts, a: str, b: str, n_ab: int) -> float:
    before, after = sum(counts.values()), sum(counts.values()) - n_ab
    return terms(updated(counts, a, b, n_ab), after) - terms(counts, before)


def total_kept(counts: Counts, a: str, b: str, n_ab: int) -> float:
    total = sum(counts.values())
    return terms(updated(counts, a, b, n_ab), total) - terms(counts, total)


def averaged(counts: Counts, a: str, b: str, n_ab: int) -> float:
    before, after = sum(counts.values()), sum(counts.values()) - n_ab
    return terms(updated(counts, a, b, n_ab), after) / after - terms(counts, before) / before


def changed_terms_only(counts: Counts, a: str, b: str, n_ab: int) -> float:
    others = {w: n for w, n in counts.items() if w not in (a, b, likelihood.join((a, b)))}
    before, after = sum(counts.values()), sum(counts.values()) - n_ab
    return defined(counts, a, b, n_ab) - (terms(others, after) - terms(others, before))


def vanished_skipped(counts: Counts, a: str, b: str, n_ab: int) -> float:
    after = updated(counts, a, b, n_ab)
    left = {w: n for w, n in counts.items() if after[w]}
    return terms(after, sum(after.values())) - terms(left, sum(counts.values()))


def taken_once(counts: Counts, a: str, b: str, n_ab: int) -> float:
    after = counts | {a: counts[a] - n_ab, b: counts[b] - n_ab}
    after[likelihood.join((a, b))] = after.get(likelihood.join((a, b)), 0) + n_ab
    return terms(after, sum(after.values())) - terms(counts, sum(counts.values()))


def overwritten(counts: Counts, a: str, b: str, n_ab: int) -> float:
    after = updated(counts, a, b, n_ab) | {likelihood.join((a, b)): n_ab}
    return terms(after, sum(after.values())) - terms(counts, sum(counts.values()))


def ratio(counts: Counts, a: str, b: str, n_ab: int) -> float:
    return n_ab / (counts[a] * counts[b])


def always_zero(*_) -> float:
    return 0.0


# Cases: what is compared is the gain itself, or what it is needed for.


def gains(function, case: Case) -> list[float]:
    """The gain of each candidate of a case (counts, candidates)."""
    counts, candidates = case.arguments
    values = [function(counts, *candidate) for candidate in candidates]
    for value in values:
        if type(value) not in (int, float):
            raise StudentError(f"it returned {kind(value)}, expected is a number")
    return values


def chosen(function, case: Case) -> str:
    values = gains(function, case)
    return " ".join(case.arguments[1][values.index(max(values))][:2])


def worthwhile(function, case: Case) -> list[bool]:
    return [value > 0 for value in gains(function, case)]


def case(counts: Counts, *rest) -> Case:
    total = sum(counts.values())
    words = f"{len(counts)} piece{'s' * (len(counts) != 1)}, N = {total}" + (
        "" if len(rest) == 3 else f", {len(rest[0])} pairs to choose from"
    )
    return Case((counts, *rest), words, scale=total * log(total), terms=len(counts) + 1)


def clear(counts: Counts, candidates: list[Candidate]) -> bool:
    """Whether rounding can change neither the order of the gains nor their signs."""
    values = sorted([0.0, *(defined(counts, *candidate) for candidate in candidates)])
    return all(high - low > 1e-6 for low, high in pairwise(values))


MISTAKES = (total_kept, averaged, changed_terms_only, vanished_skipped, taken_once, overwritten)
shows = isolating(defined, MISTAKES, case)


def tally(rng: Random, pieces: int) -> Counts:
    """Counts of `pieces` pieces, half of them continuing a word."""
    letters = rng.sample("abdeiklmnorst", pieces)
    return {"##" * (i % 2) + letter: rng.randint(4, 30) for i, letter in enumerate(letters)}


def pair(rng: Random, counts: Counts) -> Candidate:
    """Two pieces of `counts` that leave something of each."""
    b = rng.choice([piece for piece in counts if piece.startswith("##")])
    a = rng.choice([piece for piece in counts if piece != b])
    return a, b, rng.randint(1, max(1, min(counts[a], counts[b]) // 2))


@shows(total_kept, averaged)
def draw_alone(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    return counts, a, b, rng.randint(1, min(counts.values()) - 1)


@shows(total_kept, averaged, changed_terms_only)
def draw_others(rng: Random, size: int) -> tuple:
    counts = tally(rng, 4 + size // 2)
    return counts, *pair(rng, counts)


@shows(total_kept, averaged, vanished_skipped)
def draw_vanishing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    return counts, a, b, min(counts.values())


@shows(total_kept, averaged, taken_once)
def draw_double(rng: Random, size: int) -> tuple:
    (_, (a, n)) = tally(rng, 2).items()
    return {a: n}, a, a, rng.randint(1, (n - 1) // 2)


@shows(total_kept, averaged, overwritten)
def draw_existing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    counts[a + b.removeprefix("##")] = rng.randint(2, 20)
    return counts, a, b, rng.randint(1, min(counts[a], counts[b]) - 1)


@shows(always_zero, probe=chosen, when=clear)
def draw_choice(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    n_ab = rng.randint(1, 4)
    return counts, [(*pair(rng, counts)[:2], n_ab) for _ in range(3)]


@shows(averaged, ratio, probe=worthwhile, when=clear)
def draw_sign(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    candidates = [pair(rng, counts) for _ in range(3)]
    return counts, [(a, b, rng.choice((n_ab, min(counts[a], counts[b]) - 1))) for a, b, n_ab in candidates]


TASK = Task(
    name="ps1.wordpiece_gain",
    title="The gain of a WordPiece merge",
    reference=reference,
    criteria=(
        Criterion("alone", 1, "Two pieces and nothing else: counts and N are those after the merge.", draw_alone),
        Criterion("others", 1, "Every other piece counts too: its own count stays, N does not.", draw_others),
        Criterion("vanishing", 0.5, "A piece that is used up leaves 0 · log 0 = 0.", draw_vanishing),
        Criterion("double", 0.5, "If a is b, each merge takes two of it.", draw_double),
        Criterion("existing", 1, "Where ab is a piece already, its count grows.", draw_existing),
        Criterion("choice", 0.5, "Of several pairs, the right one has the largest gain.", draw_choice, probe=chosen),
        Criterion("sign", 0.5, "It is positive for the pairs that are worth merging.", draw_sign, probe=worthwhile),
    ),
    misconceptions=(
        Misconception(
            "N left as it was",
            total_kept,
            "alone",
            "Your L(after) still divides by the old N. Two pieces become one: how many are there after the merge?",
        ),
        Misconception(
            "average per piece",
            averaged,
            "alone",
            "You divide each L by its N, the log-likelihood per piece. L is the sum over the whole text.",
        ),
        Misconception(
            "only the changed counts",
            changed_terms_only,
            "others",
            "You compare only the terms of a, b and ab. N is in the term of every other piece, too.",
        ),
        Misconception(
            "vanished piece left out of both sums",
            vanished_skipped,
            "vanishing",
            "You skip a piece whose count falls to 0, and with it the term that it had in L(before).",
        ),
        Misconception(
            "a pair of equal pieces counted once",
            taken_once,
            "double",
            "Where a and b are the same piece you take n_ab of it; a merge uses two of them up.",
        ),
        Misconception(
            "count of ab overwritten",
            overwritten,
            "existing",
            "You set the count of ab to n_ab. Another merge may have made this piece before: add to what is there.",
        ),
    ),
    forbidden=(
        "course_lib.subwords.likelihood.log_likelihood",
        "course_lib.subwords.likelihood.gain",
        "course_lib.subwords.likelihood.Scores.gain",
        "course_lib.subwords.log_likelihood",
        "course_lib.subwords.gain",
    ),
)
