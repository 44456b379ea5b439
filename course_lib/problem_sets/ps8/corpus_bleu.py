"""ps8.corpus_bleu: BLEU of a corpus, from counts that are summed before they are divided (Papineni et al. 2002)."""

from functools import partial
from itertools import chain
from math import exp, log, prod
from random import Random
from statistics import mean

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.metrics import bleu
from course_lib.problem_sets.ps8 import brevity_penalty, lent_bleu, modified_precision
from course_lib.problem_sets.ps8 import tokens as of_tokens
from course_lib.problem_sets.ps8.tokens import FORBIDDEN, References, Tokens, different, edited


def reference(hypotheses: list[Tokens], references: list[References], N: int) -> float:
    """100 · BP · (Π_{n=1..N} p_n)^(1/N), p_n and BP of counts over the corpus, without smoothing: 0 where a p_n is."""
    return bleu.corpus_bleu(hypotheses, references, tokenizer=None, order=N, smoothing="none").score


# Mistakes


def counts(hypotheses, references, n, count=modified_precision.defined):
    """Of each sentence: (matched, total)."""
    return [count(h, each, n) for h, each in zip(hypotheses, references, strict=True)]


def of_sums(pairs):
    """The ratio of the sums, 0 if there is nothing to divide by."""
    matched, total = map(sum, zip(*pairs, strict=True))
    return matched / total if total else 0.0


def geometric(p):
    return exp(sum(map(log, p)) / len(p)) if all(p) else 0.0


def root(p, N):
    """(Π p)^(1/N)."""
    return prod(p) ** (1 / N)


def up_to(N):
    return range(1, N + 1)


def brevity(hypotheses, references, **parts):
    return brevity_penalty.defined([*map(len, hypotheses)], [[*map(len, each)] for each in references], **parts)


def defined(
    hypotheses,
    references,
    N,
    orders=up_to,
    counts=counts,
    precision=of_sums,
    mean=root,
    brevity=brevity,
    together=lambda p, BP: 100 * BP * p,
):
    p = [precision(counts(hypotheses, references, n)) for n in orders(N)]
    return together(mean(p, N), brevity(hypotheses, references))


wrong = versions(defined)
a_share_returned = wrong("precision", together=lambda p, BP: BP * p)(
    "Your score lies between 0 and 1. BLEU is given in percent: 100 times that."
)


def of_changed(change):
    """BLEU of tokens that are changed before."""

    def bleu(hypotheses, references, N):
        return defined([*map(change, hypotheses)], [[*map(change, each)] for each in references], N)

    return bleu


lower_cased = mistake(
    "precision",
    "You take capital letters for small ones. Tokens are compared as they are: 'The' and 'the' are two.",
)(of_changed(of_tokens.lower_cased))
signs_left_out = mistake("precision", "You leave punctuation marks out. They are tokens like others.")(
    of_changed(of_tokens.without_signs)
)
signs_cut_off = mistake(
    "precision",
    "You cut punctuation marks off: of '.' nothing is left, and so it matches '!'. Tokens are compared as they are.",
)(of_changed(of_tokens.with_signs_cut_off))
arithmetic_mean = wrong("mean", mean=lambda p, N: mean(p) if all(p) else 0.0)(
    "You take the arithmetic mean of the precisions. BLEU has the geometric one, the N-th root of their product."
)
no_root = wrong("mean", mean=lambda p, N: prod(p))(
    "You multiply the precisions, and take no root: the N-th root of their product is wanted."
)
no_brackets_about_the_exponent = wrong("mean", mean=lambda p, N: prod(p) ** 1 / N)(
    "You divide by N in place of taking a root: Python reads `x ** 1 / N` as (x ** 1) / N. Put 1 / N in brackets."
)
square_root = wrong("mean", mean=lambda p, N: prod(p) ** 0.5)(
    "You take the square root whatever N is. Of N precisions it is the N-th root."
)
always_four = wrong("precision", mean=lambda p, N: prod(p) ** 0.25)(
    "You take the fourth root whatever N is. Of N precisions it is the N-th root."
)
the_highest_order_alone = wrong("mean", orders=lambda N: [N], mean=lambda p, N: p[0])(
    "You use the n-grams of N words alone. All orders from 1 to N count."
)
the_highest_order_left_out = wrong("precision", orders=lambda N: range(1, N))(
    "The highest order is missing: range(1, N) ends before N."
)
orders_from_0 = wrong("precision", orders=range)(
    "Your orders begin with 0, and end before N: so does range(N). They go from 1 to N."
)
single_words_left_out = wrong("precision", orders=lambda N: range(2, N + 1))(
    "Single words are missing: the orders begin with 1."
)
always_up_to_four = wrong("precision", orders=lambda N: range(1, 5))(
    "You count the orders 1 to 4 whatever N is. They go from 1 to N."
)


