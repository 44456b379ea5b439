"""`nbgrader zip_collect`: the download of a learning platform (Moodle, Canvas), unpacked with care, sorted by student.

Every file of a student's is collected, whatever it is: what is no notebook gets 0 and the reason when it is graded.
One student's broken, huge or odd file does not keep the others' from being collected.
"""

import math
import re
import shutil
import unicodedata
import zipfile
import zlib
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

ROOM = 100 << 20  # bytes for what lies in one student's zip,
LEAST = 100 << 10  # of which each file takes this much at least
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError)


class Unpack(ExtractorPlugin):
    """Named in `c.ZipCollectApp.extractor_plugin`: unpacks zip files, nested ones with limits; copies other files."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        for path in sorted(Path(archive_path).rglob("*")):
            target = Path(extracted_path, path.relative_to(archive_path))
            if path.suffix.lower() == ".zip":
                folder = target.with_name(path.stem.replace("_", "-"))  # "_" ends a student's name
                self.unpack(path, folder, math.inf)
                for inner in zips(folder):
                    self.unpack(inner, inner.with_suffix(""), ROOM)
            elif path.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)

    def unpack(self, path: Path, folder: Path, room: float) -> float:
        """The files of a zip into `folder`; what cannot be read is left, and said. Returns how much room is left.

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
                room = self.unpack(inner, inner.with_suffix(""), room)
        return room

    def _unpack(self, packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
        try:
            packed.extract(entry, folder)  # absolute names and .. stay inside; a link becomes a plain file
        except UNREADABLE as error:
            self.log.warning("%s cannot be unpacked: %s", entry.filename, error)


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
            if (
                found is None or path.name.lower() == "timestamp.txt"
            ):  # when it was handed in is not the student's to say
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
    """The student's id: the name as the platform writes it, without what a web page or a path would take amiss."""
    name = unicodedata.normalize("NFC", found["student_id"])
    return re.sub(r"[^\w .,'@+-]", "-", name).strip(" .")


def zips(folder: Path) -> list[Path]:
    """The zip files below `folder`, as it is now."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".zip" and path.is_file())


def hidden(name: str) -> bool:
    """True for what file managers leave in zip files."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)
