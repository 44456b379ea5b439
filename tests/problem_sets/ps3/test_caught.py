"""Wrong versions of problem set 3 that looked right on every case once: each loses now, and where it should."""

from functools import partial

import torch

from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps3 import (
    decoder_step,
    diagnose,
    encode,
    forced_scores,
    sequence_loss,
    shift,
    training_step,
)
from tests.grading.caught import each_row, each_slip, in_float32, is_caught, lost
from tests.problem_sets.ps3.features import log_losses


def rows_by_index(pairs, pad, *rest):
    """Rows filled at the first place where their pair stands: of two that are equal one stays empty."""
    batch = shift.defined(pairs, pad, *rest)
    for i, pair in enumerate(pairs):
        if pairs.index(pair) != i:
            for rows in batch:
                rows[i] = pad
    return batch


def losses_with(sums):
    """The right loss of a word, and these sums of the right ones."""

    def losses(*arguments):
        right, per_word = sequence_loss.defined(*arguments)
        return sums(right), per_word

    return losses


def longest_first(logits, target, lengths):
    order = lengths.argsort(descending=True)
    return sequence_loss.defined(logits[order], target[order], lengths[order])


def sorted_sentences(words, lengths, *rest):
    order = lengths.argsort(descending=True)
    return encode.defined(words[order], lengths[order], *rest)


def targets_longest_first(pairs, *rest):
    return forced_scores.defined(sorted(pairs, key=lambda pair: -len(pair[1])), *rest)


def compared(different, loss=diagnose.loss_of, wrong=lambda difference: abs(difference) > 1e-6):
    """The diagnosis of who tells rows of log_p, and losses, apart in another way."""

    def diagnosed(base, changed, other, report):
        k = diagnose.place(base, changed)
        moved, source = (
            [different(a, b) for a, b in zip(base["log_p"], each["log_p"], strict=True)] for each in (changed, other)
        )
        found = {
            "shift": moved[k],
            "own words": not any(moved),
            "memory": sum(moved) == 1,
            "source": not any(source),
            "loss": wrong(report["loss"] - loss(report)),
        }
        return {fault for fault, there in found.items() if there}

    return diagnosed


def far(one, other):
    return bool((one - other).abs().max() > 1e-6)


def in_sum(one, other):
    return bool((one - other).sum().abs() > 1e-6)


def in_the_mean(one, other):
    return bool((one - other).abs().mean() > 0.01)


def summed(report):
    return diagnose.loss_of(report) * report["lengths"].sum().item()


def without_eos(report):
    return diagnose.loss_of(report | {"lengths": report["lengths"] - 1})


def shifted(report):
    return diagnose.loss_of(report | {"target": report["target"].roll(1, 1)})


def log_p(report):
    return -diagnose.loss_of(report)


def nothing_to_the_bit(one, other):
    return not torch.equal(one, other)


def other_argmax(one, other):
    return bool(one.argmax() != other.argmax())


def squeezed(logits, target, lengths):
    """All dimensions of size 1 are gone, that of the time, too."""
    losses = log_losses(logits.nan_to_num(), target)[..., None].squeeze()
    losses = torch.where(sequence_loss.real(target, lengths), losses, 0)
    return losses.sum(1), losses.sum() / lengths.sum()


def asked_and_taken_back(pairs, weights, *rest):
    step = training_step.given_weights_that_ask_for_gradients(pairs, weights, *rest)
    for each in training_step.flat(weights):
        each.requires_grad_(False)
    return step


def empty_targets_dropped(pairs, *rest):
    return training_step.defined([(x, y) for x, y in pairs if y], *rest)


def clipped_if(longer):
    """The step of who clips where `longer`(norm, max_norm, rate)."""

    def step(pairs, weights, bos, eos, rate, max_norm):
        def clip(gradients, norm, most):
            return [each * most / norm for each in gradients] if longer(norm, most, rate) else gradients

        return training_step.defined(pairs, weights, bos, eos, rate, max_norm, clip=clip)

    return step


def clipped_with_an_epsilon(gradients, norm, max_norm):
    return [each * max_norm / (norm + 1e-3) if norm > max_norm else each for each in gradients]


def clamped_first(gradients, norm, max_norm):
    short = [each.clamp(-max_norm, max_norm) for each in gradients]
    return training_step.clipped(short, training_step.norm_of(short), max_norm)


def nothing_for_an_empty_target(pairs, *rest):
    words, scores = forced_scores.defined(pairs, *rest)
    return words, scores * torch.tensor([bool(y) for _, y in pairs])


def zero_is_padding(previous, s, c, weights):
    E = weights["E"] * (torch.arange(len(weights["E"])) > 0)[:, None]
    new, _ = decoder_step.defined(previous, s, c, weights | {"E": E})
    return new, torch.tanh(new @ weights["W_t"]) @ weights["E"].T + weights["b"]


def turned_where_square(previous, s, c, weights):
    """W_t is turned where its shape allows it."""
    W_t = weights["W_t"]
    return decoder_step.defined(previous, s, c, weights | {"W_t": W_t.T if W_t.shape[0] == W_t.shape[1] else W_t})


def target_words_alone(base, changed, other, report):
    """Who looks for another source at the log p of the target's words."""

    def source(base, changed, other, report):
        rows = torch.arange(len(base["target"])), torch.tensor(base["target"])
        return torch.allclose(base["log_p"][rows], other["log_p"][rows])

    return diagnose.defined(base, changed, other, report, source=source)


def sources_of_one_length(base, changed, other, report):
    found = diagnose.defined(base, changed, other, report)
    return found if len(base["source"]) == len(other["source"]) else found - {"source"}


