"""The figure of a training run: its loss, step by step, and on held-out sentences; live while it runs."""

from collections.abc import Sequence

from IPython.display import display

from course_lib.plots.picture import Picture, draw_lines, legend_beside, panels
from course_lib.training.trainer import Trainer


def learning_curve(
    losses: Sequence[float], held_out: Sequence[tuple[int, float]] = (), window: int | None = None
) -> Picture:
    """Training losses, each the mean of the last `window` steps (default: a hundredth of all), and (step, loss) pairs.

    Raises ValueError where no step has been taken, and for a window that is none.
    """
    if not losses:
        raise ValueError("losses must hold at least one step, got none")
    window = max(1, len(losses) // 100) if window is None else window
    if not 1 <= window <= len(losses):
        raise ValueError(f"window must lie in 1..{len(losses)}, the number of steps, got {window}")
    means = [sum(losses[step - window : step]) / window for step in range(window, len(losses) + 1)]
    figure, (axis,) = panels(width=7.6, height=3.6)
    axis.set(xlabel="training step", ylabel="loss (nats for a word)")
    lines = {"training": (range(window, len(losses) + 1), means)}
    if held_out:
        lines["held out"] = tuple(zip(*held_out, strict=True))
    draw_lines(axis, lines, marks=10)
    legend_beside(axis)
    ends = ", ".join(f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, (_, values) in lines.items())
    return Picture(figure, f"Losses over {len(losses)} steps: {ends}.")


class LivePlot:
    """`trainer.train(…, show=LivePlot())`: the learning curve, drawn in a notebook at the first evaluation and redrawn
    in its place at each later one."""

    def __init__(self):
        self.handle = None

    def __call__(self, trainer: Trainer) -> None:
        """Draw the run as it is now."""
        picture = learning_curve(trainer.losses, trainer.held_out_losses)
        if self.handle is None:
            self.handle = display(picture, display_id=True)
        else:
            self.handle.update(picture)
