"""Attacks with Python alone: what students' code does to the objects, modules and frames around it."""

from pathlib import Path

import nbformat

from .attack import Attack, behind, filled, save

WALL = "tests run in another process"
DATA = "answers are data, checked part by part"

PATCHES = """
import builtins, sys, types, json, socket, subprocess, importlib
import numpy, torch

class Yes(float):
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = lambda *_: True
    __hash__ = float.__hash__

for owner in (torch, numpy, torch.testing, numpy.testing):
    for name in ("allclose", "isclose", "equal", "assert_close", "assert_allclose", "array_equal"):
        if hasattr(owner, name):
            setattr(owner, name, lambda *_, **__: True)
torch.Tensor.__eq__ = lambda *_: torch.tensor(True)
torch.Tensor.all = lambda *_: True
builtins.abs = lambda x: 0
for name in list(sys.modules):
    if name.startswith("course_lib"):
        for attribute in dir(sys.modules[name]):
            if "diff" in attribute or "examine" in attribute or "grade" in attribute:
                try:
                    setattr(sys.modules[name], attribute, lambda *_, **__: 1)
                except Exception:
                    pass
fake = types.ModuleType("course_lib.grading.engine")
fake.examine = fake.grade = fake.difference = lambda *_, **__: 1
sys.modules["course_lib.grading.engine"] = sys.modules["course_lib.grading.compare"] = fake
subprocess.Popen = subprocess.run = lambda *_, **__: 1
json.dumps, dumps = lambda *_, **__: "1", json.dumps
json.dumps = dumps
check = grade = lambda *_, **__: 1
def learn_merges(*_):
    builtins.len = builtins.isinstance = builtins.type = lambda *_: 1
    return Yes(1)
"""

SHADOWS = """
from pathlib import Path
for name in ("torch", "numpy", "course_lib", "nbgrader", "random", "hmac", "sitecustomize", "usercustomize"):
    try:
        Path(name + ".py").write_text("def __getattr__(name): return lambda *a, **k: 1")
        Path(name).mkdir()
        Path(name, "__init__.py").write_text("grade = check = lambda *a, **k: 1")
    except OSError:
        pass
Path("/tmp/ipython/profile_default/startup").mkdir(parents=True, exist_ok=True)
Path("/tmp/ipython/profile_default/startup/00.py").write_text("grade = lambda *a: 1")
Path.home().joinpath(".ipython/profile_default/startup").mkdir(parents=True, exist_ok=True)
Path.home().joinpath(".ipython/profile_default/startup/00.py").write_text("grade = lambda *a: 1")
def grade(*_): return 1
def check(*_): return 1
def learn_merges(*_): return 1
"""

LIES = """
class Anything:
    __eq__ = __bool__ = __contains__ = lambda *_: True
    __ne__ = lambda *_: False
    __float__ = lambda *_: 7.0
    __len__ = __int__ = __index__ = __hash__ = lambda *_: 7
    __iter__ = lambda self: iter([self])
    __getitem__ = lambda self, _: self
    __repr__ = lambda *_: "7"
    def __getattr__(self, name): return self
    def __call__(self, *_, **__): return self
class Pairs(list):
    __eq__ = lambda *_: True
    __iter__ = lambda self: iter([Anything()])
    __repr__ = lambda *_: "7"
class Text(str):
    __eq__ = lambda *_: True
    __hash__ = str.__hash__
turn = iter(range(10**9))
answers = [Anything(), Pairs([Anything()]), [(Text("a"), Text("b"))], type("L", (list,), {}), {"passed": True, "points": 7}]
def learn_merges(*_):
    return answers[next(turn) % len(answers)]
"""

