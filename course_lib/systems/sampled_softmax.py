"""Sampled softmax: the gradient over a large vocabulary from a few of its words (Jean et al. 2015, section 3).

∇ log p(y) = ∇ z_y − Σ_k p(k) ∇ z_k,   p(k) = exp z_k / Σ_k' exp z_k',   over a sample V' instead of all words:
p'(k) = exp(z_k − log q_k) / Σ_{k' ∈ V'} exp(z_k' − log q_k')

q_k is how often k is expected in the sample: a word that is drawn often counts for less each time (importance sampling,
Bengio and Senécal 2008). The estimate is biased, as the sum below the line is estimated too; the bias goes with |V'|.
Jean et al. take all words of V' to be equally likely: log q is then the same everywhere and cancels.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int64
from torch import Tensor
from torch.nn import functional as F


def corrected_logits(
    logits: Float[Tensor, "word sample"], expected: Float[Tensor, " sample"] | None
) -> Float[Tensor, "word sample"]:
    """z_k − log q_k, q the `expected` counts of the sampled words; None leaves z as it is. Raises ValueError for counts
    that are not above 0."""
    if expected is None:
        return logits
    if not (expected > 0).all():
        raise ValueError(f"expected must be above 0 everywhere, got {float(expected.min())}")
    return logits - expected.log()


def sampled_cross_entropy(
    states: Float[Tensor, "word width"],
    output: Float[Tensor, "vocabulary width"],
    targets: Int64[Tensor, " word"],
    sample: Int64[Tensor, " sample"],
    expected: Float[Tensor, " vocabulary"] | None = None,
    bias: Float[Tensor, " vocabulary"] | None = None,
) -> Float[Tensor, ""]:
    """mean −log p'(y), where p' is the softmax over `sample` alone, z_k = states · output_k + bias_k.

    `sample` holds different words; a target that is not among them is added to its own sum alone. `expected[k]` is how
    often word k is expected in a sample (of a target as of any other word); None where all are equal. Only the rows of
    `output` that are used get a gradient. With all words as the sample, and no `expected`, it is the cross-entropy.
    Raises ValueError for a sample that is empty or holds a word twice.
    """
    if not len(sample) or len(sample.unique()) < len(sample):
        raise ValueError(f"sample must hold different words, at least one, got {len(sample)}")
    used = torch.cat([sample, targets])  # sampled words for all; then each word's own target
    rows = F.embedding(used, output)
    z = states @ rows[: len(sample)].T  # (word, sample)
    own = (states * rows[len(sample) :]).sum(1, keepdim=True)
    if bias is not None:
        z, own = z + bias[sample], own + bias[targets, None]
    if expected is not None:
        z = corrected_logits(z, expected[sample])
        own = own - expected[targets, None].log()
    z = z.masked_fill(sample == targets[:, None], -torch.inf)  # it stands in the own column
    return -torch.cat([own, z], dim=1).log_softmax(1)[:, 0].mean()


def log_uniform(vocabulary_size: int) -> Float[Tensor, " vocabulary"]:
    """p(k) = (log(k + 2) − log(k + 1)) / log(V + 1), words numbered from 0, the most frequent first: about Zipf's law.
    float64."""
    k = torch.arange(vocabulary_size, dtype=torch.float64)
    return ((k + 2).log() - (k + 1).log()) / math.log(vocabulary_size + 1)


def draw_words(
    proposal: Float[Tensor, " vocabulary"], draws: int, generator: torch.Generator | None = None
) -> tuple[Int64[Tensor, " sample"], Float[Tensor, " vocabulary"]]:
    """The different words of so many draws by `proposal`, and of every word the chance to be among them:
    1 − (1 − p_k)^draws, the `expected` of `sampled_cross_entropy`. Raises ValueError for draws below 1."""
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    drawn = proposal.multinomial(draws, replacement=True, generator=generator).unique()
    return drawn, -torch.expm1(draws * torch.log1p(-proposal))


def parts_of_corpus(sentences: Iterable[Sequence[int]], most: int) -> list[tuple[int, list[int]]]:
    """The corpus in parts of at most `most` different target words each: (number of sentences, the words) of each part.

    Each part is trained with the softmax over its own words (Jean et al. 2015, section 3.2), sentences in their order.
    Raises ValueError for a sentence that has more different words itself.
    """
    parts: list[tuple[int, list[int]]] = []
    count, words = 0, dict[int, None]()
    for number, sentence in enumerate(sentences):
        if len(own := dict.fromkeys(sentence)) > most:
            raise ValueError(f"most must be at least {len(own)}, the different words of sentence {number}, got {most}")
        if len(words | own) > most:
            parts.append((count, list(words)))
            count, words = 0, {}
        count, words = count + 1, words | own
    return parts + ([(count, list(words))] if count else [])


@dataclass(frozen=True)
class SampleQuality:
    """The sampled gradient with respect to the logits beside the full one, g = p − onehot(y), over many samples.

    `bias`: ‖mean − g‖ / ‖g‖; `error`: the root of the mean of ‖estimate − g‖² / ‖g‖²; `share`: the words that are used,
    and with them the products, over those of the full softmax.
    """

    bias: float
    error: float
    share: float


def gradient_quality(
    logits: Float[Tensor, " vocabulary"],
    target: int,
    proposal: Float[Tensor, " vocabulary"],
    draws: int,
    *,
    corrected: bool = True,
    trials: int = 500,
    seed: int = 0,
) -> SampleQuality:
    """How good the sampled gradient is for one position with these logits: with the correction log q or without."""
    z = logits.double()
    full = z.softmax(0) - F.one_hot(torch.tensor(target), len(z))
    generator = torch.Generator().manual_seed(seed)
    made, used = [], 0
    for _ in range(trials):
        sample, expected = draw_words(proposal, draws, generator)
        free = z.clone().requires_grad_()
        one, output = torch.ones(1, 1, dtype=z.dtype), free[:, None]  # a state of width 1: the rows are the logits
        targets = torch.tensor([target])
        sampled_cross_entropy(one, output, targets, sample, expected if corrected else None).backward()
        made.append(free.grad)
        used += len(sample.unique()) + (target not in sample)
    estimates, size = torch.stack(made), float(full.norm())
    return SampleQuality(
        bias=float((estimates.mean(0) - full).norm()) / size,
        error=float((estimates - full).square().sum(1).mean().sqrt()) / size,
        share=used / trials / len(z),
    )
