"""What every translation model is held against: `@pytest.mark.parametrize("check", CHECKS)`, then `check(model)`.

Each check takes a model of `seq2seq.protocol` on any device and in any mode, switches it to `eval()`, and raises
AssertionError where the model does not keep to the protocol. The model knows at least the ids 0 to 8 on both sides:
sentences are drawn by seed, of 1 to 6 ids from 4 to 8.
"""

import copy
from collections.abc import Callable
from functools import wraps

import torch
from torch.nn.utils.rnn import pad_sequence

from course_lib.seq2seq.protocol import Step

CHECKS: list[Callable] = []
CLOSE = {"rtol": 1e-4, "atol": 1e-5}  # float32, sums in another order


def check(function: Callable) -> Callable:
    """One of the CHECKS: it runs in `eval()`, and what it makes lies where the model's parameters lie."""

    @wraps(function)
    def run(model):
        with torch.device(next(model.parameters()).device):
            function(model.eval())

    CHECKS.append(run)
    return run


def drawn(model, lengths=(3, 6, 1, 4), seed=0):
    """Source, its mask and target_in of sentences as long as `lengths` says; targets are as long in the other order."""
    generator = torch.Generator("cpu").manual_seed(seed)

    def words(n):
        return torch.randint(4, 9, (n,), generator=generator, device="cpu").to(torch.get_default_device())

    sources = [torch.cat([words(n), torch.tensor([model.eos_id])]) for n in lengths]
    targets = [torch.cat([torch.tensor([model.bos_id]), words(n)]) for n in reversed(lengths)]
    source, target_in = (pad_sequence(rows, True, model.pad_id) for rows in (sources, targets))
    mask = torch.arange(source.shape[1]) < torch.tensor([len(row) for row in sources])[:, None]
    return source, mask, target_in


def walk(model, source, mask, target_in):
    """The steps that read `target_in`, word after word."""
    state, steps = model.start(model.encode(source, mask)), []
    for previous in target_in.unbind(1):
        steps.append(model.step(previous, state))
        state = steps[-1].state
    return steps


def log_probs(steps):
    """(batch, time, vocabulary)"""
    return torch.stack([step.log_probs for step in steps], dim=1)


@check
def ids_and_types(model):
    """Ids are whole numbers; log_probs are float32 and sum to one, also in bfloat16; attention sums to one too."""
    assert all(isinstance(i, int) for i in (model.pad_id, model.bos_id, model.eos_id)) and model.bos_id != model.eos_id
    source, mask, target_in = drawn(model)
    with torch.autocast(source.device.type, torch.bfloat16):
        halves = walk(model, source, mask, target_in)
    for step in walk(model, source, mask, target_in) + halves:
        assert isinstance(step, Step) and step.log_probs.dtype == torch.float32
        torch.testing.assert_close(step.log_probs.logsumexp(1), torch.zeros(len(source)), rtol=0, atol=1e-4)
        if step.attention is not None:
            assert step.attention.shape == source.shape and (step.attention >= 0).all()
            assert not step.attention[~mask].any()
            torch.testing.assert_close(step.attention.float().sum(1), torch.ones(len(source)), rtol=0, atol=1e-2)


@check
def steps_are_forward(model):
    """Word after word, the same as all at once."""
    source, mask, target_in = drawn(model)
    together = model(source, mask, target_in).float().log_softmax(-1)
    torch.testing.assert_close(log_probs(walk(model, source, mask, target_in)), together, **CLOSE)


@check
def forward_does_not_see_what_follows(model):
    """Other words from a place on change nothing before it, and something after it in some row."""
    source, mask, target_in = drawn(model)
    others = torch.cat([target_in[:, :3], drawn(model, seed=1)[2][:, 3:]], dim=1)
    assert not torch.equal(others, target_in)
    one, other = (model(source, mask, words) for words in (target_in, others))
    torch.testing.assert_close(one[:, :3], other[:, :3], **CLOSE)


@check
def batch_invariance(model):
    """A sentence alone gives what it gives beside others, in steps and in forward."""
    source, mask, target_in = drawn(model)
    forward, steps = model(source, mask, target_in), log_probs(walk(model, source, mask, target_in))
    for row in range(len(source)):
        alone = source[row : row + 1, : mask[row].sum()]
        inputs = alone, torch.ones_like(alone, dtype=torch.bool), target_in[row : row + 1]
        torch.testing.assert_close(model(*inputs), forward[row : row + 1], **CLOSE)
        torch.testing.assert_close(log_probs(walk(model, *inputs)), steps[row : row + 1], **CLOSE)


