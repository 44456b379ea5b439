"""From text to a loss through the real objects, as the lectures do it: words or subwords, one vocabulary or two."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from course_lib.corpora.batches import Batches, collate
from course_lib.corpora.grammar import sample
from course_lib.corpora.id_pairs import id_pairs
from course_lib.recurrent import GRU, RNNClassifier, RNNEncoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import BPE, Vocabulary, Words
from course_lib.training.device import device


def sentences(size):
    return [tuple(" ".join(example.sentences[code]) for code in ("de", "en")) for example in sample(size, seed=1)]


def words(texts):
    tokenizer = Words.learn(text for pair in texts for text in pair)
    return tokenizer, Vocabulary(tokenizer.vocabulary)


def subwords(texts):
    tokenizer = BPE.learn((text for pair in texts for text in pair), merges=50)
    return tokenizer, Vocabulary(tokenizer.vocabulary)


def words_of_each_side(texts):
    source, target = (Words.learn(pair[side] for pair in texts) for side in (0, 1))
    return source, Vocabulary(source.vocabulary), target, Vocabulary(target.vocabulary)


@pytest.mark.parametrize("way", [words, subwords, words_of_each_side])
def test_text_becomes_ids_batches_and_a_loss_that_falls(way):
    texts = sentences(200)
    made = way(texts)
    vocabulary, target_vocabulary = made[1], made[-1]
    pairs = id_pairs(texts, *made)
    batches = Batches(pairs, max_tokens=400, vocabulary=vocabulary)
    torch.manual_seed(0)
    encoder = RNNEncoder(len(vocabulary), GRU(16, 32))
    model = EncoderDecoder(encoder, RNNDecoder(len(target_vocabulary), GRU(16, 32))).to(device())
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

    losses = []
    for epoch in range(3):
        total = tokens = 0
        for batch in batches.epoch(epoch):
            batch = batch.to(device())
            logits = model(batch.source, batch.source_mask, batch.target_in)[batch.target_mask]
            loss = cross_entropy(logits, batch.target_out[batch.target_mask])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total, tokens = total + loss.item() * len(logits), tokens + len(logits)
        assert tokens == sum(len(target) + 1 for _, target in pairs)  # each piece and each eos once an epoch
        losses.append(total / tokens)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.parametrize("way", [words, subwords])
def test_what_comes_out_of_a_batch_is_the_text_that_went_in(way):
    texts = sentences(20)
    tokenizer, vocabulary = way(texts)
    seen = set()
    for batch in Batches(id_pairs(texts, tokenizer, vocabulary), 200, vocabulary).epoch(0):
        for row in zip(batch.source.tolist(), batch.target_out.tolist(), strict=True):
            seen.add(tuple(tokenizer.decode(vocabulary.pieces(ids)) for ids in row))
    assert seen == set(texts)


def test_a_classifiers_label_is_a_target_of_one_id():
    """Lecture 03's way: the id of the label's word is all that the target holds."""
    tokenizer = Words(["der", "Hund", "die", "Hunde"])
    vocabulary = Vocabulary(tokenizer.vocabulary)
    batch = collate([(vocabulary.ids(["der", "Hund"]), [0]), (vocabulary.ids(["die"]), [1])], vocabulary)
    classifier = RNNClassifier(len(vocabulary), 2, GRU(4, 8))
    loss = cross_entropy(classifier(batch.source, batch.source_mask), batch.target_out[:, 0])
    loss.backward()
    assert batch.target_out[:, 0].tolist() == [0, 1] and loss.isfinite()


def test_a_word_never_seen_is_unknown_and_no_word_is_a_control_symbol():
    tokenizer = Words(["a", "b"])
    vocabulary = Vocabulary(tokenizer.vocabulary)
    assert id_pairs([("a new b", "b </s> <pad>")], tokenizer, vocabulary) == [([4, 1, 5], [5, 1, 1])]


def test_sentence_pairs_that_are_none_are_named():
    tokenizer, vocabulary = Words(["a"]), Vocabulary(["a"])
    with pytest.raises(ValueError, match="sentences must hold at least one"):
        id_pairs([], tokenizer, vocabulary)
    for wrong in ("abc", ("a",), (["a"], ["a"]), ([4], [4]), 5, ("a", "b", "c")):
        with pytest.raises(TypeError, match="sentences must be pairs of strings, got as number 1"):
            id_pairs([("a", "a"), wrong], tokenizer, vocabulary)
