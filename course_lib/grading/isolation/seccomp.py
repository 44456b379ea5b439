"""Filters of system calls for the sandbox: what no student's work needs, and what escapes the other limits.

A filter is a program of classic BPF, eight bytes an instruction (linux/filter.h, linux/seccomp.h). `program` is loaded
by bubblewrap; `no_processes` by the student's kernel itself, before the student's first cell: from then on it starts
threads, and no process in which a library could do the work unseen. A call that is refused fails with EPERM.
"""

import atexit
import platform
import shutil
import struct
import subprocess
from functools import lru_cache
from pathlib import Path

from course_lib.grading.isolation import leftovers

DESCRIPTOR = 9  # on which bubblewrap reads the program
LOAD, RETURN = 0x20, 0x06  # BPF_LD|W|ABS, BPF_RET|K
EQUAL, ABOVE, ANY = 0x15, 0x35, 0x45  # BPF_JMP|JEQ|K, |JGE|K, |JSET|K
ALLOW, REFUSE, UNKNOWN, KILL = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38, 0x80000000  # 1 is EPERM, 38 ENOSYS
NUMBER, MACHINE, FIRST = 0, 4, 16  # where struct seccomp_data holds the call, the machine, the low half of argument 0
X32 = 0x40000000  # calls of a second numbering on x86_64

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # AUDIT_ARCH_…, the column of the table below
CALLS = {  # memory and work that no limit sees, and ways into other parts of the kernel
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
    **{"memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "userfaultfd": (323, 282)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "ptrace": (101, 117), "process_vm_writev": (311, 271)},
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "kexec_load": (246, 104)},
}
SOCKET = (41, 198)
STARTS = {"fork": (57,), "vfork": (58,), "execve": (59, 221), "execveat": (322, 281)}
CLONE, CLONE3, THREAD = (56, 220), 435, 1 << 16  # of clone's flags: CLONE_THREAD; clone3 hides its flags
FAMILIES = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: not AF_VSOCK, which leaves a virtual machine


def program(machine: str) -> bytes:
    """The filter for that machine ("x86_64", "aarch64")."""
    column = MACHINES[machine][1]
    lines = _refused(machine, [numbers[column] for numbers in CALLS.values()])
    lines += [(EQUAL, 1, 0, SOCKET[column]), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST)]
    for family in FAMILIES:
        lines += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    return _packed([*lines, (RETURN, 0, 0, REFUSE)])


def no_processes(machine: str) -> bytes:
    """The filter that lets a process start threads, and nothing else."""
    column = MACHINES[machine][1]
    lines = _refused(machine, [numbers[column] for numbers in STARTS.values() if column < len(numbers)])
    lines += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, UNKNOWN)]  # the C library then uses clone
    lines += [(EQUAL, 1, 0, CLONE[column]), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST)]
    return _packed([*lines, (ANY, 0, 1, THREAD), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)])


def _refused(machine: str, calls: list[int]) -> list[tuple[int, int, int, int]]:
    """The beginning of a filter: the right machine, and none of these calls; then the call's number is at hand."""
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, MACHINES[machine][0]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    for code, number in ((ABOVE, X32), *((EQUAL, number) for number in calls)):
        lines += [(code, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    return lines


def _packed(lines: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def wrapped(path: Path | None, command: list[str]) -> list[str]:
    """`command`, which reads the program on its descriptor; without a program the command as it is."""
    return command if path is None else ["sh", "-c", f'exec "$@" {DESCRIPTOR}<"$0"', str(path), *command]


def arguments(path: Path | None) -> list[str]:
    """What bubblewrap is told."""
    return [] if path is None else ["--seccomp", str(DESCRIPTOR)]


@lru_cache(maxsize=1)
def file() -> Path | None:
    """The program in a file of this process; None where the machine is unknown or its kernel refuses filters."""
    if platform.machine() not in MACHINES or shutil.which("bwrap") is None:
        return None
    folder = leftovers.folder()
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "filter"
    path.write_bytes(program(platform.machine()))
    trial = wrapped(path, ["bwrap", "--ro-bind", "/", "/", *arguments(path), "--", "true"])
    return path if subprocess.run(trial, capture_output=True).returncode == 0 else None
