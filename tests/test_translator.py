"""Text in, text out: a translation depends on no other sentence, and a trace shows what the model did."""

import dataclasses
import json

import numpy as np
import pytest
import torch

from course_lib.attention import Additive, Dot
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.search.greedy import greedy
from course_lib.search.limits import longest, source_plus_50
from course_lib.search.sample import sample
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import BPE, Characters, Vocabulary, WordPiece, Words
from course_lib.translator import Translator
from tests.toy import ToyModel

TEXT = ["the old cat sees the small house", "a cat sleeps", "the house is old and a small cat sleeps there"]
TOKENIZERS = {
    "bpe": lambda: BPE.learn(TEXT, 20),
    "wordpiece": lambda: WordPiece.learn(TEXT, 20),
    "characters": lambda: Characters.learn(TEXT),
    "words": lambda: Words.learn(TEXT, 5),  # and other words are unknown
}


def decoders(size: int):
    return {
        "luong": LuongDecoder(size, LSTM(6, 8), Dot(), 8),
        "feeding": LuongDecoder(size, LSTM(14, 8), Dot(), 8, feeding=True),
        "bahdanau": BahdanauDecoder(size, LSTM(14, 8), Additive(8, 8, 5), 8),
        "fixed": RNNDecoder(size, LSTM(6, 8)),
    }


def translator(decoder="luong", tokenizer="bpe"):
    pieces = TOKENIZERS[tokenizer]()
    vocabulary = Vocabulary(pieces.vocabulary)
    torch.manual_seed(0)
    size = len(vocabulary)
    model = EncoderDecoder(RNNEncoder(size, LSTM(6, 8)), decoders(size)[decoder])
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)  # so that the argmax is no near tie, and sentences differ
    return Translator(model, pieces, vocabulary)


ATTENTIVE = ("luong", "feeding", "bahdanau")


@pytest.mark.parametrize("decoder", [*ATTENTIVE, "fixed"])
def test_a_translation_depends_on_no_other_sentence(decoder):
    one = translator(decoder)
    together = one.translate(TEXT)
    assert together == [one.translate([sentence])[0] for sentence in TEXT]
    assert together == one.translate(TEXT, batch_size=2) == one.translate(TEXT[::-1])[::-1]
    assert together == [one.trace(sentence).text for sentence in TEXT]
    assert one.translate([]) == []
    for text, sentence in zip(together, TEXT, strict=True):
        source, mask = one.read([sentence])  # with </s>
        (target,) = greedy(one.model, source, mask, longest(source.shape[1] - 1))
        assert text == one.written(target)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_piece_belongs_to_the_word_that_it_is_written_in(tokenizer):
    one = translator(tokenizer=tokenizer)
    for sentence in TEXT:
        trace = one.trace(sentence)
        assert trace.source_words == [*sentence.split(), "</s>"]
        assert trace.source == [*one.tokenizer.encode(sentence), "</s>"]
        for words, pieces, of in (
            (trace.source_words, trace.source, trace.source_word_of),
            (trace.target_words, trace.target, trace.target_word_of),
        ):
            assert len(of) == len(pieces) and of == sorted(of)
            for k, word in enumerate(words):
                own = [piece for piece, number in zip(pieces, of, strict=True) if number == k]
                own = own if k == 0 or tokenizer != "wordpiece" else ["##", *own]
                assert "".join(own).replace("</w>", "").replace("##", "").strip("▁") == word