def one_more_of_each(pairs):
    matched, total = map(sum, zip(*pairs, strict=True))
    return (matched + 1) / (total + 1)


one_added_everywhere = wrong("precision", precision=one_more_of_each)(
    "You add 1 to matches and totals: do your sums begin with 1? Nothing is smoothed here; they begin with 0."
)
no_brevity_penalty = wrong("brevity", brevity=lambda *_: 1.0)(
    "Your score has no brevity penalty, or one that is always 1: a few words of which one is sure would score best."
)


@mistake("brevity")
def root_of_the_brevity_penalty(hypotheses, references, N):
    """You take the brevity penalty under the root. It is a factor of its own: BP times the N-th root."""
    return defined(hypotheses, references, N, brevity=lambda *given: brevity(*given) ** (1 / N))


def of_the_first(hypotheses, references):
    return brevity(hypotheses, [each[:1] for each in references])


def of_each(hypotheses, references):
    return mean(brevity([h], [each]) for h, each in zip(hypotheses, references, strict=True))


@mistake("corpus")
def the_mean_of_the_sentences_scores(hypotheses, references, N):
    """You compute BLEU of each sentence, and the mean. One sentence without a match of N words loses all it has, and
    short sentences count as much as long ones. Add up the counts of all sentences first."""
    return mean(defined([h], [each], N) for h, each in zip(hypotheses, references, strict=True))


the_mean_of_the_sentences_precisions = wrong("corpus", precision=lambda pairs: mean(of_sums([each]) for each in pairs))(
    "You take the mean of the sentences' precisions: short sentences count as much as long ones. Add up matches and "
    "totals over all sentences, then divide."
)
the_mean_of_the_sentences_penalties = wrong("corpus", brevity=of_each)(
    "You take the mean of the sentences' brevity penalties. Give all lengths to brevity_penalty at once."
)


def glued(sentences):
    return [[*chain(*sentences)]]


@mistake("corpus")
def the_corpus_as_one_sentence(hypotheses, references, N):
    """You join all hypotheses into one, and their references: n-grams then match across sentences, and begin in one and
    end in the next. Count each sentence alone, and add up the counts."""
    most = max(map(len, references))
    together = [[*chain(*(each[min(k, len(each) - 1)] for each in references))] for k in range(most)]
    return defined(glued(hypotheses), [together], N)


the_first_reference_alone = wrong(
    "references", counts=lambda h, r, n: counts(h, [each[:1] for each in r], n), brevity=of_the_first
)("You use the first reference of each sentence alone. Give all of them to modified_precision and brevity_penalty.")
the_first_references_length = wrong("references", brevity=of_the_first)(
    "You take the length of the first reference for the brevity penalty. Give the lengths of all references."
)
the_shortest_length, the_longest_length = (
    wrong("references", brevity=partial(brevity, choose=choose))(
        f"You take the length of the {which} reference for the brevity penalty. Give the lengths of all references."
    )
    for which, choose in (("shortest", lambda c, others: min(others)), ("longest", lambda c, others: max(others)))
)
references_glued = wrong("references", counts=lambda h, r, n: counts(h, [*map(glued, r)], n))(
    "You join the references of a sentence into one: it has the counts of all of them together. Give them as a list."
)


