"""An ensemble says the mean of what its members say (that it keeps to the protocol: test_protocol)."""

import pytest
import torch

from course_lib.search.beam import beam
from course_lib.search.ensemble import Ensemble
from tests.toy import ToyModel

EOS, A, B = 3, 4, 5
SURE, DOUBTING = (ToyModel([{(): p, (A,): p, (B,): p}], 6) for p in ({A: 0.9, EOS: 0.1}, {A: 0.2, B: 0.6, EOS: 0.2}))
ONE = torch.tensor([[A, EOS]]), torch.tensor([[True, True]])


def first(model):
    return model.step(torch.tensor([model.bos_id]), model.start(model.encode(*ONE))).log_probs[0].exp()


def test_the_mean_of_probabilities():
    torch.testing.assert_close(first(Ensemble([SURE, DOUBTING]))[[EOS, A, B]], torch.tensor([0.15, 0.55, 0.3]))


def test_the_mean_of_logarithms_lets_each_object():
    p = first(Ensemble([SURE, DOUBTING], "logarithms"))
    expected = torch.tensor([0.1 * 0.2, 0.9 * 0.2]).sqrt()  # B is impossible for one of them
    torch.testing.assert_close(p[[EOS, A]], expected / expected.sum())
    assert p[B] == 0


@pytest.mark.parametrize("mean", ["probabilities", "logarithms"])
def test_the_same_model_twice_is_that_model(mean):
    torch.testing.assert_close(first(Ensemble([DOUBTING, DOUBTING], mean)), first(DOUBTING))


def test_beam_search_takes_it_as_any_model():
    (alone,) = beam(DOUBTING, *ONE, 4, 2)
    (twice,) = beam(Ensemble([DOUBTING, DOUBTING]), *ONE, 4, 2)
    assert [h.words for h in twice] == [h.words for h in alone]
    assert twice[0].score == pytest.approx(alone[0].score, abs=1e-6)


def test_bad_members_are_refused():
    other = ToyModel([{(): {A: 1.0}}], 6)
    other.eos_id = 2
    with pytest.raises(ValueError, match="models must hold at least one model, got none"):
        Ensemble([])
    with pytest.raises(ValueError, match="models must agree in their ids of pad, bos and eos"):
        Ensemble([SURE, other])
    with pytest.raises(ValueError, match="mean must be"):
        Ensemble([SURE], "median")
