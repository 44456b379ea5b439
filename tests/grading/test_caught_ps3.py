"""Wrong versions of problem set 3 that looked right on every case once: each loses now, and where it should."""

from functools import partial

from course_lib.grading.tasks.ps3 import (
    decoder_step,
    wrong_encode,
    wrong_forced_scores,
    wrong_sequence_loss,
    wrong_shift,
    wrong_training_step,
)

from .caught import each_row, in_float32, is_caught


def losses_with(sums):
    """The right loss of a word, and these sums of the right ones."""

    def losses(*arguments):
        right, per_word = wrong_sequence_loss.defined(*arguments)
        return sums(right), per_word

    return losses


def longest_first(logits, target, lengths):
    order = lengths.argsort(descending=True)
    return wrong_sequence_loss.defined(logits[order], target[order], lengths[order])


eos_only_forwards = partial(wrong_shift.defined, turned=lambda x, eos: x[::-1])
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("shift", eos_only_forwards, "reversed", None),
    ("sequence_loss", longest_first, "padding", None),
    ("sequence_loss", losses_with(lambda sums: sums.sum().repeat(len(sums))), "padding", None),
    ("sequence_loss", losses_with(lambda sums: sums / len(sums)), "padding", None),
    ("sequence_loss", in_float32(wrong_sequence_loss.defined), "dtype", None),
    ("encode", in_float32(wrong_encode.defined), "dtype", None),
    ("decoder_step", in_float32(decoder_step.defined), "dtype", None),
    ("forced_scores", in_float32(wrong_forced_scores.defined), "dtype", None),
    ("training_step", in_float32(wrong_training_step.defined), "dtype", None),
)


@each_row("ps3", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
