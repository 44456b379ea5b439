"""Exercises of problem set 7 solved with as many of the earlier ones as can be."""

import torch


def diagnose(run):
    epsilon, n, rates, losses, held_out = (run[key] for key in ("epsilon", "vocabulary", "rates", "losses", "held_out"))
    p = torch.full((1, 1, n), epsilon / (n - 1), dtype=torch.float64)
    p[0, 0, 0] = 1 - epsilon
    nothing = torch.zeros(1, 1, dtype=torch.long)
    lowest = smoothed_loss(p.log(), nothing, torch.ones(1, dtype=torch.long), epsilon).item()
    zeros = {name: torch.zeros_like(each, dtype=torch.float64) for name, each in run["moved"].items()}
    signs = {name: each.double().sign() for name, each in run["moved"].items()}
    right, _ = adam_step(zeros, signs, {}, rates[0], (0.9, 0.98), 1e-9)
    words = sum(words for _, words in run["batches"])
    best = held_out.index(min(held_out))
    found = {
        "warm-up": max(rates) == rates[0],
        "correction": any(
            (run["moved"][name].double().abs() - right[name].abs()).abs().max() > 0.01 * rates[0] for name in right
        ),
        "smoothing": min(losses) < lowest - 0.005,
        "words": abs(losses[-1] - sum(loss * words for loss, words in run["batches"]) / words) > 0.005,
        "overfitting": held_out[-1] - held_out[best] > 0.1 and losses[best] - losses[-1] > 0.1,
    }
    return {fault for fault, there in found.items() if there}
