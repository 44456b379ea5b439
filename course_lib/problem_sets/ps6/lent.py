"""Right versions of what later exercises build on, lent to them: each imports what it needs itself."""


def attention(Q, K, V, mask):
    """The contexts, and the weights."""
    import torch

    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ V, weights


def multi_head(query, key, value, mask, weights, heads):
    """The outputs, and the weights of every head."""

    def split(x):
        return x.unflatten(2, (heads, -1)).transpose(1, 2)

    Q, K, V = split(query @ weights["W_Q"]), split(key @ weights["W_K"]), split(value @ weights["W_V"])
    contexts, α = attention(Q, K, V, mask.unsqueeze(1))
    return contexts.transpose(1, 2).flatten(2) @ weights["W_O"], α


def layer_norm(x, gamma, beta):
    """Every vector with mean 0 and variance 1, times gamma, plus beta."""
    centred = x - x.mean(-1, keepdim=True)
    return gamma * centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt() + beta


def feed_forward(x, weights):
    """The same network for every word."""
    return (x @ weights["W_1"] + weights["b_1"]).relu() @ weights["W_2"] + weights["b_2"]


def masks(source, target, pad):
    """Who may look at whom in the encoder, in the decoder, and from the decoder at the encoder."""
    import torch

    (batch, n), m = source.shape, target.shape[1]
    real = (source != pad)[:, None]
    own = (target != pad)[:, None] & torch.ones(m, m, dtype=torch.bool).tril()
    return real.expand(batch, n, n), own, real.expand(batch, m, n)
