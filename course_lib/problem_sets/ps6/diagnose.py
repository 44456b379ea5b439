"""ps6.diagnose: what a Transformer lacks, told from what it gives for changed inputs."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from random import Random

import torch

from course_lib.grading.cases.isolate import until
from course_lib.grading.declare import Row, criterion, mistake, task, versions
from course_lib.grading.faults import about, the_first_alone
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import lent
from course_lib.problem_sets.ps6.runs import (
    CHANGES,
    DIVISORS,
    EXCHANGED,
    Lack,
    Runs,
    all_words,
    attended,
    clear,
    off_in_the_mean,
    one_ahead,
    runs_of,
)


def reference(runs: Runs) -> set[str]:
    """The faults, named in FAULTS, of the Transformer that gave these outputs."""
    return found(runs)


def found(runs: Runs) -> set[str]:
    """What may not do the student's work."""
    return defined(runs)


# Mistakes


def near(one, other, within=1e-6):
    return bool(((one - other).abs() < within).all())


def source_order(seen, near=near):
    """Whatever the order of the source, the outputs are the same."""
    return near(seen["source in another order"], seen["outputs"])


def target_order(seen, near=near):
    """Words that come after both do not see which of the two came first."""
    return near(seen[EXCHANGED][2:], seen["outputs"][2:])


def causal(seen, near=near):
    """Without the words after it, an output is another one."""
    cut = seen["target cut"]
    return not near(cut, seen["outputs"][: len(cut)])


def padding(seen, near=near):
    return not near(seen["source padded"], seen["outputs"])


def scale(seen, near=near):
    return not near(attended(seen), seen["weights"])


TESTS = {
    "source order": source_order,
    "target order": target_order,
    "causal": causal,
    "padding": padding,
    "scale": scale,
}
FAULTS = tuple(TESTS)


def defined(seen, **instead):
    """The faults that TESTS find, some of them looked for `instead` in another way ("target_order": …)."""
    tests = TESTS | {name.replace("_", " "): test for name, test in instead.items()}
    return {fault for fault, test in tests.items() if test(seen)}


def never(criterion, fault):
    """The mistake of a fault that is not seen where it is, by what it asks."""
    says = f"You name {fault!r} in no case, though it is there in some."
    return lambda asks: mistake(criterion, f"{says} {asks}")(lambda seen: defined(seen) - {fault})


def always(criterion, fault):
    """The mistake of a fault that is seen where it is not, by what it asks."""
    says = f"You name {fault!r} in every case, though it is not there in all."
    return lambda asks: mistake(criterion, f"{says} {asks}")(lambda seen: defined(seen) | {fault})


wrong = versions(defined)
ROUNDING = "Do you allow for rounding?"
a_change_with_the_order_taken_for_a_fault = wrong("source", source_order=lambda seen: not source_order(seen))(
    "You report 'source order' where the outputs change with the order of the source. They should: 'Dog bites man' is "
    "another sentence than 'Man bites dog'."
)
EXACT = (
    "You name 'causal', 'padding' and 'scale' in every case, the other two in none. This happens if numbers are "
    f"compared exactly. {ROUNDING}"
)


@mistake("source", EXACT, constant=True)
def numbers_compared_exactly(seen):
    return {"causal", "padding", "scale"}


source_order_never_named = never("source", "source order")(f"It is there where the order changes no output. {ROUNDING}")
source_order_always_named = always("source", "source order")(
    "It is not there where another order of the source changes the outputs."
)
target_order_never_named = never("target", "target order")(
    "Which rows do you look at? Rows 0 and 1 belong to other words after the exchange, and change in any case: only "
    f"those after them tell. {ROUNDING}"
)
target_order_always_named = always("target", "target order")(
    "It is not there where the exchange changes the rows after both words. The target that was cut does not tell of it."
)


def exchanged_back(seen):
    rows = seen[EXCHANGED]
    return near(torch.cat([rows[[1, 0]], rows[2:]]), seen["outputs"])


