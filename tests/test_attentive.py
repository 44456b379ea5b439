"""The decoders with attention against their equations written for one sentence, and what each part of them does."""

import pytest
import torch

from course_lib.attention import Additive, Dot, Multiplicative, ScaledDot
from course_lib.recurrent import GRU, LSTM, RNN, RNNEncoder, Stepper, mask_from_lengths
from course_lib.recurrent.stepper import by_layer
from course_lib.seq2seq.attentive import BahdanauDecoder, LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.seq2seq.readout import Readout
from tests.protocol import drawn, walk

V = 9
DECODERS = {
    "Bahdanau": lambda: BahdanauDecoder(V, GRU(7, 3), Additive(3, 4, 5, bias=True), 4, bridge=True),
    "Luong": lambda: LuongDecoder(V, GRU(3, 4), Dot(), 4),
    "Luong, feeding": lambda: LuongDecoder(V, GRU(8, 4), Multiplicative(4, 4), 4, feeding=True, width=5),
}
every_decoder = pytest.mark.parametrize("name", DECODERS)


def translator(name, dtype=torch.float64):
    torch.manual_seed(0)
    return EncoderDecoder(RNNEncoder(V, GRU(3, 2, bidirectional=True)), DECODERS[name]()).to(dtype)


def by_hand(model, source, target_in):
    """Logits and weights for one sentence, word by word, one source word after the other."""
    decoder, readout = model.decoder, model.decoder.readout
    h, r = model.encoder(source[None])
    ((layer,),) = decoder.network.layers
    s = r if decoder.bridge is None else torch.tanh(r @ decoder.bridge.weight.t() + decoder.bridge.bias)
    joined, logits, weights = torch.zeros(1, readout.width, dtype=h.dtype), [], []

    def attend(s):
        e = torch.stack([decoder.score(s, h[0, j : j + 1])[0, 0] for j in range(len(source))])
        weights.append(e.exp() / e.exp().sum())
        return sum(weight * h[:, j] for j, weight in enumerate(weights[-1]))

    for word in target_in:
        x = decoder.embedding.weight[word][None]
        if isinstance(decoder, BahdanauDecoder):
            (s,) = layer.cell(torch.cat([x, attend(s)], 1), (s,))
            out = s
        else:
            (s,) = layer.cell(torch.cat([x, joined], 1) if decoder.feeding else x, (s,))
            joined = torch.tanh(torch.cat([s, attend(s)], 1) @ readout.W.weight.t())
            out = joined
        logits.append(out[0] @ readout.U.t() + readout.b)
    return torch.stack(logits), torch.stack(weights)


@every_decoder
def test_all_at_once_step_by_step_and_by_hand_are_the_same(name):
    model = translator(name)
    source, mask, target_in = drawn(model)
    logits, weights = model.decoder.forced(model.encode(source, mask), target_in)
    steps = walk(model, source, mask, target_in)
    torch.testing.assert_close(torch.stack([step.attention for step in steps], 1), weights)
    for row, words in enumerate(target_in):
        n = int(mask[row].sum())
        by_hand_logits, by_hand_weights = by_hand(model, source[row, :n], words)
        torch.testing.assert_close(logits[row], by_hand_logits)
        torch.testing.assert_close(weights[row, :, :n], by_hand_weights)
        assert not weights[row, :, n:].any()


@every_decoder
def test_gradients_are_right(name):
    model = translator(name)
    source, mask, target_in = drawn(model, (2, 1))
    parameters = dict(model.named_parameters())

    def logits(*values):
        return torch.func.functional_call(
            model, dict(zip(parameters, values, strict=True)), (source, mask, target_in[:, :2])
        )

    assert torch.autograd.gradcheck(logits, tuple(parameters.values()), fast_mode=True)


@every_decoder
def test_single_precision_gives_what_double_precision_gives(name):
    model = translator(name)
    inputs = drawn(model)
    expected = model(*inputs)
    torch.testing.assert_close(model.float()(*inputs).double(), expected, rtol=1e-4, atol=1e-5)


