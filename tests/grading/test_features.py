"""Cases decide by construction: under every secret those of a criterion, all together, show each of its features."""

import pytest

from course_lib.grading import seeds
from course_lib.grading.registry import problem_set
from course_lib.grading.task import Case, Criterion

from .each_task import group
from .features import lacking, tables
from .measure.secrets import secret

KEYS = [secret(number) for number in range(200)]


def message(name: str, criterion: str, missing: dict[str, int], count: int) -> str:
    """What is lacking where: "ps7.plan_batches/padding lacks 'a pair that is left out' under 12 of 200 secrets"."""
    return "\n".join(
        f"{name}/{criterion} lacks {feature!r} under {times} of {count} secrets" for feature, times in missing.items()
    )


@pytest.mark.parametrize(
    ("name", "criterion", "features", "secrets"),
    [
        pytest.param(*row, marks=group(problem_set(row[0].partition(".")[0]).task(row[0])), id=f"{row[0]}-{row[1]}")
        for row in tables()
    ],
)
def test_the_cases_of_a_criterion_show_each_of_its_features(name, criterion, features, secrets):
    asked = problem_set(name.partition(".")[0]).task(name).criterion(criterion)
    hidden = lacking(name, asked, features, KEYS[:secrets], asked.graded)
    assert not hidden, message(name, criterion, hidden, secrets)
    visible = lacking(name, asked, features, [seeds.PUBLIC], asked.visible)
    assert not visible, f"of the visible cases: {message(name, criterion, visible, 1)}"


def test_a_feature_that_some_secrets_do_not_show_is_counted():
    by_chance = Criterion("chance", 1, "", lambda rng, size: Case((rng.random(), size), ""))
    features = {"a small number": lambda number, size: number < 0.5, "the third case": lambda number, size: size == 2}
    assert 0 < lacking("toy", by_chance, features, KEYS, 3)["a small number"] < 200
    assert lacking("toy", by_chance, features, KEYS, 2)["the third case"] == 200
    assert lacking("toy", by_chance, features, KEYS, 60) == {}
