"""ps8.modified_precision: n-grams of a hypothesis that its references have, clipped (Papineni et al. 2002)."""

from collections import Counter
from collections.abc import Callable
from functools import partial, reduce
from itertools import chain
from operator import add, and_, or_
from random import Random

from course_lib.grading.cases.isolate import alternate, first, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.metrics import bleu
from course_lib.problem_sets.ps8 import tokens as of_tokens
from course_lib.problem_sets.ps8.tokens import FORBIDDEN, References, Tokens, different, edited, pair


def reference(hypothesis: Tokens, references: References, n: int) -> tuple[int, int]:
    """(matched, total): Σ min(c_hypothesis, max_references c_reference) over the n-grams, and how many there are."""
    return bleu.clipped(hypothesis, references, n).total(), bleu.ngrams(hypothesis, n).total()


# Mistakes


def all_grams(tokens, n):
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


largest = partial(reduce, or_)


def number(hypothesis, references, grams, n):
    return len(grams(hypothesis, n))


def defined(
    hypothesis,
    references,
    n,
    grams=all_grams,
    together=largest,
    clip=min,
    total=number,
    choose=lambda references, hypothesis: references,
):
    most = together([Counter(grams(each, n)) for each in choose(references, hypothesis)])
    matched = sum(clip(count, most[gram]) for gram, count in Counter(grams(hypothesis, n)).items())
    return matched, total(hypothesis, references, grams, n)


wrong = versions(defined)


@mistake("words")
def total_before_matched(*given):
    """You return the total first. What matches comes first, then how many n-grams there are."""
    return defined(*given)[::-1]


@mistake("words")
def places_compared(hypothesis, references, n):
    """You compare the n-grams that stand at the same place. A match counts wherever it stands in the reference."""
    ours, theirs = all_grams(hypothesis, n), [all_grams(each, n) for each in references]
    same = [any(gram == other for other in others) for gram, *others in zip(ours, *theirs, strict=False)]
    return sum(same), len(ours)


last_n_gram_forgotten = wrong("words", grams=lambda tokens, n: all_grams(tokens, n)[:-1])(
    "The last n-gram is missing: a list of k words has k − n + 1 n-grams."
)


@mistake("words")
def found_in_the_text(hypothesis, references, n):
    """You count in the joined text, and so find 'a' inside 'cat', too. Compare whole words: count in lists."""
    texts, grams = [" ".join(each) for each in references], all_grams(hypothesis, n)
    times = Counter(" ".join(gram) for gram in grams)
    return sum(min(count, max(text.count(gram) for text in texts)) for gram, count in times.items()), len(grams)


def of_changed(change):
    """The n-grams of tokens that are changed before."""
    return lambda tokens, n: all_grams(change(tokens), n)


