"""ps4.diagnose: which faults an attention has, told from its weights and contexts alone."""

from functools import partial

from torch import Tensor

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.faults import about
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps4.attentions import (
    OF_CONTEXT,
    SEVERAL,
    TESTS,
    axis,
    contexts,
    defined,
    draw,
    near,
    unmasked,
)


def reference(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> set[str]:
    """The faults, named in TESTS, of the attention that gave these weights (batch, i, j) and contexts."""
    return found(weights, mask, h, context)


def found(*seen: Tensor) -> set[str]:
    """What may not do the student's work."""
    return defined(*seen)


# Wrong versions


def rows_for_columns(*seen: Tensor) -> set[str]:
    """Rows that do not add to 1 taken for a wrong axis."""
    return defined(*seen, axis=lambda weights, *_: not near(weights.sum(2), 1.0), late_mask=lambda *_: False)


def late_by_rows(*seen: Tensor) -> set[str]:
    return defined(*seen, late_mask=lambda weights, *_: not near(weights.sum(2), 1.0))


def all_columns(*seen: Tensor) -> set[str]:
    return defined(*seen, axis=lambda weights, *_: near(weights.sum(1), 1.0))


def first_sentence(*seen: Tensor) -> set[str]:
    weights, mask, *others = seen
    return defined(*seen, unmasked=lambda *_: unmasked(weights[:1], mask[:1], *others))


def last_word(*seen: Tensor) -> set[str]:
    weights, mask, *others = seen
    return defined(*seen, unmasked=lambda *_: unmasked(weights[..., -1:], mask[:, -1:], *others))


def to_the_bit(*seen: Tensor) -> set[str]:
    def late(weights: Tensor, *others: Tensor) -> bool:
        return not axis(weights, *others) and bool((weights.sum(2) != 1).any())

    return defined(*seen, late_mask=late)


def any_other_context(*seen: Tensor) -> set[str]:
    """Whatever is not the right context taken for a wrong step."""
    weights, _, h, context = seen
    return defined(*seen, step=lambda *_: not near(contexts(weights, h, False, False), context))


def any_other_states(*seen: Tensor) -> set[str]:
    weights, _, h, context = seen
    return defined(*seen, sentence=lambda *_: not near(contexts(weights, h, False, False), context))


def step_alone(*seen: Tensor) -> set[str]:
    weights, _, h, context = seen
    return defined(
        *seen,
        step=lambda *_: near(contexts(weights, h, True, False), context),
        sentence=lambda *_: near(contexts(weights, h, False, True), context),
    )


def mended_first(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> set[str]:
    """The context compared with that of weights as they should be at words that are not real."""
    kept = weights.masked_fill(~mask.unsqueeze(1), 0)
    wrong = not any(near(contexts(kept, h, late, other), context) for late in (False, True) for other in (False, True))
    return defined(weights, mask, h, context) | ({"sentence"} if wrong else set())


def next_sentence(*seen: Tensor) -> set[str]:
    weights, _, h, context = seen
    after = h.roll(-2, 0)
    return defined(*seen, sentence=lambda *_: any(near(contexts(weights, after, s, True), context) for s in (0, 1)))


def with_underscores(*seen: Tensor) -> set[str]:
    return {fault.replace(" ", "_") for fault in defined(*seen)}


def masked_in_place(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> set[str]:
    faults = defined(weights, mask, h, context)
    weights *= mask.unsqueeze(1)
    return faults


def only_the_first(*seen: Tensor) -> set[str]:
    return set(sorted(defined(*seen), key=[*TESTS].index)[:1])


says = partial(about, containers=(set, list, tuple))  # that a set is asked for is for "several"
One = partial(Criterion, visible=6, graded=12)

TASK = Task(
    name="ps4.diagnose",
    title="What is wrong with this attention?",
    reference=reference,
    criteria=(
        One(
            "axis",
            1,
            "'axis', where the softmax runs over the decoder's steps.",
            draw((), ("axis",), ("late mask",), columns=True),
            visible=9,
            graded=18,
            probe=says("axis"),
        ),
        One(
            "unmasked",
            0.5,
            "'unmasked', where words that are not real have weights.",
            draw((), ("unmasked",)),
            probe=says("unmasked"),
        ),
        One(
            "late",
            1,
            "'late mask', where the mask comes after the softmax.",
            draw((), ("late mask",), ("axis",)),
            visible=9,
            graded=18,
            probe=says("late mask"),
        ),
        Criterion(
            "context",
            1,
            "'step' and 'sentence', or both.",
            draw(*OF_CONTEXT, ("unmasked",)),
            10,
            20,
            probe=says("step", "sentence"),
        ),
        Criterion(
            "several",
            1,
            "Several faults at once.",
            draw(*SEVERAL),
            visible=2 * len(SEVERAL),
            graded=4 * len(SEVERAL),
        ),
        Criterion(
            "arguments",
            0.5,
            "Weights, mask, states and contexts are afterwards as they were.",
            draw(("unmasked",), ("step",)),
            2,
            4,
            probe=leaving("weights mask h context"),
        ),
    ),
    misconceptions=(
        Misconception(
            "rows that do not add to 1 taken for the axis",
            rows_for_columns,
            "late",
            "You report 'axis' wherever rows do not add to 1. They do not where the mask comes late, either: what adds "
            "to 1 over the wrong axis?",
        ),
        Misconception(
            "a late mask wherever rows do not add to 1",
            late_by_rows,
            "late",
            "You report 'late mask' wherever rows do not add to 1. Over the wrong axis they do not, either.",
        ),
        Misconception(
            "columns of words that are not real",
            all_columns,
            "axis",
            "You want every column to add to 1. Those of words that are not real are 0 where they are masked.",
        ),
        Misconception(
            "only the first sentence's mask looked at",
            first_sentence,
            "unmasked",
            "You look for weights at words that are not real in the first sentence only. Any of them may be padded.",
        ),
        Misconception(
            "only the last word looked at",
            last_word,
            "unmasked",
            "You look at the last word only. The mask says which words are real: they may stand anywhere.",
        ),
        Misconception(
            "equal to the last bit",
            to_the_bit,
            "late",
            "You take a difference from 1 in the last bits for a fault: allow for rounding.",
        ),
        Misconception(
            "every wrong context a wrong step",
            any_other_context,
            "context",
            "You report 'step' wherever the context is not the weights' own. It may be made of another sentence's "
            "states: try which weights and which states explain it.",
        ),
        Misconception(
            "every wrong context another sentence's",
            any_other_states,
            "context",
            "You report 'sentence' wherever the context is not the weights' own. It may be made with the weights of "
            "the step before: try which weights and which states explain it.",
        ),
        Misconception(
            "each fault of the context alone",
            step_alone,
            "several",
            "You look for each fault of the context alone. With both, it is made with the weights of the step before "
            "and the states of the sentence before. Compare it with four contexts: either weights with either states.",
        ),
        Misconception(
            "context of mended weights",
            mended_first,
            "context",
            "You compute the context without the words that are not real. The colleague's used the weights that you "
            "see, and so must your comparison: a wrong weight is no wrong context.",
        ),
        Misconception(
            "the sentence before it not tried",
            next_sentence,
            "context",
            "You do not find the fault 'sentence'. Is it the sentence before that you try?",
        ),
        Misconception(
            "names with underscores",
            with_underscores,
            "late",
            "You write 'late_mask'. The fault is called 'late mask', with a space.",
        ),
        Misconception(
            "masked in place",
            masked_in_place,
            "arguments",
            "You set weights that are not real to 0 within the caller's own tensor, by *= or by an index, say. Make a "
            "new one, by torch.where or masked_fill.",
        ),
        Misconception(
            "one fault only",
            only_the_first,
            "several",
            "You stop at the first fault that you find. There can be several: return them all.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
