"""Checkpoint averaging: torch's averaged model, what is kept of a run, and what does not fit."""

import pytest
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from course_lib.corpora.batches import Batches
from course_lib.subwords import Vocabulary
from course_lib.training.averaging import LastCheckpoints, load_average
from course_lib.training.checkpoint import save_weights, tensors_of, write
from course_lib.training.trainer import Trainer
from course_lib.transformer import Config, Transformer

VOCABULARY = Vocabulary("abcde")


def model(seed=0):
    torch.manual_seed(seed)
    return Transformer(Config(len(VOCABULARY), d_model=4, d_ff=6, heads=2, layers=1))


def test_the_average_is_torchs_and_tied_weights_stay_tied(tmp_path):
    models = [model(seed) for seed in range(3)]
    theirs, paths = AveragedModel(models[0]), [tmp_path / f"{seed}.safetensors" for seed in range(3)]
    for path, each in zip(paths, models, strict=True):
        theirs.update_parameters(each)
        write(path, tensors_of(each), {})
    ours = model(seed=7)
    load_average(paths, ours)
    for (name, value), expected in zip(ours.named_parameters(), theirs.module.parameters(), strict=True):
        torch.testing.assert_close(value, expected, msg=name)
    assert ours.readout.U is ours.source_embedding.words.weight
    load_average(paths[1:2], ours)
    assert all(torch.equal(one, other) for one, other in zip(ours.parameters(), models[1].parameters(), strict=True))


def test_the_last_checkpoints_of_a_run_are_kept(tmp_path):
    batches = Batches([([4, 5], [5, 4]), ([6], [7])], 8, VOCABULARY)
    run, last, weights = Trainer(model(), batches, evaluate_every=2), LastCheckpoints(tmp_path, 3), []

    def show(trainer):
        last(trainer)
        weights.append({name: tensor.clone() for name, tensor in tensors_of(trainer.model).items()})

    run.train(9, show=show, progress=False)
    run.train(3, show=show, progress=False)
    assert [path.name for path in last.paths] == [f"step_{step}.safetensors" for step in (9, 10, 12)]
    averaged = model(seed=7)
    load_average(last.paths, averaged)
    for name, tensor in tensors_of(averaged).items():
        torch.testing.assert_close(tensor, sum(each[name] for each in weights[-3:]) / 3)


def test_what_another_run_has_left_is_not_averaged(tmp_path):
    batches, last = Batches([([4, 5], [5, 4]), ([6], [7])], 8, VOCABULARY), LastCheckpoints(tmp_path, 3)
    Trainer(model(), batches, evaluate_every=2).train(12, show=last, progress=False)
    run = Trainer(model(seed=1), batches, evaluate_every=2)
    run.train(2, show=last, progress=False)
    assert [path.name for path in last.paths] == ["step_2.safetensors"]
    averaged = model(seed=7)
    load_average(last.paths, averaged)
    for one, other in zip(averaged.parameters(), run.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_what_an_interrupted_run_has_left_is_deleted_as_new_ones_come(tmp_path):
    batches, states = Batches([([4, 5], [5, 4]), ([6], [7])], 8, VOCABULARY), tmp_path / "states"
    Trainer(model(), batches, evaluate_every=2).train(
        6, show=LastCheckpoints(states, 3), path=tmp_path / "resume", progress=False
    )
    again = Trainer(model(seed=1), batches, evaluate_every=2)
    again.load(tmp_path / "resume")
    again.train(2, show=LastCheckpoints(states, 3), progress=False)
    assert [path.name for path in LastCheckpoints(states).paths] == [f"step_{k}.safetensors" for k in (4, 6, 8)]


def test_what_cannot_be_averaged_is_named_and_changes_nothing(tmp_path):
    ours, other = model(), nn.Linear(2, 3)
    save_weights(tmp_path / "fits.safetensors", model(seed=1))
    save_weights(tmp_path / "other.safetensors", other)
    with pytest.raises(ValueError, match=r"other.safetensors does not fit Transformer: .* is missing"):
        load_average([tmp_path / "fits.safetensors", tmp_path / "other.safetensors"], ours)
    assert all(torch.equal(one, same) for one, same in zip(ours.parameters(), model().parameters(), strict=True))
    with pytest.raises(ValueError, match="paths must name at least one checkpoint"):
        load_average([], ours)
    with pytest.raises(ValueError, match="count must be at least 1, got 0"):
        LastCheckpoints(tmp_path, 0)
