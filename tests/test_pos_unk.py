"""Unknown words are put back from where they came."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.corpora.grammar import sample
from course_lib.systems.pos_unk import (
    NOWHERE,
    annotate,
    dictionary,
    put_back,
    put_back_by_attention,
    reach,
    symbols,
)
from course_lib.translation import Translation

SOURCE, TARGET = ["the", "portico", "in", "Pont-de-Buis"], ["le", "portique", "de", "Pont-de-Buis"]
LINKS = {(0, 0), (1, 1), (2, 2), (3, 3)}


def test_an_unknown_word_says_how_far_off_its_source_word_is():
    assert annotate(SOURCE, TARGET, LINKS, {"le", "de"}) == ["le", "unkpos_0", "de", "unkpos_0"]
    assert annotate(SOURCE, TARGET, {(3, 1), (0, 3)}, {"le", "de"}) == ["le", "unkpos_-2", "de", "unkpos_3"]


def test_of_several_links_the_nearest_counts_and_one_too_far_away_does_not():
    assert annotate(SOURCE, ["x", "y"], {(3, 1), (2, 1), (0, 1)}, set()) == [NOWHERE, "unkpos_1"]
    assert annotate(SOURCE, ["x", "y"], {(3, 0)}, set(), furthest=2) == [NOWHERE, NOWHERE]
    assert annotate(SOURCE, ["x", "y"], {(3, 0)}, set(), furthest=3) == ["unkpos_-3", NOWHERE]


def test_it_is_translated_by_the_dictionary_or_copied():
    said = ["le", "unkpos_0", "de", "unkpos_0"]
    assert put_back(SOURCE, said, {"portico": "portique"}) == TARGET
    assert put_back(SOURCE, said) == ["le", "portico", "de", "Pont-de-Buis"]


def test_what_points_nowhere_stays_unknown():
    assert put_back(["a"], ["unkpos_-1", "unkpos_2", NOWHERE, "b"]) == ["<unk>", "<unk>", "<unk>", "b"]


words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8)


@given(words, st.sets(st.sampled_from("abcdef")), st.randoms())
def test_a_target_that_is_the_source_in_another_order_comes_back_by_copying(source, known, rng):
    order = rng.sample(range(len(source)), len(source))
    target = [source[i] for i in order]
    marked = annotate(source, target, {(i, j) for j, i in enumerate(order)}, known)
    assert put_back(source, marked) == target
    assert set(marked) <= known | set(symbols()) - {NOWHERE}


def test_the_dictionary_has_the_word_that_was_linked_most_often():
    pairs = [(["a", "b"], ["x", "y"]), (["a"], ["z"]), (["a"], ["z"]), (["c"], ["x"])]
    assert dictionary(pairs, [{(0, 0), (1, 1)}, {(0, 0)}, {(0, 0)}, set()]) == {"a": "z", "b": "y"}


@pytest.fixture
def translation():
    return Translation(
        text="",
        source=["the", "portico", "</s>"],
        target=["le", "<unk>", "<unk>", "</s>"],
        log_probs=[0.0] * 4,
        best=[[]] * 4,
        attention=[[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.0, 0.0, 1.0]],
        source_words=["the", "portico", "</s>"],
        target_words=["le", "<unk>", "<unk>", "</s>"],
        source_word_of=[0, 1, 2],
        target_word_of=[0, 1, 2, 3],
    )


def test_attention_points_at_the_word_and_at_the_end_there_is_none(translation):
    assert put_back_by_attention(translation, {"portico": "portique"}) == ["le", "portique", "<unk>"]
    assert put_back_by_attention(translation) == ["le", "portico", "<unk>"]
    cut_off = replace(
        translation,
        target=["<unk>"],
        attention=[[0.2, 0.7, 0.1]],
        target_words=["<unk>"],
        target_word_of=[0],
    )
    assert put_back_by_attention(cut_off) == ["portico"]
    with pytest.raises(ValueError, match="this model has none"):
        put_back_by_attention(replace(translation, attention=None))


def test_each_way_reaches_further_and_pieces_cost_length():
    pairs, links = [], []
    for split, n in (("train", 400), ("test", 60)):
        examples = sample(n, split=split)
        pairs.append([(e.sentences["en"], e.sentences["de"]) for e in examples])
        links.append([e.alignment("en", "de") for e in examples])
    found = reach(pairs[0], links[0], pairs[1], links[1], words=100, merges=100)
    plain, copied, looked_up, bpe = found
    assert plain.right < copied.right < looked_up.right < bpe.right
    assert plain.bleu < copied.bleu < looked_up.bleu < bpe.bleu
    assert plain.right == pytest.approx(1 - plain.unknown)
    assert plain.pieces == copied.pieces == looked_up.pieces < bpe.pieces
    assert (plain.vocabulary, copied.vocabulary) == (101, 116)
    with pytest.raises(ValueError, match="test_links must be as many as their pairs, 60, got 1"):
        reach(pairs[0], links[0], pairs[1], links[1][:1], words=100, merges=100)


def test_a_link_outside_the_sentences_is_named():
    with pytest.raises(ValueError, match=r"links must lie within 4 and 4 words, got \(4, 0\)"):
        annotate(SOURCE, TARGET, {(4, 0)}, set())
