"""Where the application is found: in the repository, and in the package where a wheel was installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from re2nn_core.services.projects import app_paths


def test_the_application_is_beside_the_package_or_a_part_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = app_paths.application_folder()
    assert all((found / name).exists() for name in ("app.py", "pages", ".streamlit/config.toml", "sample_projects"))
    monkeypatch.setattr(app_paths, "_PACKAGE", tmp_path / "re2nn_core")
    assert app_paths.application_folder() == tmp_path
    (tmp_path / "re2nn_core" / "application").mkdir(parents=True)
    assert app_paths.application_folder() == tmp_path / "re2nn_core" / "application"


def test_nobody_is_asked_to_install_things_of_streamlit() -> None:
    settings = tomllib.loads(
        (app_paths.application_folder() / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    )
    assert settings["logger"]["hideWelcomeMessage"] is True
    assert settings["browser"]["gatherUsageStats"] is False
