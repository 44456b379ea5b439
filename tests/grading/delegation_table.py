"""`python -m tests.grading.delegation_table` prints the ways to have a library do the work, and how many are caught."""

import tempfile
from pathlib import Path
from types import ModuleType

from .attacks import delegation, delegation_ps2, delegation_ps4
from .attacks.run import Run, copied, grade, prepare

SETS = (delegation, delegation_ps2, delegation_ps4)


def graded(module: ModuleType, folder: Path) -> Run:
    """A run of nbgrader over that module's ways, in a new course."""
    prepared = prepare(folder / "prepared", module.PROBLEM_SET)
    return grade(copied(prepared, folder / "course", module.LIMITS), module.ATTACKS, module.PROBLEM_SET)


def main() -> None:
    print("| set | way | what it does | what it meets | points gained |\n|-|-|-|-|-|")
    caught = 0
    for module in SETS:
        with tempfile.TemporaryDirectory(prefix="delegation-") as folder:
            run = graded(module, Path(folder))
        for attack in module.ATTACKS:
            gained = run.gained(attack)
            caught += gained == 0
            print(
                f"| {module.PROBLEM_SET} | {attack.name} | {attack.tries} | {attack.limit} | {gained:+g} |", flush=True
            )
    pasted = delegation.ALLOWED
    print(f"| {delegation.PROBLEM_SET} | {pasted.name} | {pasted.tries} | {pasted.limit} | all |")
    ways = sum(len(module.ATTACKS) for module in SETS)
    print(f"\ncaught: {caught} of {ways}; pasted source is not delegation, and earns its points")


if __name__ == "__main__":
    main()
