"""Arguments that a call must leave as they were."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts


def leaving(names: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the result, and at the arguments, which `names` names, as the call leaves them."""

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        seen, after = Parts({"the result": student(*case.arguments)}), student.leaves(case.arguments)
        if not isinstance(after, (list, tuple)) or len(after) != len(names.split()):
            raise StudentError(f"the arguments after the call are {kind(after)}")
        return Parts(seen | {f"{n}, after the call,": a for n, a in zip(names.split(), after, strict=True)})

    return probe
