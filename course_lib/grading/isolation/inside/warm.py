"""A process that has imported what students' kernels need: copies of it step into sandboxes, and are the kernels there.

It is ours alone: it runs no line of a student's, and reads nothing that one wrote. The grader's process asks for a copy
by a message with open files: the namespaces of a sandbox in which nothing runs yet, and its control group. What
bubblewrap does to a program that it starts, the copy does to itself (`step_in`), before the first line of a student's.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import multiprocessing
import os
import random
import resource
import socket
import sys

from course_lib.grading import serve

KERNEL = "ipykernel_launcher"
NO_NEW_PRIVS, DROP_BOUND, DUMPABLE = 38, 24, 4  # of prctl
CAPABILITIES = 0x20080522  # the version of capset's tables
LIBC = ctypes.CDLL(None, use_errno=True)


def main(modules: list[str]) -> None:
    """Import `modules`, then make a copy for each message on standard input, until it ends."""
    del sys.path[0]  # the working folder, as in a kernel that is started
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    generators = [each for each in gc.get_objects() if isinstance(each, random.Random)]
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=0) as line:
        line.send(json.dumps({"threads": len(os.listdir("/proc/self/task")), "pid": os.getpid()}).encode())
        while True:
            message, files, _, _ = socket.recv_fds(line, 1 << 16, 32)
            if not message:
                return
            reap()
            if os.fork() == 0:
                make_copy(json.loads(message), files, generators, line)
            for file in files:
                os.close(file)


def reap() -> None:
    """Let those go that have waited to the end."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def make_copy(asked: dict, files: list[int], generators: list[random.Random], line: socket.socket) -> None:
    """In a process of its own, which stays outside of the sandbox: make the copy, say its number, end when it ends.

    The first of the open files keeps bubblewrap's process in the sandbox: it is closed when the copy has ended.
    """
    try:
        held, *given = files
        spaces = dict(zip(asked["spaces"], given, strict=False))
        groups = given[len(spaces) :]
        checked(LIBC.setns(spaces["pid"], 0))  # for what it starts from now on
        hears, says = os.pipe()
        copy = os.fork()
        if copy == 0:
            try:
                line.detach()  # it is closed with the others
                step_in(spaces, groups, asked["owner"], asked["limits"], says)
                become_kernel(asked["arguments"], generators)
            finally:
                os._exit(1)
        for file in (*given, says):
            os.close(file)
        if os.read(hears, 1) != b".":
            raise OSError("a copy could not step into its sandbox")
        line.send(json.dumps({"pid": copy}).encode())
        line.close()
        os.waitpid(copy, 0)
    except Exception as error:  # noqa: BLE001  whatever it is, the grader starts a kernel then
        line.send(json.dumps({"error": str(error)}).encode())
    finally:
        os._exit(0)


def step_in(spaces: dict[str, int], groups: list[int], owner: int | None, limits: dict[str, int], says: int) -> None:
    """Into the sandbox, without any right or open file of before, and say so on `says`.

    `owner` is the user to be, where this one is root.
    """
    os.setsid()
    for group in groups:
        os.write(group, b"0")
    for name in ("mnt", "net", "ipc", "uts", "cgroup"):
        checked(LIBC.setns(spaces[name], 0))
    if owner is not None:
        os.setgroups([])
        os.setresgid(owner, owner, owner)
        os.setresuid(owner, owner, owner)
    checked(LIBC.setns(spaces["user"], 0))
    os.closerange(0, says)
    os.closerange(says + 1, 1 << 20)
    for _ in range(3):
        os.open("/dev/null", os.O_RDWR)  # 0, 1, 2: the sandbox's own
    for descriptor in range(3):
        os.set_inheritable(descriptor, True)
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (most, most))
    for capability in range(64):
        LIBC.prctl(DROP_BOUND, capability, 0, 0, 0)  # beyond the last one it fails
    checked(LIBC.capset((ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()))
    checked(LIBC.prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
    checked(LIBC.prctl(DUMPABLE, 1, 0, 0, 0))  # as after every start of a program: /proc/self is its own
    wall = serve.HERE / "wall.bpf"
    if wall.exists():
        serve.load(wall.read_bytes())
    os.chdir(os.environ["HOME"])
    os.write(says, b".")
    os.close(says)


def become_kernel(arguments: list[str], generators: list[random.Random]) -> None:
    """A Jupyter kernel, with random numbers of its own."""
    anew(generators)
    sys.path_importer_cache.clear()
    sys.argv = [KERNEL, *arguments]
    importlib.import_module("ipykernel.kernelapp").IPKernelApp.launch_instance(arguments)
    os._exit(0)


def anew(generators: list[random.Random]) -> None:
    """What a process draws once from the system when it starts, drawn again: copies would have it in common."""
    for each in generators:
        each.seed()
    if numpy := sys.modules.get("numpy.random"):
        numpy.seed()
    if torch := sys.modules.get("torch"):
        torch.default_generator.seed()
    multiprocessing.current_process().authkey = os.urandom(32)


def checked(result: int) -> None:
    """Raise OSError where a call of the C library says that it failed."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    main(sys.argv[1:])
