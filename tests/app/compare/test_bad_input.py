"""The page Compare on what goes wrong: the message says what to do, and nothing that was there is lost."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, decided, seen_as
from support.networks.explained import as_trained
from support.networks.small_system import LOGIC, RULES
from support.projects.finished_run import plant_a_change

from re2nn_core.network.classification.bundle import build_bundle, save_bundle
from re2nn_core.reconstruction.classification.threshold_choice import KeptMachines
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version

pytestmark = pytest.mark.usefixtures("filled")


def network_of_another_project(run: RunRecord) -> None:
    """In the place of the run's own, which knows travel and money."""
    own = as_trained()
    rules, logic = (text.replace("travel", "weather").replace("money", "news") for text in (RULES, LOGIC))
    other = build_bundle(rules, logic, own.tokenization, own.vocabulary, own.config)
    shutil.rmtree(run.folder)
    save_bundle(run.folder, replace(other, trained=True))


def test_a_network_of_another_project(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> None:
    network_of_another_project(run)
    studio.open("compare", project=learnable.id)
    said = studio.messages.replace("\\", "")
    assert "Reconstructing rules from the network did not work." in said
    assert "None of these texts has a label that the network can give: theirs are money, travel" in said
    assert "This may be the network of another project. Give it texts of its own." in said
    assert not (run.folder / FILE).exists()
    assert latest_version(store, learnable.id).number == 1


def test_a_threshold_that_leaves_nothing(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_is_left(machine: object, texts: object) -> dict[float, KeptMachines]:
        from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS

        return dict.fromkeys(THRESHOLDS, KeptMachines.EMPTY)

    monkeypatch.setattr("re2nn_core.services.rule_review.classification.thresholds.read_at_thresholds", nothing_is_left)
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Thresholds")
    next(box for box in studio.test.selectbox if box.label == "Rule").set_value("much").run()
    assert "nothing is left of every rule (go, to_city, price, much): shown as written." in studio.html
    assert "Lower the threshold to see their reconstruction." in studio.html
    assert "Unchanged: it would accept nothing." in studio.html


def test_a_budget_passed_in_the_middle_leaves_the_rest(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No edit can be proved, and still the rule is compared, and can be taken over as a whole."""
    studio.open("compare", project=learnable.id)
    plant_a_change(run)

    monkeypatch.setattr("re2nn_core.reconstruction.classification.edit_proofs.PAIRS", 0)
    seen_as(studio, "By word")
    assert "The automata are too large to check single edits. Accept the whole change, or leave it out." in studio.html
    assert '<ins class="re2-new">cost</ins>' in seen_as(studio, "Automata").html
    decided(store, run, "price")
    seen_as(studio, "By rule")
    assert "Save 1 accepted change as rules v2" in [button.label for button in studio.test.button]


def test_a_sentence_of_unknown_words_through_both(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    studio.open("compare", project=learnable.id)
    plant_a_change(run)
    seen_as(studio, "Automata")
    next(field for field in studio.test.text_input if field.label == "Step a sentence through both").set_value(
        "xyzzy plugh"
    ).run()
    studio.checked()
    assert "<b>Before</b>: ✗ not matched" in studio.html
    assert not studio.messages


def test_a_text_of_unknown_words_is_explained_as_one(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("predict", project=learnable.id)
    studio.test.segmented_control(key="predict_way").set_value("paste").run()
    studio.test.text_area(key="predict_paste").input("xyzzy plugh").run()
    studio.test.toggle(key="predict_explain").set_value(True).run()
    studio.checked()
    shown = studio.html + "\n".join(text.value for text in studio.test.caption)
    assert "none of these words: they are treated as unknown words." in shown.replace("\\", "")


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ("cost_words :=", "it was renamed to “cost_words” since the training"),
        ("price :=", "it was deleted since the training"),
    ],
)
def test_a_rule_that_is_gone_says_where_it_went(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, now: str, why: str
) -> None:
    """Both were “edited since”, and By word showed an error."""
    studio.open("compare", project=learnable.id)
    plant_a_change(run)
    newest = latest_version(store, learnable.id)
    lines = [line.replace("price :=", now) for line in newest.rules_text.splitlines(keepends=True)]
    rules = "".join(line for line in lines if not line.startswith("price :="))
    logic = newest.logic_text
    save_version(store, learnable.id, rules_text=rules, logic_text=logic, author="Bob", expected_number=1)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert (card["state"], card["closed"]) == ("not in v2", True)
    assert card["note"].startswith(why)
    seen_as(studio, "By word")
    studio.test.selectbox(key=f"compare_rule_{run.id}").set_value("price").run()
    studio.checked()
    assert f"price is not in v2: {why}" in studio.html
    assert not studio.messages
