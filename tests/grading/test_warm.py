"""Copies of a warm process: walled as kernels that are started, and nothing of one reaches another."""

import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from course_lib.grading.isolation import sandbox, visible_course, warm
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import Sandbox
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.isolation.warm import Warm, libraries

pytestmark = pytest.mark.xdist_group("isolation-kernel")
ROOT = Path(__file__).resolve().parents[2]

LOOK = r"""
import json, os, re, sys
def read(path):
    with open(path) as file: return file.read()
def opened():
    for number in sorted(os.listdir("/proc/self/fd"), key=int):
        try: yield re.sub(r"\d+", "", os.readlink("/proc/self/fd/" + number))
        except FileNotFoundError: pass  # by which the folder was read
status = dict(line.split(":", 1) for line in read("/proc/self/status").splitlines())
kept = [name for name in status if re.match("[UG]id|Groups|Cap|NoNewPrivs|Secc|Umask|Sig[BI]|CoreDump|THP", name)]
print(json.dumps({
    "rights": {name: status[name] for name in kept},
    "limits": read("/proc/self/limits"),
    "users": read("/proc/self/uid_map") + read("/proc/self/gid_map"),
    "mounts": [line.split()[3:] for line in read("/proc/self/mountinfo").splitlines()],
    "groups": read("/proc/self/cgroup"),
    "open": sorted(set(opened())),
    "environment": dict(os.environ), "path": sys.path, "folder": os.getcwd(),
    "shared": [line.split()[1:] for line in read("/proc/self/maps").splitlines() if line.split()[1][3] == "s"],
    "badness": read("/proc/self/oom_score_adj"),
}))
"""
SPACES = """
import json, os
print(json.dumps({name: os.readlink("/proc/self/ns/" + name) for name in os.listdir("/proc/self/ns")}))
"""
DRAWN = """
import json, multiprocessing, os, random, secrets, tempfile, uuid
import numpy, sympy.core.random, torch
print(json.dumps([
    random.random(), random.SystemRandom().random(), sympy.core.random.rng.random(), numpy.random.random(),
    numpy.random.default_rng().random(), torch.rand(2, dtype=torch.float64).sum().item(), torch.initial_seed(),
    secrets.token_hex(8), uuid.uuid4().hex, tempfile.mktemp(), multiprocessing.current_process().authkey.hex(),
    open("/sockets/kernel.json").read(), get_ipython().kernel.ident, get_ipython().kernel.session.session,
]))
"""
LEAVES = """
import builtins, os, sys, torch
for folder in "/tmp", "/dev/shm", os.environ["HOME"]:
    open(folder + "/left", "w").write("of the one before")
os.environ["LEFT"] = torch.left = sys.left = builtins.left = "of the one before"
torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
del torch.nn.Linear
"""
FINDS = """
import builtins, os, sys, torch
print([folder for folder in ("/tmp", "/dev/shm", os.environ["HOME"]) if "left" in os.listdir(folder)],
    "LEFT" in os.environ, [hasattr(each, "left") for each in (torch, sys, builtins)], torch.get_default_dtype(),
    hasattr(torch.nn, "Linear"))
"""
REACHES = r"""
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
reached = []
for pid in others:
    for name, how in ("mem", "r+b"), ("mem", "rb"), ("environ", "rb"), ("maps", "rb"), ("auxv", "rb"):
        try: reached.append((pid, name, len(open(f"/proc/{pid}/{name}", how).read(1))))
        except OSError: pass
    opened = (f"{folder}/{n}" for n in range(9) for folder in ("fd", f"task/{pid}/fd"))
    for name in "root", "cwd", "exe", *opened:
        try: reached.append((pid, name, os.readlink(f"/proc/{pid}/{name}")))
        except OSError: pass
        try: reached.append((pid, name, os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_NONBLOCK)))
        except OSError: pass
    if libc.ptrace(16, pid, 0, 0) == 0: reached.append((pid, "ptrace"))
print(os.getppid(), len(others), reached)
print(os.getsid(0) == os.getpgid(0) == os.getpid())
"""
MODULES = """
import os, sys
files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
print(len(files), [name for name, file in files.items() if os.path.isabs(file or '') and not os.path.exists(file)])
"""


