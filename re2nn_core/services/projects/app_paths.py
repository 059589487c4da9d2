"""Where the application stands: app.py with its pages, its settings for Streamlit, and the sample projects."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def application_folder() -> Path:
    """The folder of app.py: in a wheel a part of the package (pyproject.toml puts it there), else the repository."""
    inside = _PACKAGE / "application"
    return inside if inside.is_dir() else _PACKAGE.parent
