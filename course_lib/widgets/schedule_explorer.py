"""The schedule explorer: the learning rate over the steps of a training, and what each of its numbers does to it."""

from collections.abc import Mapping, Sequence

import traitlets

from course_lib.training.schedules import constant, constant_then_linear, inverse_square_root
from course_lib.widgets.base import TraceWidget, front_end

KINDS = ("paper", "peak", "constant", "linear")
MOST_STEPS = 10_000_000


class ScheduleExplorer(TraceWidget):
    """`ScheduleExplorer("paper", d_model=512, warmup=4000, steps=20_000)`: a curve, the rate at any step, a table.

    `kind` is "paper" for d_model^−0.5 · min(step^−0.5, step · warmup^−1.5) (Vaswani et al. 2017, section 5.3), "peak"
    for the same shape with the largest rate `peak`, "constant" for `peak` at every step, and "linear" for `peak` up to
    step `hold`, then in a straight line down. `at` are the steps of the table. With `predict` the reader first says at
    which step the rate is largest, and how large: `guess`. `kept` holds up to three schedules to compare with.

    The front end computes the rates itself, so that they follow a hand at once, without Python; `rate` is what they
    must be. Raises ValueError for another kind, and for numbers that are no schedule.
    """

    _esm, _css = front_end("schedule_explorer", root="lm-schedule")
    title = "Schedule explorer"
    height = 640

    kind = traitlets.Enum(KINDS, "paper").tag(sync=True)
    d_model = traitlets.Int(512).tag(sync=True)
    warmup = traitlets.Int(4000).tag(sync=True)
    peak = traitlets.Float(1e-3).tag(sync=True)
    hold = traitlets.Int(1).tag(sync=True)
    steps = traitlets.Int(20_000).tag(sync=True)
    step = traitlets.Int(1).tag(sync=True)  # where the cursor stands
    at = traitlets.List(traitlets.Int()).tag(sync=True)
    kept = traitlets.List(traitlets.Dict()).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    guess = traitlets.Dict().tag(sync=True)  # {"step", "rate"}, or nothing yet

    def __init__(
        self,
        kind: str = "paper",
        *,
        d_model: int = 512,
        warmup: int = 4000,
        peak: float = 1e-3,
        hold: int | None = None,
        steps: int = 20_000,
        at: Sequence[int] = (1, 100, 1000, 4000, 16_000),
        predict: bool = False,
    ):
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
        hold = max(1, steps // 2) if hold is None else hold
        for name, value, most in (
            ("d_model", d_model, 10**6),
            ("warmup", warmup, MOST_STEPS),
            ("steps", steps, MOST_STEPS),
            ("hold", hold, steps),
            *(("at", step, MOST_STEPS) for step in at),
        ):
            if not 1 <= value <= most:
                raise ValueError(f"{name} must lie in 1..{most}, got {value}")
        if not 0 < peak <= 10:
            raise ValueError(f"peak must be above 0 and at most 10, got {peak}")
        numbers = {"d_model": d_model, "warmup": warmup, "peak": peak, "hold": hold, "steps": steps}
        super().__init__(kind=kind, at=list(at), predict=predict, **numbers)

    def rate(self, step: int, schedule: Mapping | None = None) -> float:
        """The learning rate of a step, by the schedule that is shown or by one of `kept`."""
        chosen = schedule or {
            name: getattr(self, name) for name in ("kind", "d_model", "warmup", "peak", "hold", "steps")
        }
        kind, warmup, peak = chosen["kind"], chosen["warmup"], chosen["peak"]
        if kind == "paper":
            return (chosen["d_model"] * warmup) ** -0.5 * inverse_square_root(warmup)(step)
        if kind == "peak":
            return peak * inverse_square_root(warmup)(step)
        if kind == "constant":
            return peak * constant(step)
        return peak * constant_then_linear(chosen["hold"], chosen["steps"])(step)
