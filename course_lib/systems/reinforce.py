"""REINFORCE: the gradient of an expected reward, from samples (Williams 1992; Ranzato et al. 2016).

∇ E_{y ~ p(y|x)}[R(y)] = E_{y ~ p(y|x)}[(R(y) − b) ∇ log p(y | x)]

The expectation runs over the model's own outputs y, not over the data. b, the baseline, may be any number that does not
depend on y: as E[∇ log p] = 0, it changes the variance of the estimate and not its mean.
"""

from typing import Literal, get_args

from jaxtyping import Float
from torch import Tensor

Baseline = Literal["none", "constant", "others", "mean", "greedy"]
BASELINES: tuple[Baseline, ...] = get_args(Baseline)


def advantages(
    rewards: Float[Tensor, "batch samples"],
    baseline: str = "others",
    *,
    constant: float | None = None,
    greedy: Float[Tensor, " batch"] | None = None,
) -> Float[Tensor, "batch samples"]:
    """R − b of m samples for each sentence, where b is

    - "none": 0;
    - "constant": the number `constant`, such as the mean of all rewards before this step;
    - "others": the mean reward of the other m − 1 samples of the sentence;
    - "mean": the mean of all m, itself among them (Wu et al. 2016, m = 15). b depends on y, so the estimate is biased:
      R − b is (1 − 1/m) times that of "others". The direction is the same;
    - "greedy": the reward of the model's greedy output, `greedy` (self-critical training, Rennie et al. 2017).

    Raises ValueError for another baseline, for one sample where b is made of the samples, and where what b needs is
    not given.
    """
    m = rewards.shape[1]
    if baseline in ("others", "mean") and m < 2:
        raise ValueError(f"baseline {baseline!r} needs at least 2 samples of a sentence, got {m}")
    match baseline:
        case "none":
            return rewards
        case "constant" if constant is not None:
            return rewards - constant
        case "others":
            return rewards - (rewards.sum(1, keepdim=True) - rewards) / (m - 1)
        case "mean":
            return rewards - rewards.mean(1, keepdim=True)
        case "greedy" if greedy is not None:
            return rewards - greedy[:, None]
        case "constant" | "greedy":
            raise ValueError(f"baseline {baseline!r} needs the argument {baseline}, got None")
    raise ValueError(f"baseline must be one of {', '.join(BASELINES)}, got {baseline!r}")


def reinforce_loss(
    log_probs: Float[Tensor, "batch samples"], advantages: Float[Tensor, "batch samples"]
) -> Float[Tensor, ""]:
    """−mean (R − b) log p(y | x), whose gradient is −1 times the estimate of ∇ E[R]. No gradient flows through R − b.

    The value of the loss says nothing: look at the rewards. `log_probs` are sums over the words of each sample.
    """
    return -(advantages.detach() * log_probs).mean()
