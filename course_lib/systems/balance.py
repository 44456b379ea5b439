"""Training a mixture of experts so that all of them are used, and how many words each gets in the end."""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.corpora.batches import Batch, Batches
from course_lib.systems.mixture import NoisyTopK, routings
from course_lib.training.trainer import Trainer
from course_lib.transformer import Transformer


class BalancedTrainer(Trainer):
    """The trainer with the balance loss of every mixture added to the cross-entropy:

        L + Σ_layers balance · (CV(importance)² + CV(load)²)       (Shazeer et al. 2017, section 4 and appendix A)

    The model is a `Transformer` that went through `with_experts`; `options` are the trainer's. `losses` holds the sum,
    `held_out_losses` stay cross-entropies. Raises ValueError for a negative `balance`.
    """

    def __init__(self, model: Transformer, batches: Batches, balance: float, **options):
        super().__init__(model, batches, **options)
        if balance < 0:
            raise ValueError(f"balance must be at least 0, got {balance}")
        self.balance = balance

    def objective(self, batch: Batch) -> Float[Tensor, ""]:
        """The loss of the batch, and how unevenly its words are spread."""
        with routings(self.model) as found:
            loss = super().objective(batch)
        masks = routed_words(self.model, batch)
        return loss + sum(each.balance_loss(self.balance, mask) for each, mask in zip(found, masks, strict=True))


def routed_words(model: Transformer, batch: Batch) -> list[Bool[Tensor, "batch time"]]:
    """Which places of a batch hold a real word for each mixture: the encoder's read the source, the decoder's the
    target. In the order of `routings`."""
    sides = ((model.encoder, batch.source_mask), (model.decoder, batch.target_mask))
    return [mask for side, mask in sides for module in side.modules() if isinstance(module, NoisyTopK)]


@torch.no_grad()
def loads(model: Transformer, batches: Iterable[Batch]) -> Int64[Tensor, "mixture experts"]:
    """How many real words of all the batches each expert of each mixture gets, without noise.

    The model is left in `eval()`.
    """
    model.eval()
    device = next(model.parameters()).device
    counted: list[Sequence[Tensor]] = []
    for batch in (each.to(device) for each in batches):
        with routings(model) as found:
            model(batch.source, batch.source_mask, batch.target_in)
        masks = routed_words(model, batch)
        counted.append([each.chosen[mask].sum(0) for each, mask in zip(found, masks, strict=True)])
    return torch.stack([torch.stack(list(of_one)).sum(0) for of_one in zip(*counted, strict=True)])
