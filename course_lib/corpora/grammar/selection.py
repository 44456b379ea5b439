"""What goes with what: the adjectives of a noun, its verbs, the adverbs of a tense."""

from collections.abc import Iterable
from functools import cache
from itertools import accumulate

from course_lib.corpora.grammar.lexicon import ADJECTIVES, ADVERBS, NOUNS, VERBS, nouns_of, selects
from course_lib.corpora.grammar.together import CHANGING, SPENT

COMPARABLE = {
    "big",
    "bulky",
    "tall",
    "small",
    "old",
    "young",
    "beautiful",
    "heavy",
    "expensive",
    "fast",
    "strong",
    "clever",
    "long",
}
SIZES = {"big", "bulky", "tall", "small", "heavy"}
CLASHES = {frozenset(pair.split()) for pair in ("old modern", "long short", "new broken", "good dry", "good hard")}


@cache
def adjectives_of(noun: str) -> tuple[str, ...]:
    """The adjectives that go with a noun."""
    return tuple(adjective for adjective in ADJECTIVES if selects(adjective, noun))


DESCRIBABLE = tuple(noun for noun in NOUNS if adjectives_of(noun))


@cache
def partners(noun: str, adjective: str) -> tuple[str, ...]:
    """The adjectives that can join `adjective`: of another rank, and on the other side of a French noun."""
    before = ADJECTIVES[adjective].cells["fr"].startswith("^")
    return tuple(
        other
        for other in adjectives_of(noun)
        if ADJECTIVES[other].cells["fr"].startswith("^") != before
        and ADJECTIVES[other].rank != ADJECTIVES[adjective].rank
        and frozenset((adjective, other)) not in CLASHES
    )


TABLES = {"noun": NOUNS, "verb": VERBS, "adjective": ADJECTIVES}


@cache
def cumulative_weights(kind: str, concepts: tuple[str, ...]) -> list[float]:
    """The running sums of the concepts' weights: what a weighted draw looks its number up in."""
    return list(accumulate(TABLES[kind][concept].weight for concept in concepts))


@cache
def verbs_with(*frames: str) -> tuple[str, ...]:
    """The verbs whose frame has one of `frames`."""
    return tuple(concept for concept, verb in VERBS.items() if not verb.frame.isdisjoint(frames))


