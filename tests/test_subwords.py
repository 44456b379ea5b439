"""What all tokenizers share: words, characters, numbers, one small protocol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.subwords import BPE, UNK, Characters, SentencePiece, Vocabulary, WordPiece, word_counts
from course_lib.subwords.words import dictionary
from tests.benchmarks import bench_bpe

TEXT = "the lower well and the newest well were the lowest wells that the widest river fed"


@pytest.fixture(params=["characters", "bpe", "bpe separate", "wordpiece", "unigram", "sentencepiece bpe"])
def tokenizer(request):
    return {
        "characters": lambda: Characters.learn(TEXT),
        "bpe": lambda: BPE.learn(TEXT, 20),
        "bpe separate": lambda: BPE.learn(TEXT, 20, marker="separate"),
        "wordpiece": lambda: WordPiece.learn(TEXT, 20),
        "unigram": lambda: SentencePiece.train(TEXT, 20),
        "sentencepiece bpe": lambda: SentencePiece.train(TEXT, 40, "bpe"),
    }[request.param]()


@pytest.mark.parametrize("sentence", [TEXT, "the wet  wind fell\t", "", "   "])
def test_one_protocol(tokenizer, sentence):
    pieces = tokenizer.encode(sentence)
    assert isinstance(pieces, list)
    assert tokenizer.decode(pieces) == " ".join(sentence.split())
    vocabulary = Vocabulary(tokenizer.vocabulary)
    assert tokenizer.decode(vocabulary.pieces(vocabulary.ids(pieces, bos=True, eos=True))) == " ".join(sentence.split())


def test_what_was_never_seen_becomes_unk(tokenizer):
    vocabulary = Vocabulary(tokenizer.vocabulary)
    pieces = vocabulary.pieces(vocabulary.ids(tokenizer.encode("the Ω well")))
    assert pieces.count(UNK) == 1


def test_word_counts_in_order_of_first_appearance():
    assert list(word_counts("b a b\u2003c\u001ca\n").items()) == [("b", 2), ("a", 2), ("c", 1)]
    assert word_counts(["b a", "b"]) == word_counts("b a b")
    assert word_counts(line for line in ["b a", "", "b"]) == {"b": 2, "a": 1}


@given(st.lists(st.text(), min_size=1))
def test_word_counts_total_is_the_number_of_words(sentences):
    words = [word for sentence in sentences for word in sentence.split()]
    if not words:
        with pytest.raises(ValueError, match="empty"):
            word_counts(sentences)
    else:
        counts = word_counts(sentences)
        assert sum(counts.values()) == len(words)
        assert list(counts) == list(dict.fromkeys(words))
        assert dictionary(counts) == counts


def test_sentences_are_strings():
    with pytest.raises(TypeError, match="list"):
        word_counts(sentence for sentence in [["low"], ["lower"]])


def test_lone_surrogates_are_named():
    with pytest.raises(ValueError, match=r"ok\\udc80.*surrogate"):
        word_counts("fine ok\udc80")
    assert word_counts("😀") == {"😀": 1}


def test_characters():
    characters = Characters.learn("to be")
    assert characters.vocabulary == ["▁", "t", "o", "b", "e"]
    assert characters.encode(" to  be ") == ["t", "o", "▁", "b", "e"]
    for bad in (lambda: Characters.learn("a▁"), lambda: characters.encode("a▁")):
        with pytest.raises(ValueError, match="marker"):
            bad()


@given(st.text().filter(lambda text: "▁" not in text))
def test_characters_round_trip(text):
    assert Characters.learn("any").decode(Characters.learn("any").encode(text)) == " ".join(text.split())


def test_vocabulary_numbers():
    vocabulary = Vocabulary(["lo", "w</w>"])
    assert (vocabulary.pad_id, vocabulary.unk_id, vocabulary.bos_id, vocabulary.eos_id) == (0, 1, 2, 3)
    assert vocabulary.id_to_piece == ["<pad>", "<unk>", "<s>", "</s>", "lo", "w</w>"]
    assert len(vocabulary) == 6
    assert vocabulary.ids(["lo", "x", "w</w>"], bos=True, eos=True) == [2, 4, 1, 5, 3]
    assert vocabulary.pieces([2, 4, 1, 5, 3, 4, 0, 0]) == ["lo", "<unk>", "w</w>"]


@pytest.mark.parametrize("pieces", [["a", "a"], ["<pad>"], ["</s>"]])
def test_vocabulary_refuses_a_piece_twice(pieces):
    with pytest.raises(ValueError, match="already"):
        Vocabulary(pieces)


@pytest.mark.parametrize("number", [-1, 5])
def test_vocabulary_refuses_other_numbers(number):
    with pytest.raises(ValueError, match="0 to 4"):
        Vocabulary(["a"]).pieces([number])


def test_the_benchmark_runs_and_compares():
    done = bench_bpe.one_round([TEXT] * 3, 12)
    bench_bpe.check_same(done)
    done["learn", bench_bpe.OURS][2].merges.pop()
    with pytest.raises(SystemExit, match="differ"):
        bench_bpe.check_same(done)
