"""Layers on devices of their own, tick by tick: what is computed, what it waited for, who is idle (lecture 10)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, layer, step, word
from course_lib.systems.pipeline import Task, Timetable

PITCH, ROW, NAMES = 1.1, 0.95, 1.35  # columns of a word, rows of a layer, columns for the names of the layers
BESIDE = 0.22  # how far the two directions of a layer stand from the middle of their word


def timetable(made: Timetable, words: Sequence[str]) -> Diagram:
    """A node for each word of each layer, which comes at its tick with the number of the tick in it.

    Its equation counts the devices at work, its sentence how long devices have been idle so far. Wires lead to a node
    from what it waited for: the word before, the layer below; the context only where the top layer asks for it, and
    the bottom layer waits for that. Raises ValueError where `words` are not as many as the timetable has, and where a
    layer above the bottom one reads both ways: its wires would run under nodes.
    """
    spoken = 1 + max(each.word for each in made.work)
    if isinstance(words, str) or len(words) != spoken:
        raise ValueError(f"words must be a list of {spoken}, as in the timetable, got {words!r}")
    columns = list(dict.fromkeys(column for column, _ in made.needs))
    rows = {column: round(0.55 + ROW * (len(columns) - 1 - k), 2) for k, column in enumerate(columns)}
    both = {depth for depth, reverse in columns if reverse}
    if both - {0}:
        raise ValueError(
            f"made must have one layer at most that reads both ways, the bottom one, got {[n + 1 for n in both]}"
        )
    pitch = max(PITCH, *(word("w", text, 0, 0).size[0] + 0.1 for text in words))
    centre = [round(NAMES + pitch * (k + 0.5), 2) for k in range(len(words))]

    def node(task: Task, tick: int) -> Node:
        (depth, reverse), k = task
        beside = (BESIDE if reverse else -BESIDE) if depth in both else 0
        name = f"{_called(task[0])} at {words[k]}, tick {tick + 1}"
        size = (0.62 if depth in both else 0.9, 1)
        return layer(_id(task), str(tick + 1), round(centre[k] + beside, 2), rows[depth, reverse], name, size=size)

    bottom = round(rows[columns[0]] + 1, 2)
    story = []
    for tick in range(made.ticks):
        now = [((each.layer, each.reverse), each.word) for each in made.work if each.tick == tick]
        done = sum(each.tick <= tick for each in made.work)
        sentence = f"{_devices(made.devices - len(now))} idle. Ticks spent idle so far, added over all devices: "
        story.append(
            step(f"tick {tick + 1}: {_devices(len(now))} at work", f"{sentence}{made.devices * (tick + 1) - done}.")
        )
        if not tick:
            story += [word(f"w{k + 1}", text, centre[k], bottom) for k, text in enumerate(words)]
            story += [word(f"n{k + 1}", made.columns[k], 0.7, rows[column]) for k, column in enumerate(columns)]
        story += [node(task, tick) for task in now]
        story += [_wire(task, need, centre, pitch) for task in now for need in _drawn(made, task)]
        story += [f"w{task[1] + 1} -- {_id(task)}" for task in now if not task[0][0]]
    title = f"Who works when: {made.devices} devices, {made.ticks} ticks"
    return Diagram(title, (round(centre[-1] + pitch / 2 + 0.1, 2), round(bottom + 0.45, 2)), *story)


def _id(task: Task) -> str:
    (depth, reverse), k = task
    return f"{'b' if reverse else 'h'}{depth + 1}.{k + 1}"


def _called(column: tuple[int, bool]) -> str:
    return f"layer {column[0] + 1}" + (" from right to left" if column[1] else "")


def _devices(number: int) -> str:
    return f"{number} device{'' if number == 1 else 's'}"


def _drawn(made: Timetable, task: Task) -> list[Task]:
    """What it waited for, without a context that comes from the layer that is at work first, anyway."""
    (depth, _), k = task
    top = max(column[0] for column, _ in made.needs)
    return [
        ((other, reverse), at)
        for (other, reverse), at in made.needs[task]
        if other == depth or (other == depth - 1 and at == k) or (depth == 0 and other == top)
    ]


def _wire(task: Task, need: Task, centre: Sequence[float], pitch: float) -> str:
    if need[0][0] <= task[0][0]:
        return f"{_id(need)} -- {_id(task)}"
    return f"{_id(need)} -|-@{centre[task[1]] - pitch / 2:.2f} {_id(task)}"