@pytest.fixture(scope="module")
def library():
    """What kernels see of the course."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        visible_course.build(Path(folder))
        yield Path(folder)


@pytest.fixture(scope="module")
def process(library):
    """A warm process that has torch."""
    made = Warm(Sandbox(Limits(), library, library, library), ["torch"])
    yield made
    made.close()


def printed(student: StudentKernel, source: str) -> str:
    run, said = student.run(source)
    assert (run.status, said) == ("ok", None), run.outputs
    return "".join(output.get("text", "") for output in run.outputs).strip()


def test_a_copy_has_the_walls_the_rights_and_the_open_files_of_a_kernel_that_is_started(library, process):
    found, spaces = {}, {}
    for name, of in ("copied", process), ("started", None):
        with StudentKernel(Limits(), library, warm=of) as student:
            found[name], spaces[name] = json.loads(printed(student, LOOK)), json.loads(printed(student, SPACES))
            assert (len(student.kernel.pids) == 2) == (name == "copied")
            folder = str(student.kernel.folder)
            found[name]["mounts"] = [[part.replace(folder, "") for part in line] for line in found[name]["mounts"]]
    assert found["copied"] == found["started"]
    ours = {name: os.readlink(f"/proc/self/ns/{name}") for name in spaces["copied"]}
    assert {name for name, space in spaces["copied"].items() if space == ours[name]} == {"time", "time_for_children"}
    assert set(found["copied"]["open"]) <= {"/dev/null", *(f"{kind}:[]" for kind in ("pipe", "socket")), *ANONYMOUS}
    assert not [line for line in found["copied"]["shared"] if "w" in line[0]]


ANONYMOUS = ("anon_inode:[eventfd]", "anon_inode:[eventpoll]")


def test_copies_draw_other_random_numbers_and_have_other_keys(library, process):
    with StudentKernel(Limits(), library, warm=process) as one, StudentKernel(Limits(), library, warm=process) as other:
        drawn = [json.loads(printed(student, DRAWN)) for student in (one, other)]
    assert not [pair for pair in zip(*drawn, strict=True) if pair[0] == pair[1]]


def test_nothing_that_a_copy_leaves_is_there_for_another(library, process):
    with StudentKernel(Limits(), library, warm=process) as beside:
        with StudentKernel(Limits(), library, warm=process) as before:
            printed(before, LEAVES)
            assert "'/tmp', '/dev/shm'" in printed(before, FINDS)
            clean = "[] False [False, False, False] torch.float32 True"
            assert printed(beside, FINDS) == clean
        with StudentKernel(Limits(), library, warm=process) as after:
            assert printed(after, FINDS) == clean


def test_a_copy_reaches_no_other_process_and_sees_no_parent(library, process):
    with StudentKernel(Limits(), library, warm=process) as student:
        seen, alone = printed(student, REACHES).splitlines()
    assert re.fullmatch(r"0 \d \[\]", seen) and alone == "True"


def test_a_copy_has_imported_nothing_that_is_not_in_its_sandbox(library, process):
    with StudentKernel(Limits(), library, warm=process) as student:
        count, missing = printed(student, MODULES).split(" ", 1)
    assert int(count) > 1000 and missing == "[]"


def test_a_copy_that_ends_takes_its_sandbox_with_it_and_comes_back_as_a_copy(library, process):
    with StudentKernel(Limits(), library, warm=process) as student:
        student.run("a = 1")
        pids = student.kernel.pids
        assert "it ended the notebook's kernel" in student.run("import os; os._exit(0)")[1]
        assert not any(map(alive, pids))
        assert printed(student, "print(a)") == "1" and len(student.kernel.pids) == 2
        pids = student.kernel.pids
    assert not any(map(alive, pids))


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def ends(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sandbox.Sandbox, "view", lambda *_: ["false"])


def is_not_let_in(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(warm, "NAMESPACES", (*warm.NAMESPACES[:-1], "time"))  # for the user's: this lets nobody in


def has_threads(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Warm, "_answer", lambda self: {"threads": 2, "pid": 1})


@pytest.mark.parametrize("trouble", [ends, is_not_let_in, has_threads])
def test_where_no_copy_can_be_made_kernels_are_started_and_one_line_says_so(
    library, tmp_path, monkeypatch, caplog, trouble
):
    trouble(tmp_path, monkeypatch)
    process = Warm(Sandbox(Limits(), library, library, library))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            with StudentKernel(Limits(), library, warm=process) as student:
                assert printed(student, "print('here')") == "here"
    process.close()
    assert [record.message[:46] for record in caplog.records] == ["Each student's kernel is started anew, which i"]


def test_what_is_imported_beforehand_is_what_locked_cells_import():
    assert libraries(["import torch.nn as nn", "from os import path\nimport numpy as np", "%magic", "import nltk"]) == [
        "numpy",
        "torch",
    ]
    assert libraries(["x = 'import torch'"]) == []


AS_SOMEBODY = """
import os, tempfile
from pathlib import Path
from course_lib.grading.isolation import visible_course
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import Sandbox
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.isolation.warm import Warm
with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    library = Path(folder)
    visible_course.build(library)
    process = Warm(Sandbox(Limits(), library, library, library))
    with StudentKernel(Limits(), library, warm=process) as student:
        run, _ = student.run("import os; print(os.getuid())")
        print(os.getuid(), len(student.kernel.pids), run.outputs[0]["text"])
    process.close()
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else; others run the whole suite as they are")
def test_somebody_who_is_not_root_gets_copies_too():
    """In a view of this machine in which everybody may read this Python."""
    needed = {sys.prefix, os.path.realpath(sys.base_prefix), str(ROOT)}
    closed = {str(parent) for path in needed for parent in Path(path).parents if not os.stat(parent).st_mode & 1}
    behind = sorted(path for path in needed if any(path.startswith(folder) for folder in closed))
    lines = ["kept=$(mktemp -d)"]
    for n, path in enumerate(behind):
        lines += [f"mkdir $kept/{n}", f"mount --bind {path} $kept/{n}"]
    lines += [f"mount -t tmpfs -o mode=755 tmpfs {folder}" for folder in sorted(closed)]
    lines += [f"mkdir -p {path} && mount --bind $kept/{n} {path}" for n, path in enumerate(behind)]
    view = ["unshare", "--mount", "sh", "-ec", "\n".join([*lines, 'exec "$@"']), "sh"]
    user = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", "--"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*view, *user, sys.executable, "-c", AS_SOMEBODY]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert ran.stdout.split() == ["1234", "2", "65534"], ran.stderr