def sources_put_back_turned_round(pairs, pad, bos, eos, reverse):
    """New lists in place of the caller's own."""
    pairs[:] = [(x[::-1] if reverse else x, y) for x, y in pairs]
    return shift.defined(pairs, pad, bos, eos, False)


def targets_put_back_with_eos(pairs, *rest):
    batch, eos = shift.defined(pairs, *rest), rest[2]
    pairs[:] = [(x, [*y, eos]) for x, y in pairs]
    return batch


def copies_put_into_the_weights(pairs, weights, *rest):
    step = training_step.defined(pairs, weights, *rest)
    for part, copies in training_step.leaves(weights).items():
        weights[part].update(copies)
    return step


def difference_put_back(base, changed, *rest):
    faults = diagnose.defined(base, changed, *rest)
    base["log_p"] = base["log_p"] - changed["log_p"]
    return faults


def encoder_of_constants(source, n, weights):
    return forced_scores.summary(source, n, {name: each.detach() for name, each in weights.items()})


def listed(*given):
    return sorted(diagnose.defined(*given))


multiplied_by_the_mask = partial(sequence_loss.defined, clean=lambda z, words: z * words[..., None])
eos_only_forwards = partial(shift.defined, turned=lambda x, eos: x[::-1])
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("shift", eos_only_forwards, "reversed", None),
    ("shift", rows_by_index, "padding", None),
    ("sequence_loss", longest_first, "padding", None),
    ("sequence_loss", losses_with(lambda sums: sums.sum().repeat(len(sums))), "padding", None),
    ("sequence_loss", losses_with(lambda sums: sums / len(sums)), "padding", None),
    ("sequence_loss", in_float32(sequence_loss.defined), "dtype", None),
    ("sequence_loss", sequence_loss.words_counted_by_their_loss, "per_word", "words counted by their loss"),
    ("sequence_loss", squeezed, "per_word", None),
    ("encode", in_float32(encode.defined), "dtype", None),
    ("encode", sorted_sentences, "together", None),
    ("decoder_step", in_float32(decoder_step.defined), "dtype", None),
    ("decoder_step", zero_is_padding, "word", None),
    ("decoder_step", turned_where_square, "logits", None),
    ("decoder_step", decoder_step.state_in_place_of_the_summary, "state", "state in place of the summary"),
    ("decoder_step", decoder_step.summary_in_place_of_the_state, "summary", "summary in place of the state"),
    ("forced_scores", nothing_for_an_empty_target, "batch", None),
    ("forced_scores", targets_longest_first, "batch", None),
    ("forced_scores", in_float32(forced_scores.defined), "dtype", None),
    ("training_step", empty_targets_dropped, "loss", None),
    ("training_step", asked_and_taken_back, "arguments", None),
    ("training_step", clipped_if(lambda norm, most, rate: rate * norm > most), "clipped", None),
    ("training_step", clipped_if(lambda norm, most, rate: norm > 1.5 * most), "clipped", None),
    ("training_step", clipped_if(lambda norm, most, rate: norm > 2 * most), "clipped", None),
    ("training_step", partial(training_step.defined, clip=clamped_first), "clipped", None),
    ("training_step", partial(training_step.defined, clip=clipped_with_an_epsilon), "clipped", None),
    ("diagnose", target_words_alone, "source", None),
    ("diagnose", compared(in_sum), "source", None),
    ("diagnose", compared(in_the_mean), "shift", "small differences taken for rounding"),
    ("diagnose", sources_of_one_length, "source", None),
    ("training_step", in_float32(training_step.defined), "dtype", None),
    ("shift", sources_put_back_turned_round, "arguments", "sources of the caller turned round"),
    ("shift", targets_put_back_with_eos, "arguments", "eos in the targets of the caller"),
    ("training_step", copies_put_into_the_weights, "arguments", "given weights that ask for gradients"),
    ("diagnose", difference_put_back, "arguments", "log p of the caller changed"),
    ("forced_scores", partial(forced_scores.defined, encoded=encoder_of_constants), "gradient", "encoder cut off"),
    ("sequence_loss", multiplied_by_the_mask, "gradient", "padding within the softmax"),
)


@each_row("ps3", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


EXACT = {"shift", "source", "loss", "several"}
SLIPS = (  # the task, a wrong version, and all that it loses
    ("diagnose", compared(nothing_to_the_bit, wrong=lambda difference: difference != 0), EXACT),
    ("diagnose", compared(far, loss=summed), {"loss", "several"}),
    ("diagnose", compared(far, loss=without_eos), {"loss", "several"}),
    ("diagnose", compared(far, loss=shifted), {"loss", "several"}),
    ("diagnose", compared(far, loss=log_p), {"loss", "several"}),
    ("diagnose", compared(far, wrong=lambda difference: difference > 1e-6), {"loss", "several"}),
    ("diagnose", listed, {"several"}),
    ("diagnose", diagnose.source_never_named, {"source", "several"}),
    ("diagnose", diagnose.the_place_of_a_word_and_not_of_the_change, {"shift", "several"}),
    ("shift", shift.ids_as_floats, {"input"}),
    ("shift", shift.ids_in_int32, {"input"}),
    ("shift", shift.a_column_too_many, {"padding"}),
    ("encode", encode.bias_left_out, {"one", "together"}),
    ("decoder_step", decoder_step.bias_left_out, {"word", "together"}),
    ("forced_scores", forced_scores.source_words_reversed, {"batch"}),
)


@each_slip("ps3", SLIPS)
def test_a_slip_costs_its_own_criteria_and_no_exercise(task, function, costs):
    assert lost(task, function) == costs


def test_other_words_found_likeliest_cost_no_loss_and_not_the_arguments():
    """Who compares the likeliest words alone: what this misses depends on the cases."""
    task = problem_set("ps3").task("ps3.diagnose")
    assert not lost(task, compared(other_argmax)) & {"loss", "arguments"}