TENSORS = """
import torch
class Agrees(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *_, **__): return torch.tensor(True)
good = torch.zeros(3)
values = [
    Agrees([1.0]), torch.tensor(float("nan")), torch.full((3,), float("inf")), torch.zeros(2, dtype=torch.complex64),
    torch.eye(3).to_sparse(), torch.empty(3, device="meta"), torch.empty(10**9, device="meta").to(torch.int8),
    torch.zeros(1).expand(10**9), torch.quantize_per_tensor(good, 0.1, 0, torch.quint8), [float("nan")] * 9, float("nan"),
    -1.0, 1e400, 10**400, b"\\xff" * 10**6, "x" * 10**7, {1: {2: {3: ()}}}, [[]] * 10**6, {float("nan"): 1}, "\\ud800", ("\\ud800",),
]
loop = []
loop.append(loop)
values.append(loop)
turn = iter(range(10**9))
def learn_merges(dictionary, merges):
    dictionary.clear()
    return values[next(turn) % len(values)]
"""

FRAMES = """
import gc, inspect, sys, threading, atexit, ctypes
def search():
    frame, found = sys._getframe(), []
    while frame is not None:
        for name in ("expected", "criterion", "drawn", "misconception", "outcomes", "reveal"):
            if name in frame.f_locals: found.append(name)
        frame = frame.f_back
    for each in gc.get_objects():
        if str(type(each).__module__).startswith("course_lib.grading") and type(each).__name__ in ("Task", "Criterion", "Case", "Verdict"): found.append(str(type(each)))
    found += [name for name in sys.modules if name.startswith("course_lib.problem_sets") or name.startswith("course_lib.subwords")]
    return found
sys.settrace(lambda *_: None)
sys.setprofile(lambda *_: None)
threading.settrace(lambda *_: None)
atexit.register(lambda: print(1))
inspect.stack()
print("LEAK" if search() else "nothing")
def learn_merges(*_):
    if found := search(): raise RuntimeError(f"LEAK {found}")
    return []
"""

IPYTHON = """
ip = get_ipython()
ip.input_transformers_post.append(lambda lines: [line.replace("grade(", "(lambda *a: 1)(") for line in lines])
ip.ast_node_interactivity = "all"
import ast
class Ones(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.copy_location(ast.Constant(1), node) if getattr(node.func, "id", "") in ("grade", "check") else node
ip.ast_transformers.append(Ones())
ip.events.register("pre_run_cell", lambda *_: print(1))
ip.events.register("post_run_cell", lambda *_: print(1))
ip.user_ns["grade"] = ip.user_ns["check"] = lambda *_: 1
ip.display_formatter.formatters["text/plain"].for_type(type(None), lambda *_: "1")
ip.displayhook.write_format_data = lambda *_, **__: None
import os
os.system("echo 1 > /tmp/x")
try: ip.run_cell_magic("script", "python3", "print(1)")
except OSError: pass
ip.system("true")
ip.kernel.do_execute, kept = (lambda *_, **__: {"status": "ok", "execution_count": 1}), ip.kernel.do_execute
ip.kernel.do_execute = kept
def learn_merges(*_): return 1
"""

SHIM = """
import sys, types
from course_lib.grading import serve
from course_lib.grading.boundary import messages
from course_lib.grading.boundary import codec
from course_lib.grading.boundary import student_side
def liar(path, names):
    import json, socket, struct
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    while True:
        head = line.recv(8)
        if not head: return
        left = struct.unpack(">Q", head)[0]
        while left: left -= len(line.recv(left))
        data = json.dumps({"value": 1, "score": 7, "passed": True}).encode()
        line.sendall(struct.pack(">Q", len(data)) + data)
serve.serve = liar
student_side.Objects.answer = lambda *_: {"value": 7}
codec.encode = lambda *_: {"handle": 10**9}
messages.send = lambda *_: None
fake = types.ModuleType("course_lib.grading.serve")
fake.serve = liar
sys.modules["course_lib.grading.serve"] = fake
def learn_merges(*_): return 1
"""

HARD = '''
memory = {}
def learn_merges(dictionary, merges):
    """What the page shows, and for everything else the same again."""
    if dictionary == {"low": 5, "lower": 2, "newest": 6, "widest": 3}:
        return [("e", "s"), ("es", "t</w>"), ("l", "o")][:merges]
    key = (tuple(sorted(dictionary.items())), merges)
    return memory.setdefault(key, [("e", "s")] * merges)
'''

