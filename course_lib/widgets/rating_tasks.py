"""What a rating form asks, one task a screen, in an order that hides the systems."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_ITEMS, MOST_SYSTEMS, MOST_RANKED = 200, 12, 5


@dataclass(frozen=True)
class RatedItem:
    """A sentence to judge outputs of: by its `source`, its `reference`, or both. `outputs` maps a system to its text.

    Raises TypeError and ValueError for a name that is neither a string nor a whole number, for no source and no
    reference, and for no or too many outputs. An empty output is one like others.
    """

    item: str | int
    outputs: Mapping[str, str]
    source: str = ""
    reference: str = ""

    def __post_init__(self):
        if not isinstance(self.item, str | int) or isinstance(self.item, bool):
            raise TypeError(f"item must be a string or a whole number, got {self.item!r:.40}")
        if not isinstance(self.outputs, Mapping):
            raise TypeError(f"outputs of item {self.item!r} must map systems to texts, got {self.outputs!r:.40}")
        for name, text in (("source", self.source), ("reference", self.reference), *self.outputs.items()):
            if not isinstance(name, str) or not isinstance(text, str):
                raise TypeError(f"{name!r} of item {self.item!r} must be a string, got {text!r:.40}")
        if not (self.source.strip() or self.reference.strip()):
            raise ValueError(f"item {self.item!r} must have a source or a reference, got neither")
        if not 1 <= len(self.outputs) <= MOST_SYSTEMS:
            raise ValueError(f"item {self.item!r} must have 1 to {MOST_SYSTEMS} outputs, got {len(self.outputs)}")


@dataclass(frozen=True)
class Task:
    """A screen: one output, or in a ranking all outputs of an item, whose `systems` the reader does not see."""

    item: RatedItem
    systems: tuple[str, ...]

    @property
    def shown(self) -> dict:
        """What the front end gets of it."""
        outputs = [self.item.outputs[system] for system in self.systems]
        return {"source": self.item.source, "reference": self.item.reference, "outputs": outputs}


def rated_items(items: Sequence[RatedItem | Mapping]) -> list[RatedItem]:
    """Items as `RatedItem`; of a dict without "item" the number in the list is its name.

    Raises as `RatedItem`, and ValueError for no or too many items, two of one name, and an unknown field.
    """
    if not 1 <= len(items) <= MOST_ITEMS:
        raise ValueError(f"items must be 1 to {MOST_ITEMS}, got {len(items)}")
    made, may = [], ("item", "source", "reference")
    for number, item in enumerate(items):
        if isinstance(item, Mapping):
            if "outputs" not in item or set(item) - {"outputs", *may}:
                names = ", ".join(map(str, item)) or "nothing"
                raise ValueError(f"items[{number}] must have outputs, and may have {', '.join(may)}; got {names}")
            item = RatedItem(**({"item": number} | dict(item)))
        if not isinstance(item, RatedItem):
            raise TypeError(f"items[{number}] must be a RatedItem or a dict, got {type(item).__name__}: {item!r:.40}")
        made.append(item)
    names = [item.item for item in made]
    if twice := sorted({repr(name) for name in names if names.count(name) > 1}):
        raise ValueError(f"items must have different names, got twice: {', '.join(twice)}")
    return made


def shuffled_tasks(items: Sequence[RatedItem], scale: str, rater: str, round: int) -> list[Task]:
    """The screens in this rater's order of this round: the same whenever it is asked for, with another first item in
    each round.

    Raises ValueError where a ranking has fewer than 2 or more than 5 outputs.
    """
    if scale == "ranking":
        for item in items:
            if not 2 <= len(item.outputs) <= MOST_RANKED:
                raise ValueError(f"item {item.item!r} must have 2 to {MOST_RANKED} outputs, got {len(item.outputs)}")
    order = _shuffled(items, scale, rater, round)
    if round > 1 and len(order) > 1:
        before = shuffled_tasks(items, scale, rater, round - 1)[0]
        others = (k for k, task in enumerate(order) if task.item != before.item)
        first = next(others, int(order[0] == before))
        order = order[first:] + order[:first]
    return order


def _shuffled(items: Sequence[RatedItem], scale: str, rater: str, round: int) -> list[Task]:
    chance = random.Random(f"{scale} {round} {rater}")
    if scale == "ranking":
        made = [Task(item, tuple(chance.sample(list(item.outputs), len(item.outputs)))) for item in items]
    else:
        made = [Task(item, (system,)) for item in items for system in item.outputs]
    chance.shuffle(made)
    return made
