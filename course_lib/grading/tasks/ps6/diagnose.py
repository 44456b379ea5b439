"""ps6.diagnose: what a Transformer lacks, told from what it gives for changed inputs."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Criterion, Misconception, Parts, Task
from course_lib.grading.tasks.ps6 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps6.translators import Runs, defined, draw, draw_several


def reference(runs: Runs) -> set[str]:
    """The faults, named in FAULTS, of the Transformer that gave these outputs."""
    return found(runs)


def found(runs: Runs) -> set[str]:
    """What may not do the student's work."""
    return defined(runs)


def about(fault: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at nothing but whether this fault is in the result."""

    def probe(function: Callable, case: Case) -> Parts:
        said = function(*case.arguments)
        if not isinstance(said, set):
            raise StudentError(f"it returned {kind(said)}, expected is a set")
        return Parts({f"{fault!r} in the result": fault in said})

    return probe


def one(name: str, fault: str, points: float, says: str) -> Criterion:
    """The criterion that asks for one fault, whatever else is reported."""
    return Criterion(name, points, f"{fault!r}, {says}", draw(fault), visible=4, graded=8, probe=about(fault))


TASK = Task(
    name="ps6.diagnose",
    title="What does this Transformer lack?",
    reference=reference,
    criteria=(
        one("source", "source order", 0.5, "where the source has no positions."),
        one("target", "target order", 1, "where the target has no positions."),
        one("causal", "causal", 0.5, "where the causal mask is missing."),
        one("padding", "padding", 0.5, "where padding of the source is not hidden."),
        one("scale", "scale", 0.5, "where scores are divided by anything but √d_k, or by nothing."),
        Criterion("several", 1, "Several of them, all, or none.", draw_several, visible=5, graded=8),
    ),
    misconceptions=(
        Misconception(
            "a change with the order taken for a fault",
            wrong.order_taken_for_change,
            "source",
            "You report 'source order' where the outputs change with the order of the source. They should: 'Dog bites "
            "man' is another sentence than 'Man bites dog'.",
        ),
        Misconception(
            "all rows compared",
            wrong.all_rows,
            "target",
            "You compare all rows. Rows 0 and 1 belong to other words after the exchange: only those after them tell.",
        ),
        Misconception(
            "rows exchanged back, and all compared",
            wrong.exchanged_back,
            "target",
            "You put rows 0 and 1 back, and compare all. With a causal mask the word in front sees less than before: "
            "only the rows after both tell.",
        ),
        Misconception(
            "the cut target taken for its order",
            wrong.last_row,
            "target",
            "You look for positions of the target in the target that was cut. It tells of the causal mask.",
        ),
        Misconception(
            "the last rows compared with the cut target",
            wrong.last_rows_of_the_cut,
            "causal",
            "You compare the cut target's rows with the last rows. What is left are its first words.",
        ),
        Misconception(
            "no change taken for a missing mask",
            wrong.cut_the_same,
            "causal",
            "You report 'causal' where the outputs stay the same when later words are cut off. That is right: no word "
            "may look at them.",
        ),
        Misconception(
            "the exchange taken for a missing mask",
            wrong.exchange_for_causal,
            "causal",
            "You report 'causal' where rows after the exchanged words change. They may: they look back.",
        ),
        Misconception(
            "no change taken for missing padding",
            wrong.padding_the_same,
            "padding",
            "You report 'padding' where the outputs stay the same with padding behind the source. That is right.",
        ),
        Misconception(
            "only undivided scores found",
            wrong.undivided_only,
            "scale",
            "You find 'scale' only where nothing is divided. It can also be another number than √d_k.",
        ),
        Misconception(
            "rows that add to 1",
            wrong.rows_that_add_to_one,
            "scale",
            "Your test for 'scale' is whether rows add to 1. They always do: compute the weights from queries and "
            "keys.",
        ),
        Misconception(
            "d_k of all heads together",
            wrong.by_all_heads,
            "scale",
            "You divide by the root of the width of all heads together. d_k is the width of one: the last axis.",
        ),
        Misconception(
            "equal to the last bit",
            wrong.to_the_bit,
            "source",
            "You take a difference in the last bits for a fault: allow for rounding.",
        ),
        Misconception(
            "source and target exchanged",
            wrong.sides_exchanged,
            "source",
            "You report 'source order' for 'target order', and the other way round.",
        ),
        Misconception(
            "one fault only",
            wrong.only_the_first,
            "several",
            "You stop at the first fault that you find. There can be several: return them all.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
