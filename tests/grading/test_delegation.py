"""Ways to have a library do the work are refused in every task; and how far forbidden names of torch reach."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from course_lib.grading.boundary.student_side import Objects
from tests.problem_sets.ps2 import delegation

from .attacks.delegates import errors, refused
from .delegation_table import HERE
from .each_task import group

CASES = [
    pytest.param(task, cell, way, marks=group(task), id=f"{task.name}-{way}") for (task, way), cell in HERE.items()
]


@pytest.mark.parametrize(("task", "cell", "way"), CASES)
def test_a_library_is_refused_in_every_task_that_it_could_do(task, cell, way):
    """In this process; behind the wall the same code refuses, which test_pipeline.py shows for every task."""
    assert refused(task, task.criteria[0], cell)
    assert not errors(replace(task, forbidden=()), task.criteria[0], cell), "it would do no work anyway"


@pytest.mark.parametrize("way", delegation.WAYS)
def test_each_way_would_do_the_work_if_it_were_not_refused(way):
    """In this process, with nothing forbidden: else that a way earns nothing would say nothing."""
    import torch

    names: dict = {}
    exec(f"import torch\n{delegation.WAYS[way][2]}", names)
    for task in ("lstm_cell", "run_layer"):
        exec(delegation.TASKS[task], names)
    torch.manual_seed(0)
    x, h, c = torch.randn(2, 3, 4).double(), torch.randn(2, 5).double(), torch.randn(2, 5).double()
    weights = {f"W_{g}x": torch.randn(4, 5).double() for g in "fioh"} | {
        f"b_{g}": torch.randn(5).double() for g in "fioh"
    }
    weights |= {f"W_{g}h": torch.randn(5, 5).double() for g in "fioh"}
    weights["W_xh"] = weights.pop("W_hx")
    f, i, o = (torch.sigmoid(x[:, 0] @ weights[f"W_{g}x"] + h @ weights[f"W_{g}h"] + weights[f"b_{g}"]) for g in "fio")
    memory = f * c + i * torch.tanh(x[:, 0] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
    right = memory, o * memory.tanh()
    assert all(map(torch.allclose, names["lstm_cell"](x[:, 0], h, c, weights)[4:], right))
    lengths, state, outputs = torch.tensor([3, 2]), torch.zeros_like(h), []
    for t, token in enumerate(x.unbind(1)):
        read = (t < lengths)[:, None]
        new = torch.tanh(token @ weights["W_xh"] + state @ weights["W_hh"] + weights["b_h"])
        state = torch.where(read, new, state)
        outputs.append(new * read)
    right = torch.stack(outputs, 1), state
    assert all(map(torch.allclose, names["run_layer"](x, lengths, weights), right))
    for child in multiprocessing.active_children():
        child.kill()


TORCH = ("torch.nn.LSTM.forward", "torch.lstm", "torch._VF.lstm", "torch.lstm_cell")
CALL = "(x, [h, h], w, True, 1, 0.0, False, False, False)"
SCRIPT = """
def lstm(x: Tensor, h: List[Tensor], w: List[Tensor], a: bool, b: int, c: float, d: bool, e: bool, f: bool):
    return torch.lstm(x, h, w, a, b, c, d, e, f)
"""
DEVICE = "torch._C.DispatchKey.AutogradCUDA"
WAYS = {  # how a student calls nn.LSTM; while its names are forbidden, all are refused
    "directly": "torch.nn.LSTM(2, 2)(x)",
    "by getattr": "getattr(torch.nn, 'LS' + 'TM')(2, 2)(x)",
    "by a subclass": "type('Mine', (torch.nn.LSTM,), {})(2, 2)(x)",
    "by a layer that was made before": "layer(x)",
    "by the compiled function": f"torch._VF.lstm{CALL}",
    "by a saved original": f"saved{CALL}",
    "by the operator": f"torch.ops.aten.lstm.input{CALL}",
    "by the table of functions": f"torch._C._VariableFunctions.lstm{CALL}",
    "by the operator, for another device": f"torch.ops.aten.lstm.input._op_dk({DEVICE}, {CALL[1:]}",
    "by a script": f"script{CALL}",
    "in a thread": f"pool.submit(saved, {CALL[1:]}.result()",
    "without gradients": f"torch.inference_mode()(saved){CALL}",
    "by torch's copy in Python": (
        "torch._decomp.decompositions.lstm_impl(x, [h, h], w, True, 1, 0.0, False, False, False)"
    ),
    "by the table of copies": f"torch._decomp.decomposition_table[torch.ops.aten.lstm.input]{CALL}",
    "by a saved part of the copy": "copy(x, [h[0], h[0]], w, True)",
    "by the cell": "torch.nn.LSTMCell(2, 2)(x[0])",
    "by the cell's operator": "torch.ops.aten.lstm_cell(x[0], [h[0], h[0]], *w)",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_forbidden_library_is_refused_by_every_name(way):
    import torch

    h, w = torch.zeros(1, 1, 2), [torch.zeros(8, 2), torch.zeros(8, 2), torch.zeros(8), torch.zeros(8)]
    script = torch.jit.CompilationUnit(SCRIPT).lstm
    with ThreadPoolExecutor(1) as pool:
        names = {"torch": torch, "x": torch.zeros(3, 1, 2), "h": h, "w": w, "pool": pool, "script": script}
        names["copy"] = torch._decomp.decompositions.one_layer_lstm
        names |= {"saved": torch._VF.lstm, "layer": torch.nn.LSTM(2, 2)}
        objects = Objects({})
        target = objects.hold(lambda: eval(WAYS[way], names) and None)
        call = {"target": {"handle": target}, "arguments": {"tuple": []}, "keywords": {"dict": []}}
        if "another device" not in way:
            assert objects.answer({"do": "call", "fields": call}) == {"value": None}
        objects.answer({"do": "forbid", "fields": {"names": {"tuple": list(TORCH)}}})
        refused = objects.answer({"do": "call", "fields": call})["error"]
        assert way == "by a script" or "may not do this task's work" in refused[1]  # TorchScript keeps the words
