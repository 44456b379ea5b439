"""What a deep model is like before it is trained: gradients layer by layer, and how far its first updates carry it."""

import copy

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.corpora.batches import Batch
from course_lib.systems.deep_supervision import layer_losses
from course_lib.training.losses import cross_entropy


def layer_gradient_norms(
    model: nn.Module, batch: Batch, smoothing: float = 0.0, *, every_layer: bool = False
) -> dict[str, Float[Tensor, " layers"]]:
    """‖∂L/∂θ_l‖ for the parameters θ_l of each layer: {"encoder": …, "decoder": …}, the bottom layer first.

    L is the mean cross-entropy of the batch (with label `smoothing`); with `every_layer` the mean of `layer_losses`.
    The model is one with `encoder.layers` and `decoder.layers`, a `Transformer`; it is read without dropout, and stays
    as it is. Xiong et al. (2020): with post-norm the layers near the output have the largest, with pre-norm all are
    about even.
    """
    training = model.training
    model.eval()
    try:
        loss = layer_losses(model, batch, smoothing).mean() if every_layer else _loss(model, batch, smoothing)
        stacks = {"encoder": model.encoder.layers, "decoder": model.decoder.layers}
        parameters = [θ for layers in stacks.values() for layer in layers for θ in layer.parameters()]
        sizes = (gradient.norm() for gradient in torch.autograd.grad(loss, parameters))

        def norm(layer: nn.Module) -> Tensor:
            return torch.stack([next(sizes) for _ in layer.parameters()]).norm()

        return {side: torch.stack([norm(layer) for layer in layers]) for side, layers in stacks.items()}
    finally:
        model.train(training)


def update_sizes(
    model: nn.Module, batch: Batch, learning_rate: float, updates: int = 1, smoothing: float = 0.0
) -> list[float]:
    """How far the model has moved after 1 … `updates` steps of Adam on one batch: √(mean (z_i − z_0)²) of its logits z.

    The mean is over real words and the vocabulary. Wang, Ma et al. (2022, section 3) measure ‖F(x, θ_i) − F(x, θ_0)‖,
    and blame the size of the first updates for the failure of deep models with post-norm. Without dropout; a copy is
    trained, the model stays as it is. Raises ValueError for `updates` below 1.
    """
    if updates < 1:
        raise ValueError(f"updates must be at least 1, got {updates}")
    moved = copy.deepcopy(model).eval()
    adam = torch.optim.Adam(moved.parameters(), learning_rate, betas=(0.9, 0.98), eps=1e-9)
    sizes = []
    with torch.no_grad():
        before = _logits(moved, batch)[batch.target_mask]
    for _ in range(updates):
        adam.zero_grad()
        _loss(moved, batch, smoothing).backward()
        adam.step()
        with torch.no_grad():
            after = _logits(moved, batch)[batch.target_mask]
        sizes.append(float((after - before).square().mean().sqrt()))
    return sizes


def _logits(model: nn.Module, batch: Batch) -> Float[Tensor, "batch time vocabulary"]:
    return model(batch.source, batch.source_mask, batch.target_in)


def _loss(model: nn.Module, batch: Batch, smoothing: float) -> Float[Tensor, ""]:
    return cross_entropy(_logits(model, batch), batch.target_out, batch.target_mask, smoothing=smoothing)
