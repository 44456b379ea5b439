"""Drawing clauses that make sense: who can do what, with what, where and how."""

import random
from dataclasses import replace

from course_lib.corpora.grammar.lexicon import ADJECTIVES, NOUNS, VERBS, Verb, nouns_of, selects
from course_lib.corpora.grammar.meaning import (
    Clause,
    Entity,
    Gap,
    Participant,
    Place,
    Pronoun,
    Property,
    Speaker,
)
from course_lib.corpora.grammar.participants import MOVABLE, Participants
from course_lib.corpora.grammar.rates import RATES, Rates
from course_lib.corpora.grammar.selection import (
    DESCRIBABLE,
    SIZES,
    adjectives_of,
    adverbs,
    at_home,
    dutiful,
    gradable,
    manners,
    measures,
    peers,
    separable,
    taking_objects,
    verbs_at,
    verbs_by,
    verbs_done_to,
)
from course_lib.corpora.grammar.together import (
    BEARING,
    CONSUMING,
    INVOLUNTARY,
    LASTING,
    MAKING,
    STATIONARY,
    UNHAPPENED,
    WITNESSING,
)
from course_lib.corpora.grammar.voice import has_passive

GAP = Gap()
FOOD = frozenset(("food", "fruit", "vegetable", "nut", "drink", "fodder", "dish"))
STANDING = nouns_of("pet", "person", "bird")
UNRELATED = tuple(noun for noun in STANDING if NOUNS[noun].classes.isdisjoint(("kin", "relation")))  # "there is a man"
PERSONAL = tuple(a for a in ADJECTIVES if not ADJECTIVES[a].selects.isdisjoint(("person", "adult")))


def placed(np: Participant) -> bool:
    """Whether a participant says where it is: the dog in the garden."""
    return isinstance(np, Entity) and np.place is not None


