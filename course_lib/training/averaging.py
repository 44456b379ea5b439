"""Checkpoint averaging: the mean of the weights that a run passed through on its last steps."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from torch import Tensor, nn

from course_lib.training.checkpoint import check_fit, put, read, tensors_of, write
from course_lib.training.trainer import Trainer


class LastCheckpoints:
    """The weights at a run's last `count` evaluations, in files: `trainer.train(steps, show=LastCheckpoints(folder))`.

    Each is `step_N.safetensors` in `folder`, in full precision. As new ones come older ones are deleted, also those
    that the same run has left when it was interrupted, and those of later steps, which another run has left. Raises
    ValueError for a count below 1.
    """

    def __init__(self, folder: str | os.PathLike, count: int = 10):
        if count < 1:
            raise ValueError(f"count must be at least 1, got {count}")
        self.folder, self.count = Path(folder), count

    @property
    def paths(self) -> list[Path]:
        """The files, the oldest first."""
        return sorted(self.folder.glob("step_*.safetensors"), key=lambda path: int(path.stem.removeprefix("step_")))

    def __call__(self, trainer: Trainer) -> None:
        """Keep the weights as they are now."""
        written = self.folder / f"step_{trainer.step}.safetensors"
        write(written, tensors_of(trainer.model), {"step": trainer.step})
        end = (paths := self.paths).index(written) + 1
        for path in (*paths[: max(end - self.count, 0)], *paths[end:]):
            path.unlink()


def load_average(paths: Sequence[str | os.PathLike], model: nn.Module) -> None:
    """The `average` of the checkpoints in `paths`, put into the model (Vaswani et al. 2017, section 6.1: the last 5 of
    the base model, written every ten minutes, 20 of the big one).

    Raises ValueError for no paths, and for a checkpoint that does not fit the model, naming it, and leaves the model as
    it was.
    """
    if not paths:
        raise ValueError("paths must name at least one checkpoint, got none")
    put("the mean", model, average((fitting(path, model) for path in paths), len(paths)))


def average(checkpoints: Iterable[Mapping[str, Tensor]], n: int) -> dict[str, Tensor]:
    """θ = 1/n Σ_k θ_k over n checkpoints, by name, summed in float64; what is no float is taken from the last."""
    mean: dict[str, Tensor] = {}
    for tensors in checkpoints:
        for name, tensor in tensors.items():
            if tensor.is_floating_point():
                tensor = mean.get(name, 0.0) + tensor.double() / n
            mean[name] = tensor
    return mean


def fitting(path: str | os.PathLike, model: nn.Module) -> dict[str, Tensor]:
    """The tensors of a checkpoint; raises ValueError, naming it, where they do not fit the model."""
    tensors, _ = read(path)
    check_fit(path, model, tensors)
    return tensors
