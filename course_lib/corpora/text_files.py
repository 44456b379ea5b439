"""Your own text: plain, gzip, tab-separated or a pair of files, one sentence a line."""

import codecs
import gzip
import warnings
import zlib
from collections.abc import Iterable
from pathlib import Path

GZIP = b"\x1f\x8b"  # no UTF-8 text begins with these bytes
UTF16 = "UTF-16 text: iconv -f utf-16 -t utf-8 {path} > new_file"
OTHERS = {  # how a file begins that is no UTF-8 text -> what it is, and what to do
    b"PK\x03\x04": "a zip archive: unpack it (unzip {path}) and read the file inside",
    b"BZh": "a bzip2 file: unpack it (bunzip2 --keep {path}), or compress it with gzip",
    b"\xfd7zXZ\x00": "an xz file: unpack it (unxz --keep {path}), or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "a zstandard file: unpack it (unzstd {path}), or compress it with gzip",
    codecs.BOM_UTF16_LE: UTF16,
    codecs.BOM_UTF16_BE: UTF16,
}


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, plain or gzip (told by its first bytes), without their line ends.

    Only "\\n" and "\\r\\n" end a line: U+2028, U+0085 and form feeds are part of the sentence. A byte-order mark is
    dropped, and the last line may lack its line end. Raises ValueError naming file and line where a byte is not UTF-8,
    with what to do; where a gzip file is damaged; and for other archives and UTF-16.
    """
    data = Path(path).read_bytes()
    if data.startswith(GZIP):
        try:
            data = gzip.decompress(data)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path}: damaged gzip file ({error})") from error
    for beginning, advice in OTHERS.items():
        if data.startswith(beginning):
            raise ValueError(f"{path}: expected UTF-8 text, plain or gzip, but this is {advice.format(path=path)}")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise ValueError(
            f"{path}, line {line}: a zero byte, so this is no UTF-8 text; it may be {UTF16.format(path=path)}"
        )
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8 ({error.reason}). Find out which "
            f"encoding the file has (an editor shows it; on Windows it is often windows-1252), and write it anew: "
            f"iconv -f ENCODING -t utf-8 {path} > new_file"
        ) from error
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def read_pairs(source: str | Path, target: str | Path) -> list[tuple[str, str]]:
    """Line i of `source` with line i of `target`, both as `read_lines` reads them.

    Pairs with an empty side are left out, and a warning says how many. Raises ValueError where the files have unequal
    numbers of lines.
    """
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise ValueError(
            f"parallel files must have equally many lines: {source} has {len(sources)}, {target} {len(targets)}"
        )
    return _both_sides(zip(sources, targets, strict=True), f"{source} and {target}")


def read_tsv(path: str | Path, columns: tuple[int, int] = (0, 1)) -> list[tuple[str, str]]:
    """The (source, target) pairs of a tab-separated file: `columns` are counted from 0, quotes are plain characters.

    Further columns are ignored; pairs with an empty side are left out, and a warning says how many. Raises ValueError
    naming the line that has too few columns.
    """
    if len(columns) != 2 or min(columns) < 0:
        raise ValueError(f"columns must be two indices from 0, got {columns}")
    rows = [line.split("\t") for line in read_lines(path)]
    for number, row in enumerate(rows, start=1):
        if len(row) <= max(columns) and row != [""]:
            raise ValueError(f"{path}, line {number}: expected at least {max(columns) + 1} columns, got {len(row)}")
    return _both_sides(((row[columns[0]], row[columns[1]]) if row != [""] else ("", "") for row in rows), str(path))


def _both_sides(pairs: Iterable[tuple[str, str]], where: str) -> list[tuple[str, str]]:
    """The pairs with text on both sides; the rest counted in a warning that names the first one's line."""
    kept, empty = [], []
    for number, (source, target) in enumerate(pairs, start=1):
        if source.strip() and target.strip():
            kept.append((source, target))
        else:
            empty.append(number)
    if empty:
        warnings.warn(
            f"{where}: left out {len(empty)} of {len(kept) + len(empty)} pairs that are empty on one side or both, "
            f"the first in line {empty[0]}",
            stacklevel=3,
        )
    return kept
