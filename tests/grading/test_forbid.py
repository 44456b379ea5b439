"""What may not do a task's work is refused inside the block, and exactly as it was after it."""

import json
import math
import signal
import sys
import types

import pytest
import torch

from course_lib.grading.boundary.forbid import Delegated, copies, forbid, resolve_owner
from course_lib.grading.boundary.proxy import local
from course_lib.problem_sets.ps3 import sequence_loss

NAMES = (
    "json.loads",
    "torch.nn.LSTM.forward",
    "torch.Tensor.matmul",
    "collections.Counter.fromkeys",
    "pathlib.Path.cwd",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_refused_in_the_block_and_untouched_after_it(name):
    owner, attribute = resolve_owner(name), name.rpartition(".")[2]
    before = dict(vars(owner))
    with pytest.raises(KeyError), forbid((name,)):
        with pytest.raises(Delegated, match=f"{name} may not do this task's work: write it yourself"):
            getattr(owner, attribute)()
        raise KeyError
    assert dict(vars(owner)) == before


def test_modules_that_use_it_are_refused_too():
    layer = torch.nn.LSTM(2, 2)
    with forbid(("torch.nn.LSTM.forward",)), pytest.raises(Delegated):
        layer(torch.zeros(1, 1, 2))
    assert layer(torch.zeros(1, 1, 2))[0].shape == (1, 1, 2)


SLOW = "import signal\nleft = signal.getitimer(signal.ITIMER_REAL)[0]\ndef work(): pass\n"  # of a call's time limit


def test_a_forbidden_module_is_imported_outside_the_time_of_any_call(tmp_path, monkeypatch):
    """However long it takes: while it is imported no limit runs, and then the call finds it there."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_to_import", raising=False)
    (tmp_path / "slow_to_import.py").write_text(SLOW)
    student = local(lambda: signal.getitimer(signal.ITIMER_REAL)[0], seconds=200)
    student.forbid(("slow_to_import.work",))
    assert sys.modules["slow_to_import"].left == 0
    assert 0 < student() <= 200


LOSSES = {  # of logits (1, 3, 2) or (1, 2) and targets
    "by name": lambda z, y: torch.nn.functional.cross_entropy(z.mT, y),
    "as a module": lambda z, y: torch.nn.CrossEntropyLoss()(z.mT, y),
    "negative log-likelihood": lambda z, y: torch.nn.functional.nll_loss(z[:, 0], y[:, 0]),
    "compiled": lambda z, y: torch._C._nn.cross_entropy_loss(z[:, 0], y[:, 0]),
    "an operator": lambda z, y: torch.ops.aten.nll_loss(z[:, 0], y[:, 0]),
    "an operator that was saved": lambda z, y, saved=torch.ops.aten.cross_entropy_loss.default: saved(z.mT, y),
}


@pytest.mark.parametrize("way", LOSSES)
def test_a_loss_of_torch_is_refused_by_whatever_name(way):
    logits, target = torch.zeros(1, 3, 2), torch.zeros(1, 3, dtype=torch.long)
    with forbid(sequence_loss.TASK.forbidden), pytest.raises(Delegated, match="write it yourself"):
        LOSSES[way](logits, target)
    assert LOSSES[way](logits, target).isfinite()


def test_blocks_nest_and_other_names_stay():
    with forbid(("json.loads",)):
        with forbid(("json.dumps", "json.loads")), pytest.raises(Delegated):
            json.dumps(1)
        assert json.dumps(1) == "1"
        with pytest.raises(Delegated):
            json.loads("1")
    assert json.loads("1") == 1


def test_a_package_that_is_not_installed_is_passed_over():
    with forbid(("no_such_package.module.function", "no_such_package.function")):
        assert resolve_owner("no_such_package.function") is None


@pytest.mark.parametrize("name", ["json.no_such_function", "torch.nn.NoSuchLayer.forward"])
def test_a_name_that_its_module_lacks_is_an_error_in_the_task(name):
    before = dict(vars(json))
    with pytest.raises(AttributeError), forbid(("json.loads", name)):
        pass
    assert dict(vars(json)) == before


def test_owners_are_modules_or_classes():
    assert resolve_owner("math.sqrt") is math and resolve_owner("torch.nn.LSTM.forward") is torch.nn.LSTM
    assert isinstance(resolve_owner("torch.nn.functional.softmax"), types.ModuleType)


def test_of_an_inner_operator_no_copy_of_another_is_refused():
    from torch._decomp import decompositions

    names = {function.__qualname__ for function, _ in copies(decompositions, ("_softmax",))}
    assert names and all("softmax" in name for name in names)
