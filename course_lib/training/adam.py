"""Adam, as its equations stand; torch.optim.Adam is the same and faster."""

from collections.abc import Callable, Iterable

import torch
from torch import nn


class Adam(torch.optim.Optimizer):
    """At step t = 1, 2, …, with the gradient g of a parameter θ (Kingma and Ba 2015, algorithm 1):

        m ← β_1 m + (1 − β_1) g,     m̂ = m / (1 − β_1^t)
        v ← β_2 v + (1 − β_2) g²,    v̂ = v / (1 − β_2^t)
        θ ← θ − lr · m̂ / (√v̂ + ε)

    m and v start at 0 and are too small at first: dividing by 1 − β^t corrects that. `betas` are (β_1, β_2); Vaswani
    et al. 2017 take (0.9, 0.98) and ε = 10⁻⁹ (section 5.3). What `state_dict()["state"]` holds has the names of
    torch's, and either optimizer goes on with the other's. Raises ValueError for settings outside their range.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ):
        if not lr >= 0 or not eps >= 0:
            raise ValueError(f"lr and eps must be at least 0, got lr={lr}, eps={eps}")
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must lie in [0, 1), got {betas}")
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps})

    @torch.no_grad()
    def step(self, closure: Callable[[], torch.Tensor] | None = None) -> torch.Tensor | None:
        """One step for every parameter that has a gradient; the loss of `closure`, where one is given."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for θ in group["params"]:
                if θ.grad is not None:
                    self._update(θ, self.state[θ], group["lr"], *group["betas"], group["eps"])
        return loss

    @staticmethod
    def _update(θ: torch.Tensor, state: dict, lr: float, β_1: float, β_2: float, ε: float) -> None:
        if not state:
            state.update(step=torch.tensor(0.0), exp_avg=torch.zeros_like(θ), exp_avg_sq=torch.zeros_like(θ))
        g, t = θ.grad, state["step"].add_(1).item()
        m = state["exp_avg"] = β_1 * state["exp_avg"] + (1 - β_1) * g
        v = state["exp_avg_sq"] = β_2 * state["exp_avg_sq"] + (1 - β_2) * g**2
        m_hat, v_hat = m / (1 - β_1**t), v / (1 - β_2**t)
        θ -= lr * m_hat / (v_hat.sqrt() + ε)
