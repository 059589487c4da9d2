"""The page Fine-tune with two runs side by side."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.networks.small_system import LOGIC, RULES
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.fine_tuning.edited_runs import edit_run, edited_model_of
from re2nn_core.services.fine_tuning.runs import finished_runs, run_rows
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    list_runs,
    open_store,
    record_label,
    save_version,
    texts_of,
)

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")

TWO = "Compare two runs"


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of a project that answer some texts differently, made once."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        project = learnable_project(store)
        finished_run(store, project)
        finished_run(store, project, train_words=False, state_head=False)
    return folder


@pytest.fixture
def runs(store: Store, learnable: ProjectRecord) -> tuple[RunRecord, ...]:
    """The oldest in front."""
    return tuple(reversed(list_runs(store, learnable.id)))


def view(studio: Studio, project: ProjectRecord) -> None:
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_view").set_value(TWO).run()
    studio.checked()


def choose(studio: Studio, side: str, run: RunRecord) -> None:
    [box] = [box for box in studio.test.selectbox if str(box.key).startswith(f"train_{side}_run_")]
    box.set_value(run.id).run()
    studio.checked()


def curves(studio: Studio) -> list[str]:
    """The names of the lines in the figure of both runs, the last one on the page."""
    figure = json.loads(studio.test.get("plotly_chart")[-1].proto.spec)
    return [trace["name"] for trace in figure["data"]]


def cells(studio: Studio, row: str) -> list[str]:
    """The cells of a row of the facts behind its name."""
    [body] = [body for body in studio.html.split("<tr>") if body.startswith(f"<td>{row}</td>")]
    return [cell.split("</td>")[0] for cell in body.split("<td>")[2:]]


def listed(studio: Studio) -> int:
    """How many texts with different answers are shown."""
    return studio.html.split('"re2-pair-texts"')[1].split("</table>")[0].count("<tr>") - 1


def test_one_run_has_nothing_beside_it(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._train.run_comparison.finished_runs", lambda *given: finished_runs(*given)[:1])
    view(studio, learnable)
    assert "Two finished runs are needed for a comparison; there is one." in studio.html
    assert "Change a setting above" in studio.html
    monkeypatch.setattr(
        "pages._train.run_comparison.run_rows",
        lambda *given: tuple(replace(row, state="running") for row in run_rows(*given)),
    )
    studio.test.run()
    assert "The other run is not finished yet" in studio.html


def test_the_two_latest_runs_stand_side_by_side(
    studio: Studio, learnable: ProjectRecord, runs: tuple[RunRecord, ...]
) -> None:
    view(studio, learnable)
    first, second = (run.result for run in runs)
    assert curves(studio) == [
        f"run 1, best {first['dev']:.1%}",
        f"run 2, best {second['dev']:.1%}",
        f"rules alone, out-of-fold {first['zero_shot']['dev']:.1%}",
    ]
    assert cells(studio, "out-of-fold")[:2] == [f"{first['dev']:.1%}", f"{second['dev']:.1%}"]
    assert "▼ -" in cells(studio, "out-of-fold")[2]
    assert cells(studio, "parameters")[:2] == [f"{first['parameters']:,}", f"{second['parameters']:,}"]
    assert first["parameters"] > second["parameters"] > 0
    assert cells(studio, "Train words of the rules")[:2] == ["on", "off"]
    assert "Maximum epochs" not in studio.html.split("Different settings")[1].split("</table>")[0]


def test_texts_with_different_predictions_are_listed_and_cut_by_label_and_winner(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_label(store, texts_of(store, learnable.id)[0].id, "something else", "tester")
    view(studio, learnable)
    assert "<b>2</b> <span>texts predicted differently</span>" in studio.html
    assert "F1, from run 1 to run 2" in studio.html
    assert "<th>Rules</th>" in studio.html
    assert listed(studio) == 2
    assert studio.html.split('"re2-pair-texts"')[1].split("</table>")[0].count(" ✓") == 2
    who = studio.test.segmented_control(key="train_pair_who_1_2")
    assert [option.split()[-1] for option in who.options] == ["2", "0", "2", "0"]
    who.set_value("second").run()
    assert studio.checked()
    assert "No such text in this split." in studio.html
    studio.test.segmented_control(key="train_pair_split_turns").set_value("train").run()
    studio.test.segmented_control(key="train_pair_who_1_2").set_value("all").run()
    monkeypatch.setattr("pages._train.run_comparison._SHOWN", 3)
    studio.test.selectbox(key="train_pair_label_1_2").set_value("money").run()
    studio.checked()
    assert listed(studio) == 3
    assert "The first 3 of 4 texts are shown." in studio.html
    studio.test.selectbox(key="train_pair_label_1_2").set_value("something else").run()
    assert "No such text in this split." in studio.html


def test_a_run_beside_itself_is_no_comparison(
    studio: Studio, learnable: ProjectRecord, runs: tuple[RunRecord, ...]
) -> None:
    view(studio, learnable)
    choose(studio, "first", runs[1])
    assert "Both sides are the same run." in studio.html


def test_runs_of_other_rules_are_told_apart(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    more = RULES + "cost := $* cost $*\n"
    save_version(
        store,
        learnable.id,
        rules_text=more,
        logic_text=LOGIC,
        author="tester",
        message="",
        expected_number=1,
    )
    finished_run(store, learnable)
    view(studio, learnable)
    assert "The rules differ: run 2 from v1 and run 3 from v2; each run uses its own." in studio.html
    assert "rules of run 3, out-of-fold" in curves(studio)[3]


def test_an_edited_run_is_a_level_with_its_own_rules(
    studio: Studio, learnable: ProjectRecord, store: Store, runs: tuple[RunRecord, ...]
) -> None:
    run = finished_run(store, learnable, train={"copies": 1, "epochs": 2})
    edit_run(store, run, edited_model_of(run), Edits((), ("price",)), texts_of(store, learnable.id), person="Ann")
    view(studio, learnable)
    choose(studio, "first", run)
    assert curves(studio)[1].startswith("run 4, edited, dev ")
    assert "Run 4 is run 3, edited: switched off price." in studio.html
    assert "run 3 from v1 and run 4 from v1, edited" in studio.html


def test_an_edited_run_that_has_learned_from_dev_has_no_figure_there(
    studio: Studio, learnable: ProjectRecord, store: Store, runs: tuple[RunRecord, ...]
) -> None:
    edit_run(
        store, runs[0], edited_model_of(runs[0]), Edits((), ("price",)), texts_of(store, learnable.id), person="Ann"
    )
    view(studio, learnable)
    choose(studio, "first", runs[0])
    reported = "Run 3 has no accuracy on dev: it was edited, and these texts were used for training."
    assert reported in studio.html
    assert cells(studio, "out-of-fold") == [f"{runs[0].result['dev']:.1%}", "–", ""]
    assert cells(studio, "training texts")[:2] == ["48", "32 + dev"]
    [box] = [box for box in studio.test.selectbox if str(box.key).startswith("train_second_run_")]
    assert box.options[0] == "Run 3, edited"
    assert "was cross-validated on all labelled texts" not in studio.html


def test_a_run_without_its_network_still_shows_its_figures(
    studio: Studio, learnable: ProjectRecord, runs: tuple[RunRecord, ...]
) -> None:
    shutil.rmtree(runs[0].folder)
    view(studio, learnable)
    assert len(curves(studio)) == 3
    assert cells(studio, "out-of-fold")[0] == f"{runs[0].result['dev']:.1%}"
    reported = studio.messages.replace("\\", "")
    assert "Comparing the predictions did not work." in reported
    assert "Cannot open the network of run 1: it is missing, damaged" in reported
    assert "choose another run for this side" in reported


def test_copies_that_took_turns_are_told(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = list_runs(store, learnable.id)[0]
    monkeypatch.setattr("pages._train.run_comparison.learned_from_dev", lambda run, corpus: run.id == second.id)
    view(studio, learnable)
    split = studio.test.segmented_control(key="train_pair_split_turns")
    assert split.value == "test"
    assert "Held-out texts." in studio.html
    split.set_value("dev").run()
    assert "dev (also used for training): Run 2 was trained on dev and train texts." in studio.html
    assert "Held-out" not in studio.html
    assert "Run 2 was cross-validated on all labelled texts" in studio.html
    assert cells(studio, "out-of-fold")[2] == ""
