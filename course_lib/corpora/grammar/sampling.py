"""Drawing whole sentences: statements and questions, clauses joined by time and reason, what somebody says."""

import random
from dataclasses import replace

from course_lib.corpora.grammar.clauses import Clauses
from course_lib.corpora.grammar.lexicon import NOUNS, VERBS, nouns_of
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Joined,
    Named,
    Participant,
    Place,
    Pronoun,
    Property,
    Utterance,
    Wh,
)
from course_lib.corpora.grammar.rates import RATES, Rates
from course_lib.corpora.grammar.readable import frontable, readable
from course_lib.corpora.grammar.selection import (
    ACTIONS,
    DESCRIBABLE,
    DITRANSITIVE,
    HABITS,
    PLAIN,
    REASONABLE,
    RELATABLE,
    adjectives_of,
    animate,
    decides,
    dutiful,
    gradable,
    grown,
    pronominal,
    purposeful,
    purposes,
    verbs_after,
    verbs_by,
    verbs_with,
)
from course_lib.corpora.grammar.together import BESIDE, CHANGING, MAKING, SOUNDS, UNHOPED, WITNESSING

GROWN = frozenset(n for n in nouns_of("person") if pronominal(n))
PERSON_TO_PERSON = tuple(v for v in RELATABLE if "person" in VERBS[v].objects and "person" in VERBS[v].subjects)
WITHOUT_OBJECT = tuple(
    v for v in ACTIONS if not VERBS[v].objects and VERBS[v].frame.isdisjoint(("place", "still", "goal", "that"))
)