lower_cased = wrong("words", grams=of_changed(of_tokens.lower_cased))(
    "You take capital letters for small ones. Tokens are compared as they are: 'The' and 'the' are two."
)
signs_left_out = wrong("words", grams=of_changed(of_tokens.without_signs))(
    "You leave punctuation marks out. They are tokens like others."
)
signs_cut_off = wrong("words", grams=of_changed(of_tokens.with_signs_cut_off))(
    "You cut punctuation marks off: of '.' nothing is left, and so it matches '!'. Tokens are compared as they are."
)
words_in_place_of_n_grams = wrong("order", grams=lambda tokens, n: all_grams(tokens, 1))(
    "You count single words, whatever n is."
)
all_orders_up_to_n = wrong("order", grams=lambda tokens, n: [g for k in range(1, n + 1) for g in all_grams(tokens, k)])(
    "You count the n-grams of all orders up to n together. Those of n words alone are asked for."
)
order_of_the_words_ignored = wrong("order", grams=lambda tokens, n: [tuple(sorted(g)) for g in all_grams(tokens, n)])(
    "You take 'dog bites' and 'bites dog' for the same. The words of an n-gram stand in an order."
)
joined_without_a_space = wrong("order", grams=lambda tokens, n: ["".join(g) for g in all_grams(tokens, n)])(
    "You join the words of an n-gram without anything between them: 'no table' and 'not able' become the same. Compare "
    "tuples."
)
shorter_ones_at_the_end = wrong(
    "order", grams=lambda tokens, n: [tuple(tokens[i : i + n]) for i in range(len(tokens))]
)("Your last slices are shorter than n words. A list of k words has k − n + 1 n-grams, not k.")
not_clipped = wrong("clip", clip=lambda count, most: count if most else 0)(
    "You do not clip: an n-gram that the reference has once counts as often as the hypothesis repeats it."
)
each_n_gram_once = wrong("clip", clip=lambda count, most: min(count, most, 1))(
    "You count each n-gram once at most, as a set does. What the reference has twice may match twice."
)
counts_of_the_reference = wrong("clip", clip=lambda count, most: most)(
    "You count an n-gram as often as the reference has it, also where the hypothesis has it less often. Take the "
    "smaller of the two."
)
counts_of_all_references_added = wrong("references", together=partial(reduce, add))(
    "You clip by the sum of all references. An n-gram counts at most as often as in the one reference that has it most."
)
the_first_reference_alone = wrong("references", choose=lambda references, _: references[:1])(
    "You look at the first reference alone. Each n-gram may match in any of them."
)
the_last_reference_alone = wrong("references", choose=lambda references, _: references[-1:])(
    "You look at the last reference alone: does your loop overwrite what earlier references gave?"
)
only_what_all_references_have = wrong("references", together=partial(reduce, and_))(
    "You take the smallest of the references' counts. Take the largest: one reference that has the n-gram is enough."
)
references_put_together = wrong("references", choose=lambda references, _: [[*chain(*references)]])(
    "You put all references into one list. This adds up their counts, and makes n-grams where one ends and the next "
    "begins."
)


def overwritten(counters):
    """What the last of them says that has the n-gram."""
    return Counter({gram: count for counter in counters for gram, count in counter.items()})


counts_overwritten = wrong("references", together=overwritten)(
    "An n-gram has the count of the last reference that has it: your loop overwrites the counts of earlier references. "
    "Keep the larger one."
)
counts_of_the_first_that_has_it = wrong("references", together=lambda counters: overwritten(counters[::-1]))(
    "An n-gram has the count of the first reference that has it. A later one may have it more often: keep the larger "
    "count."
)


the_longest_reference_alone = wrong("references", choose=lambda references, _: [max(references, key=len)])(
    "You look at the longest reference alone. Each n-gram may match in any of them."
)
the_shortest_reference_alone = wrong("references", choose=lambda references, _: [min(references, key=len)])(
    "You look at the shortest reference alone. Each n-gram may match in any of them."
)
the_closest_reference_alone = wrong(
    "references",
    choose=lambda references, hypothesis: [min(references, key=lambda each: abs(len(each) - len(hypothesis)))],
)(
    "You look only at the reference whose length is closest to that of the hypothesis. This one counts for the brevity "
    "penalty; here each n-gram may match in any of them."
)


def best(references, hypothesis, n):
    return max(references, key=lambda each: defined(hypothesis, [each], n)[0])


@mistake("references")
def the_best_reference_alone(hypothesis, references, n):
    """You take the one reference that has the most matches. Each n-gram has a maximum of its own: one may match in this
    reference, another in that."""
    return defined(hypothesis, [best(references, hypothesis, n)], n)


@mistake("references")
def matches_of_each_reference_added(hypothesis, references, n):
    """You clip by each reference alone, and add up what matched: an n-gram that two references have counts twice."""
    matched = [defined(hypothesis, [each], n) for each in references]
    return sum(m for m, _ in matched), matched[0][1]


