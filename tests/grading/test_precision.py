"""The criterion "dtype" judges dtype and precision: another mistake, however small, is for other criteria to tell."""

from functools import partial

import pytest
import torch

from course_lib.grading.boundary.proxy import local
from course_lib.grading.registry import problem_set
from course_lib.grading.trial import attempt, draw, known_outcomes
from course_lib.problem_sets.ps3 import decoder_step, encode, forced_scores, sequence_loss
from course_lib.problem_sets.ps4 import additive_score, attentive_decoder, masked_softmax, multiplicative_score
from course_lib.problem_sets.ps7 import wrong_adam_step, wrong_smoothed_loss

from .caught import in_float32
from .each_task import group, nothing_forbidden
from .measure import secrets

SECRETS = [secrets.secret(number) for number in range(50)]


def encoding(start, drop=0):
    """An encoder that starts from another state than 0, or leaves out words at the beginning."""

    def encode(words, lengths, weights, reverse):
        h = start(weights["b_h"]).expand(len(words), -1)
        states, order = [], range(words.shape[1])
        for t in reversed(order) if reverse else order:
            real = (t < lengths).unsqueeze(1) & (t >= drop)
            u = weights["E"][words[:, t]] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]
            h = torch.where(real, u / (1 + u.abs()), h)
            states.append(torch.where((t < lengths).unsqueeze(1), h, 0))
        return torch.stack(states[::-1] if reverse else states, 1), h

    return encode


def forced_with(bos_in_the_source):
    def scored(pairs, weights, bos, eos):
        changed = [([bos, *x] if bos_in_the_source else x[::-1], y) for x, y in pairs]
        return forced_scores.defined(changed, weights, bos, eos)

    return scored


def divergence(logits, target, lengths, epsilon):
    """KL(q‖p), which is less than the loss by the entropy of q."""
    q = torch.tensor([1 - epsilon, *[epsilon / (logits.shape[2] - 1)] * (logits.shape[2] - 1)], dtype=logits.dtype)
    return wrong_smoothed_loss.defined(logits, target, lengths, epsilon) + torch.special.xlogy(q, q).sum()


def attending_by_sigmoid(*arguments):
    def weigh(s, h, mask, coverage, given):
        odds = torch.where(mask, torch.sigmoid(additive_score.defined(s, h, coverage, given)), 0)
        return odds / odds.sum(1, keepdim=True)

    return attentive_decoder.defined(*arguments, weigh=weigh)


def bias_twice(y, s, h, mask, weights):
    return attentive_decoder.defined(y, s, h, mask, weights | {"b": 2 * weights["b"]})


def off_by_a_little(function, little=1e-6):
    """Every number a little too large: less than float32 would show in a long sum."""

    def close(*arguments):
        return shifted(function(*arguments), little)

    return close


def shifted(value, little):
    if isinstance(value, torch.Tensor):
        return value * (1 + little) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {name: shifted(each, little) for name, each in value.items()}
    return type(value)(shifted(each, little) for each in value) if isinstance(value, (list, tuple)) else value


def with_epsilon(e, mask):
    odds = torch.where(mask.unsqueeze(1), e, -torch.inf)
    odds = (odds - odds.amax(2, keepdim=True).nan_to_num()).exp()
    return odds / (odds.sum(2, keepdim=True) + 1e-8)


def clipped(weights, gradients, *rest):
    norm = sum(each.square().sum() for each in gradients.values()).sqrt()
    return wrong_adam_step.defined(weights, {name: g / norm for name, g in gradients.items()}, *rest)


