"""The sentence cutter and one sentence for several widgets, without a browser: pieces are the translator's own."""

import json

import pytest

from course_lib.checkpoints import load
from course_lib.subwords import Vocabulary, Words
from course_lib.translator import Translator
from course_lib.widgets import AttentionHeatmap, BeamStepper, SentenceCutter, together

TEXT = "The farmers wrote a letter because the dog was sleeping."


@pytest.fixture(scope="module")
def translator():
    return load("attention")


def pieces(cutter, step):
    """What stands on top of each word's tree after this step."""
    done = ([0, *cutter.ranks])[step]
    found = []
    for word in cutter.words:
        tops = [(n, n + 1) for n in range(len(word["symbols"]))]
        for rank, start, end in word["joins"]:
            if rank <= done:
                tops = [span for span in tops if not start <= span[0] < end] + [(start, end)]
        found += ["".join(word["symbols"][start:end]) for start, end in sorted(tops)]
    return found


@pytest.mark.parametrize("text", [TEXT, "the", "The fisherman bought an unreadable newspaper.", "the The the"])
def test_after_all_merges_the_pieces_are_those_that_the_translator_reads(translator, text):
    cutter = SentenceCutter(translator, text)
    assert cutter.step == cutter.last == len(cutter.ranks)
    read = translator.vocabulary.pieces(translator.read([text])[0][0].tolist())
    assert pieces(cutter, cutter.last) == read
    assert json.loads(json.dumps(cutter.state())) == cutter.state()


def test_a_step_is_a_merge_of_the_tokenizer_that_the_sentence_needs(translator):
    cutter = SentenceCutter(translator, TEXT)
    assert cutter.ranks == sorted(set(cutter.ranks)) and cutter.merges == len(translator.tokenizer.merges)
    for step, (rank, pair) in enumerate(zip(cutter.ranks, cutter.pairs, strict=True), 1):
        assert tuple(pair) == translator.tokenizer.merges[rank - 1]
        before, after = pieces(cutter, step - 1), pieces(cutter, step)
        assert len(after) < len(before) and "".join(pair) in after
    assert pieces(cutter, 0) == [symbol for word in cutter.words for symbol in word["symbols"]]


def test_a_new_sentence_is_cut_to_the_end_and_a_refused_one_changes_nothing(translator):
    cutter = SentenceCutter(translator, TEXT)
    cutter.step = 3
    cutter.answer(read="  the   dog ")
    assert (cutter.text, cutter.step) == ("the dog", cutter.last)
    state = cutter.state()
    for text, message in (
        ("", "at least one word"),
        ("word " * 41, "40 words, got 41"),
        ("a" * 25, "24 characters, got 25"),
        ("ж", "characters that the vocabulary does not have"),
    ):
        with pytest.raises(ValueError, match=message):
            cutter.answer(read=text)
        assert cutter.state() == state


def test_a_translator_of_whole_words_has_nothing_to_cut(translator):
    words = Translator(translator.model, Words(["a"]), Vocabulary(["a"]))
    with pytest.raises(ValueError, match="BPE, got one with Words"):
        SentenceCutter(words, "a")


@pytest.fixture
def three(translator):
    heatmap = AttentionHeatmap({"attention": translator}, ["the dog was sleeping.", "the cat sleeps."])
    shown = SentenceCutter(translator, TEXT), heatmap, BeamStepper(translator, "a dog sleeps.", k=2, finished="in_beam")
    together(*shown)
    return shown


def test_they_begin_with_the_first_ones_sentence(three):
    assert {widget.text for widget in three} == {TEXT}


@pytest.mark.parametrize("asked", range(3))
def test_what_one_reads_the_others_read(three, asked):
    cutter, heatmap, tree = three
    text = "the woman is not laughing."
    requests = [{"read": text}, {"read": text}, {"search": {"text": text, "k": 3, "finished": "in_beam"}}]
    three[asked].answer(**requests[asked])
    assert {widget.text for widget in three} == {text}
    assert heatmap.views[heatmap.at]["text"] == text and tree.nodes and len(cutter.words) == 6
    assert (tree.k, tree.finished) == (3 if asked == 2 else 2, "in_beam"), "the settings stay"
    heatmap.at = 0  # a sentence that the heatmap was given
    assert {widget.text for widget in three} == {"the dog was sleeping."}


@pytest.mark.parametrize("asked", [0, 1])
def test_what_one_refuses_none_shows(three, asked):
    before = {widget.text for widget in three}
    with pytest.raises(ValueError, match="60 pieces, got"):
        three[asked].answer(read="unreadable " * 20)  # which the tree alone refuses
    assert {widget.text for widget in three} == before == {TEXT}
    three[asked].answer(read="the dog.")
    assert {widget.text for widget in three} == {"the dog."}


def test_one_widget_has_nobody_to_share_with(translator):
    with pytest.raises(ValueError, match="two or more, got 1"):
        together(SentenceCutter(translator, TEXT))
