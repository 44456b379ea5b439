"""The trace of BLEU's n-grams: what it shows adds up to what BLEU counts."""

import json
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import sentence_bleu
from course_lib.metrics.ngram_matches import ngram_matches

from .pairs import references, tokens


@given(tokens, references, st.integers(1, 4))
def test_every_occurrence_is_matched_clipped_or_absent_as_bleu_counts(hypothesis, texts, order):
    found = ngram_matches(hypothesis, texts, order=order, tokenizer=None)
    assert found.parts == sentence_bleu(hypothesis, texts, order=order, tokenizer=None)
    for n, (occurrences, clips) in enumerate(zip(found.occurrences, found.clips, strict=True), 1):
        assert [each.position for each in occurrences] == list(range(max(0, len(hypothesis) - n + 1)))
        states = Counter((each.ngram, each.state) for each in occurrences)
        assert sum(states[clip.ngram, "matched"] for clip in clips) == found.parts.matches[n - 1]
        for clip in clips:
            assert clip.counted == min(clip.count, clip.most) == states[clip.ngram, "matched"]
            assert states[clip.ngram, "clipped"] == (clip.count - clip.counted if clip.most else 0)
            assert states[clip.ngram, "absent"] == (0 if clip.most else clip.count)
        assert sum(clip.count for clip in clips) == found.parts.totals[n - 1]


@given(tokens, references)
def test_places_are_where_the_ngram_stands(hypothesis, texts):
    found = ngram_matches(hypothesis, texts, tokenizer=None)
    for n, occurrences in enumerate(found.occurrences, 1):
        for each in occurrences:
            assert tuple(hypothesis[each.position : each.position + n]) == each.ngram
            everywhere = [
                (r, i) for r, text in enumerate(texts) for i in range(len(text)) if tuple(text[i : i + n]) == each.ngram
            ]
            assert list(each.places) == everywhere
            assert (each.match in everywhere) if each.state == "matched" else each.match is None
        partners = [each.match for each in occurrences if each.match]
        assert len(set(partners)) == len(partners), "no place of a reference is used twice"
    lengths = [len(text) for text in texts]
    assert lengths[found.closest] == found.parts.reference_length


def test_an_example_worked_by_hand():
    found = ngram_matches("The the cat.", ["The cat sat.", "A cat, the cat."], order=2, lowercase=True)
    assert found.hypothesis == ("the", "the", "cat", ".")
    assert found.references == (("the", "cat", "sat", "."), ("a", "cat", ",", "the", "cat", "."))
    states = [[(each.state, each.match) for each in occurrences] for occurrences in found.occurrences]
    assert states[0] == [("matched", (0, 0)), ("clipped", None), ("matched", (1, 1)), ("matched", (0, 3))]
    assert states[1] == [("absent", None), ("matched", (0, 0)), ("matched", (1, 4))]
    assert found.closest == 0
    assert asdict(found.clips[0][0]) == {"ngram": ("the",), "count": 2, "most": 1, "counted": 1}


def test_it_is_plain_data_and_an_empty_hypothesis_has_none():
    found = ngram_matches("", ["a b"])
    assert found.occurrences == ((), (), (), ())
    assert json.loads(json.dumps(asdict(ngram_matches("a b", ["a c"]))))["clips"][0][1]["count"] == 1


def test_strange_input_is_refused():
    with pytest.raises(TypeError, match="references must be a list of references, got one string: 'a b'"):
        ngram_matches("a b", "a b")
    with pytest.raises(ValueError, match="order must be at least 1, got 0"):
        ngram_matches("a b", ["a b"], order=0)
