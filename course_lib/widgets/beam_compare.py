"""The same sentence searched with several beam sizes, as plain data: the best output of each, and all as one tree."""

from collections.abc import Iterable

from course_lib.search.beam import beam
from course_lib.search.hypothesis import Hypothesis
from course_lib.translator import Translator


def compared(translator: Translator, source: tuple, max_length: int, sizes: Iterable[int], **settings) -> list[dict]:
    """A row {k, text, log_p, score, length, finished, found, paths} for each beam size: its best output, how many were
    `found`, and `paths`, the tree of those as [parent, whether the best output goes there], parents first.

    `settings` are those of `search.beam`. With stop="bound" a search ends with the best output, the only one found.
    """
    rows = []
    for k in sizes:
        n_best = 1 if settings["stop"] == "bound" else k
        outputs = beam(translator.model, *source, max_length, k, **settings, n_best=n_best)[0]
        best = outputs[0]
        row = {"k": k, "text": translator.written(best.words), "log_p": best.log_probability, "score": best.score}
        row |= {"length": best.length, "finished": best.finished, "found": len(outputs)}
        rows.append({**row, "paths": paths(outputs)})
    return rows


def paths(outputs: Iterable[Hypothesis]) -> list[list]:
    """The outputs, the best first, as one tree: a node for each beginning, [number of its parent, is it the best's]."""
    numbers: dict[tuple, int | None] = {(): None}
    nodes = []
    for rank, output in enumerate(outputs):
        words = (*output.words, *["end"] * output.finished)
        for length in range(1, len(words) + 1):
            if words[:length] not in numbers:
                numbers[words[:length]] = len(nodes)
                nodes.append([numbers[words[: length - 1]], not rank])
    return nodes
