"""Problem set 3 with a real mistake in every function: what one student of the sample class hands in."""

import torch


def shift(pairs, pad, bos, eos, reverse):
    def padded(rows):
        longest = max(len(row) for row in rows)
        return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])

    source = padded([[*(x[::-1] if reverse else x), eos] for x, _ in pairs])
    target = padded([[bos, *y, eos] for _, y in pairs])
    return source, target[:, :-1], target[:, 1:]  # the end of shorter sentences stays in the input


shift.loses = "cut from the padded batch", "padding"


def sequence_loss(logits, target, lengths):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    log_p = torch.where(real[..., None], logits, 0).log_softmax(2).gather(2, target[..., None]).squeeze(2)
    losses = torch.where(real, -log_p, 0)
    return losses.sum(1), losses.mean()  # over all places, padding included


sequence_loss.loses = "mean over all places", "per_word"


def softsign(u):
    return u / (1 + u.abs())


def encode(words, lengths, weights, reverse):
    x = weights["E"][words.flip(1) if reverse else words]  # the padding comes first
    real = (torch.arange(words.shape[1]) < lengths[:, None])[..., None]
    h = x.new_zeros(len(words), len(weights["b_h"]))
    states = []
    for t in range(words.shape[1]):
        new = softsign(x[:, t] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
        h = torch.where(real[:, t], new, h)
        states.append(torch.where(real[:, t], h, 0))
    states = torch.stack(states, dim=1)
    return (states.flip(1) if reverse else states), h


encode.loses = "padding read first", "reversed_padding together"


def decoder_step(previous, s, c, weights):
    x = torch.cat([weights["E"][previous], c], dim=1)
    s = softsign(x @ weights["W_xh"] + s @ weights["W_hh"] + weights["b_h"])
    return s, (s @ weights["W_t"]) @ weights["E"].T + weights["b"]  # no tanh


decoder_step.loses = "tanh left out", "logits together"


def forced_scores(pairs, weights, bos, eos):
    source, target_in, target_out = shift(pairs, eos, bos, eos, False)
    lengths = torch.tensor([[len(x) + 1, len(y) + 1] for x, y in pairs])
    s = c = encode(source, lengths[:, 0], weights["encoder"], False)[1]
    words, previous = [], target_in[:, 0]
    for t in range(target_in.shape[1]):
        s, z = decoder_step(previous, s, c, weights["decoder"])
        log_p = z.log_softmax(1).gather(1, target_out[:, t : t + 1]).squeeze(1)
        words.append(torch.where(t < lengths[:, 1], log_p, 0))
        previous = z.argmax(1)  # its own word
    words = torch.stack(words, dim=1)
    return words, words.sum(1)


forced_scores.loses = "its own words read", "forced batch"


def training_step(pairs, weights, bos, eos, rate, max_norm):
    mine = {p: {name: w.detach().clone().requires_grad_() for name, w in part.items()} for p, part in weights.items()}
    words, scores = forced_scores(pairs, mine, bos, eos)
    loss = -scores.sum() / sum(len(y) + 1 for _, y in pairs)
    loss.backward()
    flat = [w for part in mine.values() for w in part.values()]
    norm = sum((w.grad**2).sum() for w in flat).sqrt()
    for w in flat:
        own = w.grad.norm()  # each by its own norm
        if own > max_norm:
            w.grad *= max_norm / own
    updated = {p: {name: (w - rate * w.grad).detach() for name, w in part.items()} for p, part in mine.items()}
    return loss.detach(), norm, updated


training_step.loses = "each gradient by its own norm", "clipped"


def diagnose(base, changed, other, report):
    k = next(i for i, y in enumerate(base["target"]) if changed["target"][i] != y)
    moved = (base["log_p"] - changed["log_p"]).abs().amax(1) > 1e-6
    real = torch.arange(report["target"].shape[1]) < report["lengths"][:, None]
    loss = -report["log_p"].gather(2, report["target"][..., None]).squeeze(2)[real].mean()
    if moved[k]:
        return {"shift"}  # and whatever else there is
    if not moved.any():
        return {"own words"}
    if moved.sum() == 1:
        return {"memory"}
    if torch.allclose(base["log_p"], other["log_p"]):
        return {"source"}
    return {"loss"} if abs(report["loss"] - loss) > 1e-6 else set()


diagnose.loses = "one fault only", "several"
