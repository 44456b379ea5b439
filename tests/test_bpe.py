"""Byte pair encoding against its definition, the seeds' worked examples and subword-nmt."""

import contextlib
import io
import json
import pickle
from dataclasses import asdict
from pydoc_data.topics import topics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from subword_nmt import apply_bpe, learn_bpe

from course_lib.subwords import BPE, MARKERS, Vocabulary, count_pairs, merge, trace_bpe
from course_lib.subwords import bpe as bpe_module
from course_lib.subwords.bpe_trace import trace_segment
from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.pairs import largest, learn_merges, read_first

# Liu and Malykh (2022) and Straka (2021)
DICTIONARY_1 = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
DICTIONARY_2 = {"low": 1, "lowest": 1, "newer": 1, "wider": 1}

dictionaries = st.dictionaries(st.text("abcd", min_size=1, max_size=9), st.integers(1, 9), min_size=1, max_size=6)
TIES = {"first": read_first, "largest": largest}
markers, ties = st.sampled_from(list(MARKERS)), st.sampled_from(list(TIES))
texts = st.text(min_size=1).filter(lambda text: text.split() and not any(m in text for m in MARKERS.values()))


@pytest.fixture(scope="module")
def english():
    """Real English: the language reference that comes with Python, one sentence a line."""
    text = " ".join(topics[name] for name in sorted(topics))[:120_000]
    return [" ".join(sentence.split()) for sentence in text.split(". ")]


def marked(corpus, marker):
    plain = BPE([], [], marker)
    return {plain.symbols(word): frequency for word, frequency in corpus.items()}


# the seeds' dictionaries


def test_dictionary_1_tie_and_merges_as_in_the_seed():
    bpe, trace = BPE.learn(DICTIONARY_1, 3, tie="first"), trace_bpe(DICTIONARY_1, 3, tie="first")
    assert bpe.characters == ["l", "o", "w</w>", "w", "e", "r</w>", "n", "s", "t</w>", "i", "d"]
    assert trace.steps[0].counts[0][1] == 9
    assert trace.steps[0].maxima == [("e", "s"), ("s", "t</w>")]
    assert bpe.merges == [("e", "s"), ("es", "t</w>"), ("l", "o")]
    assert bpe.vocabulary == [*bpe.characters, "es", "est</w>", "lo"]
    assert trace.steps[2].pieces == [
        ["lo", "w</w>"],
        ["lo", "w", "e", "r</w>"],
        ["n", "e", "w", "est</w>"],
        ["w", "i", "d", "est</w>"],
    ]


def test_dictionary_1_by_the_rule_of_subword_nmt():
    assert BPE.learn(DICTIONARY_1, 1).merges == [("s", "t</w>")]


def test_dictionary_2_has_five_ties_and_the_seeds_sequence_is_always_among_the_maxima():
    sequence = [("r", "·"), ("l", "o"), ("lo", "w"), ("e", "r·")]
    rules = {"marker": "separate", "choices": dict(enumerate(sequence))}
    bpe, trace = BPE.learn(DICTIONARY_2, 4, **rules), trace_bpe(DICTIONARY_2, 4, **rules)
    assert bpe.merges == sequence
    assert set(trace.steps[0].maxima) == {("l", "o"), ("o", "w"), ("w", "e"), ("e", "r"), ("r", "·")}
    for step, pair in zip(trace.steps, sequence, strict=True):
        assert pair in step.maxima
        assert step.counts[0][1] == 2
    assert BPE.learn(DICTIONARY_2, 4, marker="separate", tie="first").merges != sequence
    assert BPE.learn(DICTIONARY_2, 4, marker="separate", tie="largest").merges != sequence


# the definition


def test_the_definition_gives_the_seeds_merges():
    learned, dictionary = learn_merges(marked(DICTIONARY_1, "attached"), 3)
    assert learned == [("e", "s"), ("es", "t</w>"), ("l", "o")]
    assert list(dictionary) == [
        ("lo", "w</w>"),
        ("lo", "w", "e", "r</w>"),
        ("n", "e", "w", "est</w>"),
        ("w", "i", "d", "est</w>"),
    ]


def test_count_pairs_weighs_by_frequency_in_reading_order():
    counts = count_pairs({("a", "b", "a", "b"): 3, ("b", "a"): 2, ("c",): 7})
    assert list(counts.items()) == [(("a", "b"), 6), (("b", "a"), 5)]


