"""Cases of ps3.shift, and how its three tensors are looked at."""

from collections.abc import Callable
from random import Random
from typing import Any

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import Probe, called, dtypes_of
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.task import Case, Parts

VALUES = "source target_in target_out"
TARGETS = ("target_in", "target_out")


def draw(rng: Random, several: bool, reverse: bool) -> Case:
    """One pair, or three of which each side has other lengths; a word may occur twice, also in a row."""
    pad, bos, eos, *words = rng.sample(range(1, 12), 9)
    lengths = [rng.sample(range(2, 7), 3) for _ in range(2)] if several else [[rng.randint(2, 5)]] * 2
    if several:
        while max(lengths[0]) == max(lengths[1]):
            lengths = [rng.sample(range(1, 7), 3) for _ in range(2)]

    def sentence(n: int) -> list[int]:
        first, last = rng.sample(words, 2)  # read from its end it is another
        return [first, *rng.choices(words, k=n - 2), last] if n > 1 else [first]

    pairs = [(sentence(n), sentence(m)) for n, m in zip(*lengths, strict=True)]
    sizes = " and ".join(f"{n} → {m}" for n, m in zip(*lengths, strict=True))
    words_of = f"{len(pairs)} pair{'s' * several} of {sizes} words" + ", source reversed" * reverse
    return Case((pairs, pad, bos, eos, reverse), words_of)


def one(reverse: bool) -> Callable[[Random, int], Case]:
    return lambda rng, size: draw(rng, False, reverse)


def draw_several(rng: Random, size: int) -> Case:
    return draw(rng, True, False)


def draw_several_reversed(rng: Random, size: int) -> Case:
    return draw(rng, True, True)


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three tensors, whatever their dtype and however much is padded."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, VALUES.split())
        return Parts((name, without_padding(as_ids(values[name]), case.arguments[1])) for name in wanted.split())

    return probe


def input_and_dtypes(function: Callable, case: Case) -> Parts:
    """The probe that looks at target_in, and at the dtypes of all three tensors."""
    values = called(function, case.arguments, VALUES.split())
    return Parts(looking_at("target_in")(function, case) | dtypes_of(values))


def as_ids(value: Any) -> Any:
    """A tensor of whole numbers in any dtype as one of ids; anything else as it is."""
    return value.long() if is_tensor(value) and bool((value == value.long()).all()) else value


def without_padding(value: Any, pad: int) -> Any:
    """A batch of rows without the last columns in which nothing but `pad` stands."""
    while is_tensor(value) and value.dim() == 2 and value.shape[1] and bool((value[:, -1] == pad).all()):
        value = value[:, :-1]
    return value


def beside_itself_alone(wanted: str, narrow: bool = False) -> Probe:
    """The probe that compares each row of a batch with what the same pair gives alone: only padding is added.

    `narrow`: and no column of nothing but padding.
    """

    def probe(function: Callable, case: Case) -> Parts:
        pairs, *rest = case.arguments
        batch = rows_of(function, case.arguments)
        empty = {name: all(row and row[-1] == rest[0] for row in batch[name]) for name in wanted.split() if narrow}
        seen = Parts((f'"the last column of {name} is nothing but padding"', there) for name, there in empty.items())
        for b, pair in enumerate(pairs):
            alone = rows_of(function, ([pair], *rest))
            for name in wanted.split():
                row, (own,) = batch[name][b], alone[name]
                seen[f'"row {b} of {name} begins with the row that this pair alone gives"'] = row[: len(own)] == own
                seen[f"what the batch adds to row {b} of {name}"] = row[len(own) :]
        return seen

    return probe


def source_alone_changes(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words of the source, and whether the rest is what it is without reversing."""
    *given, _ = case.arguments
    n = len(given[0][0][0])
    there, back = (rows_of(function, (*given, reverse)) for reverse in (True, False))
    targets = {f'"{name} is the same as without reversing"': there[name] == back[name] for name in TARGETS}
    behind = {
        '"behind the words of source stands what stands there without reversing"': there["source"][0][n:]
        == back["source"][0][n:]
    }
    return Parts({"the words of source": there["source"][0][:n], **behind, **targets})


def rows_of(function: Callable, arguments: tuple) -> dict[str, list[list[int]]]:
    """The rows of the three tensors; raises StudentError for what is none, has other rows than pairs, or no ids."""
    values = called(function, arguments, VALUES.split())
    for name, value in values.items():
        if not is_tensor(value) or value.dim() != 2 or len(value) != len(arguments[0]):
            raise StudentError(f"{name} is {kind(value)}, not a tensor with a row for each pair")
        if as_ids(value).is_floating_point():
            raise StudentError(f"{name} holds numbers that are not whole: no ids")
    return {name: as_ids(value).tolist() for name, value in values.items()}
