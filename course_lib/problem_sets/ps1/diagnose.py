"""ps1.diagnose: which fault of an encoder explains the segmentations that it gave."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Misconception
from course_lib.problem_sets.ps1 import apply_merges, lent
from course_lib.problem_sets.ps1.encoders import (
    ENCODERS,
    FAULTS,
    again_and_again,
    explaining,
    first_but_not_last,
    longest_anywhere,
    longest_from_the_right,
    longest_up_to,
)
from course_lib.problem_sets.ps1.observations import (
    AFTER_A_MERGE,
    ALL_DIFFER,
    AT_THE_END,
    OVERLAPPING,
    TWO_PIECES,
    WHOLE,
    WITH_A_MERGED_PIECE,
    Observed,
    any_of,
    in_turn,
    observations,
)
from course_lib.problem_sets.ps1.pieces import emptying, marked, once_through, swept
from course_lib.problem_sets.ps1.words import END
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair


def reference(merges: list[Pair], observed: Observed) -> str:
    """The one name of ENCODERS that explains every (word, pieces) of `observed`."""
    bpe = BPE((), merges)
    library = {"none": bpe.segment, "longest match": bpe.segment_longest}
    own = {name: lambda word, merges, encode=encode: list(encode(word)) for name, encode in library.items()}
    return explaining(merges, observed, ENCODERS | own)[0]


# Mistakes


def defined(merges, observed, part=slice(None), **instead):
    """The first of ENCODERS that explains all, some of them written `instead` in another way ("left_to_right": …)."""
    encoders = ENCODERS | {name.replace("_", " "): encode for name, encode in instead.items()}
    return next(iter(explaining(merges, observed[part], encoders)), "none")


wrong = versions(defined)
the_first_word_decides = wrong("last", part=slice(1))(
    "You judge by the first word alone. Many words come out right from a faulty encoder, too."
)
the_last_word_decides = wrong("first", part=slice(-1, None))(
    "You judge by the last word alone: does your loop overwrite what earlier words have ruled out?"
)


def wrongly_cut(merges, observed):
    """The words that did not come out right, with their pieces."""
    return [(word, pieces) for word, pieces in observed if ENCODERS["none"](word, merges) != pieces]


@mistake("together")
def the_first_wrong_word_decides(merges, observed):
    """You name the first fault that explains the first wrong word. Another fault may explain it as well: let the other
    words decide between them."""
    return defined(merges, wrongly_cut(merges, observed)[:1])


def explaining_the_wrong_words(merges, observed, order):
    """The first fault, in this order, that explains all words that came out wrong; "none" if there is no such word."""
    wrong = wrongly_cut(merges, observed)
    found = explaining(merges, wrong) if wrong else []
    return next((fault for fault in order if fault in found), "none")


RIGHT_ONES = (
    "You ask only of the words that came out wrong which fault explains them, and several do. The words that came out "
    "right tell, too: an encoder with another fault would have cut them otherwise."
)
wrong_words_decide = mistake("together", RIGHT_ONES)(partial(explaining_the_wrong_words, order=FAULTS))
wrong_words_decide_in_another_order = mistake("together", RIGHT_ONES)(
    partial(explaining_the_wrong_words, order=FAULTS[::-1])
)


@mistake("together")
def first_only_if_a_pair_is_left(merges, observed):
    """You name 'first only' only where a pair that some merge knows is left unmerged. Often none is left: the pieces
    beside it have been merged with others. Compare with what such an encoder makes of the words."""
    left = any(pair in merges for _, pieces in observed for pair in pairwise(pieces))
    return next((name for name in explaining(merges, observed) if name != "first only" or left), "none")


@mistake("each")
def late_marker_if_an_end_is_unknown(merges, observed):
    """You name 'late marker' only where a word ends in several letters that no merge makes. The last piece can be one
    letter, too, which a right encoder would have merged. Compare with what such an encoder makes of the words."""
    made = {"".join(pair) for pair in merges}
    strange = any(len(pieces[-1].removesuffix(END)) > 1 and pieces[-1] not in made for _, pieces in observed)
    return next((name for name in explaining(merges, observed) if name != "late marker" or strange), "none")


@mistake("none")
def there_must_be_a_fault(merges, observed):
    """You choose among the four faults only. Being right is an explanation, too: try it first."""
    return max(FAULTS, key=lambda name: sum(name in explaining(merges, [each]) for each in observed))


@mistake("pieces")
def numbers_of_pieces_compared(merges, observed):
    """You compare how many pieces there are. Two encoders may cut a word in as many, but different, pieces."""
    numbers = {name: lambda word, merges, encode=encode: len(encode(word, merges)) for name, encode in ENCODERS.items()}
    return explaining(merges, [(word, len(pieces)) for word, pieces in observed], numbers)[0]


def joined_pieces_compared(order: Sequence[str], of: Sequence[str]) -> Callable:
    """The first encoder in this `order` that explains all, where those `of` these names are compared as joined strings.

    The marker belongs to them: so all encoders give the same string, and each of these explains whatever is observed.
    """
    return lambda merges, observed: next(name for name in order if name in of or name in explaining(merges, observed))


def compares_joined(says: str, order: Sequence[str], of: Sequence[str], constant: bool = False) -> Misconception:
    """The mistake of this order; it `says` which names that leads to."""
    asks = "Do you compare joined strings? Joined, the pieces of all encoders are the same word: compare the lists."
    return mistake("each", f"{says} {asks}", constant)(joined_pieces_compared(order, of))


always_none_as_by_joined_strings = compares_joined(
    "You answer 'none' in every case.", [*ENCODERS], [*ENCODERS], constant=True
)
always_longest_match_as_by_joined_strings = compares_joined(
    "You answer 'longest match' in every case.", [*FAULTS, "none"], FAULTS, constant=True
)
always_first_only_as_by_joined_strings = compares_joined(
    "You answer 'first only' in every case.", [*ENCODERS][::-1], [*ENCODERS], constant=True
)
every_fault_taken_for_longest_match = compares_joined(
    "You answer 'longest match' for every encoder with a fault.", [*ENCODERS], FAULTS
)
late_marker_and_first_only_taken_for_left_to_right = compares_joined(
    "You answer 'left to right' also where 'late marker' or 'first only' is the answer.", [*ENCODERS], FAULTS[1:]
)
first_only_taken_for_late_marker = compares_joined(
    "You answer 'late marker' also where 'first only' is the answer.", [*ENCODERS], FAULTS[2:]
)


@mistake("last")
def one_word_is_enough(merges, observed):
    """You name what explains one of the words. It must explain all of them: `all`, not `any`."""
    return next(name for name in ENCODERS if any(name in explaining(merges, [each]) for each in observed))


longest_match_from_the_right = wrong("each", longest_match=longest_from_the_right)(
    "Your longest match begins at the end of the word. It goes from the left: the longest piece with which the word "
    "begins, then the longest behind it."
)
longest_piece_wherever_it_stands = wrong("each", longest_match=longest_anywhere)(
    "Your longest match takes the longest piece of the whole word first, wherever it stands. It goes from the left: "
    "the longest piece with which the word begins, then the longest behind it."
)
never_the_whole_word = wrong("each", longest_match=partial(longest_up_to, lambda start, end: end - (start == 0)))(
    "Your longest match never takes a whole word as one piece. It may, where a merge makes it: does your range stop "
    "one too early?"
)
never_to_the_end = wrong("each", longest_match=partial(longest_up_to, lambda start, end: end - 1))(
    "Your longest match never takes a piece of several letters that ends the word. It may, where a merge makes it: "
    "does your range stop one too early?"
)
never_at_the_end = wrong("each", first_only=first_but_not_last)(
    "Your 'first only' never merges a pair at the end of the word. It may stand there first: does your range stop one "
    "too early?"
)


SWEEPS = (
    "Your left-to-right encoder goes on to the right after a merge, and sweeps again when it is through. After each "
    "merge look from the beginning of the word again."
)
sweeps_past_what_was_merged = wrong("again", left_to_right=again_and_again(swept))(SWEEPS)
sweeps_from_the_left = wrong("again", left_to_right=again_and_again(once_through))(SWEEPS)
the_observations_emptied = mistake(
    "arguments", "You take observations out of the list that you are given. It belongs to the caller: work on a copy."
)(emptying(1, defined))


@changing("arguments", defined)
def the_observations_sorted(merges, observed):
    """You sort the list of observations that you are given. It belongs to the caller: use sorted."""
    observed.sort()


ONE_PASS = (
    "Your left-to-right encoder goes through the word once. A merge can make a pair with the piece before it: after "
    "each merge look from the beginning of the word again."
)


def one_pass(sweep: Callable) -> Callable:
    """The encoder that sweeps once."""
    return lambda word, merges: sweep(marked(word), merges)


one_pass_from_the_left = wrong("again", left_to_right=one_pass(once_through))(ONE_PASS)
one_pass_past_what_was_merged = wrong("again", left_to_right=one_pass(swept))(ONE_PASS)


# Cases


def case(merges: list[Pair], observed: Observed) -> Case:
    return Case((merges, observed), f"{len(merges)} merges, {len(observed)} word{'s' * (len(observed) != 1)}")


BY_ONE_WORD = (the_first_word_decides, the_last_word_decides)
BY_SOME = (*BY_ONE_WORD, the_first_wrong_word_decides, one_word_is_enough)
OTHERS = (numbers_of_pieces_compared, there_must_be_a_fault, one_pass_from_the_left, sweeps_from_the_left)
shows = isolating(defined, (*BY_ONE_WORD, the_first_wrong_word_decides, *OTHERS, one_word_is_enough), case)


def begins_again(merges: list[Pair], observed: Observed) -> bool:
    """Whether an encoder that merges from the left, if it is one, does so in more than one pass."""
    return {defined(merges, observed), one_pass_from_the_left(merges, observed)} != {"left to right"}


def bare(merges: list[Pair], observed: Observed) -> bool:
    """Whether a late marker, if it is the fault, is not one that comes when merges without any marker are done."""
    unmarked = [(left, right.removesuffix(END)) for left, right in merges]
    late = ENCODERS["late marker"]
    return defined(merges, observed) != "late marker" or any(late(w, unmarked) != late(w, merges) for w, _ in observed)


draw_any = shows(free=(one_word_is_enough,))(in_turn(lambda n: ["all"] * n))
draw_last = shows(the_first_word_decides, one_word_is_enough, apart=False)(
    in_turn(lambda n: ["letter", *["nothing"] * (n - 1), "all"])
)
draw_first = shows(
    the_last_word_decides, one_word_is_enough, apart=False, free=(one_pass_from_the_left,), when=begins_again
)(in_turn(lambda n: ["all"] + ["nothing"] * n))
draw_several = shows(the_first_wrong_word_decides, free=BY_SOME)(any_of(FAULTS[1:], 2, TWO_PIECES, ("something",)))


def either(fault: str, *wanted: Callable) -> Callable[[Random, int], Case]:
    """One of `observations.EITHER`: both explain all words that come out wrong; those that come out right decide."""

    def draw(rng: Random, size: int) -> tuple:
        told = ["either"] * (1 + size // 4) + ["right"] * (1 + size // 8)
        return observations(rng, size, [fault], rng.sample(told, len(told)))

    return shows(*wanted, free=BY_SOME, apart=False)(draw)


draw_together = alternate(
    draw_several,
    either("left to right", wrong_words_decide_in_another_order),
    either("first only", wrong_words_decide, first_only_if_a_pair_is_left),
)
draw_right = shows(there_must_be_a_fault)(any_of(["none"], 3))
draw_cut = shows(numbers_of_pieces_compared, free=BY_SOME)(any_of(FAULTS[1:], 2, TWO_PIECES))
draw_pass = shows(one_pass_from_the_left, free=(*BY_SOME, sweeps_from_the_left))(any_of(["left to right"], 2))
draw_past = shows(sweeps_past_what_was_merged, free=(*BY_SOME, one_pass_from_the_left, sweeps_from_the_left))(
    any_of(["left to right"], 2, WITH_A_MERGED_PIECE)
)
draw_sweep = shows(sweeps_from_the_left, free=(*BY_SOME, one_pass_from_the_left))(
    any_of(["left to right"], 3, AFTER_A_MERGE)
)


def bare_and_an_end_unknown(merges: list[Pair], observed: Observed) -> bool:
    """Whether merges wait for the marker, and a word ends in letters that no merge makes."""
    return bare(merges, observed) and late_marker_if_an_end_is_unknown(merges, observed) == "late marker"


def of_two_letters(merges: list[Pair], observed: Observed) -> bool:
    return all(len(word) == 2 for word, _ in observed)


def alone(
    fault: str, *wanted: Callable, words: int = 1, start: str = ALL_DIFFER, length: int = 0, when=None
) -> Callable:
    """This fault, which each of so many words shows, and these mistakes do not find."""
    how = {"free": (one_word_is_enough,), "apart": False, "when": when}
    return shows(*wanted, **how)(
        lambda rng, size: observations(rng, 3 * (size // 4), [fault], ["all"] * words, start, length)
    )


draw_each = alternate(
    *(alone("longest match", longest_match_from_the_right, length=5), alone("left to right")),
    *(alone("late marker", start=AT_THE_END, length=1, when=of_two_letters), alone("first only")),
    *(alone("longest match", longest_piece_wherever_it_stands, start=OVERLAPPING), alone("left to right", words=2)),
    alone("late marker", late_marker_if_an_end_is_unknown, words=2, start=AT_THE_END, when=bare),
    alone("first only", never_at_the_end, start=AT_THE_END),
    alone("longest match", never_the_whole_word, never_to_the_end, start=WHOLE, length=1),
    alone("left to right", words=3),
    alone("late marker", words=3, start=AT_THE_END, when=bare_and_an_end_unknown),
    alone("first only", words=3),
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
    """From the left, in three ways of four; else another fault."""
    kinds = draw_pass, draw_sweep, lambda rng, size: draw_any(rng, rng.choice((0, 2, 3))), draw_past
    return kinds[size % 4](rng, size // 4)


TASK = task(
    __name__,
    "Diagnose an encoder",
    criteria=(
        criterion("each", 0.5, draw_each, visible=12)("The fault is named when every word shows it."),
        criterion("last", 0.5, draw_last, visible=4)("It is named when only the last word shows it."),
        criterion("first", 0.5, draw_first, visible=4)("It is named when only the first word shows it."),
        criterion("together", 0.5, draw_together, visible=6)(
            "It is named when several faults explain a word, and one explains all."
        ),
        criterion("none", 0.5, draw_none, visible=8)("A right encoder is told from faulty ones."),
        criterion("pieces", 0.5, draw_pieces, visible=6)("The pieces are compared, not their number."),
        criterion("again", 0.5, draw_again, visible=8)("From the left means: from the beginning, after every merge."),
        arguments(0.5, draw_kept, visible=4)("Merges and observations are afterwards as they were."),
    ),
    lent=(lent.apply_merges,),
    forbidden=apply_merges.SEGMENTS,
)