class Sampler(Clauses):
    """Draws utterances; `depth` bounds the recursion of relative and joined clauses."""

    def __init__(self, rng: random.Random, depth: int = 1, held: bool = False, rates: Rates = RATES):
        super().__init__(rng, held, rates)
        self.depth = depth

    def utterance(self) -> Utterance:
        """A sentence."""
        meaning = self.drawn()
        return readable(meaning) if self.relatives else meaning

    def drawn(self) -> Utterance:
        """A sentence, which may be hard to read."""
        self.relatives = 0
        self.used.clear()
        self.genders.clear()
        self.actors.clear()
        draw, depth = self.random(), self.depth
        if depth < 0:
            return self.brief()
        if draw < 0.12 and depth < 3:
            return self.question()
        if draw < 0.24:
            return Utterance(self.because(depth))
        if draw < 0.36 or (depth > 1 and draw < 0.7):
            return Utterance(self.joined(depth, "past" if self.chance(0.6) else "present"))
        clause = self.reporting(depth) if depth > 2 and draw < 0.85 else self.any_clause(depth)
        return Utterance(self.fronted(clause))

    def fronted(self, clause: Clause) -> Clause:
        """The clause, perhaps with its time or its place in front."""
        if clause.time and self.chance(self.rates.time_first):
            return replace(clause, time_first=True)
        if frontable(clause) and self.often(self.rates.place_first):
            return replace(clause, place_first=True)
        return clause

    def brief(self) -> Utterance:
        """A sentence of a handful of words."""
        draw = self.random()
        tense = self.pick(("present", "past", "future"))
        if draw < 0.15:
            return Utterance(self.personal(tense if tense != "future" else "past"))
        if draw < 0.25:
            noun, tense = self.noun(DESCRIBABLE), self.pick(("present", "past"))
            return Utterance(
                Clause(
                    "be", Entity(noun), property=Property(self.weighted("adjective", adjectives_of(noun))), tense=tense
                )
            )
        if draw < 0.4:
            drink = Entity(self.noun(nouns_of("drink")), determiner="a")
            return Utterance(Clause("drink", self.somebody(), drink, tense=tense))
        if draw < 0.55:
            verb = self.verb(PERSON_TO_PERSON)
            tense = "past" if "past" in VERBS[verb].frame else "present" if "state" in VERBS[verb].frame else tense
            return Utterance(Clause(verb, self.named("adult" in VERBS[verb].subjects), self.speaker(), tense=tense))
        verb = self.pick(WITHOUT_OBJECT) if self.chance(0.3) else self.verb(WITHOUT_OBJECT)
        tense = "past" if "past" in VERBS[verb].frame else tense
        if draw < 0.65 and "person" in VERBS[verb].subjects:
            return Utterance(Clause(verb, Wh("who"), tense=tense), "wh")
        subject = self.somebody("adult" in VERBS[verb].subjects) if self.chance(0.5) else None
        if subject is None or "person" not in VERBS[verb].subjects:
            subject = self.entity(self.noun(nouns_of(*VERBS[verb].subjects)), 0, None, "the", rate=0, bare=True)
        return Utterance(Clause(verb, subject, tense=tense))

    def somebody(self, adult: bool = False) -> Participant:
        """I, you, we, or somebody with a name."""
        return self.speaker() if self.chance(0.5) else self.named(adult)

    def because(self, depth: int) -> Joined:
        """The animal did not cross the street because it was too tired: the adjective decides who "it" is."""
        if self.chance(0.2):
            return self.purpose()
        verb = self.verb(REASONABLE)
        frame = VERBS[verb]
        role, positive, adjective = self.pick(frame.reasons)
        actor = self.noun(nouns_of(*frame.subjects))
        thing = self.noun(nouns_of(*frame.objects)) if frame.objects else None
        if (role == "S" and not pronominal(actor)) or self.acts(actor):
            return self.because(depth)
        if not (decides(adjective, actor, thing) if role == "S" else decides(adjective, thing, actor)):
            return self.because(depth)
        animal = "animal" in NOUNS[actor]
        several = self.chance(0.12)
        if role == "S" and not animal and self.chance(0.3):
            subject: Participant = self.named("adult" in frame.subjects)
        else:
            determiner = "the" if several or self.chance(0.85) else "a"
            rate = 0.0 if role == "S" else 0.12  # not "the happy man cried because he was sad"
            subject = self.entity(actor, plural=several and role == "S", determiner=determiner, rate=rate, bare=True)
        target = None
        if thing:
            determiner = "the" if role == "O" or self.chance(0.6) else "a"
            rate = 0.0 if role == "O" or verb in MAKING else 0.12  # not "bought the old coat because it was old"
            target = self.entity(thing, plural=several and role == "O", determiner=determiner, rate=rate, bare=True)
        tense = "past" if self.chance(0.7) or "past" in frame.frame else "present"
        place = self.goal() if "goal" in frame.frame else None
        if not frame.frame.isdisjoint(("place", "still")):
            place = self.place(frame, subject)
        modal = None
        if not positive and not animal and "simple" not in frame.frame and self.chance(0.25):
            modal = "want"
        elif not positive and "can" in frame.frame and self.chance(0.3):
            modal = "can"
        degree = "too" if not positive else "very" if gradable(adjective) and self.chance(0.4) else "plain"
        antecedent = subject if role == "S" else target
        reason = Clause("be", Pronoun(antecedent), property=Property(adjective, degree), tense=tense)
        main = Clause(verb, subject, target, place=place, tense=tense, modal=modal, negated=not positive)
        return Joined("because", main, reason)

    def purpose(self) -> Joined:
        """Anna went to the kitchen because she wanted to sing: one wants to do what is done there."""
        place = self.pick(purposeful())
        wanted = self.verb(purposes(place))
        subject: Participant = self.named()
        if self.chance(0.6):
            subject = self.entity(self.noun(grown(wanted)), plural=False, determiner="the", rate=0.12, bare=True)
        tense = "past" if self.chance(0.7) else "present"
        goal = Place("to", self.entity(place, plural=False, determiner="the", rate=0.1, bare=True))
        main = Clause(self.pick(("go", "come_back")), subject, place=goal, tense=tense)
        lasting = "ongoing" if tense == "past" else tense  # parce qu'elle devait, not "a dû"
        reason = replace(self.clause(wanted, 0, tense, Pronoun(subject), simple=True), place=None, tense=lasting)
        return Joined(
            "because", main, replace(reason, modal=self.pick(("want", "must") if dutiful(wanted) else ("want",)))
        )

    def reporting(self, depth: int) -> Clause:
        """Anna thinks that …"""
        verb = self.verb(verbs_with("that"))
        subject = self.subject(VERBS[verb], depth - 1 if self.chance(0.3) else 0)
        content = self.hoped(depth - 1) if verb == "hope" else self.content(depth - 1)
        past = "past" in VERBS[verb].frame
        if past and isinstance(content, Clause) and content.tense == "future":  # nobody noticed what will happen
            content = replace(content, tense="past", time=None)
        return Clause(verb, subject, content=content, tense="past" if past else "present")

    def hoped(self, depth: int) -> Clause:
        """What somebody hopes: nothing bad."""
        clause = self.any_clause(depth)
        while clause.verb in UNHOPED:
            clause = self.any_clause(depth)
        return replace(clause, modal=None)

    def content(self, depth: int) -> Clause | Joined:
        """What somebody thinks: a clause, perhaps with its reason or its time."""
        if depth > 0 and self.chance(0.3):
            return self.because(depth) if self.chance(0.5) else self.joined(1, "past", ("while", "when"))
        return self.any_clause(depth)

    def any_clause(self, depth: int) -> Clause:
        """Some clause."""
        draw = self.random()
        if draw < 0.14 and depth < 3:
            return self.copula(depth)
        if draw < 0.2 and depth < 3:
            return self.located("present" if self.chance(0.6) else "past", exists=True)
        if draw < 0.27 and depth > 0:
            return self.reporting(depth)
        ditransitive = self.often(self.rates.ditransitive)
        return self.clause(self.verb(DITRANSITIVE if ditransitive else PLAIN, depth), depth)

    def joined(self, depth: int, tense: str, options: tuple[str, ...] = ("and", "but", "while", "when")) -> Joined:
        """Two clauses, or more with depth; the second may speak of the first one's subject or object."""
        conjunction = self.pick(options)
        first: Clause | Joined
        if conjunction in ("and", "but") and depth > 1 and self.chance(0.6):
            first = self.joined(depth - 1, tense, ("while", "when"))
            second = self.clause(self.verb(ACTIONS, depth), depth - 1, tense, simple=True)
        elif conjunction == "when" and tense == "present":
            first = self.clause(self.verb(HABITS), depth - 1, "habit", simple=True)
            first = replace(first, frequency=self.pick(("always", "often", "sometimes", "rarely")))
            second = self.clause(self.verb(HABITS), depth - 1, "habit", simple=True)
        else:
            first = self.clause(self.verb(ACTIONS, depth), depth - 1, tense, simple=True)
            second = self.sequel(first, depth - 1, tense, conjunction)
        instant = conjunction == "while" and not VERBS[second.verb].frame.isdisjoint(("simple", "state"))
        if instant and (tense == "past" or "and" in options):
            conjunction = "when" if tense == "past" else "and"  # not "while he finds it"
        elif conjunction == "while" and tense == "past":
            second = replace(second, tense="ongoing")
        subordinate = conjunction == "when" or (conjunction == "while" and not instant)
        pronouns = isinstance(second.subject, Pronoun) or isinstance(second.object, Pronoun)
        return Joined(conjunction, first, second, subordinate and not pronouns and self.chance(0.4))

    def sequel(self, first: Clause, depth: int, tense: str, conjunction: str) -> Clause:
        """A second clause; a pronoun in it stands for the first's object or, with "and" and "while", its subject."""
        subject, thing = first.subject, first.object
        alone = thing is None or (
            isinstance(thing, Entity)
            and not thing.relative
            and NOUNS[thing.noun].classes.isdisjoint(("person", "animal"))
        )
        if alone and isinstance(subject, Entity) and pronominal(subject.noun) and not first.recipient:
            options = tuple([verb for verb in verbs_by(subject.noun) if verb in SOUNDS])
            if options and conjunction in ("and", "while") and first.verb in BESIDE and self.chance(0.5):
                return self.clause(self.verb(options), depth, tense, Pronoun(subject), simple=True)
        if alone and isinstance(thing, Entity) and first.verb not in CHANGING:
            options = tuple([verb for verb in verbs_after(thing.noun) if verb != first.verb])
            if tense == "present" or conjunction in ("while", "when"):  # at one time: not "sits on what I am selling"
                options = tuple([verb for verb in options if verb in WITNESSING])
            if self.often(2 * self.rates.ditransitive):
                options = tuple([verb for verb in options if verb in DITRANSITIVE]) or options
            if options and conjunction != "but" and self.chance(0.5):
                second = self.clause(self.verb(options), depth, tense, object=Pronoun(thing), simple=True)
                human = isinstance(subject, Named) or (isinstance(subject, Entity) and subject.noun in GROWN)
                if human and second.recipient and self.often(self.rates.pronoun_recipient):
                    return replace(second, recipient=Pronoun(subject))
                return second
        return self.clause(self.verb(ACTIONS, depth), depth, tense, simple=True)

    def question(self) -> Utterance:
        """Whether, who, what, why, where."""
        draw, verb = self.random(), self.verb(RELATABLE)
        frame = VERBS[verb]
        tense = self.tense(frame)
        if draw < 0.1:
            return Utterance(self.copula(0), "whether")
        if draw < 0.55 and draw > 0.35 and "person" in frame.subjects:
            return Utterance(self.clause(verb, 0, tense, subject=Wh("who"), simple=True), "wh")
        if draw < 0.75 and draw > 0.35:
            people = set(frame.objects) <= {"person", "kin", "infant"}
            if people or not animate(verb):
                return Utterance(self.clause(verb, 0, tense, object=Wh("who" if people else "what"), simple=True), "wh")
        clause = self.clause(verb, 0, tense, simple=True)
        if draw < 0.7:
            return Utterance(clause, "whether")
        return Utterance(clause, "where" if frame.places and draw > 0.85 else "why")
