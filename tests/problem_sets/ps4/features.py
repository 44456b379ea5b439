"""What the cases of problem set 4 show."""

import torch

from course_lib.problem_sets.ps4 import alignment_error, attentive_decoder, diagnose, hard_alignment, links


def above(base):
    """Whether in some row the largest real score lies 900 or more above `base` of the row's real scores."""

    def shown(e, mask):
        return any(float(row.max() - base(row)) > 900 for row in real_scores(e, mask) if len(row) > 1)

    return shown


def gaps(low, high):
    """Whether each row has a score between so far and so far below its largest."""
    return lambda e, mask: all(
        bool(((row.max() - row > low) & (row.max() - row < high)).any()) for row in real_scores(e, mask)
    )


def near(level):
    return lambda e, mask: any(bool(((row - level).abs() < 10).all()) for row in real_scores(e, mask))


def real_scores(e, mask):
    """The real scores of each row that has any."""
    return [row[real] for rows, real in zip(e, mask, strict=True) for row in rows if real.any()]


def steps(number):
    return lambda y, *rest: y.shape[1] == number


def all_count(number):
    """So many steps, each of which changes the coverage of those after it so that it shows."""

    def shown(*arguments):
        right, others = (
            attentive_decoder.defined(*arguments, **given)[1]
            for given in ({}, {"cover": lambda past, none: sum(past[1:], none)})
        )
        return right.shape[1] == number and bool(((right - others).abs() > 0.02).any())

    return shown


def some(sentence):
    return lambda sentences: any(map(sentence, sentences))


def words(number, place):
    """So many words in the source (place 1) or the target (place 2)."""
    return lambda *arguments: len(links.spans(arguments[place])) == number


def weakly_linked(*arguments):
    """Whether a target word is linked though no word gets 0.2."""
    rows = links.table(*arguments)
    return any(rows[i][j] < 0.2 for j, i in links.chosen(rows))


def eos_gets(low, high):
    """Whether "<eos>" gets most of a target word, and so much."""
    return lambda *given: any(max(row[:-1]) < row[-1] and low < row[-1] < high for row in links.table(*given))


def eos_between(weights, source, target):
    """Whether "<eos>" gets less than the word of some target word, and more than each piece of it."""
    whole, parts = (links.table(weights, source, target, to) for to in (sum, max))
    return any(parts[i][j] < row[-1] for i, row in enumerate(whole) for j, k in links.chosen(whole) if k == i)


def short_end(place):
    """Whether a word of several pieces in the source (place 1) or the target (place 2) ends with a one-letter piece."""
    return lambda *given: any(
        len(span) > 1 and len(given[place][span[-1]]) == len("a</w>") for span in links.spans(given[place])
    )


def one_letter(place):
    """Whether a word in the source (place 1) or the target (place 2) is one letter."""
    return lambda *given: any(len(piece) == len("a</w>") for piece in given[place])


def twice(place):
    """Whether a word of the source (place 1) or the target (place 2) comes twice."""

    def shown(*given):
        found = hard_alignment.words(given[place])
        return any(found.count(word) > 1 for word in found)

    return shown


def columns_alike(weights, mask, *_):
    """Whether the columns of real words add to 1 in the mean, each of them to something else."""
    sums = weights.sum(1)[mask]
    return abs(float(sums.mean()) - 1) < 1e-6 and not diagnose.columns(weights, mask)


def first_words_not_real(weights, mask, *_):
    return not mask[:, 0].any()


def late(shown):
    return lambda *seen: "late mask" in diagnose.defined(*seen) and shown(*seen)


def one_number_alike(weights, mask, h, context):
    return any(bool((h[..., k] == 1).all()) for k in range(h.shape[2]))


def sums_of_0(weights, mask, h, context):
    return bool((h.sum(2).abs() < 1e-9).all())


def same_twice(sentences):
    """Whether a sentence with links comes twice."""
    texts = [(each["source"], each["target"]) for each in sentences if each["sure"] and alignment_error.linked(each)]
    return any(texts.count(text) > 1 for text in texts)


ONE_WORD = {"a source of one word": words(1, 1), "a target of one word": words(1, 2)}

