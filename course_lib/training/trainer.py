"""The training loop: Adam on one batch after the other, a held-out curve, and going on where it stopped."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import ClassVar

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from course_lib.corpora.batches import Batch, Batches
from course_lib.training import checkpoint, processes
from course_lib.training.losses import cross_entropy
from course_lib.training.schedules import Schedule, constant


class Trainer:
    """Minimise the mean cross-entropy of a word, batch after batch:

        g = ∂ loss / ∂ θ,  clipped to ‖g‖ ≤ max_norm (Pascanu et al. 2013);  θ by Adam (Kingma and Ba 2015)

    with the learning rate learning_rate · schedule(step), step = 1, 2, … and Adam's `betas` and `eps`. `smoothing` is
    that of `cross_entropy`. A step takes `accumulate` batches, one after the other, and its loss is the mean over all
    of their words: as one batch of all of them, in less memory. Processes launched together (`processes`) share them
    out, at least one each. The model answers to `seq2seq.protocol` and stays where it is; batches are brought there.
    bfloat16 autocast on CUDA, unless `bf16` says otherwise.

    What step t does depends on the weights, Adam's means, and (seed, t) alone: the batches are the plan's, and
    dropout's random numbers are seeded anew for each of them. So a run that is saved and goes on gives what it would
    have given, on a CPU bit by bit; and several processes give what one gives, but for rounding.

    `losses[t]` is the loss of step t + 1 and `held_out_losses` (step, loss) at each evaluation: nats for a word, the
    latter without dropout or smoothing over all batches of `held_out`; `cpu_seconds` what the processor worked for
    all steps. `recipe`, data that say what is trained, is saved with the run. Raises ValueError for sizes that make no
    sense.
    """

    CURVES: ClassVar[tuple[str, ...]] = ("losses", "held_out_losses", "cpu_seconds")  # what is saved of a run

    def __init__(
        self,
        model: nn.Module,
        batches: Batches,
        *,
        held_out: Sequence[Batch] = (),
        learning_rate: float = 1e-3,
        schedule: Schedule = constant,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        smoothing: float = 0.0,
        accumulate: int = 1,
        max_norm: float = 1.0,
        evaluate_every: int = 100,
        seed: int = 0,
        bf16: bool | None = None,
        recipe: Mapping[str, object] | None = None,
    ):
        for name, value in (("learning_rate", learning_rate), ("max_norm", max_norm)):
            if not value > 0:
                raise ValueError(f"{name} must be above 0, got {value}")
        for name, value in (("evaluate_every", evaluate_every), ("accumulate", accumulate)):
            if value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
        if accumulate < processes.number():
            raise ValueError(f"accumulate must be at least {processes.number()}, a batch a process, got {accumulate}")
        if seed < 0:
            raise ValueError(f"seed must be at least 0, got {seed}")
        self.model, self.batches, self.schedule, self.seed = model, batches, schedule, seed
        self.held_out = held_out if isinstance(held_out, Sequence) else list(held_out)
        self.learning_rate, self.max_norm, self.evaluate_every = learning_rate, max_norm, evaluate_every
        self.smoothing, self.accumulate = smoothing, accumulate
        self.recipe = json.loads(json.dumps(dict(recipe or {})))  # as it comes back from a file
        self.device = next(model.parameters()).device
        self.bf16 = self.device.type == "cuda" if bf16 is None else bf16
        fused = self.device.type in ("cpu", "cuda")
        self.optimizer = torch.optim.Adam(model.parameters(), learning_rate, betas, eps, fused=fused)
        self.cpu_seconds = 0.0
        self.losses: list[float] = []
        self.held_out_losses: list[tuple[int, float]] = []

    @property
    def step(self) -> int:
        """How many steps are done."""
        return len(self.losses)

    def train(
        self,
        steps: int,
        *,
        show: Callable[["Trainer"], None] | None = None,
        path: str | os.PathLike | None = None,
        progress: bool = True,
    ) -> None:
        """`steps` further steps, with a progress bar; at each evaluation, and at the end, save to `path` and `show`.

        It leaves the model in `eval()`. Interrupted (Ctrl+C, the stop button), it may have been within a step: go on
        from what was last saved. Raises ValueError for negative steps, and RuntimeError where a gradient is no finite
        number, before it changes a weight.
        """
        if steps < 0:
            raise ValueError(f"steps must be at least 0, got {steps}")
        last, batches = self.step + steps, self._batches()
        try:
            with tqdm(total=steps, unit="step", disable=not (progress and processes.is_main())) as bar:
                for _ in range(steps):
                    self.one_step(list(islice(batches, self.accumulate)))
                    bar.update()
                    bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=False)
                    if self.step % self.evaluate_every == 0 or self.step == last:
                        self._look(show, path)
        finally:
            self.model.eval()

    def _batches(self) -> Iterator[Batch]:
        """All batches from the next one on, epoch after epoch, without end."""
        epoch, start = divmod(self.step * self.accumulate, len(self.batches))
        yield from self.batches.epoch(epoch, start)
        for following in count(epoch + 1):
            yield from self.batches.epoch(following)

    def one_step(self, batches: Sequence[Batch]) -> None:
        """Loss and gradient over the words of all `batches`, clipping, Adam."""
        step, total, began = self.step + 1, 0.0, time.process_time()
        words = sum(int(batch.target_mask.sum()) for batch in batches)
        cuda = [self.device] if self.device.type == "cuda" else []
        self.model.train()
        self.optimizer.zero_grad()
        with torch.random.fork_rng(cuda):
            for number, batch in processes.share(list(enumerate(batches))):
                torch.manual_seed(int(np.random.SeedSequence([self.seed, step, number]).generate_state(1)[0]))
                share = int(batch.target_mask.sum()) / words
                loss = self.objective(batch.to(self.device)) * share
                loss.backward()
                total += loss.item()
        processes.add([θ.grad for θ in self.model.parameters() if θ.grad is not None])
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm, error_if_nonfinite=True)
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate * self.schedule(step)
        self.optimizer.step()
        self.losses.append(processes.total(total, self.device))
        self.cpu_seconds += time.process_time() - began

    def objective(self, batch: Batch) -> torch.Tensor:
        """What a step minimises, of a batch that lies where the model lies: the loss."""
        return self.loss(batch, smoothing=self.smoothing)

    def loss(self, batch: Batch, reduction: str = "mean", smoothing: float = 0.0) -> torch.Tensor:
        """The cross-entropy of a batch that lies where the model lies, in nats."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            logits = self.model(batch.source, batch.source_mask, batch.target_in)
        return cross_entropy(logits, batch.target_out, batch.target_mask, reduction, smoothing=smoothing, fused=True)

    @torch.no_grad()
    def evaluate(self) -> float:
        """The mean loss of a word over all of `held_out`, in nats. Raises ValueError where that is empty."""
        if not self.held_out:
            raise ValueError("held_out must hold at least one batch to evaluate on, got none")
        self.model.eval()
        own = sum(self.loss(batch.to(self.device), "sum").item() for batch in processes.share(self.held_out))
        words = sum(int(batch.target_mask.sum()) for batch in self.held_out)
        return processes.total(own, self.device) / words

    def _look(self, show: Callable[["Trainer"], None] | None, path: str | os.PathLike | None) -> None:
        if self.held_out:
            self.held_out_losses.append((self.step, self.evaluate()))
        if path is not None and processes.is_main():
            self.save(path)
        if show is not None and processes.is_main():
            show(self)
        processes.wait()

    def save(self, path: str | os.PathLike) -> None:
        """Everything that `load` needs to go on: weights in full, Adam's means, both curves."""
        tensors = {f"model.{name}": tensor for name, tensor in checkpoint.tensors_of(self.model).items()}
        for index, means in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{index}.{name}": tensor for name, tensor in means.items()}
        curves = {name: getattr(self, name) for name in self.CURVES}
        plan = {"seed": self.seed, "batches": len(self.batches), "accumulate": self.accumulate, "recipe": self.recipe}
        checkpoint.write(path, tensors, plan | curves)

    def load(self, path: str | os.PathLike) -> None:
        """Go on where the run saved in `path` was.

        Raises ValueError where model, seed, batches, their number in a step or the recipe are others.
        """
        tensors, about = checkpoint.read(path)
        plan = (("seed", self.seed), ("batches", len(self.batches)), ("accumulate", self.accumulate))
        for name, own in plan:
            if about.get(name) != own:
                raise ValueError(f"{path} was saved with {name} {about.get(name)}, this trainer has {own}")
        saved = about.get("recipe", self.recipe)
        if others := [name for name in self.recipe.keys() | saved.keys() if saved.get(name) != self.recipe.get(name)]:
            was, now = ({name: recipe.get(name) for name in sorted(others)} for recipe in (saved, self.recipe))
            raise ValueError(f"{path} was saved by a recipe with {was}, this one has {now}; delete it to begin anew")
        parts: dict[str, dict[str, torch.Tensor]] = {"model": {}, "adam": {}}
        for name, tensor in tensors.items():
            part, _, rest = name.partition(".")
            parts[part][rest] = tensor
        checkpoint.put(path, self.model, parts["model"])
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in parts["adam"].items():
            index, _, rest = name.partition(".")
            state.setdefault(int(index), {})[rest] = tensor
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})
        for name in self.CURVES:
            setattr(self, name, about[name])
        self.held_out_losses = [(step, loss) for step, loss in about["held_out_losses"]]