@pytest.mark.parametrize("decoder", ATTENTIVE)
def test_the_trace_holds_what_teacher_forcing_gives_for_the_same_words(decoder):
    one = translator(decoder)
    trace = one.trace(TEXT[0])
    source = torch.tensor([[*one.vocabulary.ids(one.tokenizer.encode(TEXT[0])), one.model.eos_id]])
    target = [one.vocabulary.piece_to_id[piece] for piece in trace.target]
    memory = one.model.encode(source, torch.ones_like(source, dtype=torch.bool))
    z, α = one.model.decoder.forced(memory, torch.tensor([[one.model.bos_id, *target[:-1]]]))
    expected = z[0].log_softmax(1)[range(len(target)), target]
    torch.testing.assert_close(torch.tensor(trace.log_probs), expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(torch.tensor(trace.attention), α[0], rtol=1e-4, atol=1e-4)
    assert [likeliest[0][0] for likeliest in trace.best] == trace.target
    json.dumps(dataclasses.asdict(trace))


def test_attention_between_words_sums_over_source_pieces_and_averages_over_target_pieces():
    trace = dataclasses.replace(
        translator().trace("a cat"),
        source=["a</w>", "c", "at</w>", "</s>"],
        target=["x", "y</w>", "</s>"],
        attention=[[0.1, 0.2, 0.4, 0.3], [0.5, 0.1, 0.1, 0.3], [0.0, 0.0, 0.0, 1.0]],
        source_words=["a", "cat", "</s>"],
        target_words=["xy", "</s>"],
        source_word_of=[0, 1, 1, 2],
        target_word_of=[0, 0, 1],
    )
    torch.testing.assert_close(
        torch.tensor(trace.word_attention), torch.tensor([[0.3, 0.4, 0.3], [0.0, 0.0, 1.0]]), check_dtype=False
    )
    assert trace.links == {(1, 0)}
    assert dataclasses.replace(trace, attention=[[0.0, 0.0, 0.0, 1.0]] * 3).links == set()


@pytest.mark.parametrize("decoder", ATTENTIVE)
def test_forced_attention_is_the_context_of_that_step_and_of_no_step_before(decoder):
    one = translator(decoder)
    free = one.trace(TEXT[0])
    position = min(range(len(free.source)), key=free.attention[1].__getitem__)
    forced = one.trace(TEXT[0], force={1: np.int64(position)})  # as an argmax gives it
    assert forced.attention[1] == [float(j == position) for j in range(len(free.source))]
    assert forced.attention[0] == free.attention[0] and forced.log_probs[0] == free.log_probs[0]
    assert forced.best[1] != free.best[1]
    same = one.trace(TEXT[0], force={t: weights for t, weights in enumerate(free.attention)})
    assert same.target == free.target
    torch.testing.assert_close(torch.tensor(same.log_probs), torch.tensor(free.log_probs), rtol=1e-4, atol=1e-4)


def test_a_prefix_is_how_the_translation_begins():
    one = translator()
    prefix = one.tokenizer.encode("a small cat")
    trace = one.trace(TEXT[0], prefix=prefix)
    assert trace.target[: len(prefix)] == prefix
    assert trace.target_words[:2] == ["a", "small"]
    assert one.trace(TEXT[0], prefix=one.trace(TEXT[0]).target[:2]) == one.trace(TEXT[0])


def test_align_gives_the_probability_of_the_words_it_is_given():
    one = translator()
    trace = one.align(TEXT[0], ["a", "small", "cat"])
    assert trace.target_words == ["a", "small", "cat", "</s>"] and trace.text == "a small cat"
    words = trace.target[:-1]
    assert trace.log_probs[:-1] == one.trace(TEXT[0], prefix=words, max_length=len(words)).log_probs
    assert all(0 <= i < 7 and 0 <= j < 3 for i, j in trace.links)


@pytest.mark.parametrize("decoder", [*ATTENTIVE, "fixed"])
def test_sentences_are_aligned_together_as_each_alone(decoder):
    one = translator(decoder)
    pairs = [(sentence, words.split()) for sentence, words in zip(TEXT, ("a small cat", "the", TEXT[0]), strict=True)]
    for size in (1, 2, 50):
        for together, pair in zip(one.align_all(pairs, 3, batch_size=size), pairs, strict=True):
            alone = one.align(*pair, 3)
            torch.testing.assert_close(torch.tensor(together.log_probs), torch.tensor(alone.log_probs))
            assert together.best[0][0][0] == alone.best[0][0][0] and {len(best) for best in together.best} == {3}
            if decoder == "fixed":
                assert together.attention is alone.attention is None
            else:
                torch.testing.assert_close(torch.tensor(together.attention), torch.tensor(alone.attention))
            assert (together.source, together.target) == (alone.source, alone.target)
    assert one.align_all([]) == []


def test_a_translation_without_end_is_cut_off():
    vocabulary = Vocabulary("ab")
    endless = ToyModel([{(4,) * n: {4: 1.0} for n in range(100)}], len(vocabulary))
    one = Translator(endless, Words("ab"), vocabulary)
    assert [len(text.split()) for text in one.translate(["a", "a b b"])] == [longest(1), longest(3)]
    assert one.trace("a").target == ["a"] * longest(1) and one.trace("a", max_length=2).target_words == ["a", "a"]
    assert one.trace("a", max_length=0).word_attention == []
    as_in_the_paper = Translator(endless, Words("ab"), vocabulary, limit=source_plus_50)
    assert [len(text.split()) for text in as_in_the_paper.translate(["a", "a b b"])] == [51, 53]
    assert len(as_in_the_paper.trace("a b").target) == 52


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda one: one.trace(""), "sentence must hold at least one word, got ''"),
        (lambda one: one.translate(["a cat", "日本"]), "characters that the vocabulary does not have: 日 本"),
        (lambda one: one.trace("a cat", prefix=["zzz"]), "prefix must hold pieces of the vocabulary, got .'zzz'"),
        (lambda one: one.trace("a cat", force={0: 9}), r"force must name a source position in 0\.\.\d, got 9"),
        (lambda one: one.trace("a cat", force={0: [1.0]}), "force must give . weights, .* got .1.0."),
        (lambda one: one.trace("a cat", force={0: True}), "force must give . weights, .* got True"),
        (lambda one: one.translate(["a cat"], batch_size=0), "batch_size must be at least 1, got 0"),
        (
            lambda one: translator("fixed").trace("a cat", force={0: 0}),
            "force needs a model with attention; of a Transformer, HeadTranslator",
        ),
        (lambda one: translator("fixed").trace("a cat").links, "links come from attention"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(translator())


def test_one_string_is_no_list_of_strings():
    one = translator()
    for reads in one.translate, one.read, one.search:
        with pytest.raises(TypeError, match="sentences must be a list of strings, got one string: 'a cat'"):
            reads("a cat")
    with pytest.raises(TypeError, match="words must be a list of strings, got one string: 'a cat'"):
        one.align(TEXT[0], "a cat")


def test_a_symmetrised_alignment_holds_what_both_readings_of_the_weights_agree_on():
    one = translator()
    for sentence in TEXT:
        trace = one.align(sentence, ["a", "small", "cat"])
        rows = torch.tensor(trace.word_attention)[:3]
        columns = {(i, int(rows[:, i].argmax())) for i in range(len(sentence.split()))}
        assert trace.symmetrised("intersection") == trace.links & columns
        assert trace.symmetrised("union") == trace.links | columns
        assert trace.links & columns <= trace.symmetrised() <= trace.links | columns


def test_a_search_gives_each_sentence_what_it_gives_it_alone():
    one = translator()
    found = one.search(TEXT, beam_size=3, n_best=2)
    assert found == [one.search([sentence], beam_size=3, n_best=2)[0] for sentence in TEXT]
    assert found == one.search(TEXT[::-1], beam_size=3, n_best=2, batch_size=1)[::-1]


def test_a_search_of_one_hypothesis_is_the_greedy_translation():
    one = translator()
    assert [one.written(found[0].words) for found in one.search(TEXT, beam_size=1)] == one.translate(TEXT)
    assert all(len(found[0].words) <= 3 for found in one.search(TEXT, max_length=3))


def test_any_search_of_many_sentences_can_be_asked():
    one = translator()
    generator = torch.Generator().manual_seed(0)
    for sentence, drawn in zip(TEXT, one.search(TEXT, sample, generator=generator), strict=True):
        assert drawn.length <= longest(len(one.trace(sentence, max_length=1).source) - 1)


def test_what_the_model_reads_can_be_seen():
    one = translator(tokenizer="words")
    source, mask = one.read(["the cat", "a"])
    assert source.tolist() == [one.vocabulary.ids(["the", "cat"], eos=True), [*one.vocabulary.ids(["a"], eos=True), 0]]
    assert mask.tolist() == [[True, True, True], [True, True, False]]
