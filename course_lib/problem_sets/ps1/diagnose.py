"""ps1.diagnose: which fault of an encoder explains the segmentations that it gave."""

from collections.abc import Callable
from functools import lru_cache
from random import Random

from course_lib.grading.cases.isolate import isolating, until
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps1 import apply_merges, lent
from course_lib.problem_sets.ps1.pieces import emptying, marked
from course_lib.problem_sets.ps1.words import END, merge_list, spell
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair

Observed = list[tuple[str, list[str]]]


def reference(merges: list[Pair], observed: Observed) -> str:
    """The one name of ENCODERS that explains every (word, pieces) of `observed`."""
    bpe = BPE((), merges)
    library = {"none": bpe.segment, "longest match": bpe.segment_longest}
    own = {name: lambda word, merges, encode=encode: list(encode(word)) for name, encode in library.items()}
    return explaining(merges, observed, ENCODERS | own)[0]


# Mistakes


def remembering(encode):
    """`encode`, that does each word once: every version of the diagnosis asks for the same pieces."""
    pieces = lru_cache(maxsize=4096)(encode)
    return lambda word, merges: list(pieces(word, tuple(merges)))


ENCODERS = {
    "none": remembering(apply_merges.defined),
    "longest match": remembering(apply_merges.longest_piece_first),
    "left to right": remembering(apply_merges.left_to_right),
    "late marker": remembering(apply_merges.marker_added_at_the_end),
    "first only": remembering(apply_merges.first_occurrence_only),
}
FAULTS = list(ENCODERS)[1:]


def explaining(merges, observed, encoders=ENCODERS):
    """The names that explain every observation."""
    return [
        name for name, encode in encoders.items() if all(encode(word, merges) == pieces for word, pieces in observed)
    ]


def defined(merges, observed, part=slice(None), from_the_left=ENCODERS["left to right"]):
    encoders = ENCODERS | {"left to right": from_the_left}
    return next(iter(explaining(merges, observed[part], encoders)), "none")


wrong = versions(defined)
the_first_word_decides = wrong("last", part=slice(1))(
    "You judge by the first word alone. Many words come out right from a faulty encoder, too."
)
the_last_word_decides = wrong("first", part=slice(-1, None))(
    "You judge by the last word alone: does your loop overwrite what earlier words have ruled out?"
)


@mistake("together")
def the_first_wrong_word_decides(merges, observed):
    """You name the first fault that explains the first wrong word. Another fault may explain it as well: let the other
    words decide between them."""
    wrong = [(word, pieces) for word, pieces in observed if ENCODERS["none"](word, merges) != pieces]
    return defined(merges, wrong[:1])


@mistake("none")
def there_must_be_a_fault(merges, observed):
    """You choose among the four faults only. Being right is an explanation, too: try it first."""
    return max(FAULTS, key=lambda name: sum(name in explaining(merges, [each]) for each in observed))


@mistake("pieces")
def numbers_of_pieces_compared(merges, observed):
    """You compare how many pieces there are. Two encoders may cut a word in as many, but different, pieces."""
    numbers = {name: lambda word, merges, encode=encode: len(encode(word, merges)) for name, encode in ENCODERS.items()}
    return explaining(merges, [(word, len(pieces)) for word, pieces in observed], numbers)[0]


@mistake("last")
def one_word_is_enough(merges, observed):
    """You name what explains one of the words. It must explain all of them: `all`, not `any`."""
    return next(name for name in ENCODERS if any(name in explaining(merges, [each]) for each in observed))


def once_through(pieces, merges):
    found = []
    for piece in pieces:
        if found and (found[-1], piece) in merges:
            found[-1] += piece
        else:
            found.append(piece)
    return found


def again_and_again(word, merges):
    pieces, before = [*marked(word)], []
    while before != pieces:
        before, pieces = pieces, once_through(pieces, merges)
    return pieces


