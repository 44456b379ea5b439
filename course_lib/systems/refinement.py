"""Refinement: a trained model goes on learning, now for a reward of whole sentences (Shen et al. 2016; Wu et al. 2016).

It starts from a model that translates already: from fresh weights no sample would get a reward to speak of.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from course_lib.corpora.batches import Batch, Batches
from course_lib.search.greedy import greedy
from course_lib.search.sample import sample
from course_lib.seq2seq.protocol import Model
from course_lib.systems.minimum_risk import candidates, risk
from course_lib.systems.reinforce import BASELINES, advantages, reinforce_loss
from course_lib.systems.rewards import REWARDS
from course_lib.training.trainer import Trainer

KINDS = ("cross_entropy", "reinforce", "risk")
Ids = tuple[int, ...]


@dataclass(frozen=True)
class Objective:
    """What refinement minimises: (1 − mix) · sequence loss + mix · cross-entropy.

    - `kind`: "reinforce" with its `baseline`, "risk" with its `alpha` and perhaps the `reference` among the candidates,
      or "cross_entropy" alone: a control, for the same number of steps.
    - `reward`: a name in `rewards.REWARDS`; the cost Δ of the risk is 1 − reward.
    - `samples`: how many outputs of a sentence are drawn from the model, by its own probabilities.

    Raises ValueError for names that there are not, samples below 1, and a mix outside [0, 1].
    """

    kind: str = "risk"
    reward: str = "bleu"
    samples: int = 5
    baseline: str = "others"
    alpha: float = 1.0
    reference: bool = False
    mix: float = 0.0

    def __post_init__(self):
        for name, known in (("kind", KINDS), ("reward", REWARDS), ("baseline", BASELINES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        if self.baseline == "constant":
            raise ValueError("baseline 'constant' needs a number that refinement does not keep: take 'others'")
        if self.samples < 1:
            raise ValueError(f"samples must be at least 1, got {self.samples}")
        if not 0 <= self.mix <= 1:
            raise ValueError(f"mix must lie in [0, 1], got {self.mix}")


class Refiner(Trainer):
    """The trainer with another objective, the mean over sentences; `options` are the trainer's.

    `words` turns the ids of an output into words, for the reward. Outputs are drawn with dropout switched off. The
    batches' references serve the reward. `sampled_rewards[t]` is the mean reward of the samples of step t + 1 (none
    with "cross_entropy"). `losses` holds the objective: of "risk" that is the mean risk, of "reinforce" it says
    nothing. `held_out_losses` stay cross-entropies. Raises ValueError for `accumulate` above 1.
    """

    CURVES: ClassVar[tuple[str, ...]] = (*Trainer.CURVES, "sampled_rewards")

    def __init__(
        self,
        model: Model,
        batches: Batches,
        words: Callable[[Sequence[int]], Sequence[str]],
        aim: Objective,
        **options,
    ):
        super().__init__(model, batches, **options)
        if self.accumulate > 1:
            raise ValueError(f"accumulate must be 1, got {self.accumulate}")
        self.words, self.aim = words, aim
        self.sampled_rewards: list[float] = []

    def objective(self, batch: Batch) -> Float[Tensor, ""]:
        """(1 − mix) · sequence loss + mix · cross-entropy."""
        if self.aim.kind == "cross_entropy" or self.aim.mix == 1:
            return super().objective(batch)
        loss = self.sequence_loss(batch)
        return (1 - self.aim.mix) * loss + self.aim.mix * super().objective(batch) if self.aim.mix else loss

    def sequence_loss(self, batch: Batch) -> Float[Tensor, ""]:
        """−mean (R − b) log p of "reinforce", or the mean risk, over outputs drawn now."""
        aim, references = self.aim, list(whole(batch.target_out, batch.target_mask))
        self.model.eval()
        drawn = draw(self.model, batch, aim.samples)
        rewards = [[self.reward(y, reference) for y in ys] for ys, reference in zip(drawn, references, strict=True)]
        self.sampled_rewards.append(sum(map(sum, rewards)) / (len(drawn) * aim.samples))
        b = None
        if aim.kind == "reinforce" and aim.baseline == "greedy":
            best = greedy(self.model, batch.source, batch.source_mask, most_words(batch))
            b = torch.tensor([self.reward(y, reference) for y, reference in zip(best, references, strict=True)])
        self.model.train()
        if aim.kind == "reinforce":
            R = torch.tensor(rewards, device=self.device)
            weights = advantages(R, aim.baseline, greedy=None if b is None else b.to(self.device))
            return reinforce_loss(sequence_log_probs(self.model, batch, drawn)[0], weights)
        sets = [candidates(ys, y if aim.reference else None) for ys, y in zip(drawn, references, strict=True)]
        log_p, mask = sequence_log_probs(self.model, batch, sets)
        costs = torch.zeros_like(log_p)
        costs[mask] = costs.new_tensor(
            [1 - self.reward(y, reference) for ys, reference in zip(sets, references, strict=True) for y in ys]
        )
        return risk(log_p, costs, mask, aim.alpha).mean()

    def reward(self, output: Sequence[int], reference: Sequence[int]) -> float:
        """R of an output's ids beside the reference's."""
        return REWARDS[self.aim.reward](self.words(output), self.words(reference))


def most_words(batch: Batch) -> int:
    """After how many words a sample is cut off: 1.5 times those of the longest source, and 5."""
    return batch.source.shape[1] * 3 // 2 + 5


def draw(model: Model, batch: Batch, samples: int) -> list[list[Ids]]:
    """So many outputs of each sentence, by the model's own probabilities: ids, with eos where they end before
    `most_words`. The random numbers are torch's."""
    rows = torch.arange(len(batch.source), device=batch.source.device).repeat_interleave(samples)
    found = sample(model, batch.source[rows], batch.source_mask[rows], most_words(batch))
    ids = [(*y.words, model.eos_id) if y.finished else y.words for y in found]
    return [ids[k : k + samples] for k in range(0, len(ids), samples)]


