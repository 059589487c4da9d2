"""What the README promises is there: its test command is CI's, its commands, pages, files and pictures exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from re2nn_core.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEST_COMMAND = next(line.strip() for line in README.splitlines() if line.strip().endswith(".venv/bin/pytest -n auto"))


def test_ci_calls_the_readmes_test_command() -> None:
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`re2nn {command}" in README


@pytest.mark.parametrize(
    "page", ["Write rules", "See automaton", "Predict", "Label", "Fine-tune", "Compare", "Results", "Team"]
)
def test_every_page_is_in_the_readme(page: str) -> None:
    assert f"**{page}**" in README


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) >= 3
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_package_it_stands_on_is_named() -> None:
    block = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M | re.S)
    assert block is not None
    names = re.findall(r'"([a-z][a-z0-9\-]*)', block.group(1))
    assert len(names) > 8
    table = README[README.index("## What it stands on") :]
    assert [name for name in names if name not in table] == []


def test_every_part_of_the_core_is_in_the_readme() -> None:
    parts = {path.name for path in (ROOT / "re2nn_core").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    where = README[README.index("## Where things are") : README.index("## What it stands on")]
    assert {part for part in parts if f"`{part}`" not in where and f"/{part}`" not in where} == set()
