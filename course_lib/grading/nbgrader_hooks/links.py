"""Whose a file is that stands in several folders by hard links: its first receipt says so, and without one a person."""

import hashlib
import os
from pathlib import Path

from course_lib.files import write_atomically

RECEIVED = "received"  # the folder of clean notebooks, made at work
RECEIPT = ".receipt-{set}"  # in it, beside a student's notebooks: the hash of the file that was received last


def refusal(path: Path, about: os.stat_result, data: bytes) -> str | None:
    """Why `path`, a file in submitted/<student>/<set>/ that has other names as well, is not taken; None if it is.

    Which of the names came first no file system tells. It is the file of who handed in these bytes in an earlier run;
    else, where students have accounts of their own, of whose account it is; else neither of the two is graded until a
    person has removed one.
    """
    folder = path.parent.resolve()
    submitted, root = folder.parents[1], folder.parents[2]
    others = []
    for other in (*root.glob("*/*/*.ipynb"), *root.glob("*/*/*/*.ipynb")):
        if other.relative_to(root).parts[1:] == (*folder.parts[-2:], path.name):  # itself, or somebody keeps a copy
            continue
        elsewhere = not other.is_relative_to(folder.parent) and other.resolve() == other  # no link by a name
        if elsewhere and os.path.samestat(other.lstat(), about):
            if not other.is_relative_to(submitted):
                return f"{path.name} is a hard link to a notebook of the course"
            others.append(other.parent)
    whose = [each for each in (folder, *others) if had(each, data)]
    if not whose:
        whose = [each for each in (folder, *others) if each.stat().st_uid == about.st_uid]
        whose = whose if len(whose) == 1 else []
    if not others or folder in whose:
        return None
    if whose:
        return f"{path.name} is a hard link to another submission"
    return f"{path.name} is one file with another submission's, by a hard link: a person has to say whose it is"


def had(folder: Path, data: bytes) -> bool:
    """Whether these bytes are what was last received from `folder`, submitted/<student>/<set>."""
    try:
        return receipt(folder.parents[2] / RECEIVED / folder.parent.name / folder.name).read_text() == digest(data)
    except (OSError, ValueError):
        return False


def give_receipt(target: Path, data: bytes) -> None:
    """Note that these bytes were received for `target`, received/<student>/<set>."""
    with write_atomically(receipt(target)) as file:
        file.write(digest(data))


def receipt(target: Path) -> Path:
    """Where the receipt lies: beside the folder, for what lies in it is copied to autograded/."""
    return target.with_name(RECEIPT.format(set=target.name))


def digest(data: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(data).hexdigest()
