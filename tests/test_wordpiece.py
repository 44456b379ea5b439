"""WordPiece: its score against the definition, longest match against Hugging Face."""

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from course_lib.subwords import (
    UNK,
    WordPiece,
    count_pairs,
    gain,
    log_likelihood,
    longest_match,
    merge,
    piece_counts,
    ratio,
)
from course_lib.subwords.likelihood import Scores, join
from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.wordpiece import symbols

# ab and cd are frequent; x and y are rare but never apart
DIFFERENT = {"ab": 20, "ac": 5, "db": 5, "xy": 1}

dictionaries = st.dictionaries(st.text("abcd", min_size=1, max_size=9), st.integers(1, 9), min_size=1, max_size=6)
texts = st.text(min_size=1).filter(lambda text: text.split() and not any(w.startswith("##") for w in text.split()))


def cut(corpus):
    return {symbols(word): frequency for word, frequency in corpus.items()}


def test_log_likelihood_by_hand():
    assert isclose(log_likelihood({"a": 2, "b": 1, "c": 1}), 2 * log(1 / 2) + 2 * log(1 / 4))
    assert log_likelihood({"a": 5}) == 0


def test_gain_by_hand():
    # before: a 3, b 2, N 5; after merging a ##b: ab 2, a 1, N 3
    dictionary = {("a", "##b"): 2, ("a",): 1}
    before = 3 * log(3 / 5) + 2 * log(2 / 5)
    after = 2 * log(2 / 3) + 1 * log(1 / 3)
    assert isclose(gain(dictionary, ("a", "##b")), after - before)
    assert isclose(ratio(dictionary, ("a", "##b")), 2 / (3 * 2))


def test_a_pair_that_does_not_occur_gains_nothing():
    assert gain({("a", "##b"): 2}, ("##b", "a")) == 0
    assert ratio({("a", "##b"): 2}, ("##b", "a")) == 0
    assert ratio({("a", "##b"): 2}, ("x", "y")) == 0


def test_gain_and_ratio_choose_differently():
    dictionary = cut(DIFFERENT)
    often, rare = ("a", "##b"), ("x", "##y")
    assert gain(dictionary, often) > gain(dictionary, rare) > 0
    assert ratio(dictionary, rare) > ratio(dictionary, often)
    assert WordPiece.learn(DIFFERENT, 1, score="gain").merges == [often]
    assert WordPiece.learn(DIFFERENT, 1, score="ratio").merges == [rare]


@given(dictionaries, st.data())
def test_scores_follow_the_definition_through_any_merges(corpus, data):
    index = PairIndex(cut(corpus))
    scores = Scores(index)
    while index.counts:
        dictionary = index.dictionary()
        counts = piece_counts(dictionary.items())
        assert {piece: n for piece, n in scores.counts.items() if n} == counts
        assert scores.total == sum(counts.values())
        for pair in index.counts:
            assert isclose(scores.gain(pair), gain(dictionary, pair), abs_tol=1e-9 * scores.total)
            assert isclose(scores.ratio(pair), ratio(dictionary, pair))
        scores.merge(data.draw(st.sampled_from(sorted(index.counts))))


@given(dictionaries, st.integers(0, 15), st.sampled_from(["gain", "ratio"]))
def test_each_merge_has_the_best_score(corpus, merges, score):
    measure, dictionary = {"gain": gain, "ratio": ratio}[score], cut(corpus)
    wordpiece = WordPiece.learn(corpus, merges, score=score)
    for chosen in wordpiece.merges:
        values = {pair: measure(dictionary, pair) for pair in count_pairs(dictionary)}
        assert isclose(values[chosen], max(values.values()), abs_tol=1e-9)
        dictionary = {merge(pieces, chosen, join(chosen)): n for pieces, n in dictionary.items()}
    assert len(wordpiece.merges) == merges or score == "gain" or not count_pairs(dictionary)