target_order_found_only_without_a_causal_mask = wrong("target", target_order=exchanged_back)(
    "You find 'target order' only where the causal mask is missing, too. Do you look at rows 0 and 1? With a causal "
    "mask the word in front sees less than the other: only the rows after both tell."
)
causal_never_named = never("causal", "causal")(
    "It is there where the rows of the cut target are not the first rows of the outputs."
)
causal_always_named = always("causal", "causal")(
    "Where the mask is there, the rows of the cut target are the first rows of the outputs, but for rounding. Do you "
    "compare these, and allow for rounding?"
)
no_change_taken_for_a_missing_mask = wrong("causal", causal=lambda seen: not causal(seen))(
    "You report 'causal' where the outputs stay the same when later words are cut off. They should stay the same: no "
    "word may look at words after it."
)
not_all_rows = wrong("causal", causal=lambda seen: not near(seen["target cut"][0], seen["outputs"][0]))(
    "You do not find 'causal' where only the last row of the cut target is another one: there the mask comes a word "
    "too late. One number that differs is enough, wherever it stands."
)
the_exchange_taken_for_a_missing_mask = wrong("causal", causal=lambda seen: not target_order(seen))(
    "You report 'causal' where rows after the exchanged words change. They may: they look back."
)
padding_never_named = never("padding", "padding")("It is there where padding behind the source changes the outputs.")
padding_always_named = always("padding", "padding")(f"It is not there where padding changes no output. {ROUNDING}")
no_change_taken_for_missing_padding = wrong("padding", padding=lambda seen: not padding(seen))(
    "You report 'padding' where the outputs stay the same with padding behind the source. They should stay the same: "
    "nothing may look at padding."
)
scale_never_named = never("scale", "scale")(
    "Do you compute the weights from queries and keys, and compare? That the rows of the weights add to 1 tells "
    "nothing: they always do."
)
scale_always_named = always("scale", "scale")(
    "Where it is not there, the weights are the softmax of Q K^⊤ / √d_k over the keys, but for rounding. Do you "
    "compare them with that, and allow for rounding?"
)
only_undivided_scores_found = wrong("scale", scale=lambda seen: near(attended(seen, lambda Q: 1.0), seen["weights"]))(
    "You find 'scale' only where nothing is divided. It can also be another number than √d_k."
)


def of_head(which):
    return lambda seen: scale({name: seen[name][which] for name in ("queries", "keys", "weights")})


def of_query(which):
    return lambda seen: scale(seen | {name: seen[name][:, which] for name in ("queries", "weights")})


def of_key(which):
    return lambda seen: not near(attended(seen)[..., which], seen["weights"][..., which])


the_first_head_only = wrong("scale", scale=of_head([0]))(
    "You do not find 'scale' where the first head is right and another is not. Do you look at all heads?"
)
the_first_query_only = wrong("scale", scale=of_query([0]))(
    "You do not find 'scale' where the first query's products are all alike. Do you look at all queries?"
)
the_last_query_only = wrong("scale", scale=of_query([-1]))(
    "You do not find 'scale' where the last query's products are all alike. Do you look at all queries?"
)
the_first_key_only = wrong("scale", scale=of_key(0))(
    "You do not find 'scale' where each query gives the first key the right weight, and others a wrong one. Do you "
    "look at all keys?"
)
the_last_key_only = wrong("scale", scale=of_key(-1))(
    "You do not find 'scale' where each query gives the last key the right weight, and others a wrong one. Do you look "
    "at all keys?"
)
weights_that_are_a_little_wrong = wrong("scale", scale=lambda seen: off_in_the_mean(seen) > 0.01)(
    "You do not find 'scale' where weights are wrong by 0.01 to 0.02. Do you take the mean of all differences, "
    "or allow for more? The largest one tells."
)
d_model_for_d_k = wrong(
    "scale", scale=lambda seen: not near(attended(seen, lambda Q: sqrt(seen["outputs"].shape[-1])), seen["weights"])
)("You expect scores divided by √d_model. d_k is the width of one head: the last axis of queries and keys.")
d_model_by_heads = wrong(
    "scale",
    scale=lambda seen: not near(attended(seen, lambda Q: sqrt(seen["outputs"].shape[-1] / len(Q))), seen["weights"]),
)("You expect scores divided by √(d_model / heads). Here d_k is another number: the last axis of queries and keys.")


@mistake("source")
def changes_too_small_to_be_seen(seen):
    """You do not see changes of 0.01 to 0.02. Allow for rounding alone: numbers that should be equal differ by less
    than 10⁻⁶."""
    return {fault for fault, test in TESTS.items() if test(seen, partial(near, within=0.02))}


SIGNS = (
    "You compare differences with their signs: {} of any size is taken for rounding. Take abs() before you compare "
    "with what rounding may do."
)


def below(one, other):
    return bool((one - other < 1e-6).all())


def above(one, other):
    return below(other, one)


def compared(near):
    return lambda seen: {fault for fault, test in TESTS.items() if test(seen, near)}


what_falls_taken_for_rounding = mistake("source", SIGNS.format("a fall"))(compared(below))
what_rises_taken_for_rounding = mistake("target", SIGNS.format("a rise"))(compared(above))


def sums_near(one, other):
    return near(one.sum(), other.sum())


