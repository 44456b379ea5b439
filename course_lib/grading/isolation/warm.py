"""A process with the kernel's libraries imported, inside a view of the sandbox; copies of it step into sandboxes.

Importing ipykernel and torch costs seconds, a copy of a process that has them a tenth of one. What the process is, and
how a copy gives up all rights, stands in inside/warm.py. The sandbox is bubblewrap's all the same, made anew for each
kernel, and nothing runs in it when the copy comes. Where no copy can be made, kernels are started anew.
"""

import ast
import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterable

from course_lib.grading.isolation import enforce
from course_lib.grading.isolation.sandbox import Sandbox, outside_uid

LOG = logging.getLogger(__name__)
KERNEL = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger")
BESIDE = ("IPython.core.completerlib", "IPython.extensions.storemagic", "tornado.platform.asyncio")  # a kernel's, later
LIBRARIES = {  # with what their first gradient imports
    "numpy": ("numpy",),
    "torch": ("torch", "torch.fx.experimental.symbolic_shapes", "torch.nested._internal.nested_tensor"),
}
SECONDS = 300.0  # for importing all that on a busy machine
NAMESPACES = ("mnt", "net", "ipc", "uts", "cgroup", "pid", "user")
# Runs in a sandbox, out of reach of the others in it, as long as its standard input is held open.
HOLD = "import ctypes, os; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); os.write(1, b'.'); os.close(1); os.read(0, 1)"


def libraries(sources: Iterable[str]) -> list[str]:
    """Of LIBRARIES those that a cell of these sources imports; a source that is no Python imports nothing."""
    found = set()
    for source in sources:
        with contextlib.suppress(SyntaxError):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Import):
                    found |= {each.name.partition(".")[0] for each in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found.add(node.module.partition(".")[0])
    return sorted(found & set(LIBRARIES))


class Warm:
    """Use `copy`, while it `works`; `give_up` where it does not; `close` ends it."""

    def __init__(self, wall: Sandbox, libraries: Iterable[str] = ()) -> None:
        modules = [*KERNEL, *BESIDE, *(module for name in libraries for module in LIBRARIES[name])]
        self.works, self.pid = True, 0
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.line.settimeout(SECONDS)
        with theirs:
            self.process = subprocess.Popen(
                wall.view([sys.executable, "-m", "course_lib.grading.warm", *modules]),
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                start_new_session=True,
            )

    def _ready(self) -> None:
        """Wait until it has imported everything."""
        if not self.pid:
            ready = self._answer()
            if ready["threads"] != 1:
                raise OSError("a library that it imports starts threads, which a copy would not have")
            self.pid = ready["pid"]

    def give_up(self, error: Exception) -> None:
        """Make no more copies."""
        self.close()
        LOG.warning("Each student's kernel is started anew, which is slower; a warm process makes none: %s", error)

    def copy(self, wall: Sandbox, group: enforce.Group | None, arguments: list[str]) -> tuple[subprocess.Popen, int]:
        """A kernel with these arguments in a sandbox of its own: bubblewrap's process, and the kernel's number.

        Raises OSError where it does not come to be.
        """
        self._ready()
        root = os.getuid() == 0
        beside = [] if root else ["nsenter", f"--user=/proc/{self.pid}/ns/user", "--preserve-credentials", "--"]
        ends, held = os.pipe()
        with open(ends, "rb") as until, open(held, "wb") as holds, contextlib.ExitStack() as opened:
            process = subprocess.Popen(
                [*beside, *wall.command([sys.executable, "-I", "-S", "-c", HOLD])],
                stdin=until,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                preexec_fn=group.join if group else None,
                start_new_session=True,
            )
            try:
                with process.stdout:
                    if process.stdout.read(1) != b".":
                        raise ChildProcessError("bubblewrap ended")
                holder = enforce.tree(process.pid)[-1].pid
                files = [holds]
                for name in NAMESPACES:
                    files.append(opened.enter_context(open(f"/proc/{holder}/ns/{name}", "rb")))
                for path in group.files() if group else ():
                    files.append(opened.enter_context(path.open("wb", buffering=0)))
                asked = {"spaces": NAMESPACES, "owner": outside_uid() if root else None}
                asked |= {"limits": wall.resources(), "arguments": arguments}
                socket.send_fds(self.line, [json.dumps(asked).encode()], [file.fileno() for file in files])
                return process, self._answer()["pid"]
            except BaseException:
                process.kill()
                process.wait()
                raise

    def _answer(self) -> dict:
        if not (message := self.line.recv(1 << 16)):
            raise ConnectionError("it has ended")
        answer = json.loads(message)
        if "error" in answer:
            raise OSError(answer["error"])
        return answer

    def close(self) -> None:
        """End it. Kernels that it has made go on."""
        self.works = False
        self.line.close()
        self.process.kill()
        self.process.wait()
