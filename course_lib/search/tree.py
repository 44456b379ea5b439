"""The tree that a beam search walks: every continuation that was weighed, and what became of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.search.beam import Candidates, beam
from course_lib.search.hypothesis import Hypothesis, Normalise, plain
from course_lib.seq2seq.protocol import Model

Fate = Literal["kept", "finished", "pruned"]


@dataclass(frozen=True)
class Node:
    """One continuation: a word after its parent."""

    number: int  # in the order in which they were weighed; parents come before children
    parent: int | None  # the parent's number; None: the start of the sentence
    depth: int  # how many words
    word: int
    log_prob: float  # of this word after the parent
    log_probability: float  # of all words so far
    fate: Fate


@dataclass(frozen=True)
class BeamTree:
    """A beam search of one sentence: its nodes, step after step, and its outputs.

    `beams` holds the numbers of the nodes in the beam after each step; with finished="in_beam" the finished ones too.
    """

    beam_size: int
    finished: str
    stop: str
    max_length: int
    eos: int
    steps: tuple[tuple[Node, ...], ...]
    beams: tuple[tuple[int, ...], ...]
    outputs: tuple[Hypothesis, ...]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, each at the place of its number."""
        return tuple(node for step in self.steps for node in step)

    def path(self, number: int) -> tuple[Node, ...]:
        """The nodes from the start of the sentence to this one."""
        node = self.nodes[number]
        return (*(() if node.parent is None else self.path(node.parent)), node)

    def words(self, number: int) -> tuple[int, ...]:
        """All words from the start of the sentence to this node."""
        return tuple(node.word for node in self.path(number))

    def leaf(self, output: Hypothesis) -> int:
        """The node that an output ends in."""
        number = None
        for word in (*output.words, *[self.eos] * output.finished):
            number = next(node.number for node in self.nodes if (node.parent, node.word) == (number, word))
        return number


def beam_tree(
    model: Model,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    max_length: int,
    beam_size: int = 2,
    *,
    n_best: int | None = None,
    finished: str = "aside",
    stop: str = "count",
    enough: int | None = None,
    normalise: Normalise = plain,
    prefix: Sequence[int] = (),
) -> BeamTree:
    """`beam` of one sentence with all it weighed: of each hypothesis the k likeliest next words, and what was kept.

    A node is "kept" (it goes on), "finished" (it ended in eos among the best k) or "pruned". In the beam a finished
    hypothesis is carried on as itself, without a new node. Raises ValueError for more than one sentence, and as `beam`.
    """
    if len(source) != 1:
        raise ValueError(f"source must hold one sentence, got {len(source)}")
    steps: list[tuple[Node, ...]] = []
    beams: list[tuple[int, ...]] = []
    living: list[int | None] = [None] + [-1] * (beam_size - 1)  # the node of each place in the beam; −1: none
    ended: set[int] = set()
    made = 0

    def watch(candidates: Candidates) -> None:
        nonlocal living, made
        words, log_probs, totals = (x[0].tolist() for x in (candidates.words, candidates.log_probs, candidates.totals))
        following = len(words[0])
        order, kept = candidates.order[0].tolist(), candidates.kept[0].tolist()
        goes_on = {order[rank] for rank in kept}
        ends = {place for place in order[:beam_size] if words[place // following][place % following] == model.eos_id}
        nodes, at = [], {}
        for parent, name in enumerate(living):
            for rank in range(following):
                place = parent * following + rank
                shown = rank < beam_size or place in goes_on or place in ends
                if name == -1 or not shown or totals[parent][rank] == -math.inf:
                    continue
                if name in ended:  # itself once more
                    at[place] = name
                    continue
                fate = "finished" if place in ends else "kept" if place in goes_on else "pruned"
                nodes.append(
                    Node(made, name, len(steps) + 1, words[parent][rank], log_probs[parent][rank],
                         totals[parent][rank], fate)
                )  # fmt: skip
                at[place], made = made, made + 1
        steps.append(tuple(nodes))
        ended.update(node.number for node in nodes if node.word == model.eos_id)
        living = [at.get(order[rank], -1) for rank in kept]
        beams.append(tuple(number for number in living if number != -1))

    outputs = beam(
        model, source, source_mask, max_length, beam_size, n_best=beam_size if n_best is None else n_best,
        finished=finished, stop=stop, enough=enough, normalise=normalise, prefix=prefix, watch=watch,
    )[0]  # fmt: skip
    return BeamTree(
        beam_size, finished, stop, max_length, model.eos_id, tuple(steps), tuple(beams), tuple(outputs)
    )  # fmt: skip
