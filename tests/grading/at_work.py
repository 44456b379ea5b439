"""The processes that grade, seen from outside."""

import contextlib

import psutil


def workers(grader: int) -> list[psutil.Process]:
    """The workers of the autograde with this number of a process: those that its forkserver has forked."""
    servers = [each for each in psutil.Process(grader).children() if "forkserver" in " ".join(each.cmdline())]
    return [child for server in servers for child in server.children()]


def busy(worker: int) -> bool:
    """Whether a student's kernel runs under this process."""
    with contextlib.suppress(psutil.Error):  # what we look at may end
        commands = [child.cmdline() for child in psutil.Process(worker).children(recursive=True)]
        return any("bwrap" in command and "ipykernel_launcher" in command for command in commands)
    return False