def sequence_log_probs(
    model: Model, batch: Batch, outputs: Sequence[Sequence[Ids]]
) -> tuple[Float[Tensor, "batch most"], Bool[Tensor, "batch most"]]:
    """log p(y | x) = Σ_t log p(y_t | x, y_1 … y_{t−1}) of each sentence's outputs, and where there is one.

    Differentiable, by teacher forcing. An output holds its eos, if it has one. float32; 0 where the mask is False.
    """
    device = batch.source.device
    counts = torch.tensor([len(ys) for ys in outputs])
    mask = (torch.arange(int(counts.max())) < counts[:, None]).to(device)
    rows = mask.nonzero()[:, 0]
    y = pad_sequence(
        [torch.tensor(each) for ys in outputs for each in ys], batch_first=True, padding_value=model.pad_id
    ).to(device)
    lengths = torch.tensor([len(each) for ys in outputs for each in ys], device=device)
    real = torch.arange(y.shape[1], device=device) < lengths[:, None]
    before = torch.cat([torch.full_like(y[:, :1], model.bos_id), y[:, :-1]], dim=1)
    logits = model(batch.source[rows], batch.source_mask[rows], before).float()
    log_p = -F.cross_entropy(logits.transpose(1, 2), y, reduction="none").masked_fill(~real, 0.0).sum(1)
    return torch.zeros(mask.shape, device=device).masked_scatter(mask, log_p), mask


def whole(target_out: Int64[Tensor, "batch time"], target_mask: Bool[Tensor, "batch time"]) -> Iterator[Ids]:
    """The references of a batch as ids, with eos."""
    for row, length in zip(target_out.tolist(), target_mask.sum(1).tolist(), strict=True):
        yield tuple(row[:length])
