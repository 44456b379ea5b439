"""Wrong versions of problem set 4 that looked right on every case once: each loses now, and where it should."""

import torch

from course_lib.grading.tasks.ps4 import attentions, decoders, links, scores, softmax

from .caught import each_row, in_float32, is_caught


def all_real_then_nothing(e, mask):
    """Where no word is real, the weights of all words are multiplied by 0."""
    some = mask.any(1, keepdim=True)
    return softmax.defined(e, mask | ~some) * some.unsqueeze(2)


def nothing_if_the_first_is_empty(e, mask):
    return softmax.defined(e, mask) if mask[0].any() else torch.zeros_like(e)


def told_from_full_sentences(*seen):
    """ "axis" where rows of a sentence without padding do not add to 1; else "late mask" where others do not."""

    def axis(weights, mask, h, context):
        full = mask.all(1)
        return bool(full.any()) and not attentions.near(weights.sum(2)[full], 1.0)

    def late(weights, *others):
        return not axis(weights, *others) and not attentions.near(weights.sum(2), 1.0)

    return attentions.defined(*seen, axis=axis, late_mask=late)


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("multiplicative_score", in_float32(scores.product), "dtype", None),
    ("additive_score", in_float32(scores.additive), "dtype", None),
    ("masked_softmax", in_float32(softmax.defined), "dtype", None),
    ("masked_softmax", all_real_then_nothing, "padding", None),
    ("masked_softmax", nothing_if_the_first_is_empty, "nothing", None),
    ("attentive_decoder", in_float32(decoders.defined), "dtype", None),
    ("hard_alignment", links.eos_above_every_piece, "together", None),
    ("hard_alignment", links.eos_of_the_first_piece, "together", None),
    ("hard_alignment", links.eos_of_the_last_piece, "together", None),
    ("diagnose", told_from_full_sentences, "axis", None),
)


@each_row("ps4", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
