"""What the cases of a criterion must show: tests/problem_sets/psN/features.py says it, test_features.py counts it.

`FEATURES` there maps (task, criterion) to the features, each a name and a predicate over the arguments of one case;
`SECRETS`, if it is there, says of tasks whose cases take long to draw under how many secrets, of the 200, they are.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from random import Random

from course_lib.grading import seeds
from course_lib.grading.registry import names
from course_lib.grading.task import Criterion

from .measure.honest import PROBLEM_SETS

Features = dict[str, Callable[..., bool]]  # "a pair that is left out" → a predicate over a case's arguments


def tables() -> Iterable[tuple[str, str, Features, int]]:
    """Each criterion that has features: "ps7.plan_batches", "padding", the features, the number of secrets."""
    for name in names():
        if find_spec(path := f"{PROBLEM_SETS}.{name}.features") is None:
            continue
        module = import_module(path)
        secrets = getattr(module, "SECRETS", {})
        for (task, criterion), features in module.FEATURES.items():
            yield f"{name}.{task}", criterion, features, secrets.get(task, 200)


def lacking(task: str, criterion: Criterion, features: Features, keys: Iterable[bytes], count: int) -> Counter[str]:
    """The features that none of the first `count` cases shows under some key, each with the number of these keys."""
    missing: Counter[str] = Counter()
    for key in keys:
        seed, unseen = seeds.seed(key, task, criterion.name), features
        for size in range(count):  # no more cases are drawn than it takes to see every feature
            arguments = criterion.draw(Random(f"{seed}/{size}"), size).arguments
            unseen = {name: shown for name, shown in unseen.items() if not shown(*arguments)}
            if not unseen:
                break
        missing.update(unseen.keys())
    return missing
