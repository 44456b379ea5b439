"""Words that remember where they come from, and what that says about two sentences of one meaning.

A source is a node of the meaning and a part of it: "noun", "tense", "verb". A word that only helps to say the part, the
"for" of "wait for" or the "de" of "pomme de terre", comes from a side part, "verb:for" or "noun:de".
"""

from collections.abc import Iterable

Source = tuple[int, str]  # (identity of a meaning node, which part of it)
Word = tuple[str, tuple[Source, ...]]
Links = set[tuple[int, int]]


def aside(source: Source, what: str) -> Source:
    """The side part of a source that the word `what` says."""
    return source[0], f"{source[1]}:{what}"


def phrase(text: str, *sources: Source, head: int = 0) -> list[Word]:
    """The words of `text`, spaces or underscores between them: the word at `head` from `sources`, the others beside it.

    Words marked by "/" and a label ("last/1 week/2") are linked with the words of the same label in other languages.
    """
    parts = text.replace("_", " ").split()
    words: list[Word] = []
    for i, part in enumerate(parts):
        word, _, label = part.partition("/")
        whole = not label and i == head % len(parts)
        words.append((word, sources if whole else tuple(aside(source, label or word) for source in sources)))
    return words


def tidy(words: Iterable[Word]) -> list[Word]:
    """`words` without a comma that doubles another or stands before another mark or at the end."""
    kept: list[Word] = []
    for word in words:
        if kept and kept[-1][0] == "," and word[0] in ",.?":
            comma = kept.pop()
            word = (word[0], word[1] or comma[1]) if word[0] == "," else word
        kept.append(word)
    if kept and kept[-1][0] == ",":
        kept.pop()
    return kept


def sure_links(source: list[Word], target: list[Word]) -> Links:
    """The pairs (i, j) such that source word i and target word j say the same part of the meaning."""
    return _links(source, target, lambda part: part)


def possible_links(source: list[Word], target: list[Word]) -> Links:
    """The sure links, and those of words that help to say the same part."""
    return _links(source, target, lambda part: (part[0], part[1].partition(":")[0]))


def _links(source: list[Word], target: list[Word], same) -> Links:
    where: dict[object, list[int]] = {}
    for j, (_, sources) in enumerate(target):
        for part in sources:
            where.setdefault(same(part), []).append(j)
    return {(i, j) for i, (_, sources) in enumerate(source) for part in sources for j in where.get(same(part), ())}


def positions(words: list[Word], node: object, *parts: str) -> list[int]:
    """The positions of the words that come from one of the `parts` of `node`."""
    wanted = {(id(node), part) for part in parts}
    return [i for i, (_, sources) in enumerate(words) if not wanted.isdisjoint(sources)]
