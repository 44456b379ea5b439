"""What is written down of a reading: the equations' own values, what a held gate must do, and the gradient's decay."""

import json
from dataclasses import asdict

import pytest
import torch

from course_lib.recurrent import GRU, LSTM, RNN, Clamp, gradient_norms, holding, trace

WORDS = ["the", "dog", "that", "chased", "the", "cats", "barks"]
NETWORKS = {
    "rnn": (lambda **options: RNN(3, 4, 2, **options), ["h"]),
    "lstm": (lambda **options: LSTM(3, 4, 2, **options), ["f", "i", "o", "candidate", "c", "h"]),
    "gru": (lambda **options: GRU(3, 4, 2, **options), ["r", "z", "candidate", "h"]),
}


def read(kind: str, clamps=(), layer: int = 0, reverse: bool = False, **options):
    torch.manual_seed(0)
    network = NETWORKS[kind][0](bidirectional=True, **options)
    x = torch.randn(len(WORDS), 3)
    return trace(network, x, WORDS, clamps, layer, reverse), network, x


def column(values, unit: int) -> list[float]:
    return [step[unit] for step in values]


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_trace_holds_every_gate_and_reads_as_the_network_does(kind, layer, reverse):
    written, network, x = read(kind, (), layer, reverse)
    outputs, _ = network(x.unsqueeze(0))
    assert list(written.values) == NETWORKS[kind][1]
    assert all(len(steps) == len(WORDS) and len(steps[0]) == 4 for steps in written.values.values())
    torch.testing.assert_close(torch.tensor(written.outputs), outputs[0], atol=1e-6, rtol=0)
    expected = outputs[0] if layer else torch.cat([one(x.unsqueeze(0))[0] for one in network.layers[0]], dim=2)[0]
    expected = expected[:, 4:] if reverse else expected[:, :4]
    torch.testing.assert_close(torch.tensor(written.values["h"]), expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_traced_values_obey_the_slides_equations(reverse):
    def values(kind):
        """In reading order, and the state before each step."""
        steps = {name: torch.tensor(v) for name, v in read(kind, reverse=reverse)[0].values.items()}
        steps = {name: v.flip(0) if reverse else v for name, v in steps.items()}
        return steps, lambda state: torch.cat([torch.zeros(1, 4), steps[state][:-1]])

    lstm, before = values("lstm")
    torch.testing.assert_close(lstm["c"], lstm["f"] * before("c") + lstm["i"] * lstm["candidate"], atol=1e-5, rtol=0)
    torch.testing.assert_close(lstm["h"], lstm["o"] * lstm["c"].tanh(), atol=1e-5, rtol=0)
    gru, before = values("gru")
    torch.testing.assert_close(gru["h"], (1 - gru["z"]) * before("h") + gru["z"] * gru["candidate"], atol=1e-5, rtol=0)


def test_an_lstm_with_input_gate_shut_holds_an_empty_cell_and_with_both_gates_open_it_counts():
    shut, _, _ = read("lstm", [Clamp("i", 0.0)])
    assert not torch.tensor(shut.values["c"]).any() and not torch.tensor(shut.values["h"]).any()
    counting, _, _ = read("lstm", [Clamp("f", 1.0), Clamp("i", 1.0)])
    sums = torch.tensor(counting.values["candidate"]).cumsum(0)
    torch.testing.assert_close(torch.tensor(counting.values["c"]), sums, atol=1e-5, rtol=0)


def test_a_gru_that_never_updates_stays_empty_and_one_that_always_does_is_its_candidate():
    never, _, _ = read("gru", [Clamp("z", 0.0)])
    assert not torch.tensor(never.values["h"]).any()
    always, _, _ = read("gru", [Clamp("z", 1.0)])
    assert always.values["h"] == always.values["candidate"]


def test_one_unit_can_be_held_and_the_rest_changes_only_after_it():
    free, _, _ = read("lstm")
    held, _, _ = read("lstm", [Clamp("o", 0.0, (2,))])
    assert column(held.values["h"], 2) == [0.0] * len(WORDS)
    assert column(held.values["h"], 1)[0] == column(free.values["h"], 1)[0]  # the others have not yet seen unit 2
    assert column(held.values["h"], 1)[1:] != column(free.values["h"], 1)[1:]
    assert held.outputs != free.outputs
    above, _, _ = read("lstm", [Clamp("o", 0.0, (2,))], layer=1)
    assert column(above.outputs, 2) == [0.0] * len(WORDS)


def test_of_two_clamps_of_one_unit_the_later_wins():
    written, _, _ = read("lstm", [Clamp("f", 0.0), Clamp("f", 1.0, (0, 3))])
    assert written.values["f"] == [[1.0, 0.0, 0.0, 1.0]] * len(WORDS)


def test_a_trace_is_plain_json():
    written, _, _ = read("gru", [Clamp("z", 0.5, (1,))], layer=1, reverse=True)
    data = json.loads(json.dumps(asdict(written)))
    assert (data["unit"], data["layer"], data["reverse"], data["tokens"]) == ("GRUCell", 1, True, WORDS)
    assert data["values"] == written.values and data["outputs"] == written.outputs
    assert data["clamps"] == [{"gate": "z", "value": 0.5, "units": [1]}]


def test_tracing_drops_nothing_and_leaves_the_network_as_it_was():
    written, network, x = read("lstm", dropout=0.9)
    assert network.training
    outputs, _ = network.eval()(x.unsqueeze(0))
    torch.testing.assert_close(torch.tensor(written.outputs), outputs[0], atol=1e-6, rtol=0)
    network.fused = True
    assert trace(network, x, WORDS).values == written.values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clamps": [Clamp("z", 1.0)]}, "must be one of f, i, o, candidate, c, h, got 'z'"),
        ({"clamps": [Clamp("f", 1.0, (4,))]}, r"units must lie in 0..3, got \(4,\)"),
        ({"clamps": [Clamp("f", float("inf"))]}, "the value must be finite, got inf"),
        ({"layer": 2}, "layer 2: the network has 2 layers in 2 direction"),
        ({"tokens": ["one"]}, "tokens must be as many as x has time steps, 7, got 1"),
    ],
)
def test_what_cannot_be_traced_is_refused(arguments, message):
    _, network, x = read("lstm")
    with pytest.raises(ValueError, match=message):
        trace(network, x, **({"tokens": WORDS} | arguments))


