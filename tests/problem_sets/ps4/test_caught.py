"""Wrong versions of problem set 4 that looked right on every case once: each loses now, and where it should."""

import torch

from course_lib.problem_sets.ps4 import (
    additive_score,
    alignment_error,
    attentive_decoder,
    diagnose,
    hard_alignment,
    links,
    masked_softmax,
    multiplicative_score,
)
from tests.grading.caught import each_row, each_slip, in_float32, is_caught, lost


def all_real_then_nothing(e, mask):
    """Where no word is real, the weights of all words are multiplied by 0."""
    some = mask.any(1, keepdim=True)
    return masked_softmax.defined(e, mask | ~some) * some.unsqueeze(2)


def nothing_if_the_first_is_empty(e, mask):
    return masked_softmax.defined(e, mask) if mask[0].any() else torch.zeros_like(e)


def told_from_full_sentences(*seen):
    """ "axis" where rows of a sentence without padding do not add to 1; else "late mask" where others do not."""

    def axis(weights, mask, h, context):
        full = mask.all(1)
        return bool(full.any()) and not diagnose.near(weights.sum(2)[full], 1.0)

    def late(weights, *others):
        return not axis(weights, *others) and not diagnose.near(weights.sum(2), 1.0)

    return diagnose.defined(*seen, axis=axis, late_mask=late)


def last_two(*arguments):
    """The coverage of the last two steps."""
    return attentive_decoder.defined(*arguments, cover=lambda past, none: sum(past[-2:], none))


def clamped_at(low):
    """Scores less the row's largest, not below this number."""

    def clamped(e, mask):
        real = mask.unsqueeze(1)
        highest = e.masked_fill(~real, -torch.inf).amax(2, keepdim=True)
        gap = torch.where(real, e - highest, 0).clamp(min=low)
        odds = torch.where(real, gap.exp(), 0)
        return torch.where(real.any(2, keepdim=True), odds / odds.sum(2, keepdim=True), 0)

    return clamped


def minus_hundred(e, mask):
    """A score of −100 in place of none, the mask after it, divided again."""
    odds = masked_softmax.mask_after_the_softmax(torch.where(mask.unsqueeze(1), e, -100), mask)
    return odds / odds.sum(-1, keepdim=True).clamp(min=1e-30)


def one_target_word_squeezed(weights, source, target):
    """The one row of a table without its first axis: numbers in place of rows."""
    rows = torch.tensor(links.table(weights, source, target)).squeeze()
    return {(int(row.argmax()), i) for i, row in enumerate(rows) if int(row.argmax()) < len(links.spans(source))}


def ends_behind_two_letters(weights, source, target):
    """A marker is taken for one only where at least two letters stand before it."""
    whole = [[p if len(p) > 5 else p.replace("</w>", "") for p in pieces] for pieces in (source, target)]
    return hard_alignment.hard_alignment(weights, *whole)


def ends_by_length(weights, source, target):
    """A piece is taken to end a word where it is as long as two letters and the marker."""
    whole = [[p if len(p) == 6 else p.replace("</w>", "") for p in pieces] for pieces in (source, target)]
    return hard_alignment.hard_alignment(weights, *whole)


def one_source_word_always_linked(weights, source, target):
    one = len(links.spans(source)) == 1
    return (hard_alignment.eos_left_out if one else hard_alignment.defined)(weights, source, target)


def eos_ignored_by_one_target_word(weights, source, target):
    one = len(links.spans(target)) == 1
    return (hard_alignment.eos_left_out if one else hard_alignment.defined)(weights, source, target)


def beside_the_first_piece_of_the_word(weights, source, target):
    """ "<eos>" is compared with the first piece of the word that gets most."""
    parts = links.table(weights, source, target, to=lambda values: values[0])
    best = hard_alignment.eos_left_out(weights, source, target)
    return {(j, i) for j, i in best if parts[i][j] > parts[i][-1]}


def target_first_and_from_1(*arguments):
    return {(i + 1, j + 1) for j, i in hard_alignment.defined(*arguments)}


def coverage_only_if_there_is_any(s, h, coverage, weights):
    return (additive_score.defined if (coverage > 0).any() else additive_score.coverage_left_out)(
        s, h, coverage, weights
    )


