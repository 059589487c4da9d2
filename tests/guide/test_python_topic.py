"""The examples of the guide's topic on Python, and of the README, run as they are."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest

from re2nn_core.guide.contents import find_topic

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "README.md": (ROOT / "README.md").read_text(encoding="utf-8"),
    "python": find_topic("python").text,
}


def failures(text: str, name: str) -> int:
    """How many of the examples in a text's Python blocks do not print what stands below them."""
    blocks = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE))
    example = doctest.DocTestParser().get_doctest(blocks, {}, name, None, None)
    assert example.examples
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed


@pytest.mark.parametrize("name", PLACES)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "sample_projects", tmp_path / "sample_projects")
    monkeypatch.chdir(tmp_path / ("" if name == "README.md" else "sample_projects/flight_intents"))
    assert failures(PLACES[name], name) == 0


def test_a_wrong_example_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert failures("```python\n>>> 1 + 1\n3\n```\n", "planted") == 1
    assert "Got:\n    2" in capsys.readouterr().out
