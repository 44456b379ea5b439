"""A Jupyter kernel that this process starts, talks to over sockets in a folder, and can stop at any moment."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import zmq
from jupyter_client import BlockingKernelClient
from jupyter_client.session import Session
from nbformat import NotebookNode
from nbformat.v4 import output_from_msg

from course_lib.grading.boundary.timelimit import Stopwatch
from course_lib.grading.isolation import enforce, leftovers, reading

FRAME_BYTES = 64 << 20  # the largest part of a message that arrives; after a larger one the kernel is heard no more
OUTPUT_BYTES = 1 << 20  # of one cell, if nothing else is said
BESIDE = 64 << 10  # bytes that a message may have beside what it shows
LATE = 2.0  # seconds that outputs may come after the reply: a kernel that prints too fast loses some
POLL = 0.05  # seconds between two looks at whether the process lives and time is left


@dataclass
class Run:
    """What came of one cell: "ok", "error", or why it ended otherwise ("timeout", "dead", "flood")."""

    status: str
    outputs: list[NotebookNode] = field(default_factory=list)
    value: str = ""  # of the expression that was asked for


class Kernel:
    """Start with `start`, then `run` cells; `wrap` puts a sandbox around it, which sees the sockets in `seen_as`."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        self.folder = leftovers.folder()
        self.sockets, self.line = self.folder / "s", self.folder / "l"  # its own, and the grader's, which it calls
        for each in (self.sockets, self.line):
            each.mkdir()
            each.chmod(0o755)
        self.environment = environment
        self.process: subprocess.Popen | None = None
        self.pids: list[int] = []  # of the process, and of what stands at the side of it: all others are below these
        self.processes: list = []  # these and all others, once it answers
        self.heard: tuple[str, bool, str | None] = ("", False, None)  # of what was sent: whether it is idle, the reply

    def start(
        self,
        wrap: Callable[[list[str]], list[str]] | None = None,
        seen_as: str | None = None,
        join: Callable | None = None,
        copy: Callable[[list[str]], tuple[subprocess.Popen, int]] | None = None,
    ) -> None:
        """Start the process; it is ready once `wait` returns. `copy` gives one that is ready to be a kernel."""
        inside, outside = seen_as or str(self.sockets), str(self.sockets)
        ports = {f"{name}_port": n for n, name in enumerate(("shell", "iopub", "stdin", "control", "hb"), start=1)}
        about = {
            "transport": "ipc",
            "key": os.urandom(24).hex(),
            "signature_scheme": "hmac-sha256",
            "kernel_name": "python3",
        }
        (self.sockets / "kernel.json").write_text(json.dumps(about | ports | {"ip": f"{inside}/k"}))
        arguments = ["-f", f"{inside}/kernel.json", "--HistoryManager.enabled=False"]
        if copy is not None:
            self.process, beside = copy(arguments)
            self.pids = [self.process.pid, beside]
        else:
            command = [sys.executable, "-m", "ipykernel_launcher", *arguments]
            environment = os.environ if self.environment is None else self.environment
            self.process = subprocess.Popen(
                wrap(command) if wrap else command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**environment, "JPY_PARENT_PID": str(os.getpid())},
                cwd=self.folder,
                preexec_fn=join,
                start_new_session=True,
            )
            self.pids = [self.process.pid]
        context = zmq.Context()
        context.setsockopt(zmq.MAXMSGSIZE, FRAME_BYTES)
        context.setsockopt(zmq.RCVHWM, 64)  # so that a flood of messages waits where it comes from
        context.setsockopt(zmq.LINGER, 0)
        self.client = BlockingKernelClient(context=context, session=Session(key=about["key"].encode()))
        self.client.load_connection_info(about | ports | {"ip": f"{outside}/k", "key": about["key"].encode()})
        self.client.start_channels(hb=False)

    def wait(self, seconds: float = 60) -> bool:
        """True once the kernel answers and what it shows is heard, too, which begins a moment later; False if it ends
        or does not within `seconds`."""
        self.processes = enforce.processes(self.pids)
        clock = self.clock()
        answers = heard = False
        while self.alive() and clock.left(seconds) > 0:
            asked, until = self.client.kernel_info(), clock.wall() + (POLL if answers else 1)
            while clock.wall() < until and not (answers and heard):
                if not answers:
                    answers = self._next(self.client.shell_channel, asked, BESIDE)[0] is not None
                heard = heard or self._next(self.client.iopub_channel, asked, BESIDE, wait=answers)[0] is not None
            if answers and heard:
                self.processes = enforce.tree(*self.pids)
                return True
        return False

    def processor(self) -> float:
        """The seconds of the processor that it has used."""
        return enforce.processor(self.processes)

    def clock(self) -> Stopwatch:
        """What counts of its time from now on."""
        return Stopwatch(self.processor)

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, source: str, expression: str = "None") -> str:
        """Ask to run `source`, and what `expression` is then; do not wait; give the answer's number to `collect`."""
        asked = {"value": expression}
        return self.client.execute(source, allow_stdin=False, store_history=False, user_expressions=asked)

    def run(self, source: str, seconds: float, output_bytes: int = OUTPUT_BYTES, expression: str = "None") -> Run:
        """Run `source` and wait for its end, for `seconds` at most."""
        return self.collect(self.send(source, expression), seconds, output_bytes)

    def collect(self, asked: str, seconds: float, output_bytes: int = OUTPUT_BYTES, keep: bool = True) -> Run:
        """The outputs of what was sent, up to `output_bytes`; a cell that goes on too long is left running.

        If not to be kept, outputs are as many and as large as they like, until the time is over.
        """
        clock, limit, size, outputs, value = self.clock(), seconds, 0, [], ""
        _, idle, status = self.heard if self.heard[0] == asked else (asked, False, None)
        while not (idle and status):
            if not self.alive():
                return Run("dead", outputs)
            if clock.left(limit) <= 0:
                return Run(status or "timeout", outputs)
            message = None
            if not idle:
                message, came = self._next(self.client.iopub_channel, asked, output_bytes + BESIDE)
                size += came
            if message is None:
                reply, came = self._next(self.client.shell_channel, asked, output_bytes + BESIDE, wait=idle)
                size += came
                if reply is not None and status is None:
                    status = "ok" if reply["content"].get("status") == "ok" else "error"
                    with contextlib.suppress(KeyError, TypeError):  # it has none, or is forged
                        value = str(reply["content"]["user_expressions"]["value"]["data"]["text/plain"])
                    clock, limit = self.clock(), min(limit, LATE)
                    self.heard = asked, idle, status
            if size > output_bytes + BESIDE and keep:
                return Run("flood", outputs)
            if message is None or not keep and message["msg_type"] != "status":
                continue
            if message["msg_type"] == "status":
                idle = message["content"].get("execution_state") == "idle"
                self.heard = asked, idle, status
            elif message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
                with contextlib.suppress(Exception):  # forged: parts are missing, or are of other types
                    outputs.append(output_from_msg(message))
        return Run(status, outputs, value)

    def _next(self, channel, asked: str, largest: int, wait: bool = True) -> tuple[dict | None, int]:
        """The next message that answers `asked`, None if none comes soon, or is malformed or too large; its bytes."""
        if not channel.socket.poll(1000 * POLL if wait else 0):
            return None, 0
        message, size = reading.receive(channel.socket, self.client.session, largest)
        parent = message["parent_header"] if message else None
        return (message if isinstance(parent, dict) and parent.get("msg_id") == asked else None), size

    def interrupt(self, seconds: float) -> None:
        """Ask for a KeyboardInterrupt in what runs; wait until the kernel has it: late, it would hit another cell."""
        request = self.client.session.msg("interrupt_request", {})
        with contextlib.suppress(Exception):
            self.client.control_channel.send(request)
            clock = self.clock()
            while self.alive() and clock.left(seconds) > 0:
                if self._next(self.client.control_channel, request["header"]["msg_id"], BESIDE)[0] is not None:
                    return

    def close(self) -> None:
        """Kill the process and all that it started, and remove its folder."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.client.stop_channels()
            self.client.context.destroy(linger=0)
            self.process = None
        shutil.rmtree(self.folder, ignore_errors=True)
