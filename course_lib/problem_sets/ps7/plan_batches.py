"""ps7.plan_batches: batches of pairs of similar length within a budget of tokens (Vaswani et al. 2017, section 5.1)."""

from functools import partial

from course_lib.corpora.batches import Batches
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Criterion, Task
from course_lib.problem_sets.ps7 import lengths as drawn
from course_lib.problem_sets.ps7.mistakes_plan_batches import MISTAKES
from course_lib.problem_sets.ps7.wrong_plan_batches import Length, Plan
from course_lib.subwords.vocabulary import Vocabulary


def reference(lengths: list[Length], max_tokens: int) -> Plan:
    """The batches of the course's plan, where it takes equally long pairs in random order: here in their own order."""
    order = sorted((i for i, pair in enumerate(lengths) if max(pair) <= max_tokens), key=lambda i: (key(lengths[i]), i))
    ids = [([0] * (source - 1), [0] * (target - 1)) for source, target in (lengths[i] for i in order)]  # without eos
    plan = Batches(ids, max_tokens, Vocabulary([])).plan(0)
    sides = sorted(([key(lengths[order[i]]) for i in batch] for batch in plan), key=lambda b: (b[0], b[-1], -len(b)))
    batches, rest = [], iter(order)
    for batch in sides:
        batches.append([next(rest) for _ in batch])
    padding = sum(
        len(b) * (max(t for _, t, _ in b) + max(s for *_, s in b)) - sum(t + s for _, t, s in b) for b in sides
    )
    return batches, padding


def key(pair: Length) -> tuple[int, int, int]:
    """What pairs are sorted by."""
    source, target = pair
    return max(pair), target, source


Few = partial(Criterion, visible=4, graded=6, probe=drawn.batches)

TASK = Task(
    name="ps7.plan_batches",
    title="Batches by length",
    reference=reference,
    criteria=(
        Few(
            "order",
            1,
            "Short pairs first, by the length of the longer side.",
            drawn.draw_order,
            probe=drawn.in_order,
        ),
        Few(
            "ties",
            0.5,
            "Of equal ones by the target, then by the source, then as they came.",
            drawn.draw_ties,
            probe=drawn.in_order,
        ),
        Few(
            "budget",
            1,
            "A batch ends where the next pair does not fit, padding counted.",
            alternate(*map(drawn.draw_budget, drawn.BUDGET)),
            visible=6,
            graded=12,
        ),
        Few(
            "sides",
            1,
            "Neither side over the budget.",
            alternate(*map(drawn.draw_sides, drawn.SIDES)),
            visible=6,
            graded=9,
        ),
        Few(
            "too_long",
            0.5,
            "Pairs that fit into no batch are left out.",
            alternate(*map(drawn.draw_long, drawn.LONG)),
            visible=12,
            graded=12,
        ),
        Few("padding", 0.5, "The number of padded places.", drawn.draw_padding, probe=drawn.padding),
        Few(
            "arguments",
            0.5,
            "The list is afterwards as it was.",
            drawn.draw_changes,
            probe=leaving("lengths max_tokens"),
        ),
    ),
    misconceptions=MISTAKES,
    forbidden=("course_lib.corpora.batches.Batches.__init__",),
)