FEATURES = {
    ("additive_score", "gradient"): {
        "nothing covered": lambda s, h, coverage, weights: not coverage.any(),
        "words covered": lambda s, h, coverage, weights: coverage.any(),
    },
    ("masked_softmax", "softmax"): {
        "float64, and a sum that is nearly 1": lambda e, mask: (
            e.dtype == torch.float64 and bool((e.softmax(2).amax(2) > 0.95).all())
        ),
    },
    ("masked_softmax", "gradient"): {
        "a score that is NaN": lambda e, mask: e.isnan().any(),
        "a score that is finite and has an infinite exp": lambda e, mask: (e.isfinite() & e.exp().isinf()).any(),
    },
    ("masked_softmax", "stable"): {
        "a largest score far above the row's mean": above(lambda row: row.mean()),
        "a largest score far above the smallest": above(lambda row: row.min()),
        "a largest score far above the first": above(lambda row: row[0]),
        "a largest score far above the last": above(lambda row: row[-1]),
        "a largest score far above the second": above(lambda row: row.sort().values[-2]),
        "scores 12 to 32 below the largest in each row": gaps(12, 32),
        "a row near 1000": near(1000.0),
        "a row near -1000": near(-1000.0),
    },
    ("masked_softmax", "mask"): {"a sentence with padding": lambda e, mask: not mask.all()},
    ("masked_softmax", "nothing"): {"a sentence without words": lambda e, mask: not mask.any(1).all()},
    ("attentive_decoder", "carry"): {f"{number} steps": steps(number) for number in (2, 3)},
    ("attentive_decoder", "coverage"): {f"{number} steps": steps(number) for number in (3, 4)}
    | {
        "more steps than words": lambda y, s, h, *rest: y.shape[1] > h.shape[1],
        "a first step whose weights count in the fourth": all_count(4),
        "a first step whose weights count in the third": all_count(3),
    },
    ("attentive_decoder", "gradient"): {
        "a word that is NaN": lambda y, s, h, *rest: h.isnan().any(),
        "a word of ∞": lambda y, s, h, *rest: h.isposinf().any(),
        "a word of −∞": lambda y, s, h, *rest: h.isneginf().any(),
    },
    ("multiplicative_score", "each"): {
        "more words than steps": lambda s, h, *rest: h.shape[1] > s.shape[1],
        "fewer words than steps": lambda s, h, *rest: h.shape[1] < s.shape[1],
        "as many words as steps": lambda s, h, *rest: h.shape[1] == s.shape[1],
    },
    ("hard_alignment", "words"): ONE_WORD
    | {
        "a small weight that is the largest": weakly_linked,
        "a source word of one letter": one_letter(1),
        "a target word of one letter": one_letter(2),
    },
    ("hard_alignment", "together"): {
        "a word that comes twice in the source": twice(1),
        "a word that comes twice in the target": twice(2),
        "a source word that ends with a piece of one letter": short_end(1),
        "a target word that ends with a piece of one letter": short_end(2),
        "a word that gets more than '<eos>', and no piece of it does": eos_between,
    },
    ("hard_alignment", "nothing"): ONE_WORD
    | {
        "no link at all": lambda *given: not hard_alignment.defined(*given),
        "an '<eos>' that gets most with less than half": eos_gets(0, 0.5),
        "an '<eos>' that gets most with more than half": eos_gets(0.5, 1),
    },
    ("hard_alignment", "target"): {
        "pieces of which most choose another word than their mean": lambda *given: (
            hard_alignment.voted(*given) != hard_alignment.defined(*given)
        ),
    },
    ("diagnose", "axis"): {"a late mask, columns that add to 1 in the mean": late(columns_alike)},
    ("diagnose", "late"): {"a late mask, no first word real": late(first_words_not_real)},
    ("diagnose", "context"): {
        "a number that is the same in all states": one_number_alike,
        "states whose numbers have the sum 0": sums_of_0,
    },
    ("alignment_error", "corpus"): {
        "a sentence of the attention's links alone": some(
            lambda each: alignment_error.linked(each) and not each["sure"] | each["possible"]
        ),
        "a sentence without sure links": some(lambda sentence: not sentence["sure"]),
        "a sentence in which nothing is linked": some(lambda sentence: not alignment_error.linked(sentence)),
        "a sentence with both": some(lambda sentence: sentence["sure"] and alignment_error.linked(sentence)),
        "two sentences": lambda sentences: len(sentences) == 2,
        "a sentence that comes twice": same_twice,
        "sure links found in two sentences": lambda sentences: (
            sum(bool(each["sure"] & alignment_error.linked(each)) for each in sentences) >= 2
        ),
    },
}

SECRETS = {"diagnose": 20}  # its cases take long to draw