@mistake("references")
def nothing_beside_a_short_reference(hypothesis, references, n):
    """You find no match where one reference has fewer than n words. That one has no n-gram, but the others count all
    the same."""
    matched, total = defined(hypothesis, references, n)
    return 0 if min(map(len, references)) < n else matched, total


different_n_grams_counted = wrong("total", total=lambda h, r, grams, n: len(set(grams(h, n))))(
    "Your total counts each different n-gram once. Every place of the hypothesis has one: repeated ones count, too."
)
words_counted = wrong("total", total=lambda h, r, grams, n: len(h))(
    "Your total is the number of words. Of n-grams there are n − 1 fewer."
)
n_grams_of_the_reference = wrong("total", total=lambda h, r, grams, n: len(grams(r[0], n)))(
    "Your total is that of the first reference: this would be recall. Count the n-grams of the hypothesis."
)
below_zero = wrong("total", total=lambda h, r, grams, n: len(h) - n + 1)(
    "Your total is below 0 where the hypothesis has fewer than n − 1 words. It has no n-gram then: 0."
)
at_least_one = wrong("total", total=lambda h, r, grams, n: max(1, len(h) - n + 1))(
    "Your total is 1 where the hypothesis has no n-gram. It is 0: nothing is divided here."
)

nothing_where_the_references_are_too_short = wrong(
    "total", total=lambda h, r, grams, n: len(grams(h, n)) if max(map(len, r)) >= n else 0
)(
    "Your total is 0 where all references have fewer than n words. Then nothing matches, but the hypothesis has its "
    "n-grams all the same."
)


@changing("arguments", defined)
def matched_words_taken_out_of_the_reference(hypothesis, references, n):
    """You take words out of a reference that you are given. It belongs to the caller: work on a copy."""
    references[0][:] = [word for word in references[0] if word not in hypothesis]


@mistake("arguments")
def references_sorted_in_place(hypothesis, references, n):
    """You sort the list of references that you are given. It belongs to the caller: sorted(…) makes a new one."""
    references.sort(key=len)
    return defined(hypothesis, references, n)


@mistake("arguments")
def words_lower_cased_in_place(hypothesis, references, n):
    """You lower-case the words in the lists that you are given. They belong to the caller, and words are compared as
    they are."""
    of_tokens.lower_cased_in_place([hypothesis, *references])
    return defined(hypothesis, references, n)


@changing("arguments", defined)
def the_hypothesis_used_up(hypothesis, *others):
    """You take the words out of the hypothesis that you are given. It belongs to the caller: work on a copy."""
    hypothesis.clear()


# What a criterion sees


def exchangeable(function: Callable, case: Case) -> tuple:
    """The pair that a call returns; a right one in the wrong order, which is for "words", is put in order."""
    found = pair(function(*case.arguments))
    return found[::-1] if found[::-1] == defined(*case.arguments) else found


def matched(function: Callable, case: Case) -> Parts:
    return Parts({"matched": exchangeable(function, case)[0]})


def total(function: Callable, case: Case) -> Parts:
    return Parts({"total": exchangeable(function, case)[1]})


def in_order(function: Callable, case: Case) -> Parts:
    return Parts({"matched": pair(function(*case.arguments))[0]})


# Cases


def case(hypothesis: Tokens, references: References, n: int) -> Case:
    lengths = ", ".join(str(len(each)) for each in references)
    many = "s" * (len(references) != 1)
    return Case(
        (hypothesis, references, n), f"{len(hypothesis)} words, {len(references)} reference{many} of {lengths}, n = {n}"
    )


