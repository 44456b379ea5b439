"""The recurrent encoder–decoder: what it starts from, and that it learns to write what its memory holds."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from course_lib.corpora.batches import collate
from course_lib.recurrent import GRU, LSTM, RNN, RNNEncoder
from course_lib.search.greedy import greedy
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Vocabulary

VOCABULARY = Vocabulary("abcd")


@pytest.mark.parametrize("network", [RNN, LSTM, GRU])
def test_it_learns_to_translate_and_greedy_search_writes_it(network):
    torch.manual_seed(0)
    encoder = RNNEncoder(len(VOCABULARY), network(5, 6, 2))
    model = EncoderDecoder(encoder, RNNDecoder(len(VOCABULARY), network(5, 6, 2)))
    targets = [[6, 7, 6], [5, 6], []]
    batch = collate(list(zip([[4], [5, 4], [7, 7, 7]], targets, strict=True)), VOCABULARY)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(100):
        logits = model(batch.source, batch.source_mask, batch.target_in)
        loss = cross_entropy(logits[batch.target_mask], batch.target_out[batch.target_mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1
    assert greedy(model, batch.source, batch.source_mask, max_length=10) == targets


def test_the_decoder_starts_from_the_context_in_every_layer_with_an_empty_memory_cell():
    decoder, context = RNNDecoder(10, LSTM(5, 6, 2)), torch.randn(3, 6)
    h, c = decoder.start(context).layers
    assert all(torch.equal(layer, context) for layer in h) and not c.any()
    with pytest.raises(ValueError, match="context must be 6 wide, as the hidden state, got 4"):
        decoder.start(torch.zeros(3, 4))


def test_an_encoder_of_another_width_is_refused():
    with pytest.raises(ValueError, match="encoder must give a representation 6 wide, .* got 12"):
        EncoderDecoder(RNNEncoder(9, GRU(5, 6, bidirectional=True)), RNNDecoder(9, GRU(5, 6)))
