"""ps1.diagnose: which fault of an encoder explains the segmentations that it gave."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import isolating, until
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps1 import lent
from course_lib.problem_sets.ps1 import wrong_diagnose as wrong
from course_lib.problem_sets.ps1.words import merge_list, spell
from course_lib.problem_sets.ps1.wrong_diagnose import ENCODERS, FAULTS, Observed
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair


def reference(merges: list[Pair], observed: Observed) -> str:
    """The one name of ENCODERS that explains every (word, pieces) of `observed`."""
    bpe = BPE((), merges)
    library = {"none": bpe.segment, "longest match": bpe.segment_longest}
    own = {name: lambda word, merges, encode=encode: list(encode(word)) for name, encode in library.items()}
    return wrong.explaining(merges, observed, ENCODERS | own)[0]


# Cases


def case(merges: list[Pair], observed: Observed) -> Case:
    return Case((merges, observed), f"{len(merges)} merges, {len(observed)} word{'s' * (len(observed) != 1)}")


BY_ONE_WORD = (wrong.first_word, wrong.last_word)
MISTAKES = (
    *BY_ONE_WORD,
    wrong.first_wrong_word,
    wrong.lengths_only,
    wrong.always_a_fault,
    wrong.passing_once,
    wrong.sweeping,
    wrong.any_word,
)
shows = isolating(wrong.defined, MISTAKES, case)


def tells(fault: str, merges: list[Pair], observed: Observed) -> bool:
    return wrong.explaining(merges, observed) == [fault]


def partly(fault: str, merges: list[Pair], observed: Observed) -> bool:
    explained = wrong.explaining(merges, observed)
    return len(explained) > 1 and "none" not in explained


def silent(fault: str, merges: list[Pair], observed: Observed) -> bool:
    return "none" in wrong.explaining(merges, observed)


def either(fault: str, merges: list[Pair], observed: Observed) -> bool:
    return True


def kernel(v: str, w: str, x: str, y: str, z: str) -> list[Pair]:
    """Merges on which all encoders differ: in "xyz" from the left, in "yzw" by the longest match."""
    return [(y, z), (x, y), (x, y + z), (z, w), (y, z + w), (v, y + z)]


def sweep_kernel(v: str, w: str, x: str, y: str, z: str) -> list[Pair]:
    """Merges on which it matters where one looks after a merge: "vyzw" becomes "vyz w" from the left."""
    return [(y, z), (x, y), (y + z, w), (x, y + z), (z, w), (v, y + z)]


def level_kernel(v: str, w: str, x: str, y: str, z: str) -> list[Pair]:
    """Merges that cut "xyz" into two pieces, in training order as well as from the left."""
    return [(y, z), (x, y), (z, w), (y, z + w)]


def observations(
    rng: Random, size: int, faults: list[str], kinds: tuple[Callable, ...], start: Callable = kernel
) -> tuple:
    """Merges on which encoders differ, and what an encoder with one of `faults` makes of words of the `kinds`."""

    def attempt() -> tuple:
        fault = rng.choice(faults)
        merges = merge_list(rng, size // 3, start=start(*rng.sample("abdei", 5)))
        observed: Observed = []
        for kind in kinds:
            words = (spell(rng, merges, 3 + size // 6) for _ in range(12))
            fits = ((word, ENCODERS[fault](word, merges)) for word in words)
            found = next((o for o in fits if o not in observed and kind(fault, merges, [o])), None)
            if found is None:
                return ()
            observed.append(found)
        return (merges, observed) if len(wrong.explaining(merges, observed)) == 1 else ()

    return until(attempt, lambda *drawn: bool(drawn))


def in_turn(size: int) -> tuple[list[str], int]:
    """The fault of this case, and how large the case is: cases of one size have every fault, so size tells none."""
    return [FAULTS[size % len(FAULTS)]], size // len(FAULTS)


@shows(free=(wrong.any_word,))
def draw_each(rng: Random, size: int) -> tuple:
    fault, large = in_turn(size)
    return observations(rng, 3 * large, fault, (tells,) * (1 + large))


@shows(wrong.first_word, wrong.any_word, apart=False)
def draw_last(rng: Random, size: int) -> tuple:
    fault, large = in_turn(size)
    return observations(rng, 3 * large, fault, (*(silent,) * (1 + large), tells))


def begins_again(merges: list[Pair], observed: Observed) -> bool:
    """Whether an encoder that merges from the left, if it is one, does so in more than one pass."""
    return wrong.defined(merges, observed) != "left to right" or wrong.passing_once(merges, observed) != "left to right"


@shows(wrong.last_word, wrong.any_word, apart=False, free=(wrong.passing_once,), when=begins_again)
def draw_first(rng: Random, size: int) -> tuple:
    fault, large = in_turn(size)
    return observations(rng, 3 * large, fault, (tells, *(silent,) * (1 + large)))


@shows(wrong.first_wrong_word, free=(*BY_ONE_WORD, wrong.any_word))
def draw_together(rng: Random, size: int) -> tuple:
    return observations(rng, size, FAULTS[1:], (partly, *(either,) * (2 + size // 4)), level_kernel)


@shows(wrong.always_a_fault)
def draw_right(rng: Random, size: int) -> tuple:
    return observations(rng, size, ["none"], (either,) * (3 + size // 4))


def draw_none(rng: Random, size: int) -> Case:
    """Every second encoder is right."""
    return draw_each(rng, size // 2) if size % 2 else draw_right(rng, size // 8)


@shows(wrong.lengths_only, free=(*BY_ONE_WORD, wrong.first_wrong_word, wrong.any_word))
def draw_cut(rng: Random, size: int) -> tuple:
    return observations(rng, size, FAULTS[1:], (either,) * (2 + size // 4), level_kernel)


def draw_pieces(rng: Random, size: int) -> Case:
    return draw_each(rng, 0) if size % 4 == 3 else draw_cut(rng, size - size // 4)


@shows(wrong.passing_once, free=(*BY_ONE_WORD, wrong.first_wrong_word, wrong.any_word, wrong.sweeping))
def draw_pass(rng: Random, size: int) -> tuple:
    return observations(rng, size, ["left to right"], (either,) * (2 + size // 4))


@shows(wrong.sweeping, free=(*BY_ONE_WORD, wrong.first_wrong_word, wrong.any_word, wrong.passing_once))
def draw_sweep(rng: Random, size: int) -> tuple:
    return observations(rng, size, ["left to right"], (either,) * (3 + size // 4), sweep_kernel)


def draw_again(rng: Random, size: int) -> Case:
    """From the left, in two ways of three; else another fault."""
    kinds = draw_pass, draw_sweep, lambda rng, size: draw_each(rng, rng.choice((0, 2, 3)))
    return kinds[size % 3](rng, size // 3)


TASK = Task(
    name="ps1.diagnose",
    title="Diagnose an encoder",
    reference=reference,
    criteria=(
        Criterion("each", 0.5, "The fault is named when every word shows it.", draw_each, visible=4),
        Criterion("last", 0.5, "It is named when only the last word shows it.", draw_last, visible=4),
        Criterion("first", 0.5, "It is named when only the first word shows it.", draw_first, visible=4),
        Criterion(
            "together",
            0.5,
            "It is named when several faults explain a word, and one explains all.",
            draw_together,
            visible=6,
        ),
        Criterion("none", 0.5, "A right encoder is told from faulty ones.", draw_none, visible=8),
        Criterion("pieces", 0.5, "The pieces are compared, not their number.", draw_pieces, visible=6),
        Criterion(
            "again",
            0.5,
            "From the left means: from the beginning, after every merge.",
            draw_again,
            visible=6,
        ),
        Criterion(
            "arguments",
            0.5,
            "Merges and observations are afterwards as they were.",
            draw_each,
            visible=4,
            probe=leaving("merges observed"),
        ),
    ),
    misconceptions=(
        Misconception(
            "the first word decides",
            wrong.first_word,
            "last",
            "You judge by the first word alone. Many words come out right from a faulty encoder, too.",
        ),
        Misconception(
            "the last word decides",
            wrong.last_word,
            "first",
            "You judge by the last word alone: does your loop overwrite what earlier words have ruled out?",
        ),
        Misconception(
            "the first wrong word decides",
            wrong.first_wrong_word,
            "together",
            "You name the first fault that explains the first wrong word. Another fault may explain it as well: let "
            "the other words decide between them.",
        ),
        Misconception(
            "there must be a fault",
            wrong.always_a_fault,
            "none",
            "You choose among the four faults only. Being right is an explanation, too: try it first.",
        ),
        Misconception(
            "numbers of pieces compared",
            wrong.lengths_only,
            "pieces",
            "You compare how many pieces there are. Two encoders may cut a word in as many, but different, pieces.",
        ),
        Misconception(
            "one word is enough",
            wrong.any_word,
            "last",
            "You name what explains one of the words. It must explain all of them: `all`, not `any`.",
        ),
        Misconception(
            "sweeps from the left",
            wrong.sweeping,
            "again",
            "Your left-to-right encoder goes on to the right after a merge, and sweeps again when it is through. After "
            "each merge look from the beginning of the word again.",
        ),
        Misconception(
            "the observations emptied",
            wrong.emptied,
            "arguments",
            "You take observations out of the list that you are given. It belongs to the caller: work on a copy.",
        ),
        Misconception(
            "one pass from the left",
            wrong.passing_once,
            "again",
            "Your left-to-right encoder goes through the word once. A merge can make a pair with the piece before it: "
            "after each merge look from the beginning of the word again.",
        ),
    ),
    lent=(lent.apply_merges,),
    forbidden=(
        "course_lib.subwords.bpe.BPE.segment",
        "course_lib.subwords.bpe.BPE.encode",
        "course_lib.subwords.bpe.BPE.segment_longest",
        "subword_nmt.apply_bpe.encode",
        "subword_nmt.apply_bpe.BPE",
    ),
)
