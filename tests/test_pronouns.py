"""Which pronoun a Transformer writes, and where its heads look: as the model read by hand, sentence by sentence."""

import pytest
import torch

from course_lib.checkpoints import pronouns
from course_lib.corpora.anaphora import winograd_pairs
from course_lib.subwords import Vocabulary, Words
from course_lib.transformer import Config, Transformer
from course_lib.transformer.trace import trace
from course_lib.translator import Translator

SENTENCES = winograd_pairs(5)


class Halves:
    """Every word but the pronouns is two pieces: what stands where is then not the number of the word."""

    def __init__(self):
        words = sorted({word for one in SENTENCES for side in ("en", "de") for word in one.words[side]})
        self.vocabulary = list(pronouns.PRONOUNS) + [part + word for word in words for part in ("<", ">")]

    def encode(self, text):
        return [p for word in text.split() for p in ([word] if word in pronouns.PRONOUNS else [f"<{word}", f">{word}"])]


@pytest.fixture(scope="module")
def translator():
    tokenizer = Halves()
    vocabulary = Vocabulary(tokenizer.vocabulary)
    torch.manual_seed(0)
    config = Config(vocabulary_size=len(vocabulary), d_model=16, d_ff=16, heads=2, layers=2, decoder_layers=3)
    return Translator(Transformer(config), tokenizer, vocabulary)


def alone(translator, one):
    """One sentence without padding: source, target up to the pronoun with <s> before it."""
    ids = translator.vocabulary.ids
    source = ids(translator.tokenizer.encode(" ".join(one.words["en"]))) + [translator.vocabulary.eos_id]
    target = ids(translator.tokenizer.encode(" ".join(one.words["de"][: one.pronoun["de"]])))
    source, target = torch.tensor([source]), torch.tensor([[translator.vocabulary.bos_id, *target]])
    return source, torch.ones_like(source, dtype=torch.bool), target


def test_the_pronouns_probabilities_are_the_models(translator):
    found = pronouns.pronoun_log_probs(translator, SENTENCES)
    ids = translator.vocabulary.ids(pronouns.PRONOUNS)
    with torch.no_grad():
        for row, one in zip(found, SENTENCES, strict=True):
            expected = translator.model(*alone(translator, one))[0, -1].log_softmax(0)[ids]
            torch.testing.assert_close(row, expected, rtol=1e-4, atol=1e-5)


def test_a_model_that_always_writes_one_pronoun_is_right_where_it_is_true(translator):
    b = translator.model.readout.b
    before = b.detach().clone()
    try:
        for pronoun in pronouns.PRONOUNS:
            with torch.no_grad():
                b.copy_(before)
                b[translator.vocabulary.ids([pronoun])] += 100
            true = [one.words["de"][one.pronoun["de"]] == pronoun for one in SENTENCES]
            assert pronouns.right(translator, SENTENCES).tolist() == true
            assert pronouns.accuracy(translator, SENTENCES) == pytest.approx(sum(true) / len(true))
    finally:
        with torch.no_grad():
            b.copy_(before)


def test_a_look_is_the_weight_from_the_pronoun_to_both_pieces_of_a_word(translator):
    found = pronouns.looks(translator, SENTENCES)
    assert len(found) == 2 * 2 + 3 * 2 + 3 * 2 == len(set(found))
    for head, looks in found.items():
        sums = dict.fromkeys(("antecedent", "other", "article", "other_article", "pronoun"), 0.0)
        for one in SENTENCES:
            seen = trace(translator.model, *alone(translator, one))
            rows = getattr(seen, head.part)[head.layer].weights[0, head.head]
            side = "de" if head.part == "decoder" else "en"
            query = 2 * one.pronoun["en"] + 1 if head.part == "encoder" else -1
            for name in sums:
                first = 2 * getattr(one, name)[side] + (side == "de")
                sums[name] += rows[query, first : first + 2].sum().item()
        for name, total in sums.items():
            assert getattr(looks, name) == pytest.approx(total / len(SENTENCES), abs=1e-5)
        assert looks.link == looks.antecedent - looks.other


def test_without_a_head_only_that_head_is_gone_and_the_model_is_as_before(translator):
    before = {name: tensor.clone() for name, tensor in translator.model.state_dict().items()}
    found = pronouns.accuracy_without(translator, SENTENCES)
    assert all(torch.equal(before[name], tensor) for name, tensor in translator.model.state_dict().items())
    for head, attention in pronouns.heads(translator.model):
        columns = attention.W_O.weight.unflatten(1, (attention.heads, -1))
        with torch.no_grad():
            columns[:, head.head] = 0
        assert found[head] == pronouns.accuracy(translator, SENTENCES)
        translator.model.load_state_dict(before)


def test_pronouns_of_several_pieces_are_refused(translator):
    letters = Words(["e", "s"])
    other = Translator(translator.model, letters, translator.vocabulary)
    other.tokenizer.encode = lambda text: list(text)
    with pytest.raises(ValueError, match="each of er, sie, es must be one piece"):
        pronouns.pronoun_log_probs(other, SENTENCES)
