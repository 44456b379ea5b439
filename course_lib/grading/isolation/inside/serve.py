"""Runs in the student's kernel while a test runs in the grader's: answers requests until the grader hangs up."""

import ctypes
import platform
import socket
import sys
from pathlib import Path

from course_lib.grading.boundary.messages import Closed, receive, send
from course_lib.grading.boundary.student_side import Objects, get_ready
from course_lib.grading.boundary.timelimit import imports
from course_lib.grading.stand_in import StandIns

LARGEST = 1 << 30  # bytes of a request
SECCOMP = {"x86_64": 317, "aarch64": 277}  # the number of the system call
HERE = Path(__file__).parent
NOT_RUN = "(commands are not run while graded)"


def prepare(walled: bool) -> None:
    """Before the student's first cell: absent modules can be imported, `exit()` in a cell ends nothing.

    In a sandbox this kernel starts no other process from now on; shell commands in a cell say so and are passed over.
    """
    from IPython import get_ipython

    shell = get_ipython()
    sys.meta_path.append(StandIns())
    shell.ask_exit = lambda: None
    filtered = HERE / "no_processes.bpf"
    if walled and filtered.exists():
        shell.system = shell.system_raw = shell.system_piped = lambda command: print(NOT_RUN)
        shell.getoutput = lambda command, **_: print(NOT_RUN) or []
        load(filtered.read_bytes())


def load(program: bytes) -> None:
    """Load a filter of system calls for all threads of this process; raises OSError. It cannot be taken back."""
    lines = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):  # struct sock_fprog
        _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_void_p)]

    made = Program(len(program) // 8, ctypes.addressof(lines))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(SECCOMP[platform.machine()], 1, 1, ctypes.byref(made)) != 0:  # SET_MODE_FILTER, FILTER_FLAG_TSYNC
        raise OSError(ctypes.get_errno(), "this process cannot load a filter of system calls")


def serve(path: str, names: dict) -> None:
    """Answer from `names` over the grader's socket at `path`; an interrupt ends what runs, and is the answer."""
    objects = Objects(names)
    get_ready()
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        while True:
            try:
                request = receive(line, LARGEST)
            except Closed:
                return
            try:
                with imports(lambda seconds: send(line, {"imports": seconds})):  # the grader does not count them
                    answer = objects.answer(request)
            except KeyboardInterrupt:
                answer = {"error": ["KeyboardInterrupt", ""]}
            send(line, answer)
