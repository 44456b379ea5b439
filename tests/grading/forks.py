"""nbgrader's command line without its start: a process that has imported it, and forks for each command.

To import nbgrader and what the course hooks into it takes two seconds of the processor, most of what a command costs.
"""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parents[2]
IMPORTED = ("nbgrader.apps.nbgraderapp", "course_lib.grading.nbgrader_hooks.autograde")
SECONDS = 900  # after which a command counts as endless


class Nbgrader:
    """The process that forks. It has begun with `environment`, and ends with the one that made it."""

    def __init__(self, environment: dict[str, str]) -> None:
        program = [sys.executable, "-c", f"from {__name__} import serve; serve()"]  # no file to import in workers
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(program, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.one = Lock()

    def run(self, command: list[str], cwd: Path, env: dict[str, str]) -> tuple[int, str]:
        """The exit code of `command`, whose first word is the path of nbgrader, and what it prints.

        It runs in `cwd` and with `env`, in a process of its own, when the command before it has ended.
        """
        with self.one, tempfile.NamedTemporaryFile() as printed:
            asked = {"command": command, "cwd": str(cwd), "env": env, "output": printed.name}
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            return int(self.process.stdout.readline()), printed.read().decode()


def serve() -> None:
    """Run the commands that come, until nobody is there who could send one."""
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # what is here stays as it is: no fork copies its memory to look at it
    for line in iter(sys.stdin.readline, ""):
        if (pid := os.fork()) == 0:
            return become(**json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def become(command: list[str], cwd: str, env: dict[str, str], output: str) -> None:
    """Let this process be that command, which prints into the file `output`."""
    nothing, printed = os.open(os.devnull, os.O_RDONLY), os.open(output, os.O_WRONLY | os.O_APPEND)
    for new, old in ((nothing, 0), (printed, 1), (printed, 2)):
        os.dup2(new, old)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv, sys.path[0] = command, str(Path(command[0]).parent)
    signal.alarm(SECONDS)
    from nbgrader.apps.nbgraderapp import main

    sys.exit(main())