@mistake("references")
def the_mean_over_references(hypotheses, references, N):
    """You score against the first references, the second ones, …, and take the mean. All references of a sentence count
    together: an n-gram may match in any."""
    most = max(map(len, references))
    chosen = [[[each[min(k, len(each) - 1)]] for each in references] for k in range(most)]
    return mean(defined(hypotheses, each, N) for each in chosen)


@mistake("references")
def as_many_references_as_the_first_sentence_has(hypotheses, references, N):
    """You look at as many references of each sentence as the first one has, or the one with the fewest. Sentences may
    have unequally many: all of each count."""
    return defined(hypotheses, [each[: len(references[0])] for each in references], N)


LEFT_OUT = "You leave out orders without a match. Without smoothing such an order makes BLEU 0, as the product says."
orders_without_a_match_left_out = wrong("zero", mean=lambda p, N: geometric([each for each in p if each] or [0.0]))(
    LEFT_OUT
)
orders_without_a_match_as_1 = wrong("zero", mean=lambda p, N: root([each for each in p if each], N))(LEFT_OUT)
a_tiny_number_in_place_of_0 = wrong("zero", mean=lambda p, N: exp(sum(log(max(each, 1e-9)) for each in p) / N))(
    "You put a tiny number in the place of 0, so that log works. Its root is not tiny: of 10⁻⁹ the fourth root is "
    "0.006. Without smoothing the score is exactly 0."
)


def one_more(pairs):
    matched, total = map(sum, zip(*pairs, strict=True))
    return matched / total if matched else 1 / (total + 1)


one_added_where_nothing_matches = wrong("zero", precision=one_more)(
    "You smooth: an order without a match gets a small precision. Here it makes the score 0."
)


def divided(pairs):
    matched, total = map(sum, zip(*pairs, strict=True))
    return matched / total


def of_logarithms(p, N):
    return exp(sum(map(log, p)) / N)


the_logarithm_of_0 = wrong("zero", mean=of_logarithms)(
    "You take log 0 where an order has no match: Python raises an error. The score is 0 there."
)
divided_by_0 = wrong("zero", precision=divided)(
    "You divide by 0 where no hypothesis has an n-gram of some order: Python raises an error. The score is 0 there."
)
divided_by_0_and_the_logarithm_of_0 = wrong("zero", precision=divided, mean=of_logarithms)(
    "You divide by 0 where no hypothesis has an n-gram of some order, and take log 0 where an order has no match: "
    "Python raises an error. The score is 0 there."
)


@mistake("zero")
def the_logarithm_of_0_where_there_is_something_to_divide_by(hypotheses, references, N):
    """You take log 0 where an order has no match: Python raises an error. It is not enough to ask whether there are
    n-grams of that order: the score is 0 where none of them matches, too."""
    if any(sum(total for _, total in counts(hypotheses, references, n)) == 0 for n in up_to(N)):
        return 0.0
    return defined(hypotheses, references, N, mean=of_logarithms)


@mistake("zero")
def hypotheses_that_are_too_short_left_out(hypotheses, references, N):
    """You leave out hypotheses of fewer than N words. They have n-grams of lower orders, and a length."""
    kept = [k for k, each in enumerate(hypotheses) if len(each) >= N]
    return defined([hypotheses[k] for k in kept], [references[k] for k in kept], N) if kept else 0.0


@mistake("zero")
def empty_hypotheses_left_out(hypotheses, references, N):
    """You leave out sentences whose hypothesis is empty. Their references count for the brevity penalty: nothing is too
    short."""
    kept = [k for k, each in enumerate(hypotheses) if each]
    return defined([hypotheses[k] for k in kept], [references[k] for k in kept], N) if kept else 0.0


@mistake("zero")
def an_empty_hypothesis_is_enough(hypotheses, references, N):
    """You return 0 where one hypothesis is empty. The other sentences have matches: only the sums over the corpus
    count."""
    return defined(hypotheses, references, N) if all(hypotheses) else 0.0


@mistake("zero")
def one_sentence_without_a_match_is_enough(hypotheses, references, N):
    """You return 0 as soon as one sentence has no match, or no n-gram, of some order. Only the sums over the corpus
    count."""
    if any(matched == 0 for n in up_to(N) for matched, _ in counts(hypotheses, references, n)):
        return 0.0
    return defined(hypotheses, references, N)


