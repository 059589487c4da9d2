"""Systems compared on a project's own texts: what is trained from what, and what is kept."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from support.networks.small_experiment import small_set
from support.projects.project_with_texts import project_of
from support.projects.span_samples import RULES as SLOT_RULES
from support.projects.span_samples import marked
from support.ray_processes import processes_of_ray

from re2nn_core.errors import Cancelled, InputError, UnavailableError
from re2nn_core.experiments.project import model_runs, runs, version_mark
from re2nn_core.experiments.project import models as module
from re2nn_core.experiments.project.model_findings import (
    system_name,
)
from re2nn_core.experiments.project.model_runs import COMPARISON, ComparisonRequest, start_comparison, watch_comparison
from re2nn_core.experiments.project.models import (
    ComparisonTexts,
    Trained,
    amounts_for,
    comparison_texts,
    rules_result,
    systems_for,
    train_one,
    trained_of,
    usual_amounts,
)
from re2nn_core.experiments.project.runs import series_in_words
from re2nn_core.experiments.reproduce.measured import code_name
from re2nn_core.experiments.reproduce.runs.classification import label_cell
from re2nn_core.experiments.reproduce.tables.systems import WITH_AUXILIARY
from re2nn_core.jobs.ray_cluster import RayCluster
from re2nn_core.jobs.report import Report
from re2nn_core.jobs.worker import run_job
from re2nn_core.services.fine_tuning.classification import objectives
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.store import (
    Store,
    add_point,
    create_project,
    finish_run,
    get_run,
    latest_version,
    list_runs,
    open_store,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig


@pytest.fixture
def store(tmp_path: object) -> Store:
    return open_store(f"{tmp_path}/store.db")


def test_names_are_those_of_the_papers() -> None:
    assert [system_name(name) for name in ("bilstm-crf+pr", "cnn", "interpretable")] == [
        "BiLSTM-CRF+pr",
        "CNN",
        "our network (interpretable)",
    ]


def test_amounts_follow_from_how_many_texts_there_are() -> None:
    assert amounts_for(320) == (20, 50, 100, 200, 320)
    assert amounts_for(52) == (20, 52)
    assert usual_amounts(320) == (20, 50, 200, 320)
    assert usual_amounts(52) == (20, 52)


def test_each_system_learns_from_the_drawn_texts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ComparisonTexts(small_set(dev=()), "dev", "")
    seen: dict[str, tuple[int, int]] = {}

    class Reached:
        test = 91.0
        vectors = "encoder:words"

    def ours(cell: object, seed: int, **watch: object) -> Reached:
        seen["interpretable"] = (len(cell.data.train), len(cell.data.dev))  # type: ignore[attr-defined]
        return Reached()

    def ordinary(model: str, data: object, amount: float, seed: int, **watch: object) -> Reached:
        seen[model] = (len(data.train), len(data.dev))  # type: ignore[attr-defined]
        return Reached()

    monkeypatch.setattr(module, "run_seed", ours)
    monkeypatch.setattr(module, "train_label_baseline", ordinary)
    reached = train_one(found, "interpretable", 50, 0)
    assert (reached.value, reached.vectors, reached.code) == (91.0, "encoder:words", code_name())
    train_one(found, "bigru+kd", 50, 1)
    assert seen == {"interpretable": (50, 0), "bigru+kd": (40, 10)}
    assert rules_result(found).value == 87.5  # the rules and their default label


def test_a_comparison_is_run_kept_and_gone_on_with(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, int, int]] = []

    def fake(found: ComparisonTexts, system: str, amount: int, seed: int, **watch: object) -> Trained:
        ran.append((system, amount, seed))
        return Trained(system, amount, seed, 80.0 + seed, 1.0)

    monkeypatch.setattr(module, "train_one", fake)
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: 0)
    project = project_of(store)
    request = ComparisonRequest(("interpretable",), (50, 20), 2)
    started = start_comparison(store, project.id, latest_version(store, project.id).id, request, person="Ann")
    assert run_job(store, started.id, poll_seconds=0.01) == "done"
    assert ran == [
        ("interpretable", 20, 0),
        ("interpretable", 20, 1),
        ("interpretable", 50, 0),
        ("interpretable", 50, 1),
    ]
    watched = watch_comparison(store, started.id)
    assert watched.rules == 87.5
    assert len(watched.trained) == 4
    assert list_runs(store, project.id, COMPARISON)[0] == get_run(store, started.id)
    assert trained_of(store, started.id)[0].system == "rules"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_a_comparison_on_ray_is_complete_and_equal_where_a_process_is_killed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is measured already is not trained again."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: 0)
    project, system = project_of(store), "interpretable"
    version = latest_version(store, project.id).id
    here = start_comparison(store, project.id, version, ComparisonRequest((system,), (20,), 2), person="Ann")
    assert run_job(store, here.id, poll_seconds=0.01) == "done"
    add_point, ran = Report.point, list[int]()
    killed: list[int] = []

    def kill(report: Report, step: int, metrics: Mapping[str, Any]) -> None:
        add_point(report, step, metrics)
        ran.append(step)
        if len(ran) == 4 and not killed:  # the rules, the two that were there, the first of the others
            killed.extend(processes_of_ray("_trained")[:1])
            for process in killed:
                os.kill(process, signal.SIGKILL)

    monkeypatch.setattr(Report, "point", kill)
    wanted = ComparisonRequest((system,), (20, 30), 3, RayCluster())
    by_ray = start_comparison(store, project.id, version, wanted, person="Ann")
    assert run_job(store, by_ray.id, poll_seconds=0.01) == "done"
    assert len(killed) == 1
    found = trained_of(store, by_ray.id)
    assert [(one.texts, one.seed) for one in found] == [(0, 0), *((n, seed) for n in (20, 30) for seed in range(3))]
    assert found[:3] == trained_of(store, here.id)
    data = comparison_texts(store, project.id, version)
    assert found[-1].value == train_one(data, system, 30, 2).value


def test_a_cluster_that_is_not_there_starts_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_of(store)
    request = ComparisonRequest(("interpretable",), (20,), 1, RayCluster("127.0.0.1:1"))
    version = latest_version(store, project.id).id
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UnavailableError, match="needs Ray. Install it: pip install"):
        start_comparison(store, project.id, version, request, person="Ann")
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    with pytest.raises(InputError, match="There is no Ray cluster at 127.0.0.1:1: .*refused"):
        start_comparison(store, project.id, version, request, person="Ann")
    assert not list_runs(store, project.id, COMPARISON)


def test_a_cluster_that_is_gone_when_its_turn_comes_is_reported(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: 0)
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    project = project_of(store)
    request = ComparisonRequest(("interpretable",), (20,), 1, RayCluster("127.0.0.1:1"))
    with monkeypatch.context() as patch:
        patch.setattr(RayCluster, "check", lambda self: None)
        run = start_comparison(store, project.id, latest_version(store, project.id).id, request, person="Ann")
    assert run_job(store, run.id, poll_seconds=0.01) == "failed"
    assert str(get_run(store, run.id).error).startswith("There is no Ray cluster at 127.0.0.1:1: ")


def test_figures_of_other_settings_are_not_taken_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version of this program whose objectives begin with something else measures anew."""
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: 0)
    monkeypatch.setattr(module, "train_one", lambda found, system, amount, seed, **_: Trained(system, amount, seed, 80))
    project, request = project_of(store), ComparisonRequest(("accuracy",), (20,), 1)
    version = latest_version(store, project.id).id
    first = start_comparison(store, project.id, version, request, person="Ann")
    assert run_job(store, first.id, poll_seconds=0.01) == "done"
    again = start_comparison(store, project.id, version, request, person="Ann")
    assert len(trained_of(store, again.id)) == 2
    finish_run(store, again.id, "cancelled")
    monkeypatch.setattr(version_mark, "settings_for", lambda objective, amount: {"extra_states": 7})
    assert trained_of(store, start_comparison(store, project.id, version, request, person="Ann").id) == ()


