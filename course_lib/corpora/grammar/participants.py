"""Drawing participants: names, noun phrases with what belongs to them, and places."""

import random
from bisect import bisect
from dataclasses import replace

from course_lib.corpora.grammar import names
from course_lib.corpora.grammar.lexicon import ADJECTIVES, COMPOUNDS, NOUNS, Verb, nouns_of
from course_lib.corpora.grammar.meaning import Both, Entity, Named, Participant, Place, Pronoun, Speaker
from course_lib.corpora.grammar.rates import RATES, Rates
from course_lib.corpora.grammar.selection import (
    adjectives_of,
    at_home,
    cumulative_weights,
    modifiable,
    partners,
    strangers,
)
from course_lib.corpora.grammar.together import ENDS, IN_PLACE

MOVABLE = ("dishes", "text", "fruit", "key", "lamp", "cat", "toy", "hat", "camera")  # what lies on tables
OF_ADULTS = (
    "husband",
    "wife",
    "son",
    "daughter",
    "grandson",
    "granddaughter",
    "nephew",
    "niece",
    "colleague_m",
    "colleague_f",
)
SPOTS = ("outdoors", "room", "forest", "street")
ASIDE = ("treelike", "house", "furniture", "vehicle", "wall")  # what one can be behind, in front of or next to


def neutral(noun: str) -> str:
    """The concept without its sex: English has one word for both."""
    return noun.removesuffix("_m").removesuffix("_f")


