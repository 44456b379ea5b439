"""ps8.chrf: an F-score over character n-grams (Popović 2015), as sacreBLEU computes it."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from math import prod
from random import Random
from string import ascii_letters

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion
from course_lib.metrics import chrf as library
from course_lib.problem_sets.ps8 import lent_bleu

Counts = tuple[list[int], list[int], list[int]]  # of each order: of the hypothesis, of the reference, matches
Drawn = tuple[list[str], list[str], float]
SIGNS = ".,;:!?-'"
LONGEST = 6
END = "\0"  # of a sentence, where several are one text


def reference(hypotheses: list[str], references: list[str], beta: float) -> float:
    """chrF_β of the corpus, in 0..100; `references[k]` is the one reference of `hypotheses[k]`."""
    return library.corpus_chrf(hypotheses, [[text] for text in references], beta=beta).score


# Mistakes


def without_whitespace(text):
    return ["".join(text.split())]


def ngrams(pieces, n):
    """The n-grams of each piece of a text, counted."""
    return Counter(piece[i : i + n] for piece in pieces for i in range(len(piece) - n + 1))


def both(h, r):
    return h > 0 and r > 0


def mean(shares):
    return sum(shares) / len(shares) if shares else 0.0


def f_score(p, r, beta):
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def fraction(a, b):
    return a / b if b else 0.0


def means_first(hypothesis, reference, matches, beta, count=both, average=mean, f=f_score):
    orders = [(h, r, m) for h, r, m in zip(hypothesis, reference, matches, strict=True) if count(h, r)]
    return f(average([fraction(m, h) for h, _, m in orders]), average([fraction(m, r) for _, r, m in orders]), beta)


def defined(
    hypotheses,
    references,
    beta,
    orders=range(1, LONGEST + 1),
    pieces=without_whitespace,
    clip=lambda h, r: (h & r).total(),
    total=Counter.total,
    score=means_first,
    scale=100.0,
):
    hypothesis, reference, matches = [], [], []
    for n in orders:
        counts = [[ngrams(pieces(text), n) for text in texts] for texts in (hypotheses, references)]
        hypothesis.append(sum(map(total, counts[0])))
        reference.append(sum(map(total, counts[1])))
        matches.append(sum(map(clip, *counts)))
    return scale * score(hypothesis, reference, matches, beta)


wrong = versions(defined)
from_0_to_1 = wrong("characters", scale=1.0)("Your score lies between 0 and 1. chrF is given in percent: times 100.")
five_orders = wrong("characters", orders=range(1, LONGEST))(
    "You stop at n-grams of five characters: range(1, 6) ends with 5. The longest have six."
)
the_longest_alone = wrong("characters", orders=range(LONGEST, LONGEST + 1))(
    "You count n-grams of six characters alone. All orders from 1 to 6 count alike."
)
single_characters_alone = wrong("characters", orders=range(1, 2))(
    "You count single characters alone. All orders from 1 to 6 count alike."
)
words_for_characters = wrong("characters", pieces=lambda text: [tuple(text.split())])(
    "Your n-grams are of words. chrF counts n-grams of characters."
)
geometric_mean = wrong(
    "characters", score=partial(means_first, average=lambda s: prod(s) ** (1 / len(s)) if s else 0.0)
)("You take the geometric mean over the orders, as BLEU does. chrF takes the arithmetic mean: add, then divide.")


@mistake("characters")
def counts_of_all_orders_added(hypotheses, references, beta):
    """You add up the counts of all orders and divide once. Divide in each order, then take the mean of the shares."""

    def pooled(*counts):
        return means_first(*([sum(each)] for each in counts[:3]), counts[3])

    return defined(hypotheses, references, beta, score=pooled)


capital_letters_lost = wrong("characters", pieces=lambda text: without_whitespace(text.lower()))(
    "You take capital letters for small ones. They are different characters."
)
signs_left_out = wrong("characters", pieces=lambda text: ["".join(letter for letter in text if letter.isalnum())])(
    "You leave punctuation marks out. They are characters like others; only whitespace does not count."
)
each_ngram_once = wrong("clipped", clip=lambda h, r: len(h & r), total=len)(
    "You count an n-gram once, however often it occurs: did you put n-grams into a set? An n-gram that occurs twice on "
    "both sides has two matches."
)
matches_in_sets = wrong("clipped", clip=lambda h, r: len(h & r))(
    "An n-gram that both sides have several times is one match with you. It has as many as the side has that has fewer."
)
not_clipped = wrong("clipped", clip=lambda h, r: sum(count for ngram, count in h.items() if ngram in r))(
    "You count all n-grams of the hypothesis that occur in the reference. If the hypothesis has one more often than "
    "the reference, it matches only as often as the reference has it."
)
reference_not_clipped = wrong("clipped", clip=lambda h, r: sum(count for ngram, count in r.items() if ngram in h))(
    "You count all n-grams of the reference that occur in the hypothesis. If the reference has one more often than "
    "the hypothesis, it matches only as often as the hypothesis has it."
)
spaces_are_characters = wrong("spaces", pieces=lambda text: [text])(
    "Whitespace is a character with you. Take it out before you count."
)
outer_spaces_alone_taken_out = wrong("spaces", pieces=lambda text: [text.strip()])(
    "You take out whitespace only at the ends of a sentence. Take it out between words, too."
)


def taking_out(these):
    return lambda text: ["".join(letter for letter in text if letter not in these)]


blanks_alone_taken_out = wrong("spaces", pieces=taking_out(" "))(
    "You take out blanks only. Tabs and line ends are whitespace, too."
)
tabs_left_in = wrong("spaces", pieces=taking_out(" \n"))(
    "You leave tabs in. They are whitespace, as blanks and line ends."
)
line_ends_left_in = wrong("spaces", pieces=taking_out(" \t"))(
    "You leave line ends in. They are whitespace, as blanks and tabs."
)
each_word_alone = wrong("spaces", pieces=str.split)(
    "Your n-grams do not go from one word into the next. Without whitespace a sentence is one row of characters."
)
beta_not_squared = wrong(
    "beta", score=partial(means_first, f=lambda p, r, β: (1 + β) * p * r / (β * p + r) if p + r else 0.0)
)("You use β where the formula has β².")
precision_and_recall_exchanged = wrong("beta", score=partial(means_first, f=lambda p, r, β: f_score(r, p, β)))(
    "Precision and recall are exchanged, or β² stands at the wrong one of them: precision divides by the n-grams of "
    "the hypothesis, recall by those of the reference. In the formula β² stands before precision, below the line."
)
beta_is_1 = wrong("beta", score=partial(means_first, f=lambda p, r, β: f_score(p, r, 1.0)))(
    "Your score is that of β = 1, whatever β is: precision and recall weigh alike."
)
beta_is_2 = wrong("beta", score=partial(means_first, f=lambda p, r, β: f_score(p, r, 2.0)))(
    "Your score is that of β = 2, whatever β is. β is an argument."
)
precision_alone = wrong("beta", score=partial(means_first, f=lambda p, r, β: p))(
    "You return the mean precision. It is one of the two numbers that the F-score is made of."
)
recall_alone = wrong("beta", score=partial(means_first, f=lambda p, r, β: r))(
    "You return the mean recall. It is one of the two numbers that the F-score is made of."
)


@mistake("beta")
def mean_of_F_scores(hypotheses, references, beta):
    """You take an F-score in each order, and their mean. Take the mean of the precisions and that of the recalls, then
    one F-score of both."""

    def mean_of(*counts):
        orders = [each for each in zip(*counts[:3], strict=True) if both(*each[:2])]
        return mean([f_score(fraction(m, h), fraction(m, r), beta) for h, r, m in orders])

    return defined(hypotheses, references, beta, score=mean_of)


six_orders_in_any_case = wrong("orders", score=partial(means_first, count=lambda h, r: True))(
    "You divide by 6 in any case. The mean is over the orders of which both sides have n-grams."
)
orders_of_one_side = wrong("orders", score=partial(means_first, count=lambda h, r: h > 0 or r > 0))(
    "An order counts with you if one side has n-grams of it. Both sides must have some."
)
orders_of_each_side_alone = wrong(
    "orders",
    score=lambda hs, rs, ms, beta: f_score(
        mean([m / h for h, m in zip(hs, ms, strict=True) if h]),
        mean([m / r for r, m in zip(rs, ms, strict=True) if r]),
        beta,
    ),
)(
    "Your mean precision is over the orders of the hypothesis, your mean recall over those of the reference. Both are "
    "over the orders that both sides have."
)


@mistake("orders")
def orders_without_a_match_left_out(hypotheses, references, beta):
    """You leave out orders in which nothing matches. Both sides have n-grams of them: they count, with 0."""

    def matched(*counts):
        some = [each for each in zip(*counts[:3], strict=True) if each[2]]
        return means_first(*zip(*some, strict=True), counts[3]) if some else 0.0

    return defined(hypotheses, references, beta, score=matched)


def one_by_one(average):
    """`average` of the scores of each sentence."""
    return lambda hypotheses, references, beta: average(
        [defined([h], [r], beta) for h, r in zip(hypotheses, references, strict=True)]
    )


MEAN = (
    "You take a mean over the sentences, of their scores or of their shares. Add up the counts of all sentences, then "
    "compute one score."
)
mean_of_the_sentences = mistake("corpus", MEAN)(one_by_one(mean))


@mistake("corpus", MEAN)
def mean_of_sentences_that_are_not_empty(hypotheses, references, beta):
    pairs = [(h, r) for h, r in zip(hypotheses, references, strict=True) if h]
    return mean([defined([h], [r], beta) for h, r in pairs])


the_first_sentence_only = mistake(
    "corpus", "You return the first sentence's score: does your `return` stand within the loop?"
)(one_by_one(lambda scores: scores[0]))
the_last_sentence_only = mistake(
    "corpus", "You return the last sentence's score: are your counts set to 0 for each sentence?"
)(one_by_one(lambda scores: scores[-1]))


@mistake("corpus")
def sentences_joined(hypotheses, references, beta):
    """You join all sentences to one text. Then n-grams go from one sentence into the next, and match anywhere."""
    return defined([" ".join(hypotheses)], [" ".join(references)], beta)


@mistake("corpus")
def matches_of_other_sentences(hypotheses, references, beta):
    """You count the n-grams of all sentences together: one matches in the reference of another sentence. Count matches
    in each sentence, then add."""
    return defined(
        [END.join(hypotheses)],
        [END.join(references)],
        beta,
        pieces=lambda text: ["".join(sentence.split()) for sentence in text.split(END)],
    )


@mistake("corpus")
def empty_hypotheses_left_out(hypotheses, references, beta):
    """You leave out sentences whose hypothesis is empty. The n-grams of their references count all the same."""
    pairs = [(h, r) for h, r in zip(hypotheses, references, strict=True) if h]
    return defined(*zip(*pairs, strict=True), beta) if pairs else 0.0


@mistake("corpus")
def an_empty_hypothesis_is_enough(hypotheses, references, beta):
    """You return 0 where one hypothesis is empty. Others have matches: only the sums over the corpus count."""
    return defined(hypotheses, references, beta) if all(hypotheses) else 0.0


@mistake("arguments")
def whitespace_taken_out_in_place(hypotheses, references, beta):
    """You write into the lists that you are given. They belong to the caller: make new ones."""
    for texts in hypotheses, references:
        texts[:] = ["".join(text.split()) for text in texts]
    return defined(hypotheses, references, beta)


# Cases

OF_ALL = (
    *(five_orders, the_longest_alone, single_characters_alone, geometric_mean, counts_of_all_orders_added),
    words_for_characters,
)
KINDS = capital_letters_lost, signs_left_out
CLIPPED = each_ngram_once, matches_in_sets, not_clipped, reference_not_clipped
SPACES = (
    *(spaces_are_characters, outer_spaces_alone_taken_out, blanks_alone_taken_out, tabs_left_in, line_ends_left_in),
    each_word_alone,
)
BETA = (
    *(beta_not_squared, precision_and_recall_exchanged, beta_is_1, beta_is_2, precision_alone, recall_alone),
    mean_of_F_scores,
)
ORDERS = six_orders_in_any_case, orders_of_one_side, orders_of_each_side_alone, orders_without_a_match_left_out
CORPUS = (
    *(mean_of_the_sentences, the_first_sentence_only, the_last_sentence_only, sentences_joined),
    matches_of_other_sentences,
)
EMPTY = empty_hypotheses_left_out, an_empty_hypothesis_is_enough
LENGTHS = orders_of_one_side, six_orders_in_any_case, orders_of_each_side_alone


def case(hypotheses: list[str], references: list[str], beta: float) -> Case:
    lengths = [", ".join(str(len("".join(text.split()))) for text in texts) for texts in (hypotheses, references)]
    said = f"hypotheses of {lengths[0]} characters, references of {lengths[1]}, β = {beta:g}"
    return Case((hypotheses, references, beta), said)


shows = isolating(defined, (*OF_ALL, *KINDS, *CLIPPED, *SPACES, *BETA, *ORDERS, *CORPUS), case)


def letters(rng: Random, count: int, of: str = ascii_letters[:26]) -> str:
    """So many different letters."""
    return "".join(rng.sample(of, count))


def altered(rng: Random, text: str, at: int) -> str:
    """The text with another letter at that place: a digit, which it does not have."""
    return text[:at] + rng.choice("0123456789") + text[at + 1 :]


@shows(*OF_ALL, apart=False)
def draw_characters(rng: Random, size: int) -> Drawn:
    """Two texts of one length without a repeated letter, with matches in every order."""
    text = letters(rng, 8 + size % 4)
    return [altered(rng, text, rng.choice((0, 1, -1)) % len(text))], [text], 2.0


@shows(*KINDS, free=OF_ALL)
def draw_kinds(rng: Random, size: int) -> Drawn:
    """A letter of the hypothesis is a capital one, and a punctuation mark is another one."""
    text = letters(rng, 9 + size % 3)
    sign, other = rng.sample(SIGNS, 2)
    return [text[0].upper() + text[1:] + sign], [text + other], 2.0


@shows(*CLIPPED, free=(*OF_ALL, *ORDERS))
def draw_clipped(rng: Random, size: int) -> Drawn:
    """Two texts of one length from few letters: each has some n-grams more often than the other."""
    text = "".join(rng.choice("abc") for _ in range(9 + size % 3))
    return ["".join(rng.choice("abc") if rng.random() < 0.25 else letter for letter in text)], [text], 2.0


def spread(rng: Random, text: str, cuts: list[int], whitespace: str = " \t\n") -> str:
    """The text with another kind of whitespace in each of these places, in turn."""
    kinds = rng.sample(whitespace, len(whitespace))
    for k, cut in enumerate(sorted(cuts, reverse=True)):
        text = text[:cut] + kinds[k % len(kinds)] * rng.randint(1, 2) + text[cut:]
    return text


@shows(*SPACES, free=(*OF_ALL, *BETA, *ORDERS))
def draw_spaces(rng: Random, size: int) -> Drawn:
    """The same letters but one, cut into words elsewhere, by a blank, a tab and a line end."""
    text = letters(rng, 11 + size % 3)
    hypothesis = altered(rng, text, rng.choice((0, len(text) - 1)))
    found = [spread(rng, each, rng.sample(range(2, len(text) - 1), 3)) for each in (hypothesis, text)]
    return [found[0] + " "], [found[1]], 2.0


def draw_beta(longer: int) -> Callable[[Random, int], Case]:
    """One of two texts has more letters: the hypothesis if `longer` is 0."""

    @shows(*BETA, free=OF_ALL)
    def draw(rng: Random, size: int) -> Drawn:
        text = letters(rng, 8 + size % 3)
        more = text + letters(rng, rng.randint(2, 4), ascii_letters[26:])
        pair = [altered(rng, more, 0), text] if longer == 0 else [altered(rng, text, 0), more]
        return [pair[0]], [pair[1]], (3.0, 0.4, 1.5)[size % 3]

    return draw


FEW = (*OF_ALL, *BETA)


def draw_short(short: int) -> Callable[[Random, int], Case]:
    """The hypothesis (`short` 0), the reference (1) or both (2) have fewer than six letters."""
    wanted = (six_orders_in_any_case, *((orders_of_one_side, orders_of_each_side_alone) if short < 2 else ()))

    @shows(*wanted, free=(*FEW, orders_without_a_match_left_out), apart=False)
    def draw(rng: Random, size: int) -> Drawn:
        text = letters(rng, 7 + size % 3)
        brief = text[: rng.randint(3, 5)]
        pair = {0: (brief, text), 1: (text, brief), 2: (altered(rng, brief, 0), brief)}[short]
        return [pair[0]], [pair[1]], 2.0

    return draw


@shows(orders_without_a_match_left_out, free=FEW)
def draw_unmatched(rng: Random, size: int) -> Drawn:
    """Long texts whose longest common part has two to four letters."""
    text = letters(rng, 8 + size % 3)
    places = rng.sample(range(len(text)), 2)
    return [altered(rng, altered(rng, text, places[0]), places[1])], [text], 2.0


def draw_empty(rng: Random, size: int) -> Case:
    """A hypothesis without a character: 0."""
    return case([rng.choice(("", " ", "\n"))], [letters(rng, 8)], 2.0)


def draw_nothing(rng: Random, size: int) -> Case:
    """A hypothesis without a letter of the reference: 0."""
    of = letters(rng, 16)
    return case([of[:8]], [of[8:]], 2.0)


def corpus(rng: Random, count: int) -> tuple[list[str], list[str]]:
    """So many sentences without a repeated letter, of unlike length and quality; what is wrong in one another has."""
    texts, others = [], []
    for _ in range(count):
        text = letters(rng, rng.randint(6, 16))
        rest = iter(letters(rng, 26 - len(text), "".join(sorted(set(ascii_letters[:26]) - set(text)))))
        share = rng.choice((0.1, 0.5))
        texts.append(text)
        others.append("".join(next(rest, letter) if rng.random() < share else letter for letter in text))
    return others, texts


@shows(*CORPUS, free=(*OF_ALL, *BETA, *ORDERS))
def draw_corpus(rng: Random, size: int) -> Drawn:
    return *corpus(rng, 2 + size % 2), 2.0


@shows(*EMPTY, free=(*OF_ALL, *BETA, *ORDERS, *CORPUS))
def draw_corpus_with_an_empty_hypothesis(rng: Random, size: int) -> Drawn:
    hypotheses, references = corpus(rng, 3)
    hypotheses[rng.randrange(3)] = ""
    return hypotheses, references, 2.0


def draw_arguments(rng: Random, size: int) -> Case:
    """Several sentences with blanks."""
    texts = [[spread(rng, text, [3], " ") for text in side] for side in corpus(rng, 2 + size % 2)]
    return case(*texts, 2.0)


TASK = task(
    __name__,
    "chrF",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("characters", 0.5, alternate(draw_characters, draw_kinds))(
            "One sentence, both sides equally long: the mean over six orders, in percent."
        ),
        criterion("clipped", 0.5, draw_clipped)("An n-gram matches as often as both sides have it."),
        criterion("spaces", 0.5, draw_spaces)("Whitespace does not count, and n-grams go on over it."),
        criterion("beta", 0.5, alternate(draw_beta(0), draw_beta(1)))(
            "One side is longer: the F-score of mean precision and mean recall, for any β."
        ),
        criterion(
            "orders",
            1,
            alternate(draw_short(0), draw_short(1), draw_short(2), draw_unmatched, draw_empty, draw_nothing),
            visible=6,
            graded=12,
        )("Short sentences, orders without a match, and nothing in common."),
        criterion("corpus", 0.5, alternate(draw_corpus, draw_corpus_with_an_empty_hypothesis))(
            "Several sentences, counted together; a hypothesis may be empty."
        ),
        arguments(0.5, draw_arguments)("The lists of sentences are afterwards as they were."),
    ),
    lent=(lent_bleu.modified_precision,),
    forbidden=(
        *(f"course_lib.metrics.{name}_chrf" for name in ("segment", "sentence", "corpus")),
        *(f"course_lib.metrics.chrf.{name}_chrf" for name in ("segment", "sentence", "corpus")),
        *(f"sacrebleu.{name}_chrf" for name in ("sentence", "corpus")),
        *(f"sacrebleu.metrics.CHRF.{name}_score" for name in ("sentence", "corpus")),
        *(f"nltk.translate.chrf_score.{name}_chrf" for name in ("sentence", "corpus")),
    ),
)
