"""The passive: which clauses have one in every language."""

from course_lib.corpora.grammar.de_forms import ACC
from course_lib.corpora.grammar.de_forms import verb_forms as german
from course_lib.corpora.grammar.en_forms import verb_forms as english
from course_lib.corpora.grammar.fr_forms import verb_forms as french
from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Both, Clause, Entity, Named, Pronoun, nodes

PASSIVE = frozenset(
    verb
    for verb, row in VERBS.items()
    if row.objects
    and row.frame.isdisjoint(("state", "bare"))
    and german(verb).case == ACC
    and not (german(verb).preposition or english(verb)["preposition"] or french(verb).preposition)
)


def has_passive(c: Clause) -> bool:
    """Whether one says it in the passive as well: somebody with a name or a noun does it to something.

    Not of "a", "no" or "never an" apple, whose negation would be another, and not where the object is said to be the
    subject's own ("her car was washed by Anna").
    """
    if c.verb not in PASSIVE or c.modal == "want" or c.frequency:
        return False
    if not isinstance(c.subject, (Entity, Named, Both)) or not isinstance(c.object, (Entity, Named, Pronoun)):
        return False
    if getattr(c.subject, "relative", None):
        return False  # what follows would be taken for a part of it
    own = {id(node) for node in nodes(c.subject)}
    if any(isinstance(node, Pronoun) and id(node.antecedent) in own for node in nodes(c.object)):
        return False
    definite = not isinstance(c.object, Entity) or c.object.owner or c.object.determiner in ("the", "this")
    return bool(definite or not c.negated)