def test_what_is_kept_is_told_before_and_while_the_worker_is_at_work(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, str]] = []

    def fake(found: ComparisonTexts, system: str, amount: int, seed: int, **watch: object) -> Trained:
        run = list_runs(store, project.id, COMPARISON)[0]
        seen.append((run.step, run.total, run.message))
        if (system, amount) == ("accuracy", 50) and len(seen) == 4:
            raise Cancelled("stop")
        return Trained(system, amount, seed, 80.0, 1.0)

    monkeypatch.setattr(module, "train_one", fake)
    for starts in (model_runs, runs):
        monkeypatch.setattr(starts, "launch", lambda store, run_id: 0)
    project = project_of(store)
    request = ComparisonRequest(("interpretable", "accuracy"), (20, 50), 1)
    first = start_comparison(store, project.id, latest_version(store, project.id).id, request, person="Ann")
    assert run_job(store, first.id, poll_seconds=0.01) == "cancelled"
    new = get_run(store, runs.continue_experiment(store, get_run(store, first.id), person="Ann").id)
    assert (new.step, new.total) == (3, 4)
    assert series_in_words(new) == "3 of 4 trainings are saved. Waiting for another job. You can leave this page."
    seen.clear()
    assert run_job(store, new.id, poll_seconds=0.01) == "done"
    [(step, total, _)] = seen
    assert (step, total) == (3, 4)
    assert get_run(store, new.id).step == 4


