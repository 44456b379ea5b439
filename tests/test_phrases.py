"""Phrases against their definition and NLTK, the table by hand, the decoder against exhaustive search."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.phrase_based import phrase_extraction

from course_lib.alignment import align_corpus
from course_lib.ngrams import NgramModel
from course_lib.phrases import PhraseTable, decode, extract_phrases

words = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)


@st.composite
def aligned(draw, sentence=words):
    source, target = draw(sentence), draw(sentence)
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, draw(st.sets(link, max_size=6))


corpora = st.lists(aligned(), min_size=1, max_size=6)


def by_definition(source, target, links, max_length):
    spans = {
        size: [(a, b) for a in range(size) for b in range(a + 1, min(a + max_length, size) + 1)]
        for size in (len(source), len(target))
    }
    return {
        ((a, b), (c, d))
        for a, b in spans[len(source)]
        for c, d in spans[len(target)]
        if any(a <= i < b and c <= j < d for i, j in links)
        and all((a <= i < b) == (c <= j < d) for i, j in links)
    }  # fmt: skip


@given(pair=aligned(st.lists(st.sampled_from("abc"), min_size=1, max_size=7)), max_length=st.integers(1, 8))
def test_phrases_by_their_definition(pair, max_length):
    source, target, links = pair
    assert extract_phrases(len(source), len(target), links, max_length) == by_definition(*pair, max_length)


@given(pair=aligned(st.lists(st.sampled_from("abc"), min_size=1, max_size=7)))
def test_phrases_of_any_length_are_nltks(pair):
    """With a length limit NLTK 3.10 cuts longer target spans short, whether or not links leave them: not compared."""
    source, target, links = pair
    nltk = phrase_extraction(" ".join(source), " ".join(target), sorted(links))
    assert extract_phrases(len(source), len(target), links, 7) == {(spans[0], spans[1]) for spans in nltk}


def test_phrases_worked_by_hand():
    """ "zur Konferenz" – "to the conference": zur is linked to both "to" and "the", so neither stands alone."""
    phrases = extract_phrases(2, 3, {(0, 0), (0, 1), (1, 2)}, 3)
    assert phrases == {((0, 1), (0, 2)), ((1, 2), (2, 3)), ((0, 2), (0, 3))}


def test_links_outside_the_sentences_are_refused():
    with pytest.raises(ValueError, match="within 2 source and 1 target words"):
        extract_phrases(2, 1, {(0, 1)}, 3)


HAUS = [
    (["das", "Haus", "ist", "klein"], ["the", "house", "is", "small"], {(0, 0), (1, 1), (2, 2), (3, 3)}),
    (["das", "Haus"], ["a", "house"], {(0, 0), (1, 1)}),
    (["ein", "Haus"], ["a", "house"], {(0, 0), (1, 1)}),
]


def table_of(corpus, **options):
    return PhraseTable([(source, target) for source, target, _ in corpus], [links for *_, links in corpus], **options)


def test_relative_frequencies_worked_by_hand():
    table = table_of(HAUS, max_length=2)
    assert table.options["das",] == [(("a",), math.log(1 / 2)), (("the",), math.log(1 / 1))]
    assert table.options["Haus",] == [(("house",), math.log(3 / 3))]
    assert table.options["das", "Haus"] == [(("a", "house"), math.log(1 / 2)), (("the", "house"), 0)]
    assert ("das", "Haus", "ist") not in table.options
    assert table_of(HAUS, limit=1).options["das",] == [(("a",), math.log(1 / 2))]
    assert len(table_of(HAUS, max_length=1)) == 6


@given(corpus=corpora)
def test_the_sources_of_a_target_phrase_share_one_probability(corpus):
    table, total = table_of(corpus, limit=1000), {}
    for options in table.options.values():
        for target, log in options:
            total[target] = total.get(target, 0) + math.exp(log)
    assert all(value == pytest.approx(1) for value in total.values())


def all_translations(source, table):
    """Every segmentation with every choice of options: (target words, log p of the channel)."""
    if not source:
        yield (), 0.0
    for end in range(1, min(table.max_length, len(source)) + 1):
        phrase = tuple(source[:end])
        for target, channel in table.options.get(phrase, [(phrase, 0.0)] if end == 1 else []):
            for rest, more in all_translations(source[end:], table):
                yield target + rest, channel + more


@settings(max_examples=60)
@given(corpus=corpora, source=st.lists(st.sampled_from("abcz"), max_size=4), order=st.integers(1, 3), data=st.data())
def test_without_a_beam_the_best_of_all_translations_is_found(corpus, source, order, data):
    table = table_of(corpus, max_length=3, limit=3)
    model = NgramModel([target for _, target, _ in corpus], order)
    weight = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    best = max(channel + weight * model.log_probability(target) for target, channel in all_translations(source, table))
    found = decode(source, table, model, weight, beam_size=None)
    assert found.score == pytest.approx(best)
    assert decode(source, table, model, weight, beam_size=1).score <= best + 1e-9


@settings(max_examples=60)
@given(corpus=corpora, source=st.lists(st.sampled_from("abcz"), max_size=8), beam_size=st.sampled_from([1, 3, None]))
def test_the_steps_are_the_translation_and_its_score(corpus, source, beam_size):
    table, model = table_of(corpus), NgramModel([target for _, target, _ in corpus])
    found = decode(source, table, model, beam_size=beam_size)
    assert [word for _, target in found.steps for word in target] == found.target
    spans = [span for span, _ in found.steps]
    assert [0, *(end for _, end in spans)] == [*(start for start, _ in spans), len(source)]
    score = model.log_probability(found.target)
    for (start, end), target in found.steps:
        score += dict(table.options.get(tuple(source[start:end]), [(target, 0.0)]))[target]
    assert found.score == pytest.approx(score)


def test_of_two_ways_to_the_same_words_the_better_survives():
    block = {(0, 0), (0, 1), (1, 0), (1, 1)}  # no word of its own, only the whole phrase; φ(a b | x y) = 1/4
    corpus = [(["a", "b"], ["x", "y"], block)] + [(["c", "d"], ["x", "y"], block)] * 3
    corpus += [(["a"], ["x"], {(0, 0)}), (["b"], ["y"], {(0, 0)})]  # φ(a | x) = φ(b | y) = 1
    found = decode(["a", "b"], table_of(corpus), NgramModel([["x", "y"]]))
    assert found.steps == [((0, 1), ("x",)), ((1, 2), ("y",))]


def test_unknown_words_translate_as_themselves():
    table, model = table_of(HAUS), NgramModel([target for _, target, _ in HAUS])
    assert decode(["das", "Haus", "ist", "Canada"], table, model).target == ["the", "house", "is", "Canada"]


def test_the_language_model_chooses_among_what_the_channel_allows():
    corpus = [(["Bank"], ["bench"], {(0, 0)}), (["Bank"], ["bank"], {(0, 0)}), (["die"], ["the"], {(0, 0)})]
    money, park = NgramModel([["the", "bank"]] * 3), NgramModel([["the", "bench"]] * 3)
    assert decode(["die", "Bank"], table_of(corpus), money).target == ["the", "bank"]
    assert decode(["die", "Bank"], table_of(corpus), park).target == ["the", "bench"]


def test_from_sentence_pairs_to_translations_of_new_sentences():
    corpus = ["das Haus|the house", "das Buch|the book", "ein Buch|a book", "ein Haus|a house", "das kleine|the small"]
    corpus += ["das kleine Haus|the small house", "ein kleines Haus|a small house", "ein kleines|a small"]
    pairs = [tuple(side.split() for side in line.split("|")) for line in corpus]
    table = PhraseTable(pairs, align_corpus(pairs, 10, null=False))
    model = NgramModel([target for _, target in pairs])
    assert decode(["ein", "kleines", "Buch"], table, model).target == ["a", "small", "book"]
    assert decode(["das", "kleine", "Buch"], table, model).target == ["the", "small", "book"]
