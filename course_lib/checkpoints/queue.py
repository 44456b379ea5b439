"""The queue of recorded runs: it trains whatever is missing, one after the other, beside other work.

python -m course_lib.checkpoints runs

Each run is a process of its own at the lowest priority, and goes on where it was: stop the queue (Ctrl+C) or switch the
machine off at any moment and start it again. It has one thread unless OMP_NUM_THREADS says otherwise: beside other work
several threads wait for one another. What is done, running and waiting, and how many CPU hours are left, is a table
that is printed whenever it changes; --list prints it and trains nothing.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, get_args

import psutil

from course_lib.checkpoints.alone import is_made
from course_lib.checkpoints.experiments import EXPERIMENTS
from course_lib.checkpoints.recipes import RECIPES, recipe_of, run_of
from course_lib.checkpoints.recorded import about, is_recorded
from course_lib.tables import Table
from course_lib.training.checkpoint import said_of

SEEDS = range(5)
State = Literal["done", "running", "waiting", "failed"]


@dataclass(frozen=True)
class Run:
    """A line of the table: `steps` of `of` are done, at `cpu_seconds`, None where that was not recorded."""

    name: str
    state: State
    steps: int
    of: int
    cpu_seconds: float | None


def wanted(names: Iterable[str] = (), seeds: Sequence[int] = SEEDS) -> list[str]:
    """The runs of the recipes `names`, by default of all experiments: as many a recipe as there are `seeds`, its own
    seed first, so that a table of one run a row is complete early. Raises ValueError for a name that is no recipe."""
    names = list(names) or list(EXPERIMENTS)
    for name in names:
        if name not in RECIPES:
            raise ValueError(f"name must be one of {', '.join(RECIPES)}, got {name!r}")
    runs = [list(dict.fromkeys([name, *(run_of(name, seed) for seed in seeds)]))[: len(seeds)] for name in names]
    return list(dict.fromkeys(run for of_one_seed in zip(*runs, strict=True) for run in of_one_seed))


def look(name: str, folder: Path) -> Run:
    """What there is of a run: its record, or how far it is."""
    of = recipe_of(name).steps
    if is_recorded(name, folder):
        return Run(name, "done", of, of, about(name, folder).get("cpu_seconds"))
    state: State = "running" if is_made(folder, name) else "waiting"
    if not (resume := folder / f"{name}.resume").exists():
        return Run(name, state, 0, of, None)
    saved = said_of(resume)
    return Run(name, state, len(saved["losses"]), of, saved.get("cpu_seconds"))


def seconds_left(runs: Sequence[Run]) -> float | None:
    """About how many CPU seconds the runs that are not done still take; None where no run tells how long a step is.

    A step takes as long as in another run of its recipe, else the mean of all for as many tokens in a batch.
    """
    known = {run.name: run.cpu_seconds / run.steps for run in runs if run.cpu_seconds and run.steps}
    if not known:
        return None
    of_recipe = {name.partition("-")[0]: seconds for name, seconds in known.items()}
    of_token = sum(seconds / recipe_of(name).max_tokens for name, seconds in known.items()) / len(known)

    def a_step(run: Run) -> float:
        return of_recipe.get(run.name.partition("-")[0], of_token * recipe_of(run.name).max_tokens)

    return sum(a_step(run) * (run.of - run.steps) for run in runs if run.state != "done")


def table(runs: Sequence[Run]) -> Table:
    """All runs; the caption counts them and says what is left."""
    count = Counter(run.state for run in runs)
    told = ", ".join(f"{count[state]} {state}" for state in get_args(State) if count[state])
    left = seconds_left(runs)
    hours = (
        "how many CPU hours are left is not known yet" if left is None else f"about {left / 3600:.1f} CPU hours left"
    )
    rows = [
        [run.name, run.state, f"{run.steps:,} of {run.of:,}", "" if run.cpu_seconds is None else round(run.cpu_seconds)]
        for run in runs
    ]
    return Table(["run", "state", "steps", "CPU seconds"], rows, f"{told}; {hours}.")


class Queue:
    """Makes the runs `names` that have no record in `folder`, `jobs` at once; leaves to another process what it makes.

    Raises ValueError for `jobs` below 1.
    """

    def __init__(self, names: Sequence[str], folder: Path, jobs: int = 1) -> None:
        if jobs < 1:
            raise ValueError(f"jobs must be at least 1, got {jobs}")
        self.names, self.folder, self.jobs = names, folder, jobs
        self.failed: set[str] = set()
        self.processes: dict[str, psutil.Popen] = {}

    def look(self) -> list[Run]:
        """Every run as it is now."""
        runs = [look(name, self.folder) for name in self.names]
        return [replace(run, state="failed") if run.name in self.failed else run for run in runs]

    def work(self) -> None:
        """Make what is missing, until nothing is. Interrupted, it stops its processes; at most 100 steps are lost."""
        places = SimpleQueue()
        for place in range(self.jobs):
            places.put(place)
        with ThreadPoolExecutor(self.jobs) as pool:
            made = [pool.submit(self._make, run.name, places) for run in self.look() if run.state == "waiting"]
            try:
                for future in as_completed(made):
                    if future.result():
                        self._show()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(self.processes.values()):
                    process.terminate()
                raise

    def _make(self, name: str, places: SimpleQueue) -> bool:
        """Whether there was something to do."""
        if look(name, self.folder).state != "waiting":
            return False
        place = places.get()
        said = {"TQDM_DESC": name, "TQDM_POSITION": str(place)}
        env = {"OMP_NUM_THREADS": "1"} | os.environ | said
        try:
            process = self.processes[name] = psutil.Popen(command(name, self.folder), env=env, start_new_session=True)
            give_way(process)
            if process.wait():
                self.failed.add(name)
        finally:
            self.processes.pop(name, None)
            places.put(place)
        return True

    def _show(self) -> None:
        runs = self.look()
        begun = [run for run in runs if run.state in ("running", "failed") or 0 < run.steps < run.of]
        print(*([table(begun)] if begun else []), table(runs).caption, sep="\n", flush=True)


def give_way(process: psutil.Process) -> None:
    """The lowest priority. Linux counts it among the processes of a session alone, where it groups them by session
    (`man 7 sched`, autogroup): there the session of `process`, which must be its own, gets the lowest one, too."""
    with suppress(psutil.NoSuchProcess):  # it has ended already
        process.nice(psutil.IDLE_PRIORITY_CLASS if sys.platform == "win32" else 19)
    with suppress(OSError):  # no such file, or asked too soon after another
        Path(f"/proc/{process.pid}/autogroup").write_text("19")


def command(name: str, folder: Path) -> list[str]:
    """The process that makes a run."""
    return [sys.executable, "-m", "course_lib.checkpoints", name, "--to", str(folder)]


def main(names: Sequence[str], folder: Path, jobs: int, only_list: bool) -> int:
    """What the command does; returns its exit status, 1 where a run failed."""
    queue = Queue(names, folder, jobs)
    runs = queue.look()
    print(table(runs), table(runs).caption, sep="\n", flush=True)
    if not only_list:
        queue.work()
    return 1 if queue.failed else 0
