"""Searches: wrong versions that looked right on every visible case once; each loses now, where it should."""

from math import exp, inf, log

from course_lib.problem_sets.ps5 import beam_search, greedy
from tests.grading.caught import each_row, is_caught


def continuations(model, live):
    return [((*y, word), s + x) for y, s in live for word, x in enumerate(model[y]) if x > -inf]


def split(ranked, k, among=None):
    going = [h for h in ranked if h[0][-1] != 0][:k]
    return going, [h for h in ranked[: k if among is None else among] if h[0][-1] == 0]


def by_score(hypotheses):
    return sorted(hypotheses, key=lambda h: -h[1])


def among_as_many_as_live(model, live, k):
    return split(by_score(continuations(model, live)), k, len(live))


def eos_last(model, live, k):
    return split(sorted(continuations(model, live), key=lambda h: (-h[1], h[0][-1] == 0)), k)


def eos_as_good_as_the_last(model, live, k):
    ranked = by_score(continuations(model, live))
    return split(ranked, k)[0], [h for h in ranked if h[0][-1] == 0 and h[1] >= ranked[:k][-1][1]]


def finished_in_the_order_met(model, live, k):
    going, finished = split(by_score(continuations(model, live)), k)
    return going, [h for h in continuations(model, live) if h in finished]


def above_a_threshold(model, live, k):
    return split([h for h in by_score(continuations(model, live)) if h[1] > -12], k)


def faint_words_dropped(model, live, k):
    return split(by_score([h for h in continuations(model, live) if model[h[0][:-1]][h[0][-1]] > -20]), k)


def probabilities_multiplied(model, live, k):
    products = [((*y, word), exp(s) * exp(x)) for y, s in live for word, x in enumerate(model[y]) if x > -inf]
    return split([(y, log(p)) for y, p in by_score(products)], k)


def of_each(model, live, k):
    kept = [h for each in live for h in by_score(continuations(model, [each]))[:k]]
    return split(by_score(kept), k)