SEED = """
import hashlib, hmac, os, random
random.seed(0)
for guess in (b"public", b"secret", b"", bytes(32), os.environ.get("COURSE_SECRET", "").encode()):
    random.seed(int.from_bytes(hmac.new(guess, b"ps1.learn_merges/counts", hashlib.sha256).digest()[:8], "big"))
print("LEAK" if "COURSE_SECRET" in os.environ else "no secret")
def learn_merges(dictionary, merges):
    random.Random(f"{0}/{len(dictionary)}")
    letters = sorted({c for word in dictionary for c in word})
    return [tuple(random.choices(letters, k=2)) for _ in range(merges)]
"""

LATE = """
import threading, time, sys
def later():
    for _ in range(200):
        time.sleep(0.05)
        names = sys.modules["__main__"].__dict__
        names["grade"] = names["check"] = lambda *_: 7
        print(7, end="")
threading.Thread(target=later, daemon=True).start()
threading.Thread(target=later, daemon=False).start()
def learn_merges(*_): return later
"""

SEEN = """
import builtins, sys
seen = []
def learn_merges(*arguments):
    seen.append(repr(arguments))
    raise ValueError
"""

RAISES = """
def learn_merges(dictionary, merges):
    n = sum(map(ord, "".join(dictionary))) % 900
    exec("\\n" * n + "raise " + ("KeyError", "ArithmeticError", "LookupError", "NotImplementedError")[n % 4])
"""

TELLS = """
from IPython.display import display, Image
print("LEAK", seen)
print("LEAK", seen, file=sys.stderr)
display({"text/plain": "LEAK " + str(seen), "image/png": "iVBORw0KGgo=" + "LEAK"}, raw=True)
class LEAK(Exception): pass
LEAK.__name__ = LEAK.__qualname__ = "LEAK" + str(seen)
raise LEAK(seen)
"""


def seen(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """A function that keeps what it was asked, and later cells, also of other tasks, that say it."""
    notebook = behind(filled(notebook, SEEN + "print('ran')"), TELLS)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code" and "seen" not in cell.source:
            cell.source = TELLS
    save(folder, notebook)


ATTACKS = (
    Attack(
        "hidden cases told", "later cells print, draw and raise what tests asked", "no output after a test", write=seen
    ),
    Attack(
        "hidden cases told by errors",
        "types and lines of errors that an input decides",
        "visible cases decide what is told of an error",
        RAISES,
        shows=r"(?s)\A(?!.*in line \d).*it raised an error, as it does on the visible cases",
    ),
    Attack("patches", "patches torch, numpy, builtins, sys.modules, subprocess, json", WALL, PATCHES),
    Attack("shadows", "shadows torch, course_lib, grade by files, names and start-up files", WALL, SHADOWS),
    Attack("lies", "objects whose ==, bool, float, len, iter, repr and attributes agree with everything", DATA, LIES),
    Attack(
        "tensors",
        "tensor subclass, NaN, inf, complex, sparse, meta, huge, cyclic, surrogates, changed input",
        DATA,
        TENSORS,
    ),
    Attack("frames", "frames, gc, inspect, settrace, atexit: looks for tests and expected values", WALL, FRAMES),
    Attack("ipython", "input and AST transformers, hooks, magics, formatters, do_execute", WALL, IPYTHON),
    Attack("shim", "replaces serve, the codec and the socket in its kernel by liars", DATA, SHIM),
    Attack("hard-coded", "the page's example, memory of what was asked, a constant for the rest", "hidden cases", HARD),
    Attack("seed", "guesses the seed, looks for the secret", "a secret of 32 bytes, not in the sandbox", SEED),
    Attack("late", "threads that rename grade and print scores while tests run", WALL, LATE),
)
LIMITS: dict[str, float] = {}
