"""SentencePiece as a tokenizer of this course."""

from pydoc_data.topics import topics

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.subwords import SentencePiece, Vocabulary

# real English (the language reference that comes with Python) and some letters beyond it
TEXT = "\n".join(
    [
        *[" ".join(topics[name].split()) for name in sorted(topics)[:6]],
        "Größere Straßen führen zur größten Mühle; wer Wasser trägt, der trägt auch Licht.",
        "Evlerimizde su yok, evlerinizde ışık yok.",
    ]
)


@pytest.fixture(params=["unigram", "bpe"])
def model(request):
    return request.param


def test_the_librarys_own_processor_cuts_the_same(model, tmp_path):
    trained = SentencePiece.train(TEXT, 300, model)
    trained.save(tmp_path / "m.model")
    peer = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "m.model"))
    for line in TEXT.split("\n"):
        assert trained.encode(line) == peer.encode(line, out_type=str)
    loaded = SentencePiece.load(tmp_path / "m.model")
    assert loaded.vocabulary == trained.vocabulary
    assert loaded.encode(TEXT) == trained.encode(TEXT)


def test_vocabulary_has_the_size_asked_for(model):
    trained = SentencePiece.train(TEXT, 300, model)
    assert len(trained.vocabulary) == 300 - 1  # <unk> is no piece of text
    vocabulary = Vocabulary(trained.vocabulary)
    assert vocabulary.unk_id not in vocabulary.ids(trained.encode(TEXT))
    assert Vocabulary.unk_id in vocabulary.ids(trained.encode("Ω"))


def test_a_larger_vocabulary_gives_shorter_sequences(model):
    lengths = [len(SentencePiece.train(TEXT, size, model).encode(TEXT)) for size in (200, 300, 400)]
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) == 3


def test_training_is_deterministic_and_quiet(model, capfd):
    first, second = SentencePiece.train(TEXT, 250, model), SentencePiece.train(iter(TEXT.split("\n")), 250, model)
    assert first.model == second.model
    assert capfd.readouterr() == ("", "")


@settings(max_examples=30)
@given(st.text(min_size=1).filter(lambda text: text.split() and "▁" not in text), st.data())
def test_round_trip_over_characters_seen_in_training(text, data):
    training = ["the newest well stood lower than the lowest one, and wider", text]
    size = len(set(" ".join(" ".join(training).split()))) + 4  # all white space is one character
    for model in ("unigram", "bpe"):
        trained = SentencePiece.train(training, size, model)
        for sentence in (text, data.draw(st.text(text))):
            assert trained.decode(trained.encode(sentence)) == " ".join(sentence.split())


def test_sampling_draws_other_pieces_of_the_same_sentence():
    trained = SentencePiece.train(TEXT, 300)
    sentence = "The newest well stood lower"
    samples = {tuple(trained.sample(sentence)) for _ in range(30)}
    assert len(samples) > 1
    assert {trained.decode(list(pieces)) for pieces in samples} == {sentence}


def test_a_large_alpha_draws_the_most_probable_pieces():
    trained = SentencePiece.train(TEXT, 300)
    sentence = TEXT.split("\n")[3]
    best = tuple(trained.encode(sentence))
    assert {tuple(trained.sample(sentence, alpha=1000.0)) for _ in range(30)} == {best}
    assert len({tuple(trained.sample(sentence, alpha=0.0)) for _ in range(30)}) > 5


@pytest.mark.parametrize("size", [1, 10, 100_000])
def test_a_size_that_does_not_fit(model, size):
    with pytest.raises(ValueError, match=f"vocabulary_size {size} .*Vocabulary size"):
        SentencePiece.train(TEXT, size, model)


@pytest.mark.parametrize(
    "corpus, size, message",
    [("", 50, "empty"), ([" "], 50, "empty"), ("a▁b", 50, "marker"), ("a\ud800", 50, "surrogate"), (TEXT, 0, "size")],
)
def test_bad_input(corpus, size, message):
    with pytest.raises(ValueError, match=message):
        SentencePiece.train(corpus, size)


def test_encoding_refuses_the_marker():
    with pytest.raises(ValueError, match="marker"):
        SentencePiece.train(TEXT, 300).encode("a▁b")


def test_a_very_long_line_is_not_dropped():
    trained = SentencePiece.train(["ab " * 5000 + "q"], 5)
    assert "q" in "".join(trained.vocabulary)


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_loading_something_else(tmp_path, content):
    (tmp_path / "m.model").write_bytes(content)
    with pytest.raises(ValueError, match="SentencePiece"):
        SentencePiece.load(tmp_path / "m.model")
