"""The sentence map: texts as points in a plane, with those that are nearest in all dimensions; the reader's own too."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from course_lib.widgets.base import TraceWidget, front_end, one_line

MOST_TEXTS, MOST_GROUPS, NEIGHBOURS, OWN = 400, 6, 3, "yours"
Place = Callable[[str], tuple[ArrayLike, ArrayLike]]


class SentenceMap(TraceWidget):
    """`SentenceMap(texts, vectors, {"PCA": points}, groups)`: point at a text's point to read it.

    `vectors` (text, dimension) are what is shown, each of `maps` (text, 2) a plane in which they are shown. The nearest
    texts are those of the smallest Euclidean distance between the vectors, not between the points. `groups` names one
    group for each text; a group has a mark of its own. `place(text)` gives the vector and the point of a text of the
    reader's own: then there is one map. `at` is the chosen text, `plane` the map that is shown.

    Raises ValueError for fewer than 2 or more than 400 texts, more than 6 groups, numbers of things that differ, values
    that are no finite numbers, and `place` with several maps.
    """

    _esm, _css = front_end("sentence_map", root="lm-map")
    title = "Sentence map"
    height = 640

    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    groups = traitlets.List(traitlets.Unicode()).tag(sync=True)  # of each text
    maps = traitlets.Dict().tag(sync=True)  # {name: [[x, y] of each text]}
    near = traitlets.List().tag(sync=True)  # of each text the nearest: [[its number, distance], …]
    dimensions = traitlets.Int().tag(sync=True)
    plane = traitlets.Unicode().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    places = traitlets.Bool().tag(sync=True)  # whether the reader's own texts can be placed

    def __init__(
        self,
        texts: Sequence[str],
        vectors: ArrayLike,
        maps: Mapping[str, ArrayLike],
        groups: Sequence[str] | None = None,
        *,
        place: Place | None = None,
    ):
        groups = [""] * len(texts) if groups is None else list(groups)
        if not 2 <= len(texts) <= MOST_TEXTS:
            raise ValueError(f"texts must be from 2 to {MOST_TEXTS}, got {len(texts)}")
        if len(groups) != len(texts):
            raise ValueError(f"groups must name one group for each of the {len(texts)} texts, got {len(groups)}")
        if len(set(groups)) > MOST_GROUPS:
            raise ValueError(f"groups must be at most {MOST_GROUPS}, got {len(set(groups))}")
        if not maps or (place is not None and len(maps) > 1):
            raise ValueError(f"maps must be one or more, and with place just one, got {len(maps)}")
        self.vectors, self.place = _numbers("vectors", vectors, len(texts)), place
        points = {name: _numbers(f"maps[{name!r}]", given, len(texts), 2) for name, given in maps.items()}
        distances = np.linalg.norm(self.vectors[:, None] - self.vectors[None], axis=2)
        np.fill_diagonal(distances, np.inf)
        super().__init__(
            texts=list(texts),
            groups=groups,
            maps={name: _rounded(rows) for name, rows in points.items()},
            near=[_nearest(row) for row in distances],
            dimensions=self.vectors.shape[1],
            plane=next(iter(points)),
            places=place is not None,
        )

    def answer(self, *, text: str) -> None:
        """Place a text of the reader's own and choose it. Raises ValueError, and changes nothing, where it cannot."""
        text = one_line(text)
        if self.place is None:
            raise ValueError("this map takes no further texts")
        if len(self.texts) >= MOST_TEXTS:
            raise ValueError(f"a map holds at most {MOST_TEXTS} texts")
        if not text:
            raise ValueError("a text must have at least one word")
        vector, point = self.place(text)
        vector = _numbers("the vector", [vector], 1, self.dimensions)[0]
        point = _rounded(_numbers("the point", [point], 1, 2))
        given = self.vectors  # the reader's own texts are no neighbours
        with self.hold_sync():
            self.maps = {name: rows + point for name, rows in self.maps.items()}
            self.near = [*self.near, _nearest(np.linalg.norm(given - vector, axis=1))]
            self.groups, self.texts = [*self.groups, OWN], [*self.texts, text]
            self.at = len(self.texts) - 1


def _numbers(name: str, given: ArrayLike, rows: int, columns: int | None = None) -> np.ndarray:
    numbers = np.asarray(given, dtype=float)
    if numbers.ndim != 2 or len(numbers) != rows or columns not in (None, numbers.shape[1]):
        raise ValueError(f"{name} must have the shape ({rows}, {columns or 'dimension'}), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must hold finite numbers, got {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _nearest(distances: np.ndarray) -> list[list]:
    """The numbers of the nearest and their distances, nearest first."""
    order = np.argsort(distances, kind="stable")[:NEIGHBOURS]
    return [[int(k), round(float(distances[k]), 6)] for k in order if np.isfinite(distances[k])]


def _rounded(points: np.ndarray) -> list[list[float]]:
    return [[float(f"{value:.4g}") for value in point] for point in points]
