"""The page Fine-tune for a project whose texts carry spans."""

from __future__ import annotations

import json
import os
import re
import socket
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.projects.finished_tagger_run import RULES, finished_slot_run, slot_corpus, slot_project, waiting_slot_run

from pages._train.known_settings import DEVICE
from pages._train.slot_filling.settings import NETWORK, TRAIN, VARIANTS
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning import runs
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    add_point,
    claim_run,
    create_project,
    finish_run,
    get_run,
    list_projects,
    list_runs,
    open_store,
    record_labels,
    set_progress,
    texts_of,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

ACCURATE = slot_network("accuracy", 28)
SLOTS_VIEW, TWO = "By slot", "Compare two runs"


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of a project that answer some texts differently, made once."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        project = slot_project(store, unannotated=2)
        finished_slot_run(store, project)
        finished_slot_run(store, project, train={"epochs": 1})
    return folder


@pytest.fixture
def project(filled: None, store: Store) -> ProjectRecord:
    [summary] = list_projects(store)
    return summary.project


@pytest.fixture
def both(store: Store, project: ProjectRecord) -> tuple[RunRecord, ...]:
    """The oldest in front."""
    return tuple(reversed(list_runs(store, project.id)))


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Runs that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: started.append(run_id))
    return started


def figure(studio: Studio, place: int) -> dict:
    return json.loads(studio.test.get("plotly_chart")[place].proto.spec)


def test_examples_are_shown_by_slot(studio: Studio, store: Store) -> None:
    studio.open("train", project=slot_project(store, unannotated=2).id)
    assert "<b>28</b> <span>training texts</span>" in studio.html
    assert "<b>40</b> <span>spans</span>" in studio.html
    assert "<b>14</b> <span>dev, to choose the epoch</span>" in studio.html
    assert "<b>2</b> <span>not annotated</span>" in studio.html
    assert "<li>28 training texts</li><li>14 dev texts decide when to stop</li>" in studio.html
    assert (
        "then a linear layer over words: the better one on held-out texts predicts. Your rules are not" in studio.html
    )
    assert "Only 20 spans in dev texts: the F1 on them is rough." in studio.html
    assert "No training run yet." in studio.html
    assert "accuracy" not in studio.html


def test_where_dev_does_not_decide_it_says_so(studio: Studio, store: Store) -> None:
    studio.open("train", project=slot_project(store).id)
    studio.test.segmented_control(key="train_objective").set_value("accuracy").run()
    assert re.search(r"<b>42</b> <span><abbr[^>]*>training texts, cross-validated</abbr>", studio.html)
    assert "to know when to stop" not in studio.html
    assert (
        "A linear layer over words and an auxiliary encoder are trained on 42 texts, next to your rules. Your rules"
        in (studio.html)
    )
    studio.test.number_input(key="train_slots_train_accuracy_copies_3").set_value(1).run()
    assert re.search(r"<b>42</b> <span><abbr[^>]*>training texts, cross-validated</abbr>", studio.html)


def test_an_epoch_that_was_kept_is_not_called_the_best(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project)
    for epoch, dev in enumerate((0.5, 0.75, 0.625)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run.id, epoch, point)
    finish_run(store, run.id, "done", result={"best_epoch": 2, "epochs": 2, "dev": 0.625, "zero_shot": {"dev": 0.5}})
    studio.open("train", project=project.id)
    assert "<b>62.5</b> <span>F1 on dev, kept (epoch 2)</span>" in studio.html
    assert [line["name"] for line in figure(studio, 0)["data"]][3] == "kept, dev 62.5"


