"""Multi30k: 31,014 picture captions in English, German, French and Czech, downloaded from their public home.

Captions of Flickr pictures in English, translated to German (Elliott et al., "Multi30K: Multilingual English-German
Image Descriptions", 2016), French (Elliott et al. 2017) and Czech (Barrault et al. 2018). The publisher states no
licence for the text, so it is no part of this course: each reader downloads it once, and it is cached.
"""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path

from course_lib.corpora.download import Checksum, cache_dir, fetch
from course_lib.corpora.text_files import read_lines

BASE_URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
LANGUAGES = ("en", "de", "fr", "cs")
SPLITS = ("train", "val", "test_2016_flickr")  # 29,000, 1,014 and 1,000 sentences


def _text(digest: str) -> Checksum:
    return Checksum("sha256", digest, unzipped=True)


# English, German and French: of the text. Czech: of the gzip file, as torchtext 0.10 lists it.
FILES = {
    "train.en": _text("460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6"),
    "train.de": _text("2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72"),
    "train.fr": _text("5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d"),
    "train.cs": Checksum("md5", "d9a5fc268917725a2b0efce3a0cc8607"),
    "val.en": _text("1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227"),
    "val.de": _text("660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660"),
    "val.fr": _text("5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc"),
    "val.cs": Checksum("md5", "83cdc082f646b769095615384cf5c0ca"),
    "test_2016_flickr.en": _text("399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182"),
    "test_2016_flickr.de": _text("4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16"),
    "test_2016_flickr.fr": _text("cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6"),
    "test_2016_flickr.cs": Checksum("md5", "3104872229daa1bef3b401d44dd2220b"),
}


def load(
    split: str,
    languages: tuple[str, ...] = ("en", "de"),
    *,
    folder: str | os.PathLike | None = None,
    base_url: str = BASE_URL,
    files: Mapping[str, Checksum] = FILES,
) -> list[tuple[str, ...]]:
    """The sentences of `split`, each as a tuple with one string for each of `languages`, in that order.

    `split` is "train", "val" or "test_2016_flickr". A file that lies in `folder`, plain (train.en) or compressed
    (train.en.gz), is read there; a plain one that is not the published text is read with a warning, but for Czech,
    whose checksums are of the compressed files. Others are downloaded from `base_url`, a mirror's or the public home,
    and kept in `folder`, by default multi30k/ in `download.cache_dir()`; `files` holds their checksums. Raises
    ValueError for another split or language or where sides differ in length, DownloadError where a file cannot be had
    or is not the expected one.
    """
    for language in languages:
        if f"{split}.{language}" not in files:
            raise ValueError(
                f"Multi30k here has the splits {', '.join(SPLITS)} in {', '.join(LANGUAGES)}; "
                f"got split {split!r}, language {language!r}"
            )
    folder = cache_dir() / "multi30k" if folder is None else Path(folder)
    names = [f"{split}.{language}" for language in languages]
    sides = [read_lines(_file(name, folder, base_url, files[name])) for name in names]
    if len({len(side) for side in sides}) > 1:
        lengths = {name: len(side) for name, side in zip(names, sides, strict=True)}
        raise ValueError(f"the sides of Multi30k's {split} differ in their number of lines: {lengths}")
    return list(zip(*sides, strict=True))


def _file(name: str, folder: Path, base_url: str, checksum: Checksum) -> Path:
    """The plain file of that name in `folder` if there is one, else the compressed one, downloaded where it lacks."""
    plain = folder / name
    if not plain.exists():
        return fetch(f"{base_url}/{name}.gz", folder / f"{name}.gz", checksum)
    if checksum.unzipped and checksum.of(plain) != checksum.digest:
        warnings.warn(f"{plain} is not the published text of Multi30k, but is read as you left it", stacklevel=3)
    return plain
