"""The wall around a student's kernel: bubblewrap, with nothing inside but Python, its libraries and an empty folder.

New namespaces for users, processes, network, mounts and messages; no capability, no way to make another user namespace;
the system and the environment are read-only; /home and /tmp live in memory and are of limited size. As root, the kernel
runs as a user that owns nothing: root would be exempt from limits on processes.
"""

import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.isolation.limits import Limits

NOBODY = 65534  # who the kernel is, seen from inside
STRANGER = 61_000 + os.getpid() % 4_000  # who it is outside, when root grades: a user of its own for each grader
ABSENT = "absent.py"  # in the library: what a hidden package says of itself
HOME, SOCKETS, LINE, LIBRARY = "/home/student", "/sockets", "/line", "/library"


@dataclass(frozen=True)
class Sandbox:
    """What is bound into it: `sockets` (writable), `line`, `library` (in place of the course), `files` for its home."""

    limits: Limits
    sockets: Path
    line: Path
    library: Path
    files: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = field(default=())

    def command(self, inside: list[str]) -> list[str]:
        """The command line that runs `inside` in the sandbox."""
        readable = environment()
        size = str(self.limits.file_bytes)
        namespaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        own_user = ["--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY)]
        root = os.getuid() == 0
        wall = ["bwrap", "--die-with-parent", "--new-session", *namespaces, *([] if root else own_user), "--clearenv"]
        for name, value in variables().items():
            wall += ["--setenv", name, value]
        # first what is its own, for the environment may lie in /tmp or /home and must not be covered
        wall += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", size, "--tmpfs", "/tmp"]
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
        for path in self.hidden:
            wall += ["--tmpfs", str(path)]
            if (path / "__init__.py").exists():  # an empty folder could still be imported
                wall += ["--ro-bind", str(self.library / ABSENT), f"{path}/__init__.py"]
            wall += ["--remount-ro", str(path)]
        wall += ["--perms", "0755", "--dir", "/home", "--perms", "0777", "--size", size, "--tmpfs", HOME]
        wall += ["--bind", str(self.sockets), SOCKETS, "--ro-bind", str(self.line), LINE]
        wall += ["--ro-bind", str(self.library), LIBRARY]
        for file in self.files:
            wall += ["--ro-bind", str(file), f"{HOME}/{file.name}"]
        wall += ["--chdir", HOME, "--"]
        if root:
            nobody = ["--reuid", str(STRANGER), "--regid", str(STRANGER), "--clear-groups"]
            wall += ["setpriv", *nobody, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"]
            wall += ["bwrap", "--die-with-parent", *own_user, "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--"]
        return [*wall, *self._resources(), *inside]

    def _resources(self) -> list[str]:
        processes = self.limits.processes if os.getuid() == 0 else self.limits.processes + threads_of(os.getuid())
        return [
            *("prlimit", "--core=0", f"--fsize={self.limits.file_bytes}", f"--nproc={processes}"),
            *(f"--as={3 * self.limits.memory_bytes}", "--nofile=1024", "--"),
        ]


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


def installed(package: str) -> list[Path]:
    """Where a package lies in the environment that is mounted: folders to hide if it may not be used."""
    sites = {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}
    return [site / package for site in sites if (site / package).is_dir()]


def parents(paths: list) -> list[str]:
    """The folders above `paths`, outermost first: they are made readable, for bubblewrap would close them."""
    found = (str(parent) for path in paths for parent in reversed(Path(path).parents))
    return [p for p in dict.fromkeys(found) if p not in ("/", "/tmp", *environment())]


def threads_of(uid: int) -> int:
    """How many threads of this user run now: a limit on processes counts them too."""
    count = 0
    for status in Path("/proc").glob("[0-9]*"):
        try:
            if status.stat().st_uid == uid:
                count += len(os.listdir(status / "task"))
        except OSError:
            continue
    return count


def missing() -> str | None:
    """What to install first, or None."""
    for program, package in ("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux"):
        if shutil.which(program) is None:
            return (
                f"{program} is not installed: `apt-get install {package}` (Debian, Ubuntu) or `dnf install {package}`"
            )
    return None
