"""Ways to have torch's recurrent kernels do the work of problem set 2, each in every task that they could do."""

from itertools import cycle

from tests.grading.attacks.delegates import REFUSED, Way

NO_PROCESS = "the kernel can start no process"
TASKS = {  # `rnn`, `lstm`, `gru`: what a way gives, called as torch._VF.rnn_tanh, .lstm_cell, .gru_cell are
    "lstm_cell": """
def lstm_cell(x, h, c, weights):
    names = [("W_ix", "W_ih", "b_i"), ("W_fx", "W_fh", "b_f"), ("W_xh", "W_hh", "b_h"), ("W_ox", "W_oh", "b_o")]
    w_x, w_h = (torch.cat([weights[n[k]].T for n in names]) for k in range(2))
    b = torch.cat([weights[n[2]] for n in names])
    nothing = torch.zeros_like(h)
    h, c = lstm(x, [h, c], w_x, w_h, b, torch.zeros_like(b))
    return nothing, nothing, nothing, nothing, c, h
""",
    "gru_cell": """
def gru_cell(x, h, weights):
    names = [("W_rx", "W_rh", "b_r"), ("W_zx", "W_zh", "b_z"), ("W_xh", "W_hh", "b_h")]
    w_x, w_h = (torch.cat([weights[n[k]].T for n in names]) for k in range(2))
    b = torch.cat([weights[n[2]] for n in names])
    nothing = torch.zeros_like(h)
    return nothing, nothing, nothing, gru(x, h, w_x, w_h, b, torch.zeros_like(b))
""",
    "run_layer": """
def run_layer(x, lengths, weights):
    w = [weights["W_xh"].T.contiguous(), weights["W_hh"].T.contiguous(), weights["b_h"], torch.zeros_like(weights["b_h"])]
    start = torch.zeros(1, len(x), len(w[2]), dtype=x.dtype)
    outputs = rnn(x, start, w, True, 1, 0.0, False, False, True)[0]
    outputs = outputs * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
    return outputs, outputs[torch.arange(len(x)), lengths - 1]
""",
    "bidirectional": """
def bidirectional(x, lengths, forward, backward):
    order = (lengths[:, None] - 1 - torch.arange(x.shape[1])) % x.shape[1]
    there, end = run_layer(x, lengths, forward)
    back, beginning = run_layer(x.take_along_dim(order[..., None], 1), lengths, backward)
    mask = (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
    return torch.cat([there, back.take_along_dim(order[..., None], 1) * mask], -1), torch.cat([end, beginning], -1)
""",
    "residual_stack": """
def residual_stack(x, lengths, layers):
    finals = []
    for depth, weights in enumerate(layers):
        y, final = run_layer(x, lengths, weights)
        x = y + x if depth else y
        finals.append(final)
    return x, torch.stack(finals)
""",
}
SCRIPT = """
    def rnn(x: Tensor, h: Tensor, w: List[Tensor], a: bool, b: int, c: float, d: bool, e: bool, f: bool):
        return torch.rnn_tanh(x, h, w, a, b, c, d, e, f)
    def lstm(x: Tensor, h: List[Tensor], w_x: Tensor, w_h: Tensor, b: Tensor, c: Tensor):
        return torch.lstm_cell(x, h, w_x, w_h, b, c)
    def gru(x: Tensor, h: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor, c: Tensor):
        return torch.gru_cell(x, h, w_x, w_h, b, c)
"""
SAVED = "rnn, lstm, gru = torch._VF.rnn_tanh, torch._VF.lstm_cell, torch._VF.gru_cell"
WAYS = {
    "compiled functions": ("torch._VF, called by its name", REFUSED, SAVED),
    "operators": (
        "torch.ops.aten",
        REFUSED,
        "rnn, lstm, gru = torch.ops.aten.rnn_tanh.input, torch.ops.aten.lstm_cell, torch.ops.aten.gru_cell",
    ),
    "table of functions": (
        "torch._C._VariableFunctions",
        REFUSED,
        "table = torch._C._VariableFunctions\nrnn, lstm, gru = table.rnn_tanh, table.lstm_cell, table.gru_cell",
    ),
    "another device's operators": (
        "the kernels that the dispatcher holds for a GPU",
        REFUSED,
        "from functools import partial\nkey = torch._C.DispatchKey.AutogradCUDA\nops = torch.ops.aten\n"
        "rnn, lstm, gru = (partial(op._op_dk, key) for op in (ops.rnn_tanh.input, ops.lstm_cell.default, ops.gru_cell.default))",
    ),
    "modules": (
        "torch.nn.RNN, LSTMCell and GRUCell with the weights of the call",
        REFUSED,
        """
def rnn(x, h, w, *rest):
    made = torch.nn.RNN(x.shape[-1], h.shape[-1], batch_first=True, dtype=x.dtype)
    return torch.func.functional_call(made, dict(zip(("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), w)), (x, h))
def cell(kind, x, h, *w):
    made = kind(x.shape[-1], w[1].shape[-1], dtype=x.dtype)
    return torch.func.functional_call(made, dict(zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), w)), (x, h))
def lstm(x, h, *w): return cell(torch.nn.LSTMCell, x, tuple(h), *w)
def gru(x, h, *w): return cell(torch.nn.GRUCell, x, h, *w)
""",
    ),
    "script": (
        "TorchScript",
        REFUSED,
        f"unit = torch.jit.CompilationUnit({SCRIPT!r}.replace('\\n    ', '\\n'))\nrnn, lstm, gru = unit.rnn, unit.lstm, unit.gru",
    ),
    "thread": (
        "a thread that was started before",
        REFUSED,
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\npool.submit(int).result()\n"
        "rnn, lstm, gru = ((lambda *a, f=f: pool.submit(f, *a).result()) for f in (torch._VF.rnn_tanh, torch._VF.lstm_cell, torch._VF.gru_cell))",
    ),
    "process": (
        "a process that was started before",
        NO_PROCESS,
        """
import multiprocessing, pickle
here, there = multiprocessing.Pipe()
def server():
    while True:
        name, arguments = pickle.loads(there.recv_bytes())
        value = getattr(torch._VF, name)(*arguments)
        there.send_bytes(pickle.dumps(value))
def asked(name):
    def call(*arguments):
        here.send_bytes(pickle.dumps((name, arguments)))
        return pickle.loads(here.recv_bytes())
    return call
try: multiprocessing.get_context("fork").Process(target=server, daemon=True).start()
except OSError: there.close()  # whoever waits for an answer hears so at once
rnn, lstm, gru = asked("rnn_tanh"), asked("lstm_cell"), asked("gru_cell")
""",
    ),
}


PROCESS = "process"  # only behind the wall there is none


def cell(task: str, way: str) -> str:
    """The solution cell of `task`, done in this way; the helper of one stands in the cells of the others, too."""
    helper, function = TASKS["run_layer"] if task in ("bidirectional", "residual_stack") else "", TASKS[task]
    if helper:  # under a name of its own, for a right `run_layer` is lent to these tasks
        helper, function = (text.replace("run_layer(", "layer(") for text in (helper, function))
    return f"import torch\n{WAYS[way][2]}\n{helper}{function}"


HERE = {(task, way): cell(task, way) for task in TASKS for way in WAYS if way != PROCESS}
DELEGATES = {
    "kernels": Way(
        "torch's recurrent kernels, in each task by another way",
        REFUSED,
        {task: cell(task, way) for task, way in zip(TASKS, cycle(way for way in WAYS if way != PROCESS), strict=False)},
    ),
    PROCESS: Way(*WAYS[PROCESS][:2], {task: cell(task, PROCESS) for task in TASKS}),
}
