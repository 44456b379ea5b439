"""Refinement: what it minimises, beside the exact gradient of a model whose outputs can be listed."""

import pytest
import torch

from course_lib.corpora.batches import Batches, collate
from course_lib.search.hypothesis import Hypothesis
from course_lib.systems import refinement
from course_lib.systems.minimum_risk import risk
from course_lib.systems.refinement import Objective, Refiner, draw, sequence_log_probs
from course_lib.systems.rewards import smoothed_bleu
from course_lib.training.trainer import Trainer
from tests.test_training import HELD_OUT, PAIRS, VOCABULARY, model, weights
from tests.toy import ToyModel

EOS = VOCABULARY.eos_id
TABLE = {(): {4: 0.5, 5: 0.2, EOS: 0.3}, (4,): {4: 0.3, 5: 0.5, EOS: 0.2}, (5,): {4: 0.6, EOS: 0.4}}
OUTPUTS = [(EOS,), (4, EOS), (4, 4, EOS), (4, 5, EOS), (5, EOS), (5, 4, EOS)]  # all that it can write
PAIR = ([6], [4, 5])


def words(ids):
    return [str(i) for i in ids if i != EOS]


def refiner(aim, made=None, pairs=PAIRS, **options):
    made = model() if made is None else made
    return Refiner(made, Batches(pairs, 12, VOCABULARY), words, aim, held_out=HELD_OUT, **options)


def test_the_log_probability_of_an_output_is_that_which_the_search_adds_up():
    made = model().eval()
    batch = collate(PAIRS[:4], VOCABULARY)
    torch.manual_seed(0)
    found = refinement.sample(made, batch.source, batch.source_mask, 4)
    assert {each.finished for each in found} == {True, False}
    ids = [[(*y.words, EOS) if y.finished else y.words] for y in found]
    log_p, mask = sequence_log_probs(made, batch, ids)
    assert mask.all()
    torch.testing.assert_close(log_p[:, 0], torch.tensor([y.log_probability for y in found]))


def test_sentences_may_have_different_numbers_of_outputs():
    made = model().eval()
    batch = collate(PAIRS[:3], VOCABULARY)
    outputs = [[(4, EOS), (5, 6, 7, EOS)], [(4,)], [(8, EOS), (EOS,), (4, 4, EOS)]]
    log_p, mask = sequence_log_probs(made, batch, outputs)
    assert mask.tolist() == [[True, True, False], [True, False, False], [True, True, True]]
    for k, ys in enumerate(outputs):
        alone = sequence_log_probs(made, collate(PAIRS[k : k + 1], VOCABULARY), [ys])[0][0]
        torch.testing.assert_close(log_p[k, : len(ys)], alone)
    assert log_p[~mask].eq(0).all()


def test_outputs_are_drawn_by_their_probability():
    made, batch = ToyModel([TABLE], 9), collate([PAIR], VOCABULARY)
    torch.manual_seed(0)
    (drawn,) = draw(made, batch, 4000)
    p = sequence_log_probs(made, batch, [OUTPUTS])[0][0].exp()
    assert p.sum().item() == pytest.approx(1)
    for y, chance in zip(OUTPUTS, p.tolist(), strict=True):
        assert drawn.count(y) / 4000 == pytest.approx(chance, abs=5 * (chance / 4000) ** 0.5)


def gradients(aim, steps):
    """The gradient of the objective, in `steps` draws."""
    made, batch = ToyModel([TABLE], 9), collate([PAIR], VOCABULARY)
    run, found = refiner(aim, made), []
    torch.manual_seed(0)
    for _ in range(steps):
        made.zero_grad()
        run.objective(batch).backward()
        found.append(made.logs.grad.nan_to_num().clone())
    return torch.stack(found)


@pytest.mark.parametrize("baseline", ["none", "others", "greedy"])
def test_reinforce_goes_on_the_average_where_the_expected_reward_grows(baseline):
    found = gradients(Objective("reinforce", samples=4, baseline=baseline), 400)
    made, batch = ToyModel([TABLE], 9), collate([PAIR], VOCABULARY)
    R = torch.tensor([smoothed_bleu(words(y), ["4", "5"]) for y in OUTPUTS])
    (-(sequence_log_probs(made, batch, [OUTPUTS])[0][0].exp() * R).sum()).backward()
    exact, error = made.logs.grad.nan_to_num(), found.std(0) / 400**0.5
    assert exact.abs().max() > 0.05
    assert ((found.mean(0) - exact).abs() <= 5 * error + 1e-6).all()


