"""A column for each word of a sentence: nodes and wires that are the same at every word, written once."""

from collections.abc import Callable, Sequence

from course_lib.diagrams.diagram import Node, word


class Columns:
    """Columns 1 to n for the words, with `before` and `after` more at the sides. In texts # is the word's number.

    `width` in columns, `times` 1 … n. The pitch is what the longest word needs, and not less than `pitch`. Raises
    ValueError for fewer than two words.
    """

    def __init__(self, words: Sequence[str], pitch: float = 1.5, before: int = 0, after: int = 0):
        if isinstance(words, str) or len(words) < 2:
            raise ValueError(f"words must be a list of at least two, got {words!r}")
        self.sentence = list(words)
        self.pitch = max(pitch, *(word("w", text, 0, 0).size[0] + 0.1 for text in words))
        self.times = range(1, len(words) + 1)
        self.before = before
        self.width = self.pitch * (len(words) + before + after) + 0.1

    def column(self, t: float) -> float:
        """The column of word t; 0 is the one before the first."""
        return round(self.pitch * (t - 0.5 + self.before), 2)

    def row(
        self, make: Callable[..., Node], id: str, text: str, row: float, name: str = "", by: float = 0, **more: object
    ) -> list[Node]:
        """A node for each word: `id`1, `id`2, …, called "`name` at the"; `by` columns beside the middle."""
        return [
            make(f"{id}{t}", text.replace("#", str(t)), self.column(t) + by, row, f"{name} at {said}", **more)
            for t, said in zip(self.times, self.sentence, strict=True)
        ]

    def words(self, row: float) -> list[Node]:
        """The words themselves, w1, w2, …"""
        return [word(f"w{t}", said, self.column(t), row) for t, said in zip(self.times, self.sentence, strict=True)]

    def wires(self, text: str, first: int = 1) -> str:
        """The same wires at each word, from the `first` on."""
        return "; ".join(text.replace("#", str(t)) for t in self.times[first - 1 :])

    def chain(self, id: str, backward: bool = False) -> str:
        """From each word's node to the next one's, or the other way round."""
        return " -- ".join(f"{id}{t}" for t in (reversed(self.times) if backward else self.times))
