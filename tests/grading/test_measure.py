"""A sample of what the commands in `measure` measure whole: right work earns all, wrong work loses, hints are true."""

from itertools import islice

import pytest

from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Task

from .each_task import each, nothing_forbidden
from .measure import hints, mutation, secrets
from .measure.chosen import tasks
from .measure.secrets import losses

TASKS = [nothing_forbidden(task) for name in names() for task in problem_set(name).tasks]
SECRETS = range(2)  # the first ones, as in test_tasks.py: their cases are drawn once for all
MUTANTS, VARIANTS = 30, 8  # of each task, and as many again at most
each_task = each(TASKS)


def sample(items: list, count: int) -> list:
    """`count` of the items, evenly spread."""
    return list(islice(items, 0, None, max(1, len(items) // count)))


@each_task
def test_no_honest_way_to_compute_loses_anything_under_any_secret(task: Task):
    assert not losses(task, SECRETS)


def test_what_was_tried_holds_until_a_file_that_the_problem_set_imports_changes():
    read = {str(path.relative_to(secrets.ROOT)) for path in secrets.imported("course_lib.problem_sets.ps1")}
    assert {"course_lib/grading/trial.py", "course_lib/grading/compare.py", "course_lib/subwords/bpe.py"} <= read
    assert not any(path.startswith(("course_lib/widgets", "course_lib/recurrent")) for path in read)


def test_a_run_over_secrets_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    kept, asked, (task, *_) = tmp_path / "kept.json", [], problem_set("ps2").tasks

    def losses(task, numbers):
        asked.append(numbers)
        if numbers == [2] and len(asked) == 3:
            raise KeyboardInterrupt
        return [f"loss {number}" for number in numbers]

    monkeypatch.setattr(secrets, "losses", losses)
    with pytest.raises(KeyboardInterrupt):
        secrets.tried(task, 4, kept)
    found = secrets.tried(task, 4, kept)
    assert found == [f"loss {number}" for number in range(4)] == secrets.tried(task, 4, kept)
    assert asked == [[0], [1], [2], [2], [3]]
    monkeypatch.setattr(secrets, "code", lambda name: "another")
    assert len(secrets.tried(task, 1, kept)) == 1, "other code: tried anew"


def test_a_command_is_told_of_sets_and_tasks():
    of_ps2 = problem_set("ps2").tasks
    assert tasks(["ps2", "ps2.gru_cell"]) == [*of_ps2, next(t for t in of_ps2 if t.name == "ps2.gru_cell")]
    with pytest.raises(ValueError, match="a task must be one of ps2.lstm_cell, .*, got 'ps2.lstm'"):
        tasks(["ps2.lstm"])


@each_task
def test_a_changed_solution_fails_a_visible_case_or_is_argued_to_be_right(task: Task):
    survivors = [f"{found}: {m.place}" for found, m in mutation.open_cases(task, sample(mutation.of(task), MUTANTS))]
    assert not survivors


@each_task
def test_what_is_argued_to_be_right_is_a_mutant_that_there_is(task: Task):
    listed = {key[1:] for key in mutation.argued(task.name.partition(".")[0]) if key[0] == task.name}
    assert listed <= {mutant.place for mutant in mutation.of(task)}


@each_task
def test_no_hint_is_false(task: Task):
    tried = sample(list(hints.variants(task, most=6, pairs=3)), 2 * VARIANTS)
    counts, false = hints.table(task, sample(tried, VARIANTS), SECRETS[1:])
    assert not false and sum(count["rightly"] for count in counts.values())


def test_a_false_hint_would_be_found():
    """A mistake that shows on large cases only is taken for another by small ones: the table must say so."""
    from .toy_task import TASK, off_by_one

    def mostly(numbers):
        return off_by_one(numbers) if numbers[0] != 9 else sum(numbers)

    counts, false = hints.table(TASK, [hints.Variant("trap", "mostly", mostly)])
    assert counts["trap"]["wrongly"] + counts["trap"]["unnamed"] == 1