def three_words(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (0,):
        word = max((0, 1, 2), key=model[words].__getitem__)
        words, score = (*words, word), score + model[words][word]
    return words, score


def behind_eos(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length:
        log_probs = model[words]
        word = log_probs.index(max(log_probs))
        words, score = (*words, word), score + log_probs[word]
    return words, score


def last_step_lost(model, k, max_length, enough):
    live, outputs = [((), 0.0)], []
    for _ in range(max_length):
        live, new = split(by_score(continuations(model, live)), k)
        if not live or len(outputs) + len(new) >= enough:
            break
        outputs += new
    return by_score(outputs) or live


def emptied(function):
    """The model thrown away when the work is done."""

    def emptying(model, *arguments):
        found = function(model, *arguments)
        model.clear()
        return found

    return emptying


def a_word_at_first(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (0,):
        word = max(range(not words, len(model[words])), key=model[words].__getitem__)
        words, score = (*words, word), score + model[words][word]
    return words, score


def with_eos_on_top(model, max_length):
    """`max_length` words, and EOS may follow."""
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (0,):
        word = max(range(len(model[words])), key=model[words].__getitem__)
        words, score = (*words, word), score + model[words][word]
    if words[-1:] != (0,) and max(model[words]) == model[words][0]:
        words, score = (*words, 0), score + model[words][0]
    return words, score


def by_rounded_p(model, max_length):
    return greedy.defined(model, max_length, choose=lambda row: row.index(max(row, key=lambda x: round(exp(x), 1))))


def one_after_the_other(model, live, k):
    return split([h for each in live for h in by_score(continuations(model, [each]))], k)


def greedy_by(choose):
    return lambda model, max_length: greedy.defined(model, max_length, choose=choose)


def rounded_to_3(row):
    return max(range(len(row)), key=lambda word: round(row[word], 3))


def within_a_hundredth(row):
    return next(word for word, x in enumerate(row) if x >= max(row) - 0.01)


def two_words_at_least(search):
    def searched(model, *arguments):
        *k, max_length = arguments[:2] if len(arguments) == 3 else arguments
        return search(model, *k, max(max_length, 2), *arguments[2:])

    return searched


def sums_rounded(model, live, k):
    return split(sorted(continuations(model, live), key=lambda h: round(h[1], 3), reverse=True), k)


def one_stops_at_the_first(model, k, max_length, enough):
    return beam_search.defined(model, k, max_length, 1 if k == 1 else enough)


def late(model, k, max_length, enough):
    """`enough` is looked for before the step's own outputs count."""
    live, outputs, stop = [((), 0.0)], [], False
    for _ in range(max_length):
        live, new = split(by_score(continuations(model, live)), k)
        outputs += new
        if stop or not live:
            break
        stop = len(outputs) >= enough
    return by_score(outputs) or live


def counted_by_step(model, k, max_length, enough):
    live, outputs = [((), 0.0)], []
    for _ in range(max_length):
        live, new = split(by_score(continuations(model, live)), k)
        outputs += new
        if len(new) >= enough or not live:
            break
    return by_score(outputs) or live


def as_far_as_the_table_goes(model, max_length):
    words, score = (), 0.0
    for _ in range(max_length):
        word = max(range(len(model[words])), key=model[words].__getitem__)
        score += model[words][word]
        words += (word,)
        if words not in model:
            break
    return words, score


def one_is_greedy(model, k, max_length, enough):
    if k == 1:
        return [greedy.defined(model, max_length)]
    return beam_search.defined(model, k, max_length, enough)


def far_below_an_output_dropped(model, live, k):
    going, finished = split(by_score(continuations(model, live)), k)
    return [h for h in going if not finished or h[1] > finished[-1][1] - 5], finished


def until_an_output_is_the_best(model, k, max_length, enough):
    live, outputs = [((), 0.0)], []
    for _ in range(max_length):
        live, new = split(by_score(continuations(model, live)), k)
        outputs += new
        if not live or (len(outputs) >= enough and max(s for _, s in outputs) >= live[0][1]):
            break
    return by_score(outputs) or live


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("greedy", greedy_by(rounded_to_3), "words", "nearly equal taken for equal"),
    ("greedy", greedy_by(within_a_hundredth), "words", None),
    ("greedy", two_words_at_least(greedy.defined), "length", "two words at least"),
    ("greedy", with_eos_on_top, "length", "EOS not counted"),
    ("greedy", by_rounded_p, "words", "probabilities rounded"),
    ("greedy", greedy.EOS_behind_its_equals, "ties", "EOS behind its equals"),
    ("greedy", three_words, "words", "words 1 and 2 only"),
    ("greedy", emptied(greedy.defined), "arguments", "the model emptied"),
    ("greedy", a_word_at_first, "end", "EOS never the first word"),
    ("greedy", behind_eos, "end", "going on after EOS"),
    ("greedy", as_far_as_the_table_goes, "end", "on to the end of the table"),
    ("beam_step", sums_rounded, "several", "sums rounded"),
    ("beam_step", one_after_the_other, "several", "one hypothesis after the other"),
    ("beam_step", among_as_many_as_live, "finished", "EOS accepted among as many as are live"),
    ("beam_step", finished_in_the_order_met, "finished", None),
    ("beam_step", of_each, "finished", "the best k words of every hypothesis only"),
    ("beam_step", eos_last, "ties", "EOS behind its equals"),
    ("beam_step", eos_as_good_as_the_last, "ties", "EOS accepted where it equals the kth"),
    ("beam_step", far_below_an_output_dropped, "impossible", "those far below an output dropped"),
    ("beam_step", above_a_threshold, "impossible", "improbable words dropped"),
    ("beam_step", faint_words_dropped, "impossible", None),
    ("beam_step", probabilities_multiplied, "impossible", None),
    ("beam_search", two_words_at_least(beam_search.defined), "length", "two words at least"),
    ("beam_search", one_stops_at_the_first, "enough", "stopped at the first where k is 1"),
    ("beam_search", until_an_output_is_the_best, "enough", "stopped only if an output is the best"),
    ("beam_search", late, "enough", "one step after enough"),
    ("beam_search", counted_by_step, "enough", "counted step by step"),
    ("beam_search", one_is_greedy, "enough", "stopped at the first where k is 1"),
    ("beam_search", emptied(beam_search.defined), "arguments", "the model emptied"),
    ("beam_search", beam_search.unfinished_by_their_words, "order", None),
    ("beam_search", last_step_lost, "steps", "outputs of the last step lost"),
)


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
