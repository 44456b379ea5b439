"""The figures of lecture 01: links and phrases as a grid, phrases that change places, curves of models from counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.plots.picture import INK, STYLES, Picture, draw_lines, panels

Span = tuple[int, int]  # from, to (exclusive)
CHARACTER = 0.085  # inches that a letter takes


def grid(
    source: Sequence[str], target: Sequence[str], links: Iterable[Span], phrases: Iterable[tuple[Span, Span]] = ()
) -> Picture:
    """A word alignment as a matrix: a filled square for each link, a frame around each of the `phrases`.

    Source words are the columns, target words the rows. A phrase is a source span and a target span.
    """
    links, phrases = sorted(links), sorted(phrases)
    longest = max(map(len, [*source, *target])) * CHARACTER
    width, height = (0.34 * len(words) + 0.3 + longest for words in (source, target))
    figure, (axis,) = panels(width=width, height=height)
    axis.set(xlim=(0, len(source)), ylim=(len(target), 0), aspect="equal")
    axis.xaxis.tick_top()
    for ticks, words, more in (
        (axis.set_xticks, source, {"rotation": 90}),
        (axis.set_yticks, target, {}),
    ):
        ticks([k + 0.5 for k in range(len(words))], words, **more)
    axis.set_xticks(range(len(source) + 1), minor=True)
    axis.set_yticks(range(len(target) + 1), minor=True)
    axis.tick_params(which="both", length=0)
    axis.grid(False)
    axis.grid(which="minor", alpha=0.25)
    for i, j in links:
        axis.add_patch(Rectangle((i + 0.15, j + 0.15), 0.7, 0.7, color=STYLES[0][0], linewidth=0))
    for (start, end), (first, last) in phrases:
        frame = (start + 0.04, first + 0.04), end - start - 0.08, last - first - 0.08
        axis.add_patch(Rectangle(*frame, fill=False, edgecolor=STYLES[1][0], linewidth=2))
    linked = ", ".join(f"{source[i]} – {target[j]}" for i, j in links)
    framed = ", ".join(f"{' '.join(source[a:b])} – {' '.join(target[c:d])}" for (a, b), (c, d) in phrases)
    return Picture(figure, f"Links: {linked}." + f" Phrases: {framed}." * bool(framed))


def reordering(source: Sequence[str], target: Sequence[str], phrases: Iterable[tuple[Span, Span]]) -> Picture:
    """Two sentences, one above the other, cut into `phrases`, with a line from each phrase to its translation."""
    phrases = sorted(phrases)
    rows = [
        [(words, span) for span in sorted(pair[side] for pair in phrases)]
        for side, words in enumerate((source, target))
    ]
    width = max(sum(len(" ".join(words[a:b])) + 4 for words, (a, b) in row) for row in rows)
    figure, (axis,) = panels(width=width * CHARACTER + 0.3, height=1.7)
    axis.set(xlim=(0, width), ylim=(-0.4, 1.4))
    axis.axis("off")
    centres: list[dict[Span, float]] = []
    for row, height in zip(rows, (1, 0), strict=True):
        at, centre = 0.0, {}
        for words, (a, b) in row:
            text = " ".join(words[a:b])
            centre[a, b] = at + len(text) / 2 + 1.5
            _box(axis, text, at, height)
            at += len(text) + 4
        centres.append(centre)
    for k, (above, below) in enumerate(phrases):
        colour, _, dash = STYLES[k % len(STYLES)]
        axis.plot([centres[0][above], centres[1][below]], [0.77, 0.23], color=colour, linestyle=dash, linewidth=2)
    told = "; ".join(f"{' '.join(source[a:b])} – {' '.join(target[c:d])}" for (a, b), (c, d) in phrases)
    return Picture(figure, f"Phrases in the order of the source, each with its translation: {told}.")


def _box(axis: Axes, text: str, left: float, height: float) -> None:
    axis.add_patch(Rectangle((left, height - 0.22), len(text) + 3, 0.44, fill=False, edgecolor=INK, linewidth=1))
    axis.text(left + len(text) / 2 + 1.5, height, text, ha="center", va="center")


def error_rates(likelihoods: Mapping[str, Sequence[float]], rates: Mapping[str, Sequence[float]]) -> Picture:
    """Two panels over the steps of EM done: log likelihoods, in training and held out, and AER against gold.

    Entry k of each sequence is of the table after k steps; the best of each curve is ringed. A colour says how the
    links of an error rate were found; likelihoods have none.
    """
    figure, (left, right) = panels(2)
    _curves(left, likelihoods, max, colour=INK)
    _curves(right, rates, min)
    left.set(xlabel="EM steps", ylabel="log likelihood of a target word")
    right.set(xlabel="EM steps", ylabel="alignment error rate (0 is best)", ylim=(0, None))
    rise = "; ".join(f"{name} from {v[0]:.2f} to {v[-1]:.2f}, best {max(v):.2f}" for name, v in likelihoods.items())
    ends = "; ".join(
        f"{name} from {v[0]:.3f} down to {min(v):.3f}, at the end {v[-1]:.3f}" for name, v in rates.items()
    )
    return Picture(figure, f"Left, log likelihoods: {rise}. Right, alignment error rates: {ends}.")


def perplexities(orders: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Picture:
    """Perplexity against the order n of n-gram models, one curve for each text; the lowest of each is ringed."""
    figure, (axis,) = panels(width=5.4, height=3.4)
    _curves(axis, curves, min, orders)
    axis.set(xlabel="n", ylabel="perplexity", yscale="log", xticks=list(orders))
    told = "; ".join(f"{name} " + ", ".join(f"{value:.1f}" for value in values) for name, values in curves.items())
    return Picture(figure, f"Perplexity for n = {', '.join(map(str, orders))}: {told}.")


def _curves(
    axis: Axes,
    curves: Mapping[str, Sequence[float]],
    best: Callable,
    at: Sequence[int] | None = None,
    colour: str | None = None,
) -> None:
    """Lines with a legend; what is `best`, max or min, of each is ringed."""
    lines = {name: (range(len(values)) if at is None else at, values) for name, values in curves.items()}
    drawn = draw_lines(axis, lines, colour=colour)
    for name, (x, y) in lines.items():
        k, own = best(range(len(y)), key=y.__getitem__), drawn[name].get_color()
        axis.plot(x[k], y[k], "o", markersize=12, markerfacecolor="none", markeredgecolor=own)
    axis.legend(frameon=False)


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
