"""Problem set 4 with a real mistake in every function: what one student of the sample class hands in."""

import torch


def multiplicative_score(s, h, U, V):
    keys = h[0] @ V.T  # the first sentence's states for all
    return (s @ U.T) @ keys.T


multiplicative_score.loses = "the states of the first sentence", "batch"


def additive_score(s, h, coverage, weights):
    sums = h @ weights["W_1"].T + (s @ weights["W_2"].T)[:, None]  # whatever was looked at before
    return torch.tanh(sums) @ weights["v"]


additive_score.loses = "coverage left out", "coverage batch"


def masked_softmax(e, mask):
    e = e.masked_fill(~mask[:, None], -torch.inf)
    odds = torch.exp(e - e.max(dim=2, keepdim=True).values)
    return odds / odds.sum(dim=2, keepdim=True)  # 0 / 0 where there is nothing


masked_softmax.loses = "nothing to divide", "nothing"


def weigh(s, h, coverage, mask, weights):
    sums = h @ weights["W_1"].T + (s @ weights["W_2"].T)[:, None] + coverage[..., None] * weights["w"]
    e = (torch.tanh(sums) @ weights["v"]).masked_fill(~mask, -torch.inf)
    odds = torch.exp(e - e.max(dim=1, keepdim=True).values)
    return odds / odds.sum(dim=1, keepdim=True)


def attentive_decoder(y, s, h, mask, weights):
    h = torch.where(mask[..., None], h, 0)
    states, looks = [], []
    coverage = h.new_zeros(mask.shape)
    for word in y.unbind(1):
        α = weigh(s, h, coverage, mask, weights)
        c = (α[..., None] * h).sum(1)
        s = torch.tanh(word @ weights["W_y"].T + c @ weights["W_c"].T + s @ weights["W_s"].T + weights["b"])
        coverage = α  # of the step before, not of all
        states.append(s)
        looks.append(α)
    return torch.stack(states, 1), torch.stack(looks, 1)


attentive_decoder.loses = "only the step before is covered", "coverage batch"


def spans(pieces):
    ends = [place + 1 for place, piece in enumerate(pieces) if piece.endswith("</w>")]
    return list(zip([0, *ends], ends, strict=False))


def align(weights, source, target, part):
    links = set()
    for j, (start, end) in enumerate(spans(target)):
        row = weights[start:end].mean(0)
        parts = [float(part(row[first:last])) for first, last in spans(source)]
        best = parts.index(max(parts))
        if parts[best] > row[-1]:
            links.add((best, j))
    return links


def hard_alignment(weights, source, target):
    return align(weights, source, target, torch.mean)  # long words lose


hard_alignment.loses = "mean of the pieces of a source word", "source together"


def alignment_error(sentences):
    rates = []
    for each in sentences:
        a = align(each["weights"], each["source"], each["target"], torch.sum)
        s, p = each["sure"], each["sure"] | each["possible"]
        rates.append(1 - (len(a & s) + len(a & p)) / (len(a) + len(s)))
    return sum(rates) / len(rates)  # every sentence counts the same, however long


alignment_error.loses = "mean of the sentences", "corpus"


def diagnose(weights, mask, h, context):
    before = torch.cat([torch.zeros_like(weights[:, :1]), weights[:, :-1]], 1)
    if torch.allclose(weights.sum(1)[mask], torch.ones(1, dtype=weights.dtype)):
        return {"axis"}  # and whatever else there is
    if weights.mT[~mask].any():
        return {"unmasked"}
    if not torch.allclose(weights.sum(2), torch.ones(1, dtype=weights.dtype)):
        return {"late mask"}
    if torch.allclose(before @ h, context) or torch.allclose(before @ h.roll(1, 0), context):
        return {"step"}
    return {"sentence"} if torch.allclose(weights @ h.roll(1, 0), context) else set()


diagnose.loses = "one fault only", "context several"