@check
def padding_does_not_matter(model):
    """More padding, and any id in its place, change nothing; a word of the source does."""
    source, mask, target_in = drawn(model)
    expected, steps = model(source, mask, target_in), log_probs(walk(model, source, mask, target_in))
    wide = torch.cat([source.where(mask, 5), torch.full((len(source), 2), 6)], dim=1)
    inputs = wide, torch.cat([mask, torch.zeros(len(source), 2, dtype=torch.bool)], dim=1), target_in
    torch.testing.assert_close(model(*inputs), expected, **CLOSE)
    torch.testing.assert_close(log_probs(walk(model, *inputs)), steps, **CLOSE)


@check
def the_source_matters(model):
    """Different sources, different probabilities: a model that never reads its memory translates nothing."""
    source, mask, target_in = drawn(model)
    same = target_in[:1].expand(len(source), -1)
    logits = model(source, mask, same)
    assert any(not torch.allclose(logits[0], row, **CLOSE) for row in logits[1:])


@check
def select(model):
    """Rows repeated, reordered and dropped after two words go on as they would have done."""
    source, mask, target_in = drawn(model)
    two = target_in[:, :2].clone()
    two[:, 1] = torch.arange(4, 4 + len(source))
    state = walk(model, source, mask, two)[-1].state
    following = torch.full((len(source),), 5)
    expected = model.step(following, state)
    for rows in (torch.tensor([2, 0, 0, 3, 2]), torch.tensor([1]), torch.arange(len(source)), torch.tensor([3, 2, 1])):
        got = model.step(following[rows], state.select(rows))
        torch.testing.assert_close(got.log_probs, expected.log_probs[rows], **CLOSE)
        assert (got.attention is None) == (expected.attention is None)
        if got.attention is not None:
            torch.testing.assert_close(got.attention, expected.attention[rows], **CLOSE)
        again, once = got.state.select(torch.tensor([0])), expected.state.select(rows[:1])
        next_words = torch.tensor([6])
        torch.testing.assert_close(
            model.step(next_words, again).log_probs, model.step(next_words, once).log_probs, **CLOSE
        )


@check
def arguments_stay(model):
    """`start`, `step` and `select` leave memory, previous and state as they were, whatever came after."""
    source, mask, target_in = drawn(model)
    memory = model.encode(source, mask)
    kept = copy.deepcopy(detached(memory))
    states = [model.start(memory)]
    first = []
    for previous in target_in.unbind(1):
        before = previous.clone()
        first.append(model.step(previous, states[-1]).log_probs)
        states.append(model.step(previous, states[-1]).state)
        assert torch.equal(previous, before)
    for previous, state, expected in zip(target_in.unbind(1), states, first, strict=False):
        model.step(torch.full_like(previous, 7), state.select(torch.arange(len(source)).flip(0)))
        model.step(torch.full_like(previous, 8), state)
        assert torch.equal(model.step(previous, state).log_probs, expected)
    assert same(detached(memory), kept), "memory is not what it was"


@check
def gradients(model):
    """Every parameter gets a gradient from forward, and steps give the same one."""
    source, mask, target_in = drawn(model)
    parameters = dict(model.named_parameters())
    following = target_in.roll(-1, 1)[..., None]

    def gradients(log_p):
        chosen = log_p.gather(2, following)
        loss = -chosen[chosen.isfinite()].sum()
        return torch.autograd.grad(loss, list(parameters.values()), allow_unused=True)

    together = gradients(model(source, mask, target_in).float().log_softmax(-1))
    apart = gradients(log_probs(walk(model, source, mask, target_in)))
    for name, one, other in zip(parameters, together, apart, strict=True):
        assert one is not None and one.any(), f"{name} gets no gradient"
        torch.testing.assert_close(other, one, rtol=1e-3, atol=1e-4, msg=lambda text, name=name: f"{name}: {text}")


def detached(value):
    """The tensors within a memory, without their history, so that they can be copied."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, (tuple, list)):
        return [detached(part) for part in value]
    if hasattr(value, "__dict__"):
        return [detached(part) for part in vars(value).values()]
    return value


def same(one, other):
    """Whether two values of `detached` are equal, number by number."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
