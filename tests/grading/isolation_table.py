"""`python -m tests.grading.isolation_table` prints every attack and the points that it gained.

--only python,line   these runs alone
--stock              the same through nbgrader as it comes, to attacks/stock.json: by hand, on a machine that may suffer
"""

import argparse
import contextlib
import json
import tempfile
from pathlib import Path

from .attacks import RUNS
from .attacks.attack import Attack
from .attacks.run import AFTER, BEFORE, FEW, Run, beside_each_other, prepare

STOCK = Path(__file__).parent / "attacks" / "stock.json"


def rows(name: str, run: Run, stock: dict[str, dict[str, float | None]]) -> list[str]:
    """The table's rows of one run, in Markdown."""
    there = stock.get(name, {})

    def shown(points: float | None) -> str:
        return "waits" if points is None else f"{points:+g}"

    def made(attack: Attack) -> str:
        return "" if run.ran(attack) else ", but not made"

    return [
        f"| {attack.name} | {attack.tries} | {attack.limit} | {shown(run.gained(attack))}{made(attack)} "
        f"| {shown(there[attack.name]) if attack.name in there else '-'} |"
        for attack in RUNS[name].ATTACKS
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(RUNS))
    parser.add_argument("--stock", action="store_true")
    chosen = parser.parse_args()
    if chosen.stock:
        from .attacks import stock

        stock.record(chosen.only.split(","), STOCK)
        return
    recorded = json.loads(STOCK.read_text())["gained"] if STOCK.exists() else {}
    print("| attack | what it tries | what keeps it from succeeding | points gained | stock nbgrader |\n|-|-|-|-|-|")
    names = chosen.only.split(",")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="isolation-")))
        prepared = prepare(folder / "prepared", tasks=FEW)
        runs = stack.enter_context(beside_each_other(prepared, names, folder))
        for name in names:
            show(name, runs[name].result(), recorded)


def show(name: str, run: Run, recorded: dict[str, dict[str, float | None]]) -> None:
    """Print the table's rows of one run, and how it went."""
    print("\n".join(rows(name, run, recorded)), flush=True)
    honest = [run.outcomes[student].points for student in (BEFORE, AFTER)]
    cost = f"{run.seconds:.0f} s, at most {run.memory_mb} MB, exit code {run.code}"
    print(f"| *{name}* | {cost} | honest students: {honest} of {run.full:g} | | |")


if __name__ == "__main__":
    main()
