"""What the traces of problem set 9's diagnosis show."""

from course_lib.problem_sets.ps9 import diagnose, traces


def fault(name, *others):
    """Just these faults."""
    return lambda trace: diagnose.defined(trace) == {name, *others}


def layers(trace):
    """Each layer's states, alone."""
    return [trace | {"states": trace["states"][i : i + 2], **one(trace, i)} for i in range(len(trace["made"]))]


def one(trace, i):
    return {name: trace[name][[i]] for name in ("read", "made")}


def how_many(name, wanted):
    """The fault is in so many layers: "one", or "all"."""

    def shown(trace):
        found = [name in diagnose.defined(each) for each in layers(trace)]
        return sum(found) == 1 < len(found) if wanted == "one" else all(found)

    return shown


def alike(trace):
    """All samples of the first sentence have the same reward."""
    return len({*trace["rewards"][0].tolist()}) == 1


def tied(trace):
    """The first two samples of each sentence have the same reward, and not all."""
    R = trace["rewards"]
    return bool((R[:, 0] == R[:, 1]).all()) and all(len({*row}) > 1 for row in R.tolist())


def residual_alone(trace):
    """By how much the states are wrong, if nothing else is."""
    return trace["states"][1:] - trace["states"][:-1] - trace["made"] if fault("residual")(trace) else None


def kept(trace):
    """Each state's sum and length are right, and it is not."""
    if (wrong := residual_alone(trace)) is None:
        return False
    above, right = trace["states"][1:], trace["states"][:-1] + trace["made"]
    return bool(wrong.sum(1).abs().max() < 0.001 and (above.norm(dim=1) - right.norm(dim=1)).abs().max() < 0.001)


def beside_large(trace):
    """What is wrong is less than 5 % of its number."""
    wrong = residual_alone(trace)
    return wrong is not None and bool((wrong.abs() < 0.05 * trace["states"][1:].abs() + 0.0005).all())


def wrong_gates(trace):
    """Each word's gates are the right numbers, at other experts."""
    right = traces.gates(trace["scores"], trace["k"])
    return fault("gate")(trace) and not traces.off(trace["gates"].sort(1).values, right.sort(1).values)


def largest_right(trace):
    """The largest Q is right, and stands where it is to stand."""
    right = traces.sharpened(trace["log_p"], trace["alpha"])
    return fault("alpha")(trace) and not traces.off(trace["Q"][right.argmax()], right.amax())
