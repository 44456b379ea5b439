"""A layer of many experts, of which each word asks a few: the sparsely gated mixture (Shazeer et al. 2017)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn
from torch.nn.functional import softplus

from course_lib.attention.scores import check_sizes
from course_lib.transformer import FeedForward


@dataclass(frozen=True)
class Routing:
    """Which word asks which expert: `gates` g, Σ_e g_e = 1, 0 for all experts but k of a word.

    `chances` are the probabilities that an expert would be among the k if its noise were drawn again; without noise 1
    for the chosen ones. Their sum, unlike the count of the words that an expert gets, has a gradient.
    """

    gates: Float[Tensor, "*batch experts"]
    chances: Float[Tensor, "*batch experts"]

    @property
    def chosen(self) -> Bool[Tensor, "*batch experts"]:
        """Where a word asks an expert."""
        return self.gates > 0

    def importance(self, mask: Bool[Tensor, "*batch"] | None = None) -> Float[Tensor, " experts"]:
        """Σ_x g_e(x): how much all (real) words together rely on each expert."""
        return _summed(self.gates, mask)

    def load(self, mask: Bool[Tensor, "*batch"] | None = None) -> Float[Tensor, " experts"]:
        """Σ_x P_e(x): how many (real) words each expert gets, smoothed so that it has a gradient."""
        return _summed(self.chances, mask)

    def balance_loss(self, weight: float = 0.01, mask: Bool[Tensor, "*batch"] | None = None) -> Float[Tensor, ""]:
        """weight · (CV(importance)² + CV(load)²): 0 where all experts have equally much to do."""
        return weight * (squared_variation(self.importance(mask)) + squared_variation(self.load(mask)))


def _summed(x: Float[Tensor, "*batch experts"], mask: Bool[Tensor, "*batch"] | None) -> Float[Tensor, " experts"]:
    return (x if mask is None else x * mask.unsqueeze(-1)).flatten(0, -2).sum(0)


def squared_variation(x: Float[Tensor, " experts"]) -> Float[Tensor, ""]:
    """CV(x)² = variance / mean², the variance over all of x (not divided by one less). [1, 3] -> 1/4"""
    return x.var(unbiased=False) / x.mean().square()


class NoisyTopK(nn.Module):
    """The gate: H = x W_g + ε ⊙ (softplus(x W_n) + 0.01), g = softmax over the k largest of H, 0 for the others.

    ε ~ N(0, 1) for each word and expert, in training only (section 2.1 and appendix A of the paper). W_g and W_n
    (d_model, experts) begin at 0, so that at first the noise alone chooses. P_e(x) = Φ((x W_g − t) / σ)_e with
    σ = softplus(x W_n) + 0.01 and t the k-th largest H of the other experts.

    The softmax comes after the choice. With k = 1 it is then always 1, and the gate learns from the balance alone.
    """

    def __init__(self, d_model: int, experts: int, k: int):
        super().__init__()
        check_sizes(d_model=d_model, experts=experts, k=k)
        if k > experts:
            raise ValueError(f"k must be at most {experts}, the number of experts, got {k}")
        self.k, self.experts = k, experts
        self.W_g, self.W_n = (nn.Parameter(torch.zeros(d_model, experts)) for _ in range(2))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Routing:
        """The gates of each word, and the chances of its experts."""
        H = clean = x @ self.W_g
        if self.training:
            σ = softplus(x @ self.W_n) + 0.01
            H = clean + torch.randn_like(clean) * σ
        largest, places = H.topk(min(self.k + 1, self.experts), dim=-1)
        g = torch.zeros_like(H).scatter(-1, places[..., : self.k], largest[..., : self.k].softmax(-1).to(H))
        inside = g > 0
        if not self.training or self.k == self.experts:
            return Routing(g, inside.to(H))
        t = torch.where(inside, largest[..., self.k : self.k + 1], largest[..., self.k - 1 : self.k])
        return Routing(g, torch.special.ndtr((clean - t) / σ))


class MixtureOfExperts(nn.Module):
    """y = Σ_e g_e(x) E_e(x), each expert E_e a feed-forward network; those with g_e(x) = 0 are not computed.

    It stands where a layer has its `FeedForward`. Parameters: `experts` times those of one; matrix products for a word:
    k times those of one, and the gate's. Raises ValueError for sizes below 1, and for k above `experts`.
    """

    def __init__(self, d_model: int, d_ff: int, experts: int, k: int):
        super().__init__()
        self.gate = NoisyTopK(d_model, experts, k)
        self.experts = nn.ModuleList(FeedForward(d_model, d_ff) for _ in range(experts))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Each word's experts, weighed."""
        g, words = self.gate(x).gates.flatten(0, -2), x.flatten(0, -2)
        asked, rows = (g.T > 0).nonzero(as_tuple=True)  # all words of expert 0, then those of expert 1, …
        own = words[rows].split(asked.bincount(minlength=len(self.experts)).tolist())
        E = torch.cat([expert(its) for expert, its in zip(self.experts, own, strict=True)])
        return torch.zeros_like(words).index_add(0, rows, (g[rows, asked].unsqueeze(1) * E).to(words)).view_as(x)


@contextmanager
def routings(model: nn.Module) -> Iterator[list[Routing]]:
    """While the block runs, the list gets the `Routing` of every mixture in the model, in the order of computation.

    with routings(model) as found:
        logits = model(source, source_mask, target_in)
    loss = cross_entropy(logits, …) + sum(each.balance_loss() for each in found)
    """
    found: list[Routing] = []
    gates = [module for module in model.modules() if isinstance(module, NoisyTopK)]
    hooks = [gate.register_forward_hook(lambda _, __, routing: found.append(routing)) for gate in gates]
    try:
        yield found
    finally:
        for hook in hooks:
            hook.remove()


def with_experts(model: nn.Module, experts: int, k: int, width: int | None = None) -> nn.Module:
    """The same model, changed in place: fresh mixtures in place of all its `FeedForward`s.

    The experts are `width` wide, by default as wide as the networks were: then a word needs k times their products.
    """
    within = {
        part for mixture in model.modules() if isinstance(mixture, MixtureOfExperts) for part in mixture.modules()
    }
    for module in [each for each in model.modules() if each not in within]:
        for name, child in list(module.named_children()):
            if isinstance(child, FeedForward):
                d_ff, d_model = child.W_1.weight.shape
                setattr(module, name, MixtureOfExperts(d_model, width or d_ff, experts, k).to(child.W_1.weight))
    return model


def words_of_experts(
    routing: Routing, words: Int64[Tensor, "*batch"], mask: Bool[Tensor, "*batch"] | None = None
) -> list[dict[int, int]]:
    """Who gets which words: for each expert, how often each id came to it, the most frequent first (then the smaller).

    Raises ValueError where `words` are not those that were routed.
    """
    if words.shape != routing.gates.shape[:-1]:
        raise ValueError(f"words must have the shape {tuple(routing.gates.shape[:-1])}, got {tuple(words.shape)}")
    chosen = routing.chosen if mask is None else routing.chosen & mask.unsqueeze(-1)
    counts = []
    for expert in range(chosen.shape[-1]):
        ids, times = words[chosen[..., expert]].unique(return_counts=True)
        pairs = zip(ids.tolist(), times.tolist(), strict=True)
        counts.append(dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))))
    return counts