@mistake("arguments")
def references_sorted_in_place(hypotheses, references, N):
    """You sort the lists of references that you are given. They belong to the caller: sorted(…) makes a new one."""
    for each in references:
        each.sort(key=len)
    return defined(hypotheses, references, N)


@mistake("arguments")
def words_lower_cased_in_place(hypotheses, references, N):
    """You lower-case the words in the lists that you are given. They belong to the caller, and words are compared as
    they are."""
    of_tokens.lower_cased_in_place([*hypotheses, *chain(*references)])
    return defined(hypotheses, references, N)


@changing("arguments", defined)
def sentences_used_up(hypotheses, *others):
    """You take the sentences out of the list that you are given. It belongs to the caller: work on a copy."""
    hypotheses.clear()


# Cases

Corpus = tuple[list[Tokens], list[References], int]


def case(hypotheses: list[Tokens], references: list[References], N: int) -> Case:
    count, words = len(hypotheses), sum(map(len, hypotheses))
    several = max(map(len, references))
    of_each = f"up to {several} references each" if several > 1 else "1 reference each"
    said = f"{count} sentence{'s' * (count != 1)} of together {words} words, {of_each}, N = {N}"
    return Case((hypotheses, references, N), said, scale=100.0)


MEAN = (
    *(arithmetic_mean, no_root, square_root, always_four, the_highest_order_alone, the_highest_order_left_out),
    *(single_words_left_out, always_up_to_four, no_brackets_about_the_exponent),
)
AT_ONCE = the_highest_order_left_out, single_words_left_out, orders_from_0, one_added_everywhere
BREVITY = no_brevity_penalty, root_of_the_brevity_penalty
CORPUS = (
    *(the_mean_of_the_sentences_scores, the_mean_of_the_sentences_precisions, the_corpus_as_one_sentence),
    the_mean_of_the_sentences_penalties,
)
REFERENCES = (
    *(the_first_reference_alone, the_first_references_length, references_glued, the_mean_over_references),
    as_many_references_as_the_first_sentence_has,
)
SMOOTHED = orders_without_a_match_left_out, a_tiny_number_in_place_of_0, one_added_where_nothing_matches
FORMS = lower_cased, signs_left_out, signs_cut_off
EMPTY = empty_hypotheses_left_out, an_empty_hypothesis_is_enough
ZERO = *SMOOTHED, hypotheses_that_are_too_short_left_out, *EMPTY, one_sentence_without_a_match_is_enough
ALL = (a_share_returned, *FORMS, *MEAN, *BREVITY, *CORPUS, *REFERENCES, *ZERO)
shows = partial(isolating(defined, ALL, case), apart=False)
UNIT = (a_share_returned,)


def matches(hypotheses: list[Tokens], references: list[References], N: int) -> bool:
    """Whether every order has a match."""
    return defined(hypotheses, references, N, brevity=lambda *_: 1.0) > 0


def output(rng: Random, tokens: Tokens, less: int = 0, changed: int = 1) -> Tokens:
    """Another text of about the same words: some changed, and some at one end left out."""
    made = edited(rng, tokens, changed)
    return made[less:] if rng.random() < 0.5 else made[: len(made) - less]


def corpus(rng: Random, lengths: list[int], N: int, less: int = 0, more: int = 0, references: int = 1) -> Corpus:
    """Hypotheses of these lengths; references with words changed, up to `less` longer or `more` shorter."""
    hypotheses = [different(rng, length) for length in lengths]
    texts = []
    for each in hypotheses:
        of_one = []
        for _ in range(references):
            made, by = edited(rng, each, rng.randint(1, 2)), rng.randint(-more, less)
            of_one.append(made + different(rng, by, made) if by > 0 else made[: len(made) + by])
        texts.append(of_one)
    return hypotheses, texts, N


