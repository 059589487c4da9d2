"""The section "Learning curve" of the page Fine-tune."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio, small_project
from support.projects.project_with_texts import measured, outcome, project_of, queued

from pages._train.more_texts import KEY
from re2nn_core.experiments.project import runs
from re2nn_core.experiments.project.series import BETA, CURVE
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    claim_run,
    create_run,
    finish_run,
    get_run,
    list_runs,
    record_label,
    set_progress,
    texts_of,
)

CURVE_FIGURES = (
    *(outcome(0.1, main, texts=32, seed=seed) for seed, main in enumerate((80.0, 82.0))),
    *(outcome(0.3, main, texts=96, seed=seed) for seed, main in enumerate((85.0, 85.0))),
    *(outcome(1.0, main, texts=320, seed=seed) for seed, main in enumerate((85.4, 85.4))),
)
BETA_FIGURES = tuple(
    outcome(at, main, texts=320, untrained=untrained)
    for at, main, untrained in ((0.3, 90.0, 65.0), (1.0, 80.0, 75.0), (None, 80.0, 75.0))
)


@pytest.fixture(autouse=True)
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Series that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: started.append(run_id))
    return started


@pytest.fixture
def series_project(store: Store) -> ProjectRecord:
    return project_of(store)


def opened(studio: Studio, project: ProjectRecord, view: str | None = None) -> Studio:
    """The page with the section unfolded."""
    studio.open("train", project=project.id)
    studio.test.session_state[KEY] = True
    studio.test.run()
    if view is not None:
        studio.test.segmented_control(key="train_more_view").set_value(view).run()
    studio.checked()
    return studio


def finished(store: Store, project: ProjectRecord, kind: str) -> RunRecord:
    run = queued(store, project, kind)
    measured(store, run, CURVE_FIGURES if kind == CURVE else BETA_FIGURES)
    return finish_run(store, run.id, "done", result={})


def keys(studio: Studio) -> set[str | None]:
    return {button.key for button in studio.test.button}


def test_it_is_folded_and_costs_nothing_until_it_is_asked_for(
    studio: Studio, series_project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._train.more_texts.too_few", lambda _: pytest.fail("read though folded"))
    studio.open("train", project=series_project.id)
    assert "Learning curve" in [expander.label for expander in studio.test.expander]
    assert "train_curve_start" not in keys(studio)


def test_folded_it_says_that_it_is_at_work(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    queued(store, series_project)
    studio.open("train", project=series_project.id)
    assert "Training is running. Open this section to see the progress." in studio.html


def test_a_curve_is_started_with_the_chosen_settings(
    studio: Studio, series_project: ProjectRecord, store: Store, launched: list[int]
) -> None:
    opened(studio, series_project)
    assert "Takes as long as 3 training runs. Train once to get an estimate." in studio.html
    studio.test.segmented_control(key="train_objective").set_value("accuracy").run()
    studio.test.number_input(key="train_train_accuracy_epochs_40").set_value(7).run()
    studio.test.button(key="train_curve_start").click().run()
    studio.checked()
    [run] = list_runs(store, series_project.id)
    assert (launched, run.kind, run.config["objective"]) == ([run.id], CURVE, "accuracy")
    assert (run.config["network"], run.config["train"]) == ({}, {"epochs": 7})
    assert "Waiting for another job." in studio.html
    assert "train_curve_start" not in keys(studio)


def test_how_long_it_takes_goes_by_the_latest_training(
    studio: Studio, series_project: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._train.more_texts.estimate", lambda *_: runs.Estimate(150.0, 4))
    opened(studio, series_project)
    assert "About 2 minutes, estimated from run 4. You can leave this page." in studio.html


def test_progress_is_shown_with_what_is_measured_so_far(
    studio: Studio, series_project: ProjectRecord, store: Store
) -> None:
    run = queued(store, series_project)
    measured(store, run, CURVE_FIGURES[:3])
    assert claim_run(store, run.id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run.id, 3, 6, "training 4 of 6, epoch 2")
    opened(studio, series_project)
    assert "Running: training 4 of 6, epoch 2. You can leave this page." in studio.html
    assert studio.test.get("progress")[0].proto.text.startswith("3 of 6 training runs done")
    assert "<td>30%</td>" in studio.html
    assert "more texts of the same kind" not in studio.html
    studio.test.button(key="train_curve_cancel").click().run()
    studio.checked()
    assert get_run(store, run.id).cancel_requested
    assert "Stopping." in studio.html


def test_a_finished_curve_is_a_figure_a_table_and_a_sentence(
    studio: Studio, series_project: ProjectRecord, store: Store
) -> None:
    finished(store, series_project, CURVE)
    opened(studio, series_project)
    assert (
        "From 32 to 96 texts dev accuracy rose by 4.0 points; from 96 to 320 by 0.4: "
        "more texts of the same kind bring little now."
    ) in studio.html
    assert len(studio.test.get("plotly_chart")) == 1
    assert '<td>rules only</td><td class="re2-number"></td><td class="re2-number">75.0</td>' in studio.html
    assert '<td class="re2-number">81.0 <span class="re2-muted">± 1.4</span></td>' in studio.html
    assert "Measured on the 40 held-out dev texts and the 32 held-out test texts." in studio.html
    assert "Word vectors: none, Maximum epochs: 1" in studio.html
    assert "train_curve_start" in keys(studio)


def test_figures_of_other_labels_say_so(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    finished(store, series_project, CURVE)
    record_label(store, texts_of(store, series_project.id)[0].id, "money", "Ann")
    opened(studio, series_project)
    assert "Texts or labels have changed since then. Start again for new figures." in studio.html


def test_a_cancelled_curve_is_taken_up_again(
    studio: Studio, series_project: ProjectRecord, store: Store, launched: list[int]
) -> None:
    run = queued(store, series_project)
    measured(store, run, CURVE_FIGURES[:2])
    finish_run(store, run.id, "cancelled")
    opened(studio, series_project)
    assert "Cancelled. Figures measured so far are kept: continue from there." in studio.html
    studio.test.button(key="train_curve_go_on").click().run()
    studio.checked()
    assert len(launched) == 2
    assert "Waiting for another job." in studio.html


def test_a_curve_that_failed_says_why(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    finish_run(store, queued(store, series_project).id, "failed", error="Stopped because the memory ran out.")
    opened(studio, series_project)
    assert "Stopped because the memory ran out." in studio.messages.replace("\\", "")
    assert "train_curve_start" in keys(studio)


def test_beta_has_its_own_figure_and_sentence(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    finished(store, series_project, BETA)
    opened(studio, series_project, BETA)
    assert (
        "Before training beta 0.3 loses 10.0 points against the rules alone (75.0%). After training beta 0.3 is best "
        "with 90.0% dev accuracy, against 80.0% without beta, as by default: worth a try, under All settings, Variants."
    ) in studio.html
    assert "<td>none</td>" in studio.html
    assert len(studio.test.get("plotly_chart")) == 1


def test_one_series_at_a_time(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    queued(store, series_project, CURVE)
    opened(studio, series_project, BETA)
    assert studio.test.button(key="train_beta_start").disabled


def test_parameters_of_the_family_need_no_training(studio: Studio, series_project: ProjectRecord) -> None:
    opened(studio, series_project)
    studio.test.selectbox(key="train_network_vectors").set_value("none").run()
    studio.test.segmented_control(key="train_more_view").set_value("sizes").run()
    studio.checked()
    assert all(f"<td>{name}</td>" in studio.html for name in ("FA-RNN", "FA-GRU", "BiFA-RNN", "BiFA-GRU"))


def test_too_few_texts_say_how_many_more_are_needed(studio: Studio, store: Store) -> None:
    opened(studio, small_project(store))
    assert "There are 7 labelled texts to draw from; at least 49 are needed. Label or add 42 more." in studio.html
    assert "train_curve_start" not in keys(studio)


def test_settings_that_do_not_go_together_start_nothing(studio: Studio, series_project: ProjectRecord) -> None:
    opened(studio, series_project)
    studio.test.toggle(key="train_network_train_aggregation").set_value(True).run()
    studio.checked()
    assert studio.test.button(key="train_curve_start").disabled


def test_series_are_no_runs_and_no_models(studio: Studio, series_project: ProjectRecord, store: Store) -> None:
    finished(store, series_project, CURVE)
    create_run(store, series_project.id, "train")
    studio.open("train", project=series_project.id)
    assert list(studio.test.dataframe[0].value["run"]) == ["▸ 1"]
    studio.open("predict", project=series_project.id)
    [predictions] = [box.options for box in studio.test.selectbox if box.label == "Model"]
    assert predictions == ["Model: rules", "Model: network, not trained"]
    studio.open("compare", project=series_project.id)
    assert "There is no training run to compare yet." in studio.html
