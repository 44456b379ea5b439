"""Sentences and references: sacreBLEU's streams and back, and mistakes that get a sentence of their own."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import corpus_bleu, corpus_chrf, corpus_ter, reported, segments

METRICS = (corpus_bleu, corpus_chrf, corpus_ter, reported)
texts = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=5)


@given(texts)
def test_streams_lead_back_to_the_references(references):
    assert segments.from_streams(segments.streams(references)) == references


def test_a_stream_holds_none_where_a_segment_has_fewer_references():
    assert segments.streams([["a"], ["b", "c"]]) == [["a", "b"], [None, "c"]]
    with pytest.raises(ValueError, match=r"streams must be equally long, got lengths \[1, 2\]"):
        segments.from_streams([["a", "b"], ["c"]])


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        (
            "a b",
            [["a b"]],
            TypeError,
            "hypotheses must be a list with an entry for each sentence, got one string: 'a b'",
        ),
        (["a b"], "a b", TypeError, "references must be a list with an entry for each sentence, got one string: 'a b'"),
        (["a", "b"], ["a", "b"], TypeError, r"references\[0\] must be a list .*give \[\[r\] for r in references\]"),
        ([["a"]], ["a"], TypeError, r"references\[0\] must be a list of references, got one string: 'a'"),
        ([["a"]], [["a"]], TypeError, r"hypotheses\[0\] must be a string, got a list.*swapped\?.*tokenizer=None"),
        (["a", None], [["a"], ["b"]], TypeError, r"hypotheses\[1\] must be a string, got NoneType"),
        (["a"], [["a", None]], TypeError, r"references\[0\] must hold strings, got NoneType"),
        (["a"], [[["a"]]], TypeError, r"references\[0\] must hold strings, got a list"),
        (["a", "b", "c"], [["a", "b", "c"]], ValueError, "as many as hypotheses, 3, got 1.*streams: `from_streams`"),
        (["a", "b"], [["a"]], ValueError, "as many as hypotheses, 2, got 1$"),
        ([], [], ValueError, "hypotheses must hold at least one sentence, got none"),
        (["a", "b"], [["a"], []], ValueError, r"references\[1\] must hold at least one reference, got none"),
        (["a", "b"], [["a"], ["b", " "]], ValueError, r"references\[1\] holds an empty reference: ' '"),
    ],
)
def test_a_mistake_is_told_by_every_metric(hypotheses, references, error, message):
    for metric in METRICS:
        with pytest.raises(error, match=message):
            metric(hypotheses, references)


def test_tokens_want_lists_of_tokens():
    for hypotheses, references in ((["a b"], [[["a", "b"]]]), ([["a", "b"]], [["a b"]]), ([[1]], [[["a"]]])):
        with pytest.raises(TypeError, match="with tokenizer=None a sentence must be a list of tokens, got "):
            corpus_bleu(hypotheses, references, tokenizer=None)


def test_text_that_looks_tokenized_is_warned_of_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus_bleu(["a b ."] * 99 + ["a b."], [["a b."]] * 100)
        corpus_bleu([["a", "."]] * 100, [[["a", "."]]] * 100, tokenizer=None)
        assert not caught
        corpus_bleu(["a b ."] * 100, [["a b."]] * 100)
    assert [str(each.message)[:34] for each in caught] == ['100 hypotheses end in " .": they l']
    assert caught[0].filename == __file__


def test_an_empty_output_is_an_output():
    for metric in (corpus_bleu, corpus_chrf, reported):
        empty, whole = metric(["", "a b c d"], [["a b c d"]] * 2), metric(["a b c d"], [["a b c d"]])
        assert 0 < empty.score < whole.score
    assert corpus_ter(["", "a b c d"], [["a b c d"]] * 2).score == 50
