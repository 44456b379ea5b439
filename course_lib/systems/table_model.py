"""A model small enough to list all its outputs, so that estimates of a gradient can be set beside the exact one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.systems.reinforce import BASELINES, Baseline, advantages
from course_lib.systems.rewards import Reward

MOST = 10_000  # outputs


class OutputTable(nn.Module):
    """p(y) = Π_t p(y_t | y_1 … y_{t−1}) by a table: a row of logits for each beginning, over all words and the end.

    >>> OutputTable(["a", "b"], max_length=2).outputs
    [(), ('a',), ('b',), ('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]

    After `max_length` words the end is certain. The logits, float64, are drawn from a normal distribution, `scale`
    wide, by `seed`. Raises ValueError for a max_length below 1, for no word, and for more than MOST outputs.
    """

    def __init__(self, words: Sequence[str], max_length: int, *, scale: float = 1.0, seed: int = 0):
        super().__init__()
        if max_length < 1:
            raise ValueError(f"max_length must be at least 1, got {max_length}")
        if not words or (number := sum(len(words) ** length for length in range(max_length + 1))) > MOST:
            raise ValueError(f"words must be 1 or more, with at most {MOST} outputs, got {len(words)} words")
        self.words, self.end = tuple(words), len(words)  # the columns; the last is the end
        self.outputs = [y for length in range(max_length + 1) for y in product(words, repeat=length)]
        self.rows = {y: row for row, y in enumerate(y for y in self.outputs if len(y) < max_length)}
        visits = torch.zeros(number, len(self.rows), self.end + 1, dtype=torch.float64)
        for k, y in enumerate(self.outputs):  # the place of the table behind each factor of p(y)
            for t, word in enumerate(y):
                visits[k, self.rows[y[:t]], self.words.index(word)] = 1
            if y in self.rows:
                visits[k, self.rows[y], self.end] = 1
        self.register_buffer("visits", visits)
        drawn = torch.randn(visits.shape[1:], dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
        self.logits = nn.Parameter(scale * drawn)

    def forward(self) -> Float[Tensor, " outputs"]:
        """log p(y) of every output."""
        return torch.einsum("yrc,rc->y", self.visits, self.logits.log_softmax(1))

    def rewards(self, reward: Reward, reference: Sequence[str]) -> Float[Tensor, " outputs"]:
        """R(y) of every output."""
        return torch.tensor([reward(y, reference) for y in self.outputs], dtype=torch.float64)

    def greedy(self) -> int:
        """The number of the output that takes the likeliest word at every step."""
        y = ()
        while y in self.rows and (best := int(self.logits[self.rows[y]].argmax())) != self.end:
            y = (*y, self.words[best])
        return self.outputs.index(y)

    @torch.no_grad()
    def scores(self) -> Float[Tensor, "outputs parameters"]:
        """∇ log p(y) of every output, the score function: in each row that it visits, what it takes minus softmax."""
        visited = self.visits.sum(2, keepdim=True)
        return (self.visits - visited * self.logits.softmax(1)).flatten(1)


def expected_reward(model: OutputTable, rewards: Float[Tensor, " outputs"]) -> Float[Tensor, ""]:
    """E_{y ~ p}[R(y)] = Σ_y p(y) R(y)."""
    return model().exp() @ rewards


def exact_gradient(model: OutputTable, rewards: Float[Tensor, " outputs"]) -> Float[Tensor, " parameters"]:
    """∇ E[R] by differentiating the sum over all outputs."""
    (gradient,) = torch.autograd.grad(expected_reward(model, rewards), model.logits)
    return gradient.flatten()


@torch.no_grad()
def estimates(
    model: OutputTable, rewards: Float[Tensor, " outputs"], baseline: Baseline, samples: int, trials: int, seed: int = 0
) -> Float[Tensor, "trials parameters"]:
    """REINFORCE's estimate of ∇ E[R] from `samples` outputs, 1/m Σ (R − b) ∇ log p(y), made so many times.

    The baseline "constant" is E[R]. Raises ValueError as `advantages` does.
    """
    p = model().exp()
    generator = torch.Generator().manual_seed(seed)
    drawn = p.multinomial(trials * samples, replacement=True, generator=generator).view(trials, samples)
    greedy = rewards[model.greedy()].expand(trials)
    weights = advantages(rewards[drawn], baseline, constant=float(p @ rewards), greedy=greedy) / samples
    return torch.zeros(trials, len(p), dtype=p.dtype).scatter_add_(1, drawn, weights) @ model.scores()


@dataclass(frozen=True)
class Quality:
    """What estimates with one baseline are worth, in units of the exact gradient g.

    - `length`: mean · g / ‖g‖², 1 where the estimate is unbiased, 1 − 1/m for "mean";
    - `bias`: ‖mean − g‖ / ‖g‖, and `chance`: about how much of it so few trials leave to chance;
    - `variance`: Σ of the variances of all parameters, over ‖g‖².
    """

    baseline: Baseline
    length: float
    bias: float
    chance: float
    variance: float


def compare_baselines(
    model: OutputTable,
    rewards: Float[Tensor, " outputs"],
    samples: int = 5,
    trials: int = 20_000,
    baselines: Sequence[Baseline] = BASELINES,
    seed: int = 0,
) -> list[Quality]:
    """The quality of the estimates with each baseline, all from the same samples."""
    g = exact_gradient(model, rewards)
    found = []
    for baseline in baselines:
        made = estimates(model, rewards, baseline, samples, trials, seed)
        mean, spread = made.mean(0), made.var(0).sum()
        found.append(
            Quality(
                baseline,
                length=float(mean @ g / g.square().sum()),
                bias=float((mean - g).norm() / g.norm()),
                chance=float((spread / trials).sqrt() / g.norm()),
                variance=float(spread / g.square().sum()),
            )
        )
    return found
