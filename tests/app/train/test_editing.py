"""The page Fine-tune on a finished run: rule by rule, and editing its rules without training."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import seen_as
from support.projects.finished_run import finished_run

from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.store import ProjectRecord, RunRecord, Store, list_runs

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")

EDIT, RULES = "Edit this model without training", "By rule"


def view(studio: Studio, project: ProjectRecord, name: str) -> None:
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_view").set_value(name).run()
    studio.checked()


def switch(studio: Studio, rule: str) -> None:
    """Move the switch of a rule."""
    [toggle] = [toggle for toggle in studio.test.toggle if f"**{rule}**" in toggle.label.replace("\\", "")]
    toggle.set_value(not toggle.value).run()
    studio.checked()


def write(studio: Studio, run: RunRecord, text: str, *, logic: bool = False) -> None:
    """Write into the plain editor of the new rules, or of their label logic."""
    start = f"_edit_{'logic' if logic else 'rules'}_{run.id}_plain_"
    [area] = [area for area in studio.test.text_area if str(area.key).startswith(start)]
    area.set_value(text).run()
    studio.checked()


def apply(studio: Studio) -> None:
    studio.test.button(key="train_apply").click().run()
    studio.checked()


def test_rules_are_listed_with_what_they_are_worth(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    view(studio, learnable, RULES)
    split = studio.test.segmented_control(key="train_rules_split_turns")
    assert split.value == "test"
    split.set_value("dev").run()
    assert "These texts were used for training" in studio.html
    assert "<b>16</b> <span>labelled texts</span>" in studio.html
    table = studio.test.dataframe[1].value.set_index("rule")
    assert set(table.index) == {"go", "to_city", "price", "much"}
    assert list(table["without_trained"]) == sorted(table["without_trained"], reverse=True)
    written = table.loc["price"]
    # Dev is eight sentences for each of two cities: price fires in "fare" and in "price of a flight".
    assert (written["fires_written"], written["right_written"], written["wrong_written"]) == (4, 4, 0)
    assert (written["without_written"], written["change_written"]) == (62.5, -25.0)
    studio.test.segmented_control(key="train_rules_split_turns").set_value("test").run()
    studio.checked()


def test_an_edit_makes_a_run_and_is_undone_by_one_button(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    view(studio, learnable, EDIT)
    assert studio.test.button(key="train_apply").disabled
    switch(studio, "go")
    write(studio, run, "[money]\ntown := $* ( rome | vienna ) $*\n")
    assert "switches off go; adds town" in studio.html
    apply(studio)
    made, _ = list_runs(store, learnable.id)
    assert edit_of(made).words == "switched off go; added town"
    assert "<b>Run 2</b> edited from run 1: switched off go; added town" in studio.html
    assert "The 3 other rules: weights bit by bit the same" in studio.html
    assert "of 64 texts predicted differently" in studio.html
    before, after = edit_of(made).accuracies
    assert f"<b>{before:.1%} → {after:.1%}</b> <span>on 16 test texts</span>" in studio.html
    runs = studio.test.dataframe[0].value
    assert list(runs["state"]) == ["edited", "done"]
    assert list(runs["dev"]) == ["·", f"{run.result['dev']:.1%} on 48 out-of-fold"]
    assert list(runs["test"])[0] == f"{after:.1%}"
    assert list(studio.test.dataframe[0].value["settings"])[0] == "run 1, edited: switched off go; added town"
    studio.test.button(key="train_undo").click().run()
    studio.checked()
    assert list(studio.test.dataframe[0].value["run"]) == ["2", "▸ 1"]
    assert "<b>✓ Run 1</b> Done." in studio.html


def test_a_rule_that_is_off_stays_in_the_list_and_is_switched_on_again(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    view(studio, learnable, EDIT)
    switch(studio, "price")
    apply(studio)
    assert [toggle.value for toggle in studio.test.toggle if "**price**" in toggle.label] == [False]
    switch(studio, "price")
    assert "switches on price" in studio.html
    apply(studio)
    newest = list_runs(store, learnable.id)[0]
    assert edit_of(newest).words == "switched on again price"
    assert edit_of(newest).off == ()
    assert newest.result["test"] == edit_of(newest).test_after


def test_the_edit_predicts_where_the_run_did_and_undoing_goes_back(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    studio.test.query_params["model"] = f"run:{run.id}"
    view(studio, learnable, EDIT)
    switch(studio, "price")
    apply(studio)
    made = list_runs(store, learnable.id)[0]
    assert f"run:{made.id}" in studio.test.query_params["model"]
    studio.test.button(key="train_undo_here").click().run()
    assert f"run:{run.id}" in studio.test.query_params["model"]


def test_faults_of_new_rules_are_shown_at_once_and_hold_the_edit_up(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    view(studio, learnable, EDIT)
    write(studio, run, "[money]\n$* ( cost $*\n")
    assert "new rules, line 2, column 4" in studio.html
    assert not [button for button in studio.test.button if button.key == "train_apply"]
    write(studio, run, "[money]\ntown := $* rome $*\n")
    write(studio, run, 'logic = ["twon -> money"]', logic=True)
    assert "there is no rule &#x27;twon&#x27;" in studio.html
    write(studio, run, 'priorities = ["travel > money"]', logic=True)
    assert "form a cycle with those of the model" in studio.messages.replace("\\", "")
    studio.test.run()
    assert len(list_runs(store, learnable.id)) == 1


def test_an_edit_that_cannot_be_is_explained(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    view(studio, learnable, EDIT)
    for rule in ("go", "to_city", "price", "much"):
        switch(studio, rule)
    apply(studio)
    assert "no rule would be left" in studio.messages.replace("\\", "")
    assert len(list_runs(store, learnable.id)) == 1
    studio.test.button(key="train_discard").click().run()
    studio.checked()
    assert [toggle.value for toggle in studio.test.toggle if "**go**" in toggle.label] == [True]


def test_a_network_without_blocks_says_why_it_cannot_be_edited(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    finished_run(store, learnable, block_diagonal=False)
    view(studio, learnable, EDIT)
    assert "so its rules have no separate blocks" in studio.messages.replace("\\", "")


@pytest.mark.parametrize("page", ["predict", "compare"])
def test_other_pages_offer_an_edited_model_like_any_other(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, page: str
) -> None:
    view(studio, learnable, EDIT)
    switch(studio, "go")
    write(studio, run, "[money]\ntown := $* ( rome | vienna ) $*\n")
    apply(studio)
    made = list_runs(store, learnable.id)[0]
    studio.test.query_params["model"] = f"run:{made.id}"
    studio.open(page, project=learnable.id)
    shown = [box.value for box in studio.test.selectbox]
    assert f"run:{made.id}" in shown or made.id in shown
    assert studio.messages == ""
    if page == "compare":
        seen_as(studio, "Rules")
        assert any("town" in table.value.to_string() for table in studio.test.dataframe)
