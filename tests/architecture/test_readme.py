"""What README and guide promise is there: the test command is CI's, commands, pages, files and pictures exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from re2nn_core.cli import COMMANDS
from re2nn_core.guide.contents import find_topic, topics

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEST_COMMAND = next(line.strip() for line in README.splitlines() if line.strip().endswith(".venv/bin/pytest -n auto"))
PAGES = ["Write rules", "See automaton", "Predict", "Label", "Fine-tune", "Compare", "Results", "Team"]
LINKS = re.findall(r"\]\(([^)]+)\)", README)
PICTURES = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)


def test_ci_calls_the_readmes_test_command() -> None:
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_readme_is_short() -> None:
    assert len(README.encode()) <= 12_000


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table_of_the_guide(command: str) -> None:
    assert f"\n| `re2nn {command}` | " in find_topic("command-line").text


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_in_the_readme_and_in_the_guide(page: str) -> None:
    assert f"**{page}**" in README
    assert f"\n## {page}\n" in find_topic("pages").text


def test_links_lead_somewhere() -> None:
    assert len(LINKS) >= 3
    assert [link for link in LINKS if not (ROOT / link).exists()] == []


def test_the_readme_links_every_topic_of_the_guide() -> None:
    linked = {Path(link).stem for link in LINKS if link.startswith("re2nn_core/guide/topics/")}
    assert {topic.name for topic in topics()} == linked


def test_the_pictures_are_of_a_window_of_1440_by_900() -> None:
    assert PICTURES == [".readme/rules.png", ".readme/compare.png"]
    heads = [(ROOT / name).read_bytes()[16:24] for name in PICTURES]  # width and height, as PNG has them
    assert heads == [(1440).to_bytes(4) + (900).to_bytes(4)] * 2


def test_every_dependency_is_named() -> None:
    block = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M | re.S)
    assert block is not None
    names = re.findall(r'"([a-z][a-z0-9\-]*)', block.group(1))
    assert len(names) > 8
    table = README[README.index("## Dependencies") :]
    assert [name for name in names if name not in table] == []


def test_every_part_of_the_core_is_in_the_readme() -> None:
    parts = {path.name for path in (ROOT / "re2nn_core").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    where = README[README.index("## Where things are") : README.index("## Dependencies")]
    assert {part for part in parts if f"`{part}`" not in where and f"/{part}`" not in where} == set()


def test_every_package_of_the_services_is_in_the_readme() -> None:
    folder = ROOT / "re2nn_core" / "services"
    parts = {path.name for path in folder.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert {part for part in parts if f"`{part}`" not in README} == set()


def test_the_licence_is_a_file_that_a_wheel_takes_along() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'license = "MIT"\nlicense-files = ["LICENSE"]\n' in project
