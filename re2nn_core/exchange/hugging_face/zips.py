"""Names in zip files that are not to be trusted."""

from __future__ import annotations

from pathlib import PurePosixPath

from re2nn_core.errors import DataFileError


def refuse_outside(member: str, archive: str) -> None:
    """DataFileError for a file in a zip whose name would lead out of the folder that it is unpacked to."""
    path = PurePosixPath(member)
    if path.is_absolute() or ".." in path.parts or "\\" in member or ":" in member:
        raise DataFileError(f"{archive} holds a file named {member!r}, which points outside of it. It was not opened.")
