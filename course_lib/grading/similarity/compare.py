"""How much of one code stands in another: winnowed fingerprints of the code with its names left aside (copydetect).

Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", 2003. Every run of LENGTH
letters is a fingerprint, so nothing depends on the seed of Python's hashes. Comments, spaces and names do not count.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from course_lib.extras import needs

with needs("similarity"):
    from copydetect import CodeFingerprint, compare_files
    from copydetect.utils import get_token_coverage

LENGTH = 16  # letters of a fingerprint, each name one letter
WHOLE = 0.4  # the share of all tasks from which on a pair is listed
SINGLE = 0.9  # the share of one task's code, where that has
LEAST = 200  # letters
PART = 0.3  # the share from which on a task of a listed pair is shown
SOLUTION = "the solution of the course"


@dataclass(frozen=True)
class Same:
    """One task of two students: the share of each code that stands in the other, and both as (text, same?) parts."""

    task: str
    shares: tuple[float, float]
    codes: tuple[list[tuple[str, bool]], list[tuple[str, bool]]]


@dataclass(frozen=True)
class Pair:
    """Two students whose code is alike. `share` is the larger share of one's code that stands in the other's.

    `open` is the part of what is the same that stands in the solution of the course, too: anybody could read that.
    """

    students: tuple[str, str]
    share: float
    open: float
    tasks: tuple[Same, ...]


def fingerprint(code: str, given: frozenset[int] = frozenset()) -> CodeFingerprint:
    """The fingerprints of a code without those of what was `given`."""
    made = CodeFingerprint("code.py", LENGTH, 1, fp=io.StringIO(code))
    made.hashes = made.hashes - given
    made.hash_idx = {key: places for key, places in made.hash_idx.items() if key in made.hashes}
    made.token_coverage = get_token_coverage(made.hash_idx, LENGTH, len(made.filtered_code))
    return made


def pairs(
    works: Mapping[str, Mapping[str, str]], given: str = "", solution: Mapping[str, str] | None = None
) -> list[Pair]:
    """The pairs of `works` {student: {task: code}} that are alike, the most alike first.

    `given` is what everybody received, which does not count; `solution` {task: code} is one more of the compared.
    """
    known = frozenset(fingerprint(given).hashes) if given else frozenset()
    others = {SOLUTION: solution} if solution else {}
    prints = {
        student: {task: fingerprint(code, known) for task, code in codes.items()}
        for student, codes in (dict(works) | others).items()
    }
    found = [_pair(one, other, prints) for one, other in combinations(sorted(prints), 2)]
    return sorted(filter(None, found), key=lambda pair: (-pair.share, pair.students))


def _pair(one: str, other: str, prints: dict) -> Pair | None:
    """The pair, if it is to be listed."""
    left, right = prints[one], prints[other]
    tasks = [task for task in left if task in right]
    alike = [0, 0]  # letters
    shown, single = [], False
    for task in tasks:
        a, b = left[task], right[task]
        if len(a.hashes & b.hashes) < PART * min(len(a.hashes), len(b.hashes)) or not (a.hashes and b.hashes):
            continue
        _, shares, slices = compare_files(a, b)
        shares = tuple(float(min(share, 1.0)) for share in shares)
        sizes = (float(a.token_coverage), float(b.token_coverage))
        alike = [sum_ + share * size for sum_, share, size in zip(alike, shares, sizes, strict=True)]
        single = single or (max(shares) >= SINGLE and min(sizes) >= LEAST)
        if max(shares) >= PART:
            codes = (_parts(a.raw_code, slices[0]), _parts(b.raw_code, slices[1]))
            shown.append(Same(task, shares, codes))
    sizes = [sum(float(each[task].token_coverage) for task in tasks) for each in (left, right)]
    enough = sizes[0] >= LEAST and sizes[1] >= LEAST
    share = max((part / size for part, size in zip(alike, sizes, strict=True) if size), default=0.0)
    if not (single or (enough and share >= WHOLE)):
        return None
    return Pair((one, other), share, _open(left, right, prints.get(SOLUTION, {})), tuple(shown))


def _open(left: dict, right: dict, solution: dict) -> float:
    """The share of the common fingerprints that the solution has, too."""
    common = [(task, each) for task in left if task in right for each in left[task].hashes & right[task].hashes]
    told = sum(task in solution and each in solution[task].hashes for task, each in common)
    return told / len(common) if common else 0.0


def _parts(code: str, slices) -> list[tuple[str, bool]]:
    """The code cut where a part that is the same begins or ends."""
    parts, place = [], 0
    for begin, end in sorted(zip(*slices.astype(int).tolist(), strict=True)):
        begin, end = max(begin, place), min(max(end, place), len(code))
        parts += [(code[place:begin], False), (code[begin:end], True)]
        place = end
    return [(text, same) for text, same in [*parts, (code[place:], False)] if text]
