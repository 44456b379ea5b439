"""The wall around a student's kernel: bubblewrap, with nothing inside but Python, its libraries and an empty folder.

New namespaces for users, processes, network, mounts and messages; no capability, no way to make another user namespace;
the system and the environment are read-only; /home and /tmp live in memory and are of limited size. As root, the kernel
runs as a user that owns nothing: root would be exempt from limits on processes. Of the installed packages it sees those
that the problem sets need (boundary/visible_packages.py), and it makes no system call that seccomp.py refuses.
"""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from course_lib.grading.boundary import visible_packages
from course_lib.grading.isolation import seccomp
from course_lib.grading.isolation.limits import Limits

INSIDE_UID = 65534  # the kernel's user, seen from inside
HOME, SOCKETS, LINE, LIBRARY = "/home/student", "/sockets", "/line", "/library"


@dataclass(frozen=True)
class Sandbox:
    """What is bound into it: `sockets` (writable), `line`, `library` (in place of the course), `files` for its home.

    The folders in `hidden` are empty in it.
    """

    limits: Limits
    sockets: Path
    line: Path
    library: Path
    files: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()

    def command(self, inside: list[str]) -> list[str]:
        """The command line that runs `inside` in the sandbox."""
        namespaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        own_user = ["--unshare-user", "--disable-userns", "--uid", str(INSIDE_UID), "--gid", str(INSIDE_UID)]
        root = os.getuid() == 0
        filtered = seccomp.arguments(None if root else seccomp.file())
        wall = [
            "bwrap",
            *filtered,
            "--die-with-parent",
            "--new-session",
            *namespaces,
            *([] if root else own_user),
            *("--proc", "/proc"),
            *self._rooms(),
            *("--bind", str(self.sockets), SOCKETS, "--ro-bind", str(self.line), LINE),
        ]
        for file in self.files:
            wall += ["--ro-bind", str(file), f"{HOME}/{file.name}"]
        wall += ["--"]
        if root:
            unprivileged = ["--reuid", str(outside_uid()), "--regid", str(outside_uid()), "--clear-groups"]
            wall += ["setpriv", *unprivileged, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"]
            wall += [
                "bwrap",
                *seccomp.arguments(seccomp.file()),
                "--die-with-parent",
                *own_user,
                "--bind",
                "/",
                "/",
                "--dev-bind",
                "/dev",
                "/dev",
                "--",
            ]
        limits = [f"--{name}={most}" for name, most in self.resources().items()]
        return seccomp.wrapped(seccomp.file(), [*wall, "prlimit", *limits, "--", *inside])

    def view(self, inside: list[str]) -> list[str]:
        """The command line that runs `inside`, a program of ours, where it sees the same files, with all our rights."""
        user = [] if os.getuid() == 0 else ["--unshare-user"]
        wall = ["bwrap", "--die-with-parent", "--new-session", *user, "--cap-add", "ALL", "--ro-bind", "/proc", "/proc"]
        return [*wall, *self._rooms(), "--", *inside]

    def _rooms(self) -> list[str]:
        """The environment and the files that are there, whoever looks."""
        readable = environment()
        size = str(self.limits.files_mb << 20)
        sites = [path for path in visible_packages.sites() if within(path, readable)]
        wall = ["--clearenv"]
        for name, value in variables().items():
            wall += ["--setenv", name, value]
        # first what is its own, for the environment may lie in /tmp or /home and must not be covered
        wall += ["--dev", "/dev", "--perms", "1777", "--size", size, "--tmpfs", "/tmp"]
        wall += ["--perms", "1777", "--size", size, "--tmpfs", "/dev/shm"]
        for folder in parents([*readable, *self.hidden]):
            wall += ["--perms", "0755", "--dir", folder]
        for path in readable:
            wall += ["--ro-bind", path, path]
        for link in ("lib", "lib64", "bin"):
            if Path("/", link).is_symlink():
                wall += ["--symlink", f"usr/{link}", f"/{link}"]
            elif Path("/", link).exists():
                wall += ["--ro-bind", f"/{link}", f"/{link}"]
        for path in (*sites, *self.hidden):
            wall += ["--perms", "0755", "--tmpfs", str(path)]
            for package in visible_packages.visible() if path in sites else ():
                if Path(package).parent == path:
                    wall += ["--ro-bind", package, package]
            wall += ["--remount-ro", str(path)]
        wall += ["--perms", "0755", "--dir", "/home", "--perms", "0777", "--size", size, "--tmpfs", HOME]
        wall += ["--ro-bind", str(self.library), LIBRARY]
        return [*wall, "--chdir", HOME]

    def resources(self) -> dict[str, int]:
        """The limits on each process: as `prlimit` and the module `resource` name them."""
        processes = self.limits.processes if os.getuid() == 0 else self.limits.processes + threads_of(os.getuid())
        sizes = {"fsize": self.limits.files_mb << 20, "as": 3 * self.limits.memory_mb << 20}
        return {"core": 0, "nproc": processes, "nofile": 1024, **sizes}


def outside_uid() -> int:
    """The kernel's user, seen from outside, when root grades: one of its own for each process that grades."""
    return 61_000 + os.getpid() % 4_000


def variables() -> dict[str, str]:
    """The whole environment inside."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    own = {"HOME": HOME, "PATH": path, "LANG": "C.UTF-8", "PYTHONPATH": LIBRARY, "IPYTHONDIR": "/tmp/ipython"}
    return own | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": "/tmp/mpl",
    }


def environment() -> list[str]:
    """The folders of the system and of this Python that the kernel needs to read."""
    found = ["/usr", sys.prefix, os.path.realpath(sys.base_prefix)]
    found += [
        path for path in ("/etc/ssl", "/etc/fonts", "/etc/alternatives", "/etc/ld.so.cache") if Path(path).exists()
    ]
    return [p for p in dict.fromkeys(found) if not any(p.startswith(q + "/") for q in found)]


def within(path: Path, folders: list[str]) -> bool:
    """Whether `path` lies in one of `folders`."""
    return any(path.is_relative_to(folder) for folder in folders)


def parents(paths: list) -> list[str]:
    """The folders above `paths`, outermost first: they are made readable, for bubblewrap would close them."""
    found = (str(parent) for path in paths for parent in reversed(Path(path).parents))
    return [p for p in dict.fromkeys(found) if p not in ("/", "/tmp", *environment())]


def threads_of(uid: int) -> int:
    """How many threads of this user run now: a limit on processes counts them too."""
    found = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    return sum(each["num_threads"] or 0 for each in found if each["uids"] and each["uids"].real == uid)


def missing_program() -> str | None:
    """What to install first, or None."""
    for program, package in ("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux"):
        if shutil.which(program) is None:
            return (
                f"{program} is not installed: `apt-get install {package}` (Debian, Ubuntu) or `dnf install {package}`"
            )
    return None
