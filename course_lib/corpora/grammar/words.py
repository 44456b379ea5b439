"""Words that remember where they come from, and what that says about two sentences of one meaning.

A source is a node of the meaning and a part of it: "noun", "tense", "verb". A word that only helps to say the part, the
"for" of "wait for" or the "de" of "pomme de terre", comes from a side part, "verb:for" or "noun:de".
"""

from collections.abc import Iterable
from functools import cache

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
    if text.isalpha() or not text:
        return [(text, sources)] if text else []
    return [
        (word, sources if side is None else tuple(aside(source, side) for source in sources))
        for word, side in _split(text, head)
    ]


@cache
def _split(text: str, head: int) -> tuple[tuple[str, str | None], ...]:
    """The words of a phrase, each with the name of its side part, the head with None."""
    parts = [part.partition("/") for part in text.replace("_", " ").split()]
    return tuple(
        (word, None if not label and i == head % len(parts) else label or word)
        for i, (word, _, label) in enumerate(parts)
    )


def also(words: list[Word], source: Source, at: int = 0) -> list[Word]:
    """`words`, of which that at `at` has one more source."""
    word, sources = words[at]
    return [*words[:at], (word, (*sources, source)), *words[at:][1:]]


def bare(words: list[Word], node: object) -> list[Word]:
    """The words of a noun phrase without its article, beside which the noun then stands alone."""
    return also(words[1:], (id(node), "determiner:bare"))


def tidy(words: Iterable[Word]) -> list[Word]:
    """`words` without a comma that doubles another or stands before another mark or at the end."""
    kept: list[Word] = []
    after_comma = False
    for word in words:
        text = word[0]
        if after_comma and text in ",.?":
            comma = kept.pop()
            word = (text, word[1] or comma[1]) if text == "," else word
        kept.append(word)
        after_comma = text == ","
    if after_comma:
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
