"""French verbs: clitic pronouns, the finite verb, the infinitive or the agreeing participle."""

from course_lib.corpora.grammar.fr_forms import agreement, finite, participle, pronoun, verb_forms
from course_lib.corpora.grammar.lexicon import VERBS
from course_lib.corpora.grammar.meaning import Clause, Entity, Gap, Pronoun, Speaker, topic
from course_lib.corpora.grammar.words import Word, aside

MODALS = {"can": "pouvoir", "must": "devoir", "want": "vouloir"}


def clitics(c: Clause) -> list[Word]:
    """The pronouns that stand before their verb: me le, le lui."""
    words, to = [], c.recipient
    if isinstance(c.object, (Pronoun, Speaker)) and not c.passive:
        words = [(pronoun(c.object, "object"), ((id(c.object), "pronoun"),))]
    if isinstance(to, (Pronoun, Speaker)):
        said = [(pronoun(to, "recipient"), ((id(to), "pronoun"), (id(c), "to:clitic")))]
        words = said + words if isinstance(to, Speaker) else words + said
    return words


def verb_group(c: Clause, np: Entity | None) -> tuple[list[Word], list[Word]]:
    """(clitics and finite verb, clitics and infinitive or participle)."""
    me = id(c)
    tense, main = (me, "tense"), (me, "verb")
    forms = verb_forms(c.verb)
    person, plural, gender = agreement(topic(c), np)
    infinitive = [(forms.infinitive, (main,))]
    if c.passive:
        done_to = (participle(forms.infinitive, gender, plural), (main,))
        infinitive = [("être", (aside(tense, "be"),)), done_to]
    past = c.tense in ("past", "ongoing")
    done = c.modal == "must" or (c.modal == "can" and (c.negated or c.time))
    if c.tense == "past" and done:  # il a dû, il n'a pas pu, il a pu voler lundi; but parce qu'il devait
        modal = (participle(MODALS[c.modal]), ((me, "modal"),))
        return [(finite("avoir", person, plural), (tense,))], [modal, *clitics(c), *infinitive]
    if c.modal:
        modal = finite(MODALS[c.modal], person, plural, past)
        return [(modal, (aside(tense, "verb"), (me, "modal")))], [*clitics(c), *infinitive]
    if c.tense == "future":
        return [(finite("aller", person, plural), (tense,))], [*clitics(c), *infinitive]
    if c.passive and c.tense == "past" and not VERBS[c.verb].lasts:
        return [*clitics(c), (finite("avoir", person, plural), (tense,))], [("été", (aside(tense, "be"),)), done_to]
    if c.passive:
        return [*clitics(c), (finite("être", person, plural, past), (tense,))], [done_to]
    if c.tense == "past" and not VERBS[c.verb].lasts:
        if forms.auxiliary == "être":
            form = participle(forms.infinitive, gender, plural)
        elif isinstance(c.object, (Gap, Pronoun, Speaker)):
            _, many, kind = agreement(c.object, np)
            form = participle(forms.infinitive, kind, many)
        else:
            form = participle(forms.infinitive)
        return [*clitics(c), (finite(forms.auxiliary, person, plural), (tense,))], [(form, (main,))]
    return [*clitics(c), (finite(forms.infinitive, person, plural, past), (aside(tense, "verb"), main))], []
