"""The loader on a small made-up Multi30k, served on this machine."""

import gzip
import hashlib
import warnings

import pytest

from course_lib.corpora import multi30k
from course_lib.corpora.download import Checksum, DownloadError
from tests.test_download import server, waits  # noqa: F401  (fixtures)

TEXT = {
    "val.en": "A dog runs.\nTwo men sit.\n",
    "val.de": "Ein Hund läuft.\nZwei Männer sitzen.\n",
    "val.cs": "Pes běží.\nDva muži sedí.\n",
    "val.fr": "Un chien court.\n",
}


@pytest.fixture
def home(server):  # noqa: F811
    files = {}
    for name, text in TEXT.items():
        zipped = gzip.compress(text.encode())
        server.files[f"raw/{name}.gz"] = zipped
        files[name] = Checksum("sha256", hashlib.sha256(text.encode()).hexdigest(), unzipped=True)
        if name.endswith("cs"):
            files[name] = Checksum("md5", hashlib.md5(zipped).hexdigest())
    return {"base_url": server.url("raw"), "files": files}


def test_sentences_in_the_languages_asked_for_and_in_that_order(home, tmp_path):
    assert multi30k.load("val", ("cs", "en", "de"), folder=tmp_path, **home) == [
        ("Pes běží.", "A dog runs.", "Ein Hund läuft."),
        ("Dva muži sedí.", "Two men sit.", "Zwei Männer sitzen."),
    ]


def test_the_second_time_it_comes_from_the_cache(home, server, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path))
    first = multi30k.load("val", **home)
    server.files.clear()
    assert multi30k.load("val", **home) == first
    assert (tmp_path / "multi30k" / "val.de.gz").exists()


def test_plain_files_in_a_folder_are_read_there(home, server, tmp_path):  # noqa: F811
    for name in ("val.en", "val.de"):
        (tmp_path / name).write_text(TEXT[name], encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sentences = multi30k.load("val", folder=str(tmp_path), **home)
    assert sentences == [("A dog runs.", "Ein Hund läuft."), ("Two men sit.", "Zwei Männer sitzen.")]
    assert server.asked == []


def test_a_plain_file_with_other_text_is_read_with_a_warning(home, tmp_path):
    (tmp_path / "val.en").write_text("a dog runs .\ntwo men sit .\n")
    with pytest.warns(UserWarning, match=r"val\.en is not the published text"):
        assert multi30k.load("val", ("en",), folder=tmp_path, **home)[0] == ("a dog runs .",)


def test_another_text_is_refused(home, server, tmp_path):  # noqa: F811
    server.files["raw/val.de.gz"] = gzip.compress(b"Anderer Text.\nUnd noch einer.\n")
    with pytest.raises(DownloadError, match="val.de.gz sent a file whose sha256 is"):
        multi30k.load("val", folder=tmp_path, **home)


def test_sides_of_unequal_length_are_named(home, tmp_path):
    with pytest.raises(ValueError, match="'val.en': 2, 'val.fr': 1"):
        multi30k.load("val", ("en", "fr"), folder=tmp_path, **home)


@pytest.mark.parametrize("split, language", [("test", "en"), ("val", "it")])
def test_what_is_not_there_is_named_with_what_is(split, language):
    with pytest.raises(ValueError, match=f"train, val, test_2016_flickr .* got split '{split}', language '{language}'"):
        multi30k.load(split, (language,))


def test_every_split_has_every_language_under_a_whole_checksum():
    assert set(multi30k.FILES) == {f"{split}.{to}" for split in multi30k.SPLITS for to in multi30k.LANGUAGES}
    for checksum in multi30k.FILES.values():
        assert len(checksum.digest) == 2 * hashlib.new(checksum.algorithm).digest_size
