"""Clipping by a function of torch's that was saved before is refused in problem set 3."""

import pytest
import torch
from torch.nn.utils import clip_grad_norm_

from course_lib.grading.boundary.forbid import Delegated, forbid
from course_lib.problem_sets.ps3 import training_step

SAVED = {
    "clip_grad_norm_": lambda w: clip_grad_norm_(w, 1.0),
    "an optimizer": lambda w: torch.optim.SGD([w], lr=1.0),
}


@pytest.mark.parametrize("way", SAVED)
def test_a_saved_function_of_torch_does_not_clip(way):
    weight = torch.ones(2, requires_grad=True)
    weight.sum().backward()
    with forbid(training_step.TASK.forbidden), pytest.raises(Delegated, match="write it yourself"):
        SAVED[way](weight)
