"""German verbs: the finite one and its companions, in the order of a main clause or of a clause's end."""

from course_lib.corpora.grammar.de_forms import finite, verb_forms
from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Clause
from course_lib.corpora.grammar.words import Word, aside

MODALS = {"can": "können", "must": "müssen", "want": "wollen"}


def verb_group(c: Clause, person: int, plural: bool, last: bool) -> list[Word]:
    """The verbs: the finite one first, its companions after it; in the order of the sentence's end if `last`."""
    tense, main = (id(c), "tense"), (id(c), "verb")
    forms = verb_forms(c.verb)
    past = c.tense in ("past", "ongoing")
    if c.passive:
        return _passive(c, person, plural, past, last)
    if c.modal:
        modal = (id(c), "modal")
        auxiliary, rest = (
            (finite(MODALS[c.modal], person, plural, past), (aside(tense, "verb"), modal)),
            forms.infinitive,
        )
    elif c.tense == "future":
        auxiliary, rest = (finite("werden", person, plural), (tense,)), forms.infinitive
    elif past and not VERBS[c.verb].lasts:
        auxiliary, rest = (finite(forms.auxiliary, person, plural), (tense,)), forms.participle
    else:
        word, source = finite(c.verb, person, plural, past), (aside(tense, "verb"), main)
        if last:
            return [(forms.particle + word, source)]
        return [(word, source), *([(forms.particle, (aside(main, "particle"),))] if forms.particle else [])]
    return [(rest, (main,)), auxiliary] if last else [auxiliary, (rest, (main,))]


def _passive(c: Clause, person: int, plural: bool, past: bool, last: bool) -> list[Word]:
    """wird gegessen, wurde gegessen, wird gegessen werden, kann gegessen werden."""
    tense, participle = (id(c), "tense"), (verb_forms(c.verb).participle, ((id(c), "verb"),))
    werden = [("werden", (aside(tense, "be"),))] if c.modal or c.tense == "future" else []
    auxiliary = (finite("werden", person, plural, past and c.tense != "future"), (tense,))
    if c.modal:
        auxiliary = (finite(MODALS[c.modal], person, plural, past), (aside(tense, "verb"), (id(c), "modal")))
    return [participle, *werden, auxiliary] if last else [auxiliary, participle, *werden]
