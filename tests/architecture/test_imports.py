"""Imports point one way and stay inside their fences; and this check can fail."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from architecture.imports import ALLOWED, OUTSIDE, faults, outside_libraries, part_of, source_files

ROOT = Path(__file__).resolve().parents[2]
# How a distribution is called where its module has another name.
DISTRIBUTION = {
    "PIL": "pillow",
    "argon2": "argon2-cffi",
    "sklearn": "scikit-learn",
    "charset_normalizer": "charset-normalizer",
    "srsly": "spacy",
    "llvmlite": "numba",  # made for it, and comes with it
}


def test_source_tree_keeps_the_import_table() -> None:
    assert faults(ROOT) == []


def test_every_part_of_the_package_is_in_the_table() -> None:
    assert {part_of(path, ROOT) for path in source_files(ROOT)} - {"__init__"} <= set(ALLOWED)


def test_table_has_no_circle() -> None:
    """A part may import itself and what stands before it; so there is an order in which all can be loaded."""
    waiting = {part: allowed - {part} for part, allowed in ALLOWED.items()}
    loaded: set[str] = set()
    while ready := {part for part, needed in waiting.items() if needed <= loaded}:
        loaded |= ready
        waiting = {part: needed for part, needed in waiting.items() if part not in ready}
    assert waiting == {}


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("re2nn_core/text/kinds.py", "import streamlit as st", "1: text imports streamlit"),
        ("re2nn_core/rules/tree.py", "import numpy\nfrom torch import nn", "2: rules imports torch"),
        ("re2nn_core/rules/tree.py", "from re2nn_core.automata.dfa import ExactDfa", "1: rules imports automata"),
        ("re2nn_core/automata/dfa.py", "from re2nn_core import tensors", "1: automata imports tensors"),
        ("re2nn_core/automata/dfa.py", "def draw():\n    import graphviz", "2: automata imports graphviz"),
        ("re2nn_core/tensors/factors.py", "import torch.nn.functional", "1: tensors imports torch"),
        ("re2nn_core/embeddings/vectors.py", "import torch", "1: embeddings imports torch"),
        (
            "re2nn_core/network/cell.py",
            "from re2nn_core.services.rule_writing.classification.rule_coverage import x",
            "1: network imports services",
        ),
        (
            "re2nn_core/services/rule_writing/classification/rule_coverage.py",
            "import sqlalchemy.orm",
            "1: services imports sqlalchemy",
        ),
        (
            "re2nn_core/services/rule_writing/classification/rule_coverage.py",
            "from pages._shared import state",
            "1: services imports pages",
        ),
        (
            "re2nn_core/services/rule_writing/classification/rule_coverage.py",
            "if True:\n    from plotly import graph_objects",
            "2: services imports plotly",
        ),
        (
            "re2nn_core/services/team/people.py",
            "from re2nn_core.services.fine_tuning.runs import x",
            "1: services/team imports services/fine_tuning, which comes later",
        ),
        (
            "re2nn_core/services/team/people.py",
            "from re2nn_core.services.novel.runs import x",
            "1: services/novel is not in the order of services",
        ),
        ("re2nn_core/store/texts.py", "from . import schema", "1: relative import"),
        ("re2nn_core/store/texts.py", "import json, pickle", "1: imports pickle"),
        ("re2nn_core/training/loop.py", "print('epoch')", "1: prints"),
        ("re2nn_core/training/loop.py", "import torch\ntorch.load('x')", "2: calls torch.load"),
        ("re2nn_core/exchange/read.py", "eval('1')", "1: calls eval"),
        ("re2nn_core/jobs/launch.py", "import subprocess\nsubprocess.run('x', shell=True)", "2: passes shell"),
        ("re2nn_core/network/classification/bundle.py", "np.load('x', allow_pickle=True)", "1: passes allow_pickle"),
        ("re2nn_core/novel/part.py", "", "1: novel is not in the import table"),
        ("pages/rules.py", "import torch", "1: pages imports torch"),
        ("pages/rules.py", "import sqlalchemy", "1: pages imports sqlalchemy"),
        ("pages/rules.py", "from re2nn_core.store import Store", "1: pages imports store"),
        ("pages/rules.py", "from re2nn_core.network.ensemble import twin_of", "1: pages imports network"),
        ("pages/rules.py", "from re2nn_core.automata.dfa import ExactDfa", "1: pages imports automata"),
        ("pages/rules.py", "from re2nn_core.rules.read import read_rules", "1: pages imports rules"),
        ("app.py", "from re2nn_core.store import Store", "1: app imports store"),
    ],
)
def test_planted_fault_is_found(tmp_path: Path, file: str, source: str, fault: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    assert faults(tmp_path) == [f"{file}:{fault}"]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("re2nn_core/rules/tree.py", "from re2nn_core.errors import RuleError\nimport json"),
        ("re2nn_core/commands/rules/check.py", "import click\nprint('x')"),
        ("re2nn_core/embeddings/encoder.py", "import torch"),
        ("re2nn_core/jobs/launch.py", "import subprocess\nsubprocess.run(['x'], shell=False)"),
        ("re2nn_core/network/classification/predict.py", "network.eval()"),
        ("pages/rules.py", "import streamlit\nfrom re2nn_core.services import hits\nfrom pages._shared import state"),
    ],
)
def test_what_is_allowed_is_no_fault(tmp_path: Path, file: str, source: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    assert faults(tmp_path) == []


def test_every_library_from_outside_has_a_fence_and_is_declared() -> None:
    """A library that nobody listed would be inside no fence at all."""
    used = outside_libraries(ROOT)
    assert used <= set(OUTSIDE)
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    brought = ("encoder", "chinese", "lemma", "spacy", "onnx", "ray")
    lines = [*project["dependencies"], *(line for extra in brought for line in extras[extra])]
    declared = {line.split(">")[0].split("=")[0].split("<")[0].strip() for line in lines}
    assert {DISTRIBUTION.get(name, name.replace("_", "-")) for name in used} <= declared


def loaded_after(statement: str) -> set[str]:
    """The top-level modules that a fresh process has loaded after a statement."""
    script = f"{statement}\nimport sys\nsys.stdout.write(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


HEAVY = {"torch", "streamlit", "sqlalchemy", "plotly", "pandas", "sklearn", "tensorly", "pyarrow"}


@pytest.mark.parametrize(
    ("modules", "allowed"),
    [
        ("re2nn_core.rules.read, re2nn_core.rules.logic.label_logic, re2nn_core.automata.matcher", set()),
        ("re2nn_core.automata.algebra, re2nn_core.tensors.factors, re2nn_core.tensors.state_certificate", set()),
        ("re2nn_core.store", {"sqlalchemy"}),
        ("re2nn_core.cli", set()),
    ],
)
def test_rule_work_loads_nothing_heavy(modules: str, allowed: set[str]) -> None:
    """In a process of its own, since this one has loaded everything already."""
    assert loaded_after(f"import {modules}") & HEAVY <= allowed


def test_fresh_process_shows_what_it_loads() -> None:
    assert "sqlalchemy" in loaded_after("import re2nn_core.store")
