"""Older processors lack kernels that this one may have: what is fused runs there too, and says so once."""

import subprocess
import sys

import pytest
import torch

from course_lib.recurrent import GRU, LSTM, RNN, LSTMCell, kernel
from tests.processors import PROCESSORS, as_on

NETWORKS = {"RNN": RNN, "LSTM": LSTM, "GRU": lambda *sizes, **options: GRU(*sizes, reset="after", **options)}


def fused_in_bfloat16(kind):
    """Outputs and gradients in training, and outputs without a graph, are those in float32, but for rounding."""
    torch.manual_seed(0)
    network = NETWORKS[kind](5, 6, 2, bidirectional=True, fused=True)
    x = torch.randn(3, 4, 5, requires_grad=True)
    results = []
    for half in (False, True):
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            outputs, state = network.train()(x)
            loss = outputs.float().square().sum()
            gradients = torch.autograd.grad(loss, [x, *network.parameters()])
            with torch.no_grad():
                inferred, _ = network.eval()(x)
        results.append([tensor.float() for tensor in (outputs, inferred, *state, *gradients)])
    torch.testing.assert_close(*results, rtol=0.05, atol=0.05)


COMPUTED_THERE = """
import warnings
import torch
from tests.test_processors import NETWORKS, fused_in_bfloat16

assert torch.backends.cpu.get_cpu_capability() != "AVX512"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for kind in NETWORKS:
        fused_in_bfloat16(kind)
print(*(warning.message for warning in caught if "fused" in str(warning.message)), sep="\\n")
"""


@pytest.mark.parametrize("name", PROCESSORS)
def test_fused_networks_run_in_bfloat16_on_every_processor(name):
    command = [sys.executable, "-c", COMPUTED_THERE]
    done = subprocess.run(command, env=as_on(PROCESSORS[name]), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("fused: this processor has no kernel of LSTMCell") == done.stdout.count("fused") <= 1


@pytest.mark.parametrize("padded", [False, True])
def test_a_kernel_that_the_processor_lacks_is_replaced_by_the_one_in_the_weights_dtype(monkeypatch, padded):
    """What oneDNN says of bfloat16 without AVX-512, said here on every processor."""

    def lacking(*arguments):
        if torch.is_autocast_enabled("cpu"):
            raise RuntimeError("could not create a primitive descriptor for the LSTM forward propagation primitive")
        return torch.lstm(*arguments)

    network, x = LSTM(5, 6, 2, fused=True), torch.randn(2, 4, 5)
    mask = torch.tensor([[True] * 4, [True] * (2 if padded else 4) + [False] * (2 if padded else 0)])
    expected = network(x, mask)
    monkeypatch.setattr(LSTMCell, "kernel", lambda cell: lacking)
    kernel._warn_once.cache_clear()
    with torch.autocast("cpu", torch.bfloat16), pytest.warns(UserWarning, match="no kernel of LSTMCell") as said:
        torch.testing.assert_close(network(x, mask), expected)
        torch.testing.assert_close(network(x.bfloat16(), mask), expected, rtol=0.05, atol=0.02)
    assert len(said) == 1


def test_another_error_of_a_kernel_is_not_hidden(monkeypatch):
    def broken(*arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(LSTMCell, "kernel", lambda cell: broken)
    with pytest.raises(RuntimeError, match="out of memory"):
        LSTM(5, 6, fused=True)(torch.randn(2, 4, 5))
