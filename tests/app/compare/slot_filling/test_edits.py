"""What a rule for slots has learned, taken over edit by edit on the page Compare, and new rules one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import seen_as, slot_decided, states
from support.projects.finished_tagger_run import finished_slot_run, plant_new_slot_rules, slot_project, with_vienna

from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import reconstruct_slot_run
from re2nn_core.store import (
    Policy,
    ProjectRecord,
    RunRecord,
    Store,
    latest_version,
    open_store,
    record_label,
    set_policy,
    texts_of,
)

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run whose readback has two new rules as well."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        run = finished_slot_run(store, slot_project(store))
        reconstruct_slot_run(run, texts_of(store, run.project_id))
        plant_new_rules(run)
    return folder


def plant_new_rules(run: RunRecord) -> None:
    """The first marks every destination that the written rules miss; of the second no text says anything."""
    rules = {"learned.to.1": ("$* to [ @far@ ]<to_city> $*", 50), "learned.day.1": ("good [ evening ]<day>", 30)}
    plant_new_slot_rules(run, rules, "@far@=( vienna | lisbon | cairo | quito )\n")


def without_new_rules(run: RunRecord) -> None:
    plant_new_slot_rules(run, {})


def test_an_edit_is_shown_with_what_it_does_and_accepted(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    without_new_rules(run)
    studio.open("compare", project=learnable.id)
    table = seen_as(studio, "By word").frame("edit")
    assert list(table["edit"]) == ["at @city@, match any word"]
    assert "Each edit is checked on the transducers" in studio.html
    dev = studio.html.index("Learned edits, one by one")
    assert "F1 on dev" in studio.html[dev:]
    next(box for box in studio.test.text_input if box.label == "Reason").set_value("any city").run()
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert (saved.number, saved.message) == (2, "any city")
    assert "to := $* to [ $ ]<to_city> $*" in saved.rules_text
    # Nothing else is taken over with it.
    assert "day := $* on [ monday | friday | foot ]<day> $*" in saved.rules_text
    assert "No single edit is left" in studio.html


def test_spans_that_wait_by_the_policy_count_for_nothing(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    without_new_rules(run)
    studio.open("compare", project=learnable.id)
    [before] = seen_as(studio, "By word").frame("edit")["right"]
    # Vienna is no city of the written rules, and its texts are train: each of the four has a destination more.
    texts = [record for record in texts_of(store, learnable.id) if "to vienna on" in record.text]
    for record in texts:
        record_label(store, record.id, record.label, "bo")
    set_policy(store, learnable.id, Policy("decided"))
    studio.test.run()
    studio.checked()
    assert [int(right) for right in studio.frame("edit")["right"]] == [int(before) - len(texts)]
    assert f"The labels of {len(texts)} texts that wait by the project's policy are not counted." in studio.html


def test_a_new_rule_is_saved_by_itself(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> None:
    slot_decided(store, run, "learned.to.1")
    studio.open("compare", project=learnable.id)
    assert "Accepted: “learned.to.1”. F1 on dev " in studio.html
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert saved.message == "Run 1, reconstructed: learned.to.1"
    assert (
        "@far@=( vienna | lisbon | cairo | quito )\nlearned.to.1 := $* to [ @far@ ]<to_city> $*\n" in saved.rules_text
    )
    assert "learned.day.1" not in saved.rules_text
    assert states(studio)["learned.to.1"] == "saved"


def test_all_new_rules_are_saved_at_once(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    slot_decided(store, run, "learned.to.1", "learned.day.1")
    studio.open("compare", project=learnable.id)
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert "learned.to.1 := " in saved.rules_text
    assert "learned.day.1 := " in saved.rules_text
    assert "to := $* to [ @city@ ]<to_city> $*" in saved.rules_text


def test_by_word_lists_the_words_of_a_new_rule(studio: Studio, learnable: ProjectRecord) -> None:
    """The view said only that a new rule has no single edits."""
    studio.open("compare", project=learnable.id)
    seen_as(studio, "By word")
    next(box for box in studio.test.selectbox if box.label == "Rule").set_value("learned.to.1").run()
    studio.checked()
    assert "Words of the new rule" in studio.html
    shown = studio.test.dataframe[0].value
    assert list(shown.columns) == ["Word", "Place", "Texts with fewer errors", "Texts with more errors"]
    assert "in the slot" in set(shown["Place"])


def test_the_threshold_moves_rule_and_figures(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    without_new_rules(run)
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Thresholds")
    assert not studio.messages
    assert "Best single threshold for all rules, chosen on dev" in studio.html
    assert "agreement with the network" in studio.html
    assert "below the threshold" in studio.html
    assert "training changed nothing" not in studio.html
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    slider.set_value(float(slider.options[-1])).run()
    studio.checked()
    assert " at 0.90</div>" in studio.html


def test_a_rule_at_a_threshold_is_taken_over(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_new_rules(run)
    monkeypatch.setattr(
        "re2nn_core.services.rule_review.slot_filling.thresholds.weighted_rules",
        lambda networks, vocabulary: with_vienna(vocabulary, weighted_rules(networks, vocabulary)),
    )
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Thresholds")
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    slider.set_value(float(slider.options[0])).run()
    [take] = [toggle for toggle in studio.test.toggle if toggle.label.startswith("Accept the rules at this")]
    take.set_value(True).run()
    studio.checked()
    shown = studio.html[studio.html.index(" in rules v1:", studio.html.index("Effect of the rules at ")) :]
    assert "F1 on dev" in shown
    assert "F1 on test" in shown
    studio.test.button(key="compare_threshold_save").click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert (saved.number, saved.message) == (2, "Run 1 at threshold 0.20: to")
    assert "vienna" in saved.rules_text
    seen_as(studio, "By rule")
    studio.test.button(key="version_undo").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).message == "Undo of rules v2"