@every_decoder
def test_a_memory_masked_to_one_word_translates_from_that_word(name):
    """As the lecture forces attention: all of the weight lies there, and it does matter which word it is."""
    model = translator(name)
    source, mask, target_in = drawn(model, (5,))
    memory = model.encode(source, mask)
    outcomes = []
    for word in range(3):
        only = torch.arange(source.shape[1]) == word
        forced = type(memory)(memory.h, memory.keys, only[None], memory.r)
        logits, weights = model.decoder.forced(forced, target_in)
        assert (weights[..., word] == 1).all()
        outcomes.append(logits)
    assert not torch.allclose(outcomes[0], outcomes[1]) and not torch.allclose(outcomes[1], outcomes[2])


@pytest.mark.parametrize("unit", [RNN, LSTM, GRU])
def test_a_stepper_is_its_network(unit):
    torch.manual_seed(0)
    network = unit(7, 4, 3, residual=True).double()
    x = torch.randn(2, 5, 7, dtype=torch.float64)
    start = tuple(torch.randn(3, 2, 4, dtype=torch.float64) for _ in range(network.layers[0][0].cell.states))
    expected, last = network(x, state=start)
    stepper, state, outputs = Stepper(network, x[..., :3]), by_layer(start), []
    for t in range(5):
        y, state = stepper.step(t, x[:, t, 3:], state)
        outputs.append(y)
    torch.testing.assert_close(torch.stack(outputs, 1), expected)
    torch.testing.assert_close(tuple(torch.stack(s) for s in zip(*state, strict=True)), last)


@pytest.mark.parametrize("unit", [RNN, LSTM, GRU])
def test_a_reversed_network_reads_the_sentence_back_to_front(unit):
    torch.manual_seed(0)
    forward, backward = unit(3, 4, 2), unit(3, 4, 2, reverse=True)
    backward.load_state_dict(forward.state_dict())
    x, mask = torch.randn(2, 5, 3), mask_from_lengths(torch.tensor([5, 2]), 5)
    outputs, state = backward(x, mask)
    for row, length in enumerate((5, 2)):
        expected, last = forward(x[row : row + 1, :length].flip(1))
        torch.testing.assert_close(outputs[row : row + 1, :length], expected.flip(1))
        torch.testing.assert_close(tuple(s[:, row : row + 1] for s in state), last)
    with pytest.raises(ValueError, match="reverse must be False in a bidirectional network"):
        unit(3, 4, bidirectional=True, reverse=True)


def test_a_tied_output_is_the_embedding_and_its_first_guesses_are_nearly_equal():
    torch.manual_seed(0)
    decoder = LuongDecoder(50, GRU(16, 8), Dot(), 8, width=16, tied=True)
    assert decoder.readout.U is decoder.embedding.weight
    untied = LuongDecoder(50, GRU(16, 8), Dot(), 8, width=16)
    count = [sum(p.numel() for p in d.parameters()) for d in (decoder, untied)]
    assert count[1] - count[0] == 50 * 16
    t = torch.rand(100, 16) * 2 - 1
    assert decoder.readout(t).std() < 1.5


def test_the_summary_reaches_every_step_only_where_it_is_fed():
    """In a unit whose weights on its state are 0, what is not fed is forgotten after one step."""
    torch.manual_seed(0)
    for at_each_step in (False, True):
        decoder = RNNDecoder(V, RNN(4 + 3 * at_each_step, 3), at_each_step=at_each_step)
        decoder.network.layers[0][0].cell.W_h.data.zero_()
        one, other = (decoder(r, torch.full((1, 4), 5)) for r in torch.randn(2, 1, 3))
        assert torch.allclose(one, other) != at_each_step


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RNNDecoder(V, GRU(3, 4, reverse=True)), "network must not be bidirectional or reversed"),
        (lambda: RNNDecoder(V, GRU(4, 4), at_each_step=True), "input wider than the 4 that are no word, got 4"),
        (lambda: RNNDecoder(V, GRU(3, 4), context_size=6), "context_size must be 4, as the hidden state, got 6"),
        (lambda: BahdanauDecoder(V, GRU(4, 4), Dot(), 4), "input wider than the 4 that are no word, got 4"),
        (lambda: LuongDecoder(V, GRU(3, 4), ScaledDot(), 5), "context_size must be 4, as the hidden state, got 5"),
        (lambda: LuongDecoder(V, GRU(3, 4), Dot(), 4, tied=True), "width must be 3, as the embedding, .* got 4"),
        (lambda: Readout(4, V, tied_to=torch.nn.Embedding(V, 5)), "width must be 5, as the embedding, .* got 4"),
    ],
)
def test_widths_that_do_not_fit_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