@pytest.mark.parametrize(
    "pieces, expected",
    [("aaa", ("aa", "a")), ("aaaa", ("aa", "aa")), ("baab", ("b", "aa", "b")), ("ab", ("a", "b")), ("", ())],
)
def test_merge_goes_from_the_left_and_never_overlaps(pieces, expected):
    assert merge(tuple(pieces), ("a", "a")) == expected


def test_merge_does_not_join_pieces_that_only_spell_the_pair():
    assert merge(("ab", "c", "a", "bc"), ("a", "b")) == ("ab", "c", "a", "bc")


@given(dictionaries, st.integers(0, 30), ties, markers)
def test_learning_equals_recounting(corpus, merges, tie, marker):
    learned, left = learn_merges(marked(corpus, marker), merges, choose=TIES[tie])
    bpe = BPE.learn(corpus, merges, tie=tie, marker=marker)
    assert bpe.merges == learned
    assert [bpe.segment(word) for word in corpus] == list(left)  # training words end as training left them


@pytest.mark.parametrize("tie", ["first", "largest"])
def test_learning_equals_recounting_on_real_text(tie, english):
    bpe = BPE.learn(english[:25], 60, tie=tie)
    learned, _ = learn_merges(marked(bpe_module.dictionary(english[:25]), "attached"), 60, choose=TIES[tie])
    assert bpe.merges == learned


@given(dictionaries, st.data())
def test_index_stays_exact_whatever_is_merged(corpus, data):
    index = PairIndex(marked(corpus, "attached"))
    while index.counts:
        counts = count_pairs(index.dictionary())
        assert index.counts == counts
        assert index.maxima() == {pair for pair in counts if counts[pair] == max(counts.values())}
        assert [index.first({pair}) for pair in counts] == list(counts)
        assert index.first(set(counts)) == next(iter(counts))
        pair = data.draw(st.sampled_from(sorted(counts)))
        index.merge(pair, "".join(pair))
    assert index.maxima() == set()


@given(dictionaries, st.text("abcde", min_size=1, max_size=20), markers)
def test_segmenting_is_every_merge_in_training_order(corpus, word, marker):
    bpe = BPE.learn(corpus, 40, marker=marker)
    pieces = bpe.symbols(word)
    for pair in bpe.merges:
        pieces = merge(pieces, pair)
    assert bpe.segment(word) == pieces


@given(dictionaries, markers, ties)
def test_no_symbol_is_ever_made_twice(corpus, marker, tie):
    bpe = BPE.learn(corpus, 60, marker=marker, tie=tie)
    assert len(bpe.vocabulary) == len(bpe.characters) + len(bpe.merges)


# subword-nmt


def test_subword_nmt_learns_the_same_merges_and_cuts_the_same_pieces(english):
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe.learn_bpe(io.StringIO("\n".join(english[:300])), codes, 500)
    bpe = BPE.learn(english[:300], 500, min_count=2)
    assert [f"{a} {b}" for a, b in bpe.merges] == codes.getvalue().splitlines()[1:]
    codes.seek(0)
    peer = apply_bpe.BPE(codes, separator="@@")
    for sentence in english[:450]:  # the last third was not seen in training
        ours = bpe.encode(sentence)
        assert " ".join(ours + [""]).replace("</w> ", " ").split(" ")[:-1] == [
            piece.removesuffix("@@") for piece in peer.segment(sentence).split()
        ]
        assert [piece.endswith("</w>") for piece in ours] == [
            not piece.endswith("@@") for piece in peer.segment(sentence).split()
        ]


def test_subword_nmt_agrees_beyond_ascii():
    text = "evlerimizde evlerinizde ışığımızdan ışığınızdan 😀😀 😀 e\u0301e\u0301 größer größte Straße"
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe.learn_bpe(io.StringIO(text), codes, 60)
    bpe = BPE.learn(text, 60, min_count=2)
    assert [f"{a} {b}" for a, b in bpe.merges] == codes.getvalue().splitlines()[1:]


# longest match, round trips


def test_merge_order_and_longest_match_can_differ():
    bpe = BPE.learn({"bcx": 9, "abx": 5}, 3, tie="first")
    assert bpe.merges == [("b", "c"), ("bc", "x</w>"), ("a", "b")]
    assert bpe.segment("abcx") == ("a", "bcx</w>")
    assert bpe.segment_longest("abcx") == ("ab", "c", "x</w>")


