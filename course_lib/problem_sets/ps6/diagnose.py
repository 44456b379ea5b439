"""ps6.diagnose: what a Transformer lacks, told from what it gives for changed inputs."""

from course_lib.grading.cases.faults import about
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps6 import wrong_diagnose as wrong
from course_lib.problem_sets.ps6.translators import Runs, defined, draw, draw_several


def reference(runs: Runs) -> set[str]:
    """The faults, named in FAULTS, of the Transformer that gave these outputs."""
    return found(runs)


def found(runs: Runs) -> set[str]:
    """What may not do the student's work."""
    return defined(runs)


def one(name: str, fault: str, points: float, says: str, cases: tuple[int, int] = (4, 8)) -> Criterion:
    """The criterion that asks for one fault, whatever else is reported; so many visible and graded `cases`."""
    visible, graded = cases
    return Criterion(name, points, f"{fault!r}, {says}", draw(fault), visible, graded, probe=about(fault))


def never(fault: str, criterion: str, asks: str) -> Misconception:
    """A fault that is not seen where it is."""
    return Misconception(
        f"{fault!r} never named",
        wrong.never(fault),
        criterion,
        f"You name {fault!r} in no case, though it is there in some. {asks}",
    )


def always(fault: str, criterion: str, asks: str) -> Misconception:
    """A fault that is seen where it is not."""
    return Misconception(
        f"{fault!r} always named",
        wrong.always(fault),
        criterion,
        f"You name {fault!r} in every case, though it is not there in all. {asks}",
    )


ROUNDING = "Do you allow for rounding?"

TASK = Task(
    name="ps6.diagnose",
    title="What does this Transformer lack?",
    reference=reference,
    criteria=(
        one("source", "source order", 0.5, "where the source has no positions."),
        one("target", "target order", 1, "where the target has no positions."),
        one("causal", "causal", 0.5, "where the causal mask is missing."),
        one("padding", "padding", 0.5, "where padding of the source is not hidden."),
        one("scale", "scale", 0.5, "where scores are divided by anything but √d_k, or by nothing.", (10, 10)),
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
            "numbers compared exactly",
            wrong.exact,
            "source",
            "You name 'causal', 'padding' and 'scale' in every case, the other two in none. This happens if numbers "
            f"are compared exactly. {ROUNDING}",
            constant=True,
        ),
        never("source order", "source", f"It is there where the order changes no output. {ROUNDING}"),
        always("source order", "source", "It is not there where another order of the source changes the outputs."),
        never(
            "target order",
            "target",
            "Which rows do you look at? Rows 0 and 1 belong to other words after the exchange, and change in any case: "
            f"only those after them tell. {ROUNDING}",
        ),
        always(
            "target order",
            "target",
            "It is not there where the exchange changes the rows after both words. The target that was cut does not "
            "tell of it.",
        ),
        Misconception(
            "'target order' found without a causal mask only",
            wrong.exchanged_back,
            "target",
            "You find 'target order' only where the causal mask is missing, too. Do you look at rows 0 and 1? With a "
            "causal mask the word in front sees less than the other: only the rows after both tell.",
        ),
        never(
            "causal", "causal", "It is there where the rows of the cut target are not the first rows of the outputs."
        ),
        always(
            "causal",
            "causal",
            "Where the mask is there, the rows of the cut target are the first rows of the outputs, but for rounding. "
            "Do you compare these, and allow for rounding?",
        ),
        Misconception(
            "no change taken for a missing mask",
            wrong.cut_the_same,
            "causal",
            "You report 'causal' where the outputs stay the same when later words are cut off. They should stay the "
            "same: no word may look at words after it.",
        ),
        Misconception(
            "not all rows",
            wrong.first_row,
            "causal",
            "You do not find 'causal' where only a later row of the cut target is another one: there the mask comes a "
            "word too late. Do you compare all rows of the cut target?",
        ),
        Misconception(
            "the exchange taken for a missing mask",
            wrong.exchange_for_causal,
            "causal",
            "You report 'causal' where rows after the exchanged words change. They may: they look back.",
        ),
        never("padding", "padding", "It is there where padding behind the source changes the outputs."),
        always("padding", "padding", f"It is not there where padding changes no output. {ROUNDING}"),
        Misconception(
            "no change taken for missing padding",
            wrong.padding_the_same,
            "padding",
            "You report 'padding' where the outputs stay the same with padding behind the source. They should stay "
            "the same: nothing may look at padding.",
        ),
        never(
            "scale",
            "scale",
            "Do you compute the weights from queries and keys, and compare? That the rows of the weights add to 1 "
            "tells nothing: they always do.",
        ),
        always(
            "scale",
            "scale",
            "Where it is not there, the weights are the softmax of Q K^⊤ / √d_k over the keys, but for rounding. Do "
            "you compare them with that, and allow for rounding?",
        ),
        Misconception(
            "only undivided scores found",
            wrong.undivided_only,
            "scale",
            "You find 'scale' only where nothing is divided. It can also be another number than √d_k.",
        ),
        Misconception(
            "the first head only",
            wrong.first_head,
            "scale",
            "You do not find 'scale' where the first head is right and another is not. Do you look at all heads?",
        ),
        Misconception(
            "the first query only",
            wrong.of_query(0),
            "scale",
            "You do not find 'scale' where the first query's products are all alike. Do you look at all queries?",
        ),
        Misconception(
            "the last query only",
            wrong.of_query(-1),
            "scale",
            "You do not find 'scale' where the last query's products are all alike. Do you look at all queries?",
        ),
        Misconception(
            "weights that are a little wrong",
            wrong.mean_difference,
            "scale",
            "You do not find 'scale' where a few weights are wrong by 0.01 to 0.05. Do you take the mean of all "
            "differences, or allow for more? The largest one tells.",
        ),
        Misconception(
            "d_k of all heads together",
            wrong.by_all_heads,
            "scale",
            "You expect scores divided by √d_model, the root of the width of all heads together. d_k is the width of "
            "one: the last axis of queries and keys.",
        ),
        Misconception(
            "source and target exchanged",
            wrong.sides_exchanged,
            "source",
            "You report 'source order' for 'target order', and the other way round.",
        ),
        Misconception(
            "one fault at most",
            wrong.only_the_first,
            "several",
            "You never name more than one fault. There can be several: do you go on after the first that you find?",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