sweeps_from_the_left = wrong("again", from_the_left=again_and_again)(
    "Your left-to-right encoder goes on to the right after a merge, and sweeps again when it is through. After each "
    "merge look from the beginning of the word again."
)
the_observations_emptied = mistake(
    "arguments", "You take observations out of the list that you are given. It belongs to the caller: work on a copy."
)(emptying(1, defined))


@mistake("arguments")
def the_observations_sorted(merges, observed):
    """You sort the list of observations that you are given. It belongs to the caller: use sorted."""
    found = defined(merges, observed)
    observed.sort()
    return found


one_pass_from_the_left = wrong("again", from_the_left=lambda word, merges: once_through(marked(word), merges))(
    "Your left-to-right encoder goes through the word once. A merge can make a pair with the piece before it: after "
    "each merge look from the beginning of the word again."
)


# Cases


def case(merges: list[Pair], observed: Observed) -> Case:
    return Case((merges, observed), f"{len(merges)} merges, {len(observed)} word{'s' * (len(observed) != 1)}")


BY_ONE_WORD = (the_first_word_decides, the_last_word_decides)
BY_SOME = (*BY_ONE_WORD, the_first_wrong_word_decides, one_word_is_enough)
OTHERS = (numbers_of_pieces_compared, there_must_be_a_fault, one_pass_from_the_left, sweeps_from_the_left)
shows = isolating(defined, (*BY_ONE_WORD, the_first_wrong_word_decides, *OTHERS, one_word_is_enough), case)

TELLS = {  # what a word tells of an encoder with a fault, if these names explain it
    "all": lambda fault, explained: explained == [fault],
    "something": lambda fault, explained: len(explained) > 1 and "none" not in explained,
    "nothing": lambda fault, explained: "none" in explained,
    "anything": lambda fault, explained: True,
}
ALL_DIFFER = "y z, x y, x yz, z w, y zw, v yz"  # "xyz" differs from the left, "yzw" by the longest match
AFTER_A_MERGE = "y z, x y, yz w, x yz, z w, v yz"  # where one looks then: "vyzw" is "vyz w" from the left
TWO_PIECES = "y z, x y, z w, y zw"  # so "xyz" is cut in training order, and from the left, too
AT_THE_END = "y z, x y, x yz, z w, y zw, v yz, v w$"  # "vw" is merged at the end of a word alone; $ is the marker


