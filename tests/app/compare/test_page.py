"""The page Compare: no run yet, a run read back, rule by rule, two versions, and what goes wrong."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, opened_with_a_change, review_data, seen_as
from support.projects.finished_run import finished_run

from re2nn_core.errors import InputError
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    latest_version,
    record_label,
    save_version,
    texts_of,
)

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


def test_without_a_project_the_page_says_where_to_open_one(studio: Studio) -> None:
    studio.open("compare")
    assert "No project is open." in studio.html


def test_without_a_run_the_page_leads_to_training(studio: Studio, project: ProjectRecord) -> None:
    studio.open("compare", project=project.id)
    assert "There is no training run to compare yet." in studio.html


def test_a_run_is_read_back_once_and_kept(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    studio.open("compare", project=learnable.id)
    assert "agreement with the network" in seen_as(studio, "Figures").html
    assert "rules changed" in studio.html
    assert "What the network uses and no rule can express: weights between 0 and 1 (a rule" in studio.html
    kept = (run.folder / FILE).stat().st_mtime_ns
    studio.test.run()
    studio.checked()
    assert (run.folder / FILE).stat().st_mtime_ns == kept


def changed(run: RunRecord) -> list[str]:
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    return [rule["name"] for rule in values["reconstruction"]["rules"] if not rule["kept_original"]]


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    return opened_with_a_change(studio, learnable, run)


def test_changed_rules_come_first_with_their_words(studio: Studio, planted: RunRecord) -> None:
    assert changed(planted) == ["price"]
    assert list(cards(studio)) == ["price"]
    seen_as(studio, "Automata")
    assert studio.test.selectbox(key=f"compare_rule_{planted.id}").options == ["price", "go", "to_city", "much"]
    assert '<ins class="re2-new">cost</ins>' in studio.html
    assert "Matched only by the reconstructed rule, for example" in studio.html


def test_both_machines_are_drawn_and_told(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Automata")
    assert "_union_compare" in [part.key for part in studio.test.get("bidi_component")]
    arcs = studio.frame("mark")
    assert list(arcs["mark"])[0] == "± changed"
    assert list(arcs["added"])[0] == "cost"
    assert "± changed: transition from 0 to 1, words added: cost" in studio.html
    assert "= kept: transition from 0 to 0, words $" in studio.html
    assert "States: 2 kept (=) · transitions: 2 kept (=), 1 changed (±)." in studio.html
    assert "A number is the same state on both sides" in studio.html


def test_an_arrow_of_the_table_shows_its_words(studio: Studio, planted: RunRecord) -> None:
    assert "Transition from <b>0</b> to <b>1</b>, changed" in seen_as(studio, "Automata").html
    assert "Before: 2 words" in studio.html
    assert "After: 3 words" in studio.html


def test_a_sentence_goes_through_both(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Automata")
    field = next(field for field in studio.test.text_input if field.label == "Step a sentence through both")
    assert field.value == "cost"  # the witness
    assert "<b>Before</b>: ✗ not matched" in studio.html
    assert "<b>After</b>: ✓ matched" in studio.html
    field.set_value("").run()
    studio.checked()
    assert "✓ matched" not in studio.html


def test_an_own_sentence_stays_until_it_is_emptied(studio: Studio, planted: RunRecord) -> None:
    through, explained = ("Automata", "Step a sentence through both"), ("Sentence", "Sentence to explain")

    def field(place: tuple[str, str]) -> Any:
        seen_as(studio, place[0])
        return next(field for field in studio.test.text_input if field.label == place[1])

    examples = field(through).value, field(explained).value
    field(through).set_value("the price of it").run()
    assert (field(through).value, field(explained).value) == ("the price of it", "the price of it")
    field(explained).set_value("what does it cost").run()
    assert (field(through).value, field(explained).value) == ("what does it cost", "what does it cost")
    field(explained).set_value("what does xyzzy cost").run()
    assert re.search("unknown to the network: [^<]*“xyzzy”", studio.html)
    field(explained).set_value("").run()
    assert (field(through).value, field(explained).value) == examples
    studio.checked()


def test_weights_of_the_network_make_lines_thick(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Automata")
    studio.test.toggle(key="compare_weights").set_value(True).run()
    studio.checked()
    assert not studio.messages
    weight = list(studio.frame("weight")["weight"])[0]
    assert "→" in weight
    assert f"words added: cost; weight {weight}" in studio.html


def test_all_rules_as_languages(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Rules")
    tables = [frame.value for frame in studio.test.dataframe]
    rules = next(table for table in tables if "Rule" in table and "Verdict" in table)
    assert list(rules["Verdict"])[0] == "+ matches more"
    assert list(rules["Only reconstructed"])[0] == "from your texts: the cost of boston please"
    assert "Dead and subsumed rules" in studio.html
    assert "Sentences that rules of two labels match" in studio.html


def test_two_versions_are_compared(studio: Studio, learnable: ProjectRecord, store: Store, run: RunRecord) -> None:
    newest = latest_version(store, learnable.id)
    text = newest.rules_text.replace("( price | fare )", "( price | fee )")
    save_version(store, learnable.id, rules_text=text, logic_text=newest.logic_text, author="Bob", expected_number=1)
    studio.open("compare", project=learnable.id)
    studio.test.segmented_control(key=f"compare_what_{learnable.id}").set_value("Two rule versions").run()
    studio.checked()
    card = cards(studio)["price"]
    assert card["state"] == "± matches different sentences"
    assert '( price<del class="re2-gone"> | fare</del> | <ins class="re2-new">fee</ins> )' in card["html"]
    assert review_data(studio)["reading"]
    view = studio.test.segmented_control(key="compare_version_view")
    view.set_value("Automata").run()
    studio.checked()
    assert "± changed: transition from 0 to 1, words added: fee; words removed: fare" in studio.html
    view.set_value("Texts").run()
    assert "texts change their prediction" in studio.html
    for box in studio.test.selectbox:
        if box.label == "Before":
            box.set_value(2).run()
    studio.checked()
    assert any("Both sides are the same version" in box.value for box in studio.test.info)


def test_two_versions_without_a_run(studio: Studio, project: ProjectRecord, store: Store) -> None:
    newest = latest_version(store, project.id)
    save_version(
        store,
        project.id,
        rules_text=newest.rules_text.replace("fly | flight", "fly | flight | plane"),
        logic_text=newest.logic_text,
        author="Bob",
        expected_number=1,
    )
    studio.open("compare", project=project.id)
    assert studio.test.segmented_control(key=f"compare_what_{project.id}").value == "Two rule versions"
    assert list(cards(studio)) == ["fly"]


def test_a_machine_too_large_to_draw_is_a_message_and_the_rest_stays(
    studio: Studio, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = DrawnDifference("price", None, None, None, "The machine of B is too large to be drawn: it is.")
    monkeypatch.setattr("pages._compare.classification.detail._drawn", lambda *_: refused)
    seen_as(studio, "Automata")
    assert "The machine of B is too large to be drawn" in studio.messages.replace("\\", "")
    assert '<ins class="re2-new">cost</ins>' in studio.html


def test_texts_that_a_change_moves_are_listed(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Automata")
    assert any("1 text added, 1 of them money" in box.label.replace("\\", "") for box in studio.test.expander)


def test_old_figures_say_so_and_can_be_measured_again(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    studio.open("compare", project=learnable.id)
    record_label(store, texts_of(store, learnable.id)[0].id, "money", "Bob")
    studio.test.run()
    assert any("have changed since this was measured" in text.value for text in studio.test.caption)
    studio.test.button(key="compare_again").click().run()
    studio.test.run()
    studio.checked()
    assert not [button for button in studio.test.button if button.key == "compare_again"]


def test_a_network_with_one_automaton_a_label_brings_new_rules(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    finished_run(store, learnable, machines="label")
    studio.open("compare", project=learnable.id)
    # Its automaton is read back as the written rules and what they lack.
    assert {rule: card["fresh"] for rule, card in cards(studio).items()} == {"money.new": True}


def test_rules_that_were_merged_are_accepted_all_at_once(
    studio: Studio, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._compare.classification.accepting.is_merged", lambda *_, **__: True)
    studio.test.run()
    studio.checked()
    assert "its rules are accepted all at once" in studio.html
    assert not [part for part in studio.test.get("bidi_component") if part.key.startswith("compare_review_")]
    assert studio.test.button(key="compare_save").label == "Save 1 accepted change as rules v2"


def test_a_reading_back_that_fails_is_a_message(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_, **__):
        raise InputError("None of the texts has a label, so no threshold can be chosen.\nLabel some texts.")

    monkeypatch.setattr("re2nn_core.services.rule_review.classification.stored_reconstruction.reconstruct", fail)
    studio.open("compare", project=learnable.id)
    assert "Reconstructing rules from the network did not work." in studio.messages
    assert "no threshold can be chosen" in studio.messages


def why_rows(studio: Studio) -> list[list[str]]:
    """The cells of the table of three answers."""
    [table] = [part for part in studio.html.split("<table") if "<th>Rules or confidence</th>" in part]
    return [re.findall(r"<td>(.*?)</td>", row) for row in table.split("<tr>")[2:]]


def test_a_sentence_is_predicted_by_all_three_and_explained(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Sentence")
    field = next(field for field in studio.test.text_input if field.label == "Sentence to explain")
    assert "cost" in field.value  # a text that the rule accepts now
    written, network, read_back = why_rows(studio)
    assert written[0] == "Written rules (v1, trained from)"
    assert "price" not in written[2]
    assert re.fullmatch(r"confidence [01]\.\d\d", network[2])
    assert (read_back[0], "money" in read_back[1], read_back[2]) == ("Reconstructed rules, every change", True, "price")
    assert "re2-heat" not in studio.html
    studio.test.toggle(key="compare_why_more").set_value(True).run()
    studio.checked()
    assert '<ol class="re2-heat">' in studio.html
    assert "Score of each label as a sum" in studio.html
    field = next(field for field in studio.test.text_input if field.label == "Sentence to explain")
    field.set_value("qwxz").run()
    studio.checked()
    assert why_rows(studio)[2][2] == '<span class="re2-muted">none</span>'
    next(field for field in studio.test.text_input if field.label == "Sentence to explain").set_value(" ").run()
    studio.checked()
    assert "Type a sentence, or copy one of your texts." in studio.html


def test_parts_of_the_page_have_headings(studio: Studio, planted: RunRecord) -> None:
    for view, title in (
        ("By word", "Learned edits, one by one"),
        ("Sentence", "Why is this predicted?"),
        ("Automata", "Automata of both rules"),
        ("Automata", "Texts that price matches in addition or no longer"),
    ):
        seen_as(studio, view)
        assert re.search(f'<h2 class="re2-section">(<abbr [^>]*>)?{re.escape(title)}(</abbr>)?</h2>', studio.html)


def test_a_sentence_says_what_training_brought(studio: Studio, planted: RunRecord) -> None:
    assert re.search(r'<div class="re2-lead"><span>Accuracy on \d+ test texts: your rules <b>', studio.html)
    seen_as(studio, "Automata")
    assert "<b>price</b>" in studio.html
    assert "changed: matches" in studio.html