@pytest.mark.parametrize("reference", [False, True])
def test_the_risk_is_that_of_the_different_samples_and_of_the_reference_where_asked(reference, monkeypatch):
    drawn = [(4, EOS), (5, EOS), (4, EOS), (EOS,)]
    monkeypatch.setattr(refinement, "draw", lambda *_: [drawn])
    made, batch = ToyModel([TABLE], 9), collate([PAIR], VOCABULARY)
    run = refiner(Objective("risk", samples=4, alpha=0.5, reference=reference), made)
    chosen = [(4, 5, EOS)] * reference + [(4, EOS), (5, EOS), (EOS,)]
    log_p, mask = sequence_log_probs(made, batch, [chosen])
    costs = torch.tensor([[1 - smoothed_bleu(words(y), ["4", "5"]) for y in chosen]])
    torch.testing.assert_close(run.objective(batch), risk(log_p, costs, mask, 0.5)[0])
    assert run.sampled_rewards == [pytest.approx(sum(smoothed_bleu(words(y), ["4", "5"]) for y in drawn) / 4)]


def test_a_constant_reward_teaches_nothing_but_where_there_is_no_baseline():
    for kind, baseline, silent in (
        ("risk", "others", True),
        ("reinforce", "others", True),
        ("reinforce", "none", False),
    ):
        found = gradients(Objective(kind, reward="constant", samples=4, baseline=baseline), 3)
        assert (found.abs().max() < 1e-6) == silent


def test_cross_entropy_is_the_trainer_itself_and_so_is_a_mix_of_1():
    plain = Trainer(model(), Batches(PAIRS, 12, VOCABULARY), held_out=HELD_OUT)
    plain.train(4, progress=False)
    for aim in (Objective("cross_entropy"), Objective("risk", mix=1.0)):
        run = refiner(aim)
        run.train(4, progress=False)
        assert run.losses == plain.losses and run.held_out_losses == plain.held_out_losses
        assert run.sampled_rewards == []
        assert all(torch.equal(value, weights(plain)[name]) for name, value in weights(run).items())


def test_a_mix_is_the_share_of_each(monkeypatch):
    monkeypatch.setattr(refinement, "draw", lambda *_: [[(4, EOS), (5, EOS)]])
    made, batch = ToyModel([TABLE], 9), collate([PAIR], VOCABULARY)
    parts = [refiner(Objective("risk", samples=2, mix=mix), made).objective(batch) for mix in (0.0, 1.0, 0.25)]
    torch.testing.assert_close(parts[2], 0.75 * parts[0] + 0.25 * parts[1])


@pytest.mark.parametrize("kind", ["risk", "reinforce"])
def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(kind, tmp_path):
    aim, path = Objective(kind, samples=2), tmp_path / "run.safetensors"
    whole, first, second = (refiner(aim, evaluate_every=2) for _ in range(3))
    whole.train(4, progress=False)
    first.train(2, path=path, progress=False)
    torch.rand(7)
    second.load(path)
    second.train(2, progress=False)
    assert (second.losses, second.sampled_rewards) == (whole.losses, whole.sampled_rewards)
    assert len(set(whole.losses)) == len(whole.sampled_rewards) == 4
    assert all(torch.equal(value, weights(whole)[name]) for name, value in weights(second).items())


@pytest.mark.parametrize("kind", ["risk", "reinforce"])
def test_the_reward_of_the_samples_grows(kind):
    run = refiner(Objective(kind, samples=6), ToyModel([TABLE], 9), [PAIR] * 6, learning_rate=0.05)
    run.train(60, progress=False)
    first, last = (sum(part) / 10 for part in (run.sampled_rewards[:10], run.sampled_rewards[-10:]))
    assert last > first + 0.2


def test_an_output_that_never_ends_is_cut_off_and_scored_without_its_end(monkeypatch):
    endless = Hypothesis((4, 4), -1.0, -1.0, finished=False)
    monkeypatch.setattr(refinement, "sample", lambda *_: [endless] * 2)
    assert draw(ToyModel([TABLE], 9), collate([PAIR], VOCABULARY), 2) == [[(4, 4), (4, 4)]]


def test_what_is_wrong_is_named():
    for name, value in (("kind", "rl"), ("reward", "ter"), ("baseline", "best")):
        with pytest.raises(ValueError, match=f"{name} must be one of .*, got '{value}'"):
            Objective(**{name: value})
    with pytest.raises(ValueError, match="baseline 'constant' needs a number"):
        Objective(baseline="constant")
    with pytest.raises(ValueError, match="samples must be at least 1, got 0"):
        Objective(samples=0)
    with pytest.raises(ValueError, match=r"mix must lie in \[0, 1\], got 2"):
        Objective(mix=2.0)
    with pytest.raises(ValueError, match="accumulate must be 1, got 2"):
        refiner(Objective(), accumulate=2)
