"""ps1.wordpiece_gain: what a merge does to the log-likelihood of a unigram model of pieces (Straka 2021, WordPiece)."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import log
from operator import neg
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.compare import kind
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.problem_sets.ps1.pieces import MARK_LOST
from course_lib.subwords import likelihood
from course_lib.subwords.likelihood import CONTINUES, join

Counts = dict[str, int]
Candidate = tuple[str, str, int]  # a, b, n_ab


def reference(counts: Counts, a: str, b: str, n_ab: int) -> float:
    """L(after) − L(before), L = Σ_w n_w log(n_w / N), of writing `n_ab` times the piece ab for a and b."""
    return likelihood.log_likelihood(updated(counts, a, b, n_ab)) - likelihood.log_likelihood(counts)


# Mistakes


def updated(counts, a, b, n_ab, join=join):
    after = Counter(counts)
    after[a] -= n_ab
    after[b] -= n_ab
    after[join((a, b))] += n_ab
    return dict(after)


def L(counts, N=None):
    N = N or sum(counts.values())
    return sum(n * log(n / N) for n in counts.values() if n)


def defined(counts, a, b, n_ab, update=updated, L=L, finish=float):
    return finish(L(update(counts, a, b, n_ab)) - L(counts))


wrong = versions(defined)
count_in_place_of_the_gain = mistake(
    "alone",
    "You return how often the pair occurs. The gain is the change of the log-likelihood: L(after) − L(before).",
)(lambda counts, a, b, n_ab: float(n_ab))
ratio_in_place_of_the_gain = mistake(
    "alone",
    "c(ab) / (c(a) c(b)) compares how often the pair occurs with how often its pieces do. The gain is another number: "
    "L(after) − L(before).",
)(lambda counts, a, b, n_ab: n_ab / (counts[a] * counts[b]))


@mistake("alone")
def N_left_as_it_was(counts, *merge):
    """Your L(after) still divides by the old N. Two pieces become one: how many are there after the merge?"""
    return defined(counts, *merge, L=partial(L, N=sum(counts.values())))


average_per_piece = wrong("alone", L=lambda counts: L(counts) / sum(counts.values()))(
    "You divide each L by its N, the log-likelihood per piece. L is the sum over the whole text."
)


@mistake("others")
def only_the_changed_counts(counts, a, b, n_ab):
    """You compare only the terms of a, b and ab. N is in the term of every other piece, too."""
    others = {w: n for w, n in counts.items() if w not in (a, b, join((a, b)))}
    N = sum(counts.values())
    return defined(counts, a, b, n_ab) - (L(others, N - n_ab) - L(others, N))


@mistake("vanishing")
def vanished_piece_left_out_of_both_sums(counts, *merge):
    """You skip a piece whose count falls to 0, and with it the term that it had in L(before)."""
    after = updated(counts, *merge)
    return L(after) - L({w: n for w, n in counts.items() if after[w]}, sum(counts.values()))


def taken_once(counts, a, b, n_ab):
    after = counts | {a: counts[a] - n_ab, b: counts[b] - n_ab}
    after[join((a, b))] = after.get(join((a, b)), 0) + n_ab
    return after


a_pair_of_equal_pieces_counted_once = wrong("double", update=taken_once)(
    "Where a and b are the same piece, your count of it falls by n_ab. Each merge uses two of it: 2 · n_ab must go."
)
count_of_ab_overwritten = wrong(
    "existing", update=lambda counts, a, b, n_ab: updated(counts, a, b, n_ab) | {join((a, b)): n_ab}
)("You set the count of ab to n_ab. Another merge may have made this piece before: add to what is there.")
mark_of_the_beginning_lost = wrong(
    "pieces", update=partial(updated, join=lambda pair: "".join(piece.removeprefix(CONTINUES) for piece in pair))
)(MARK_LOST)
every_hash_taken_away = wrong("pieces", update=partial(updated, join=lambda pair: pair[0] + pair[1].lstrip("#")))(
    "You take away every '#' at the beginning of b, as str.lstrip('#') does. Only the mark '##' goes: a letter may be "
    "'#', too. Look at str.removeprefix."
)
INSIDE = (
    "You take away every '##'. Only the mark at the beginning of b goes: '##' between letters belongs to the word, in "
    "a and in b. Look at str.removeprefix."
)
every_mark_of_b_taken_away = wrong(
    "pieces", update=partial(updated, join=lambda pair: pair[0] + pair[1].replace(CONTINUES, ""))
)(INSIDE)
every_mark_of_both_taken_away = wrong(
    "pieces",
    update=partial(
        updated, join=lambda pair: CONTINUES * pair[0].startswith(CONTINUES) + "".join(pair).replace(CONTINUES, "")
    ),
)(INSIDE)
a_mark_inside_a_piece = wrong("existing", update=partial(updated, join="".join))(
    "You join 'l' and '##o' to 'l##o'. The mark belongs to a piece's beginning: together they are 'lo'."
)
logarithm_to_base_2 = wrong("alone", finish=lambda gain: gain / log(2))(
    "Your gain is in bits: it is the right one divided by log 2. Here log is the natural logarithm."
)
before_minus_after = wrong("sign", finish=neg)(
    "You take L(before) − L(after). A gain is what comes after minus what was before."
)


@changing("arguments", defined)
def counts_changed_in_place(counts, *merge):
    """You change the counts that you are given: the next pair is then scored on other counts. Work on a copy."""
    counts.update(updated(counts, *merge))


# Cases: what is compared is the size of the gain, or what the gain is needed for.


def gains(function: Callable, counts: Counts, candidates: list[Candidate]) -> list[float]:
    values = [function(counts, *candidate) for candidate in candidates]
    for value in values:
        if type(value) not in (int, float):
            raise StudentError(f"it returned {kind(value)}, not a number")
    return values


def size_of(function: Callable, case: Case) -> Parts:
    """How large the gain is; its sign has a criterion of its own."""
    counts, *candidate = case.arguments
    (value,) = gains(function, counts, [candidate])
    return Parts({"the size of the gain, its sign left aside,": abs(float(value))})


def chosen(function: Callable, case: Case) -> Parts:
    values = gains(function, *case.arguments)
    return Parts({"the pair with the largest gain": " ".join(case.arguments[1][values.index(max(values))][:2])})


def worthwhile(function: Callable, case: Case) -> Parts:
    values = enumerate(gains(function, *case.arguments), start=1)
    return Parts({f'"the gain of pair {i} is above 0"': value > 0 for i, value in values})


def case(counts: Counts, *rest) -> Case:
    N = sum(counts.values())
    words = f"{len(counts)} piece{'s' * (len(counts) != 1)}, N = {N}"
    if len(rest) == 1:
        words += f", {len(rest[0])} pairs to choose from"
    return Case((counts, *rest), words, scale=N * log(N), terms=len(counts) + 1)


def clear(counts: Counts, candidates: list[Candidate]) -> bool:
    """Whether rounding can change neither the order of the gains nor their signs."""
    values = sorted([0.0, *(defined(counts, *candidate) for candidate in candidates)])
    return all(high - low > 1e-6 for low, high in pairwise(values))


ALWAYS = (N_left_as_it_was, average_per_piece, logarithm_to_base_2)  # they give another number whatever the counts are
CORNERS = (
    *(only_the_changed_counts, vanished_piece_left_out_of_both_sums, a_pair_of_equal_pieces_counted_once),
    *(count_of_ab_overwritten, mark_of_the_beginning_lost, a_mark_inside_a_piece),
    *(every_hash_taken_away, every_mark_of_b_taken_away, every_mark_of_both_taken_away),
)
shows = isolating(defined, (*ALWAYS, *CORNERS, before_minus_after), case)
sized = partial(shows, *ALWAYS, probe=size_of)


def tally(rng: Random, pieces: int) -> Counts:
    """Counts of `pieces` pieces, half of them continuing a word."""
    letters = rng.sample("abdeiklmnorst", pieces)
    return {"##" * (i % 2) + letter: rng.randint(4, 30) for i, letter in enumerate(letters)}


def pair(rng: Random, counts: Counts) -> Candidate:
    """Two pieces of `counts` that leave something of each."""
    b = rng.choice([piece for piece in counts if piece.startswith("##")])
    a = rng.choice([piece for piece in counts if piece != b])
    return a, b, rng.randint(1, max(1, min(counts[a], counts[b]) // 2))


@sized()
def draw_alone(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    return counts, *counts, rng.randint(1, min(counts.values()) - 1)


@sized(only_the_changed_counts)
def draw_others(rng: Random, size: int) -> tuple:
    counts = tally(rng, 4 + size // 2)
    return counts, *pair(rng, counts)


@sized(vanished_piece_left_out_of_both_sums)
def draw_vanishing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    return counts, *counts, min(counts.values())


@sized(a_pair_of_equal_pieces_counted_once)
def draw_double(rng: Random, size: int) -> tuple:
    (_, (a, n)) = tally(rng, 2).items()
    return {a: n}, a, a, rng.randint(1, (n - 1) // 2)


@sized(count_of_ab_overwritten, a_mark_inside_a_piece)
def draw_existing(rng: Random, size: int) -> tuple:
    counts = tally(rng, 2)
    a, b = counts
    counts[a + b.removeprefix("##")] = rng.randint(2, 20)
    return counts, a, b, rng.randint(1, min(counts[a], counts[b]) - 1)


def twins(rng: Random, a: str, letters: Sequence[str] = "uvwxyz") -> tuple:
    """A pair that begins with `a`, where there are pieces that one may take for ab, but are written otherwise."""
    b = "##" + rng.choice(letters)
    bare = a.removeprefix("##") + b.removeprefix("##")
    without = "##" * a.startswith("##") + bare.replace("##", "")
    runs = [a + run for run in b[2:].split("##")] if "##" in b[2:] else []
    pieces = [a, b, a + b, *([bare] if a.startswith("##") else []), *([without] if "##" in bare else []), *runs]
    counts = {piece: rng.randint(4, 30) for piece in rng.sample(pieces, len(pieces))}
    return counts, a, b, rng.randint(1, min(counts[a], counts[b]) - 1)


draw_continued = sized(mark_of_the_beginning_lost, a_mark_inside_a_piece, free=(only_the_changed_counts,))(
    lambda rng, size: twins(rng, "##" + rng.choice("abdeik"))
)
draw_begun = sized(a_mark_inside_a_piece, free=(only_the_changed_counts,))(
    lambda rng, size: twins(rng, rng.choice("abdeik"))
)
draw_hash = sized(every_hash_taken_away, a_mark_inside_a_piece, free=(only_the_changed_counts,))(
    lambda rng, size: twins(rng, rng.choice("abdeik"), "#")
)
draw_inside_b = sized(
    *(every_mark_of_b_taken_away, every_mark_of_both_taken_away, a_mark_inside_a_piece),
    free=(only_the_changed_counts,),
    apart=False,
)(lambda rng, size: twins(rng, rng.choice("abdeik"), ["u##v", "w##x", "y##z"]))
draw_inside_a = sized(every_mark_of_both_taken_away, a_mark_inside_a_piece, free=(only_the_changed_counts,))(
    lambda rng, size: twins(rng, rng.choice("abd") + "##" + rng.choice("eik"))
)


@shows(partial(defined, finish=lambda gain: 0.0), before_minus_after, apart=False, probe=chosen, when=clear)
def draw_choice(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    return counts, [pair(rng, counts) for _ in range(3)]


@shows(average_per_piece, ratio_in_place_of_the_gain, before_minus_after, apart=False, probe=worthwhile, when=clear)
def draw_sign(rng: Random, size: int) -> tuple:
    counts = tally(rng, 5 + size // 2)
    candidates = [pair(rng, counts) for _ in range(3)]
    return counts, [(a, b, rng.choice((n_ab, min(counts[a], counts[b]) - 1))) for a, b, n_ab in candidates]


def draw_kept(rng: Random, size: int) -> Case:
    counts = tally(rng, 5 + size // 2)
    return case(counts, *pair(rng, counts))


TASK = task(
    __name__,
    "The gain of a WordPiece merge",
    kind=partial(Criterion, probe=size_of),
    criteria=(
        criterion("alone", 0.5, draw_alone)("Two pieces and nothing else: counts and N are those after the merge."),
        criterion("others", 1, draw_others)("Every other piece counts too: its own count stays, N does not."),
        criterion("vanishing", 0.5, draw_vanishing)("A piece that is used up leaves 0 · log 0 = 0."),
        criterion("double", 0.5, draw_double)("If a is b, each merge takes two of it."),
        criterion("existing", 0.5, draw_existing)("Where ab is a piece already, its count grows."),
        criterion(
            "pieces",
            0.5,
            alternate(draw_continued, draw_begun, draw_hash, draw_inside_b, draw_inside_a),
            visible=5,
            graded=15,
        )("Only the '##' at the beginning of b is gone; whatever else is in a and b stays."),
        criterion("choice", 0.5, draw_choice, chosen)("Of several pairs, the right one has the largest gain."),
        criterion("sign", 0.5, draw_sign, worthwhile)("It is positive for the pairs that are worth merging."),
        arguments(0.5, draw_kept)("The counts are afterwards as they were."),
    ),
    forbidden=(
        "course_lib.subwords.likelihood.log_likelihood",
        "course_lib.subwords.likelihood.gain",
        "course_lib.subwords.likelihood.Scores.gain",
        "course_lib.subwords.log_likelihood",
        "course_lib.subwords.gain",
    ),
)
