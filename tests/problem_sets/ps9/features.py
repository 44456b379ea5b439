"""What the cases of problem set 9 show."""


def changed(x, W_g, noise, real, k):
    """Whether the noise changes which experts a word asks."""
    clean = x @ W_g
    return any(
        {*a.tolist()} != {*b.tolist()}
        for a, b in zip((clean + noise).topk(k).indices.flatten(0, 1), clean.topk(k).indices.flatten(0, 1), strict=True)
    )


FEATURES = {
    ("residual_stack", "deep"): {
        "three layers": lambda s, c, first, layers: len(layers) == 3,
        "four layers": lambda s, c, first, layers: len(layers) == 4,
    },
    ("pre_norm", "final"): {
        "numbers so small that ε counts": lambda x, *others: x.abs().max() < 0.1,
        "numbers of the usual size": lambda x, *others: x.abs().max() > 0.5,
    },
    ("pre_norm", "layers"): {
        "two layers": lambda x, mask, layers, final, heads: len(layers) == 2,
        "more than two layers": lambda x, mask, layers, final, heads: len(layers) > 2,
    },
    ("pre_norm", "attention"): {
        "two heads": lambda *arguments: arguments[-1] == 2,
        "more than two heads": lambda *arguments: arguments[-1] > 2,
    },
    ("layer_combination", "embedding"): {
        "a weight below 0": lambda embedding, layers, W: W[1, 0] < 0,
        "a weight above 0": lambda embedding, layers, W: W[1, 0] > 0,
    },
    ("layer_combination", "norm"): {
        "numbers so small that ε counts": lambda embedding, *others: embedding.abs().max() < 0.1,
        "numbers of the usual size": lambda embedding, *others: embedding.abs().max() > 0.5,
    },
    ("layer_combination", "deep"): {
        "three layers": lambda embedding, layers, W: len(layers) == 3,
        "four layers": lambda embedding, layers, W: len(layers) == 4,
    },
    ("top_k_gating", "gates"): {
        "a negative number among the largest, or a large one below 0": lambda x, W_g, noise, real, k: bool(
            ((x @ W_g).topk(k).indices != (x @ W_g).abs().topk(k).indices).any()
        ),
    },
    ("top_k_gating", "noise"): {"noise that changes a choice": changed},
    ("top_k_gating", "k"): {
        "one expert": lambda x, W_g, noise, real, k: k == 1,
        "all experts": lambda x, W_g, noise, real, k: k == W_g.shape[1],
        "some experts": lambda x, W_g, noise, real, k: 1 < k < W_g.shape[1],
    },
    ("top_k_gating", "padding"): {
        "padding before a real word": lambda x, W_g, noise, real, k: bool((real[:, 1:] & ~real[:, :-1]).any()),
    },
    ("top_k_gating", "balance"): {
        "an expert that no word asks": lambda x, W_g, noise, real, k: (
            len((x @ W_g + noise).topk(k).indices.unique()) < W_g.shape[1]
        ),
    },
    ("top_k_gating", "far"): {
        "numbers whose exp is infinite, and numbers whose exp is 0": lambda x, W_g, noise, real, k: bool(
            ((x @ W_g + noise) > 89).any() and ((x @ W_g + noise).amax(-1) < -104).any()
        ),
    },
}
