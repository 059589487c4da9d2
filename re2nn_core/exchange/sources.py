"""Files and folders that no reader of plain tables can read, told apart by what they hold."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.docbin import looks_like_docbin
from re2nn_core.exchange.annotation_tools.which_tool import HUGGINGFACE, SPACY
from re2nn_core.exchange.hugging_face.files import Folder, folder_in_zip, folder_on_disk, zip_holds_dataset
from re2nn_core.exchange.tables.foreign_texts import BRAT, BRAT_ENDING

_ZIP = b"PK\x03\x04"
LARGEST_FILE = 1 << 30


def bytes_of(path: Path) -> bytes:
    """The bytes of a file; DataFileError for one that is too large or cannot be read."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise DataFileError(
                f"'{path.name}' has {size:,} bytes, more than the {LARGEST_FILE:,} this reads. Split it."
            )
        return path.read_bytes()
    except OSError as error:
        raise DataFileError(f"'{path}' cannot be read: {error.strerror or error}.") from None


def content_of(source: Path | bytes, name: str, format: str | None) -> bytes | Folder:
    """The bytes of a file, or the files of a Hugging Face datasets folder, be it a folder or a zip of one.
    DataFileError where the format asks for the other of the two."""
    if isinstance(source, Path) and source.is_dir():
        if format not in (None, HUGGINGFACE):
            raise DataFileError(f"'{name}' is a folder, not a file of {format}. Give the path of a file in it.")
        return folder_on_disk(source)
    if isinstance(source, Path) and format is None:
        _refuse_brat(source)
    data = source if isinstance(source, bytes) else bytes_of(source)
    if format == HUGGINGFACE and not data.startswith(_ZIP):
        raise DataFileError(f"'{name}' is a file. A Hugging Face data set is a folder, or a zip of one.")
    if data.startswith(_ZIP) and (format == HUGGINGFACE or (format is None and zip_holds_dataset(data))):
        return folder_in_zip(data, name)
    return data


def _refuse_brat(path: Path) -> None:
    """DataFileError for the texts of brat, whose annotations lie in a file next to them."""
    annotations = path.with_suffix(BRAT_ENDING)
    if path.suffix.casefold() == ".txt" and annotations.is_file() and annotations.stat().st_size:
        raise DataFileError(
            f"'{path.name}' has {BRAT[0]}, in '{annotations.name}' next to it. {BRAT[1]} To read the texts without "
            "them, choose the format txt (--format txt)."
        )


def is_docbin(data: bytes, name: str, format: str | None) -> bool:
    """True for what is to be read as a DocBin."""
    return format == SPACY or (format is None and looks_like_docbin(data, name))
