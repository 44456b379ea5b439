"""The EM stepper's state, without a browser: the trace is the library's, the questions and the text field hold."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.alignment import NULL, em, maximised, uniform
from course_lib.widgets import EMStepper
from course_lib.widgets.em_stepper import TOY, as_pairs, as_text

words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3)
corpora = st.lists(st.tuples(words, words), min_size=1, max_size=4)


def expected_by_hand(pairs):
    """c(y | x) from the definition, in fractions, and the t that follows."""
    t = {key: Fraction(1, len({y for _, target in pairs for y in target})) for key in uniform(pairs)}
    counts = dict.fromkeys(t, Fraction(0))
    for source, target in pairs:
        for y in target:
            for x in source:
                counts[x, y] += t[x, y] / sum(t[other, y] for other in source)
    return counts, maximised(counts)


@given(corpora)
def test_the_first_step_is_the_definition(corpus):
    pairs = [(tuple(source), tuple(target)) for source, target in corpus]
    stepper = EMStepper([(" ".join(source), " ".join(target)) for source, target in pairs], iterations=1)
    counts, after = expected_by_hand(pairs)
    assert [tuple(map(tuple, pair)) for pair in stepper.pairs] == pairs
    for step, name, truth in ((0, "counts", counts), (1, "translation", after)):
        shown = stepper.trace["steps"][step]
        for x, row in zip(stepper.trace["source_words"], shown[name], strict=True):
            for y, value in zip(stepper.trace["target_words"], row, strict=True):
                assert value == pytest.approx(float(truth.get((x, y), 0)))


@given(corpora, st.integers(1, 5))
def test_questions_are_answered_by_the_next_step(corpus, iterations):
    stepper = EMStepper([(" ".join(source), " ".join(target)) for source, target in corpus], iterations)
    assert len(stepper.questions) == iterations == len(stepper.trace["steps"]) - 1
    for k, question in enumerate(stepper.questions):
        t = em([(tuple(source), tuple(target)) for source, target in corpus], k + 1)
        options = {y: float(t[question["word"], y]) for y in question["options"]}
        assert set(options) == {y for x, y in t if x == question["word"]}
        assert question["best"] == [y for y in options if max(options.values()) - options[y] < 1e-9]


def test_the_toy_corpus_asks_what_is_not_yet_known():
    """Worked by hand: after one iteration t(the | das) = 1/2, and house and the are still as likely for Haus; then
    das explains the, so house is left for Haus."""
    stepper = EMStepper()
    assert [(q["word"], q["options"], q["best"]) for q in stepper.questions[:2]] == [
        ("das", ["the", "house", "book"], ["the"]),
        ("Haus", ["the", "house"], ["house"]),
    ]
    assert stepper.trace["steps"][1]["translation"][0] == [0.5, 0.25, 0.25, 0]
    assert stepper.trace["steps"][1]["translation"][1] == [0.5, 0.5, 0, 0]
    assert all(one["word"] != two["word"] for one, two in zip(stepper.questions, stepper.questions[1:], strict=False))


def test_predictions_are_scored():
    stepper = EMStepper(predict=True)
    assert stepper.score == (0, 0)
    stepper.predictions = {"0": "the", "1": "the"}
    assert stepper.score == (1, 2)


def test_a_request_is_learned_and_answered():
    stepper, sent = EMStepper(iterations=10, step=10), []
    stepper.send = sent.append
    stepper.predictions = {"0": "the"}
    asked = {"text": stepper.text, "iterations": 3}
    stepper._handle_custom_msg({"ask": asked, "id": 3}, [])
    assert sent == [{"id": 3, "error": None}]
    assert (stepper.iterations, stepper.step, stepper.predictions) == (3, 3, {})
    asked["text"] = "NULL la maison = the house\n\nla fleur = the flower"
    stepper._handle_custom_msg({"ask": asked, "id": 4}, [])
    assert sent[-1] == {"id": 4, "error": None} and stepper.step == 0  # other sentences begin anew
    assert stepper.trace["source_words"] == [NULL, "la", "maison", "fleur"]
    stepper._handle_custom_msg({"ask": {"text": "la maison", "iterations": 3}, "id": 5}, [])
    assert sent[-1] == {"id": 5, "error": "line 1 must be a sentence, “=” and its translation, got 'la maison'"}
    assert len(stepper.pairs) == 2


def test_pairs_survive_the_text_field():
    assert as_pairs(as_text(TOY)) == [(source.split(), target.split()) for source, target in TOY]


@pytest.mark.parametrize(
    ("pairs", "iterations", "message"),
    [
        ([], 5, "1 to 8 sentence pairs, got 0"),
        ([("a", "b")] * 9, 5, "1 to 8 sentence pairs, got 9"),
        ([("", "b")], 5, "line 1 must be"),
        ([("a = b", "b")], 5, "line 1 must be"),
        ([("a b c d e f g h i j k", "x")], 5, "10 different source words, got 11"),
        ([("x", "a b c d e f g h i j k")], 5, "10 different target words, got 11"),
        ([("a", "b")], 0, "iterations must be from 1 to 30, got 0"),
        ([("a", "b")], 31, "iterations must be from 1 to 30, got 31"),
    ],
)
def test_what_will_not_do_is_refused(pairs, iterations, message):
    with pytest.raises(ValueError, match=message):
        EMStepper(pairs, iterations)
