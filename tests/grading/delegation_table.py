"""`python -m tests.grading.delegation_table` prints the ways to have a library do the work, and how many are caught."""

import tempfile
from pathlib import Path

from .attacks import delegation
from .attacks.run import Run, grade, prepare


def caught(run: Run) -> int:
    """How many ways earned nothing."""
    return sum(run.gained(attack) == 0 for attack in delegation.ATTACKS)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="delegation-") as folder:
        run = grade(prepare(Path(folder) / "course", delegation.LIMITS), delegation.ATTACKS)
    print("| way | what it does | what it meets | points gained |\n|-|-|-|-|")
    for attack in delegation.ATTACKS:
        print(f"| {attack.name} | {attack.tries} | {attack.limit} | {run.gained(attack):+g} |")
    pasted = delegation.ALLOWED
    print(f"| {pasted.name} | {pasted.tries} | {pasted.limit} | all |")
    print(
        f"\ncaught: {caught(run)} of {len(delegation.ATTACKS)}; pasted source is not delegation, and earns its points"
    )


if __name__ == "__main__":
    main()