def test_learning_ends_when_no_pair_raises_the_likelihood():
    corpus = {"a": 10, "b": 10, "ab": 1, "ba": 1}
    wordpiece = WordPiece.learn(corpus, 10)
    left = {merged: n for word, n in corpus.items() if (merged := tuple(wordpiece.segment(word)))}
    assert len(wordpiece.merges) < 10
    pairs = {pair for pieces in left for pair in zip(pieces, pieces[1:], strict=False)}
    assert all(gain(left, pair) <= 1e-12 for pair in pairs)


@given(dictionaries, st.text("abcde", min_size=1, max_size=20), st.integers(0, 20))
def test_longest_match_is_hugging_faces(corpus, word, merges):
    wordpiece = WordPiece.learn(corpus, merges)
    ids = {piece: i for i, piece in enumerate([UNK, *wordpiece.vocabulary])}
    peer = models.WordPiece(ids, unk_token=UNK, max_input_chars_per_word=1000)
    expected = tuple(token.value for token in peer.tokenize(word))
    assert wordpiece.segment(word) == longest_match(word, wordpiece.vocabulary) == expected


@given(st.sets(st.sampled_from(["a", "b", "ab", "##a", "##b", "##ab", "##ba", "##abb"])), st.text("abc", min_size=1))
def test_longest_match_is_hugging_faces_for_any_vocabulary(vocabulary, word):
    ids = {piece: i for i, piece in enumerate([UNK, *sorted(vocabulary)])}
    expected = tuple(token.value for token in models.WordPiece(ids, unk_token=UNK).tokenize(word))
    assert longest_match(word, vocabulary) == expected
    assert WordPiece(vocabulary).segment(word) == expected


def test_encoding_a_sentence_is_hugging_faces():
    text = "the newest and the widest of the lower roads wind down to the lowest newer town where winter never ends"
    wordpiece = WordPiece.learn(text, 40)
    peer = Tokenizer(models.WordPiece({p: i for i, p in enumerate([UNK, *wordpiece.vocabulary])}, unk_token=UNK))
    peer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    for sentence in (text, "winter wonderland", "the end: zebra", "Where? over there"):
        assert wordpiece.encode(sentence) == peer.encode(sentence).tokens


def test_greedy_longest_match_does_not_look_ahead():
    assert longest_match("abc", {"ab", "a", "##bc"}) == (UNK,)  # a ##bc would do


@given(texts, st.data(), st.sampled_from(["gain", "ratio"]))
def test_round_trip_over_characters_seen_in_training(text, data, score):
    wordpiece = WordPiece.learn(text, 10, score=score)
    characters = sorted(set("".join(text.split())) - {"#"})
    other = data.draw(st.text([*characters, " "]))
    for sentence in (text, other):
        pieces = wordpiece.encode(sentence)
        assert UNK not in pieces or UNK in text
        assert set(pieces) <= set(wordpiece.vocabulary)
        assert wordpiece.decode(pieces) == " ".join(sentence.split())


@pytest.mark.parametrize("corpus, message", [("", "empty"), ("a ##b", "marker"), ("x\ud800", "surrogate")])
def test_bad_corpus(corpus, message):
    with pytest.raises(ValueError, match=message):
        WordPiece.learn(corpus, 2)


def test_bad_calls():
    with pytest.raises(ValueError, match="merges"):
        WordPiece.learn("a b", -1)
    wordpiece = WordPiece.learn("ab", 1)
    for word in ["", "a b", "##a"]:
        with pytest.raises(ValueError):
            wordpiece.segment(word)


def test_saved_and_loaded_is_the_same(tmp_path):
    wordpiece = WordPiece.learn("größer größte 😀😀 \u200bx", 6)
    wordpiece.save(tmp_path / "w.json")
    loaded = WordPiece.load(tmp_path / "w.json")
    assert (loaded.vocabulary, loaded.merges) == (wordpiece.vocabulary, wordpiece.merges)
    assert loaded.encode("größte x") == wordpiece.encode("größte x")
    (tmp_path / "w.json").write_text('{"kind": "BPE"}')
    with pytest.raises(ValueError, match="w.json"):
        WordPiece.load(tmp_path / "w.json")
