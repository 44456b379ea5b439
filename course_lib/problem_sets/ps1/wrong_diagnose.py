"""The diagnosis of an encoder as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import lru_cache

from course_lib.problem_sets.ps1.wrong_apply_merges import defined as in_training_order
from course_lib.problem_sets.ps1.wrong_apply_merges import first_only, late_marker, left_to_right, longest_piece
from course_lib.problem_sets.ps1.wrong_learn_merges import marked
from course_lib.subwords.pairs import Pair

Observed = list[tuple[str, list[str]]]
Encoder = Callable[[str, list[Pair]], list[str]]
Encoders = dict[str, Encoder]


def remembering(encode: Encoder) -> Encoder:
    """`encode`, that does each word once: every version of the diagnosis asks for the same pieces."""
    pieces = lru_cache(maxsize=4096)(encode)
    return lambda word, merges: list(pieces(word, tuple(merges)))


ENCODERS: Encoders = {
    "none": remembering(in_training_order),
    "longest match": remembering(longest_piece),
    "left to right": remembering(left_to_right),
    "late marker": remembering(late_marker),
    "first only": remembering(first_only),
}
FAULTS = list(ENCODERS)[1:]


def explaining(merges: list[Pair], observed: Observed, encoders: Encoders = ENCODERS) -> list[str]:
    """The names that explain every observation."""
    return [
        name for name, encode in encoders.items() if all(encode(word, merges) == pieces for word, pieces in observed)
    ]


def defined(merges: list[Pair], observed: Observed) -> str:
    return explaining(merges, observed)[0]


def first_word(merges: list[Pair], observed: Observed) -> str:
    return defined(merges, observed[:1])


def last_word(merges: list[Pair], observed: Observed) -> str:
    return defined(merges, observed[-1:])


def first_wrong_word(merges: list[Pair], observed: Observed) -> str:
    wrong = [(word, pieces) for word, pieces in observed if ENCODERS["none"](word, merges) != pieces]
    return defined(merges, wrong[:1])


def lengths_only(merges: list[Pair], observed: Observed) -> str:
    numbers = {name: lambda word, merges, encode=encode: len(encode(word, merges)) for name, encode in ENCODERS.items()}
    return explaining(merges, [(word, len(pieces)) for word, pieces in observed], numbers)[0]


def always_a_fault(merges: list[Pair], observed: Observed) -> str:
    return max(FAULTS, key=lambda name: sum(name in explaining(merges, [each]) for each in observed))


def one_pass(word: str, merges: list[Pair]) -> list[str]:
    pieces = []
    for symbol in marked(word):
        if pieces and (pieces[-1], symbol) in merges:
            pieces[-1] += symbol
        else:
            pieces.append(symbol)
    return pieces


def sweeps(word: str, merges: list[Pair]) -> list[str]:
    pieces, before = [*marked(word)], []
    while before != pieces:
        before, i = list(pieces), 0
        while i < len(pieces) - 1:
            if (pieces[i], pieces[i + 1]) in merges:
                pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            else:
                i += 1
    return pieces


def passing_once(merges: list[Pair], observed: Observed) -> str:
    return next(iter(explaining(merges, observed, ENCODERS | {"left to right": one_pass})), "none")


def sweeping(merges: list[Pair], observed: Observed) -> str:
    return next(iter(explaining(merges, observed, ENCODERS | {"left to right": sweeps})), "none")


def any_word(merges: list[Pair], observed: Observed) -> str:
    return next(name for name in ENCODERS if any(name in explaining(merges, [each]) for each in observed))


def emptied(merges: list[Pair], observed: Observed) -> str:
    name = defined(merges, observed)
    observed.clear()
    return name
