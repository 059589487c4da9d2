"""Files for the command line, and a way to call it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.command_line import LOGIC, RULES, TEXTS, Call, Outcome
from support.tagging_command_line import SLOT_RULES

from re2nn_core.cli import main


@pytest.fixture
def re2nn() -> Call:
    """Calls the command line; arguments may be paths."""

    def call(*arguments: str | Path, input: str | None = None) -> Outcome:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.fixture
def slot_rules(tmp_path: Path) -> Path:
    """Rules that capture words."""
    path = tmp_path / "slots.txt"
    path.write_text(SLOT_RULES, encoding="utf-8")
    return path


@pytest.fixture
def logic(tmp_path: Path) -> Path:
    path = tmp_path / "logic.toml"
    path.write_text(LOGIC, encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Label TAB text, without a header."""
    path = tmp_path / "texts.tsv"
    path.write_text("".join(f"{label}\t{text}\n" for label, text in TEXTS), encoding="utf-8")
    return path
