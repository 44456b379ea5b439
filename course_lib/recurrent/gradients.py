"""How much of the gradient is left, how far back: the vanishing gradient, measured."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from course_lib.recurrent.network import Network


def gradient_norms(
    network: Network,
    x: Float[Tensor, "batch time input"],
    loss: Callable[[Float[Tensor, "batch time output"]], Float[Tensor, ""]] | None = None,
    seed: int = 0,
) -> Float[Tensor, " time"]:
    """Entry k: ‖∂loss/∂x_{T−k}‖, the mean over the batch's sentences, for k = 0 … T − 1 (Pascanu et al. 2013).

    `loss` maps the outputs to a number, a sum over sentences; by default u·h_T, with u a random direction of length 1
    for each sentence, drawn by `seed`: so the entries measure ‖(∂h_T/∂x_{T−k})^⊤ u‖. It is the gradient at the input x,
    which every path through time reaches: one at h_{T−k} would miss what the LSTM hands on in its memory cell alone.
    """
    x = x.detach().requires_grad_()
    outputs, _ = network(x)
    if loss is None:
        generator = torch.Generator().manual_seed(seed)
        u = normalize(torch.randn(len(x), outputs.shape[2], generator=generator), dim=1).to(outputs)
        total = (outputs[:, -1] * u).sum()
    else:
        total = loss(outputs)
    (gradient,) = torch.autograd.grad(total, x)
    return gradient.norm(dim=2).mean(0).flip(0)
