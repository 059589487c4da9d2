"""A data set in files for the experiment commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.networks.small_experiment import write_files


@pytest.fixture
def own(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options of a data set in files."""
    files = write_files(tmp_path)
    return tuple(part for name, path in files.items() for part in (f"--{name}", path))
