"""The page Compare: no run yet, a run read back, rule by rule, changes taken over, and what goes wrong."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest
from app_studio import Studio
from finished_run import finished_run, plant_a_change

from pages._compare.read import Compared
from pages._compare.saving import advice
from re2nn_core.errors import InputError
from re2nn_core.services.drawn_differences import DrawnDifference
from re2nn_core.services.findings import RuleChange
from re2nn_core.services.readback import FILE
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
    assert "There is no trained network to compare with yet." in studio.html


def test_a_run_is_read_back_once_and_kept(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    studio.open("compare", project=learnable.id)
    assert "rules changed" in studio.html
    assert "same answer as the network" in studio.html
    kept = (run.folder / FILE).stat().st_mtime_ns
    studio.test.run()
    studio.checked()
    assert (run.folder / FILE).stat().st_mtime_ns == kept


def changed(run: RunRecord) -> list[str]:
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    return [rule["name"] for rule in values["reconstruction"]["rules"] if not rule["kept_original"]]


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    studio.open("compare", project=learnable.id)
    plant_a_change(run)
    studio.test.run()
    studio.checked()
    return run


def test_changed_rules_come_first_with_their_words(studio: Studio, planted: RunRecord) -> None:
    assert changed(planted) == ["price"]
    grid = studio.test.dataframe[0].value
    assert list(grid["name"])[0] == "price"
    assert list(grid["change"]) == ["take over", "as written", "as written", "as written"]
    assert '<ins class="re2-new">cost</ins>' in studio.html
    assert "Only the rule read back accepts, for example" in studio.html


def test_both_machines_are_drawn_and_told(studio: Studio, planted: RunRecord) -> None:
    assert len(studio.test.get("bidi_component")) == 1
    arcs = studio.frame("mark")
    assert list(arcs["mark"])[0] == "± changed"
    assert list(arcs["added"])[0] == "cost"
    assert "± changed: the arrow from 0 to 1 reads cost too" in studio.html
    assert "= kept: the arrow from 0 to 0 reads $" in studio.html
    assert "How many states: 2 kept (=) · how many arrows: 2 kept (=), 1 changed (±)." in studio.html
    assert "the same number is the same state on both sides" in studio.html


def test_an_arrow_of_the_table_shows_its_words(studio: Studio, planted: RunRecord) -> None:
    assert "Arrow from <b>0</b> to <b>1</b>, changed" in studio.html
    assert "Before: 2 words" in studio.html
    assert "After: 3 words" in studio.html


def test_a_sentence_goes_through_both(studio: Studio, planted: RunRecord) -> None:
    field = next(field for field in studio.test.text_input if field.label == "A sentence through both")
    assert field.value == "cost"  # the witness
    assert "<b>Before</b>: ✗ not accepted" in studio.html
    assert "<b>After</b>: ✓ accepted" in studio.html
    field.set_value("").run()
    studio.checked()
    assert "✓ accepted" not in studio.html


def test_weights_of_the_network_make_lines_thick(studio: Studio, planted: RunRecord) -> None:
    studio.test.toggle(key="compare_weights").set_value(True).run()
    studio.checked()
    assert not studio.messages
    weight = list(studio.frame("weight")["weight"])[0]
    assert "→" in weight
    assert f"reads cost too; weight {weight}" in studio.html


def test_all_rules_as_languages(studio: Studio, planted: RunRecord) -> None:
    studio.test.toggle(key="_language_compare").set_value(True).run()
    studio.checked()
    tables = [frame.value for frame in studio.test.dataframe]
    rules = next(table for table in tables if "Rule" in table and "Verdict" in table)
    assert list(rules["Verdict"])[0] == "+ accepts more"
    assert list(rules["Only read back"])[0] == "cost"
    assert "Rules that do nothing" in studio.html
    assert "Sentences that two labels claim" in studio.html


def test_two_versions_are_compared(studio: Studio, learnable: ProjectRecord, store: Store, run: RunRecord) -> None:
    newest = latest_version(store, learnable.id)
    text = newest.rules_text.replace("( price | fare )", "( price | fee )")
    save_version(store, learnable.id, rules_text=text, logic_text=newest.logic_text, author="Bob", expected_number=1)
    studio.open("compare", project=learnable.id)
    studio.test.segmented_control(key=f"compare_what_{learnable.id}").set_value("Two versions of the rules").run()
    studio.checked()
    rules = studio.test.dataframe[0].value
    assert list(rules["name"])[0] == "price"
    assert list(rules["verdict"])[0] == "± accepts others"
    assert "± changed: the arrow from 0 to 1 reads fee too and no longer reads fare" in studio.html
    assert "texts change their answer" in studio.html
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
    assert studio.test.segmented_control(key=f"compare_what_{project.id}").value == "Two versions of the rules"
    assert list(studio.test.dataframe[0].value["name"])[0] == "fly"


def test_a_machine_too_large_to_draw_is_a_message_and_the_rest_stays(
    studio: Studio, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = DrawnDifference("price", None, None, None, "The machine of B is too large to be drawn: it is.")
    monkeypatch.setattr("pages._compare.detail._drawn", lambda *_: refused)
    studio.test.run()
    studio.checked()
    assert "The machine of B is too large to be drawn" in studio.messages.replace("\\", "")
    assert '<ins class="re2-new">cost</ins>' in studio.html


def test_texts_that_a_change_moves_are_listed(studio: Studio, planted: RunRecord) -> None:
    assert any("1 text more, 1 of them money" in box.label.replace("\\", "") for box in studio.test.expander)


def test_changes_are_saved_as_a_new_version(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 2
    assert "price := $* ( cost | fare | price ) $*" in newest.rules_text
    assert newest.message == f"Run {planted.id} read back: price"


@pytest.mark.parametrize(
    ("gains", "said", "cautious"),
    [
        ({"dev": 0.1, "test": 0.0}, "On test: ±0.0 points; these texts chose nothing.", True),
        ({"dev": 0.1, "test": 0.05}, "On test: +5.0 points; these texts chose nothing.", False),
        ({"dev": 0.0, "test": -0.02}, "On test: -2.0 points; these texts chose nothing.", False),
        ({"dev": 0.1}, "There are no test texts", False),
    ],
)
def test_what_test_says_stands_beside_the_button(gains: dict[str, float], said: str, cautious: bool) -> None:
    assert said in advice(gains)
    assert ("Dev gains and test does not" in advice(gains)) == cautious


def test_the_gain_on_test_is_on_the_page(studio: Studio, planted: RunRecord) -> None:
    assert "On test: " in studio.html


def test_a_change_can_be_left_out(studio: Studio, planted: RunRecord) -> None:
    studio.test.toggle(key=f"_take_{planted.id}_price_switch").set_value(False).run()
    studio.checked()
    assert "There is no change to take over." in studio.html
    assert "leave" in list(studio.test.dataframe[0].value["change"])


def test_a_rule_that_was_edited_since_is_left_alone(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    save_version(
        store,
        learnable.id,
        rules_text=newest.rules_text.replace("( price | fare )", "( price | fare | fee )"),
        logic_text=newest.logic_text,
        author="Bob",
        expected_number=1,
    )
    studio.test.run()
    studio.checked()
    assert "<b>price</b> is left as it is: Bob changed it in v2, after the training." in studio.html
    assert "edited since" in list(studio.test.dataframe[0].value["change"])


def test_a_version_saved_meanwhile_is_not_overwritten(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = latest_version(store, learnable.id)
    save_version(
        store,
        learnable.id,
        rules_text=newest.rules_text + "more := $* fee $*\n",
        logic_text=newest.logic_text,
        author="Bob",
        expected_number=1,
    )
    # It comes between the drawing of the page and the click.
    monkeypatch.setattr("pages._compare.taking.latest_version", lambda *_: newest)
    monkeypatch.setattr("pages._compare.newest.list_versions", lambda *_: (newest,))
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "Bob saved version 2" in studio.messages.replace("\\", "")
    assert latest_version(store, learnable.id).number == 2


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


def test_a_network_with_one_machine_a_label_is_taken_over_as_a_whole(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    finished_run(store, learnable, machines="label")
    studio.open("compare", project=learnable.id)
    assert "rules changed" in studio.html


def test_a_reading_back_that_fails_is_a_message(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_, **__):
        raise InputError("None of the texts has a label, so no threshold can be chosen.\nLabel some texts.")

    monkeypatch.setattr("re2nn_core.services.readback.reconstruct", fail)
    studio.open("compare", project=learnable.id)
    assert "Reading the network back as rules did not work." in studio.messages
    assert "no threshold can be chosen" in studio.messages


def test_a_learned_word_is_accepted_by_itself(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    edits = learned_table(studio)
    assert edits["edit"] == ["in the place of price | fare also read cost"]
    assert (edits["won"], edits["right"], edits["here"]) == (["8"], ["+6"], ["gains"])
    assert list(studio.test.dataframe[0].value["best"])[0] == "+6"
    assert '( price | fare | <ins class="re2-new">cost</ins> )' in studio.html
    next(box for box in studio.test.text_input if box.label == "Reason").set_value("people say cost").run()
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 2
    assert "price := $* ( price | fare | cost ) $*" in newest.rules_text
    assert newest.message == "people say cost"
    assert "No small edit is left" in studio.html


def learned_table(studio: Studio) -> dict[str, list[str]]:
    table = studio.frame("edit")
    return {name: list(values) for name, values in table.items()}


def accepted(studio: Studio, person: str = "") -> None:
    """Accept the best edit."""
    if person:
        studio.test.query_params["person"] = person
    studio.test.button(key="compare_accept").click().run()
    studio.checked()


def test_what_was_accepted_is_told_and_the_newest_version_stands_on_the_left(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    accepted(studio)
    assert "<b>v2</b> was saved by you (“price: in the place of price | fare also read cost" in studio.html
    assert "you changed it in v2" in studio.html
    assert "somebody has edited it" not in studio.html
    assert "Written (v2, the newest)" in studio.html
    assert "Words that came: none" in studio.html
    [side] = [box for box in studio.test.segmented_control if box.label == "Compared is"]
    side.set_value("v1, trained from").run()
    studio.checked()
    assert "Written (v1, trained from)" in studio.html
    assert '<ins class="re2-new">cost</ins>' in studio.html


def test_an_accepted_edit_is_undone_after_a_reload_too(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    before = latest_version(store, learnable.id).rules_text
    accepted(studio)
    reloaded = Studio()
    reloaded.open("compare", project=learnable.id)
    [undo] = [button for button in reloaded.test.button if button.key == "compare_undo"]
    assert undo.label == "Undo: back to v1"
    undo.click().run()
    reloaded.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.rules_text, newest.message) == (3, before, "Back to v1")
    assert not [button for button in reloaded.test.button if button.key == "compare_undo"]
    assert "No small edit is left" not in reloaded.html


@pytest.mark.parametrize("button", ["compare_undo", "compare_save"])
def test_a_click_meant_for_an_older_version_changes_nothing(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, button: str
) -> None:
    if button == "compare_undo":
        accepted(studio)
    newest = latest_version(store, learnable.id)
    other = newest.rules_text + "\n// another window\n"
    logic, now = newest.logic_text, newest.number
    save_version(store, learnable.id, rules_text=other, logic_text=logic, author="bo", expected_number=now)
    studio.test.button(key=button).click().run()
    studio.checked()
    number = newest.number + 1
    assert latest_version(store, learnable.id).rules_text == other
    said = f"v{number} was saved meanwhile, by bo. Your click changed nothing; look at it first."
    assert said in [toast.value for toast in studio.test.toast]
    assert f"<b>v{number}</b> was saved by bo" in studio.html
    studio.test.button(key="compare_undo").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).rules_text == newest.rules_text


def test_an_edit_that_changes_no_answer_is_no_main_action(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    rules = newest.rules_text + "cost := $* cost $*\n"
    save_version(store, learnable.id, rules_text=rules, logic_text=newest.logic_text, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert "The one edit that is left changes no answer on these texts." in studio.html
    assert learned_table(studio)["here"] == ["changes nothing"]
    assert "they say neither for nor against it" in studio.html
    button = studio.test.button(key="compare_accept")
    assert button.label == "Accept into rules v3, which changes nothing here"
    assert button.proto.type == "secondary"


def test_an_edit_that_loses_warns(studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store) -> None:
    newest = latest_version(store, learnable.id)
    turned = newest.rules_text.replace("[money]\nprice := $* ( price | fare ) $*\n", "[money]\n")
    turned = turned.replace("[travel]\n", "[travel]\nprice := $* ( price | fare ) $*\n")
    logic = newest.logic_text.replace('default = "travel"', 'default = "money"')
    save_version(store, learnable.id, rules_text=turned, logic_text=logic, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert learned_table(studio)["here"] == ["loses"]
    assert "It loses more than it wins: 6 right answers fewer in labelled train and dev texts." in studio.html
    assert studio.test.button(key="compare_accept").label == "Accept into rules v3 although it loses"


def change_of(name: str, *, kept: bool = False, won: int = 0, text: str = "") -> RuleChange:
    return RuleChange(name, "money", "a", text or "a", None, kept, None, None, (), tuple(range(won)))


def test_the_rule_whose_edit_gains_most_comes_first() -> None:
    rules = (
        change_of("kept", kept=True),
        change_of("moves_most", won=80),
        change_of("long", won=3, text="a very long rule"),
        change_of("short", won=3, text="b"),
        change_of("gains", won=5),
    )
    found = SimpleNamespace(found=SimpleNamespace(rules=rules), best_edits={"gains": 4, "long": 2, "short": 2})
    ordered = [rule.name for rule in Compared.changes.fget(found)]
    assert ordered == ["gains", "short", "long", "moves_most", "kept"]


def why_rows(studio: Studio) -> list[list[str]]:
    """The cells of the table of three answers."""
    [table] = [part for part in studio.html.split("<table") if "<th>Rules that accept it</th>" in part]
    return [re.findall(r"<td>(.*?)</td>", row) for row in table.split("<tr>")[2:]]


def test_a_sentence_is_answered_by_all_three_and_explained(studio: Studio, planted: RunRecord) -> None:
    field = next(field for field in studio.test.text_input if field.label == "A sentence to explain")
    assert "cost" in field.value  # a text that the rule accepts now
    written, network, read_back = why_rows(studio)
    assert written[0] == "Written rules (v1, trained from)"
    assert "price" not in written[2]
    assert re.fullmatch(r"\d+% sure", network[2])
    assert (read_back[0], "money" in read_back[1], read_back[2]) == ("Rules read back", True, "price")
    assert "re2-heat" not in studio.html
    studio.test.toggle(key="compare_why_more").set_value(True).run()
    studio.checked()
    assert '<ol class="re2-heat">' in studio.html
    assert "Each label's score as a sum" in studio.html
    field = next(field for field in studio.test.text_input if field.label == "A sentence to explain")
    field.set_value("qwxz").run()
    studio.checked()
    assert why_rows(studio)[2][2] == '<span class="re2-muted">none</span>'
    next(field for field in studio.test.text_input if field.label == "A sentence to explain").set_value(" ").run()
    studio.checked()
    assert "Type a sentence, or copy one of your texts." in studio.html


def test_parts_of_the_page_have_headings(studio: Studio, planted: RunRecord) -> None:
    for title in (
        "What was learned, edit by edit",
        "Why does a sentence get its answer?",
        "Both automata, in the same places",
        "Texts that price accepts more and less",
    ):
        assert f'<h2 class="re2-section">{title}</h2>' in studio.html


def test_a_sentence_says_what_training_brought(studio: Studio, planted: RunRecord) -> None:
    assert re.search(r'<p class="re2-lead">[^<]+ the test texts[^<]*\.</p>', studio.html)
    assert "<b>price</b>" in studio.html
    assert "changed: accepts" in studio.html
