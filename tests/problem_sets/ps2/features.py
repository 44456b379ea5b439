"""What the cases of problem set 2 show."""

import torch

from course_lib.problem_sets.ps2 import diagnose


def padded(*shown):
    """Whether of the outputs at padding of some sentence just the first one is not 0, say: (True, False)."""

    def there(alone, changed, batch):
        time = batch["outputs"].shape[1]
        rows = (row[n:].any(-1).tolist() for row, n in zip(batch["outputs"], batch["lengths"], strict=True) if n < time)
        return any(len(row) > 1 and (row[0], row[-1]) == shown for row in rows)

    return there


def units_that_add_to_0(fault):
    """Whether a layer with the fault has a first unit that gives 0, and others that add to 0."""

    def there(*runs):
        outputs = torch.cat([each["outputs"].flatten(0, 1) for each in runs])
        return fault in diagnose.defined(*runs) and not outputs[:, 0].any() and outputs.sum(1).abs().max() < 1e-9

    return there


def leaks_faintly(alone, changed, batch):
    differences = alone["outputs"][0] - batch["outputs"][1, : alone["outputs"].shape[1]]
    return 0.01 < differences.abs().max() < 0.02


UNITS = "units of which the first is 0, and the others add to 0"
SECRETS = {"diagnose": 50}
FEATURES = {
    ("run_layer", "gradient"): {
        "padding that is NaN alone": lambda x, lengths, weights: x.isnan().any() and not x.isinf().any(),
        "padding that is infinite": lambda x, lengths, weights: x.isinf().any(),
        "padding that is finite": lambda x, lengths, weights: x.isfinite().all(),
    },
    ("run_layer", "together"): {
        "a real token of zeros": lambda x, lengths, weights: any(
            not token.any() for row, n in zip(x, lengths, strict=True) for token in row[:n]
        ),
    },
    ("diagnose", "several"): {
        "no memory, and final states that differ": lambda alone, changed, batch: (
            "memory" in diagnose.defined(alone, changed, batch) and not torch.allclose(alone["final"], changed["final"])
        ),
    },
    ("diagnose", "leak"): {UNITS: units_that_add_to_0("leak"), "a leak of little more than 0.01": leaks_faintly},
    ("diagnose", "padding"): {
        UNITS: units_that_add_to_0("padding"),
        "padding of little more than 0.01": lambda alone, changed, batch: any(
            0.01 < row[n:].abs().max() < 0.02
            for row, n in zip(batch["outputs"], batch["lengths"], strict=True)
            if n < len(row)
        ),
        "padding that is not 0 in its first place": padded(True, False),
        "padding that is not 0 in its last place": padded(False, True),
        "padding that is not 0 in one padded sentence, and 0 in another": lambda alone, changed, batch: (
            {bool(row[n:].any()) for row, n in zip(batch["outputs"], batch["lengths"], strict=True) if n < len(row)}
            == {True, False}
        ),
        "padding that adds to 0 and is not 0": lambda alone, changed, batch: any(
            row[n:].any() and abs(row[n:].sum()) < 1e-9
            for row, n in zip(batch["outputs"], batch["lengths"], strict=True)
        ),
    },
    ("diagnose", "final"): {
        UNITS: units_that_add_to_0("final"),
        "a final state that is wrong by little more than 0.01": lambda alone, changed, batch: (
            0.01 < (batch["final"] - diagnose.last(batch["outputs"], batch["lengths"])).abs().max() < 0.02
        ),
        "a final state that is right in one padded sentence, and wrong in another": lambda alone, changed, batch: (
            {
                torch.allclose(final, row[n - 1])
                for row, n, final in zip(batch["outputs"], batch["lengths"], batch["final"], strict=True)
                if n < len(row)
            }
            == {True, False}
        ),
        "a final state that comes early, and no padding": lambda alone, changed, batch: (
            "final" in diagnose.defined(alone, changed, batch) and (batch["lengths"] == batch["x"].shape[1]).all()
        ),
    },
}
