"""Which installed packages the sandbox sees: those that the problem sets need, and what these need in turn."""

import site
import sys
import sysconfig
from functools import lru_cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NEEDED = (
    "ipykernel",
    "torch",
    "numpy",
    "matplotlib",
    "tqdm",
    "ipywidgets",
)  # the kernel itself, and what a submission may import
UNUSED = {"debugpy"}  # ipykernel names it, imports it where it is there, and does without it


def sites() -> list[Path]:
    """The folders in which packages are installed: this environment's, and that of the Python it is made of."""
    own = [sysconfig.get_path(kind) for kind in ("purelib", "platlib")]
    base = [str(path) for prefix in {sys.prefix, sys.base_prefix} for path in site.getsitepackages([prefix])]
    debian = ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3/dist-packages"]
    return [Path(path) for path in dict.fromkeys([*own, *base, *debian]) if Path(path).is_dir()]


@lru_cache(maxsize=1)
def needed() -> dict[str, Distribution]:
    """The distributions of NEEDED and all that they require here, by name."""
    found: dict[str, Distribution] = {}
    waiting = list(NEEDED)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found or name in UNUSED:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # required under conditions that do not hold here
        for line in found[name].requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return found


@lru_cache(maxsize=1)
def visible() -> list[str]:
    """Every file or folder of those distributions, directly in a folder of packages."""
    found = {}
    for each in needed().values():
        folder = Path(each.locate_file(""))
        for name in {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
            if (folder / name).exists():
                found[str(folder / name)] = None
    return sorted(found)


@lru_cache(maxsize=1)
def absent() -> list[str]:
    """Modules that can be imported here and not in the sandbox."""
    there = {Path(path).name.partition(".")[0] for path in visible()} | {"course_lib"}
    return sorted(name for name in packages_distributions() if name.isidentifier() and name not in there)