def within(tolerance):
    """The faults found where what differs by less is taken for equal."""

    def near(one, other):
        return bool(((one - other).abs() < tolerance).all())

    def axis(weights, mask, h, context):
        return near(weights.sum(1)[mask], 1.0)

    def late(weights, *others):
        return not axis(weights, *others) and not near(weights.sum(2), 1.0)

    def step(weights, mask, h, context):
        return any(near(diagnose.contexts(weights, h, True, other), context) for other in (False, True))

    def sentence(weights, mask, h, context):
        return any(near(diagnose.contexts(weights, h, other, True), context) for other in (False, True))

    return {"axis": axis, "late_mask": late, "step": step, "sentence": sentence}


def found_within(tolerance, *tests):
    return lambda *seen: diagnose.defined(*seen, **{test: within(tolerance)[test] for test in tests})


def unmasked_above_a_tenth(*seen):
    return diagnose.defined(*seen, unmasked=lambda weights, mask, h, c: bool((weights.mT[~mask] > 0.1).any()))


def unmasked_in_the_last_sentence(*seen):
    return diagnose.defined(*seen, unmasked=lambda weights, mask, *_: diagnose.unmasked(weights[-1:], mask[-1:]))


def as_many_words_as_steps(s, h, U, V):
    """Words beyond the number of steps have the score 0."""
    e = multiplicative_score.defined(s, h, U, V)
    return e * (torch.arange(e.shape[2]) < e.shape[1])


def as_many_steps_as_words(s, h, U, V):
    e = multiplicative_score.defined(s, h, U, V)
    return e * (torch.arange(e.shape[1]) < e.shape[2]).unsqueeze(1)


def numbers_in_place_of_what_is_not_real(*arguments):
    return attentive_decoder.defined(*arguments, clean=lambda h, mask: h.nan_to_num())


def no_more_steps_than_words(y, s, h, *others):
    return attentive_decoder.defined(y[:, : h.shape[1]], s, h, *others)


def rows_of_a_buffer(y, s, h, mask, weights):
    """Each step's weights are written into a tensor of all, and read there."""
    all_weights, step = torch.zeros(*y.shape[:2], h.shape[1], dtype=h.dtype), iter(range(y.shape[1]))

    def weigh(*given):
        all_weights[:, (i := next(step))] = attentive_decoder.attend(*given)
        return all_weights[:, i]

    def look(α, h):
        return (α.unsqueeze(2) * h).sum(1)

    return attentive_decoder.defined(y, s, h, mask, weights, weigh=weigh, look=look)


def exps_that_are_all_0(e, mask):
    real = mask.unsqueeze(1)
    e = torch.where(real, e, 0)
    odds = torch.where(real, e - torch.where(real, e, -1e30).amax(2, keepdim=True), 0).exp() * real
    return odds / odds.sum(2, keepdim=True)


def equal_shares(e, mask):
    """1 / n for each of n words where none is real."""
    return torch.where(mask.any(1)[:, None, None], masked_softmax.defined(e, mask), 1 / mask.shape[1])


def nothing_lost_where_nothing_is_linked(sentences):
    return alignment_error.defined(sentences) if any(map(alignment_error.linked, sentences)) else 0.0


def put_into_the_sentence(sentences):
    for sentence in sentences:
        sentence["possible"] = sentence["possible"] | sentence["sure"]
    return alignment_error.defined(sentences)


def any_number_added(number):
    def softmax(e, mask):
        real = mask.unsqueeze(1)
        odds = masked_softmax.guarded_exp(e, real)
        return odds / (odds.sum(2, keepdim=True) + number)

    return softmax


def numbers_left_within_the_exponent(e, mask):
    """nan_to_num, and a shift without a gradient."""
    return masked_softmax.defined(
        e, mask, clean=lambda e, real: e.nan_to_num(), shift=masked_softmax.highest_without_gradient
    )


def minus_infinity_left(*arguments):
    return attentive_decoder.defined(*arguments, clean=lambda h, mask: h.nan_to_num(0.0, 0.0))


def mean_of_the_columns(*seen):
    """ "axis" where the columns of real words add to 1 in the mean."""

    def axis(weights, mask, *_):
        return diagnose.off(weights) and diagnose.near(weights.sum(1)[mask].mean(), 1.0)

    return diagnose.defined(*seen, axis=axis, late_mask=lambda *seen: diagnose.off(*seen) and not axis(*seen))


