"""Attacks on the machine around the kernel: files, processes, network, the grader's other rooms."""

from .attack import Attack

MOUNTS = "mount namespace: nothing of it is in the sandbox"
STEPS_IN = "a copy gives up what it had before it steps in"
READ_ONLY = "read-only mounts"

READS = """
import glob, os, subprocess, sys
from pathlib import Path
def look(pattern):
    found = []
    for path in glob.glob(pattern, recursive=True, include_hidden=True):
        try:
            if Path(path).is_file() and open(path, "rb").read(64): found.append(path)
        except OSError:
            pass
    return found
here = "@COURSE@"
suspects = [look(here + "/" + p) for p in ("gradebook.db*", ".course_secret", "solutions/**", "submitted/**", "received/**", "autograded/**", "nbgrader_config.py")]
suspects += [look(p) for p in ("/root/*", "/root/.*", "/root/.ssh/*", "/root/.jupyter/**", "/home/**/.*", "/etc/passwd", "/etc/shadow", "/var/**", "/srv/**", "/mnt/**", "/media/**", "/run/**", "/sys/**", "@PROJECT@/course_lib/problem_sets/**", "@PROJECT@/solutions/**")]
suspects += [look("/tmp/course-*"), look("/tmp/course-*/**")]
for base in sys.path:
    suspects.append(look(base + "/course_lib/problem_sets/**"))
    suspects.append(look(base + "/course_lib/subwords/**"))
print("LEAK" if any(suspects) else "nothing found", [s[:3] for s in suspects if s])
import importlib
sys.meta_path = [finder for finder in sys.meta_path if type(finder).__name__ != "StandIns"]
for name in ("tests", "course_lib.subwords", "course_lib.problem_sets.ps1", "course_lib.grading.engine", "sentencepiece", "tokenizers", "subword_nmt", "transformers", "bertviz"):
    try:
        importlib.import_module(name)
        print("LEAK", name)
    except ImportError as error:
        print(error)
print(sorted(os.environ))
"""

PROC = """
import ctypes, os, signal, subprocess
from pathlib import Path
print("processes", sorted(p.name for p in Path("/proc").iterdir() if p.name.isdigit()))
for file in ("environ", "mem", "maps", "cmdline", "root/etc/shadow", "cwd"):
    for pid in ("1", "2", str(os.getppid())):
        try:
            data = open(f"/proc/{pid}/{file}", "rb").read(4096)
            if b"COURSE_SECRET" in data or b"root:" in data: print("LEAK", pid, file)
        except OSError as error:
            pass
libc = ctypes.CDLL(None, use_errno=True)
for pid in range(1, 200):
    if pid not in (os.getpid(), os.getppid()) and libc.ptrace(16, pid, 0, 0) == 0 and os.stat(f"/proc/{pid}").st_uid == 0: print("LEAK ptrace", pid)
for call in (lambda: os.setuid(0), lambda: os.chroot("/"), lambda: os.unshare(0x10000000), lambda: os.kill(-1, 0) or None):
    try: call()
    except (OSError, AttributeError): pass
for command in ("mount -t proc none /tmp", "unshare -Ur true", "nsenter -t 1 -a true", "su -c true", "sudo true", "dmesg", "bwrap --bind / / true"):
    try:
        if subprocess.run(command, shell=True, capture_output=True).returncode == 0: print("LEAK", command)
    except OSError: pass  # no process can be started at all
print("uid", os.getuid(), os.getgroups())
open("/proc/self/mem", "r+b").close()
for file in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"):
    try:
        os.write(os.open(file, os.O_WRONLY), b"-1000")
        print("LEAK", file)
    except OSError: pass
"""

NETWORK = """
import socket, urllib.request
def reach(family, kind, address):
    with socket.socket(family, kind) as line:
        line.settimeout(1)
        line.connect(address)
        if kind == socket.SOCK_DGRAM: line.send(b"x")
        print("LEAK", address)
tries = [(socket.AF_INET, socket.SOCK_STREAM, (host, port)) for host in ("127.0.0.1", "10.0.0.1", "1.1.1.1", "169.254.169.254") for port in (22, 53, 80, 443, 8888, @PORT@)]
tries += [(socket.AF_INET, socket.SOCK_DGRAM, ("8.8.8.8", 53)), (socket.AF_INET6, socket.SOCK_STREAM, ("::1", @PORT@))]
tries += [(socket.AF_UNIX, socket.SOCK_STREAM, name) for name in ("\\0@ABSTRACT@", "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private")]
for each in tries:
    try: reach(*each)
    except OSError as error: pass
try: socket.getaddrinfo("example.org", 80); print("LEAK dns")
except OSError: pass
try: urllib.request.urlopen("http://127.0.0.1:@PORT@", timeout=1); print("LEAK http")
except OSError: pass
try: socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print("LEAK raw")
except OSError: pass
"""

WRITES = """
import os, sys
from pathlib import Path
import numpy
places = ["/", "/usr", "/usr/lib", "/etc", "/library", "/library/course_lib", "/line", "/proc/1", "/sys", "/root", sys.prefix, numpy.__path__[0], "@COURSE@", "@COURSE@/submitted"]
for place in places:
    for name in ("x.py", "../x.py"):
        try:
            Path(place, name).write_text("x")
            print("LEAK", place)
        except OSError: pass
for path in ("/library/course_lib/__init__.py", "/home/student/../../line/line", numpy.__file__):
    for act in (lambda: Path(path).write_text(""), lambda: os.unlink(path), lambda: os.chmod(path, 0o777), lambda: os.rename(path, "/tmp/x")):
        try:
            act()
            print("LEAK", path)
        except OSError: pass
for command in ("mount -o remount,rw /usr", "mount --bind /tmp /library", "umount -l /library"):
    if os.system(command + " 2>/dev/null") == 0: print("LEAK", command)
import builtins, json
builtins.kept = sys.kept = json.kept = os.environ["KEPT"] = "x"
os.makedirs("/tmp/a/b"); Path("/dev/shm/kept").write_text("x"); Path.home().joinpath("kept").write_text("x")
"""

