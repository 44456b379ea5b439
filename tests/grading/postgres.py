"""A PostgreSQL of our own: in a temporary folder, without rights, reached by a socket there and by no network."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

DEBIAN = "/usr/lib/postgresql/*/bin"  # where its packages put the programs, outside PATH


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs; None where there is no PostgreSQL."""
    found = sorted(Path("/").glob(f"{DEBIAN[1:]}/initdb"))
    path = shutil.which("initdb")
    return found[-1].parent if found else Path(path).resolve().parent if path else None


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The URL of an empty database on a server that ends with the block."""
    bin, root = programs(), Path(tempfile.mkdtemp(prefix="pg-"))  # a short path: a socket's name has 107 bytes at most
    as_user = {}
    if os.getuid() == 0:  # which initdb refuses
        as_user = {"user": "nobody", "group": "nogroup"}
        shutil.chown(root, **as_user)

    def run(program: str, *arguments: str) -> None:
        with open(root / f"{program}.log", "ab") as log:
            command = [bin / program, "-D", root / "data", *arguments]
            done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **as_user)
        assert done.returncode == 0, (root / f"{program}.log").read_text()

    try:
        run("initdb", "--username=course", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        run("pg_ctl", "start", "--wait", "-o", f"-k {root} -c listen_addresses='' -c fsync=off -c jit=off")
        try:
            yield f"postgresql+psycopg://course@/postgres?host={root}"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=immediate")
    finally:
        shutil.rmtree(root, ignore_errors=True)