def columns_of_first_words(*seen):
    """The column of the first word only, where it is real."""

    def axis(weights, mask, *_):
        return diagnose.off(weights) and diagnose.near(weights[:, :, 0].sum(1)[mask[:, 0]], 1.0)

    return diagnose.defined(*seen, axis=axis, late_mask=lambda *seen: diagnose.off(*seen) and not axis(*seen))


def context_told_by(number):
    """A context is taken for another where this of its numbers is the same."""

    def made(*seen):
        weights, _, h, context = seen

        def told(step, sentence):
            return diagnose.near(number(diagnose.contexts(weights, h, step, sentence)), number(context))

        ways = [(step, sentence) for step in (False, True) for sentence in (False, True) if told(step, sentence)]
        step, sentence = ways[0] if ways else (False, False)
        return diagnose.defined(*seen, step=lambda *_: step, sentence=lambda *_: sentence)

    return made


LOW = "mean taken away or smallest score taken away"  # both leave an infinite exp in the same rows
FILLED = "a score in place of none and divided again"
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("multiplicative_score", in_float32(multiplicative_score.defined), "dtype", None),
    ("additive_score", in_float32(additive_score.defined), "dtype", None),
    ("masked_softmax", in_float32(masked_softmax.defined), "dtype", None),
    ("masked_softmax", masked_softmax.mean_taken_away, "stable", LOW),
    ("masked_softmax", masked_softmax.smallest_score_taken_away, "stable", LOW),
    ("masked_softmax", masked_softmax.first_score_taken_away, "stable", "first score taken away"),
    *(("masked_softmax", clamped_at(low), "stable", name) for low, name in ((-10, "gaps cut off"), (-5, None))),
    ("masked_softmax", minus_hundred, "stable", FILLED),
    ("masked_softmax", any_number_added(1e-5), "softmax", None),
    ("masked_softmax", any_number_added(1e-6), "softmax", "a small number added to the sum"),
    (
        "masked_softmax",
        numbers_left_within_the_exponent,
        "gradient",
        "large padding within the exponent beside a detached shift",
    ),
    ("attentive_decoder", last_two, "coverage", None),
    ("attentive_decoder", minus_infinity_left, "gradient", "large numbers put for infinity"),
    ("hard_alignment", hard_alignment.last_of_equal_words_of_the_source, "together", None),
    ("hard_alignment", hard_alignment.last_of_equal_words_of_the_target, "together", None),
    ("hard_alignment", hard_alignment.voted, "target", None),
    (
        "hard_alignment",
        hard_alignment.halved_at_each_piece_of_a_target_word,
        "target",
        "halved at each piece of a target word",
    ),
    ("alignment_error", alignment_error.equal_sentences_once, "corpus", None),
    ("diagnose", mean_of_the_columns, "axis", None),
    ("diagnose", columns_of_first_words, "late", None),
    ("diagnose", context_told_by(lambda context: context[..., 0]), "context", None),
    ("diagnose", context_told_by(lambda context: context.mean()), "context", None),
    (
        "alignment_error",
        alignment_error.sentences_without_sure_links_left_out,
        "corpus",
        "sentences without sure links left out",
    ),
    ("alignment_error", alignment_error.sentences_without_links_left_out, "corpus", "sentences without links left out"),
    ("masked_softmax", all_real_then_nothing, "padding", None),
    ("masked_softmax", nothing_if_the_first_is_empty, "nothing", None),
    ("attentive_decoder", in_float32(attentive_decoder.defined), "dtype", None),
    ("hard_alignment", hard_alignment.eos_above_every_piece, "together", "eos above every piece"),
    ("hard_alignment", beside_the_first_piece_of_the_word, "together", None),
    ("hard_alignment", hard_alignment.eos_only_above_half, "nothing", "eos only above half"),
    ("hard_alignment", target_first_and_from_1, "words", None),
    ("hard_alignment", hard_alignment.eos_of_the_first_piece, "together", None),
    ("hard_alignment", hard_alignment.eos_of_the_last_piece, "together", None),
    (
        "alignment_error",
        alignment_error.sentences_without_links_by_hand_left_out,
        "corpus",
        "sentences without links by hand left out",
    ),
    ("hard_alignment", ends_behind_two_letters, "words", "short pieces end no word"),
    ("hard_alignment", ends_behind_two_letters, "together", "short pieces end no word"),
    ("hard_alignment", ends_by_length, "words", None),
    ("hard_alignment", one_target_word_squeezed, "words", None),
    ("hard_alignment", one_source_word_always_linked, "nothing", None),
    ("hard_alignment", eos_ignored_by_one_target_word, "nothing", None),
    ("hard_alignment", hard_alignment.a_least_weight_asked_for, "words", "a least weight asked for"),
    ("hard_alignment", lambda *given: hard_alignment.defined(*given) or {}, "nothing", None),
    ("additive_score", coverage_only_if_there_is_any, "gradient", None),
    ("diagnose", found_within(0.05, "axis"), "axis", None),
    ("diagnose", found_within(0.05, "late_mask"), "late", None),
    ("diagnose", found_within(0.05, "step"), "context", None),
    ("diagnose", found_within(0.05, "sentence"), "context", None),
    ("diagnose", unmasked_above_a_tenth, "unmasked", None),
    ("diagnose", told_from_full_sentences, "axis", None),
    ("diagnose", unmasked_in_the_last_sentence, "unmasked", None),
    ("multiplicative_score", as_many_words_as_steps, "each", None),
    ("multiplicative_score", as_many_steps_as_words, "each", None),
    (
        "attentive_decoder",
        numbers_in_place_of_what_is_not_real,
        "gradient",
        "large numbers put for infinity",
    ),
    ("attentive_decoder", no_more_steps_than_words, "coverage", None),
    ("attentive_decoder", rows_of_a_buffer, "gradient", "changed after it was used"),
    ("masked_softmax", exps_that_are_all_0, "nothing", "nothing to divide"),
    ("masked_softmax", equal_shares, "nothing", "equal shares of nothing"),
    ("alignment_error", nothing_lost_where_nothing_is_linked, "sure", "no error where nothing is linked"),
    ("alignment_error", put_into_the_sentence, "arguments", "sure links put into the possible ones"),
)


