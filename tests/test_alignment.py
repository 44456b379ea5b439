"""IBM Model 1 against fractions worked by hand and NLTK; symmetrisation and AER against their definitions."""

import json
import math
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import AlignedSent, Alignment, IBMModel1
from nltk.translate.metrics import alignment_error_rate as nltk_error_rate

from course_lib import alignment as a
from tests.benchmarks import bench_alignment

HAUS = [(["das", "Haus"], ["the", "house"]), (["das", "Buch"], ["the", "book"]), (["ein", "Buch"], ["a", "book"])]
# A word twice in a source, none in a target: where a target repeats a word NLTK 3.10 counts its normaliser twice.
KLEIN = [
    (["klein", "ist", "das", "Haus"], ["the", "house", "is", "small"]),
    (["das", "Haus", "ist", "ja", "groß"], ["the", "house", "is", "big"]),
    (["das", "Buch", "ist", "ja", "klein"], ["the", "book", "is", "small"]),
    (["das", "Haus"], ["the", "house"]),
    (["das", "Buch"], ["the", "book"]),
    (["ein", "Buch", "ein", "Haus"], ["a", "book", "or", "house"]),
]

words = st.sampled_from("abcdef")
sentence = st.lists(words, min_size=1, max_size=5).map(tuple)
corpora = st.lists(st.tuples(sentence, sentence), min_size=1, max_size=8)
link_sets = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def test_two_iterations_worked_by_hand():
    """Before the first step every posterior is 1/2. "das" then has counts the 1/2 + 1/2, house 1/2, book 1/2."""
    half, third, quarter = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
    start = dict.fromkeys(a.uniform(HAUS), quarter)
    assert start == a.uniform(HAUS)

    first = a.maximised(a.expected_counts(HAUS, start))
    assert first == {
        ("das", "the"): half, ("das", "house"): quarter, ("das", "book"): quarter,
        ("Haus", "the"): half, ("Haus", "house"): half,
        ("Buch", "the"): quarter, ("Buch", "book"): half, ("Buch", "a"): quarter,
        ("ein", "a"): half, ("ein", "book"): half,
    }  # fmt: skip
    assert a.posterior(*HAUS[1], first) == [[2 * third, third], [third, 2 * third]]

    second = a.maximised(a.expected_counts(HAUS, first))
    assert second == {
        ("das", "the"): Fraction(7, 11), ("das", "house"): Fraction(2, 11), ("das", "book"): Fraction(2, 11),
        ("Haus", "the"): Fraction(3, 7), ("Haus", "house"): Fraction(4, 7),
        ("Buch", "the"): Fraction(2, 11), ("Buch", "book"): Fraction(7, 11), ("Buch", "a"): Fraction(2, 11),
        ("ein", "a"): Fraction(4, 7), ("ein", "book"): Fraction(3, 7),
    }  # fmt: skip
    assert a.em(HAUS, 2) == pytest.approx({key: float(value) for key, value in second.items()})


def test_the_likelihood_is_the_sum_over_all_alignments():
    """p(y | x) = I^-J Σ over all I^J alignments of Π_j t(y_j | x_a_j): four of them for "the book"."""
    t = a.em(HAUS, 1)
    (x1, x2), (y1, y2) = HAUS[1]
    total = sum(t[i, y1] * t[j, y2] for i in (x1, x2) for j in (x1, x2)) / 4
    assert a.log_likelihood([HAUS[1]], t) == pytest.approx(math.log(total))


def test_em_finds_the_dictionary():
    model = a.Model1(HAUS, null=False).fit(100)
    for x, y in [("das", "the"), ("Haus", "house"), ("Buch", "book"), ("ein", "a")]:
        assert model.probabilities([x], [y])[0, 0] > 0.99
    assert [model.align(*pair) for pair in HAUS] == [{(0, 0), (1, 1)}] * 3


@pytest.mark.parametrize("iterations", [0, 1, 7])
def test_the_same_table_as_nltk(iterations):
    nltk = IBMModel1([AlignedSent(target, source) for source, target in KLEIN], iterations)
    model = a.Model1(KLEIN, null=True).fit(iterations)
    for source, target in KLEIN:
        table = model.probabilities([a.NULL, *source], target)
        expected = [[nltk.translation_table[y][x] for x in (None, *source)] for y in target]
        np.testing.assert_allclose(table, expected, rtol=1e-12)


def test_the_same_alignment_as_nltk():
    corpus = [AlignedSent(target, source) for source, target in KLEIN[:5]]  # without repeated words: no ties
    IBMModel1(corpus, 20)
    model = a.Model1(KLEIN[:5]).fit(20)
    for pair, aligned in zip(KLEIN, corpus, strict=False):
        assert model.align(*pair) == {(i, j) for j, i in aligned.alignment if i is not None}