def taking_objects(verbs: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `verbs` that take an object; all of them if none does."""
    return tuple([verb for verb in verbs if verb in TRANSITIVE]) or verbs


def separable(verbs: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `verbs` that German separates: ruft … an."""
    return tuple([verb for verb in verbs if verb in SEPARABLE])


SEPARABLE = frozenset(concept for concept, verb in VERBS.items() if "-" in verb.cells["de"].split()[0])
TRANSITIVE = frozenset(concept for concept, verb in VERBS.items() if verb.objects)
PLAIN = tuple(verb for verb in VERBS if verb not in ("be", "exist") and verb not in verbs_with("that"))
REASONABLE = tuple(verb for verb in PLAIN if VERBS[verb].reasons)
ACTIONS = tuple(verb for verb in PLAIN if VERBS[verb].frame.isdisjoint(("state", "past")))
DITRANSITIVE = tuple(verb for verb in PLAIN if verb in verbs_with("to"))
HABITS = tuple(verb for verb in ACTIONS if VERBS[verb].frame.isdisjoint(("once",)))
RELATABLE = tuple(verb for verb in PLAIN if verb not in verbs_with("obl") and VERBS[verb].objects)


def is_one(noun: str, classes: Iterable[str]) -> bool:
    """Whether `noun` belongs to one of `classes`."""
    return not NOUNS[noun].classes.isdisjoint(classes)


@cache
def verbs_by(noun: str) -> tuple[str, ...]:
    """The verbs that `noun` can be the subject of."""
    return tuple(verb for verb in PLAIN if is_one(noun, VERBS[verb].subjects))


@cache
def verbs_on(noun: str) -> tuple[str, ...]:
    """The verbs that `noun` can be the direct object of."""
    return tuple(verb for verb in RELATABLE if is_one(noun, VERBS[verb].objects))


@cache
def verbs_after(noun: str) -> tuple[str, ...]:
    """The verbs of what one can do to something that has just been told of."""
    unfit = {*CHANGING, "find", "look_for", "discover"}
    return tuple(verb for verb in verbs_on(noun) if verb in ACTIONS and verb not in unfit)


@cache
def verbs_done_to(noun: str) -> tuple[str, ...]:
    """The verbs of what was done to something that is still there."""
    return tuple(verb for verb in verbs_on(noun) if verb not in SPENT)


@cache
def verbs_at(noun: str) -> tuple[str, ...]:
    """The verbs of what is done at the place `noun`."""
    return tuple(verb for verb in PLAIN if is_one(noun, VERBS[verb].places))


@cache
def modifiable(noun: str) -> bool:
    """Whether something can be said of `noun` in a relative clause."""
    return bool(verbs_on(noun) or verbs_by(noun) or adjectives_of(noun))


@cache
def at_home(noun: str, place: str) -> bool:
    """Whether what `noun` says is ever at `place`: people anywhere, pets not in the wilds, other animals outdoors."""
    classes, outdoors = NOUNS[noun].classes, NOUNS[place].classes
    if "pet" in classes:
        return "wilds" not in outdoors
    if classes.isdisjoint(("wild", "farmed", "flying", "creature", "swimming")):
        return True
    return not outdoors.isdisjoint(("nature", "waters")) and not ("wilds" in outdoors and "farmed" in classes)


@cache
def dutiful(verb: str) -> bool:
    """Whether one may have to do it: to work, to wash something; not to dance or to order cake."""
    return verb == "work" or (bool(VERBS[verb].objects) and verb not in ("order", "throw", "steal"))


@cache
def purposes(place: str) -> tuple[str, ...]:
    """The verbs of what one may go to a place for."""
    wanted = (verb for verb in verbs_at(place) if "can" in VERBS[verb].frame or verb in ("work", "play", "dream"))
    wanted = (verb for verb in wanted if verb not in ("draw", "photograph", "wash"))  # one goes where the animal is
    return tuple(verb for verb in wanted if not {"person", "adult"}.isdisjoint(VERBS[verb].subjects))


@cache
def purposeful() -> tuple[str, ...]:
    """The places that one may go to for something."""
    return tuple(place for place in nouns_of("goal") if purposes(place))


@cache
def grown(verb: str) -> tuple[str, ...]:
    """The people that can do it and are said he or she of."""
    people = frozenset(nouns_of("person"))
    return tuple(n for n in nouns_of(*VERBS[verb].subjects) if n in people and pronominal(n))


@cache
def gradable(adjective: str) -> bool:
    """Whether "very" suits it: not colours, nor what is so or is not."""
    absolute = ("delicious", "broken", "round", "empty", "full", "famous", "precious")
    return ADJECTIVES[adjective].rank < 5 and adjective not in absolute


@cache
def pronominal(noun: str) -> bool:
    """Whether one says he, she or it of `noun` without a second thought, in English: not of a child or a baby."""
    return NOUNS[noun].classes.isdisjoint(("person", "infant")) or not NOUNS[noun].classes.isdisjoint(
        ("male", "female")
    )


@cache
def strangers(adult: bool) -> tuple[str, ...]:
    """The people that are nobody's kin or friend; no children among them if `adult`."""
    return tuple(n for n in nouns_of("person") if not is_one(n, ("kin", "relation", *(["child"] if adult else ()))))


@cache
def animate(verb: str) -> bool:
    """Whether people or animals are among the objects of `verb`, so that one cannot ask "what"."""
    living = nouns_of("person", "animal", "infant")
    return any(noun in living for noun in nouns_of(*VERBS[verb].objects))


@cache
def adverbs(kind: str, tense: str) -> tuple[str, ...]:
    """The adverbs of a kind that go with a tense."""
    return tuple(a for a, adverb in ADVERBS.items() if kind in adverb.kinds and adverb.tenses & {tense, "any"})


@cache
def manners(frame: frozenset[str]) -> tuple[str, ...]:
    """The adverbs of manner that suit a verb's frame."""
    return tuple(a for a, adverb in ADVERBS.items() if not adverb.kinds.isdisjoint(frame))


@cache
def peers(noun: str) -> tuple[str, ...]:
    """The nouns that `noun` can be compared with: animals with animals, furniture with furniture."""
    kinds = [
        kind
        for kind in ("person", "animal", "furniture", "vehicle", "building", "clothes", "fruit")
        if kind in NOUNS[noun]
    ]
    return tuple(other for other in nouns_of(*kinds) if other != noun)


@cache
def measures(noun: str) -> tuple[str, ...]:
    """The adjectives that `noun` is compared by."""
    return tuple(adjective for adjective in adjectives_of(noun) if adjective in COMPARABLE)


def decides(adjective: str, antecedent: str | None, other: str | None) -> bool:
    """Whether `adjective` can be said of `antecedent` and not of `other`: it then tells what "it" stands for."""
    if antecedent is None or not selects(adjective, antecedent):
        return False
    return other is None or not selects(adjective, other)