OF_WORDS = places_compared, last_n_gram_forgotten
OF_FORMS = lower_cased, signs_left_out, signs_cut_off
INSIDE = (
    ("a", "cat"),
    ("the", "there"),
    ("an", "man"),
    ("he", "then"),
    ("at", "later"),
    ("old", "cold"),
    ("here", "where"),
)
OF_ORDER = (
    *(words_in_place_of_n_grams, all_orders_up_to_n, order_of_the_words_ignored, joined_without_a_space),
    shorter_ones_at_the_end,
)
OF_CLIP = not_clipped, each_n_gram_once, counts_of_the_reference
OF_REFERENCES = (
    *(counts_of_all_references_added, the_first_reference_alone, the_last_reference_alone),
    *(only_what_all_references_have, references_put_together, the_best_reference_alone),
    *(matches_of_each_reference_added, counts_overwritten, counts_of_the_first_that_has_it),
    nothing_beside_a_short_reference,
)
OF_TOTAL = (
    *(different_n_grams_counted, words_counted, n_grams_of_the_reference, below_zero, at_least_one),
    nothing_where_the_references_are_too_short,
)
OF_ONE = (
    *(the_first_reference_alone, the_last_reference_alone, the_best_reference_alone, the_longest_reference_alone),
    *(the_shortest_reference_alone, the_closest_reference_alone),
)
ALL = (*OF_WORDS, *OF_FORMS, found_in_the_text, *OF_ORDER, *OF_CLIP, *OF_REFERENCES)
showing = isolating(defined, ALL, case)
shows = partial(showing, probe=matched, apart=False)
shows_totals = partial(isolating(defined, OF_TOTAL, case), probe=total, apart=False)