@given(dictionaries, st.text("abcdé", min_size=1, max_size=15), markers)
def test_longest_match_takes_the_longest_piece_at_each_place(corpus, word, marker):
    bpe = BPE.learn(corpus, 20, marker=marker)
    symbols, start = bpe.symbols(word), 0
    for piece in bpe.segment_longest(word):
        fitting = [end for end in range(start + 1, len(symbols) + 1) if "".join(symbols[start:end]) in bpe.vocabulary]
        end = max(fitting, default=start + 1)
        assert piece == "".join(symbols[start:end])
        start = end
    assert start == len(symbols)


@given(texts, st.data(), markers, ties)
def test_round_trip_over_characters_seen_in_training(text, data, marker, tie):
    bpe = BPE.learn(text, 20, marker=marker, tie=tie)
    other = data.draw(st.text(text))
    assume(not any(m in other for m in MARKERS.values()))
    for sentence in (text, other):
        assert bpe.decode(bpe.encode(sentence)) == " ".join(sentence.split())
    vocabulary = Vocabulary(bpe.vocabulary)
    pieces = bpe.encode(text)
    assert vocabulary.pieces(vocabulary.ids(pieces)) == pieces


def test_an_unseen_character_stays_and_is_unknown_as_a_number():
    bpe = BPE.learn(DICTIONARY_1, 4)
    assert bpe.decode(bpe.encode("löw")) == "löw"
    assert Vocabulary(bpe.vocabulary).ids(bpe.encode("löw"))[1] == Vocabulary.unk_id


def test_decode_without_a_last_marker():
    assert BPE.learn(DICTIONARY_1, 0).decode(["n", "e", "w</w>", "l", "o"]) == "new lo"


# the trace


@given(dictionaries, st.integers(0, 12), ties, markers)
def test_trace_tells_what_happened(corpus, merges, tie, marker):
    bpe = BPE.learn(corpus, merges, tie=tie, marker=marker)
    trace = trace_bpe(corpus, merges, tie=tie, marker=marker, limit_pairs=5)
    dictionary = marked(corpus, marker)
    assert trace.words == list(corpus.items())
    assert trace.start == [list(pieces) for pieces in dictionary]
    assert trace.vocabulary == bpe.characters
    assert [step.chosen for step in trace.steps] == bpe.merges
    rankings = [(step.counts, step.before, step.maxima) for step in trace.steps]
    rankings.append((trace.next_counts, trace.next_before, trace.next_maxima))
    last = count_pairs(dictionary)
    for i, (counts, before, maxima) in enumerate(rankings):
        true = count_pairs(dictionary)
        assert before == [last.get(pair, 0) for pair, _ in counts]
        last = true
        assert [count for _, count in counts] == sorted(true.values(), reverse=True)[:5]
        assert all(true[pair] == count for pair, count in counts)
        assert set(maxima) == {pair for pair in true if true[pair] == max(true.values())}
        if i < len(trace.steps):
            step = trace.steps[i]
            assert counts[0][0] == maxima[0] == step.chosen  # the winner by the rule stands first
            dictionary = {merge(pieces, step.chosen): frequency for pieces, frequency in dictionary.items()}
            assert step.pieces == [list(pieces) for pieces in dictionary]
            assert (step.step, step.symbol) == (i, "".join(step.chosen))
            assert step.vocabulary_size == len(bpe.characters) + i + 1
    assert trace.stopped == ("merges" if len(bpe.merges) == merges else "no pair left")


@given(dictionaries, st.integers(0, 12), markers, st.text("abc", min_size=1, max_size=12))
def test_the_joins_of_the_first_merges_cut_a_word_as_it_was_cut_then(corpus, merges, marker, word):
    bpe = BPE.learn(corpus, merges, marker=marker)
    joins = trace_segment(bpe, word)
    symbols = bpe.symbols(word)
    for k in range(len(bpe.merges) + 1):
        spans = {(i, i + 1) for i in range(len(symbols))} | {(j.start, j.end) for j in joins if j.step < k}
        whole = [(a, b) for a, b in spans if not any(c <= a and b <= d and (a, b) != (c, d) for c, d in spans)]
        assert tuple("".join(symbols[a:b]) for a, b in sorted(whole)) == BPE((), bpe.merges[:k], marker).segment(word)


def test_trace_is_plain():
    plain = json.loads(json.dumps(asdict(trace_bpe(DICTIONARY_1, 2, tie="first"))))
    assert [step["chosen"] for step in plain["steps"]] == [["e", "s"], ["es", "t</w>"]]
    assert plain["next_counts"][0] == [["l", "o"], 7]


def test_trace_keeps_the_most_frequent_words_in_their_order():
    trace = trace_bpe(DICTIONARY_1, 1, limit_words=2)
    assert trace.words == [("low", 5), ("newest", 6)]
    assert trace.start == [["l", "o", "w</w>"], ["n", "e", "w", "e", "s", "t</w>"]]
    assert [len(step.pieces) for step in trace.steps] == [2]


