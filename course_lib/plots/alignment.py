"""The figures of lecture 01: alignment error rate against steps of EM, perplexity against a mixture's weight."""

from collections.abc import Mapping, Sequence

from course_lib.plots.picture import INK, STYLES, Picture, panels


def error_rates(log_likelihoods: Sequence[float], rates: Mapping[str, Sequence[float]]) -> Picture:
    """Two panels over the steps of EM done: the log likelihood, which rises, and each alignment's AER against gold.

    Entry k of each sequence is of the table after k steps; the lowest of a curve is ringed.
    """
    figure, (left, right) = panels(2)
    left.plot(range(len(log_likelihoods)), log_likelihoods, color=INK, marker="o", markersize=4)
    left.set(xlabel="EM steps", ylabel="log likelihood of a target word")
    for (colour, marker, dash), (name, values) in zip(STYLES, rates.items(), strict=False):
        right.plot(range(len(values)), values, color=colour, marker=marker, linestyle=dash, markersize=4, label=name)
        best = min(range(len(values)), key=values.__getitem__)
        right.plot(best, values[best], "o", markersize=12, markerfacecolor="none", markeredgecolor=colour)
    right.set(xlabel="EM steps", ylabel="alignment error rate (0 is best)", ylim=(0, None))
    right.legend(frameon=False)
    ends = "; ".join(
        f"{name} from {v[0]:.3f} down to {min(v):.3f}, at the end {v[-1]:.3f}" for name, v in rates.items()
    )
    rise = f"rises from {log_likelihoods[0]:.2f} to {log_likelihoods[-1]:.2f}"
    return Picture(figure, f"Left: the log likelihood {rise}. Right: alignment error rates fall: {ends}.")


def mixture(weights: Sequence[float], perplexities: Sequence[float], ends: tuple[str, str]) -> Picture:
    """Perplexity against the weight of the first of two mixed models; `ends` names them (weight 0, weight 1)."""
    figure, (axis,) = panels(width=5.4, height=3.4)
    colour, marker, dash = STYLES[0]
    axis.plot(weights, perplexities, color=colour, marker=marker, linestyle=dash, markersize=4)
    for name, at, side in zip(ends, (0, -1), ("left", "right"), strict=True):
        axis.annotate(name, (weights[at], perplexities[at]), (0, 8), textcoords="offset points", ha=side)
    axis.set(xlabel="weight λ of the language model", ylabel="perplexity")
    axis.margins(y=0.15)
    axis.set_ylim(bottom=0)
    lowest = min(range(len(weights)), key=perplexities.__getitem__)
    return Picture(
        figure,
        f"Perplexity is {perplexities[0]:.1f} for {ends[0]}, {perplexities[-1]:.1f} for {ends[1]}, "
        f"and lowest between them: {perplexities[lowest]:.1f} at weight {weights[lowest]:.1f}.",
    )
