"""What a task lends stands alone, and is enough: with it a right solution needs nothing else that its author wrote."""

import ast
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
import torch

from course_lib.grading.boundary.proxy import local
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.cells import grade_id
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Task
from course_lib.grading.trial import attempt, source

from .each_task import each, group, nothing_forbidden
from .measure import secrets
from .measure.honest import PROBLEM_SETS, anew, styles
from .measure.mutants import reached
from .sample_class import SOLUTIONS

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


def keeps_its_points_beside_stubs(task: Task, module: ModuleType) -> None:
    """Assert that the function of `task` in `module` earns everything where no other task of the set is written."""
    problem, name, _ = own_names(task)
    module = anew(module)
    vars(module).update({own_names(other)[1]: unwritten for other in problem_set(problem).tasks if other is not task})
    student = local(getattr(module, name))
    for criterion in task.criteria:
        trial = attempt(nothing_forbidden(task), criterion, student, SECRET, visible=False)
        assert not trial.failed, (criterion.name, trial.says)


@pytest.mark.parametrize(
    ("task", "style"),
    [
        pytest.param(task, style, marks=group(task), id=f"{task.name}-{style}")
        for task in LENDING
        for style in styles(task.name.partition(".")[0])
    ],
)
def test_a_right_solution_beside_unwritten_ones_keeps_its_points(task, style):
    keeps_its_points_beside_stubs(task, styles(own_names(task)[0])[style])


def own_names(task: Task) -> tuple[str, str, tuple[str, ...]]:
    """The problem set, the function's name, and what is lent to it."""
    problem, _, name = task.name.partition(".")
    return problem, name, tuple(function.__name__ for function in task.lent)


def reusing(problem: str) -> ModuleType | None:
    """Exercises of the problem set solved with as many of the earlier ones as can be."""
    name = f"{PROBLEM_SETS}.{problem}.reusing"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


@each(task for task in TASKS.values() if hasattr(reusing(own_names(task)[0]), own_names(task)[1]))
def test_who_uses_all_earlier_exercises_keeps_the_points_beside_unwritten_ones(task):
    keeps_its_points_beside_stubs(task, reusing(own_names(task)[0]))


@each(TASKS.values())
def test_no_right_solution_needs_a_function_of_another_exercise_that_is_not_lent(task):
    problem, name, lent = own_names(task)
    others = {own_names(other)[1] for other in problem_set(problem).tasks} - {name}
    for style, module in styles(problem).items():
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        assert not reached(tree, name, lent) & others, style


@each(TASKS.values())
def test_the_course_s_own_solution_needs_no_other_cell_but_what_is_lent(task):
    problem, name, lent = own_names(task)
    notebook = json.loads((SOLUTIONS / problem / f"{problem}.ipynb").read_text(encoding="utf-8"))
    sources = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell["source"] for cell in notebook["cells"]}
    written = {grade_id(each): ast.parse("".join(sources[grade_id(each)])).body for each in problem_set(problem).tasks}
    own = {node.name for node in written[grade_id(task)] if hasattr(node, "name")}
    assert name in own
    assert reached(ast.Module([node for body in written.values() for node in body], []), name, lent) <= own
