"""re2nn experiment models: the comparison of the page Results, from the command line."""

from __future__ import annotations

import csv
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.command_line import Call
from support.projects.project_with_texts import project_of

from re2nn_core.commands.experiments import models as command
from re2nn_core.experiments.datasets.kinds import COMPARISON
from re2nn_core.experiments.project import model_runs
from re2nn_core.experiments.project import models as module
from re2nn_core.experiments.project.models import Trained
from re2nn_core.jobs.worker import run_job
from re2nn_core.store import ProjectRecord, Store, create_project, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def own(store: Store) -> ProjectRecord:
    return project_of(store)


@pytest.fixture
def asked(tmp_path: Path, own: ProjectRecord, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    """The command with the project; a comparison is run here, and each training is over at once."""
    monkeypatch.setattr(module, "train_one", lambda found, system, amount, seed, **_: _trained(system, amount, seed))
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: run_job(store, run_id, poll_seconds=0.01))
    return ("experiment", "models", "--project", own.name, "--home", tmp_path)


def _trained(system: str, amount: int, seed: int) -> Trained:
    return Trained(system, amount, seed, 80.0 + seed, 1.0)


def test_a_comparison_as_text_as_json_and_as_a_file(re2nn: Call, asked: tuple[Any, ...], tmp_path: Path) -> None:
    wanted = (*asked, "--model", "interpretable", "--examples", "50,20", "--seeds", "2")
    outcome = re2nn(*wanted, "--output", tmp_path / "all.csv")
    assert outcome.code == 0, outcome.err
    rows = [line.split("  ") for line in outcome.out.splitlines()]
    assert ["our network (interpretable)", "80.50 ± 0.71", "80.50 ± 0.71"] in [[*filter(None, row)] for row in rows]
    assert "accuracy in per cent, mean ± standard deviation over 2 seeds. Measured on the 40 held-out" in outcome.out
    assert "is behind the rules alone" in outcome.out
    lines = list(csv.reader((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()))
    assert [line[:4] for line in lines[1:3]] == [
        ["the rules alone", "0", "0", "87.5"],
        ["our network (interpretable)", "20", "0", "80.0"],
    ]
    data = re2nn(*wanted, "--json").data
    assert (data["measure"], data["rules"], len(data["trainings"])) == ("accuracy", 87.5, 4)
    first = {"system": "interpretable", "texts": 20, "seed": 0, "value": 80.0, "seconds": 1.0}
    assert data["trainings"][0] == first


def test_ctrl_c_stops_it(re2nn: Call, asked: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: None)
    presses = iter([signal.SIGINT])
    sleep = lambda seconds: [os.kill(os.getpid(), one) for one in presses]  # noqa: E731 - one press at the first pause
    monkeypatch.setattr(command, "time", SimpleNamespace(sleep=sleep))
    outcome = re2nn(*asked, "--model", "interpretable", "--examples", "20", "--json")
    assert (outcome.code, outcome.data["stopped"], outcome.data["trainings"]) == (130, True, [])
    assert outcome.err.splitlines()[-1] == "Stopped. What is finished is kept; run the same command to continue."


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (("--examples", "20,x"), "--examples: 'x' is no number of texts. Write numbers with commas, as in 50,200."),
        (("--examples", "5"), "The amounts must be from 20 to 320 texts (got 5)."),
        (("--model", "dann"), "'dann' is no system that can be compared here; there are: interpretable, accuracy"),
        (("--seeds", "0"), "The number of seeds must be from 1 to 8 (got 0)."),
        (("--address", "a:1"), "--address is that of a Ray cluster. Write --engine ray too, or leave it out."),
        (("--engine", "ray", "--address", "127.0.0.1:1"), "There is no Ray cluster at 127.0.0.1:1: "),
        (("--engine", "ray", "--address", "host"), "The address host names no port. Expected: HOST:PORT"),
        (("--project", "Nope"), "There is no project named 'Nope'. There are: "),
    ],
)
def test_what_cannot_be_compared_is_reported_and_nothing_is_started(
    re2nn: Call,
    asked: tuple[Any, ...],
    store: Store,
    own: ProjectRecord,
    options: tuple[str, ...],
    reported: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    outcome = re2nn(*asked, *options)
    assert outcome.code == 2
    assert reported in outcome.err
    assert not list_runs(store, own.id, COMPARISON)


def test_the_cluster_that_the_environment_names_is_used(
    re2nn: Call, asked: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    assert "There is no Ray cluster at 127.0.0.1:1: " in re2nn(*asked, "--engine", "ray").err
    assert re2nn(*asked, "--model", "interpretable", "--examples", "20").code == 0, "it is no matter without Ray"


def test_a_failed_comparison_is_an_error(re2nn: Call, asked: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Trained:
        raise MemoryError

    monkeypatch.setattr(module, "train_one", fail)
    outcome = re2nn(*asked, "--model", "interpretable", "--examples", "20")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the memory ran out" in outcome.err


def test_a_project_without_rules_is_reported(re2nn: Call, store: Store, tmp_path: Path) -> None:
    create_project(store, name="Empty", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
    outcome = re2nn("experiment", "models", "--project", "Empty", "--home", tmp_path)
    assert outcome.code == 2
    assert outcome.err.startswith("Error: ")
