"""The page Fine-tune: examples, start, each state of a run, runs side by side, figures."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
import streamlit as st
from support.app.app_studio import Studio
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.projects.finished_run import learnable_project

from pages._train.known_settings import DEVICE, NETWORK, TRAIN, VARIANTS
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.jobs.worker import run_job
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.services.annotation.classification import annotate
from re2nn_core.services.fine_tuning import runs
from re2nn_core.services.fine_tuning.run_comparison import LEFT, SettingPair, differing_settings
from re2nn_core.services.fine_tuning.training_plan import choose_training_plan, split_examples
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    create_run,
    finish_run,
    get_run,
    latest_version,
    list_runs,
    texts_of,
)
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig


@pytest.fixture
def learnable(store: Store) -> ProjectRecord:
    return learnable_project(store)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Runs that were started; no process is."""
    started: list[int] = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: started.append(run_id))
    return started


def recipe(studio: Studio) -> str:
    """What is reported of the training before it starts."""
    [reported] = re.findall("<summary>Training plan</summary><ul class=.re2-points.><li>(.*?)</li></ul>", studio.html)
    return unescape(reported.replace("</li><li>", "; "))


def objective(studio: Studio) -> Any:
    return studio.test.segmented_control(key="train_objective")


def test_without_a_project_the_page_says_where_to_open_one(studio: Studio) -> None:
    studio.open("train")
    assert "No project is open." in studio.html


