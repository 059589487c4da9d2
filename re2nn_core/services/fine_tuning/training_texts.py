"""Which texts a network was used for training with, kept in its folder as digests: figures on them say little of new
texts.

Texts that differ in blanks or in capital letters alone are one text. Folders of older models hold no such file.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from re2nn_core.files import write_whole

FILE = "training_texts.bin"
MATERIAL = "material.json"  # beside it in a run's folder: run_material.py
_BYTES = 8  # of each digest: two of a million texts are alike by chance once in 40 million times


def keep_training_texts(folder: Path, texts: Iterable[str]) -> None:
    """Write the digests into a model's folder."""
    write_whole(folder / FILE, b"".join(sorted(set(map(_digest, texts)))))


def copy_training_texts(former: Path, folder: Path) -> None:
    """An edited network was trained with what the one was that it was made from."""
    forget_training_texts(folder)
    if (former / FILE).is_file():
        shutil.copyfile(former / FILE, folder / FILE)


def forget_training_texts(folder: Path) -> None:
    """Another network comes into the folder, which was trained with other texts and other material."""
    for name in (FILE, MATERIAL):
        (folder / name).unlink(missing_ok=True)


def used_for_training(folder: Path, texts: Sequence[str]) -> list[bool] | None:
    """For each text whether the network in a folder was trained with it; None where that is not known."""
    try:
        data = (folder / FILE).read_bytes()
    except OSError:
        return None
    known = {data[begin : begin + _BYTES] for begin in range(0, len(data), _BYTES)}
    return [_digest(text) in known for text in texts]


def _digest(text: str) -> bytes:
    plain = " ".join(text.split()).casefold()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest()[:_BYTES]