def test_a_layer_in_cross_validation_is_compared_with_the_rules_on_its_own_texts(studio: Studio, store: Store) -> None:
    """Its gain was over the rules on every fifth text, which the curve is of."""
    project = slot_project(store)
    run = waiting_slot_run(store, project, linear=True)
    for epoch, dev in enumerate((0.5, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run.id, epoch, {**point, "dev_name": "held-out fifth"})
    figures = [{"name": "out-of-fold", "untrained": 0.6, "trained": 0.9, "texts": 42}]
    result = {"best_epoch": 0, "epochs": 1, "dev": 0.9, "zero_shot": {"dev": 0.6}, "linear_weight": 1.0}
    finish_run(store, run.id, "done", result={**result, "figures": figures})
    studio.open("train", project=project.id)
    assert "<b>60.0</b> <span>out-of-fold F1, 42 texts, rules</span>" in studio.html
    assert "+30.0" in studio.html
    assert [line["name"] for line in figure(studio, 0)["data"]][1] == "held-out fifth"
    assert (
        "90.0 is of your rules with the linear layer, in cross-validation of all labelled train texts; the epochs are "
        "of the network without it, on every fifth of these texts."
    ) in [caption.value for caption in studio.test.caption]


def test_the_time_left_is_that_of_the_epochs_and_a_layer_comes_behind_it(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project, linear=True, decoding="softmax", auxiliary="none")
    claim_run(store, run.id, max_running=1, pid=os.getpid(), host=socket.gethostname())
    for epoch in range(3):
        add_point(store, run.id, epoch, {"epoch": epoch, "dev": 0.5, "dev_loss": 1.0, "seconds": 2.0})
    set_progress(store, run.id, 2, 10, "epoch 2, best so far: epoch 0")
    studio.open("train", project=project.id)
    [bar] = studio.test.get("progress")
    assert re.fullmatch(r"epoch 2 of at most 10 · at most \d+ seconds left, then a linear layer", bar.proto.text)


def test_without_dev_texts_the_curve_is_that_of_train(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project)
    for epoch, train in enumerate((0.5, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": train, "dev": 0.0, "dev_loss": 0.0, "seconds": 2.0}
        add_point(store, run.id, epoch, point)
    finish_run(store, run.id, "done", result={"best_epoch": 1, "epochs": 1, "zero_shot": {}})
    studio.open("train", project=project.id)
    assert [line["name"] for line in figure(studio, 0)["data"]] == ["train", "rules alone, train 50.0"]
    assert "F1 on dev" not in studio.html


def test_too_few_marked_texts_are_explained_and_nothing_starts(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    record_labels(store, [(record.id, "[]") for record in texts_of(store, project.id)], "Ann")
    studio.open("train", project=project.id)
    assert "None of the 28 annotated training texts has a span" in studio.messages.replace("\\", "")
    assert not [button for button in studio.test.button if button.key == "train_start"]


@pytest.mark.parametrize("objective", ["interpretable", "accuracy"])
def test_a_training_starts_with_what_the_objective_begins_with(
    studio: Studio, store: Store, launched: list[int], objective: str
) -> None:
    project = slot_project(store)
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_objective").set_value(objective).run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    [run] = list_runs(store, project.id, "train")
    assert launched == [run.id]
    assert runs.settings_of_run(run) == (slot_network(objective, 28), slot_training(objective, 28))
    again = Studio()
    again.open("train", project=project.id)
    assert again.test.segmented_control(key="train_objective").value == objective
    assert "Waiting." in studio.html


def test_a_changed_setting_is_taken_and_named(studio: Studio, store: Store, launched: list[int]) -> None:
    project = slot_project(store)
    studio.open("train", project=project.id)
    studio.test.number_input(key="train_slots_train_interpretable_epochs_40").set_value(7).run()
    studio.test.selectbox(key="train_slots_interpretable_vectors").set_value("none").run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    [run] = list_runs(store, project.id, "train")
    assert runs.changed_run_settings(run) == ("Word vectors: none", "Maximum epochs: 7")
    assert list(studio.test.dataframe[0].value["settings"]) == ["Maximum epochs: 7"]


def test_settings_that_do_not_go_together_are_told_and_start_nothing(
    studio: Studio, store: Store, launched: list[int]
) -> None:
    studio.open("train", project=slot_project(store).id)
    studio.test.toggle(key="train_slots_interpretable_tune_encoder").set_value(True).run()
    assert "tune_encoder needs vectors 'context'" in studio.messages.replace("\\", "")
    studio.test.button(key="train_start").click().run()
    assert launched == []


def test_a_run_at_work_shows_its_curve_of_f1_and_can_be_cancelled(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project)
    for epoch, dev in enumerate((0.5, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run.id, epoch, point)
    assert claim_run(store, run.id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run.id, 1, 60, "epoch 1, best so far: epoch 1")
    studio.open("train", project=project.id)
    assert "<b>50.0</b> <span>F1 on dev, rules</span>" in studio.html
    assert "<b>75.0</b> <span>F1 on dev, best (epoch 1)</span>" in studio.html
    drawn = figure(studio, 0)
    assert list(drawn["data"][1]["y"]) == [50.0, 75.0]
    assert drawn["layout"]["yaxis"]["title"]["text"] == "F1"
    assert [line["name"] for line in drawn["data"]][2:] == ["rules alone, dev 50.0", "best, dev 75.0"]
    studio.test.button(key="train_cancel").click().run()
    studio.checked()
    assert get_run(store, run.id).cancel_requested


def test_a_run_that_adds_to_the_rules_says_what_is_at_work(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project)
    point = {"epoch": 0, "loss": 0.0, "train": 0.6, "dev": 0.5, "dev_loss": 1.0, "seconds": 2.0}
    add_point(store, run.id, 0, point)
    assert claim_run(store, run.id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run.id, 68, 220, "auxiliary encoder, fold 1 of 1, epoch 2 of 20")
    studio.open("train", project=project.id)
    bar = studio.test.get("progress")[0].proto
    assert bar.text == "auxiliary encoder, fold 1 of 1, epoch 2 of 20"
    assert bar.value == 30


def test_a_failed_run_says_why(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    finish_run(store, waiting_slot_run(store, project).id, "failed", error="There are 3 annotated training texts")
    studio.open("train", project=project.id)
    assert "There are 3 annotated training texts" in studio.html


def test_runs_stand_in_a_table_of_f1(studio: Studio, project: ProjectRecord, both: tuple[RunRecord, ...]) -> None:
    studio.open("train", project=project.id)
    [table, *_] = studio.test.dataframe
    assert list(table.value["dev"]) == [f"{100 * run.result['dev']:.1f} on 14" for run in reversed(both)]
    assert list(table.value["texts"]) == ["28", "28"]
    titles = json.loads(table.proto.columns)
    assert titles["zero_dev"]["label"] == "Dev F1, rules"
    assert titles["test"]["label"] == "Test F1, trained"


def test_a_finished_run_shows_each_slot_beside_the_rules(studio: Studio, project: ProjectRecord, store: Store) -> None:
    studio.open("train", project=project.id)
    assert studio.test.segmented_control(key="train_slots_view").value == SLOTS_VIEW
    assert "<b>14</b> <span>annotated texts</span>" in studio.html
    assert "<b>66.7</b> <span>F1, rules</span>" in studio.html
    _, slots, errors = studio.test.dataframe
    assert [cell[0] for cell in slots.value["slot"]] == ["to_city", "day", "from_city"]
    assert list(slots.value["spans"]) == [12, 4, 4]
    assert list(slots.value["f1_rules"]) == [67, 67, 67]
    assert list(slots.value["precision_rules"]) == [100, 50, 100]
    assert list(slots.value["recall_rules"]) == [50, 100, 50]
    assert list(errors.value["kind"]) == ["missed", "invented", "other boundaries", "other slot", "both"]
    assert list(errors.value["rules"]) == [8, 4, 0, 0, 0]
    assert "Held-out texts; they decided when training stopped and what of it was kept." in studio.html
    studio.test.segmented_control(key="train_slots_split").set_value("train").run()
    studio.checked()
    assert "These texts were used for training." in studio.html


def test_the_texts_with_mistakes_show_every_prediction(studio: Studio, project: ProjectRecord) -> None:
    studio.open("train", project=project.id)
    assert "Texts with an error of the network" in "".join(box.label for box in studio.test.expander)
    assert '<span>marked</span><div>on foot to <mark class="re2-span"' in studio.html
    assert "<small>day ✗</small>" in studio.html


@pytest.mark.parametrize(
    ("table", "row", "column", "title", "texts"),
    [
        ("errors", 1, "rules", "Invented, by the rules, 4 texts", 4),
        ("errors", 0, "rules", "Missed, by the rules, 8 texts", 8),
        ("slots", 0, "recall_rules", "Recall of to_city, rules: 12 texts, 6 of them with an error", 12),
        ("slots", 1, "precision_rules", "Precision of day, rules: 8 texts, 4 of them with an error", 8),
    ],
)
def test_a_number_leads_to_the_texts_behind_it(  # noqa: PLR0913 - what the test varies, and fixtures
    studio: Studio,
    project: ProjectRecord,
    both: tuple[RunRecord, ...],
    store: Store,
    table: str,
    row: int,
    column: str,
    title: str,
    texts: int,
) -> None:
    dev = [place for place, record in enumerate(texts_of(store, project.id)) if record.split == "dev"]
    # What a click on a cell leaves behind: no click can be made here.
    studio.test.session_state["_slots_cell"] = (f"{both[1].id}_{len(dev)}_{dev[0]}", table, row, column)
    studio.open("train", project=project.id)
    assert title in [box.label.replace("\\", "") for box in studio.test.expander]
    assert studio.html.count('class="re2-lines"') == texts


def test_two_runs_stand_side_by_side(studio: Studio, project: ProjectRecord, both: tuple[RunRecord, ...]) -> None:
    first, second = (run.result for run in both)
    assert first["dev"] != second["dev"]
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_slots_view").set_value(TWO).run()
    studio.checked()
    drawn = figure(studio, 1)
    assert [line["name"] for line in drawn["data"]] == [
        f"run 1, best {100 * first['dev']:.1f}",
        f"run 2, best {100 * second['dev']:.1f}",
        f"rules alone, dev {100 * first['zero_shot']['dev']:.1f}",
    ]
    assert drawn["layout"]["yaxis"]["title"]["text"] == "F1"
    assert "<td>F1 on dev</td>" in studio.html
    assert "<td>Maximum epochs</td><td>6</td><td>1</td>" in studio.html
    assert f"<b>{100 * second['dev']:.1f}</b> <span>F1 of run 2</span>" in studio.html
    assert '<th rowspan="2">Slot</th>' in studio.html
    differing = studio.html.split('"re2-lines"')[1]
    assert "<span>marked</span>" in differing
    assert "<span>run 1</span>" in differing
    assert "<span>run 2 and rules</span>" in differing  # one epoch changed nothing
    better = studio.test.segmented_control(key="train_pair_better_1_2")
    better.set_value("second").run()
    assert "No such text in this split." in studio.html
    better.set_value("first").run()
    assert "No such text in this split." not in studio.html
    slot = studio.test.selectbox(key="train_pair_slot_1_2")
    slot.set_value("day").run()
    studio.checked()
    assert "No such text in this split." in studio.html


def test_one_run_has_nothing_beside_it(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    finished_slot_run(store, project, train={"epochs": 1})
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_slots_view").set_value(TWO).run()
    studio.checked()
    assert "Two finished runs are needed for a comparison; there is one." in studio.html


def test_a_damaged_network_is_a_message(studio: Studio, project: ProjectRecord, both: tuple[RunRecord, ...]) -> None:
    (both[1].folder / "bundle.json").write_text("{", encoding="utf-8")
    studio.open("train", project=project.id)
    assert f"The network of run {both[1].id} is missing or damaged" in studio.messages.replace("\\", "")


def test_every_setting_is_on_the_page_and_explained() -> None:
    assert {setting.name for setting in (*NETWORK, *VARIANTS)} == set(TaggerConfig.__dataclass_fields__)
    # Texts without annotation have no part in training, only networks for labels can end near rules, and the reader
    # beside learns at the rate of the head.
    named = {setting.name for setting in (*TRAIN, DEVICE)}
    assert named == set(TrainConfig.__dataclass_fields__) - {"auxiliary_learning_rate", "unlabelled", "faithful"}
    assert all(setting.meaning.endswith(".") for setting in (*NETWORK, *VARIANTS, *TRAIN))
    assert all(setting.paper for setting in (*NETWORK, *VARIANTS, *TRAIN))


def test_after_a_training_that_changed_nothing_the_other_objective_is_offered(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    finish_run(store, waiting_slot_run(store, project).id, "done", result={"best_epoch": 0, "epochs": 2, "dev": 0.5})
    studio.open("train", project=project.id)
    assert "Train for highest accuracy, which adds an auxiliary encoder." in studio.html
    assert "Label more texts" not in studio.html
    studio.test.button(key="train_beside").click().run()
    studio.checked()
    assert studio.test.segmented_control(key="train_objective").value == "accuracy"
    assert "Rules as they are, auxiliary encoder: LSTM" in studio.html


def test_after_one_for_the_highest_accuracy_more_marks_are_asked_for(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    run = waiting_slot_run(store, project, train=asdict(slot_training("accuracy", 28)), **asdict(ACCURATE))
    finish_run(store, run.id, "done", result={"best_epoch": 0, "epochs": 2, "dev": 0.5})
    studio.open("train", project=project.id)
    assert "held-out texts do not show that the trained network is better. Annotate or add more texts." in studio.html
    assert not [button for button in studio.test.button if button.key == "train_beside"]


def test_the_plan_says_where_a_fifth_of_the_texts_is(studio: Studio, store: Store) -> None:
    """Of 20 texts it was said to be trained on 16."""
    texts = Corpus(tuple(replace(one, split=None) for one in slot_corpus())[:20])
    given = {"task": Task.SLOT_FILLING, "examples": texts, "rules_text": RULES, "logic_text": "", "author": "tester"}
    studio.open("train", project=create_project(store, name="Few", **given).id)
    assert "is trained on 16 texts (4 more, every fifth, are held-out) for at most" in studio.html
