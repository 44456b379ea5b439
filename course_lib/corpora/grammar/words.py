"""Words that remember where they come from, and what that says about two sentences of one meaning."""

from collections.abc import Iterable

Source = tuple[int, str]  # (identity of a meaning node, which part of it)
Word = tuple[str, tuple[Source, ...]]


def phrase(text: str, *sources: Source) -> list[Word]:
    """The words of `text` (spaces or underscores between them), each from all of `sources`."""
    return [(word, sources) for word in text.replace("_", " ").split()]


def tidy(words: Iterable[Word]) -> list[Word]:
    """`words` without a comma that doubles another or stands before another mark or at the end."""
    kept: list[Word] = []
    for word in words:
        if kept and kept[-1][0] == "," and word[0] in ",.?":
            kept.pop()
        kept.append(word)
    if kept and kept[-1][0] == ",":
        kept.pop()
    return kept


def links(source: list[Word], target: list[Word]) -> set[tuple[int, int]]:
    """The pairs (i, j) such that source word i and target word j share a source in the meaning."""
    where: dict[Source, list[int]] = {}
    for j, (_, sources) in enumerate(target):
        for node in sources:
            where.setdefault(node, []).append(j)
    return {(i, j) for i, (_, sources) in enumerate(source) for node in sources for j in where.get(node, ())}


def positions(words: list[Word], node: object, *parts: str) -> list[int]:
    """The positions of the words that come from one of the `parts` of `node`."""
    wanted = {(id(node), part) for part in parts}
    return [i for i, (_, sources) in enumerate(words) if not wanted.isdisjoint(sources)]