def test_gradient_norms_are_the_jacobians_of_a_linear_chain():
    """h_T = Σ_k a^k w x_{T−k} where tanh is nearly the identity: the norm at distance k is |w| a^k."""
    network = RNN(1, 1).double()
    with torch.no_grad():
        for p, value in zip(network.parameters(), (2.0, 0.5, 0.0), strict=True):
            p.fill_(value)
    norms = gradient_norms(network, torch.full((3, 10, 1), 1e-9, dtype=torch.float64))
    torch.testing.assert_close(norms, 2.0 * 0.5 ** torch.arange(10, dtype=torch.float64))


def test_gradient_norms_of_a_given_loss():
    torch.manual_seed(0)
    network, x = LSTM(3, 4), torch.randn(1, 6, 3)
    norms = gradient_norms(network, x, lambda outputs: outputs[:, 2].sum())
    assert not norms[:3].any() and norms[3:].all()  # what comes after x_3 cannot matter


def test_the_gradient_vanishes_in_the_plain_unit_and_lasts_in_the_lstm():
    torch.manual_seed(0)
    x = torch.randn(8, 40, 32)
    left = {kind: gradient_norms(kind(32, 32), x) for kind in (RNN, LSTM)}
    assert left[RNN][39] / left[RNN][0] < 1e-2 * left[LSTM][39] / left[LSTM][0]


def test_gradients_vanish_by_the_forget_gate_alone_along_the_memory_cell():
    """All weights on h are 0: what is left of x_{T−k} in c_T is f^k."""
    network = LSTM(1, 1, bias=True).double()
    cell = network.layers[0][0].cell
    with torch.no_grad():
        for p in network.parameters():
            p.zero_()
        cell.W_xh.fill_(1.0)
        cell.b_f.fill_(2.0)
    norms = gradient_norms(network, torch.zeros(1, 20, 1, dtype=torch.float64))
    torch.testing.assert_close(norms[1:] / norms[:-1], torch.full((19,), 2.0, dtype=torch.float64).sigmoid())


@pytest.mark.parametrize("kind", ["lstm", "gru"])
@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
def test_who_reads_with_held_gates_gets_what_a_trace_with_them_says(kind, layer, reverse):
    clamps = [Clamp("f" if kind == "lstm" else "z", 0.0), Clamp("h", 0.25, (1, 2))]
    written, network, x = read(kind, clamps, layer, reverse, fused=kind == "lstm")
    free, _ = network(x.unsqueeze(0))
    with holding(network, clamps, layer, reverse):
        outputs, _ = network(x.unsqueeze(0))
    torch.testing.assert_close(torch.tensor(written.outputs), outputs[0], atol=1e-6, rtol=0)
    assert not torch.allclose(outputs, free, atol=1e-3)
    torch.testing.assert_close(network(x.unsqueeze(0))[0], free)  # let go


def test_gates_can_be_held_everywhere_in_a_padded_batch_and_are_let_go_after_an_error():
    _, network, x = read("lstm")
    free, _ = network(x.unsqueeze(0))
    short, mask = torch.stack([x, x]), torch.ones(2, len(WORDS), dtype=torch.bool)
    mask[1, 3:] = False
    with pytest.raises(KeyError), holding(network, [Clamp("o", 0.0)]):
        outputs, (_, c) = network(short, mask)
        assert not outputs.any() and c[:2].all()  # of the layer below
        raise KeyError
    torch.testing.assert_close(network(x.unsqueeze(0))[0], free)


def test_a_trace_within_held_gates_sees_what_comes_of_them_below():
    _, network, x = read("lstm")
    with holding(network, [Clamp("o", 0.0)], layer=0, reverse=False):
        above = trace(network, x, WORDS, layer=1)
    held = trace(network, x, WORDS, [Clamp("o", 0.0)], layer=0)
    assert above.outputs == held.outputs != trace(network, x, WORDS).outputs
    assert [step[:4] for step in above.outputs] == above.values["h"]


@pytest.mark.parametrize(
    ("clamps", "place", "message"),
    [([Clamp("z", 0.0)], (), "the gate must be one of f, i, o"), ([Clamp("f", 0.0)], (2,), "has 2 layers in 2")],
)
def test_what_cannot_be_held_is_refused(clamps, place, message):
    _, network, _ = read("lstm")
    with pytest.raises(ValueError, match=message), holding(network, clamps, *place):
        pytest.fail("never gets here")