class Participants:
    """Draws participants; `held` takes the rare names from those held out.

    The relative clauses come from a subclass: `relative(noun, depth)`.
    """

    def __init__(self, rng: random.Random, held: bool = False, rates: Rates = RATES):
        self.random = rng.random
        self.rates = rates
        self.held = held
        self.genders: dict[tuple[int, bool], str] = {}
        self.actors: set[str | int] = set()  # who does something in this utterance

    def pick(self, options):
        """One of `options`."""
        return options[int(self.random() * len(options))]

    def noun(self, options: tuple[str, ...]) -> str:
        """One of these nouns, the frequent ones more often."""
        return self.weighted("noun", options)

    def actor(self, options: tuple[str, ...]) -> str:
        """One of these nouns, if possible one that does nothing else in the utterance: not the man and the man."""
        noun = self.noun(options)
        for _ in range(4):
            if not self.acts(noun):
                break
            noun = self.noun(options)
        self.actors.add(neutral(noun))
        return noun

    def acts(self, noun: str) -> bool:
        """Whether the utterance has this noun, or its feminine or masculine, as an actor already."""
        return neutral(noun) in self.actors

    def weighted(self, kind: str, options: tuple[str, ...]) -> str:
        """One of these nouns, verbs or adjectives, the frequent ones more often."""
        weights = cumulative_weights(kind, options)
        return options[bisect(weights, self.random() * weights[-1])]

    def speaker(self, person: int | None = None, plural: bool = False) -> Speaker:
        """I, you or we."""
        if person is None:
            person, plural = self.pick(((1, False), (2, False), (1, True)))
        if (person, plural) not in self.genders:  # one gender throughout a sentence
            self.genders[person, plural] = "f" if self.chance(0.5) else "m"
        return Speaker(person, plural, self.genders[person, plural])

    def chance(self, probability: float) -> bool:
        """True with `probability`."""
        return self.random() < probability

    def often(self, rate: float) -> bool:
        """True with the probability of a rate; a rate of 0 draws no number."""
        return rate > 0 and self.random() < rate

    def named(self, adult: bool = False) -> Named:
        """Anna, or Mr or Mrs and a rare name."""
        if adult or self.held or self.chance(0.4):
            return Named(names.rare(self.random, self.held), "m" if self.chance(0.5) else "f", title=True)
        return Named(*self.pick(names.FIRST))

    def town(self) -> Named:
        """A town with a rare name."""
        return Named(names.rare(self.random, self.held), "t")

    def adjectives(self, noun: str, rate: float) -> tuple[str, ...]:
        """No, one or two adjectives; of two, one stands before and one after a French noun."""
        if not self.chance(rate):
            return ()
        options = adjectives_of(noun)
        if not options:
            return ()
        first = self.weighted("adjective", options)
        others = partners(noun, first)
        if others and self.chance(0.3):
            return tuple(sorted((first, self.weighted("adjective", others)), key=lambda a: ADJECTIVES[a].rank))
        return (first,)

    def entity(
        self,
        noun: str,
        depth: int = 0,
        plural: bool | None = None,
        determiner: str | None = None,
        owner: Participant | None = None,
        rate: float = 0.35,
        bare: bool = False,
    ) -> Entity:
        """A noun phrase around `noun`; `bare` leaves out all that could follow the noun."""
        classes = NOUNS[noun].classes
        mass, paired = "mass" in classes, "paired" in classes
        if plural is None:
            plural = self.chance(0.22)
        plural = paired or (plural and not mass and "one" not in classes)
        if determiner is None:
            draw = self.random()
            determiner = "the" if draw < 0.55 else "this" if draw < 0.6 and not mass else "a"
        if owner is None and ("kin" in classes or ("relation" in classes and determiner != "a")):
            owner, determiner = self.relative_of(noun, bare), "the"
        count = None
        if plural and not paired and owner is None and determiner != "this" and self.chance(0.3):
            count = 2 + int(self.random() ** 2 * 11)
        elif plural and owner is None and determiner == "a" and self.chance(0.4):
            determiner = "some" if self.chance(0.6) else "many"
        modifier = self.pick(COMPOUNDS[noun]) if noun in COMPOUNDS and self.chance(0.4) else None
        adjectives = self.adjectives(noun, min(rate, 0.15) if modifier else rate)
        relative = place = None
        free = owner is None and not bare and not mass
        if free and depth > 0 and modifiable(noun) and self.chance(min(0.72, 0.15 + 0.14 * depth)):
            relative = self.relative(noun, depth - 1)
            if relative:  # not "the dirty spoon that Anna washed"
                adjectives = tuple(adjective for adjective in adjectives if ENDS.get(relative.verb) != adjective)
            adjectives = () if relative and relative.property else adjectives  # not "the high hedge that is high"
        elif free and determiner == "the" and self.chance(0.08):
            owner = self.owner(noun)
        if not (bare or owner or relative) and determiner == "the" and self.chance(0.06 + 0.04 * depth):
            place = self.spot(noun)
        return Entity(noun, plural, determiner, adjectives, count, modifier, owner, place, relative)

    def relative_of(self, noun: str, bare: bool) -> Participant:
        """Whose brother, friend or neighbour it is."""
        if bare or self.chance(0.65):
            draw = self.random()
            return self.speaker(1, draw < 0.2 and noun not in ("husband", "wife")) if draw < 0.85 else self.speaker(2)
        if self.chance(0.6):
            return self.named()
        return Entity(self.noun(strangers(adult=noun in OF_ADULTS)))  # not "the girl's husband"

    def spot(self, noun: str) -> Place | None:
        """Where `noun` may be: on the table, in the garden, behind the house."""
        if noun in nouns_of(*MOVABLE):
            relation, options = "on", nouns_of("furniture")
        elif noun not in nouns_of("pet", "person", "bird"):
            return None
        elif self.chance(0.5):
            relation, options = "at", tuple(spot for spot in nouns_of(*SPOTS) if at_home(noun, spot))
        else:
            relation, options = self.pick(("behind", "in_front_of", "next_to")), nouns_of(*ASIDE)
        ground = self.entity(self.noun(options), plural=False, determiner="the", rate=0.2, bare=True)
        if relation == "on" and "surface" not in NOUNS[ground.noun]:
            relation = "in"
        elif relation == "on" and "roomy" in NOUNS[ground.noun] and self.chance(0.3):
            relation = "under"
        return Place(relation, ground)

    def owner(self, noun: str) -> Participant | None:
        """Whose it may be: things and pets belong to people."""
        if NOUNS[noun].classes.isdisjoint(("object", "pet", "farmed", "vehicle", "bicycle", "house", "kin")):
            return None
        if self.chance(0.3):
            return self.speaker(1, self.chance(0.3))
        if self.chance(0.3):
            return self.named()
        return self.entity(self.noun(nouns_of("person")), plural=False, determiner="the", rate=0.1, bare=True)

    def subject(self, verb: Verb, depth: int) -> Participant:
        """Somebody or something that can do it."""
        human = "person" in verb.subjects or "adult" in verb.subjects
        draw = self.random()
        if human and draw < 0.24:
            found = self.named("adult" in verb.subjects) if draw < 0.16 else self.speaker()
            known = found.name if isinstance(found, Named) else found.person
            if known not in self.actors:
                self.actors.add(known)
                return found
        if "person" in verb.subjects and draw < 0.32:
            first, second = self.someone(), self.named() if self.chance(0.5) else self.someone()
            return Both(first, second) if getattr(second, "noun", None) != first.noun else first
        determiner = "the" if self.chance(0.7) else None
        entity = self.entity(self.actor(nouns_of(*verb.subjects)), depth, determiner=determiner)
        if entity.plural and entity.determiner == "a" and not entity.count:
            return replace(entity, determiner=self.pick(("the", "some", "many")))  # not "foxes", of foxes in general
        return entity

    def someone(self) -> Entity:
        """A person in as few words as possible."""
        return self.entity(self.actor(nouns_of("person")), plural=False, determiner="the", rate=0.15, bare=True)

    def object(self, verb: Verb, subject: Participant, depth: int) -> Participant:
        """Something that it can be done to, perhaps the subject's own."""
        nouns = nouns_of(*verb.objects)
        noun = self.noun(nouns)
        if "person" in verb.objects and "person" in NOUNS[noun]:
            if self.chance(0.25):
                return self.named()
            if self.chance(0.1) and not isinstance(subject, Speaker):
                return self.speaker()
        if noun == "euro":
            return Entity(noun, plural=True, determiner="a", count=13 + int(self.random() ** 4 * 5000))
        for _ in range(3):
            if self.acts(noun):
                noun = self.noun(nouns)
        if "bare" in verb.frame:
            return Entity(noun)
        determiner = "the" if "definite" in verb.frame else None
        plural = "many" in verb.frame or None
        if "single" in verb.frame:  # one hat each
            plural = isinstance(subject, Both) or getattr(subject, "plural", False)
        owner = self.possessor(noun, subject) if "alien" not in verb.frame and self.chance(0.25) else None
        entity = self.entity(noun, depth, plural, determiner, owner)
        return entity if entity.place is None or verb.concept in IN_PLACE else replace(entity, place=None)

    def possessor(self, noun: str, subject: Participant) -> Participant | None:
        """The subject as the owner of `noun`, if that is sensible."""
        classes = NOUNS[noun].classes
        if classes.isdisjoint(("object", "clothes", "pet", "bicycle", "vehicle", "kin", "toy", "instrument")):
            return None
        if isinstance(subject, Speaker):
            return replace(subject)
        person = isinstance(subject, (Named, Both)) or (
            isinstance(subject, Entity) and not NOUNS[subject.noun].classes.isdisjoint(("male", "female", "kin"))
        )
        return Pronoun(subject) if person else None

    def place(self, verb: Verb, subject: Participant, depth: int = 0) -> Place | None:
        """Where it may happen."""
        if "place" in verb.frame and self.chance(0.5):
            return Place("at", self.town())
        options = nouns_of(*verb.places)
        if isinstance(subject, Entity) and "person" not in NOUNS[subject.noun]:
            options = tuple(noun for noun in options if at_home(subject.noun, noun))
        if not options:
            return None
        noun = self.noun(options)
        return Place("at", self.entity(noun, max(0, depth - 1), False, "the", rate=0.15, bare=depth < 2))

    def goal(self) -> Place:
        """Where one may go."""
        if self.chance(0.2):
            return Place("to", self.town())
        return Place(
            "to", self.entity(self.noun(nouns_of("goal")), plural=False, determiner="the", rate=0.1, bare=True)
        )