SUMS = (
    "You compare sums or means. Different numbers can have the same sum: compare number by number, and look at the "
    "largest difference."
)
sums_compared = mistake("source", SUMS)(compared(sums_near))
sums_compared_for_the_source = wrong("source", source_order=lambda seen: source_order(seen, sums_near))(SUMS)
sums_compared_for_the_target = wrong("target", target_order=lambda seen: target_order(seen, sums_near))(SUMS)
sums_compared_for_causal = wrong("causal", causal=lambda seen: causal(seen, sums_near))(SUMS)
sums_compared_for_padding = wrong("padding", padding=lambda seen: padding(seen, sums_near))(SUMS)


def near_somewhere(one, other):
    return bool(((one - other).abs() < 1e-6).any())


ONE_NUMBER = (
    "You take rows for the same where one number of them is the same. Not every number changes: look at the largest "
    "difference."
)
one_number_compared = mistake("source", ONE_NUMBER)(compared(near_somewhere))
one_number_compared_for_the_source = wrong("source", source_order=lambda seen: source_order(seen, near_somewhere))(
    ONE_NUMBER
)
one_number_compared_for_the_target = wrong("target", target_order=lambda seen: target_order(seen, near_somewhere))(
    ONE_NUMBER
)
one_number_compared_for_padding = wrong("padding", padding=lambda seen: padding(seen, near_somewhere))(ONE_NUMBER)


@mistake("source")
def source_and_target_exchanged(seen):
    """You report 'source order' for 'target order', and the other way round."""
    other = {"source order": "target order", "target order": "source order"}
    return {other.get(fault, fault) for fault in defined(seen)}


one_fault_at_most = mistake(
    "several", "You never name more than one fault. There can be several: do you go on after the first that you find?"
)(the_first_alone(defined, FAULTS))


# Cases

FIRST, LAST, ALL = slice(1), slice(-1, None), slice(None)
TURNED = {  # the sizes of which cases change in one direction: 1 up, -1 down
    "source order": {2: -1, 6: 1},
    "target order": {2: 1, 6: -1},
    "causal": {1: 1, 5: -1},
    "padding": {3: -1, 7: 1},
}
SEES = (FIRST, LAST, ALL, LAST, FIRST, ALL)  # beside the DIVISORS, where "scale" is asked for
KEPT = (None, None, 0, None, None, -1)


def draw(fault: str) -> Callable[[Random, int], Case]:
    """A translator without this fault and one with it, in turn; the third has all the others, the later ones any."""

    def drawn(rng: Random, size: int) -> Case:
        close = CHANGES.get(fault, "") if size == (3 if fault == "causal" else fault == "padding") else ""
        others = [each for each in FAULTS if each != fault and (size == 2 or size > 2 and rng.random() < 0.5)]
        if size == 0 and fault == "source order":
            others = ["target order"]  # that little changes: of rows that are to change there are fewer
        mask = one_ahead if fault == "causal" and size % 4 == 3 else all_words
        faults, turn = tuple(others + [fault] * (size % 2)), size // 2 % len(DIVISORS)
        turned = CHANGES.get(fault, ""), TURNED.get(fault, {}).get(size, 0)
        sees, kept = (SEES[turn], KEPT[turn]) if fault == "scale" else (ALL, None)
        return case(rng, Lack(faults, DIVISORS[turn], mask, close, turned, sees, kept))

    return drawn


def draw_several(rng: Random, size: int) -> Case:
    """A translator with two faults or more; the first with none."""
    faults = tuple(rng.sample(FAULTS, rng.randint(2, len(FAULTS)) if size else 0))
    return case(rng, Lack(faults, rng.choice(DIVISORS)))


def case(rng: Random, lack: Lack) -> Case:
    """A translator that lacks this."""
    seen, _ = until(lambda: (runs_of(rng, lack), lack), clear)
    n, m = seen["weights"].shape[2], len(seen["outputs"])
    return Case((seen,), f"a source of {n} words, a target of {m} words, cut to {len(seen['target cut'])}")


def one(name: str, fault: str, points: float, says: str, cases: tuple[int, int] = (4, 8)) -> Row:
    """The criterion that asks for one fault, whatever else is reported; so many visible and graded `cases`."""
    visible, graded = cases
    return criterion(name, points, draw(fault), about(fault), visible=visible, graded=graded)(f"{fault!r}, {says}")


TASK = task(
    __name__,
    "What does this Transformer lack?",
    criteria=(
        one("source", "source order", 0.5, "where the source has no positions."),
        one("target", "target order", 1, "where the target has no positions."),
        one("causal", "causal", 0.5, "where the causal mask is missing."),
        one("padding", "padding", 0.5, "where padding of the source is not hidden."),
        one("scale", "scale", 0.5, "where scores are divided by anything but √d_k, or by nothing.", (12, 12)),
        criterion("several", 1, draw_several, visible=5, graded=8)("Several of them, all, or none."),
    ),
    lent=(lent.attention,),
    forbidden=(f"{__name__}.found",),
)
