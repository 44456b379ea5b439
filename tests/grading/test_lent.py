"""What a task lends stands alone, and is enough: with it a right solution needs nothing else that its author wrote."""

import pytest
import torch

from course_lib.grading.boundary.proxy import local
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Task
from course_lib.grading.trial import attempt, source

from .each_task import each, group, nothing_forbidden
from .measure import secrets
from .measure.honest import anew, styles

SECRET = secrets.secret(0)
LENDING = [task for name in names() for task in problem_set(name).tasks if task.lent]
TASKS = {task.name: task for name in names() for task in problem_set(name).tasks}


def as_sent(task: Task) -> dict:
    """The functions that `task` lends, made of their sources and of nothing else."""
    objects = Objects({})
    sources = {function.__name__: source(function) for function in task.lent}
    objects.lend(sources, tuple(sources))
    return objects.lent


@each(LENDING)
def test_what_is_lent_is_right_as_it_is_sent(task):
    """Each function that is a task of its own, on all the cases of that task."""
    for name, function in as_sent(task).items():
        if own := TASKS.get(f"{task.name.partition('.')[0]}.{name}"):
            own, student = nothing_forbidden(own), local(function)
            trials = [attempt(own, criterion, student, SECRET, visible=False) for criterion in own.criteria]
            wrong = [(trial.criterion.name, trial.says) for trial in trials if trial.failed]
            assert trials and not wrong, (name, wrong)


def test_helpers_that_are_no_tasks_are_right_as_they_are_sent():
    torch.manual_seed(0)
    x, gamma, beta = torch.randn(2, 3, 5), torch.randn(5), torch.randn(5)
    weights = {"W_1": torch.randn(5, 7), "b_1": torch.randn(7), "W_2": torch.randn(7, 5), "b_2": torch.randn(5)}
    heads = {name: torch.randn(6, 6) for name in ("W_Q", "W_K", "W_V", "W_O")}
    z, mask = torch.randn(2, 4, 6), torch.rand(2, 4, 4) < 0.6
    mask |= torch.eye(4, dtype=torch.bool)
    tried = set()
    for task in LENDING:
        for name, function in as_sent(task).items():
            if f"{task.name.partition('.')[0]}.{name}" not in TASKS:
                tried.add(name)
                given, right = {
                    "layer_norm": ((x, gamma, beta), lambda: torch.nn.functional.layer_norm(x, (5,), gamma, beta)),
                    "feed_forward": (
                        (x, weights),
                        lambda: torch.relu(x @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"],
                    ),
                    "self_attention": ((z, mask, heads, 2), lambda: torchs_attention(z, mask, heads, 2)),
                }[name]
                assert torch.allclose(function(*given), right(), atol=1e-5), name
    assert tried == {"layer_norm", "feed_forward", "self_attention"}


def torchs_attention(x, mask, weights, heads):
    """Multi-head self-attention by torch's own function; torch's matrices are turned round."""
    return torch.nn.functional.multi_head_attention_forward(
        *(x.transpose(0, 1),) * 3,
        *(x.shape[2], heads),
        torch.cat([weights[name].T for name in ("W_Q", "W_K", "W_V")]),
        *(None, None, None, False, 0.0),
        *(weights["W_O"].T, None),
        attn_mask=~mask.repeat_interleave(heads, 0),
        need_weights=False,
    )[0].transpose(0, 1)


def unwritten(*_):
    raise NotImplementedError


def beside_stubs(task: Task, style: str):
    """The function of `task` as a student of that style wrote it, who has written no other task of the set."""
    name, _, own = task.name.partition(".")
    module = anew(styles(name)[style])
    for other in problem_set(name).tasks:
        if other is not task:
            setattr(module, other.name.partition(".")[2], unwritten)
    return getattr(module, own)


@pytest.mark.parametrize(
    ("task", "style"),
    [
        pytest.param(task, style, marks=group(task), id=f"{task.name}-{style}")
        for task in LENDING
        for style in styles(task.name.partition(".")[0])
    ],
)
def test_a_right_solution_beside_unwritten_ones_keeps_its_points(task, style):
    student = local(beside_stubs(task, style))
    for criterion in task.criteria:
        trial = attempt(nothing_forbidden(task), criterion, student, SECRET, visible=False)
        assert not trial.failed, (criterion.name, trial.says)