def test_larger_amounts_are_expected_to_take_longer_in_proportion(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: 0)
    project = project_of(store)
    request = ComparisonRequest(("accuracy", "bigru"), (20, 200), 2)
    run = start_comparison(store, project.id, latest_version(store, project.id).id, request, person="Ann")

    def left(*done: Trained) -> float | None:
        every = (Trained("rules", 0, 0, 75.0), *done)
        for step, one in enumerate(every):
            add_point(store, run.id, step, vars(one))
        found = watch_comparison(store, run.id).remaining
        return None if found is None else found.seconds

    first = Trained("accuracy", 20, 0, 80.0, 4.0)
    assert left() is None
    assert left(first) == pytest.approx(3 * 4.0 + 4 * 40.0)  # the other system as this one
    second = Trained("bigru", 20, 0, 80.0, 1.0)
    assert left(first, second) == pytest.approx(5.0 + 2 * 40.0 + 2 * 10.0)
    more = (Trained("accuracy", 20, 1, 80.0, 6.0), Trained("bigru", 20, 1, 80.0, 1.0))
    assert left(first, second, *more) == pytest.approx(2 * 50.0 + 2 * 10.0)  # the mean of both seeds
    # One training from 200 texts says how long the other one takes.
    assert left(first, second, *more, Trained("accuracy", 200, 0, 90.0, 30.0)) == pytest.approx(30.0 + 20.0)