class Clauses(Participants):
    """Draws clauses; `depth` bounds the recursion of relative clauses."""

    def __init__(self, rng: random.Random, held: bool = False, rates: Rates = RATES):
        super().__init__(rng, held, rates)
        self.used: set[str] = set()  # the verbs of this utterance
        self.relatives = 0  # how many relative clauses were asked for

    def verb(self, options: tuple[str, ...], depth: int = 0) -> str:
        """One of `options`, the frequent ones more often, if possible one that the utterance does not have yet."""
        if depth > 1:
            options = taking_objects(options)
        if self.often(self.rates.separable):
            options = separable(options) or options
        verb = self.weighted("verb", options)
        if verb in self.used:
            verb = self.pick(tuple(verb for verb in options if verb not in self.used) or options)
        self.used.add(verb)
        return verb

    def tense(self, verb: Verb) -> str:
        """A tense that suits the verb."""
        draw = self.random()
        if "past" in verb.frame:
            return "past" if draw < 0.85 or verb.concept in INVOLUNTARY else "future"
        if "state" in verb.frame:
            return "present" if draw < 0.7 else "past"
        if "once" in verb.frame:
            draw *= 0.87
        return "present" if draw < 0.4 else "past" if draw < 0.75 else "future" if draw < 0.87 else "habit"

    def clause(
        self,
        verb: str,
        depth: int,
        tense: str | None = None,
        subject: Participant | None = None,
        object: Participant | None = None,
        simple: bool = False,
    ) -> Clause:
        """A clause of `verb` with sensible participants; `simple` leaves out adverbs, modals and negation."""
        frame = VERBS[verb]
        tense = tense or self.tense(frame)
        subject = subject or self.subject(frame, depth - 1 if depth > 1 else depth if self.chance(0.5) else 0)
        if placed(subject) and (tense == "habit" or verb not in STATIONARY):
            subject = replace(subject, place=None)  # not "the man in the kitchen climbed a volcano"
        if tense == "habit" and isinstance(subject, Entity) and subject.plural and not subject.count:
            subject = replace(subject, determiner="the")  # "foxes" of foxes in general is "les renards"
        if frame.objects and object is None:
            plain = "to" in frame.frame or verb in (*MAKING, *UNHAPPENED) or tense == "habit"
            object = self.object(frame, subject, 0 if plain else depth)
            if verb in MAKING and isinstance(object, Entity):
                object = replace(object, adjectives=(), place=None)  # nobody writes the old book on the table
            if tense == "habit" and isinstance(object, Entity) and not FOOD.isdisjoint(NOUNS[object.noun].classes):
                object = Entity(  # not the same apple every day
                    object.noun, "mass" not in NOUNS[object.noun], "a", modifier=object.modifier
                )
            ends = verb in CONSUMING or not frame.frame.isdisjoint(("once", "past"))
            if ends and isinstance(object, Entity) and object.relative:  # "ate what he bought", not "buys"
                object = replace(object, relative=replace(object.relative, tense="past"))
        recipient = self.recipient(subject) if "to" in frame.frame else None
        place = None
        if "goal" in frame.frame:
            place = self.goal()
        elif not frame.frame.isdisjoint(("place", "still")) or (
            depth > 1
            and frame.places
            and not getattr(object, "relative", None)
            and not placed(subject)
            and not isinstance(subject, Pronoun)
            and self.chance(0.5)
        ):
            place = self.place(frame, subject, depth)
        clause = Clause(verb, subject, object, recipient, place, tense=tense)
        return clause if simple else self.voiced(self.enriched(clause, frame))

    def voiced(self, clause: Clause) -> Clause:
        """The clause, perhaps in the passive."""
        passive = self.rates.passive > 0 and has_passive(clause) and self.often(self.rates.passive)
        return replace(clause, passive=True) if passive else clause

    def recipient(self, subject: Participant) -> Participant:
        """Who gets it."""
        if not isinstance(subject, Speaker) and self.often(self.rates.pronoun_recipient):
            return self.speaker()
        return self.named() if self.chance(0.35) else self.someone()

    def enriched(self, clause: Clause, frame: Verb) -> Clause:
        """The clause with a negation, a modal, a place or adverbs, as far as they go together."""
        tense, tags = clause.tense, frame.frame
        thing = clause.object
        some = isinstance(thing, Entity) and (
            thing.determiner in ("some", "many") or (thing.determiner == "a" and (thing.relative or thing.count))
        )
        negated = not some and self.chance(0.16)
        modal = place = time = frequency = manner = None
        if "can" in tags and tense in ("present", "past") and self.chance(0.25):
            animal = isinstance(clause.subject, Entity) and "person" not in NOUNS[clause.subject.noun]
            free = animal or "simple" in tags or not dutiful(clause.verb)
            modal = self.pick(("can", "want") if free else ("can", "want", "must"))
            negated = negated and modal != "must"
        heavy = any(isinstance(np, Entity) and np.relative for np in (clause.subject, clause.object))
        rate = 0.3 if tense in ("past", "future") else 0.0 if modal or "simple" in tags else 0.12
        rate = 0.0 if "state" in tags else rate  # not "knew him on Monday"
        if tense == "habit" and negated:
            frequency = "often"
        elif tense == "habit" and self.chance(0.6):
            frequency = self.pick(tuple(a for a in adverbs("frequency", tense) if a != "never" or not some))
        elif tense == "habit" or (not heavy and self.chance(rate * self.rates.times)):
            lasting = clause.verb in LASTING and not negated
            time = self.pick(adverbs("time", tense) + (adverbs("period", tense) if lasting else ()))
        if not heavy and not negated:
            if (
                clause.place is None
                and frame.places
                and not placed(clause.subject)
                and self.chance(0.35 * self.rates.places)
            ):
                place = self.place(frame, clause.subject)
            if tags & {"fast", "care", "skill", "quiet", "loud"} and not frequency and self.chance(0.2):
                manner = self.pick(manners(tags))
        if not (place or time or frequency or manner or modal or negated):
            return clause
        return replace(
            clause,
            place=place or clause.place,
            time=time,
            frequency=frequency,
            manner=manner,
            modal=modal,
            negated=negated and frequency != "never",
        )

    def relative(self, noun: str, depth: int) -> Clause | None:
        """A clause with a gap for `noun` as its subject or its object; None if nothing new can be said of it."""
        self.relatives += 1
        if verbs_at(noun) and self.chance(0.4 if depth < 2 else 0.1):
            verb = self.verb(verbs_at(noun))
            subject = self.subject(VERBS[verb], 0)
            if isinstance(subject, Entity) and not at_home(subject.noun, noun) and "person" in VERBS[verb].subjects:
                subject = self.someone()
            if placed(subject):
                subject = replace(subject, place=None)
            tense = "past" if "past" in VERBS[verb].frame or self.chance(0.4) else "present"
            clause = self.clause(verb, 0, tense, subject, simple=True)
            return replace(clause, place=Place("at", GAP))
        done = tuple([v for v in verbs_done_to(noun) if v not in self.used])
        if done and (not verbs_by(noun) or self.chance(0.5 if depth < 2 else 0.25)):
            verb = self.verb(done)
            witnessed = verb in WITNESSING and self.chance(0.5)  # not "sings in the church that he is building"
            tense = "present" if witnessed or "state" in VERBS[verb].frame else "past"
            subject = self.subject(VERBS[verb], depth // 3)
            if isinstance(subject, Entity) and subject.noun == noun:
                subject = self.named("adult" in VERBS[verb].subjects) if "person" in NOUNS[noun] else None
            return self.clause(verb, depth, tense, subject, GAP, simple=verb in MAKING or self.chance(0.8))
        doing = tuple([v for v in verbs_by(noun) if v not in self.used])
        if doing:
            verb = self.verb(taking_objects(doing))  # not "the goat that slept ran"
            lasts = "state" in VERBS[verb].frame or verb in BEARING  # not "the boy who is eating runs"
            tense = "present" if lasts and self.chance(0.6) else "past"
            return self.clause(verb, depth, tense, subject=GAP, simple=True)
        if not adjectives_of(noun):
            return None
        tense = "past" if self.chance(0.3) else "present"
        adjective = self.weighted("adjective", adjectives_of(noun))
        degree = "very" if gradable(adjective) else "plain"
        return Clause("be", GAP, property=Property(adjective, degree), tense=tense)

    def copula(self, depth: int) -> Clause:
        """The soup is very hot; the dog is bigger than the cat; the cup is on the table."""
        tense = "present" if self.chance(0.65) else "past"
        if self.chance(0.25):
            return self.located(tense)
        if self.chance(0.25):
            return self.personal(tense)
        noun = self.noun(DESCRIBABLE)
        subject = self.entity(noun, depth, determiner="the" if self.chance(0.9) else "this", rate=0.0)
        if subject.relative and subject.relative.property:
            subject = replace(subject, relative=None)  # not "the tree that is big is big"
        owner = None if subject.owner else self.owner(noun)
        compared = measures(noun) if self.chance(0.9) else ()
        if not owner:  # not "the chair is bigger than the bed", but than Anna's chair
            compared = tuple(adjective for adjective in compared if adjective not in SIZES)
        adjective = self.weighted("adjective", compared or adjectives_of(noun))
        others = tuple(other for other in peers(noun) if selects(adjective, other))
        than = None
        if compared and adjective in SIZES:
            than = Entity(noun, owner=owner)
        elif compared and others:
            than = self.entity(self.noun(others), plural=False, determiner="the", rate=0.1, bare=True)
        if than:
            return Clause("be", subject, property=Property(adjective, "more", than), tense=tense)
        degree = "very" if gradable(adjective) and self.chance(0.3) else "plain"
        negated = degree == "plain" and self.chance(0.2)
        return Clause("be", subject, property=Property(adjective, degree), tense=tense, negated=negated)

    def personal(self, tense: str) -> Clause:
        """I am hungry; Anna was very sad."""
        adjective = self.weighted("adjective", PERSONAL)
        if ADJECTIVES[adjective].rank == 4:  # who was old is old
            tense = "present"
        subject = self.speaker() if self.chance(0.6) else self.named(adult="adult" in ADJECTIVES[adjective].selects)
        negated = self.chance(0.2)
        degree = "very" if gradable(adjective) and not negated and self.chance(0.3) else "plain"
        return Clause("be", subject, property=Property(adjective, degree), tense=tense, negated=negated)

    def located(self, tense: str, exists: bool = False) -> Clause:
        """Something is somewhere; there is something somewhere."""
        things = nouns_of(*MOVABLE) if self.chance(0.5) else UNRELATED if exists else STANDING
        thing = self.entity(self.noun(things), determiner="a" if exists else "the", bare=True)
        negated = thing.count is None and self.chance(0.15)
        return Clause("exist" if exists else "be", thing, place=self.spot(thing.noun), tense=tense, negated=negated)