@shows(*OF_WORDS, free=(found_in_the_text,))
def draw_words(rng: Random, size: int) -> tuple:
    """Different words, of which some are those of the reference, the last among them."""
    tokens = different(rng, 4 + size // 4)
    return tokens, [rng.sample(edited(rng, tokens[:-1], 1 + size // 6) + tokens[-1:], len(tokens))], 1


@shows(found_in_the_text, free=OF_WORDS)
def draw_inside(rng: Random, size: int) -> tuple:
    """A word of the hypothesis is a part of a longer word of the reference."""
    part, longer = INSIDE[(size // 2 + rng.randrange(2)) % len(INSIDE)]
    tokens = different(rng, 3 + size // 4, (part, longer))
    other = edited(rng, tokens, 1)
    return rng.sample([*tokens, part], len(tokens) + 1), [rng.sample([*other, longer], len(other) + 1)], 1


@shows(*OF_FORMS, free=(*OF_WORDS, found_in_the_text))
def draw_forms(rng: Random, size: int) -> tuple:
    """The same words, of which two have a capital letter in one text alone; signs that match, and others."""
    hypothesis, text = of_tokens.in_two_forms(rng, 4 + size // 4)
    return hypothesis, [text], 1


SOME = last_n_gram_forgotten, places_compared, found_in_the_text


@shows(words_in_place_of_n_grams, all_orders_up_to_n, shorter_ones_at_the_end, free=SOME)
def draw_order(rng: Random, size: int) -> tuple:
    """Different words in two orders, of which the last few are in one."""
    tokens, n = different(rng, 6 + size // 4), 2 + size // 3 % 3
    return tokens, [rng.sample(tokens[:-n], len(tokens) - n) + tokens[-n:]], n


@shows(order_of_the_words_ignored, free=(*SOME, words_in_place_of_n_grams, all_orders_up_to_n))
def draw_turned(rng: Random, size: int) -> tuple:
    """Two neighbours exchanged; the sentences end in other words."""
    tokens = different(rng, 5 + size // 4)
    at = rng.randrange(len(tokens) - 2)
    turned = [*tokens[:at], tokens[at + 1], tokens[at], *tokens[at + 2 : -1], *different(rng, 1, tokens)]
    return tokens, [turned], 2


CUT = ("no", "table", "not", "able"), ("an", "other", "ano", "ther"), ("in", "side", "ins", "ide")
CUT = *CUT, ("a", "way", "aw", "ay"), ("to", "day", "tod", "ay"), ("some", "one", "so", "meone")


@shows(joined_without_a_space, free=(*SOME, words_in_place_of_n_grams, all_orders_up_to_n))
def draw_joined(rng: Random, size: int) -> tuple:
    """The same letters, cut into two words in two ways."""
    a, b, c, d = rng.choice(CUT)
    words = different(rng, 4 + size // 4, (a, b, c, d))
    at = rng.randrange(len(words) - 1)
    other = [*words[:-1], *different(rng, 1, (*words, a, b, c, d))]
    return [*words[:at], a, b, *words[at:]], [[*other[:at], c, d, *other[at:]]], 2


def repeating(rng: Random, n: int, ours: int, theirs: int) -> tuple:
    """An n-gram that the hypothesis has so often and the reference so often, among other words."""
    gram = different(rng, n)
    sentences = []
    for times in (ours, theirs):
        others = different(rng, times + 2, gram)
        parts = [[word] for word in others[:2]] + [[*gram, word] for word in others[2:]]
        sentences.append([word for part in rng.sample(parts, len(parts)) for word in part])
    hypothesis, reference = sentences
    return hypothesis, [reference], n


FREE = (*SOME, *OF_ORDER)


@shows(not_clipped, each_n_gram_once, counts_of_the_reference, free=FREE)
def draw_clip(rng: Random, size: int) -> tuple:
    """One n-gram that the hypothesis has more often, and one that the reference has more often; both at least twice."""
    n = 1 + size // 2 % 2
    h, (r,), _ = repeating(rng, n, 3 + size % 2, 2)
    other_h, (other_r,), _ = repeating(rng, n, 2, 3)
    return h + other_h, [r + other_r], n


@shows(not_clipped, free=(*FREE, each_n_gram_once))
def draw_repeated(rng: Random, size: int) -> tuple:
    """A hypothesis of one word, again and again: Papineni's "the the the the the the the"."""
    word = rng.choice(("the", "a"))
    others = different(rng, 4 + size // 6, ("the", "a"))
    return [word] * (4 + size % 4), [rng.sample([word] * 2 + others, len(others) + 2)], 1


REFERENCES = (
    *(counts_of_all_references_added, the_first_reference_alone, the_last_reference_alone),
    *(only_what_all_references_have, the_best_reference_alone, matches_of_each_reference_added),
    *(counts_overwritten, counts_of_the_first_that_has_it),
)
OF_LENGTH = the_longest_reference_alone, the_shortest_reference_alone, the_closest_reference_alone


@shows(*REFERENCES, references_put_together, free=(*FREE, *OF_CLIP, *OF_LENGTH))
def draw_references(rng: Random, size: int) -> tuple:
    """Two words that the hypothesis has more often than any reference, not more often than all of them together.

    The first reference has the one most, the last reference the other.
    """
    one, two, *others = different(rng, 10)
    texts = [[one, two, *rng.sample(others[:6], 3)] for _ in range(2 + size // 4 % 2)]
    texts[0].append(one)
    texts[-1].append(two)
    hypothesis = [one, two] * 3 + rng.sample(others, 5)
    return rng.sample(hypothesis, len(hypothesis)), [rng.sample(each, len(each)) for each in texts], 1


@shows(*OF_ONE, free=(*FREE, *OF_CLIP, *REFERENCES, references_put_together))
def draw_one_of_four(rng: Random, size: int) -> tuple:
    """References with unequally many words of the hypothesis; each has one that no other has.

    The first, the longest, the shortest and the closest are four; the best is the first or the longest in turn, and
    the last one is another each time.
    """
    turn = size // 4 % 2
    words = different(rng, 8)
    others = different(rng, 20, words)
    shares = [4, 1, 2, 3] if turn else [3, 4, 1, 2]  # of the first, the longest, the shortest and the closest
    longer = {1: 12, 2: 5, 3: 8}  # longest, shortest, closest
    order = [0, 1, 3, 2] if turn else [0, 2, 1, 3]
    texts = []
    for k in order:
        ours = [words[k], *rng.sample(words[4:], shares[k] - 1)]
        length = longer.get(k, 10)
        texts.append(rng.sample(ours + others[: length - len(ours)], length))
    return words, texts, 1


@shows(references_put_together, free=(*FREE, *OF_CLIP, *REFERENCES, *OF_LENGTH))
def draw_seam(rng: Random, size: int) -> tuple:
    """The hypothesis has what the end of one reference and the beginning of the next would make together."""
    one, two = different(rng, 4), different(rng, 4)
    return [*different(rng, 2), *one[-2:], *two[:2]], [one, two], 2


@shows(nothing_beside_a_short_reference, free=(*FREE, *OF_CLIP, *REFERENCES, *OF_LENGTH, references_put_together))
def draw_short_reference(rng: Random, size: int) -> tuple:
    """Two references, of which one has fewer than n words, and the other one matches."""
    n = 2 + size // 4 % 2
    tokens = different(rng, 4 + n)
    return tokens, rng.sample([tokens[: n - 1], edited(rng, tokens, 1)], 2), n


@shows_totals(different_n_grams_counted, words_counted, n_grams_of_the_reference)
def draw_total(rng: Random, size: int) -> tuple:
    """A repeated n-gram, n > 1, and references of other lengths."""
    h, texts, n = repeating(rng, 2 + size // 5 % 2, 2, 1)
    return h, [*texts, different(rng, len(h) + 1)][: 1 + size // 4 % 2], n


@shows_totals(words_counted, below_zero, free=(at_least_one, n_grams_of_the_reference))
def draw_short(rng: Random, size: int) -> tuple:
    """Too short for an n-gram by two words or more."""
    n = rng.choice((3, 4))
    return different(rng, rng.randint(1, n - 2)), [different(rng, n + 1)], n


@shows_totals(words_counted, at_least_one, free=(n_grams_of_the_reference,))
def draw_just_short(rng: Random, size: int) -> tuple:
    """Too short for an n-gram by one word."""
    n = rng.choice((2, 3, 4))
    return different(rng, n - 1), [different(rng, n + rng.randint(0, 2))], n


@shows_totals(nothing_where_the_references_are_too_short, words_counted, n_grams_of_the_reference)
def draw_short_references(rng: Random, size: int) -> tuple:
    """One or two references, too short for an n-gram, of a hypothesis that is not."""
    n = rng.choice((2, 3))
    references = [different(rng, rng.randint(1, n - 1)) for _ in range(1 + size // 4 % 2)]
    return different(rng, n + rng.randint(1, 3)), references, n


def draw_left(rng: Random, size: int) -> Case:
    return case(*of_tokens.in_no_order(rng, 5 + size // 4), 1 + size % 2)


TASK = task(
    __name__,
    "Modified precision",
    criteria=(
        criterion("words", 0.5, alternate(draw_words, draw_inside, draw_forms), in_order, visible=6)(
            "What matches comes first: single words as they are, one reference, n = 1."
        ),
        criterion("order", 1, alternate(draw_order, draw_turned, draw_joined), matched, visible=6)(
            "n-grams are n words next to each other, in their order."
        ),
        criterion("clip", 1, alternate(draw_clip, draw_repeated), matched, visible=4)(
            "An n-gram counts at most as often as the reference has it, and as often as the hypothesis has it."
        ),
        criterion(
            "references",
            1,
            alternate(draw_references, draw_one_of_four, draw_short_reference, draw_seam),
            matched,
            visible=7,
        )("Of several references the one counts that has the n-gram most, for each n-gram alone."),
        criterion(
            "total",
            0.5,
            first(
                case([], [["a", "cat"]], 1), alternate(draw_total, draw_short, draw_just_short, draw_short_references)
            ),
            total,
            visible=5,
        )("The total is the number of all n-grams of the hypothesis; 0 if it is too short for one."),
        arguments(0.5, draw_left)("The hypothesis and its references are afterwards as they were."),
    ),
    forbidden=FORBIDDEN,
)