def test_our_accuracy_may_be_several_networks_with_a_reader_and_reading_is_one_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the page says beside the systems (pages/_results/comparison_form.py)."""
    monkeypatch.setattr(objectives, "encoder_is_installed", lambda: True)
    data = small_set(dev=())
    several = label_cell(data, 1.0, WITH_AUXILIARY, {}, "accuracy")
    assert (several.network.auxiliary != "none", several.train.average) == (True, "predictions")
    plain = label_cell(data, 1.0, "fa-rnn", {}, "interpretable")
    assert (plain.model, plain.network.auxiliary, plain.train.average) == ("fa-rnn", "none", "weights")
    assert slot_training("accuracy", 50).copies > 1
    assert slot_network("accuracy", 50).auxiliary != "none"
    assert (slot_network("interpretable", 50).auxiliary, slot_network("interpretable", 50).decoding) == (
        "none",
        "softmax",
    )
    assert slot_training("interpretable", 50).copies <= 1


@pytest.mark.parametrize("task", list(Task))
def test_the_mark_of_settings_is_the_same_until_one_changes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    before = version_mark.settings_mark(task)
    assert version_mark.settings_mark(task) == before
    monkeypatch.setattr(version_mark, "slot_training", lambda objective, amount: TrainConfig(epochs=3))
    monkeypatch.setattr(version_mark, "training_settings_for", lambda objective, amount: {"epochs": 3})
    assert version_mark.settings_mark(task) != before


def test_a_real_training_of_our_network(store: Store) -> None:
    found = comparison_texts(store, project_of(store).id, None)
    fast = replace(found, data=small_set(dev=()))
    reached = train_one(fast, "interpretable", 20, 0)
    assert 50.0 <= reached.value <= 100.0
    assert (reached.texts, reached.system) == (20, "interpretable")


def test_slots_are_compared_by_their_spans(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = tuple(
        replace(marked(f"fly to city{number}", (f"city{number}", "to_city")), split="train") for number in range(60)
    )
    project = create_project(
        store,
        name="Trips",
        task=Task.SLOT_FILLING,
        examples=Corpus(marks),
        rules_text=SLOT_RULES,
        logic_text="",
        author="tester",
        tokenization=Tokenization(),
    )
    found = comparison_texts(store, project.id, None)
    assert (found.task, found.measured, len(found.data.train), len(found.data.test)) == ("slots", "set apart", 48, 12)
    assert "Measured on 12 held-out annotated texts, every fifth one" in found.in_words
    assert rules_result(found).value == 100.0

    class Reached:
        vectors = "none"

        class test:  # noqa: N801 - as the record has it
            f1 = 77.0

    monkeypatch.setattr(module, "run_slot_seed", lambda cell, seed, **watch: Reached())
    assert train_one(found, "accuracy", 20, 0).value == 77.0


def test_too_few_marked_texts_are_told(store: Store) -> None:
    project = create_project(
        store,
        name="Few",
        task=Task.SLOT_FILLING,
        examples=Corpus((marked("fly to oslo", ("oslo", "to_city")),)),
        rules_text=SLOT_RULES,
        logic_text="",
        author="tester",
    )
    with pytest.raises(
        InputError, match="There is 1 annotated text to draw from; at least 49 are needed. Annotate or add 48 more."
    ):
        comparison_texts(store, project.id, None)


@pytest.mark.parametrize(
    ("wanted", "reported"),
    [
        (ComparisonRequest((), (20,)), "No system is selected."),
        (
            ComparisonRequest(("perceptron",), (20,)),
            "'perceptron' is no system that can be compared here; there are: interpretable, acc",
        ),
        (ComparisonRequest(("interpretable",), ()), "No amount of texts is chosen."),
        (ComparisonRequest(("interpretable",), (5,)), r"The amounts must be from 20 to 320 texts \(got 5\)."),
        (ComparisonRequest(("interpretable",), (20, 1000)), r"The amounts must be from 20 to 320 texts \(got 1,000\)."),
        (ComparisonRequest(("interpretable",), (20,), 0), r"The number of seeds must be from 1 to 8 \(got 0\)."),
    ],
)
def test_what_cannot_be_compared_is_told(store: Store, wanted: ComparisonRequest, reported: str) -> None:
    project = project_of(store)
    with pytest.raises(InputError, match=reported):
        start_comparison(store, project.id, latest_version(store, project.id).id, wanted, person="Ann")


def test_our_network_can_always_be_compared() -> None:
    assert systems_for(Task.CLASSIFICATION)[:2] == ("interpretable", "accuracy")
    assert systems_for(Task.SLOT_FILLING)[:2] == ("interpretable", "accuracy")
