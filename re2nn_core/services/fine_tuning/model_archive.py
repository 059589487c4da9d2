"""A model folder as one ZIP file: to download, and for pipelines that are stored as bytes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from re2nn_core.errors import ModelError
from re2nn_core.network.model_card import CARD, renamed_card
from re2nn_core.network.model_folder import MODEL_FILES, WRITTEN_FILES

LARGEST = 2 * 1024**3  # bytes of one file inside; a ZIP file of a few kilobytes can claim any size
_TIME = (1980, 1, 1, 0, 0, 0)  # the same files are the same bytes


def zip_model(folder: Path, name: str | None = None) -> bytes:
    """The files of a model folder as a ZIP file; `name` is that of the model on its card, None as it is. OSError where
    one cannot be read."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (folder / name for name in WRITTEN_FILES if (folder / name).is_file()):
            data = card_of(folder, name).encode("utf-8") if path.name == CARD else path.read_bytes()
            archive.writestr(zipfile.ZipInfo(path.name, _TIME), data, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def card_of(folder: Path, name: str | None = None) -> str:
    """The model card of a folder, for a copy of the model where a name is given; empty where a former version wrote
    the model."""
    path = folder / CARD
    card = path.read_text(encoding="utf-8") if path.is_file() else ""
    return card if name is None else renamed_card(card, name)


def unzip_model(data: bytes, folder: Path) -> None:
    """Write the files of a model from a ZIP file of `zip_model`. ModelError for any other bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in MODEL_FILES:
                if archive.getinfo(name).file_size > LARGEST:
                    raise ModelError(f"The model's file {name} would unpack to more than {LARGEST:,} bytes.")
                (folder / name).write_bytes(archive.read(name))
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError(
            f"These {len(data):,} bytes are no model: {error}. Give those that to_bytes returned."
        ) from None


def temporary_folder() -> TemporaryDirectory[str]:
    """A folder that is removed behind `with`."""
    return TemporaryDirectory(prefix="re2nn-model-")
