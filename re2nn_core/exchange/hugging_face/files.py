"""Which files of a Hugging Face datasets folder hold rows, and of which split. Nothing in a folder is ever run.

Two kinds are read. What `save_to_disk` writes: Arrow files with state.json and dataset_info.json beside them, for
several splits in a folder each, named in dataset_dict.json. And plain folders, as they lie on the hub: Parquet, JSONL,
CSV or TSV files whose names, or whose folders' names, say the split.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.hugging_face.other_files import what_to_do
from re2nn_core.exchange.hugging_face.zips import refuse_outside, unpacked
from re2nn_core.exchange.tables.cells import SPLIT_ALIASES
from re2nn_core.exchange.tables.foreign_texts import BRAT, BRAT_ENDING
from re2nn_core.text.counting import counted

ROWS = (".arrow", ".parquet", ".jsonl", ".csv", ".tsv")
MARKS = ("dataset_info.json", "state.json", "dataset_dict.json")
MOST_FILES = 1_000
MOST_BYTES = 1 << 30
_SCRIPTS = (".py", ".pkl", ".pickle", ".pt", ".bin", ".sh", ".exe")
_DESCRIBE = (".md", ".json", ".gitattributes", ".rst", ".lock")  # a data set, next to its rows
_WORD = re.compile(r"[^\W\d_]+")
_SPLIT_WORDS = {**SPLIT_ALIASES, "eval": "test", "evaluation": "test"}


@dataclass(frozen=True)
class Folder:
    """The files of a folder: path inside it -> where it lies, or its bytes. `name` is for messages."""

    name: str
    files: Mapping[str, Path | bytes]

    def read(self, path: str) -> bytes:
        """The bytes of a file. DataFileError where it cannot be read."""
        source = self.files[path]
        try:
            return source if isinstance(source, bytes) else source.read_bytes()
        except OSError as error:
            raise DataFileError(f"'{self.name}/{path}' cannot be read: {error.strerror or error}.") from None


def folder_on_disk(path: Path) -> Folder:
    """The files of a folder and of the folders in it. Links that lead out of it are passed over.
    DataFileError for too many files or bytes."""
    root = path.resolve()
    found: dict[str, Path | bytes] = {}
    size = 0
    for file in sorted(path.rglob("*")):
        if not file.is_file() or not file.resolve().is_relative_to(root):
            continue
        found[file.relative_to(path).as_posix()] = file
        size += file.stat().st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            raise DataFileError(
                f"'{path.name}' holds more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes. Give a folder with one "
                "data set in it."
            )
    return Folder(path.name, found)


def folder_in_zip(data: bytes, name: str, *, most_bytes: int = MOST_BYTES) -> Folder:
    """The files of a zip, unpacked in memory and counted while they are. DataFileError for one that is not to be
    trusted."""
    found: dict[str, Path | bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MOST_FILES:
                raise DataFileError(f"'{name}' holds {len(members):,} files; a data set has at most {MOST_FILES:,}.")
            for member in members:
                refuse_outside(member.filename, f"'{name}'")
                found[str(PurePosixPath(member.filename))] = b""
            read = [member for member in members if PurePosixPath(member.filename).suffix in (*ROWS, ".json")]
            for member, content in unpacked(archive, read, f"'{name}'", most_bytes):
                found[str(PurePosixPath(member.filename))] = content
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DataFileError(f"'{name}' cannot be unpacked: {error}. Zip the folder again.") from None
    return Folder(name, _below_one_folder(found))


def _below_one_folder(found: dict[str, Path | bytes]) -> dict[str, Path | bytes]:
    """The files without the name of the folder that holds them all, where there is one and it is no split."""
    tops = {path.split("/", 1)[0] for path in found}
    if len(tops) != 1 or not all("/" in path for path in found) or split_in(tops.pop()) is not None:
        return found
    return {path.split("/", 1)[1]: content for path, content in found.items()}


def zip_holds_dataset(data: bytes) -> bool:
    """True for a zip with a file of a data set in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False
    last = [PurePosixPath(name).name for name in names]
    if any(name.startswith("xl/") for name in names):
        return False
    return any(name in MARKS or name.endswith((".arrow", ".parquet")) for name in last)


