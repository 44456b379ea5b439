"""What a sentence shows, read off its meaning."""

from course_lib.corpora.grammar.meaning import (
    Both,
    Clause,
    Entity,
    Gap,
    Joined,
    Named,
    Place,
    Pronoun,
    Property,
    Utterance,
    Wh,
    nodes,
)


def features(meaning: Utterance) -> frozenset[str]:
    """Tags: "question", "relative", "object relative", a conjunction ("because", …), "that", "negation", "plural",
    "number", "compound", "adjectives", "possessive", "names", "pronoun", "coordination", "place", "comparison",
    "passive", the tenses and the modals."""
    found = {"question"} if meaning.question else set()
    for node in nodes(meaning):
        if isinstance(node, Joined):
            found.add(node.conjunction)
        elif isinstance(node, Clause):
            found.update(
                {
                    node.tense,
                    node.modal or "",
                    "negation" if node.negated else "",
                    "that" if node.content else "",
                    "passive" if node.passive else "",
                }
            )
            if isinstance(node.object, Gap):
                found.add("object relative")
        elif isinstance(node, Entity):
            tags = {
                "plural": node.plural,
                "number": node.count,
                "compound": node.modifier,
                "adjectives": node.adjectives,
            }
            tags |= {"possessive": node.owner, "relative": node.relative}
            found.update(tag for tag, value in tags.items() if value)
        elif isinstance(node, Property):
            found.update({"comparison"} if node.than else ())
        else:
            kinds = {Named: "names", Pronoun: "pronoun", Both: "coordination", Place: "place", Wh: "question"}
            found.add(kinds.get(type(node), ""))
    return frozenset(found - {""})