@shows(a_share_returned, always_four, always_up_to_four, *AT_ONCE, free=MEAN)
def draw_precision(rng: Random, size: int) -> Corpus:
    """Single words, N = 1, of one sentence."""
    return corpus(rng, [5 + size // 2], 1)


@shows(*FORMS, free=(*UNIT, *MEAN))
def draw_forms(rng: Random, size: int) -> Corpus:
    """The same words, of which two have a capital letter in one text alone; signs that match, and others."""
    hypothesis, text = of_tokens.in_two_forms(rng, 5 + size // 2)
    return [hypothesis], [[text]], 1


@shows(*MEAN[:3], *MEAN[4:], free=(*UNIT, always_four, the_corpus_as_one_sentence), when=matches)
def draw_mean(rng: Random, size: int) -> Corpus:
    """N = 3 or 4; one sentence as long as its reference."""
    return corpus(rng, [9 + size // 4], 3)


@shows(*MEAN[:3], *MEAN[4:7], free=(*UNIT, *MEAN), when=matches)
def draw_mean_of_four(rng: Random, size: int) -> Corpus:
    return corpus(rng, [10 + size // 4], 4)


SOME = *UNIT, *MEAN


@shows(*BREVITY, free=SOME, when=matches)
def draw_brevity(rng: Random, size: int) -> Corpus:
    """One sentence that is shorter than its reference."""
    return corpus(rng, [8 + size // 4], 2 + size % 2, less=4)


@shows(no_brevity_penalty, free=(*SOME, *BREVITY), when=matches)
def draw_brevity_of_words(rng: Random, size: int) -> Corpus:
    """N = 1."""
    return corpus(rng, [8 + size // 4], 1, less=4)


@shows(*CORPUS[:3], free=(*SOME, *BREVITY, *ZERO, the_mean_of_the_sentences_penalties), when=matches)
def draw_corpus(rng: Random, size: int) -> Corpus:
    """Short and long sentences."""
    lengths = rng.sample(range(4, 12), 2 + size // 4)
    return corpus(rng, lengths, 2 + size % 2, less=1, more=1)


@shows(the_mean_of_the_sentences_penalties, free=(*SOME, *BREVITY, *CORPUS, *ZERO), when=matches)
def draw_penalties(rng: Random, size: int) -> Corpus:
    """One sentence is too short, another one too long."""
    h, r, N = corpus(rng, rng.sample(range(6, 12), 2), 2)
    h[0], r[1] = h[0][:-2], [r[1][0][:-2]]
    return h, r, N


@shows(the_corpus_as_one_sentence, free=(*SOME, *BREVITY, *CORPUS, *ZERO), when=matches)
def draw_seam(rng: Random, size: int) -> Corpus:
    """A hypothesis has what the reference of another one has."""
    h, r, N = corpus(rng, rng.sample(range(5, 9), 2), 1 + size % 2)
    h[0], h[1] = [*h[0], *r[1][0][:2]], h[1][:-1]
    return h, r, N


FREE = *SOME, *BREVITY, *CORPUS, *ZERO


@shows(the_first_reference_alone, references_glued, the_mean_over_references, free=(*FREE, *REFERENCES), when=matches)
def draw_references(rng: Random, size: int) -> Corpus:
    """Two or three references each; a word that the hypothesis repeats stands once in each."""
    h, r, N = corpus(rng, [rng.randint(6, 9) for _ in range(1 + size // 4)], 2, references=2 + size % 2)
    h[0] = [*h[0], h[0][0], h[0][1]]
    return h, r, N


@shows(the_first_references_length, the_shortest_length, the_longest_length, free=(*FREE, *REFERENCES), when=matches)
def draw_lengths(rng: Random, size: int) -> Corpus:
    """Three references of unequal length, of which neither the first, the shortest nor the longest is closest."""
    return corpus(rng, [rng.randint(7, 9) for _ in range(1 + size // 4)], 2, less=4, more=3, references=3)


@shows(as_many_references_as_the_first_sentence_has, free=(*FREE, *REFERENCES), when=matches)
def draw_unequally_many(rng: Random, size: int) -> Corpus:
    """The first sentence has one reference, the second three."""
    h, r, N = corpus(rng, rng.sample(range(6, 10), 2), 2, less=2, more=1, references=3)
    return h, [r[0][:1], r[1]], N


@shows(*SMOOTHED, free=(*SOME, *BREVITY, *CORPUS, one_sentence_without_a_match_is_enough))
def draw_no_match(rng: Random, size: int) -> Corpus:
    """Parts of N − 1 words match, those of N do not: they stand in another order."""
    N, made = 2 + size // 5 % 3, []
    for _ in range(1 + size % 2):
        tokens = different(rng, 3 * (N - 1))
        parts = [tokens[i : i + N - 1] for i in range(0, len(tokens), N - 1)]
        made.append((tokens, [[*parts[2], *parts[1], *parts[0]]]))
    hypotheses, references = map(list, zip(*made, strict=True))
    return hypotheses, references, N


@shows(*SMOOTHED[:2], free=(*SOME, *BREVITY, *CORPUS, *ZERO))
def draw_no_n_gram(rng: Random, size: int) -> Corpus:
    """All hypotheses are right, and of fewer than N words."""
    texts = [different(rng, 3), *(different(rng, rng.randint(1, 3)) for _ in range(size // 4))]
    return [[*each] for each in texts], [[[*each]] for each in texts], 4


def draw_nothing(rng: Random, size: int) -> Case:
    """All hypotheses are empty."""
    return case(
        [[] for _ in range(1 + size // 4)], [[different(rng, rng.randint(1, 5))] for _ in range(1 + size // 4)], 2
    )


@shows(
    one_sentence_without_a_match_is_enough,
    hypotheses_that_are_too_short_left_out,
    free=(*SOME, *BREVITY, *CORPUS, *ZERO),
    when=matches,
)
def draw_one_short(rng: Random, size: int) -> Corpus:
    """One hypothesis has fewer than N words, another one matches of all orders."""
    h, r, N = corpus(rng, [8 + size // 4], 3)
    short = different(rng, 3)
    return [short[:2], *h], [[short], *r], N


@shows(*EMPTY, free=(*SOME, *BREVITY, *CORPUS, *ZERO), when=matches)
def draw_one_empty(rng: Random, size: int) -> Corpus:
    """One hypothesis is empty, another one matches of all orders."""
    (h,), (r,), N = corpus(rng, [7 + size // 5], 2)
    order = rng.sample(range(2), 2)
    return [[h, []][k] for k in order], [[r, [different(rng, 3)]][k] for k in order], N


def draw_left(rng: Random, size: int) -> Case:
    hypotheses, references = zip(*(of_tokens.in_no_order(rng, length) for length in (5, 7)), strict=True)
    return case([*hypotheses], [*references], 2)


TASK = task(
    __name__,
    "BLEU of a corpus",
    criteria=(
        criterion("precision", 0.5, alternate(draw_precision, draw_forms), visible=4)(
            "One sentence, N = 1: the precision of its words as they are, in percent."
        ),
        criterion("mean", 1, alternate(draw_mean, draw_mean_of_four), visible=4)(
            "The geometric mean of the precisions of the orders 1 to N."
        ),
        criterion("brevity", 0.5, alternate(draw_brevity, draw_brevity_of_words), visible=4)(
            "The brevity penalty is a factor of the score."
        ),
        criterion("corpus", 1.5, alternate(draw_corpus, draw_penalties, draw_corpus, draw_seam), visible=4)(
            "Matches, totals and lengths of all sentences, each counted alone, are added up before anything is divided."
        ),
        criterion("references", 0.5, alternate(draw_references, draw_lengths, draw_unequally_many), visible=4)(
            "All references of a sentence count together, for matches and for its length."
        ),
        criterion(
            "zero",
            0.5,
            alternate(draw_no_match, draw_one_short, draw_no_n_gram, draw_nothing, draw_one_empty),
            visible=10,
        )("The score is 0 where an order has no match in the whole corpus, and only there."),
        arguments(0.5, draw_left)("Hypotheses and references are afterwards as they were."),
    ),
    lent=(lent_bleu.modified_precision, lent_bleu.brevity_penalty),
    forbidden=FORBIDDEN,
)