RIGHT = {
    "ps3.sequence_loss": sequence_loss.defined,
    "ps3.encode": encode.defined,
    "ps3.decoder_step": decoder_step.defined,
    "ps3.forced_scores": forced_scores.defined,
    "ps4.multiplicative_score": multiplicative_score.defined,
    "ps4.additive_score": additive_score.defined,
    "ps4.masked_softmax": masked_softmax.defined,
    "ps4.attentive_decoder": attentive_decoder.defined,
    "ps7.smoothed_loss": wrong_smoothed_loss.defined,
    "ps7.adam_step": wrong_adam_step.defined,
}
FLOAT64 = [
    ("ps3.encode", encoding(torch.ones_like)),
    ("ps3.encode", encoding(torch.clone)),
    ("ps3.encode", encoding(torch.zeros_like, drop=1)),
    ("ps3.forced_scores", forced_with(bos_in_the_source=True)),
    ("ps3.forced_scores", forced_with(bos_in_the_source=False)),
    ("ps4.attentive_decoder", attending_by_sigmoid),
    ("ps4.attentive_decoder", bias_twice),
    ("ps4.masked_softmax", with_epsilon),
    ("ps7.smoothed_loss", divergence),
    ("ps7.adam_step", clipped),
    *((name, off_by_a_little(function)) for name, function in RIGHT.items()),
]


def softmax_in_float32(e, mask):
    """Only the exp is computed in float32."""
    real = mask.unsqueeze(1)
    e = e.masked_fill(~real, -torch.inf)
    odds = (e - e.amax(2, keepdim=True).nan_to_num(neginf=0)).float().exp().to(e.dtype)
    total = odds.sum(2, keepdim=True)
    return odds / torch.where(total == 0, 1, total)


def log_p_in_float32(logits, target, lengths):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    z = torch.where(real[..., None], logits, 0)
    log_p = z.gather(2, target[..., None]).squeeze(2) - z.float().logsumexp(2).to(logits.dtype)
    losses = torch.where(real, -log_p, 0)
    return losses.sum(1), losses.sum() / lengths.sum()


def context_in_float32(*arguments):
    return attentive_decoder.defined(
        *arguments, look=lambda α, h: attentive_decoder.average(α.float(), h.float()).to(h.dtype)
    )


FLOAT32 = [
    *((name, in_float32(function)) for name, function in RIGHT.items()),
    ("ps4.masked_softmax", in_float32(with_epsilon)),
    ("ps3.encode", in_float32(encoding(torch.ones_like))),
    ("ps3.sequence_loss", log_p_in_float32),
    ("ps4.masked_softmax", softmax_in_float32),
    ("ps4.attentive_decoder", context_in_float32),
    ("ps7.smoothed_loss", wrong_smoothed_loss.q_in_float32),
]


def each_version(versions):
    made = []
    for number, (name, function) in enumerate(versions):
        task = problem_set(name[:3]).task(name)
        made.append(pytest.param(task, function, marks=group(task), id=f"{name}-{function.__name__}-{number}"))
    return pytest.mark.parametrize(("task", "function"), made)


def lost(task, function, secret):
    """Whether `function` loses "dtype" under that secret; called as it is, for it changes no argument."""
    criterion = task.criterion("dtype")
    cases = draw(task, criterion, secret, visible=False)
    right = known_outcomes(nothing_forbidden(task), criterion, RIGHT[task.name], secret, False)
    return any(criterion.probe(function, case) != each for case, each in zip(cases, right, strict=True))


@each_version(FLOAT64)
def test_a_value_that_is_wrong_for_another_reason_keeps_its_dtype(task, function):
    assert not [number for number, secret in enumerate(SECRETS) if lost(task, function, secret)]


@each_version(FLOAT32)
def test_what_passes_float32_loses_it_under_every_secret(task, function):
    assert all(lost(task, function, secret) for secret in SECRETS)


def test_the_message_says_which_precision_came():
    task = problem_set("ps4").task("ps4.masked_softmax")
    seen = attempt(task, task.criterion("dtype"), local(in_float32(masked_softmax.defined)), SECRETS[0], visible=False)
    assert seen.says == "the precision of weights is that of float32, not that of float64"
    seen = attempt(
        task, task.criterion("dtype"), local(partial(single, masked_softmax.defined)), SECRETS[0], visible=False
    )
    assert seen.says == "the dtype of weights is float32, not float64"


def single(function, *arguments):
    return function(*arguments).float()