@given(pairs=corpora, null=st.booleans(), iterations=st.integers(0, 4))
def test_the_vectorised_model_is_the_equations(pairs, null, iterations):
    prefix = (a.NULL,) if null else ()
    prefixed = [(prefix + source, target) for source, target in pairs]
    table, steps = a.em(prefixed, iterations), a.trace_em(prefixed, iterations).steps
    model = a.Model1(pairs, null).fit(iterations)
    for (x, y), probability in table.items():
        assert model.probabilities([x], [y])[0, 0] == pytest.approx(probability)
    assert model.log_likelihoods == pytest.approx([step.log_likelihood for step in steps[:-1]])
    assert sum(model.log_probability(x, y) for x, y in pairs) == pytest.approx(steps[-1].log_likelihood)


def test_a_target_word_that_never_met_the_source_has_no_probability():
    assert a.Model1(HAUS, null=False).log_probability(["das"], ["a"]) == -math.inf


@given(pairs=corpora, null=st.booleans(), iterations=st.integers(0, 4))
def test_training_pairs_are_aligned_as_any_other(pairs, null, iterations):
    model = a.Model1(pairs, null).fit(iterations)
    assert model.alignments() == [model.align(source, target) for source, target in pairs]


@given(pairs=corpora, null=st.booleans())
def test_the_likelihood_never_falls_and_the_table_is_a_distribution(pairs, null):
    model = a.Model1(pairs, null).fit(8)
    assert (np.diff(model.log_likelihoods) >= -1e-9).all()
    targets = sorted({y for _, target in pairs for y in target})
    for x in model.source_ids:
        assert model.probabilities([x], targets).sum() == pytest.approx(1)


def test_the_trace_holds_each_step_and_is_plain():
    table, trace = a.em(HAUS, 2), asdict(a.trace_em(HAUS, 2))
    assert json.loads(json.dumps(trace)) == trace
    steps = trace["steps"]
    assert len(steps) == 3
    das, the = trace["source_words"].index("das"), trace["target_words"].index("the")
    assert [step["translation"][das][the] for step in steps] == pytest.approx([1 / 4, 1 / 2, 7 / 11])
    assert [step["counts"][das][the] for step in steps[:2]] == pytest.approx([1, 1 / 2 + 2 / 3])
    assert steps[1]["posteriors"][1][0] == pytest.approx([2 / 3, 1 / 3])
    assert steps[2]["translation"][das][the] == table["das", "the"]


def test_words_never_seen_together_get_no_link():
    model = a.Model1(HAUS).fit(5)
    assert model.align(["das", "Auto"], ["car", "the", "a"]) == {(0, 1)}
    assert model.probabilities(["das", "Auto"], ["a", "car"]).tolist() == [[0, 0], [0, 0]]
    assert model.align([], ["the"]) == model.align(["das"], []) == set()


def test_every_link_is_a_best_word_and_no_link_means_null_is_better():
    model = a.Model1(KLEIN).fit(3)
    for source, target in KLEIN:
        scores, null = model.probabilities(source, target), model.probabilities([a.NULL], target)[:, 0]
        links = {j: i for i, j in model.align(source, target)}
        for j in range(len(target)):
            assert scores[j, links[j]] == scores[j].max() >= null[j] if j in links else scores[j].max() < null[j]


def test_of_equal_words_the_one_nearest_the_diagonal():
    model = a.Model1([(["ein", "Hund", "und", "ein"], ["a", "dog", "and", "a"])] * 2 + HAUS, null=False).fit(10)
    assert {(0, 0), (3, 3)} <= model.align(["ein", "Hund", "und", "ein"], ["a", "dog", "and", "a"])


@pytest.mark.parametrize("pairs", [[], [(["a"], ["b"]), ([], ["b"])]])
def test_empty_sides_are_named(pairs):
    with pytest.raises(ValueError, match="words on both sides, but (there are none|pair 1 is empty)"):
        a.Model1(pairs)


# Symmetrisation. NLTK's grow_diag_final_and is no oracle: it asks whether an index is among the keys of a dict of two
# names, which it never is, and so returns the union (NLTK 3.10). The grid scan below follows the pseudo-code of Koehn
# et al. 2005 line by line instead.


