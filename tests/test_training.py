"""The training loop: against a loop written out, and going on after an interruption."""

import math

import pytest
import torch
from torch.nn import functional as F

from course_lib.attention import Dot
from course_lib.corpora.batches import Batches, collate
from course_lib.recurrent import GRU, RNNEncoder
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder
from course_lib.subwords import Vocabulary
from course_lib.training.schedules import inverse_square_root
from course_lib.training.trainer import Trainer
from tests.toy import ToyModel

VOCABULARY = Vocabulary("abcde")
PAIRS = [([4 + n % 5] * (1 + n % 3), [8 - n % 5] * (1 + n % 3)) for n in range(12)]
HELD_OUT = [collate(PAIRS[:2], VOCABULARY), collate(PAIRS[2:5], VOCABULARY)]


def model(seed=0):
    torch.manual_seed(seed)
    network = GRU(6, 8, 2, dropout=0.3)
    return EncoderDecoder(RNNEncoder(9, GRU(6, 8)), LuongDecoder(9, network, Dot(), 8, width=6, tied=True))


def trainer(seed=0, **options):
    return Trainer(model(seed), Batches(PAIRS, 12, VOCABULARY), **{"held_out": HELD_OUT, **options})


def weights(trainer):
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def test_it_does_what_a_loop_written_out_does():
    ours = trainer(learning_rate=0.01, max_norm=0.5, schedule=inverse_square_root(2), held_out=())
    theirs = model()
    ours.model.decoder.network.dropout = theirs.decoder.network.dropout = 0.0
    ours.train(5, progress=False)
    optimizer, losses = torch.optim.Adam(theirs.parameters(), lr=1.0), []
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 0.01 * inverse_square_root(2)(t + 1))
    epochs = [batch for epoch in range(3) for batch in ours.batches.epoch(epoch)]
    for batch in epochs[:5]:
        logits = theirs(batch.source, batch.source_mask, batch.target_in)
        loss = F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=theirs.pad_id)
        optimizer.zero_grad()
        loss.backward()
        assert torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.5) > 0.5
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    assert ours.losses == pytest.approx(losses)
    for name, value in theirs.state_dict().items():
        torch.testing.assert_close(ours.model.state_dict()[name], value)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_accumulated_batches_are_one_batch_of_all_their_words(smoothing):
    pairs = [([4, 5], [6]), ([5], [7, 8, 4]), ([6, 6, 7], [5, 5]), ([8], [8])]
    options = {"learning_rate": 0.05, "smoothing": smoothing, "betas": (0.9, 0.98), "eps": 1e-9}
    together = Trainer(model(), Batches(pairs, 100, VOCABULARY), **options)
    apart = Trainer(model(), Batches(pairs, 4, VOCABULARY), accumulate=4, **options)
    assert (len(together.batches), len(apart.batches)) == (1, 4)
    for run in (together, apart):
        run.model.decoder.network.dropout = 0.0
        run.train(3, progress=False)
    assert apart.step == 3 and apart.losses == pytest.approx(together.losses, rel=1e-5)
    for name, value in weights(apart).items():
        torch.testing.assert_close(value, weights(together)[name], rtol=1e-3, atol=1e-4)


def test_an_accumulating_run_goes_on_where_it_was(tmp_path):
    whole, first, second = (trainer(accumulate=2) for _ in range(3))
    whole.train(5, progress=False)
    first.train(3, path=tmp_path / "run.safetensors", progress=False)
    second.load(tmp_path / "run.safetensors")
    second.train(2, progress=False)
    assert second.losses == whole.losses and len(set(whole.losses)) == 5
    with pytest.raises(ValueError, match="saved with accumulate 2, this trainer has 1"):
        trainer().load(tmp_path / "run.safetensors")


def test_smoothing_is_in_the_loss_that_is_learnt_from_and_in_no_other():
    plain, smoothed = trainer(), trainer(smoothing=0.3)
    assert plain.evaluate() == smoothed.evaluate()
    for run in (plain, smoothed):
        run.train(1, progress=False)
    assert plain.losses != smoothed.losses


def test_it_learns_and_the_held_out_loss_is_the_mean_of_all_words():
    run = Trainer(
        model(), Batches(PAIRS, 60, VOCABULARY), held_out=HELD_OUT, learning_rate=0.05, max_norm=5, evaluate_every=20
    )
    run.train(50, progress=False)
    assert [step for step, _ in run.held_out_losses] == [20, 40, 50] and run.step == 50
    assert run.held_out_losses[-1][1] < run.losses[0] / 4 and not run.model.training
    both = collate(PAIRS[:5], VOCABULARY)
    assert run.evaluate() == pytest.approx(run.loss(both).item(), rel=1e-4)


def stop(at):
    def show(run):
        if run.step == at:
            raise KeyboardInterrupt

    return show