def test_examples_are_shown_by_label(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("train", project=learnable.id)
    assert (
        'training texts, cross-validated</abbr></span> <span class="re2-muted">(32 train, 16 dev)</span>' in studio.html
    )
    assert "5-fold cross-validation on all 48 labelled texts" in studio.html
    assert '<th>train</th><th class="re2-number">dev</th>' in studio.html, "the two parts of the 48 texts"
    assert "to know when to stop" not in studio.html
    assert recipe(studio).startswith("32 train texts: low learning rates")
    assert (
        "trained on 48 texts for at most 40 epochs (passes over all texts), then a linear layer (a weight for each "
        "word and label), where it gains on held-out texts. Your rules are not changed." in studio.html
    )
    assert "No training run yet." in studio.html


def test_too_few_examples_are_explained_and_nothing_starts(studio: Studio, project: ProjectRecord) -> None:
    studio.open("train", project=project.id)
    assert "7 labelled training texts; at least 10 are needed" in studio.messages.replace("\\", "")
    assert not [button for button in studio.test.button if button.key == "train_start"]
    assert "No training run yet." in studio.html
    assert "Start training on the left" not in studio.html


def test_a_training_is_started_with_the_chosen_settings(
    studio: Studio, learnable: ProjectRecord, store: Store, launched: list[int]
) -> None:
    studio.open("train", project=learnable.id)
    studio.test.number_input(key="train_train_epochs_40").set_value(7).run()
    studio.test.selectbox(key="train_network_vectors").set_value("none").run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    [run] = list_runs(store, learnable.id, "train")
    assert launched == [run.id]
    assert runs.changed_run_settings(run) == ("Word vectors: none", "Maximum epochs: 7")
    assert "Waiting." in studio.html


@pytest.mark.parametrize(
    ("name", "begins", "general"),
    [
        ("l2_to_initial", 0.001, 0.0),
        ("batch_size", 16, 64),
        ("embedding_learning_rate", 0.0025, 0.005),
        ("head_learning_rate", 0.0, 0.005),
    ],
)
def test_a_value_that_is_the_general_default_counts_too(
    studio: Studio,
    learnable: ProjectRecord,
    store: Store,
    launched: list[int],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    begins: float,
    general: float,
) -> None:
    """For few texts the recipe takes other steps than these: what stands on the page is what is trained with."""
    trained: list[TrainConfig] = []

    def learn(*arguments: Any, **_: Any) -> None:
        trained.append(arguments[2])
        raise Cancelled

    monkeypatch.setattr("re2nn_core.services.fine_tuning.classification.learning.train_parts", learn)
    studio.open("train", project=learnable.id)
    [field] = [field for field in studio.test.number_input if (field.key or "").startswith(f"train_train_{name}")]
    assert field.value == begins
    studio.test.selectbox(key="train_network_vectors").set_value("none").run()
    studio.test.button(key="train_start").click().run()
    run_job(store, launched[0])  # a second one cannot start beside it
    field.set_value(general).run()
    assert f"Set by hand ({setting_in_words(name, general)})" in studio.html
    studio.test.button(key="train_start").click().run()
    studio.checked()
    run_job(store, launched[1])
    assert [getattr(config, name) for config in trained] == [begins, general]
    left, by_hand = (get_run(store, run_id) for run_id in launched)
    assert runs.changed_run_settings(left) == ("Word vectors: none",)
    assert runs.changed_run_settings(by_hand) == ("Word vectors: none", setting_in_words(name, general))
    assert differing_settings(left, by_hand) == (SettingPair("train", name, LEFT, general),)


def test_the_recipe_says_before_the_start_that_a_reader_will_learn_beside_the_rules(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("re2nn_core.services.fine_tuning.classification.examples.encoder_knows", lambda words: True)
    studio.open("train", project=learnable.id)
    assert "beside the rules" not in recipe(studio)
    studio.test.segmented_control(key="train_objective").set_value("accuracy").run()
    reported = "; An auxiliary encoder (RNN) is trained; Its scores are added to those of the rules"
    assert recipe(studio).endswith(reported)
    assert "the latest is kept" not in recipe(studio)
    studio.test.number_input(key="train_train_accuracy_copies").set_value(1).run()
    studio.checked()
    assert "the latest is kept" in recipe(studio), "as training with a reader does where dev decides"


def test_the_choice_begins_with_what_the_newest_run_is_for(
    studio: Studio, learnable: ProjectRecord, store: Store, launched: list[int]
) -> None:
    """The recipe on the left is that of the run beside it, after the page was loaded anew too."""
    studio.open("train", project=learnable.id)
    assert objective(studio).value == "interpretable"
    objective(studio).set_value("accuracy").run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    assert objective(studio).value == "accuracy"
    finish_run(store, list_runs(store, learnable.id, "train")[0].id, "cancelled")
    again = Studio()
    again.open("train", project=learnable.id)
    assert objective(again).value == "accuracy"
    objective(again).set_value("interpretable").run()
    again.test.run()
    assert objective(again).value == "interpretable", "what somebody chose stays"
    again.test.button(key="train_start").click().run()
    again.checked()
    assert [run.config["objective"] for run in list_runs(store, learnable.id, "train")] == ["interpretable", "accuracy"]
    assert not again.messages


def test_another_project_begins_with_its_own_newest_run(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    other = learnable_project(store, name="Other")
    for project, begins in ((learnable, "accuracy"), (other, "interpretable")):
        config = {"network": {}, "train": {}, "objective": begins}
        version = latest_version(store, project.id)
        run = create_run(store, project.id, "train", rule_version_id=version.id, config=config)
        finish_run(store, run.id, "cancelled")
    for project, begins in ((learnable, "accuracy"), (other, "interpretable"), (learnable, "accuracy")):
        studio.open("train", project=project.id)
        assert objective(studio).value == begins


def test_the_settings_begin_with_what_the_recipe_takes(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With enough texts, or in another project, what began otherwise begins anew; nobody has set it."""
    studio.open("train", project=learnable.id)
    begins = choose_training_plan(TrainConfig(), split_examples(small_corpus())).config
    shown = {field.key: field.value for field in studio.test.number_input if field.key.startswith("train_train_")}
    assert [shown[key] for key in shown if key.startswith("train_train_epochs")] == [begins.epochs]
    assert [shown[key] for key in shown if key.startswith("train_train_l2_to_initial")] == [begins.l2_to_initial]
    monkeypatch.setattr("re2nn_core.services.fine_tuning.training_plan.GENTLE_BELOW", 10)
    studio.test.run()
    studio.checked()
    assert studio.test.number_input(key="train_train_l2_to_initial").value == 0
    assert studio.test.number_input(key="train_train_epochs").value == TrainConfig().epochs
    assert "set by hand" not in studio.html


def test_settings_that_cannot_be_are_explained(studio: Studio, learnable: ProjectRecord, launched: list[int]) -> None:
    studio.open("train", project=learnable.id)
    studio.test.number_input(key="train_train_epochs_40").set_value(0).run()
    studio.test.button(key="train_start").click().run()
    studio.checked()
    assert "epochs must be at least 1" in studio.messages.replace("\\", "")
    assert launched == []


def test_a_start_that_fails_is_a_message(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_):
        raise InputError("The process of run 1 could not be started: no memory.")

    monkeypatch.setattr(runs, "launch", fail)
    studio.open("train", project=learnable.id)
    studio.test.button(key="train_start").click().run()
    studio.checked()
    assert "Starting the training did not work." in studio.messages.replace("\\", "")


def test_settings_that_do_not_go_together_are_told_and_start_nothing(
    studio: Studio, learnable: ProjectRecord, launched: list[int]
) -> None:
    studio.open("train", project=learnable.id)
    studio.test.toggle(key="train_network_train_aggregation").set_value(True).run()
    assert "train_aggregation = True needs aggregation 'layers'" in studio.messages.replace("\\", "")
    studio.test.button(key="train_start").click().run()
    assert launched == []
    studio.test.selectbox(key="train_network_aggregation").set_value("layers").run()
    studio.test.button(key="train_start").click().run()
    assert len(launched) == 1


def test_every_setting_is_on_the_page_and_explained() -> None:
    assert {setting.name for setting in (*NETWORK, *VARIANTS)} == set(NetworkConfig.__dataclass_fields__)
    assert {setting.name for setting in (*TRAIN, DEVICE)} == set(TrainConfig.__dataclass_fields__)
    assert all(setting.meaning.endswith(".") for setting in (*NETWORK, *VARIANTS, *TRAIN, DEVICE))


def test_without_labels_the_rules_predictions_can_be_learned(
    studio: Studio, store: Store, launched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tuple(replace(example, label=None, split=None) for example in small_corpus())
    own = create_project(
        store, name="Open", examples=Corpus(texts), rules_text=RULES, logic_text=LOGIC, author="tester"
    )
    monkeypatch.setattr("re2nn_core.services.fine_tuning.classification.examples.encoder_knows", lambda words: True)
    studio.open("train", project=own.id)
    assert "0 labelled training texts; at least 10 are needed" in studio.messages
    assert "Train without labels." not in studio.html, "64 answers are too few to teach a reader"
    assert "No training text at all" not in studio.html, "no text has a label"
    for module in ("fine_tuning.classification.examples", "fine_tuning.classification.objectives"):
        monkeypatch.setattr(f"re2nn_core.services.{module}.MANY", 60)
    st.cache_resource.clear()  # the page remembers what it found until the texts change
    studio.open("train", project=own.id)
    assert "Your rules predict 64 texts without labels." in studio.html
    assert "Without labelled texts the result cannot be evaluated; label some texts soon." in studio.html
    assert "A network trained on the rules' predictions also learns their mistakes." in unescape(studio.html)
    assert "the rules' predictions for 64 texts</li><li>The auxiliary encoder is trained on them" in unescape(
        studio.html
    )
    # A few labels are not yet enough to learn from alone, and take the offer away from nobody.
    for text in texts_of(store, own.id)[:3]:
        annotate(store, text.id, "travel", "tester")
    studio.open("train", project=own.id)
    assert "Train without more labels." in studio.html
    assert "Your rules predict 61 texts without labels." in studio.html
    assert "can be trained on these predictions and your 3 labels" in studio.html
    assert "3 labelled training texts, too few alone, and the rules' predictions" in unescape(studio.html)
    studio.test.button(key="train_start").click().run()
    studio.checked()
    [run] = list_runs(store, own.id, "train")
    assert launched == [run.id]
    assert (run.config["network"]["auxiliary"], run.config["network"]["auxiliary_weight"]) == ("bigru", 8.0)
    assert (run.config["train"]["unlabelled"], run.config["train"]["average"]) == (1.0, "predictions")
