"""What a skeleton is made of: files in which "ps0", "running_sums" and NUMBER stand for the names that are wanted."""

from pathlib import Path

FIRST = "running_sums"  # the task that the templates write, and the name of a set's first one


def filled(template: str, name: str, task: str = FIRST) -> str:
    """The template of that name ("task.py") for the problem set "ps8", or the lecture "09_metrics", and the task."""
    text = (Path(__file__).parent / f"{template}.txt").read_text(encoding="utf-8")
    number = name.removeprefix("ps") if name.startswith("ps") else name[:2]
    names = {"ps0": name, "NUMBER": number}
    if task != FIRST:
        names |= {FIRST: task, class_name(FIRST): class_name(task), '"Running sums"': f'"{title(task)}"'}
    for stands, wanted in names.items():
        text = text.replace(stands, wanted)
    return text


def class_name(task: str) -> str:
    """ "RunningSums" for "running_sums"."""
    return "".join(word.capitalize() for word in task.split("_"))


def title(task: str) -> str:
    """ "Running sums" for "running_sums"."""
    return task.replace("_", " ").capitalize()
