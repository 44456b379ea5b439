"""ps1.wordpiece_gain: what a merge does to the log-likelihood of a unigram model of pieces (Straka 2021, WordPiece)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import log
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.problem_sets.ps1 import wrong_wordpiece_gain as wrong
from course_lib.problem_sets.ps1.wrong_wordpiece_gain import Candidate, Counts
from course_lib.subwords import likelihood


def reference(counts: Counts, a: str, b: str, n_ab: int) -> float:
    """L(after) − L(before), L = Σ_w n_w log(n_w / N), of writing `n_ab` times the piece ab for a and b."""
    return likelihood.log_likelihood(wrong.updated(counts, a, b, n_ab)) - likelihood.log_likelihood(counts)


# Cases: what is compared is the size of the gain, or what the gain is needed for.


def size_of(function: Callable, case: Case) -> Parts:
    """How large the gain is; its sign has a criterion of its own."""
    counts, *candidate = case.arguments
    (value,) = gains(function, replace(case, arguments=(counts, [candidate])))
    return Parts({"the size of the gain, its sign left aside,": abs(float(value))})


def gains(function: Callable, case: Case) -> list[float]:
    """The gain of each candidate of a case (counts, candidates)."""
    counts, candidates = case.arguments
    values = [function(counts, *candidate) for candidate in candidates]
    for value in values:
        if type(value) not in (int, float):
            raise StudentError(f"it returned {kind(value)}, not a number")
    return values


def chosen(function: Callable, case: Case) -> Parts:
    values = gains(function, case)
    return Parts({"the pair with the largest gain": " ".join(case.arguments[1][values.index(max(values))][:2])})


def worthwhile(function: Callable, case: Case) -> Parts:
    values = enumerate(gains(function, case), start=1)
    return Parts({f"whether the gain of pair {i} is above 0": value > 0 for i, value in values})


def case(counts: Counts, *rest) -> Case:
    total = sum(counts.values())
    words = f"{len(counts)} piece{'s' * (len(counts) != 1)}, N = {total}" + (
        "" if len(rest) == 3 else f", {len(rest[0])} pairs to choose from"
    )
    return Case((counts, *rest), words, scale=total * log(total), terms=len(counts) + 1)


def clear(counts: Counts, candidates: list[Candidate]) -> bool:
    """Whether rounding can change neither the order of the gains nor their signs."""
    values = sorted([0.0, *(wrong.defined(counts, *candidate) for candidate in candidates)])
    return all(high - low > 1e-6 for low, high in pairwise(values))


ALWAYS = (wrong.total_kept, wrong.averaged, wrong.binary)  # whatever the counts are, these give another number
MARKS = (wrong.mark_lost, wrong.mark_inside)
CORNERS = (wrong.changed_terms_only, wrong.vanished_skipped, wrong.taken_once, wrong.overwritten, *MARKS)


shows = isolating(wrong.defined, (*ALWAYS, *CORNERS, wrong.lost), case)


def tally(rng: Random, pieces: int) -> Counts:
    """Counts of `pieces` pieces, half of them continuing a word."""
    letters = rng.sample("abdeiklmnorst", pieces)
    return {"##" * (i % 2) + letter: rng.randint(4, 30) for i, letter in enumerate(letters)}


def pair(rng: Random, counts: Counts) -> Candidate:
    """Two pieces of `counts` that leave something of each."""
    b = rng.choice([piece for piece in counts if piece.startswith("##")])
    a = rng.choice([piece for piece in counts if piece != b])
    return a, b, rng.randint(1, max(1, min(counts[a], counts[b]) // 2))


def draw_pair(rng: Random) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    return counts, a, b, rng.randint(1, min(counts.values()) - 1)


@shows(*ALWAYS, probe=size_of)
def draw_alone(rng: Random, size: int) -> tuple:
    return draw_pair(rng)


@shows(*ALWAYS, wrong.changed_terms_only, probe=size_of)
def draw_others(rng: Random, size: int) -> tuple:
    counts = tally(rng, 4 + size // 2)
    return counts, *pair(rng, counts)


@shows(*ALWAYS, wrong.vanished_skipped, probe=size_of)
def draw_vanishing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    return counts, a, b, min(counts.values())


@shows(*ALWAYS, wrong.taken_once, probe=size_of)
def draw_double(rng: Random, size: int) -> tuple:
    (_, (a, n)) = tally(rng, 2).items()
    return {a: n}, a, a, rng.randint(1, (n - 1) // 2)


@shows(*ALWAYS, wrong.overwritten, wrong.mark_inside, probe=size_of)
def draw_existing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    counts[a + b.removeprefix("##")] = rng.randint(2, 20)
    return counts, a, b, rng.randint(1, min(counts[a], counts[b]) - 1)


def twins(rng: Random, a: str) -> tuple:
    """A pair that begins with `a`, where there are pieces that one may take for ab, but are written otherwise."""
    b = "##" + rng.choice("uvwxyz")
    pieces = [a, b, a + b, *([a.removeprefix("##") + b.removeprefix("##")] if a.startswith("##") else [])]
    counts = {piece: rng.randint(4, 30) for piece in rng.sample(pieces, len(pieces))}
    return counts, a, b, rng.randint(1, min(counts[a], counts[b]) - 1)


@shows(*ALWAYS, wrong.mark_lost, wrong.mark_inside, free=(wrong.changed_terms_only,), probe=size_of)
def draw_continued(rng: Random, size: int) -> tuple:
    return twins(rng, "##" + rng.choice("abdeik"))


@shows(*ALWAYS, wrong.mark_inside, free=(wrong.changed_terms_only,), probe=size_of)
def draw_begun(rng: Random, size: int) -> tuple:
    return twins(rng, rng.choice("abdeik"))


@shows(wrong.always_zero, wrong.lost, apart=False, probe=chosen, when=clear)
def draw_choice(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    return counts, [pair(rng, counts) for _ in range(3)]


@shows(wrong.averaged, wrong.ratio, wrong.lost, apart=False, probe=worthwhile, when=clear)
def draw_sign(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    candidates = [pair(rng, counts) for _ in range(3)]
    return counts, [(a, b, rng.choice((n_ab, min(counts[a], counts[b]) - 1))) for a, b, n_ab in candidates]


def draw_kept(rng: Random, size: int) -> Case:
    counts = tally(rng, 5 + size // 2)
    return case(counts, *pair(rng, counts))


Value = partial(Criterion, probe=size_of)

TASK = Task(
    name="ps1.wordpiece_gain",
    title="The gain of a WordPiece merge",
    reference=reference,
    criteria=(
        Value("alone", 0.5, "Two pieces and nothing else: counts and N are those after the merge.", draw_alone),
        Value("others", 1, "Every other piece counts too: its own count stays, N does not.", draw_others),
        Value("vanishing", 0.5, "A piece that is used up leaves 0 · log 0 = 0.", draw_vanishing),
        Value("double", 0.5, "If a is b, each merge takes two of it.", draw_double),
        Value("existing", 0.5, "Where ab is a piece already, its count grows.", draw_existing),
        Value(
            "pieces", 0.5, "ab keeps the '##' of its beginning, and only that.", alternate(draw_continued, draw_begun)
        ),
        Criterion("choice", 0.5, "Of several pairs, the right one has the largest gain.", draw_choice, probe=chosen),
        Criterion("sign", 0.5, "It is positive for the pairs that are worth merging.", draw_sign, probe=worthwhile),
        Criterion(
            "arguments",
            0.5,
            "The counts are afterwards as they were.",
            draw_kept,
            probe=leaving("counts a b n_ab"),
        ),
    ),
    misconceptions=(
        Misconception(
            "count in place of the gain",
            wrong.count,
            "alone",
            "You return how often the pair occurs. The gain is the change of the log-likelihood: L(after) − L(before).",
        ),
        Misconception(
            "ratio in place of the gain",
            wrong.ratio,
            "alone",
            "c(ab) / (c(a) c(b)) leaves out how often the pair occurs. Take L(after) − L(before).",
        ),
        Misconception(
            "N left as it was",
            wrong.total_kept,
            "alone",
            "Your L(after) still divides by the old N. Two pieces become one: how many are there after the merge?",
        ),
        Misconception(
            "average per piece",
            wrong.averaged,
            "alone",
            "You divide each L by its N, the log-likelihood per piece. L is the sum over the whole text.",
        ),
        Misconception(
            "only the changed counts",
            wrong.changed_terms_only,
            "others",
            "You compare only the terms of a, b and ab. N is in the term of every other piece, too.",
        ),
        Misconception(
            "vanished piece left out of both sums",
            wrong.vanished_skipped,
            "vanishing",
            "You skip a piece whose count falls to 0, and with it the term that it had in L(before).",
        ),
        Misconception(
            "a pair of equal pieces counted once",
            wrong.taken_once,
            "double",
            "Where a and b are the same piece, your count of it falls by n_ab. Each merge uses two of it: "
            "2 · n_ab must go.",
        ),
        Misconception(
            "count of ab overwritten",
            wrong.overwritten,
            "existing",
            "You set the count of ab to n_ab. Another merge may have made this piece before: add to what is there.",
        ),
        Misconception(
            "'##' of the beginning lost",
            wrong.mark_lost,
            "pieces",
            "You take the '##' away from both pieces. '##l' and '##o' make '##lo', which continues a word.",
        ),
        Misconception(
            "'##' inside a piece",
            wrong.mark_inside,
            "existing",
            "You join 'l' and '##o' to 'l##o'. The mark belongs to a piece's beginning: together they are 'lo'.",
        ),
        Misconception(
            "logarithm to base 2",
            wrong.binary,
            "alone",
            "Your gain is in bits: it is the right one divided by log 2. Here log is the natural logarithm.",
        ),
        Misconception(
            "before minus after",
            wrong.lost,
            "sign",
            "You take L(before) − L(after). A gain is what comes after minus what was before.",
        ),
        Misconception(
            "counts changed in place",
            wrong.in_place,
            "arguments",
            "You change the counts that you are given: the next pair is then scored on other counts. Work on a copy.",
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
