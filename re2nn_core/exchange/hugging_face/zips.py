"""Names and sizes in zip files that are not to be trusted."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from re2nn_core.errors import DataFileError


def refuse_outside(member: str, archive: str) -> None:
    """DataFileError for a file in a zip whose name would lead out of the folder that it is unpacked to."""
    path = PurePosixPath(member)
    if path.is_absolute() or ".." in path.parts or "\\" in member or ":" in member:
        raise DataFileError(f"{archive} holds a file named {member!r}, which points outside of it. It was not opened.")


def unpacked(
    archive: zipfile.ZipFile, members: Iterable[zipfile.ZipInfo], name: str, most_bytes: int
) -> Iterator[tuple[zipfile.ZipInfo, bytes]]:
    """Members of a zip with their bytes. DataFileError before any is unpacked where the sizes that they state are too
    large together, and as soon as they unpack to more, since what a zip says of itself may be wrong."""
    chosen = list(members)
    too_large = f"Unpacked, {name} has more than {most_bytes // 2**20:,} MiB. It was not opened."
    if sum(member.file_size for member in chosen) > most_bytes:
        raise DataFileError(too_large)
    left = most_bytes
    for member in chosen:
        with archive.open(member) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise DataFileError(too_large)
        yield member, content