def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path):
    """Bit by bit, with dropout, in the second epoch; whatever random numbers were drawn in between."""
    whole, first = (trainer(evaluate_every=3) for _ in range(2))
    assert 3 < len(whole.batches) < 6 or len(whole.batches) < 3
    whole.train(6, progress=False)
    path = tmp_path / "run.safetensors"
    with pytest.raises(KeyboardInterrupt):
        first.train(6, show=stop(3), path=path, progress=False)
    first.model.encoder.embedding.weight.data.zero_()  # what happens to it afterwards is not in the file
    second = trainer(seed=1, evaluate_every=3)
    torch.rand(7)
    second.load(path)
    assert second.step == 3
    second.train(3, progress=False)
    assert second.losses == whole.losses and second.held_out_losses == whole.held_out_losses
    assert all(torch.equal(value, weights(whole)[name]) for name, value in weights(second).items())
    assert second.model.decoder.readout.U is second.model.decoder.embedding.weight


def test_an_interruption_within_a_step_costs_that_step_alone(tmp_path, monkeypatch):
    whole, first, path = trainer(), trainer(), tmp_path / "run.safetensors"
    whole.train(4, progress=False)
    first.train(3, path=path, progress=False)

    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(first.optimizer, "step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        first.train(1, progress=False)
    assert first.step == 3 and not first.model.training
    monkeypatch.undo()
    first.load(path)
    first.train(1, progress=False)
    assert first.losses == whole.losses
    assert all(torch.equal(value, weights(whole)[name]) for name, value in weights(first).items())


def test_training_draws_no_random_numbers_of_the_caller_and_depends_on_its_seed():
    torch.manual_seed(5)
    expected = torch.rand(3)
    runs = [trainer(seed=0), trainer(seed=0), trainer(seed=0, held_out=())]
    other = Trainer(model(0), runs[0].batches, seed=1)
    torch.manual_seed(5)
    for run in [*runs, other]:
        run.train(2, progress=False)
    assert torch.equal(torch.rand(3), expected)
    assert runs[0].losses == runs[1].losses == runs[2].losses != other.losses


def test_a_run_is_not_loaded_into_another(tmp_path):
    path = tmp_path / "run.safetensors"
    run = trainer()
    run.train(1, path=path, progress=False)
    for other, message in [
        (trainer(), None),
        (Trainer(model(), Batches(PAIRS, 12, VOCABULARY), seed=2), "saved with seed 0, this trainer has 2"),
        (Trainer(model(), Batches(PAIRS, 24, VOCABULARY)), "saved with batches"),
        (trainer(recipe={"steps": 9, "sizes": (1, 2)}), "saved by a recipe with {'sizes': None, 'steps': None}"),
        (Trainer(ToyModel([{(): {4: 1.0}}], 9), Batches(PAIRS, 12, VOCABULARY)), "does not fit ToyModel"),
    ]:
        if message is None:
            other.load(path)
        else:
            with pytest.raises(ValueError, match=message):
                other.load(path)


def test_it_trains_in_bfloat16_and_keeps_its_weights_in_float32():
    run, exact = trainer(bf16=True, learning_rate=0.02), trainer(learning_rate=0.02)
    for each in (run, exact):
        each.train(3, progress=False)
    assert run.losses == pytest.approx(exact.losses, rel=0.02) and run.losses != exact.losses
    assert all(value.dtype == torch.float32 for value in weights(run).values())


def test_a_gradient_that_is_no_number_stops_the_run_before_it_spoils_the_weights():
    run = trainer()
    run.train(1, progress=False)
    before = weights(run)
    run.model.decoder.readout.b.register_hook(lambda gradient: gradient * math.nan)
    with pytest.raises(RuntimeError, match="non-finite"):
        run.train(1, progress=False)
    assert run.step == 1 and all(torch.equal(value, before[name]) for name, value in weights(run).items())


def test_a_progress_bar_shows_the_loss(capsys):
    run = trainer()
    run.train(2)
    bar = capsys.readouterr().err
    assert "2/2" in bar and f"loss={run.losses[-1]:.3f}" in bar


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learning_rate": 0.0}, "learning_rate must be above 0, got 0.0"),
        ({"max_norm": -1.0}, "max_norm must be above 0, got -1.0"),
        ({"accumulate": 0}, "accumulate must be at least 1, got 0"),
        ({"evaluate_every": 0}, "evaluate_every must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Trainer(model(), Batches(PAIRS, 12, VOCABULARY), **options)


def test_no_held_out_loss_without_batches_and_no_training_backwards():
    with pytest.raises(ValueError, match="held_out must hold at least one batch"):
        trainer(held_out=()).evaluate()
    with pytest.raises(ValueError, match="steps must be at least 0, got -1"):
        trainer().train(-1)


def test_a_step_runs_the_fused_loss():
    ours = trainer(smoothing=0.1)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        ours.one_step([HELD_OUT[0]])
    assert "aten::cross_entropy_loss" in {event.key for event in profile.key_averages()}