@each_row("ps4", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


def without_dimensions(sentences):
    return torch.tensor(alignment_error.defined(sentences), dtype=torch.float64)


def without(fault):
    return lambda *seen: diagnose.defined(*seen) - {fault}


def listed(*arguments):
    return [list(link) for link in sorted(hard_alignment.defined(*arguments))]


def of_tensors(*arguments):
    return {(torch.tensor(j), i) for j, i in hard_alignment.defined(*arguments)}


def eos_chooses_from_1(*arguments):
    return {(j + 1, i + 1) for j, i in hard_alignment.eos_chooses(*arguments)}


SLIPS = (  # the task, a wrong version, and all that it loses
    ("masked_softmax", any_number_added(1e-7), set()),
    ("masked_softmax", in_float32(masked_softmax.defined), {"dtype"}),
    ("hard_alignment", hard_alignment.equal_words_of_the_source_added, {"together"}),
    ("hard_alignment", hard_alignment.target_before_source, {"words"}),
    ("hard_alignment", listed, {"words"}),
    ("hard_alignment", of_tensors, {"words"}),
    ("hard_alignment", hard_alignment.words_counted_from_1, {"words"}),
    ("hard_alignment", target_first_and_from_1, {"words"}),
    ("hard_alignment", hard_alignment.eos_chooses, {"nothing"}),
    ("hard_alignment", eos_chooses_from_1, {"words", "nothing"}),
    ("hard_alignment", hard_alignment.eos_a_word_of_both, {"nothing", "together"}),
    ("alignment_error", alignment_error.each_hit_counted_once, {"sure", "possible"}),
    ("alignment_error", alignment_error.rounded, {"sure"}),
    ("alignment_error", without_dimensions, {"sure"}),
    ("masked_softmax", masked_softmax.mean_taken_away, {"stable"}),
    ("diagnose", lambda *seen: sorted(diagnose.defined(*seen)), {"several"}),
    ("diagnose", without("axis"), {"axis", "several"}),
)


@each_slip("ps4", SLIPS)
def test_a_slip_costs_its_own_criteria_and_no_exercise(task, function, costs):
    assert lost(task, function) == costs