def by_pseudo_code(forward, backward, final):
    alignment = forward & backward
    grid = [(e, f) for e in range(6) for f in range(6)]

    def aligned(side, index):
        return any(link[side] == index for link in alignment)

    while True:
        before = set(alignment)
        for e, f in grid:
            if (e, f) in alignment:
                for de, df in [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]:
                    new = (e + de, f + df)
                    if (not aligned(0, new[0]) or not aligned(1, new[1])) and new in forward | backward:
                        alignment = alignment | {new}
        if alignment == before:
            break
    for one in (forward, backward) if final else ():
        for e, f in grid:
            free = (not aligned(0, e), not aligned(1, f))
            if (e, f) in one and (all(free) if final == "and" else any(free)):
                alignment = alignment | {(e, f)}
    return alignment


@given(forward=link_sets, backward=link_sets)
def test_symmetrisation_by_its_pseudo_code(forward, backward):
    assert a.symmetrise(forward, backward, "grow-diag") == by_pseudo_code(forward, backward, None)
    assert a.symmetrise(forward, backward, "grow-diag-final") == by_pseudo_code(forward, backward, "or")
    assert a.symmetrise(forward, backward, "grow-diag-final-and") == by_pseudo_code(forward, backward, "and")


@given(forward=link_sets, backward=link_sets)
def test_every_method_lies_between_intersection_and_union(forward, backward):
    intersection, union, grown, final, final_and = (a.symmetrise(forward, backward, method) for method in a.METHODS)
    assert (intersection, union) == (forward & backward, forward | backward)
    assert intersection <= grown <= final_and <= union and grown <= final <= union
    if intersection:
        assert {i for i, _ in final} == {i for i, _ in union} and {j for _, j in final} == {j for _, j in union}


def test_symmetrisation_worked_by_hand():
    forward, backward = {(0, 0), (1, 1), (1, 2), (4, 4)}, {(0, 0), (1, 1), (2, 1), (4, 3), (5, 5)}
    assert a.symmetrise(forward, backward, "grow-diag") == {(0, 0), (1, 1), (1, 2), (2, 1)}
    assert a.symmetrise(forward, backward, "grow-diag-final-and") == {(0, 0), (1, 1), (1, 2), (2, 1), (4, 4), (5, 5)}
    assert a.symmetrise(forward, backward, "grow-diag-final") == forward | backward


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="one of intersection, .*, got 'grow'"):
        a.symmetrise(set(), set(), "grow")


def test_a_corpus_aligned_in_both_directions():
    assert a.align_corpus(KLEIN[3:5] + HAUS, 10, null=False) == [{(0, 0), (1, 1)}] * 5


@given(st.lists(st.tuples(link_sets, link_sets, link_sets), min_size=1, max_size=3))
def test_the_error_rate_is_nltks(sentences):
    predicted, sure, extra = (list(column) for column in zip(*sentences, strict=True))
    possible = [s | p for s, p in zip(sure, extra, strict=True)]
    together = [Alignment((1000 * k + i, j) for k, links in enumerate(side) for i, j in links) for side in
                (predicted, sure, possible)]  # fmt: skip
    if together[0] or together[1]:
        assert a.alignment_error_rate(predicted, sure, possible) == pytest.approx(
            nltk_error_rate(together[1], together[0], together[2])
        )
        assert a.alignment_error_rate(predicted, sure) == pytest.approx(nltk_error_rate(together[1], together[0]))


def test_error_rates_at_the_ends():
    gold, possible = [{(0, 0), (1, 1)}], [{(0, 0), (1, 1), (1, 2)}]
    assert a.alignment_error_rate(gold, gold) == 0
    assert a.alignment_error_rate(possible, gold, possible) == 0
    assert a.alignment_error_rate([{(0, 1)}], gold) == 1
    assert a.alignment_error_rate([set()], [set()]) == 0
    assert a.alignment_error_rate([{(0, 0), (0, 1)}], gold) == 1 - (1 + 1) / (2 + 2)


def test_error_rate_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="1 predicted, 2 sure"):
        a.alignment_error_rate([set()], [set(), set()])
    with pytest.raises(ValueError, match=r"in sentence 0 \[\(0, 0\)\] are not"):
        a.alignment_error_rate([set()], [{(0, 0)}], [set()])


def test_the_benchmark_runs(tmp_path):
    bench_alignment.main(["--pairs=20", "--slow-pairs=5", "--rounds=1", f"--json={tmp_path / 'rows.json'}"])
    assert len(json.loads((tmp_path / "rows.json").read_text())["rows"]) == 5


@given(
    st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**30), st.integers(2**61, 2**62)), min_size=1, max_size=50)
)
def test_codes_are_numbered_as_numpy_numbers_them(codes):
    """Also codes that leave no room for their place in 63 bits."""
    for ours, numpys in zip(a._unique(np.array(codes)), np.unique(np.array(codes), return_inverse=True), strict=True):
        assert ours.tolist() == numpys.tolist()
