"""Attacks with too much: time, memory, processes, files, output."""

from pathlib import Path

import nbformat

from .attack import Attack, first, save

RESTART = "a new kernel replays the other cells"
SLOWER = "it was stopped after"  # on a busy machine pages cost more: the cell's limit is met before another one

PICTURE = """
from IPython.display import Image, display
display(Image(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(150_000), format="png"))
print("ran")
"""


def pictures(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """Sixty cells, each with as large a picture as a cell may have."""
    save(folder, first(notebook, *[PICTURE] * 60))


ATTACKS = (
    Attack("pictures", "a picture in each of sixty cells", "limit on all outputs", write=pictures),
    Attack(
        "endless cell", "a loop in a cell", f"cell limit; {RESTART}", "while True: pass", shows="it was stopped after"
    ),
    Attack(
        "endless call",
        "a loop in a call that no interrupt ends",
        f"call limit; {RESTART}",
        "def learn_merges(*_):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        shows="no answer within",
    ),
    Attack(
        "endless answer",
        "loops in __del__, __repr__, __eq__, __iter__, __getattribute__ of what it returns",
        "call limit",
        """
class Loops(list):
    def __del__(self):
        while True: pass
    __repr__ = __eq__ = __iter__ = __len__ = __del__
class Alone:
    def __getattribute__(self, name):
        while True: pass
    def __del__(self):
        while True: pass
turn = iter(range(10**9))
def learn_merges(*_): return Loops() if next(turn) % 2 else Alone()
""",
        shows="no answer within|it returned",
    ),
    Attack(
        "memory",
        "takes all memory, in a cell and in a call",
        "memory limit",
        """
print("ran", flush=True)
def learn_merges(*_):
    kept = []
    while True: kept.append(bytearray(b"x" * (64 << 20)))
learn_merges()
""",
        shows=rf"ended the notebook's kernel|MemoryError|{SLOWER}",
    ),
    Attack(
        "processes",
        "starts threads and processes until nothing can be started, and burns processor time",
        "limit on processes",
        """
import os, threading, time
born = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()
        born += 1
except RuntimeError: pass
try:
    while True:
        if os.fork() == 0:
            while True: pass
        born += 1
except OSError: print("born", born)
""",
        shows=rf"born \d+|ended the notebook's kernel|{SLOWER}",
    ),
    Attack(
        "disk",
        "fills every place that it can write to, with large and with countless files",
        "size of /tmp, home, /dev/shm; nothing else is writable",
        """
import os
total = 0
for place in ("/tmp", "/home/student", "/dev/shm", "/sockets", "/sockets/deep", "/line", "/library", "/var/tmp"):
    try: os.makedirs(place, exist_ok=True)
    except OSError: continue
    try:
        for n in range(100):
            with open(f"{place}/{n}", "wb") as file:
                for _ in range(64): total += file.write(bytes(1 << 20))
    except OSError: pass
print("LEAK" if total > (200 << 20) else "wrote", total >> 20)
""",
        shows=rf"wrote \d+|{SLOWER}",
    ),
    Attack(
        "output",
        "prints a gigabyte",
        "output limit",
        "line = 'x' * (1 << 20)\nfor _ in range(1000): print(line)",
        shows=f"printed more than|{SLOWER}|ended the notebook's kernel",
    ),
    Attack(
        "messages",
        "a flood of messages with large buffers",
        "output limit",
        """
kernel = get_ipython().kernel
for _ in range(60):
    kernel.session.send(kernel.iopub_socket, "comm_msg", {"comm_id": "x", "data": {}}, parent=kernel.get_parent(), buffers=[bytes(7 << 20)])
for _ in range(20000):
    kernel.session.send(kernel.iopub_socket, "display_data", {"data": {}, "metadata": {}}, parent=kernel.get_parent())
""",
        shows=f"ran|printed more than|{SLOWER}|ended the notebook's kernel",
    ),
    Attack(
        "exits",
        "os._exit in a call",
        f"a new kernel; {RESTART}",
        "import os\ndef learn_merges(*_): os._exit(0)",
        shows="kernel ended",
    ),
    Attack(
        "kills",
        "kills itself in a cell",
        RESTART,
        "import os\nos.kill(os.getpid(), 9)",
        shows="ended the notebook's kernel",
    ),
    Attack(
        "sys exit",
        "sys.exit, quit and exceptions that are no Exception",
        RESTART,
        "import sys\ndef learn_merges(*_): raise BaseException('x')\ntry: sys.exit()\nexcept SystemExit: pass",
    ),
    Attack(
        "crash",
        "crashes the interpreter: null pointers, deep recursion",
        RESTART,
        "import ctypes, sys\ndef learn_merges(*_): ctypes.string_at(0)\nsys.setrecursionlimit(10**9)\ndef deep(): return deep()\ndeep()",
        shows=rf"ended the notebook's kernel|RecursionError|{SLOWER}",
    ),
)
LIMITS = {
    **{"call_seconds": 1, "cell_seconds": 4, "notebook_seconds": 20},
    **{"memory_mb": 1024, "processes": 64, "files_mb": 32, "output_kb": 256, "outputs_mb": 1},
}
