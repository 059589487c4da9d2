"""A whole store as one zip file, and back: every table as lines of JSON, and the folders of the models.

The file is the same for both kinds of database, so it also carries a store from one to the other. It is written while
people work, and holds one state of the database. Each part's digest is kept, so that damage is noticed before anything
is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import Connection, DateTime, Table, TypeDecorator, func, insert, select, text

from re2nn_core.errors import ConflictError, DataFileError
from re2nn_core.files import cannot_write, read_json
from re2nn_core.store.checks import now
from re2nn_core.store.engine.bulk_rows import batched
from re2nn_core.store.engine.database import Store
from re2nn_core.store.schema import (
    SCHEMA_VERSION,
    AccountRow,
    AttemptRow,
    Base,
    ProjectRow,
    ReachRow,
    SchemaVersionRow,
    SignInRow,
)

FORMAT = "re2nn-backup"
_MANIFEST = "backup.json"
_MODELS = "models"
_NOT_KEPT = {row.__tablename__ for row in (SchemaVersionRow, SignInRow, AttemptRow, ReachRow)}
_PIECE = 5_000
_CHUNK = 2**20


@dataclass(frozen=True)
class BackupCounts:
    """What a backup holds: rows of all tables, and files of the models."""

    projects: int
    rows: int
    files: int


def write_backup(store: Store, file: Path) -> BackupCounts:
    """Write the whole store into `file`, which is there only once it is complete.
    DataFileError where it cannot be written."""
    half = file.with_name(f"{file.name}.part")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            kept = _write(store, archive)
        with half.open("rb+") as written:
            os.fsync(written.fileno())
        half.replace(file)
    except OSError as error:
        raise cannot_write(file, error, "Name a file in another folder.") from error
    finally:
        half.unlink(missing_ok=True)
    return kept


def read_backup(store: Store, file: Path) -> BackupCounts:
    """Bring the state of a backup into a store without projects and accounts. Where the file is damaged nothing is
    written. DataFileError for a damaged file."""
    try:
        with zipfile.ZipFile(file) as archive:
            digests = _check(archive, file)
            _refuse_what_is_there(store)
            with store.writing() as connection:
                rows = sum(_fill(connection, archive, table) for table in _tables())
                projects = connection.execute(select(func.count(ProjectRow.id))).scalar_one()
            files = [name for name in digests if name.startswith(f"{_MODELS}/")]
            for name in files:
                _unpack(store, archive, name, file)
    except OSError as error:
        raise DataFileError(f"{file} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError) as error:
        raise _damaged(file, str(error)) from error
    return BackupCounts(projects, rows, len(files))


def _tables() -> list[Table]:
    """Every table that is kept, those that others refer to in front: not the version's, nor who is
    signed in, nor what is kept to save time."""
    return [table for table in Base.metadata.sorted_tables if table.name not in _NOT_KEPT]


def _write(store: Store, archive: zipfile.ZipFile) -> BackupCounts:
    digests: dict[str, str] = {}
    rows = 0
    with store.reading() as connection:
        for table in _tables():
            counted, digests[f"{table.name}.jsonl"] = _write_table(connection, archive, table)
            rows += counted
        projects = connection.execute(select(func.count(ProjectRow.id))).scalar_one()
    files = [path for path in sorted(store.models_folder.rglob("*")) if path.is_file()]
    for path in files:
        name = f"{_MODELS}/{path.relative_to(store.models_folder).as_posix()}"
        digests[name] = _write_file(archive, name, path)
    manifest = {"format": FORMAT, "schema": SCHEMA_VERSION, "made": now().isoformat(), "parts": digests}
    archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
    return BackupCounts(projects, rows, len(files))


def _write_table(connection: Connection, archive: zipfile.ZipFile, table: Table) -> tuple[int, str]:
    """Rows by their key, so that a row comes behind those of its own table that it refers to."""
    query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=_PIECE)
    digest, counted = hashlib.sha256(), 0
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as part:
        for rows in connection.execute(query).partitions():
            lines = "".join(f"{json.dumps([_plain(value) for value in row], ensure_ascii=False)}\n" for row in rows)
            written = lines.encode()
            digest.update(written)
            part.write(written)
            counted += len(rows)
    return counted, digest.hexdigest()


def _write_file(archive: zipfile.ZipFile, name: str, path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as part:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            part.write(piece)
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _check(archive: zipfile.ZipFile, file: Path) -> dict[str, str]:
    """The digests of all parts, after every part was read and compared with them."""
    if _MANIFEST not in archive.namelist():
        raise DataFileError(f"{file} is no backup: it holds no {_MANIFEST}. `re2nn backup FILE` makes one.")
    manifest = read_json(archive.read(_MANIFEST))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DataFileError(f"{file} is no backup of this program. `re2nn backup FILE` makes one.")
    if manifest["schema"] != SCHEMA_VERSION:
        raise DataFileError(
            f"{file} was written with schema {manifest['schema']}; this version reads {SCHEMA_VERSION}. "
            "Restore it with the version of the program that wrote it."
        )
    digests: dict[str, str] = dict(manifest["parts"])
    missing = [f"{table.name}.jsonl" for table in _tables() if f"{table.name}.jsonl" not in digests]
    if missing:
        raise _damaged(file, f"{missing[0]} is missing")
    for name, digest in digests.items():
        if _digest(archive, name) != digest:
            raise _damaged(file, f"{name} is not what was written")
        _check_name(name, file)
    return digests


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as part:
        while piece := part.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def _check_name(name: str, file: Path) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise _damaged(file, f"{name!r} points outside of it")


def _damaged(file: Path, reason: str) -> DataFileError:
    return DataFileError(f"The backup {file} is damaged: {reason}. Nothing was restored. Take another copy of it.")


def _refuse_what_is_there(store: Store) -> None:
    with store.reading() as connection:
        for row, what in ((ProjectRow, "project"), (AccountRow, "account")):
            count = connection.execute(select(func.count()).select_from(row)).scalar_one()
            if count:
                raise ConflictError(
                    f"The database {store.name} holds {count} {what if count == 1 else what + 's'}, and a backup "
                    "goes only into an empty one. Name another with --database, for example --database "
                    "again/re2nn.sqlite3."
                )


def _fill(connection: Connection, archive: zipfile.ZipFile, table: Table) -> int:
    connection.execute(table.delete())
    counted = 0
    for rows in batched(_rows(archive, table), _PIECE):
        connection.execute(insert(table), rows)
        counted += len(rows)
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        # Rows that come with their ids leave the server's counter where it was.
        count_on = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), (SELECT max(id) FROM {table.name}))"
        connection.execute(text(count_on))
    return counted


def _rows(archive: zipfile.ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    names = [column.name for column in table.columns]
    moments = [place for place, column in enumerate(table.columns) if _is_moment(column.type)]
    with archive.open(f"{table.name}.jsonl") as part:
        for line in part:
            values = read_json(line)
            for place in moments:
                values[place] = None if values[place] is None else datetime.fromisoformat(values[place])
            yield dict(zip(names, values, strict=True))


def _is_moment(kind: Any) -> bool:
    return isinstance(kind.impl if isinstance(kind, TypeDecorator) else kind, DateTime)


def _unpack(store: Store, archive: zipfile.ZipFile, name: str, file: Path) -> None:
    target = store.models_folder / PurePosixPath(name).relative_to(_MODELS)
    if not target.resolve().is_relative_to(store.models_folder.resolve()):
        raise _damaged(file, f"{name!r} points outside of it")
    with archive.open(name) as part:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as written:
                shutil.copyfileobj(part, written, _CHUNK)
        except OSError as error:
            raise cannot_write(target, error) from error
