"""Problem set 3 solved in three honestly different ways."""

from functools import partial

TOLERANCES = (1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 5e-3)  # all that a careful student could choose for float64


def diagnosed(base, changed, other, report, tolerance):
    """Exercise 7 with another tolerance."""
    k = [y == z for y, z in zip(base["target"], changed["target"], strict=True)].index(False)
    moved = (base["log_p"] - changed["log_p"]).abs().amax(1) > tolerance
    total = words = 0
    for row, target, n in zip(report["log_p"], report["target"], report["lengths"].tolist(), strict=True):
        total -= sum(row[i, target[i]].item() for i in range(n))
        words += n
    found = {
        "shift": moved[k],
        "own words": not moved.any(),
        "memory": moved.sum() == 1,
        "source": (base["log_p"] - other["log_p"]).abs().max() <= tolerance,
        "loss": abs(total / words - report["loss"]) > tolerance,
    }
    return {fault for fault, there in found.items() if there}


NUMERICS = {"ps3.diagnose": {f"tolerance {each:g}": partial(diagnosed, tolerance=each) for each in TOLERANCES}}