def observations(rng: Random, size: int, faults: list[str], told: list[str], start: str = ALL_DIFFER) -> tuple:
    """Merges that begin with `start`, and what an encoder with one of `faults` makes of words of which each TELLS so
    much as `told` says."""

    def attempt() -> tuple:
        fault = rng.choice(faults)
        letters = str.maketrans("vwxyz", "".join(rng.sample("abdei", 5)))
        pairs = (pair.translate(letters).replace("$", END).split() for pair in start.split(", "))
        merges = merge_list(rng, size // 3, [(left, right) for left, right in pairs])
        observed: Observed = []
        for kind in told:
            words = (spell(rng, merges, 3 + size // 6) for _ in range(12))
            fits = ((word, ENCODERS[fault](word, merges)) for word in words)
            new = (o for o in fits if o not in observed and TELLS[kind](fault, explaining(merges, [o])))
            if (found := next(new, None)) is None:
                return ()
            observed.append(found)
        return (merges, observed) if len(explaining(merges, observed)) == 1 else ()

    return until(attempt, lambda *drawn: bool(drawn))


def in_turn(kinds: Callable[[int], list[str]], late: str = ALL_DIFFER) -> Callable:
    """Each fault in turn, words of these `kinds`: cases of one size have every fault, so size tells none.

    The merges begin with `late` where the fault is the late marker.
    """

    def draw(rng: Random, size: int) -> tuple:
        large, fault = size // len(FAULTS), FAULTS[size % len(FAULTS)]
        return observations(rng, 3 * large, [fault], kinds(1 + large), late if fault == "late marker" else ALL_DIFFER)

    return draw


def any_of(faults: list[str], words: int, start: str = ALL_DIFFER, first: tuple[str, ...] = ()) -> Callable:
    """One of `faults`, `words` or more of any kind, and before them those of the kinds `first`."""
    return lambda rng, size: observations(rng, size, faults, [*first, *["anything"] * (words + size // 4)], start)


def begins_again(merges: list[Pair], observed: Observed) -> bool:
    """Whether an encoder that merges from the left, if it is one, does so in more than one pass."""
    return {defined(merges, observed), one_pass_from_the_left(merges, observed)} != {"left to right"}


def bare(merges: list[Pair], observed: Observed) -> bool:
    """Whether a late marker, if it is the fault, is not one that comes when merges without any marker are done."""
    unmarked = [(left, right.removesuffix(END)) for left, right in merges]
    late = ENCODERS["late marker"]
    return defined(merges, observed) != "late marker" or any(late(w, unmarked) != late(w, merges) for w, _ in observed)


draw_any = shows(free=(one_word_is_enough,))(in_turn(lambda n: ["all"] * n))
draw_each = shows(free=(one_word_is_enough,), when=bare)(in_turn(lambda n: ["all"] * n, AT_THE_END))
draw_last = shows(the_first_word_decides, one_word_is_enough, apart=False)(in_turn(lambda n: ["nothing"] * n + ["all"]))
draw_first = shows(
    the_last_word_decides, one_word_is_enough, apart=False, free=(one_pass_from_the_left,), when=begins_again
)(in_turn(lambda n: ["all"] + ["nothing"] * n))
draw_together = shows(the_first_wrong_word_decides, free=BY_SOME)(any_of(FAULTS[1:], 2, TWO_PIECES, ("something",)))
draw_right = shows(there_must_be_a_fault)(any_of(["none"], 3))
draw_cut = shows(numbers_of_pieces_compared, free=BY_SOME)(any_of(FAULTS[1:], 2, TWO_PIECES))
draw_pass = shows(one_pass_from_the_left, free=(*BY_SOME, sweeps_from_the_left))(any_of(["left to right"], 2))
draw_sweep = shows(sweeps_from_the_left, free=(*BY_SOME, one_pass_from_the_left))(
    any_of(["left to right"], 3, AFTER_A_MERGE)
)


def out_of_order(merges: list[Pair], observed: Observed) -> bool:
    """Whether sorting changes both lists."""
    return merges != sorted(merges) and observed != sorted(observed)


draw_kept = shows(free=(one_word_is_enough,), when=out_of_order)(in_turn(lambda n: ["all"] * (1 + n)))


def draw_none(rng: Random, size: int) -> Case:
    """Every second encoder is right."""
    return draw_any(rng, size // 2) if size % 2 else draw_right(rng, size // 8)


def draw_pieces(rng: Random, size: int) -> Case:
    return draw_any(rng, 0) if size % 4 == 3 else draw_cut(rng, size - size // 4)


def draw_again(rng: Random, size: int) -> Case:
    """From the left, in two ways of three; else another fault."""
    kinds = draw_pass, draw_sweep, lambda rng, size: draw_any(rng, rng.choice((0, 2, 3)))
    return kinds[size % 3](rng, size // 3)


TASK = task(
    __name__,
    "Diagnose an encoder",
    criteria=(
        criterion("each", 0.5, draw_each, visible=4)("The fault is named when every word shows it."),
        criterion("last", 0.5, draw_last, visible=4)("It is named when only the last word shows it."),
        criterion("first", 0.5, draw_first, visible=4)("It is named when only the first word shows it."),
        criterion("together", 0.5, draw_together, visible=6)(
            "It is named when several faults explain a word, and one explains all."
        ),
        criterion("none", 0.5, draw_none, visible=8)("A right encoder is told from faulty ones."),
        criterion("pieces", 0.5, draw_pieces, visible=6)("The pieces are compared, not their number."),
        criterion("again", 0.5, draw_again, visible=6)("From the left means: from the beginning, after every merge."),
        arguments(0.5, draw_kept, visible=4)("Merges and observations are afterwards as they were."),
    ),
    lent=(lent.apply_merges,),
    forbidden=apply_merges.SEGMENTS,
)
