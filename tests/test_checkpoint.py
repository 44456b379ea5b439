"""Checkpoints: what is written comes back, tied weights once, and what does not fit is refused by name."""

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from course_lib.attention import Dot
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder
from course_lib.training.checkpoint import load_weights, save_weights
from tests.protocol import drawn


def model(hidden=8, tied=True, seed=0):
    torch.manual_seed(seed)
    decoder = LuongDecoder(9, LSTM(6, hidden), Dot(), hidden, width=6, tied=tied)
    return EncoderDecoder(RNNEncoder(9, LSTM(6, hidden)), decoder)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.safetensors"
    save_weights(path, model(), {"command": "make it", "BLEU": 93.5})
    return path


def test_weights_come_back_to_half_precision_with_what_was_said_about_them(saved):
    other = model(seed=1)
    assert load_weights(saved, other) == {"command": "make it", "BLEU": 93.5}
    for (name, value), expected in zip(other.state_dict().items(), model().state_dict().values(), strict=True):
        assert value.dtype == torch.float32 and torch.equal(value, expected.half().float()), name
    assert other.decoder.readout.U is other.decoder.embedding.weight
    torch.testing.assert_close(other(*drawn(other)), model()(*drawn(other)), rtol=0, atol=0.01)


def test_every_weight_is_stored_once_in_two_bytes(saved):
    stored = load_file(saved)
    assert all(tensor.dtype == torch.float16 for tensor in stored.values())
    assert sum(tensor.numel() for tensor in stored.values()) == sum(p.numel() for p in model().parameters())
    assert saved.stat().st_size < 2 * sum(p.numel() for p in model().parameters()) + 4096


def test_a_model_as_the_lectures_train_it_stays_below_three_megabytes(tmp_path):
    decoder = LuongDecoder(2000, LSTM(128, 256), Dot(), 256, width=128, tied=True)
    large = EncoderDecoder(RNNEncoder(2000, LSTM(128, 128, bidirectional=True)), decoder)
    save_weights(tmp_path / "large.safetensors", large)
    assert (tmp_path / "large.safetensors").stat().st_size < 3_000_000


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda: model(tied=False), r"does not fit EncoderDecoder: decoder.readout.U is missing$"),
        (lambda: model(hidden=10), r"decoder.network.layers.0.0.cell.W_h is \(32, 8\), in the model \(40, 10\)"),
        (lambda: nn.Linear(2, 3), r"does not fit Linear: bias is missing; weight is missing; decoder.embedding.weight"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused_by_name_and_changes_nothing(saved, other, message):
    other = other()
    before = {name: value.clone() for name, value in other.state_dict().items()}
    with pytest.raises(ValueError, match=message):
        load_weights(saved, other)
    assert all(torch.equal(value, before[name]) for name, value in other.state_dict().items())


def test_a_file_that_is_no_checkpoint_is_named(tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="other.safetensors is no checkpoint of this course"):
        load_weights(path, model())
    save_file({"a": torch.zeros(1)}, path)
    with pytest.raises(ValueError, match="other.safetensors is no checkpoint of this course"):
        load_weights(path, model())
    with pytest.raises(FileNotFoundError):
        load_weights(tmp_path / "none.safetensors", model())


def test_a_weight_too_large_for_half_precision_is_not_saved(tmp_path):
    layer = nn.Linear(2, 2)
    layer.weight.data[0, 0] = 70000.0
    with pytest.raises(ValueError, match="weight must be finite in float16 to be saved"):
        save_weights(tmp_path / "none.safetensors", layer)
    assert not list(tmp_path.iterdir())


def test_buffers_are_kept_as_they_are_and_those_computed_again_are_not(tmp_path):
    layer = nn.BatchNorm1d(2)
    layer.register_buffer("again", torch.ones(5), persistent=False)
    layer.num_batches_tracked += 70000
    save_weights(tmp_path / "norm.safetensors", layer)
    other = nn.BatchNorm1d(2)
    load_weights(tmp_path / "norm.safetensors", other)
    assert other.num_batches_tracked == 70000 and "again" not in load_file(tmp_path / "norm.safetensors")
