"""The figures of lecture 07: positional encodings."""

import math

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from course_lib.plots.picture import INK, Picture, panels
from course_lib.transformer import sinusoidal

COLOURS = "cividis"  # from dark to light, for every reader alike


def positional_encoding(length: int = 20, d_model: int = 512) -> Picture:
    """PE of the first `length` positions: as the paper lays them out, and with all sines before all cosines.

    Left, PE(pos, 2i) is a sine and PE(pos, 2i + 1) a cosine (Vaswani et al. 2017, section 3.5). Right, the same numbers
    in the order of Alammar's well-known picture of 20 × 512 (2018; Liu and Malykh 2022). Raises ValueError for a length
    below 2, and for a d_model that is odd or below 2.
    """
    if length < 2 or d_model < 2 or d_model % 2:
        raise ValueError(f"length must be at least 2 and d_model even, got {length} and {d_model}")
    table = sinusoidal(length, d_model).numpy()
    halves = np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)
    figure, axes = panels(2, width=5.2, height=3.4)
    for axis, values, title in zip(
        axes, (table, halves), ("sines and cosines in turn", "sines, then cosines"), strict=True
    ):
        axis.grid(visible=False)
        axis.imshow(values, cmap=COLOURS, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        axis.set(title=title, xlabel="dimension", ylabel="position")
        axis.yaxis.get_major_locator().set_params(integer=True)
        axis.title.set_fontsize(10)
    bar = figure.colorbar(ScalarMappable(Normalize(-1, 1), COLOURS), ax=axes, label="value", ticks=[-1, 0, 1])
    bar.solids.set_rasterized(True)
    bar.outline.set_visible(False)
    bar.ax.tick_params(color=INK)
    waves, slowest = (length - 1) / (2 * math.pi), table[-1, -2].item()
    return Picture(
        figure,
        f"Positional encodings of {length} positions in {d_model} dimensions, twice: sines and cosines in turn, and "
        f"all sines before all cosines. The fastest sine makes {waves:.1f} waves, "
        f"the slowest only rises to {slowest:.4f}.",
    )