def row_files(folder: Folder) -> dict[str, str | None]:
    """The files that hold rows with their splits, in the order of train, dev, test, none. DataFileError for none."""
    paths = [path for path in folder.files if PurePosixPath(path).suffix.lower() in ROWS]
    paths = [path for path in paths if not PurePosixPath(path).name.startswith(("cache-", "."))]
    arrow = [path for path in paths if path.endswith(".arrow")]
    # An Arrow folder may hold other files beside; a hub folder has no Arrow files.
    chosen = arrow or paths
    if not chosen:
        if any(path.endswith(BRAT_ENDING) for path in folder.files):
            raise DataFileError(f"'{folder.name}' looks like {BRAT[0]}. {BRAT[1]}")
        named = ", ".join(sorted(folder.files)[:5]) or "none"
        way = what_to_do(folder.files)
        raise DataFileError(
            f"'{folder.name}' holds no file of rows: {', '.join(ROWS)} are expected, as save_to_disk or the hub write "
            f"them (files found: {named}).{way and ' '}{way}"
        )
    if len({PurePosixPath(path).suffix for path in chosen}) > 1:
        kinds = ", ".join(sorted({PurePosixPath(path).suffix for path in chosen}))
        raise DataFileError(f"'{folder.name}' holds files of several kinds ({kinds}). Keep one of them.")
    order = ["train", "dev", "test", None]
    splits = {path: split_of_path(path) for path in chosen}
    return dict(sorted(splits.items(), key=lambda entry: (order.index(entry[1]), entry[0])))


def split_of_path(path: str) -> str | None:
    """The split that the last telling part of a path names: train/data-00000-of-00001.arrow, data/test-0.parquet."""
    parts = PurePosixPath(path).with_suffix("").parts
    return next((split for part in reversed(parts) if (split := split_in(part)) is not None), None)


def split_in(name: str) -> str | None:
    """The split in a name, as a word between signs, blanks or digits: atis_train, test-00000, my.validation. None where
    the words name several (train_test_split)."""
    words = _WORD.findall(name.casefold())
    found = [_SPLIT_WORDS[word] for word in words if word in _SPLIT_WORDS]
    return found[0] if len(set(found)) == 1 else None


def folder_notes(folder: Folder) -> list[str]:
    """What else lies in a folder that somebody may wonder about."""
    scripts = [path for path in sorted(folder.files) if PurePosixPath(path).suffix.lower() in _SCRIPTS]
    notes = []
    rows = [path for path in sorted(folder.files) if PurePosixPath(path).suffix.lower() in ROWS]
    unknown = [path for path in rows if split_of_path(path) is None]
    if unknown and len(unknown) < len(rows):
        named = ", ".join(repr(path) for path in unknown[:3])
        notes.append(f"No split is in the name of {named}{' ...' if len(unknown) > 3 else ''}, as in those of others.")
    if scripts:
        named = ", ".join(repr(path) for path in scripts[:3])
        notes.append(
            f"Not opened and not run: {named}{' ...' if len(scripts) > 3 else ''}. Only files of rows are read."
        )
    other = [path for path in sorted(folder.files) if _is_other(PurePosixPath(path))]
    if other:
        named = ", ".join(repr(path) for path in other[:3])
        more = f" and {counted(len(other) - 3, 'more file')}" if len(other) > 3 else ""
        notes.append(f"Not read: {named}{more}. Of a folder the files {', '.join(ROWS)} are read.")
    arrow = any(path.endswith(".arrow") for path in folder.files)
    if arrow and not any(PurePosixPath(path).name == "state.json" for path in folder.files):
        notes.append("There is no state.json next to the Arrow files, so all of them were read, in the order of names.")
    return notes


def _is_other(path: PurePosixPath) -> bool:
    """True for a file that holds no rows as far as is known, and neither describes the data set nor is a program."""
    hidden = path.name.startswith((".", "cache-", "LICENSE")) or "__MACOSX" in path.parts
    return not hidden and path.suffix.lower() not in (*ROWS, *_SCRIPTS, *_DESCRIBE)