def test_min_count_ends_learning():
    bpe, trace = BPE.learn(DICTIONARY_2, 50, min_count=2), trace_bpe(DICTIONARY_2, 50, min_count=2)
    assert trace.stopped == "min_count"
    assert trace.next_counts[0][1] == 1
    assert len(bpe.merges) < len(BPE.learn(DICTIONARY_2, 50).merges)


# bad input, caches, files


@pytest.mark.parametrize(
    "corpus, message",
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ([], "empty"),
        ({}, "empty"),
        ({"low": 0}, "frequency 0"),
        ({"low": -2}, "frequency -2"),
        ({"": 1}, "''"),
        ({"new york": 1}, "new york"),
        ("low </w> new", "marker"),
        ({"x</w>y": 2}, "marker"),
        ("low \ud800x", "surrogate"),
        ({"\udcffx": 1}, "surrogate"),
    ],
)
def test_bad_corpus(corpus, message):
    with pytest.raises(ValueError, match=message):
        BPE.learn(corpus, 3)


def test_each_marker_forbids_only_itself():
    assert BPE.learn("paral·lel", 2).encode("l·l") == ["l", "·", "l</w>"]
    assert BPE.learn("a</w>b", 0, marker="separate").segment("</w>") == ("<", "/", "w", ">", "·")
    with pytest.raises(ValueError, match="marker"):
        BPE.learn("paral·lel", 2, marker="separate")


@pytest.mark.parametrize("arguments", [{"merges": -1}, {"merges": 1, "min_count": 0}])
def test_bad_numbers(arguments):
    with pytest.raises(ValueError, match="or more"):
        BPE.learn(DICTIONARY_1, **arguments)


def test_a_choice_must_occur():
    with pytest.raises(ValueError, match="step 1"):
        BPE.learn(DICTIONARY_1, 2, choices={0: ("e", "s"), 1: ("s", "t</w>")})


@pytest.mark.parametrize("word", ["", " ", "two words", "end ", "a</w>", "\u00a0x"])
def test_segmenting_wants_one_word(word):
    bpe = BPE.learn(DICTIONARY_1, 2)
    for segment in (bpe.segment, bpe.segment_longest):
        with pytest.raises(ValueError):
            segment(word)


def test_merges_listed_twice_are_refused():
    with pytest.raises(ValueError, match="twice"):
        BPE(["a", "b"], [("a", "b"), ("a", "b")])


def test_caches_are_bounded_and_each_its_own(monkeypatch):
    monkeypatch.setattr(bpe_module, "CACHE_SIZE", 3)
    characters, merged = BPE.learn(DICTIONARY_1, 0), BPE.learn(DICTIONARY_1, 9)
    for word in ["low", "lower", "newest", "widest", "low"]:
        assert "".join(merged.segment(word)) == "".join(characters.segment(word)) == word + "</w>"
        assert len(merged._cache) <= 3
    assert merged.segment("low") == ("low</w>",)
    assert characters.segment("low") == ("l", "o", "w</w>")
    assert pickle.loads(pickle.dumps(merged)).segment("lower") == merged.segment("lower")


def test_encode_gives_a_list_of_its_own():
    bpe = BPE.learn(DICTIONARY_1, 2)
    bpe.encode("low low").clear()
    assert bpe.encode("low low") == ["l", "o", "w</w>"] * 2


@given(texts, markers)
def test_saved_and_loaded_is_the_same(tmp_path_factory, text, marker):
    path = tmp_path_factory.mktemp("bpe") / "bpe.json"
    bpe = BPE.learn(text, 9, marker=marker)
    bpe.save(path)
    loaded = BPE.load(path)
    assert (loaded.vocabulary, loaded.merges, loaded.marker) == (bpe.vocabulary, bpe.merges, bpe.marker)
    assert loaded.encode(text) == bpe.encode(text)


OTHER = '{"kind": "BPE", "characters": %s, "merges": %s, "marker": "attached"}'


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", '{"kind": "WordPiece"}', '{"kind": "BPE", "merges": []}'),
        *(
            OTHER % ("5", "[]"),
            OTHER % ("[5]", "[]"),
            OTHER % ('["a"]', '[["a", "a", "a"]]'),
            OTHER % ('["a"]', '["aa"]'),
        ),
    ],
)
def test_loading_something_else(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="other.json"):
        BPE.load(path)
