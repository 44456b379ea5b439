"""ps2.diagnose: which faults a layer has, told from what it gives for sentences that were chosen to tell it."""

from itertools import combinations

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps2 import wrong_diagnose as wrong
from course_lib.problem_sets.ps2.runs import draw, one
from course_lib.problem_sets.ps2.wrong_diagnose import Run


def reference(alone: Run, changed: Run, batch: Run) -> set[str]:
    """The faults, named in TESTS, of the layer that gave these runs of one sentence.

    It is read alone, with another first token, and as row 1 of a batch.
    """
    return found(alone, changed, batch)


def found(*runs: Run) -> set[str]:
    """What may not do the student's work."""
    return wrong.defined(*runs)


FAULTS = ("padding", "final", "memory", "leak")
SEVERAL = [  # no leak shows in a layer without memory
    faults for count in (2, 3) for faults in combinations(FAULTS, count) if not {"memory", "leak"} <= {*faults}
]

TASK = Task(
    name="ps2.diagnose",
    title="What is wrong with this layer?",
    reference=reference,
    criteria=(
        Criterion(
            "padding",
            1,
            "'padding', where outputs at padding are not 0.",
            draw(one("padding", 5), True, partly=lambda size: size % 5 > 2),
            10,
            20,
        ),
        Criterion(
            "final",
            1,
            "'final', where a final state is not that after the last token.",
            draw(one("final", 5), True),
            10,
            20,
        ),
        Criterion(
            "memory",
            1,
            "'memory', where an output depends on its own token only.",
            draw(one("memory", 1), False, apart=lambda size: size % 4 == 2),
            4,
        ),
        Criterion(
            "leak",
            1,
            "'leak', where a sentence depends on its company.",
            draw(one("leak", 1), False, rounds=True, partly=lambda size: size // 4 % 2 == 1),
            8,
        ),
        Criterion(
            "several",
            0.5,
            "Several faults at once.",
            draw(
                lambda size: SEVERAL[size % len(SEVERAL)],
                pads=True,
                rounds=True,
                partly=lambda size: size // len(SEVERAL) % 2 == 1,
            ),
            visible=2 * len(SEVERAL),
            graded=4 * len(SEVERAL),
        ),
        Criterion(
            "arguments",
            0.5,
            "The runs are afterwards as they were.",
            draw(lambda size: ("padding",), True),
            4,
            probe=leaving("alone changed batch"),
        ),
    ),
    misconceptions=(
        Misconception(
            "final compared with the last column",
            wrong.last_column,
            "padding",
            "You compare the final state with the output in the last column: a shorter sentence has padding there.",
        ),
        Misconception(
            "only the first sentence looked at",
            wrong.first_sentence,
            "final",
            "You look at the first sentence's final state only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "only the second sentence's final state looked at",
            wrong.second_sentence,
            "final",
            "You look at the final state of row 1 only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "only the first sentence's padding looked at",
            wrong.first_padding,
            "padding",
            "You look at the padding of row 0 only. Any sentence of the batch may be padded.",
        ),
        Misconception(
            "the second sentence's final state not looked at",
            wrong.all_but_second,
            "final",
            "You look at the final states of rows 0 and 2 only. Row 1 may be padded, too.",
        ),
        Misconception(
            "only the last column's padding looked at",
            wrong.last_padding,
            "padding",
            "You look at the last column's padding only. Every output behind a sentence's end should be 0.",
        ),
        Misconception(
            "only the first token compared",
            wrong.first_token,
            "leak",
            "You compare the first token's outputs only. What leaks may come in later: compare all tokens.",
        ),
        Misconception(
            "one number that stays is enough",
            wrong.any_number_stays,
            "memory",
            "You report 'memory' where one number stays as it was. A unit can have weights that carry it no state: "
            "without memory all later outputs stay.",
        ),
        Misconception(
            "memory not looked at",
            wrong.never_memory,
            "memory",
            "You never report 'memory'. What changes, in a layer that carries its state, behind another first token?",
        ),
        Misconception(
            "the changed token itself compared",
            wrong.changed_itself,
            "memory",
            "You compare the output at the changed token, too, which differs in every layer. Look behind it.",
        ),
        Misconception(
            "equal to the last bit",
            wrong.to_the_bit,
            "leak",
            "You take a difference in the last bits for a fault. A batch is summed otherwise: allow for rounding.",
        ),
        Misconception(
            "padding compared as well",
            wrong.with_padding,
            "padding",
            "You call it a leak where only outputs at padding differ. Compare the sentence's own tokens.",
        ),
        Misconception(
            "one fault only",
            wrong.only_the_first,
            "several",
            "You stop at the first fault that you find. A layer can have several: return them all.",
        ),
        Misconception(
            "outputs overwritten",
            wrong.overwritten,
            "arguments",
            "You set the outputs of the batch to 0. The runs belong to the caller: make new tensors.",
        ),
    ),
    forbidden=(f"{__name__}.found",),
)
