"""Cases of ps4.hard_alignment: attention between pieces that decides beyond doubt, and shows one mistake each."""

from collections.abc import Callable
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import isolating
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4 import links
from course_lib.problem_sets.ps4.links import END, EOS, table
from course_lib.problem_sets.ps4.states import count

MISTAKES = (
    (links.target_first, links.from_the_source, links.all_that_are_equal_or_more),
    (links.first_source_piece, links.last_source_piece, links.best_source_piece, links.mean_source_piece),
    (links.first_target_piece, links.last_target_piece, links.best_target_piece, links.every_target_piece),
    (links.eos_left_out, links.eos_linked, links.eos_asks),
)
OF_ALL = links.eos_above_every_piece, links.eos_of_the_first_piece, links.eos_of_the_last_piece
CLEAR = 0.02  # by how much the largest part is larger than any other: no way to add decides


def case(weights: Tensor, source: list[str], target: list[str]) -> Case:
    x, y = (
        f"{count(sum(p.endswith(END) for p in pieces), 'word')} in {count(len(pieces) - 1, 'piece')}"
        for pieces in (source, target)
    )
    return Case((weights, source, target), f"source of {x}, target of {y}")


def clear(weights: Tensor, source: list[str], target: list[str]) -> bool:
    """Whether every target word's choice, and every piece's, is beyond doubt."""
    rows = [*table(weights, source, target), *table(weights, source, [END] * len(target))]
    return all(first - second > CLEAR for first, second in (sorted(row, reverse=True)[:2] for row in rows))


shows = isolating(links.defined, [mistake for each in MISTAKES for mistake in each], case)


def spelled(rng: Random, words: int, pieces: int) -> list[str]:
    """So many words in so many pieces, then "<eos>"."""
    sizes = [1] * words
    for _ in range(pieces - words):
        sizes[rng.randrange(words)] += 1
    syllables = ["".join(rng.choice(letters) for letters in ("bdklmnt", "aeiou")) for _ in range(pieces)]
    ends = {sum(sizes[: word + 1]) - 1 for word in range(words)}
    return [syllable + END * (place in ends) for place, syllable in enumerate(syllables)] + [EOS]


def attention(rng: Random, target: list[str], source: list[str], eos: float) -> Tensor:
    """Weights whose rows add to 1; "<eos>" gets `eos` times as much as a piece."""
    rows = torch.tensor([[rng.expovariate(1) ** 2 + 0.01 for _ in source] for _ in target])
    rows[:, -1] *= eos
    return rows / rows.sum(1, keepdim=True)


def even_attention(rng: Random, target: list[str], source: list[str]) -> Tensor:
    """Weights that are nearly even but for one word's, and "<eos>" gets next to none."""
    rows = torch.tensor([[rng.uniform(0.8, 1.0) for _ in source] for _ in target])
    for row in rows:
        row[rng.randrange(len(source) - 1)] = 1.5
    rows[:, -1] *= 0.01
    return rows / rows.sum(1, keepdim=True)


def pair(
    rng: Random, size: int, more: tuple[int, int], eos: float, words: tuple[int | None, int | None] = (None, None)
) -> tuple:
    """A source and a target with up to so `more` pieces than words, and the attention between them.

    `words`: how many words the source and the target have; None: two or more.
    """
    numbers = [number or rng.randint(2, 4 + size // 4) for number in words]
    source, target = (
        spelled(rng, n, n + (extra and rng.randint(1, extra))) for n, extra in zip(numbers, more, strict=True)
    )
    return attention(rng, target, source, eos), source, target


def in_one_order(function: Callable, case: Case) -> Any:
    """The probe that looks at the links, in whatever container; how they are written down is for "words"."""
    given = function(*case.arguments)
    found = {(number(j), number(i)) for j, i in given} if pairs(given) else given
    right = links.defined(*case.arguments)
    return right if found == {(i, j) for j, i in right} else found


def as_written(function: Callable, case: Case) -> Any:
    """The probe that looks at the links as they are; raises StudentError where they are of tensors."""
    given = function(*case.arguments)
    if pairs(given) and any(is_tensor(each) for link in given for each in link):
        raise StudentError("a link holds a tensor, not a number: int(...) makes a number of it")
    return given


def pairs(value: Any) -> bool:
    """Whether it is a collection of pairs of numbers, or tensors of one."""
    return isinstance(value, (set, list, tuple)) and all(
        isinstance(each, (list, tuple)) and len(each) == 2 and all(type(number(n)) is int for n in each)
        for each in value
    )


def number(value: Any) -> Any:
    """The number in a tensor of one."""
    return value.item() if is_tensor(value) and value.numel() == 1 else value


ORDER, SOURCE, TARGET, NOTHING = MISTAKES


def draw_words(rng: Random, size: int) -> Case:
    """In turn: any numbers of words; one target word; one source word; a long source, in which no word gets 0.2."""
    wanted, draw = (
        (ORDER, lambda rng, size: pair(rng, size, (0, 0), eos=0.01)),
        (ORDER, lambda rng, size: pair(rng, size, (0, 0), eos=0.01, words=(None, 1))),
        (ORDER[:2], lambda rng, size: pair(rng, size, (0, 0), eos=0.01, words=(1, None))),
        ((*ORDER, links.more_than_a_fifth), long),
    )[size % 4]
    return shows(*wanted, free=(*ORDER, links.eos_asks), apart=False, when=clear)(draw)(rng, size)


def long(rng: Random, size: int) -> tuple:
    source, target = (spelled(rng, words, words) for words in (rng.randint(10, 12), rng.randint(2, 3)))
    return even_attention(rng, target, source), source, target


def draw_pieces(*wanted: Callable, more: tuple[int, int]) -> Callable[[Random, int], Case]:
    """Cases that show one of these mistakes after the other, the others as they come."""

    def drawn(rng: Random, size: int) -> Case:
        mistake = wanted[size % len(wanted)]
        decorate = shows(mistake, free=(*ORDER, *wanted, links.eos_asks), when=clear)
        return decorate(lambda rng, size: pair(rng, size, more, eos=0.01))(rng, size)

    return drawn


def draw_nothing(rng: Random, size: int) -> Case:
    """In turn: any numbers of words; one target word, so that there is no link at all; one source word."""
    words = ((None, None), (None, 1), (1, None))[size % 3]
    decorate = shows(*NOTHING, free=ORDER, apart=False, when=clear)
    return decorate(lambda rng, size: pair(rng, size, (0, 0), eos=2.0, words=words))(rng, size)


def draw_all(rng: Random, size: int) -> Case:
    decorate = shows(OF_ALL[size % 3], free=[mistake for each in MISTAKES for mistake in each], when=clear)
    return decorate(lambda rng, size: pair(rng, size + 4, (3, 3), eos=1.0))(rng, size)
