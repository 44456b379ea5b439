"""ps4.diagnose: which faults an attention has, told from its weights and contexts alone."""

from collections.abc import Callable
from itertools import product
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, count, rounded, tensor
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.faults import ONE_FAULT_ONLY, said, the_first_alone
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.masked_softmax import softmax
from course_lib.problem_sets.ps4.states import rows

BOTH = False, True


def reference(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> set[str]:
    """The faults, named in TESTS, of the attention that gave these weights (batch, i, j) and contexts."""
    return found(weights, mask, h, context)


def found(*seen: Tensor) -> set[str]:
    """What may not do the student's work."""
    return defined(*seen)


def contexts(weights: Tensor, h: Tensor, step: bool, sentence: bool) -> Tensor:
    """Σ_j α_ij h_j, with α_{i−1} for α_i if `step`, with the h of the sentence before if `sentence`."""
    α = torch.cat([torch.zeros_like(weights[:, :1]), weights[:, :-1]], 1) if step else weights
    return α @ (h.roll(1, 0) if sentence else h)


def near(one: Tensor, other: Tensor | float) -> bool:
    return bool(((one - other).abs() < 1e-6).all())


def explained(weights: Tensor, h: Tensor, context: Tensor, steps: tuple, sentences: tuple) -> bool:
    """Whether one of the contexts with and without these faults is the given one."""
    return any(near(contexts(weights, h, step, other), context) for step in steps for other in sentences)


def columns(weights: Tensor, mask: Tensor, *_: Tensor) -> bool:
    """The columns of real words add to 1."""
    return near(weights.sum(1)[mask], 1.0)


def unmasked(weights: Tensor, mask: Tensor, *_: Tensor) -> bool:
    """A word that is not real has a weight."""
    return bool(weights.mT[~mask].any())


def off(weights: Tensor, *_: Tensor) -> bool:
    """A row does not add to 1."""
    return not near(weights.sum(2), 1.0)


TESTS = {
    "axis": columns,
    "unmasked": unmasked,
    "late mask": lambda *seen: off(*seen) and not columns(*seen),
    "step": lambda weights, _, h, context: explained(weights, h, context, (True,), BOTH),
    "sentence": lambda weights, _, h, context: explained(weights, h, context, BOTH, (True,)),
}

# Mistakes


def defined(*seen, **instead):
    """The faults that TESTS find, some of them looked for `instead` in another way ("late_mask" for "late mask")."""
    tests = TESTS | {name.replace("_", " "): test for name, test in instead.items()}
    return {fault for fault, test in tests.items() if test(*seen)}


def another(weights, _, h, context):
    return not explained(weights, h, context, (False,), (False,))


wrong = versions(defined)
rows_that_do_not_add_to_1_taken_for_the_axis = wrong("late", axis=off, late_mask=lambda *_: False)(
    "You report 'axis' wherever rows do not add to 1. They do not where the mask comes late, either: what adds to 1 "
    "over the wrong axis?"
)
a_late_mask_wherever_rows_do_not_add_to_1 = wrong("late", late_mask=off)(
    "You report 'late mask' wherever rows do not add to 1. Over the wrong axis they do not, either."
)
columns_of_words_that_are_not_real = wrong("axis", axis=lambda weights, *_: near(weights.sum(1), 1.0))(
    "You want every column to add to 1. Those of words that are not real are 0 where they are masked."
)
only_the_mask_of_the_first_sentence_looked_at = wrong(
    "unmasked", unmasked=lambda weights, mask, *_: unmasked(weights[:1], mask[:1])
)("You look for weights at words that are not real in the first sentence only. Any of them may be padded.")
only_the_last_word_looked_at = wrong(
    "unmasked", unmasked=lambda weights, mask, *_: unmasked(weights[..., -1:], mask[:, -1:])
)("You look at the last word only. The mask says which words are real: they may stand anywhere.")
equal_to_the_last_bit = wrong(
    "late", late_mask=lambda weights, mask, *_: not columns(weights, mask) and bool((weights.sum(2) != 1).any())
)("You take a difference from 1 in the last bits for a fault: allow for rounding.")
every_wrong_context_a_wrong_step = wrong("context", step=another)(
    "You report 'step' wherever the context is not the weights' own. It may be made of another sentence's states: try "
    "which weights and which states explain it."
)
every_wrong_context_of_another_sentence = wrong("context", sentence=another)(
    "You report 'sentence' wherever the context is not the weights' own. It may be made with the weights of the step "
    "before: try which weights and which states explain it."
)
each_fault_of_the_context_alone = wrong(
    "several",
    step=lambda weights, _, h, context: explained(weights, h, context, (True,), (False,)),
    sentence=lambda weights, _, h, context: explained(weights, h, context, (False,), (True,)),
)(
    "You look for each fault of the context alone. With both, it is made with the weights of the step before and the "
    "states of the sentence before. Compare it with four contexts: either weights with either states."
)


@mistake("context")
def context_of_mended_weights(weights, mask, h, context):
    """You compute the context without the words that are not real. The colleague's used the weights that you see, and
    so must your comparison: a wrong weight is no wrong context."""
    mended = weights.masked_fill(~mask.unsqueeze(1), 0)
    faults = defined(weights, mask, h, context)
    return faults if explained(mended, h, context, BOTH, BOTH) else faults | {"sentence"}


the_sentence_before_it_not_tried = wrong(
    "context", sentence=lambda weights, _, h, context: explained(weights, h.roll(-2, 0), context, BOTH, (True,))
)("You do not find the fault 'sentence'. Is it the sentence before that you try?")


@mistake("late")
def names_with_underscores(*seen):
    """You write 'late_mask'. The fault is called 'late mask', with a space."""
    return {fault.replace(" ", "_") for fault in defined(*seen)}


@changing("arguments", defined)
def masked_in_place(weights, mask, h, context):
    """You set weights that are not real to 0 within the caller's own tensor, by *= or by an index, say. Make a new one,
    by torch.where or masked_fill."""
    weights *= mask.unsqueeze(1)


one_fault_only = mistake("several", ONE_FAULT_ONLY)(the_first_alone(defined, tuple(TESTS)))


# Cases

WIDTH = 5  # of h: no other size is the same
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
OF_WEIGHTS = (), ("axis",), ("unmasked",), ("late mask",), ("axis", "unmasked")
OF_CONTEXT = (), ("step",), ("sentence",), ("step", "sentence")
SEVERAL = [weights + context for weights in OF_WEIGHTS for context in OF_CONTEXT if len(weights + context) > 1]


def run(e: Tensor, mask: Tensor, h: Tensor, faults: tuple[str, ...]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What an attention with these faults makes of the scores e (batch, i, j)."""
    real = mask.unsqueeze(1)
    before = torch.ones_like(real) if {"unmasked", "late mask"} & {*faults} else real
    weights = softmax(e.masked_fill(~before, -1e30), 1 if "axis" in faults else 2)
    weights = weights if "unmasked" in faults else weights.masked_fill(~real, 0)
    return weights, mask, h, contexts(weights, h, "step" in faults, "sentence" in faults)


def clear(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor, faults: tuple[str, ...]) -> bool:
    """Whether what is not so is so by more than CLEAR: each sum that is not 1, each context that is another's."""
    padded = ~mask.all(1)
    not_one = torch.ones_like(padded) if "axis" in faults else padded & ("late mask" in faults)
    by_columns = "axis" in faults or bool(((weights.sum(1)[mask] - 1).abs() > CLEAR).all())
    by_rows = bool(((weights.sum(2)[not_one] - 1).abs() > CLEAR).all())
    at_padding = "unmasked" not in faults or bool((weights.mT[~mask] > CLEAR).all())
    own = "step" in faults, "sentence" in faults
    others = [contexts(weights, h, *ways) for ways in product(BOTH, BOTH) if ways != own]
    contexts_apart = all(bool(((context - other).abs().amax(2)[:, 1:] > CLEAR).all()) for other in others)
    return by_columns and by_rows and at_padding and contexts_apart


def low_at_padding(rng: Random, e: Tensor, mask: Tensor) -> Tensor:
    """Scores by which a word that is not real gets a weight between 0.01 and 0.02 if nothing is masked."""
    real = mask.unsqueeze(1).expand_as(e)
    sums = e.masked_fill(~real, -torch.inf).logsumexp(2, keepdim=True)
    shares = torch.tensor([rng.uniform(0.013, 0.015) for _ in range(e.numel())], dtype=e.dtype).view_as(e)
    return torch.where(real, e, sums + shares.log())


def even_columns(rng: Random, e: Tensor) -> Tensor:
    """Scores (batch, n, n), n even, whose softmax over the rows adds to 1 ± 0.02 to 0.04 in each column."""
    weights = (e / 2).exp()
    for _ in range(30):
        weights = weights / weights.sum(1, keepdim=True)
        weights = weights / weights.sum(2, keepdim=True)
    off = rng.uniform(0.02, 0.04) / e.shape[1]
    signs = torch.tensor([1.0, -1.0] * (e.shape[2] // 2), dtype=e.dtype)
    return (weights + off * signs).clamp(min=1e-3).log()


def scaled_down(weights: Tensor, h: Tensor, context: Tensor) -> Tensor:
    """h so small that the nearest of the other contexts is less than 0.04 away."""
    far = [float((context - contexts(weights, h, *ways)).abs().max()) for ways in product(BOTH, BOTH)]
    return h * (0.04 / min((each for each in far if each > 1e-6), default=1.0))


def draw(*faults: tuple[str, ...], even: bool = False) -> Callable[[Random, int], Case]:
    """An attention with each of these sets of faults in turn, over three sentences; one, two or all are padded.

    In every second round what a fault changes is little more than CLEAR: weights at padding and contexts, or, if
    `even`, the sums of columns, whose mean is 1 for a late mask. Unless `even`, no one number of a context is enough
    to look at, nor their sum.
    """

    def attempt(rng: Random, size: int) -> tuple:
        turn, chosen = size // len(faults), faults[size % len(faults)]
        close = turn % 2 == 1
        half = close and even and "late mask" in chosen  # two of four words are real: the mean of their columns is 1
        words = 4 if half else rng.choice((2, 4)) if close and even else rng.randint(2, 4)
        steps = words if close and even else rng.randint(2, 4)
        short = ((0,), (1, 2), (0, 1, 2), (2,), (0, 1), (1,), (0, 2))[turn % 7]
        lengths = [(2 if half else rng.randint(1, words - 1)) if b in short else words for b in range(3)]
        mask = rows(rng, lengths, words)
        if close or len(short) == 3:  # what is not real stands in front: neither the last word nor the first is enough
            mask = mask.sort(1).values
        e, h = converted([tensor(rng, 3, steps, words), tensor(rng, 3, words, WIDTH)], torch.float64)
        if close and not even:  # the numbers of each context have the sum 0
            h = h - h.mean(2, keepdim=True)
        elif not even:  # one number is the same in all
            h[..., 0 if turn % 4 == 0 else -1] = 1.0
        if close:
            e = even_columns(rng, e) if even else low_at_padding(rng, e, mask)
            weights, _, _, context = run(e, mask, h, chosen)
            h = scaled_down(weights, h, context)
        weights, mask, h, context = run(e, mask, h, chosen)
        return rounded(rng, weights), mask, h, rounded(rng, context), chosen

    def drawn(rng: Random, size: int) -> Case:
        *seen, _ = until(lambda: attempt(rng, size), clear)
        weights, mask, *_ = seen
        real = ", ".join(map(str, mask.sum(1).tolist()))
        words = f"3 sentences with {real} of {mask.shape[1]} words real, {count(weights.shape[1], 'step')}"
        return Case(tuple(seen), words)

    return drawn


TASK = task(
    __name__,
    "What is wrong with this attention?",
    criteria=(
        criterion("axis", 1, draw((), ("axis",), ("late mask",), even=True), said("axis"), visible=9, graded=18)(
            "'axis', where the softmax runs over the decoder's steps."
        ),
        criterion("unmasked", 0.5, draw((), ("unmasked",)), said("unmasked"), visible=6)(
            "'unmasked', where words that are not real have weights."
        ),
        criterion("late", 1, draw((), ("late mask",), ("axis",)), said("late mask"), visible=9, graded=18)(
            "'late mask', where the mask comes after the softmax."
        ),
        criterion("context", 1, draw(*OF_CONTEXT, ("unmasked",)), said("step", "sentence"), visible=10, graded=20)(
            "'step' and 'sentence', or both."
        ),
        criterion("several", 1, draw(*SEVERAL), visible=2 * len(SEVERAL), graded=4 * len(SEVERAL))(
            "Several faults at once."
        ),
        arguments(0.5, draw(("unmasked",), ("step",)), visible=2, graded=4)(
            "Weights, mask, states and contexts are afterwards as they were."
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
