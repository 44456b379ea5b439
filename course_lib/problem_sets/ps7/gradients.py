"""Gradients that are numbers, wherever a padded place holds none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_lib.grading.cases.training import OF, has_nan, training
from course_lib.grading.task import Case, Parts


@dataclass(frozen=True)
class numbers(training):
    """The probe `training`, which excuses no gradient that is NaN somewhere."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        gradients = [each for name, each in got.items() if name.startswith(OF)] if isinstance(got, Parts) else []
        return got if has_nan(gradients) else super().excuse(function, case, expected, got)
