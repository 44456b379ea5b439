"""Problem set 7 solved a whole tensor at a time: masks, scans, functional gradients."""

from itertools import accumulate as scan

import torch


def _mask(target, lengths):
    return torch.arange(target.shape[1]) < lengths[:, None]


def smoothed_loss(logits, target, lengths, epsilon):
    real = _mask(target, lengths)
    z = logits.masked_fill(~real[..., None], 0)
    log_p = z - z.logsumexp(2, keepdim=True)
    n = z.shape[2]
    share = epsilon * n / (n - 1)  # spread over all n words, the right one's part among them
    word = log_p.take_along_dim(target[..., None], 2).squeeze(2)
    losses = -((1 - share) * word + share * log_p.mean(2))
    return losses.masked_fill(~real, 0).sum() / real.sum()


def learning_rate(step, warmup, d_model):
    return (d_model * warmup) ** -0.5 * min(step / warmup, (warmup / step) ** 0.5)


def adam_step(weights, gradients, state, rate, betas, eps):
    def after(name, g):
        zero = torch.zeros_like(g)
        old = state.get(name, {"t": 0, "m": zero, "v": zero})
        m, v = (torch.lerp(new, old[key], beta) for key, beta, new in (("m", betas[0], g), ("v", betas[1], g.square())))
        return {"t": old["t"] + 1, "m": m, "v": v}

    def move(w, now):
        m, v = (now[key] / (1 - beta ** now["t"]) for key, beta in zip("mv", betas, strict=True))
        return w - rate * m / (v.sqrt() + eps)

    fresh = {name: after(name, g) for name, g in gradients.items()}
    return weights | {name: move(weights[name], now) for name, now in fresh.items()}, state | fresh


def plan_batches(lengths, max_tokens):
    order = sorted(
        (i for i, pair in enumerate(lengths) if max(pair) <= max_tokens),
        key=lambda i: (max(lengths[i]), lengths[i][::-1]),
    )

    def join(batches, i):
        *done, last = batches or [[]]
        fits = max(lengths[i]) * (len(last) + 1) <= max_tokens
        return [*done, [*last, i]] if fits else [*batches, [i]]

    *_, batches = scan(order, join, initial=[])
    sides = torch.tensor(lengths)
    padding = sum((sides[batch].amax(0) - sides[batch]).sum().item() for batch in batches)
    return batches, padding


def average(checkpoints, n):
    newest = [checkpoints[key] for key in sorted(checkpoints, key=lambda key: (len(key), key))][-n:]
    every = {name: torch.stack([each[name] for each in newest]) for name in newest[0]}
    return {name: each.mean(0) if each.is_floating_point() else each[-1] for name, each in every.items()}


def train(batches, weights, accumulate, epsilon, warmup):
    def loss(W, b, group):
        words = torch.stack([lengths.sum() for _, _, lengths in group])
        each = torch.stack([smoothed_loss(x @ W + b, target, lengths, epsilon) for x, target, lengths in group])
        return each @ (words / words.sum()).to(each)

    def update(before, group):
        weights, state, step, _ = before
        gradients, value = torch.func.grad_and_value(loss, argnums=(0, 1))(weights["W"], weights["b"], group)
        rate = learning_rate(step, warmup, weights["W"].shape[0])
        named = dict(zip(("W", "b"), gradients, strict=True))
        weights, state = adam_step(weights, named, state, rate, (0.9, 0.98), 1e-9)
        return weights, state, step + 1, value.item()

    groups = [batches[i : i + accumulate] for i in range(0, len(batches), accumulate)]
    _, *after = scan(groups, update, initial=(weights, {}, 1, None))
    return [value for *_, value in after], after[-1][0]


def diagnose(run):
    rates, losses, held_out = (torch.tensor(run[key]).double() for key in ("rates", "losses", "held_out"))
    moved = torch.cat([each.flatten() for each in run["moved"].values()]).abs()
    n, epsilon = run["vocabulary"], run["epsilon"]
    q = torch.tensor([1 - epsilon, *[epsilon / (n - 1)] * (n - 1)])
    floor = torch.distributions.Categorical(q).entropy()
    loss, words = torch.tensor(run["batches"]).double().T
    since = slice(held_out.argmin(), None)
    evidence = {
        "warm-up": rates.argmax() == 0,
        "correction": ((moved / rates[0] - 1).abs() > 1e-3)[moved > 0].any(),
        "smoothing": (losses < floor - 1e-4).any(),
        "words": (loss @ words / words.sum() - losses[-1]).abs() > 1e-4,
        "overfitting": held_out[since].diff().sum() > 0.1 and losses[since].diff().sum() < -0.1,
    }
    return {fault for fault, found in evidence.items() if found}
