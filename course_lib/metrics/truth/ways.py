"""Ways of saying a meaning that its language has, although the grammar draws one of them only.

German: a relative clause stands behind the verb at the end of a clause, or before it ("weil er den Ball, den du
suchst, rollt"); and "im" is "in dem".
"""

from collections.abc import Sequence

from course_lib.corpora.grammar.meaning import Clause, Entity, Node, nodes
from course_lib.corpora.grammar.words import Word, tidy

CONTRACTED = {"im": "in dem", "am": "an dem", "zum": "zu dem", "zur": "zu der", "vom": "von dem"}
CONTRACTED |= {"ins": "in das", "ans": "an das"}
SPLIT = {short: tuple(long.split()) for short, long in CONTRACTED.items()}
VERBAL = ("verb", "tense", "tense:verb", "tense:be", "modal")


def split(tokens: Sequence[str], language: str) -> list[str]:
    """The tokens, German contractions as two: "im" is "in dem"."""
    if language != "de":
        return list(tokens)
    return [word for token in tokens for word in SPLIT.get(token, (token,))]


def ways(meaning: Node, words: list[Word], language: str) -> list[list[Word]]:
    """The `words` of a meaning, contractions split, and if there is one, the other order of its relative clauses."""
    if language != "de":
        return [words]
    words = [(part, sources) for word, sources in words for part in SPLIT.get(word, (word,))]
    inner = embedded(meaning, words)
    return [words] if inner is words else [words, inner]


def embedded(meaning: Node, words: list[Word]) -> list[Word]:
    """The words with every relative clause before the verbs that end the clause of its noun."""
    for node in nodes(meaning):
        if isinstance(node, Clause):
            last = (np for np in (node.object, node.subject, node.place and node.place.ground))
            for np in last:
                if isinstance(np, Entity) and np.relative:
                    words = _before_the_verb(words, node, np.relative)
    return words


def _before_the_verb(words: list[Word], c: Clause, relative: Clause) -> list[Word]:
    """A, verbs, comma, relative clause, B → A, comma, relative clause, comma, verbs, B."""
    start = next((i for i, (_, sources) in enumerate(words) if (id(relative), "relative") in sources), None)
    if start is None:
        return words
    while start and words[start][0] != ",":
        start -= 1
    first = start
    verbal = {(id(c), part) for part in VERBAL}
    while first and not verbal.isdisjoint(words[first - 1][1]):
        first -= 1
    finite = {(id(c), "tense"), (id(c), "tense:verb")}
    if first == start or finite.isdisjoint(words[start - 1][1]):
        return words  # no verb of a clause that ends with its finite one
    inside = {id(node) for node in nodes(relative)}
    end = max(i for i, (_, sources) in enumerate(words) if any(node in inside for node, _ in sources)) + 1
    comma: Word = (",", ())
    return list(tidy([*words[:first], *words[start:end], comma, *words[first:start], *words[end:]]))
