"""A Jupyter kernel that this process starts, talks to over sockets in a folder, and can stop at any moment."""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import zmq
from jupyter_client import BlockingKernelClient
from jupyter_client.session import Session
from nbformat import NotebookNode
from nbformat.v4 import output_from_msg

from course_lib.grading.isolation import leftovers

FRAME_BYTES = 64 << 20  # the largest part of a message that is taken; after a larger one the kernel is heard no more
LATE = 2.0  # seconds that outputs may come after the reply: a kernel that prints too fast loses some
POLL = 0.05  # seconds between two looks at whether the process lives and time is left


@dataclass
class Run:
    """What came of one cell: "ok", "error", or why it ended otherwise ("timeout", "dead", "flood")."""

    status: str
    outputs: list[NotebookNode] = field(default_factory=list)


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

    def start(
        self,
        wrap: Callable[[list[str]], list[str]] | None = None,
        seen_as: str | None = None,
        join: Callable | None = None,
    ) -> None:
        """Start the process; it is ready once `wait` returns."""
        inside, outside = seen_as or str(self.sockets), str(self.sockets)
        ports = {f"{name}_port": n for n, name in enumerate(("shell", "iopub", "stdin", "control", "hb"), start=1)}
        about = {
            "transport": "ipc",
            "key": os.urandom(24).hex(),
            "signature_scheme": "hmac-sha256",
            "kernel_name": "python3",
        }
        (self.sockets / "kernel.json").write_text(json.dumps(about | ports | {"ip": f"{inside}/k"}))
        command = [
            sys.executable,
            "-m",
            "ipykernel_launcher",
            "-f",
            f"{inside}/kernel.json",
            "--HistoryManager.enabled=False",
        ]
        self.process = subprocess.Popen(
            wrap(command) if wrap else command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**(os.environ if self.environment is None else self.environment), "JPY_PARENT_PID": str(os.getpid())},
            cwd=self.folder,
            preexec_fn=join,
            start_new_session=True,
        )
        context = zmq.Context()
        context.setsockopt(zmq.MAXMSGSIZE, FRAME_BYTES)
        context.setsockopt(zmq.RCVHWM, 64)  # so that a flood of messages waits where it comes from
        context.setsockopt(zmq.LINGER, 0)
        self.client = BlockingKernelClient(context=context, session=Session(key=about["key"].encode()))
        self.client.load_connection_info(about | ports | {"ip": f"{outside}/k", "key": about["key"].encode()})
        self.client.start_channels(hb=False)

    def wait(self, seconds: float = 60) -> bool:
        """True once the kernel answers, False if it ends or does not within `seconds`."""
        until = time.monotonic() + seconds
        while self.alive() and time.monotonic() < until:
            asked = self.client.kernel_info()
            with contextlib.suppress(queue.Empty):
                while time.monotonic() < until:
                    if self.client.get_shell_msg(timeout=0.5)["parent_header"].get("msg_id") == asked:
                        return True
        return False

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, source: str) -> str:
        """Ask to run `source`, and do not wait; give the answer's number to `collect`."""
        return self.client.execute(source, allow_stdin=False, store_history=False)

    def run(self, source: str, seconds: float, output_bytes: int = 1 << 20) -> Run:
        """Run `source` and wait for its end, for `seconds` at most."""
        return self.collect(self.send(source), seconds, output_bytes)

    def collect(self, asked: str, seconds: float, output_bytes: int = 1 << 20) -> Run:
        """The outputs of what was sent, up to `output_bytes`; a cell that goes on too long is left running."""
        until, size, outputs, idle, status = time.monotonic() + seconds, 0, [], False, None
        while not (idle and status):
            if not self.alive():
                return Run("dead", outputs)
            if time.monotonic() > until:
                return Run(status or "timeout", outputs)
            if idle or (message := self._next(self.client.iopub_channel, asked)) is None:
                if (reply := self._next(self.client.shell_channel, asked, wait=idle)) is not None:
                    status = "ok" if reply["content"].get("status") == "ok" else "error"
                    until = min(until, time.monotonic() + LATE)
                continue
            size += len(str(message["content"]))
            if size > output_bytes:
                return Run("flood", outputs)
            if message["msg_type"] == "status":
                idle = message["content"].get("execution_state") == "idle"
            elif message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
                with contextlib.suppress(Exception):  # forged: parts are missing, or are of other types
                    outputs.append(output_from_msg(message))
        return Run(status, outputs)

    def _next(self, channel, asked: str, wait: bool = True) -> dict | None:
        """The next message that answers `asked`, None if none comes soon; what is malformed counts as none."""
        try:
            message = channel.get_msg(timeout=POLL if wait else 0)
            return (
                message
                if message["parent_header"].get("msg_id") == asked and isinstance(message["content"], dict)
                else None
            )
        except queue.Empty:
            return None
        except Exception:  # noqa: BLE001  a forged message: bad signature, bad JSON, missing parts
            return None

    def interrupt(self) -> None:
        """Ask the kernel to raise KeyboardInterrupt in what it runs."""
        with contextlib.suppress(Exception):
            self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))

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
