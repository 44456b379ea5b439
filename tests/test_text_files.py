"""Reading text: line ends, byte-order marks, gzip, and errors that name the place."""

import bz2
import gzip
import lzma
import warnings
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.corpora.text_files import read_lines, read_pairs, read_tsv


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    "data, lines",
    [
        (b"", []),
        (b"\n", [""]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        ("a\u2028b\u0085c\x0bd\x0ce\x1cf\rg\n", ["a\u2028b\u0085c\x0bd\x0ce\x1cf\rg"]),
    ],
)
def test_only_newlines_end_a_line(tmp_path, data, lines):
    assert read_lines(write(tmp_path / "text", data)) == lines


sentences = st.lists(st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"])), max_size=20)


@given(lines=sentences, end=st.sampled_from(["\n", "\r\n"]), zipped=st.booleans(), mark=st.booleans())
def test_what_was_written_is_read(tmp_path_factory, lines, end, zipped, mark):
    data = "".join(line + end for line in lines).encode()
    if mark or data.startswith(b"\xef\xbb\xbf"):
        data = b"\xef\xbb\xbf" + data
    path = write(tmp_path_factory.mktemp("text") / "lines", gzip.compress(data) if zipped else data)
    assert read_lines(path) == lines


def test_an_encoding_error_names_file_and_line(tmp_path):
    path = write(tmp_path / "latin.txt", b"eins\nzwei\ngr" + b"\xfc\xdfe\nvier\n")
    with pytest.raises(ValueError, match=r"latin\.txt, line 3: byte 0xfc is not UTF-8"):
        read_lines(path)


def test_an_encoding_error_behind_a_byte_order_mark_and_gzip(tmp_path):
    path = write(tmp_path / "latin.gz", gzip.compress(b"\xef\xbb\xbfone\n\xe9t\xe9\n"))
    with pytest.raises(ValueError, match=r"latin\.gz, line 2: byte 0xe9"):
        read_lines(path)


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ("Satz\n".encode("utf-16"), "UTF-16 text: iconv -f utf-16 -t utf-8 .*mine > new_file"),
        ("Satz\n".encode("utf-16-be"), "line 1: a zero byte, .* UTF-16 text: iconv -f utf-16"),
        (bz2.compress(b"Satz\n"), "bzip2 file: unpack it .bunzip2 --keep .*mine"),
        (lzma.compress(b"Satz\n"), "xz file: unpack it"),
        (b"\x28\xb5\x2f\xfd$\x05)\0\0Satz\n", "zstandard file: unpack it"),
        (gzip.compress(bz2.compress(b"Satz\n"), mtime=0), "bzip2 file"),
        (b"Satz\nS\xe4tze\n", "line 2: byte 0xe4 .* iconv -f ENCODING -t utf-8 .*mine > new_file"),
    ],
)
def test_what_is_no_utf_8_text_is_told_with_what_to_do(tmp_path, data, advice):
    with pytest.raises(ValueError, match=advice):
        read_lines(write(tmp_path / "mine", data))


def test_a_zip_archive_is_told_with_what_to_do(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("text.en", "Satz\n")
    with pytest.raises(ValueError, match="zip archive: unpack it"):
        read_lines(tmp_path / "mine.zip")


def test_a_damaged_gzip_file_is_named(tmp_path):
    whole = gzip.compress(b"a sentence\n" * 100)
    with pytest.raises(ValueError, match="half.gz: damaged gzip"):
        read_lines(write(tmp_path / "half.gz", whole[: len(whole) // 2]))


def test_parallel_files(tmp_path):
    source, target = write(tmp_path / "x.de", "das Haus\r\nein Buch\r\n"), tmp_path / "x.en.gz"
    write(target, gzip.compress(b"the house\na book"))
    assert read_pairs(source, target) == [("das Haus", "the house"), ("ein Buch", "a book")]


def test_unequal_line_counts_are_named(tmp_path):
    source, target = write(tmp_path / "x.de", "a\nb\n"), write(tmp_path / "x.en", "a\nb\nc\n")
    with pytest.raises(ValueError, match=r"x\.de has 2, .*x\.en 3"):
        read_pairs(source, target)


def test_empty_sides_are_left_out_and_counted(tmp_path):
    source, target = write(tmp_path / "x.de", "a\n\nc\nd\n \n"), write(tmp_path / "x.en", "A\nB\n\t\nD\n\n")
    with pytest.warns(UserWarning, match="left out 3 of 5 pairs .* the first in line 2"):
        assert read_pairs(source, target) == [("a", "A"), ("d", "D")]


def test_a_clean_file_warns_of_nothing(tmp_path):
    path = write(tmp_path / "x.tsv", "a\tA\nb\tB\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_tsv(path) == [("a", "A"), ("b", "B")]


def test_tsv_columns(tmp_path):
    path = write(tmp_path / "x.tsv", '1\tder "Hund"\tthe "dog"\tCC0\n2\tich\tI\n')
    assert read_tsv(path, columns=(2, 1)) == [('the "dog"', 'der "Hund"'), ("I", "ich")]


def test_tsv_empty_lines_and_cells_are_counted(tmp_path):
    with pytest.warns(UserWarning, match="left out 2 of 3 pairs .* line 2"):
        assert read_tsv(write(tmp_path / "x.tsv", "a\tA\n\nb\t\n")) == [("a", "A")]


def test_tsv_with_too_few_columns_names_the_line(tmp_path):
    with pytest.raises(ValueError, match=r"x\.tsv, line 2: expected at least 2 columns, got 1"):
        read_tsv(write(tmp_path / "x.tsv", "a\tA\nb B\n"))


@pytest.mark.parametrize("columns", [(-1, 0), (0, -1)])
def test_tsv_columns_count_from_zero(tmp_path, columns):
    with pytest.raises(ValueError, match="columns must be two indices from 0"):
        read_tsv(write(tmp_path / "x.tsv", "a\tA\n"), columns)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_lines(tmp_path / "nowhere")
