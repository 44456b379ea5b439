"""Tests as on two older processors, which this one can play.

    python -m tests.processors [pytest's arguments]

Another processor adds up in another order and has other kernels, and what rests on trained networks must hold there
too: without arguments, the lectures and the tests of whatever computes with torch. The settings are those of x86.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PROCESSORS = {  # the instructions that torch's own code, oneDNN, MKL and numpy's OpenBLAS may use
    "AVX2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
    },
    "SSE": {
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
}
TESTS = Path(__file__).parent


def as_on(settings: Mapping[str, str]) -> dict[str, str]:
    """This process's environment, for a process that is to compute as on the processor with these settings."""
    return os.environ | settings | {"OMP_NUM_THREADS": "1"}


def resting_on_torch() -> list[str]:
    """The lectures, and every test module that imports torch or the checkpoints."""
    imports = re.compile(r"\b(import|from) (torch|.*checkpoints)")
    modules = [path for path in sorted(TESTS.glob("test_*.py")) if imports.search(path.read_text(encoding="utf-8"))]
    return [str(path) for path in (*modules, TESTS / "notebooks")]


def main(arguments: Sequence[str]) -> int:
    """pytest as on each of the processors; how many of the runs failed."""
    failed = 0
    for name, settings in PROCESSORS.items():
        print(f"as on a processor with {name}:", *(f"{key}={value}" for key, value in settings.items()), flush=True)
        command = [sys.executable, "-m", "pytest", *(arguments or resting_on_torch())]
        failed += subprocess.run(command, env=as_on(settings)).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