NEXT = """
import builtins, json, os, sys
from pathlib import Path
if "KEPT" in os.environ or any(hasattr(each, "kept") for each in (builtins, sys, json)): print("LEAK in memory")
print("LEAK" if any(Path(p).exists() for p in ("/dev/shm/kept", "/tmp/a", "/home/student/kept", "/sockets/kept")) else "nothing kept")
"""

COPY = """
import gc, os, re, socket, sys
found, frame = list(gc.get_objects()), sys._getframe()
while frame:
    found += [value for names in (frame.f_locals, frame.f_globals) for value in list(names.values())]
    frame = frame.f_back
lines = [each for each in found if isinstance(each, socket.socket) and each.fileno() >= 0 and each.type == socket.SOCK_SEQPACKET]
for number in os.listdir("/proc/self/fd"):
    try: link = os.readlink("/proc/self/fd/" + number)
    except OSError: continue
    if link.startswith("/") and link != "/dev/null" and not link.startswith("/proc/"): print("LEAK", number, link)
    if link.startswith("socket"):
        with socket.socket(fileno=os.dup(int(number))) as each:
            if each.type == socket.SOCK_SEQPACKET: lines.append(each)
if lines: print("LEAK", lines)
words = re.compile(rb"[C]OURSE_SECRET|[.]course_secret|[g]radebook.db|[/]submitted/")  # not a place where they stand themselves
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        begin, end = (int(each, 16) for each in line.split()[0].split("-"))
        if line.split()[1].startswith("rw") and end - begin < 1 << 28:
            memory.seek(begin)
            try: part = memory.read(end - begin)
            except OSError: continue
            if seen := words.search(part): print("LEAK", part[seen.start() - 50:seen.end() + 50], line)
for pid in (each for each in os.listdir("/proc") if each.isdigit() and int(each) != os.getpid()):
    for name in ("mem", "environ", "maps", "exe", "cwd", "root", "ns/user", *(f"fd/{n}" for n in range(9))):
        try:
            file = os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_NONBLOCK)
            print("LEAK", pid, name, os.read(file, 9))
        except OSError: pass
    try: os.write(os.open(f"/proc/{pid}/mem", os.O_RDWR), b"x")
    except OSError: pass
if os.getppid() > 2: print("LEAK parent", os.getppid())
"""

SOCKETS = """
import os, shutil
from pathlib import Path
for name in ("kernel.json", "k-1", "k-2", "k-3", "k-4", "k-5"):
    for act in (lambda p: os.rename(p, p + "x"), os.unlink, lambda p: os.symlink("/etc/shadow", p), os.mkfifo, os.mkdir):
        try:
            act("/sockets/" + name)
            print("changed", name)
        except OSError: pass
for folder in ("/sockets", "/line"):
    for act in (lambda p: os.symlink("/etc/shadow", p), os.mkfifo, os.mkdir, lambda p: Path(p).write_text("x"), lambda p: os.chmod(os.path.dirname(p), 0o777)):
        for name in ("line", "x", "kept"):
            try:
                act(folder + "/" + name)
                print("changed", folder, name)
            except OSError: pass
try:
    for n in range(10**5): Path(f"/sockets/fill-{n}").write_text("x" * 100)
    print("LEAK filled")
except OSError: pass
"""

DAEMONS = """
import os, signal, sys, time
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for name in range(1, 65):
                try: signal.signal(name, signal.SIG_IGN)
                except (OSError, ValueError): pass
            while True: time.sleep(1)
        os._exit(0)
try: daemon()
except PermissionError as error: print(error)
for pid in (1, -1, 0):
    try: os.kill(pid, signal.SIGCONT)
    except OSError: pass
def learn_merges(*_):
    os.kill(1, signal.SIGKILL)
    return []
"""

STOPS = """
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {2, 15})
for name in (2, 15, 1, 10): signal.signal(name, signal.SIG_IGN)
def learn_merges(*_): os.kill(os.getpid(), signal.SIGSTOP)
"""

ATTACKS = (
    Attack("reads", "reads gradebook, secret, solutions, tests, other submissions, homes, /etc", MOUNTS, READS),
    Attack("proc", "/proc, ptrace, setuid, mounts, namespaces, other processes", "process and user namespaces", PROC),
    Attack("network", "TCP, UDP, DNS, HTTP, raw and host's abstract sockets", "network namespace", NETWORK),
    Attack("writes", "writes to the system, the environment, the library, the course; leaves files", READ_ONLY, WRITES),
    Attack("writes next", "reads what the student before it left", "a new /tmp, home and /dev/shm each", NEXT),
    Attack(
        "copy", "the process of which its kernel is a copy: open files, frames, memory, other processes", STEPS_IN, COPY
    ),
    Attack(
        "sockets",
        "replaces kernel sockets and the line by links, pipes, folders; fills their folder",
        READ_ONLY,
        SOCKETS,
    ),
    Attack("daemons", "processes that outlive the kernel and ignore signals", "process namespace", DAEMONS),
    Attack("stops itself", "stops its own process in a call, deaf to signals", "call limit, then a new kernel", STOPS),
)
LIMITS: dict[str, float] = {}
