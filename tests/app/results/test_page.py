"""The page Results: the stored tables, and systems compared on a project's own texts."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from support.app.app_studio import Studio, small_project
from support.networks.reproduced_samples import job, run
from support.projects.project_with_texts import project_of

from re2nn_core.experiments.datasets.kinds import COMPARISON
from re2nn_core.experiments.project import model_runs
from re2nn_core.experiments.project.model_runs import (
    ComparisonRequest,
    start_comparison,
    trainings_csv,
    watch_comparison,
)
from re2nn_core.experiments.project.models import Trained, trained_of
from re2nn_core.experiments.reproduce.output.results import filled
from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, KeptRuns, add_run
from re2nn_core.experiments.reproduce.runs.stored import stored_runs
from re2nn_core.experiments.reproduce.tables.catalog import find_table
from re2nn_core.jobs.ray_cluster import RayCluster
from re2nn_core.services.annotation.classification import annotate
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    add_point,
    claim_run,
    finish_run,
    get_run,
    latest_version,
    list_runs,
    set_progress,
    texts_of,
)

VIEW = "results_page_view"
MEASURED = "Measured on the 40 held-out dev texts."
MODELS = "models"


@pytest.fixture(autouse=True)
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Comparisons that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(model_runs, "launch", lambda store, run_id: started.append(run_id))
    return started


@pytest.fixture
def own(store: Store) -> ProjectRecord:
    return project_of(store)


def models_of(studio: Studio, project: int) -> Studio:
    """The page as it opens where a project is open."""
    studio.open("results", project=project)
    assert studio.test.segmented_control(key=VIEW).value == MODELS
    return studio


def wished(store: Store, project: ProjectRecord, **changes: object) -> RunRecord:
    parts = {"systems": ("interpretable", "accuracy"), "amounts": (50, 200), "seeds": 2}
    request = ComparisonRequest(**{**parts, **changes})  # type: ignore[arg-type]
    return start_comparison(store, project.id, latest_version(store, project.id).id, request, person="Ann")


def measured(store: Store, run: RunRecord, values: dict[tuple[str, int], tuple[float, ...]]) -> None:
    every = [Trained("rules", 0, 0, 75.0, vectors="none", code="0.1.0")]
    every += [Trained(s, n, seed, v, 2.0) for (s, n), found in values.items() for seed, v in enumerate(found)]
    for step, one in enumerate(every):
        add_point(store, run.id, step, vars(one))


def test_stored_tables_need_neither_project_nor_data(studio: Studio) -> None:
    studio.open("results")
    assert studio.test.selectbox(key="results_table").value == "emnlp2020-table5"
    assert " cells have a figure; " in studio.html
    assert '<th scope="row">BiGRU+kd</th>' in studio.html
    assert '<th scope="col">ATIS 1%</th>' in studio.html
    assert "published 90.43 ± 0.46" in studio.html
    assert len(studio.test.get("plotly_chart")) == 1


def test_a_cell_tells_its_runs_with_machine_day_version_and_settings(studio: Studio) -> None:
    studio.open("results")
    studio.test.selectbox(key="results_grid_emnlp2020-table5_row").set_value("FA-RNN").run()
    studio.test.selectbox(key="results_grid_emnlp2020-table5_column").set_value("QC 10%").run()
    studio.checked()
    assert [head.value for head in studio.test.subheader] == ["FA-RNN, QC 10%"]
    assert "<span>published</span>" in studio.html
    cell = filled(find_table("emnlp2020-table5"), stored_runs()).at("FA-RNN", "QC 10%")
    assert cell is not None
    assert cell.measured is not None
    for one in cell.measured.runs:  # whatever they are: the file of results changes with every new run
        assert one.machine in studio.html.split("Computer: ")[1].split("Version: ")[0]
        assert f"<td>{one.code.rpartition(' ')[2]}</td>" in studio.html
        assert f"<td>{one.date[:16].replace('T', ' ')}</td>" in studio.html
    assert "Below: the requested settings." in studio.html
    assert "<td>learning_rate</td><td>0.001</td>" in studio.html


def test_a_cell_that_was_not_run_tells_what_runs_it(studio: Studio) -> None:
    studio.open("results")
    studio.test.selectbox(key="results_table").set_value("emnlp2021-figure5").run()
    studio.test.selectbox(key="results_grid_emnlp2021-figure5_column").set_value("0.5").run()
    studio.checked()
    [row] = [head.value.removesuffix(", 0.5") for head in studio.test.subheader]
    wanted = "" if "," in row else f' --only "{row}"'
    reported = f'Not run yet. Run <code>re2nn reproduce emnlp2021-figure5{wanted} --columns "0.5"</code>.'
    assert reported in unescape(studio.html)


def test_a_cell_that_was_not_run_says_so(studio: Studio) -> None:
    studio.open("results")
    studio.test.selectbox(key="results_table").set_value("emnlp2021-table12").run()
    studio.checked()
    assert "None of 205 cells has a figure (205 cannot be run here)." in studio.html
    assert "The texts and rules of ATIS-ZH are not in the folder of published data." in studio.html
    assert "cannot be run<br>published 74.84 ± 0.06" in studio.html


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("Difference", "<td>+8.70</td>"),
        ("Spread", "<td>± 3.88</td>"),
        ("Seeds", "<td>4 seeds</td>"),
        ("Published", "<td>67.75 ± 1.12</td>"),
        ("Ours", "<td>76.45 ± 3.88</td>"),
    ],
)
def test_one_figure_of_each_cell_alone(studio: Studio, view: str, shown: str) -> None:
    studio.open("results")
    studio.test.selectbox(key="results_view").set_value(view).run()
    studio.checked()
    assert shown in studio.html


def test_rows_are_filtered_by_their_names(studio: Studio) -> None:
    studio.open("results")
    studio.test.text_input(key="results_rows").set_value("bigru+").run()
    studio.checked()
    assert '<th scope="row">BiGRU+i</th>' in studio.html
    assert '<th scope="row">FA-RNN</th>' not in studio.html
    studio.test.text_input(key="results_rows").set_value("perceptron").run()
    studio.checked()
    assert "No row matches this filter." in studio.html


def test_every_table_can_be_looked_at(studio: Studio) -> None:
    studio.open("results")
    for name in (
        "emnlp2020-table3",
        "emnlp2020-figure3",
        "emnlp2020-section6",
        "emnlp2021-table4",
        "emnlp2021-figure5",
    ):
        studio.test.selectbox(key="results_table").set_value(name).run()
        studio.checked()
        assert not studio.messages


def test_runs_of_this_machine_stand_beside(studio: Studio, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the stored runs: of more seeds with other settings they would be the ones that count.
    monkeypatch.setattr("pages._results.tables.stored_runs", lambda: KeptRuns({}, stored_runs().published))
    add_run(home / "results" / FILE_NAME, job("bigru").key, run(0, 71.23))
    studio.open("results")
    assert "71.23" in studio.html
    studio.test.segmented_control(key="results_source").set_value("that come with the program").run()
    studio.checked()
    assert "71.23" not in studio.html


def test_a_damaged_file_of_this_machine_is_told_and_the_stored_ones_are_shown(studio: Studio, home: Path) -> None:
    (home / "results").mkdir()
    (home / "results" / FILE_NAME).write_text("{", encoding="utf-8")
    studio.open("results")
    assert "this is no file of runs that can be read" in studio.messages.replace("\\", "")
    assert "published 90.43" in studio.html


def test_without_a_project_the_tables_say_how_to_compare_on_own_texts(studio: Studio) -> None:
    studio.open("results")
    assert not studio.test.segmented_control
    assert "Tables of the two papers that this program implements" in studio.html
    labels = [link.proto.label for link in studio.test.get("page_link")]
    assert "Open a project to compare models on your texts" in labels


def test_the_page_opens_on_the_own_texts_and_says_what_to_do(studio: Studio, own: ProjectRecord, store: Store) -> None:
    models_of(studio, own.id)
    assert "No comparison yet." in studio.html
    assert "You then see which is best on your texts, and with how many of them." in studio.html
    wished(store, own)
    models_of(studio, own.id)
    assert "No comparison yet." not in studio.html
    studio.test.segmented_control(key=VIEW).set_value("tables").run()
    studio.checked()
    assert studio.test.selectbox(key="results_table").value == "emnlp2020-table5"


def test_too_few_texts_are_told(studio: Studio, store: Store) -> None:
    models_of(studio, small_project(store).id)
    assert "There are 7 labelled texts to draw from; at least 49 are needed. Label or add 42 more." in studio.html
    assert "models_start" not in {button.key for button in studio.test.button}


def test_too_few_texts_lead_to_texts_without_a_label_and_then_to_new_ones(studio: Studio, store: Store) -> None:
    """It led to Label where every text had a label."""
    project = small_project(store)
    models_of(studio, project.id)
    assert "Go to Label" in [link.proto.label for link in studio.test.get("page_link")]
    for text in texts_of(store, project.id):
        annotate(store, text.id, text.label or "a", "Ann")
    models_of(studio, project.id)
    assert "Go to Projects" in [link.proto.label for link in studio.test.get("page_link")]


def test_a_comparison_is_started(studio: Studio, own: ProjectRecord, store: Store, launched: list[int]) -> None:
    models_of(studio, own.id)
    studio.test.multiselect(key="models_amounts").set_value([50, 320]).run()
    studio.test.number_input(key="models_seeds").set_value(3).run()
    trainings = len(studio.test.multiselect(key="models_systems").value) * 2 * 3
    reported = (
        f"{trainings} trainings; the duration is estimated after the first one. Measured on the 40 held-out dev texts."
    )
    assert reported in studio.html
    assert (
        "choose our network (interpretable), which is FA-RNN: one network without an auxiliary encoder." in studio.html
    )
    studio.test.button(key="models_start").click().run()
    studio.checked()
    [started] = list_runs(store, own.id, COMPARISON)
    assert launched == [started.id]
    assert (started.config["amounts"], started.config["seeds"]) == ([50, 320], 3)
    assert "Waiting for another job." in studio.html


def test_without_a_system_nothing_is_started(studio: Studio, own: ProjectRecord, store: Store) -> None:
    models_of(studio, own.id)
    for key, value, reported in (
        ("models_systems", [], "No system is selected. Select at least one; the rules alone are always measured too."),
        ("models_amounts", [], "No amount of texts is chosen. Choose one or more; two make a curve."),
        ("models_amounts", [20, "many"], "'many' is not a number of texts: expected a whole number from 20 to 320."),
        ("models_amounts", [20, "5000"], "The amounts must be from 20 to 320 texts (got 5,000)."),
    ):
        models_of(studio, own.id)
        studio.test.multiselect(key=key).set_value(value).run()
        studio.checked()
        assert reported in unescape(studio.html)
        assert "trainings" not in studio.html
        assert studio.test.button(key="models_start").disabled
        studio.test.multiselect(key=key).set_value(["dan"] if key == "models_systems" else [20, "33"]).run()
        assert not studio.test.button(key="models_start").disabled
    assert not list_runs(store, own.id, COMPARISON)


def test_a_comparison_is_trained_by_the_cluster_that_the_server_names(
    studio: Studio, own: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one nothing is offered; one that is not there is reported, and nothing is started."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    models_of(studio, own.id)
    assert "models_ray" not in {toggle.key for toggle in studio.test.toggle}
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    models_of(studio, own.id)
    assert studio.test.toggle(key="models_ray").label == "Train on the Ray cluster at 127.0.0.1:1"
    studio.test.toggle(key="models_ray").set_value(True).run()
    assert "on the Ray cluster at 127.0.0.1:1. Measured on" in studio.html
    studio.test.button(key="models_start").click().run()
    [error] = studio.test.error
    assert "There is no Ray cluster at 127.0.0.1" in error.value
    assert not list_runs(store, own.id, COMPARISON)
    monkeypatch.setattr(RayCluster, "check", lambda self: None)
    studio.test.button(key="models_start").click().run()
    studio.checked()
    [started] = list_runs(store, own.id, COMPARISON)
    assert (started.config["engine"], started.config["address"]) == ("ray", "127.0.0.1:1")


def test_the_view_stands_in_the_address(studio: Studio, own: ProjectRecord) -> None:
    studio.test.query_params["view"] = "models"
    studio.open("results", project=own.id)
    assert studio.test.segmented_control(key=VIEW).value == MODELS
    studio.test.segmented_control(key=VIEW).set_value("tables").run()
    assert studio.test.query_params["view"] == "tables"


def test_earlier_comparisons_stay_and_are_not_trained_again(
    studio: Studio, own: ProjectRecord, store: Store, launched: list[int]
) -> None:
    first = wished(store, own)
    measured(store, first, {("reading", 50): (80.0, 82.0)})  # as a former version named it
    set_progress(store, first.id, 2, 8, "")
    finish_run(store, first.id, "cancelled")
    second = wished(store, own, systems=("interpretable", "dan"), amounts=(50,), seeds=3)
    taken = {(one.system, one.texts, one.seed): one.value for one in trained_of(store, second.id)}
    assert taken == {("rules", 0, 0): 75.0, ("interpretable", 50, 0): 80.0, ("interpretable", 50, 1): 82.0}
    finish_run(store, second.id, "cancelled")
    models_of(studio, own.id)
    which = studio.test.selectbox(key="models_which")
    assert [option[20:] for option in which.options] == [
        ", 2 of 6 training runs, cancelled",
        ", 2 of 8 training runs, cancelled",
    ]
    which.set_value(first.id).run()
    studio.checked()
    assert "81.0" in studio.html
    assert " trainings, about " in studio.html  # by what the first one took
    studio.test.button(key="models_start").click().run()
    studio.checked()
    assert studio.test.selectbox(key="models_which").value == launched[-1], "the new one is what is looked at"


def test_progress_is_shown_and_can_be_cancelled(studio: Studio, own: ProjectRecord, store: Store) -> None:
    run = wished(store, own)
    measured(store, run, {("interpretable", 50): (80.0, 82.0)})
    assert claim_run(store, run.id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run.id, 2, 8, "training 3 of 8 (accuracy, epoch 4)")
    models_of(studio, own.id)
    assert "Running: training 3 of 8 (accuracy, epoch 4). You can leave this page." in studio.html
    assert studio.test.get("progress")[0].proto.text.startswith("2 of 8 training runs done, about ")
    assert '81.0 <span class="re2-muted">± 1.4 (2 seeds)</span>' in studio.html
    studio.test.button(key="models_cancel").click().run()
    studio.checked()
    assert get_run(store, run.id).cancel_requested


def test_a_finished_comparison_is_sentences_curves_and_a_table(
    studio: Studio, own: ProjectRecord, store: Store, launched: list[int]
) -> None:
    run = wished(store, own, systems=("accuracy",))
    reached = {("accuracy", 50): (90.0, 92.0), ("accuracy", 200): (95.0, 95.0)}
    measured(store, run, {**reached, ("bigru", 50): (70.0, 72.0), ("bigru", 200): (94.5, 95.0)})
    finish_run(store, run.id, "done", result={})
    models_of(studio, own.id)
    assert (
        "With 50 texts our network (accuracy) is ahead of BiGRU by 20.0 points; with 200 the two are level "
        "(0.2 points)."
    ) in studio.html
    alone = "With 50 and with 200 texts our network (accuracy) is ahead of the rules alone (75.0% accuracy) by "
    assert f"{alone}16.0 to 20.0 points." in studio.html
    assert len(studio.test.get("plotly_chart")) == 1
    assert "Measured on 40 texts, with 2 seeds or more. One text is 2.5 points." in studio.html
    assert [button.proto.label for button in studio.test.get("download_button")] == ["Export all training runs as CSV"]
    lines = trainings_csv(watch_comparison(store, run.id)).splitlines()
    assert lines[:3] == [
        "system,texts,seed,accuracy,seconds,measured on,word vectors,rules version,program version",
        f"the rules alone,0,0,75.0,0.0,{MEASURED},none,v1,0.1.0",
        f"our network (accuracy),50,0,90.0,2.0,{MEASURED},,v1,",
    ]
    assert "models_start" in {button.key for button in studio.test.button}


def test_a_cancelled_comparison_is_gone_on_with(
    studio: Studio, own: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from re2nn_core.experiments.project import runs

    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    run = wished(store, own)
    measured(store, run, {("interpretable", 50): (80.0,)})
    set_progress(store, run.id, 1, 8, "")
    finish_run(store, run.id, "cancelled")
    models_of(studio, own.id)
    assert "Cancelled. Figures measured so far are kept: continue from there." in studio.html
    studio.test.button(key="models_go_on").click().run()
    studio.checked()
    assert len(list_runs(store, own.id, COMPARISON)) == 2
    assert "1 of 8 trainings are saved. Waiting for another job." in studio.html


def test_downloads_hold_the_whole_table(studio: Studio) -> None:
    studio.open("results")
    labels = [button.proto.label for button in studio.test.get("download_button")]
    assert labels == ["CSV", "Export all runs as JSON", "HTML"]
