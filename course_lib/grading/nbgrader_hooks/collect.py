"""`nbgrader zip_collect`: the download of a learning platform (Moodle, Canvas), unpacked with care, sorted by student.

Every file of a student's is collected, whatever it is: what is no notebook gets 0 and the reason when it is graded.
One student's broken, huge or odd file does not keep the others' from being collected.
"""

import lzma
import math
import re
import unicodedata
import zipfile
import zlib
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath
from typing import IO

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from course_lib.grading.nbgrader_hooks.intake import MAX_FILE

LARGEST = MAX_FILE + 1  # bytes that are kept of a file: it is too large to be read, and says so when it is graded
ROOM = 100 << 20  # bytes for what lies in one student's zip,
LEAST = 100 << 10  # of which each file takes this much at least
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)
UNREADABLE = (*DAMAGED, RuntimeError, NotImplementedError, OSError, ValueError)


class Unpack(ExtractorPlugin):
    """Named in `c.ZipCollectApp.extractor_plugin`: unpacks zip files, nested ones with limits; copies other files."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        archive = Path(archive_path)
        paths = sorted(path for path in archive.rglob("*") if path.is_file())
        whose = {path: owner for path in paths if (owner := self._owner(path.relative_to(archive)))}
        loose = {path for path in whose if path.suffix.lower() != ".zip"}
        unpacked = bool(loose) or len(set(whose.values())) > 1  # the download was unpacked: zips in it are students'
        for path in paths:
            target = Path(extracted_path, path.relative_to(archive))
            if path.suffix.lower() != ".zip":
                with path.open("rb") as file:
                    self._copy(file, target, path.stat().st_size)
            elif unpacked and path in whose:
                self.unpack(path, beside(target), ROOM)
            else:
                folder = target.with_name(path.stem.replace("_", "-"))  # "_" ends a student's name
                self.unpack(path, folder, math.inf)
                for inner in zips(folder):
                    self.unpack(inner, beside(inner), ROOM)

    def _owner(self, path: Path) -> str | None:
        found = re.fullmatch(ByStudent(parent=self.parent).named_regexp, path.as_posix())
        return student(found) if found else None

    def unpack(self, path: Path, folder: Path, room: float) -> float:
        """The files of a zip into `folder`, without those that cannot be read. Returns how much room is left.

        Within a student's zip (finite `room`) the zips in it are unpacked too, as long as there is room.
        """
        try:
            with zipfile.ZipFile(path) as packed:
                entries = [entry for entry in packed.infolist() if not entry.is_dir() and not hidden(entry.filename)]
                room -= sum(max(entry.file_size, LEAST) for entry in entries)
                if room < 0:
                    raise ValueError(f"more than {ROOM >> 20} MB, or {ROOM // LEAST:,} files, in a student's zip")
                for entry in entries:
                    self._unpack(packed, entry, folder)
        except UNREADABLE as error:
            self.log.warning("%s cannot be unpacked: %s", path.name, error)
        else:
            for inner in zips(folder) if room < math.inf else ():
                room = self.unpack(inner, beside(inner), room)
        return room

    def _unpack(self, packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
        parts = [part for part in PurePosixPath(entry.filename).parts if part not in ("/", "..")]  # stays inside
        try:
            with packed.open(entry) as file:  # of a link: the name that it leads to, as text
                self._copy(file, folder.joinpath(*parts), entry.file_size)
        except UNREADABLE as error:
            self.log.warning("%s cannot be unpacked: %s", entry.filename, error)

    def _copy(self, file: IO[bytes], target: Path, size: int) -> None:
        """At most LARGEST bytes of a file that has `size`."""
        if size > LARGEST:
            self.log.warning("%s has %d MB: only its beginning is kept", target.name, size >> 20)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as copy:
            copy.write(file.read(LARGEST))


class ByStudent(FileNameCollectorPlugin):
    """Named in `c.ZipCollectApp.collector_plugin`; its `named_regexp` finds the student in a file's path."""

    def collect(self, submitted_file: str) -> dict | None:
        if not hasattr(self, "collected"):
            self.collected = self._collect()
        return self.collected.get(Path(submitted_file))

    def _collect(self) -> dict[Path, dict[str, str]]:
        """Whose each file is, and its name; of several with one name the outermost keeps it."""
        root = Path(self.parent._format_collect_path(self.parent.extracted_directory))
        paths = sorted(filter(Path.is_file, root.rglob("*")), key=lambda path: (len(path.parts), path))
        matches = {path: re.fullmatch(self.named_regexp, path.relative_to(root).as_posix()) for path in paths}
        numbers = defaultdict(set)
        for found in filter(None, matches.values()):
            numbers[student(found)].add(found["number"])
        collected, taken = {}, Counter()
        for path, found in matches.items():
            if found is None:
                continue
            if f"{found['file_id']}{path.suffix}".lower() == "timestamp.txt":  # not for the student to say
                continue
            name = student(found)
            if len(numbers[name]) > 1:  # two students of one name
                name = f"{name} {found['number']}"
            if found["late"]:
                self.log.warning("%s is marked late; when it was handed in belongs in its timestamp.txt", name)
            file = found["file_id"]
            taken[name, file, path.suffix] += 1
            again = taken[name, file, path.suffix]
            collected[path] = {"student_id": name, "file_id": f"{file} {again}" if again > 1 else file}
            collected[path]["file_id"] += path.suffix
        return collected


def student(found: re.Match) -> str:
    """The student's id."""
    return plain_name(found["student_id"])


def plain_name(name: str) -> str:
    """A name as the platform writes it, without what a web page or a path would take amiss."""
    return re.sub(r"[^\w .,'@+-]", "-", unicodedata.normalize("NFC", name)).strip(" .")


def zips(folder: Path) -> list[Path]:
    """The zip files below `folder`, as it is now."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".zip" and path.is_file())


def beside(path: Path) -> Path:
    """The folder for what is in a zip: its name without .zip, if nothing has that name."""
    folder = path.with_suffix("")
    return folder.with_name(f"{folder.name}-zip") if folder.exists() else folder


def hidden(name: str) -> bool:
    """True for what file managers leave in zip files."""
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") and part != ".." or part == "__MACOSX" for part in parts)
