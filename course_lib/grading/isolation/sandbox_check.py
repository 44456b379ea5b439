"""Whether a sandbox works here, found out by running one, and what to do if it does not."""

import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from course_lib.grading.isolation import enforce, sandbox, seccomp
from course_lib.grading.isolation.limits import Limits

FILTER = "a filter of system calls"
INSIDE = """
import json, os, socket, subprocess
def fails(action):
    try: action()
    except OSError: return True
    return False
capabilities = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff"))
print(json.dumps({
    "a user that owns nothing": os.getuid() == 65534 and int(capabilities, 16) == 0,
    "no network": fails(lambda: socket.create_connection(("127.0.0.1", PORT), 1)),
    "no other process": fails(lambda: open("/proc/PID/cmdline")) or open("/proc/PID/cmdline", "rb").read() != COMMAND,
    "a read-only system": fails(lambda: open("/usr/course-probe", "w")),
    "none of our files": fails(lambda: open(FILE)),
    "a filter of system calls": fails(lambda: os.memfd_create("x")),
    "no namespace of its own": subprocess.run(["unshare", "-U", "true"], capture_output=True).returncode != 0,
}))
"""


@dataclass(frozen=True)
class Report:
    """`holds` says of each property whether it was seen to hold; `problem` is what to do if one does not."""

    holds: dict[str, bool]
    memory: str
    problem: str | None

    def __str__(self) -> str:
        if self.problem:
            return f"The sandbox does not work here: {self.problem}"
        refused = "" if FILTER in self.holds else f" This kernel refuses {FILTER}: the other walls hold without it."
        return f"The sandbox holds: {', '.join(self.holds)}; memory and processes limited by {self.memory}.{refused}"


@lru_cache(maxsize=1)
def probe() -> Report:
    """Run a sandbox for a moment and look at it from inside."""
    if sys.platform != "linux":
        return Report({}, "", "it needs Linux: on macOS or Windows grade in a Linux virtual machine or in WSL 2")
    if (program := sandbox.missing_program()) is not None:
        return Report({}, "", program)
    with (
        tempfile.TemporaryDirectory(prefix=f"course-{os.getpid()}-", dir="/tmp") as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        secret, sockets, library = Path(folder, "secret"), Path(folder, "s"), Path(folder, "c")
        secret.write_text("secret")
        for path in (sockets, library):
            path.mkdir()
        Path(folder).chmod(0o711)
        known = {"PORT": server.getsockname()[1], "PID": os.getpid(), "FILE": repr(str(secret))}
        known["COMMAND"] = repr(Path("/proc/self/cmdline").read_bytes())
        code = re.sub("|".join(known), lambda name: str(known[name[0]]), INSIDE)
        wall = sandbox.Sandbox(Limits(), sockets, sockets, library)
        try:
            ran = subprocess.run(wall.command([sys.executable, "-c", code]), capture_output=True, text=True, timeout=60)
            holds = json.loads(ran.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            error = ran.stderr.strip().splitlines()[-1:] if "ran" in locals() else ["it did not end"]
            return Report({}, "", f"{' '.join(error)}. {advice()}")
    group = enforce.group(1 << 30, 64)
    if seccomp.file() is None:
        del holds[FILTER]
    memory = "a control group" if group else "a limit on each process and a watchdog over all of them"
    if group:
        group.close()
    broken = [name for name, held in holds.items() if not held]
    return Report(holds, memory, f"it does not give {', '.join(broken)}. {advice()}" if broken else None)


def advice() -> str:
    """What usually keeps bubblewrap from working on such a machine."""
    if Path("/.dockerenv").exists():
        return (
            "In Docker start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined` "
            "or grade outside of it."
        )
    if Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").exists():
        return (
            "Ubuntu 24.04 forbids it by AppArmor: `sudo apt-get install apparmor-profiles`, then "
            "`sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/`, restart apparmor."
        )
    return (
        f"User namespaces seem to be off here (Linux {platform.release()}): "
        "`sudo sysctl kernel.unprivileged_userns_clone=1`."
    )
