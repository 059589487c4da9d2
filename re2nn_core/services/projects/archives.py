"""A project as one zip file, written here or by anyone: nothing in it is trusted.

It holds texts, all versions of the rules, who said and decided what and when, the policy and the queue, so that the
project comes back equal; not trained runs, which a backup of the whole store holds.
An archive is read in memory and never unpacked to the disk, so a name in it cannot reach outside; names
that try are refused all the same. Sizes are counted while reading, since what a zip says about itself may
be a lie.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.hugging_face.zips import refuse_outside, unpacked
from re2nn_core.files import cannot_write
from re2nn_core.services.projects.project_files import (
    GOLD,
    HISTORY,
    QUEUE,
    SETTINGS,
    TEXTS,
    ProjectFiles,
    read_project_files,
    render_project_files,
    render_texts,
)
from re2nn_core.services.team.annotations import refuse_blind
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import (
    RuleVersion,
    Store,
    TextRecord,
    as_line,
    get_project,
    iterate_texts,
    latest_version,
    queue_lines,
    read_history,
    read_kept_queue,
    texts_of,
)
from re2nn_core.store.engine.bulk_rows import batched

MOST_FILES = 50
_AT_ONCE = 5_000
MOST_BYTES = 200 * 2**20
# Of a file on this machine, which the command line reads.
MOST_BYTES_HERE = 2**30


def export_project(store: Store, project_id: int, *, person: str = AT_THE_MACHINE) -> bytes:
    """The project's texts with their labels, its rules, and all that was done in it, as a zip file. NotAllowedError
    for a person who labels blind."""
    refuse_blind(store, project_id, person)
    version, texts = latest_version(store, project_id), texts_of(store, project_id)
    project = get_project(store, project_id)
    files = render_project_files(project, texts, *_written(version))
    history = b"".join(_json_line(as_line(done)) for done in read_history(store, project_id))
    return pack({**files, GOLD: b"".join(map(_gold_line, texts)), HISTORY: history, **_queue(store, project_id)})


def _queue(store: Store, project_id: int) -> dict[str, bytes]:
    """The file of the queue, where there is one."""
    kept = read_kept_queue(store, project_id)
    return {} if kept is None else {QUEUE: b"".join(map(_json_line, queue_lines(kept)))}


def _written(version: RuleVersion) -> tuple[str, str, str]:
    return version.rules_text, version.logic_text, version.sentences_text


def _gold_line(text: TextRecord) -> bytes:
    """The label a text came with, where somebody gave it another; else nothing."""
    return b"" if text.annotator is None else f"{json.dumps([text.position, text.gold])}\n".encode()


def _json_line(value: Any) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode()


def write_project(store: Store, project_id: int, file: Path) -> int:
    """The same archive as `export_project`, written to a file text by text, so that any number fits; how many texts.
    The file is there whole or not at all. DataFileError where it cannot be written."""
    project, version = get_project(store, project_id), latest_version(store, project_id)
    part = file.with_name(f"{file.name}.part")
    count, gold = 0, bytearray()
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, data in render_project_files(project, (), *_written(version)).items():
                if name != TEXTS:
                    archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            with archive.open(TEXTS, "w", force_zip64=True) as lines:
                for texts in batched(iterate_texts(store, project_id), _AT_ONCE):
                    lines.write(render_texts(project.task, texts))
                    gold += b"".join(map(_gold_line, texts))
                    count += len(texts)
            archive.writestr(zipfile.ZipInfo(GOLD), bytes(gold), zipfile.ZIP_DEFLATED)
            with archive.open(HISTORY, "w", force_zip64=True) as lines:
                for done in read_history(store, project_id):
                    lines.write(_json_line(as_line(done)))
            for name, data in _queue(store, project_id).items():
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        part.replace(file)
    except OSError as error:
        raise cannot_write(file, error) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def pack(files: Mapping[str, bytes]) -> bytes:
    """Files as a zip; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read_archive(source: bytes | Path, *, most_bytes: int = MOST_BYTES) -> ProjectFiles:
    """The project in a zip file. DataFileError says what is wrong with it."""
    return read_project_files(unpack(source, most_bytes=most_bytes))


def is_archive(source: Path) -> bool:
    """True for a zip file that looks like the archive of a project: it has a project.toml."""
    if not source.is_file() or not zipfile.is_zipfile(source):
        return False
    try:
        with zipfile.ZipFile(source) as archive:
            return any(PurePosixPath(name).name == SETTINGS for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def unpack(source: bytes | Path, *, most_bytes: int = MOST_BYTES) -> dict[str, bytes]:
    """The files of the folder that holds project.toml, by their names in it. DataFileError for a damaged archive."""
    try:
        with zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            _check_members(members)
            return _read_members(archive, members, most_bytes)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DataFileError(
            f"The archive cannot be read: {error}. Export the project again, or zip its files again."
        ) from error


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_FILES:
        raise DataFileError(f"The archive holds {len(members):,} files; a project has at most {MOST_FILES}.")
    for member in members:
        refuse_outside(member.filename, "The archive")
        if member.flag_bits & 1:
            raise DataFileError(f"'{member.filename}' is locked with a password. Zip the files without one.")


def _read_members(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], most_bytes: int) -> dict[str, bytes]:
    paths = {PurePosixPath(member.filename): member for member in members}
    settings = [path for path in paths if path.name == SETTINGS]
    if len(settings) != 1:
        raise DataFileError(
            f"The archive must hold one {SETTINGS} (it holds {len(settings)}). Was it exported from a project?"
        )
    inside = [member for path, member in paths.items() if path.parent == settings[0].parent]
    read = unpacked(archive, inside, "the archive", most_bytes)
    return {PurePosixPath(member.filename).name: content for member, content in read}
