"""What makes a sentence hard to read, taken out of its meaning: relative clauses in relative clauses, times after them.

- A relative clause has at most one other in it, that in one place of the sentence only, and not in its middle: "the
  apple that the woman that the man sees ate".
- A time that would stand after a relative clause ("the market that she knows on Sunday") would be taken for its time:
  it stands in front of its main clause, and is left out of a subordinate one.
"""

from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Clause, Entity, Joined, Node, Utterance, nodes, rebuilt


def readable(meaning: Utterance) -> Utterance:
    """The meaning without what makes its sentence hard to read; itself if nothing does."""
    if nesting(meaning) > 1 and (cut := {id(np): {"relative": None} for np in too_deep(meaning)}):
        meaning = rebuilt(meaning, cut)
    moved = {}
    for node in nodes(meaning):
        if type(node) is Clause and node.time and not node.time_first and relative_after_verb(node):
            moved[id(node)] = {"time_first": True} if main(meaning.content, node) else {"time": None}
    return rebuilt(meaning, moved) if moved else meaning


def nesting(node: Node) -> int:
    """How many relative clauses are in one another, at the deepest place below `node`."""
    depth, level = 0, relatives_of(node)
    while level:
        depth, level = depth + 1, [inner for np in level for inner in relatives_of(np.relative)]
    return depth


def relatives_of(node: Node) -> list[Entity]:
    """The noun phrases below `node` with a relative clause, those inside of relative clauses left out."""
    found = [np for np in nodes(node) if type(np) is Entity and np.relative]
    if len(found) < 2:
        return found
    inner = {id(below) for np in found for below in nodes(np.relative)}
    return [np for np in found if id(np) not in inner]


def too_deep(meaning: Utterance) -> list[Entity]:
    """The noun phrases whose relative clause is one too many; the first that ends another one is left."""
    second = [(np.relative.subject, inner) for np in relatives_of(meaning) for inner in relatives_of(np.relative)]
    middle = [inner for subject, inner in second if inner is subject]
    ends = [inner for subject, inner in second if inner is not subject]
    return middle + ends[1:] + [third for np in ends[:1] for third in relatives_of(np.relative)]


def relative_after_verb(c: Clause) -> bool:
    """Whether a relative clause stands between the verb and the end of the clause."""
    after = (c.subject if c.passive else c.object, c.recipient, None if c.place_first else c.place, c.property)
    return any(isinstance(node, Entity) and node.relative for np in after for node in nodes(np))


def frontable(c: Clause) -> bool:
    """Whether a main clause may begin with its place: "In the kitchen, he sang", not "In the hotel, he stayed"."""
    if c.place is None or c.place.relation == "to" or c.negated or c.verb in ("be", "exist"):
        return False
    return VERBS[c.verb].frame.isdisjoint(("still", "place"))


def main(content: Clause | Joined, c: Clause) -> bool:
    """Whether `c` is a main clause of the sentence."""
    if isinstance(content, Joined):
        return main(content.first, c) or (content.conjunction in ("and", "but") and content.second is c)
    return content is c
