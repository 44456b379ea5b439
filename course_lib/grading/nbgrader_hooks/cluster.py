"""Workers that are processes of a cluster of dask.distributed, on whatever machines.

A submission and what it is graded with travel as data, its graded notebook comes back: no folder is shared, and a
worker needs nothing but the course, installed as here, and a sandbox. Both are looked at before it gets a submission.
A worker that ends is missed within LOOK seconds; one whose machine or network goes silent, when the scheduler gives it
up (Dask's `distributed.scheduler.worker-ttl`, 5 minutes). One that comes later is used, too.
"""

import contextlib
import functools
import logging
import platform
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from course_lib.extras import needs
from course_lib.grading.isolation import leftovers
from course_lib.grading.isolation.sandbox_check import probe
from course_lib.grading.nbgrader_hooks import material
from course_lib.grading.nbgrader_hooks.at_once import AtOnce, CannotGrade, Work

with needs("cluster"):
    from distributed import Client

LOOK = 1.0  # seconds between two looks at which workers there are
BEGIN = 30.0  # seconds in which the scheduler has to answer
DECIDE = ("torch", "numpy")  # packages by which a computed number may differ
HERE = ("localhost", "127.0.0.1", "::1")
BEGAN_WITH = material.course()  # a worker lives long: its course may be changed under it

one_at_a_time = threading.Lock()  # in a worker's process: its kernels serve one submission


class Connection(Client):
    """A client that leaves nothing behind where the scheduler does not answer: Dask's would try to say goodbye."""

    def __init__(self, *arguments, **more) -> None:
        try:
            super().__init__(*arguments, **more)
        except BaseException:
            self.status = "closed"
            raise


class Machine:
    """A slot: a worker of the cluster, by its address."""

    def __init__(self, client: Client, address: str, work: Work, material: Any) -> None:
        self.address, self.work, self.material = address, work, material
        self.executor = client.get_executor(workers=[address], pure=False)

    def run(self, submitted: Any) -> Future:
        return self.executor.submit(alone, self.work, self.material, submitted)


class Cluster(AtOnce):
    """A submission at a time for each worker of the cluster that can grade; the others are named in the log.

    Where there is no worker, or those that could grade are lost, it waits for one.

    Raises CannotGrade where the scheduler does not answer, has another version of the course, or has workers of
    which none can grade.
    """

    seconds = LOOK

    def __init__(self, scheduler: str, work: Work, material: Any, trusted: bool, log: logging.Logger) -> None:
        super().__init__()
        self.scheduler, self.log, self.told, self.met = scheduler, log, False, False
        self.slot = functools.partial(Machine, work=work, material=material)
        self.fit = functools.partial(unfit, versions(), trusted)
        self.machines: dict[str, Machine | None] = {}  # by address; None: it cannot grade
        if not private(scheduler):
            log.warning(
                "%s is not encrypted: whoever is on the network may read what travels, and give orders", scheduler
            )
        try:
            self.client = Connection(scheduler, timeout=BEGIN, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # nobody there, no such protocol, no certificate
            raise CannotGrade(f"The scheduler {scheduler} does not answer: {error}") from None
        try:
            reason = self.client.run_on_scheduler(differences, versions())
        except Exception as error:  # noqa: BLE001  Dask makes one of its own of it, or not
            reason = absent(error)
        if reason:
            self.close()
            raise CannotGrade(f"The scheduler {scheduler} does not fit: {reason}")

    def look(self) -> None:
        """Use workers that came, miss those that went."""
        there = self._there()
        for future, (_, machine) in list(self.running.items()):
            if machine.address not in there:
                future.cancel()
        self.idle = [machine for machine in self.idle if machine.address in there]
        self.machines = {address: machine for address, machine in self.machines.items() if address in there}
        if new := sorted(there - self.machines.keys()):
            self._meet(new)
        if any(self.machines.values()) or self.running:
            self.told = False
        elif self.machines and not self.met:
            raise CannotGrade(f"None of the workers of {self.scheduler} can grade: the log above says why.")
        elif not self.told:
            self.told = True
            self.log.warning("%s has no worker that grades: waiting for one", self.scheduler)

    def _there(self) -> set[str]:
        """The addresses of all workers; raises CannotGrade where the scheduler is gone."""
        with contextlib.suppress(OSError, RuntimeError):
            if self.client.status == "running":
                return set(self.client.nthreads())
        raise CannotGrade(
            f"The scheduler {self.scheduler} is gone. What was graded is kept: the same command goes on from there."
        )

    def _meet(self, addresses: list[str]) -> None:
        """Ask new workers whether they can grade."""
        for address, reason in self.client.run(self.fit, workers=addresses, on_error="return").items():
            if isinstance(reason, OSError):  # it has gone already
                continue
            reason = absent(reason) if isinstance(reason, Exception) else reason
            self.machines[address] = None if reason else self.slot(self.client, address)
            if reason:
                self.log.warning("The worker %s does not grade: %s", address, reason)
            else:
                self.log.info("The worker %s grades", address)
                self.idle.append(self.machines[address])
                self.met = True  # if it is lost, it may come again

    def replace(self, slot: Machine) -> None:
        """It is gone; another one may come."""
        self.machines.pop(slot.address, None)

    def close(self) -> None:
        """Leave the cluster: a submission that is at work there is of no use any more."""
        with contextlib.suppress(OSError, RuntimeError):
            self.client.close(timeout=BEGIN)


@contextlib.contextmanager
def cluster(scheduler: str, work: Work, material: Any, trusted: bool, log: logging.Logger) -> Iterator[Cluster]:
    """The workers of `scheduler`, left when the block ends."""
    with contextlib.closing(Cluster(scheduler, work, material, trusted, log)) as made:
        yield made


def private(scheduler: str) -> bool:
    """Whether what is sent to this address is encrypted, or stays on this machine."""
    address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    return address.scheme == "tls" or address.hostname in HERE


def alone(work: Work, material: Any, submitted: Any) -> Any:
    """In a worker: what comes of a submission, after another one's that it still has."""
    with one_at_a_time:
        return work(material, submitted)


def unfit(expected: dict[str, str], trusted: bool) -> str | None:
    """In a worker: why it cannot grade; None if it can."""
    if reason := differences(expected):
        return reason
    if material.course() != BEGAN_WITH:
        return "its course was changed after it had begun. Start it again"
    leftovers.sweep()
    report = probe()
    return str(report) if report.problem and not trusted else None


def versions() -> dict[str, str]:
    """What a grade is computed with."""
    installed = {name: version(name).partition("+")[0] for name in DECIDE}
    return {"the course": material.course().hex()[:12], "Python": platform.python_version()} | installed


def differences(expected: dict[str, str]) -> str | None:
    """What is otherwise here than where the gradebook is."""
    here = versions()
    other = [
        f"{name} is {here[name]} there, {expected[name]} here" for name in expected if here[name] != expected[name]
    ]
    return f"{'; '.join(other)}. Install the same on all machines" if other else None


def absent(error: Exception) -> str:
    """What is said where our question cannot be read."""
    return f"the course is not installed there as it is here ({error})"
