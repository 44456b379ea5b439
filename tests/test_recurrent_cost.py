"""The cost of a sentence, counted on networks whose cost can be counted by hand."""

import pytest
import torch
from torch import nn

from course_lib.recurrent import LSTM, RNN
from course_lib.recurrent.cost import sequential_products, stored_bytes


@pytest.mark.parametrize("unit", [RNN, LSTM])
@pytest.mark.parametrize("time", [1, 7, 300])
def test_a_recurrent_network_multiplies_once_a_word_one_after_another(unit, time):
    states, _ = unit(3, 4)(torch.randn(2, time, 3))
    assert sequential_products(states[:, -1].sum()) == time + 1  # and once for all inputs


def test_layers_side_by_side_wait_only_for_those_below():
    x = torch.randn(2, 50, 4)
    assert sequential_products(nn.Linear(4, 4)(x).sum()) == 1
    assert sequential_products(nn.Sequential(*(nn.Linear(4, 4) for _ in range(3)))(x).sum()) == 3
    W = torch.randn(4, 4, requires_grad=True)
    assert sequential_products((W @ W) @ (W @ (W @ W))) == 3


def test_a_tensor_without_a_graph_is_refused():
    with pytest.raises(ValueError, match="without a graph"):
        sequential_products(torch.ones(2))


def test_what_is_stored_is_what_the_derivative_needs():
    x = torch.ones(10, 100, requires_grad=True)
    assert stored_bytes(lambda: x.sin()) == x.nbytes  # cos(x)
    assert stored_bytes(lambda: x + 1) == 0
    assert stored_bytes(lambda: x * x) == x.nbytes  # the same tensor twice


def test_memory_grows_by_the_same_for_each_word():
    network = RNN(3, 8)
    stored = [stored_bytes(lambda t=t: network(torch.randn(1, t, 3))[0]) for t in (20, 40, 60)]
    assert stored[2] - stored[1] == stored[1] - stored[0] > 0
