"""The page Compare for a project whose texts carry spans."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, kept_downloads, seen_as, slot_decided, states
from support.projects.finished_tagger_run import RULES, finished_slot_run, plant_new_slot_rules, slot_project

from pages._compare.reconstructed.slot_filling import step_in_words
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import EXTENDED
from re2nn_core.services.rule_review import change_effects
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import FILE, reconstruct_slot_run
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    latest_version,
    open_store,
    record_label,
    save_version,
    texts_of,
)

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run that has been read back, made once. It knows all cities, and that "foot" is no day."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        run = finished_slot_run(store, slot_project(store, unannotated=2))
        reconstruct_slot_run(run, texts_of(store, run.project_id))
    return folder


@pytest.fixture
def nothing_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are in the order of what they gain on the texts that were learned from."""
    monkeypatch.setattr("pages._compare.accepting.held_out.held_out_split", lambda *_: None)


def add_new_rule(run: RunRecord) -> None:
    """As if a rule had been learned that nobody has written."""
    plant_new_slot_rules(run, {"learned.day.1": ("good [ morning ]<day>", 30)})


def all_accepted(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> None:
    """The page with every changed rule accepted."""
    slot_decided(store, run, "to", "day", "from_to")
    studio.open("compare", project=learnable.id)


def choose(studio: Studio, rule: str) -> None:
    """The rule that a view is of."""
    next(box for box in studio.test.selectbox if box.label == "Rule").set_value(rule).run()
    studio.checked()


def test_without_a_run_it_says_what_to_do(studio: Studio, store: Store) -> None:
    studio.open("compare", project=slot_project(store, name="Untrained").id)
    assert "There is no training run to compare yet." in studio.html


def test_the_bar_says_at_once_what_the_reconstruction_is_at() -> None:
    """It stood at 0% and said nothing while word classes were extended."""
    assert step_in_words(0, 100) == "Extending word classes with words of the annotated texts"
    assert step_in_words(EXTENDED[1], 100).startswith("Trying changes")


def test_f1_of_rules_network_and_rules_read_back_stand_side_by_side(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Figures")
    [row] = [row for row in studio.html.split("<tr>") if row.startswith("<td>dev (chose the changes)")]
    assert ">66.7<" in row
    assert row.index("85.7") < row.index("100.0")
    assert "▲ +33.3" in row
    assert "<b>3 of 3</b> <span>rules changed</span>" in studio.html
    assert "new rule" not in studio.html


def test_each_rule_is_shown_before_and_after(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("compare", project=learnable.id)
    found = cards(studio)
    assert list(found) == ["to", "day", "from_to"]
    assert set(states(studio).values()) == {"open"}
    card = found["to"]
    assert ">to_city</span>" in card["chips"]
    assert 'Still matched: the new rule writes it in another way.">@city@</span> <i>4 words</i>' in card["html"]
    assert '<ins class="re2-new">$</ins>' in card["html"]
    assert "Fewer errors 24 " in card["evidence"]
    assert re.search(r'>new:</span> <span class="re2-chip".*?>to_city</span> “\w+”, correct</div>', card["evidence"])
    assert "✓" not in card["evidence"]
    seen_as(studio, "Automata")
    assert "to</b>" in studio.html
    assert "also matches any word ($) where it matches" in studio.html
    assert "Words removed, 4" in studio.html


def test_what_the_changes_do_is_shown_before_they_are_saved(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    all_accepted(studio, learnable, run, store)
    assert "F1 on test 66.7 → <b>100.0</b>" in studio.html
    assert re.search(r"accepted changes</abbr> <b>100\.0</b> \(<abbr[^>]*>95% interval [+-][\d.]+ to \+", studio.html)
    assert "On the test texts, which only check the changes: +33.3, " in studio.html
    assert "texts fixed" in studio.html
    labels = [box.label for box in studio.test.expander]
    assert any("Fixed" in label for label in labels)
    assert any("Broken 0" in label for label in labels)


def test_one_button_makes_a_new_version(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> None:
    all_accepted(studio, learnable, run, store)
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert saved.number == 2
    assert "to := $* to [ $ ]<to_city> $*" in saved.rules_text
    assert '// "on foot" is no day' in saved.rules_text
    assert saved.message == "Run 1, reconstructed: to, from_to, day"


def test_a_rule_can_be_left_as_it_is(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> None:
    slot_decided(store, run, "day", "from_to")
    studio.open("compare", project=learnable.id)
    assert states(studio) == {"to": "open", "from_to": "accepted", "day": "accepted"}
    studio.test.button(key="compare_save").click().run()
    saved = latest_version(store, learnable.id).rules_text
    assert "to := $* to [ @city@ ]<to_city> $*" in saved
    assert "day := $* on [ monday | friday ]<day> $*" in saved


@pytest.mark.usefixtures("nothing_held_out")
def test_a_new_rule_is_told_and_taken_over(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    add_new_rule(run)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["learned.day.1"]
    assert (card["fresh"], card["state"]) == (True, "open")
    seen_as(studio, "Figures")
    assert "<b>1</b> <span>new rule</span>" in studio.html
    assert "changed rules" in studio.html
    slot_decided(store, run, "learned.day.1")
    seen_as(studio, "By rule")
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "learned.day.1 := good [ morning ]<day>\n" in latest_version(store, learnable.id).rules_text


def test_a_rule_that_was_edited_since_is_left_alone(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    edited = RULES.replace("$* to [", "$* to the? [")
    save_version(store, learnable.id, rules_text=edited, logic_text="", author="Ann", message="", expected_number=1)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["to"]
    assert card["state"] == "edited since"
    assert "Ann changed it in v2, after the training, and accepting" in card["note"]
    slot_decided(store, run, "to", "day", "from_to")
    studio.test.run()
    assert "Save 2 accepted changes as rules v3" in [button.label for button in studio.test.button]


def test_changed_spans_are_told_and_measured_again(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    record_label(store, texts_of(store, learnable.id)[-1].id, "[]", "Ann")
    studio.open("compare", project=learnable.id)
    assert "Texts or spans have changed since this was measured" in studio.test.caption[0].value
    studio.test.button(key="compare_again").click().run()
    studio.checked()
    studio.test.run()
    assert not studio.test.caption


def test_a_run_that_changed_nothing_says_so(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    nothing = finished_slot_run(store, learnable, train={"epochs": 1, "learning_rate": 0.0, "head_learning_rate": 0.0})
    assert nothing.result["best_epoch"] == 0
    studio.open("compare", project=learnable.id)
    reported = "Training changed nothing. The changes below were found directly on the annotated texts."
    assert reported in studio.html
    assert "Your rules are kept" not in studio.html


def test_a_damaged_network_is_a_message(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    (run.folder / "bundle.json").write_text("{", encoding="utf-8")
    studio.open("compare", project=learnable.id)
    assert f"The network of run {run.id} is missing or damaged" in studio.messages.replace("\\", "")


def test_marked_texts_are_counted_alone(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Figures")
    rows = [row.split("</td>") for row in studio.html.split("<tr>") if row.startswith("<td>train (helped")]
    assert ">annotated texts</th>" in studio.html
    assert [row[1] for row in rows] == ['<td class="re2-number">28']  # and 2 that nobody has marked


def test_what_was_saved_is_no_edit_of_somebody(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    all_accepted(studio, learnable, run, store)
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert set(states(studio).values()) == {"saved"}
    assert [card["note"] for card in cards(studio).values()] == [""] * 3
    assert "<b>v2</b> saved by you (“Run 1, reconstructed: to, from_to, day”)" in studio.html
    seen_as(studio, "Automata")
    assert "accepted: the newest rules contain the reconstructed rule." in studio.html
    assert "errors fewer in the marked" not in studio.html


def test_the_version_saved_has_its_f1_and_its_predictions_beside_the_others(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    all_accepted(studio, learnable, run, store)
    assert "<th>written rules (v2)" not in seen_as(studio, "Figures").html
    seen_as(studio, "By rule")
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    seen_as(studio, "Figures")
    [table] = [part for part in studio.html.split("<table") if ">agreement with the network</abbr></th>" in part]
    head = [cell.removesuffix("</abbr>").rsplit(">", 1)[-1] for cell in table.split("</th>")[:-1]]
    rows = [row.split("</td>") for row in table.split("<tr>")[2:]]
    assert rows
    newest, read_back = head.index("written rules (v2)"), head.index("reconstructed rules")
    for row in rows:  # all was taken over, so both are the same rules
        assert row[newest] == row[read_back]
        assert row[newest] != row[head.index("written rules (v1)")]
    seen_as(studio, "Sentence")
    [predictions] = [part for part in studio.html.split("<table") if "<th>Rules or confidence</th>" in part]
    assert "Written rules (v2, newest)" in predictions


def test_both_transducers_of_a_rule_are_drawn(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Automata")
    assert not studio.test.get("graphviz_chart")
    assert "_union_compare_slots" in [part.key for part in studio.test.get("bidi_component")]
    arcs = studio.frame("mark")
    changed = arcs[arcs["tag"] == "B-to_city"].iloc[0]
    assert changed["mark"] == "± changed"
    assert "$" in changed["added"].split()
    # The field begins with a text of the project in which the rule marks other words now.
    example = "from oslo to vienna please"
    fields = {field.label: field for field in studio.test.text_input}
    assert fields["Step a sentence through both"].value == example
    assert "<b>Before</b>: ✗ not matched" in studio.html
    assert "<b>After</b>: ✓ matched, “vienna” B-to_city</div>" in studio.html
    assert "“please” gets no tag" in studio.html
    [steps] = [part for part in studio.html.split("<table") if "<th>tag before</th>" in part]
    [vienna] = [row.split("</td>") for row in steps.split("<tr>") if row.startswith("<td>vienna<")]
    assert [cell.removeprefix("<td>") for cell in vienna[2:5:2]] == ["no tag", "B-to_city"]
    # A form of the machine that has weights is drawn with them where that is wanted.
    assert "Weight" not in studio.html
    studio.test.toggle(key="compare_weights").set_value(True).run()
    studio.checked()
    assert not studio.messages
    arcs = studio.frame("weight")
    before, now = map(float, arcs[arcs["tag"] == "B-to_city"].iloc[0]["weight"].split(" → "))
    assert now > before + 0.01


def test_texts_that_a_rule_marks_otherwise_stand_by_how_often_they_come(
    studio: Studio, learnable: ProjectRecord, run: RunRecord
) -> None:
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Automata")
    assert "Texts in which to captures more or less" in studio.html
    titles = [box.label for box in studio.test.expander]
    [more] = [title for title in titles if title.startswith("▲ ") and title.endswith(" incorrect")]
    assert more == "▲ 24 texts more; new spans in annotated texts: 24 correct, 0 incorrect"
    assert "▼ 0 texts less" in titles
    assert not any(title.startswith("±") for title in titles)
    [list_] = [part for part in studio.html.split('<div class="re2-texts">') if "2 times" in part]
    rows = list_.split('<div class="re2-text">')[1:]
    assert ["2 times" in row for row in rows] == [True] * 8 + [False] * 8
    assert "“vienna” ✓" in rows[0]


@pytest.mark.usefixtures("nothing_held_out")
def test_where_no_text_changes_a_sentence_is_tried_that_tells_the_rules_apart(
    studio: Studio, learnable: ProjectRecord, run: RunRecord
) -> None:
    path = run.folder / FILE
    read_back = path.read_text(encoding="utf-8")
    path.write_text(read_back.replace("to [ $ ]<to_city>", "to [ boston | oslo | paris | rome | atlantis ]<to_city>"))
    studio.open("compare", project=learnable.id)
    choose(seen_as(studio, "Automata"), "to")
    assert "▲ 0 texts more" in [box.label for box in studio.test.expander]
    [field] = [field for field in studio.test.text_input if field.label == "Step a sentence through both"]
    assert field.value == "to atlantis"


@pytest.mark.usefixtures("nothing_held_out")
def test_a_new_rule_and_one_that_stayed_have_one_drawing(
    studio: Studio, learnable: ProjectRecord, run: RunRecord
) -> None:
    add_new_rule(run)
    studio.open("compare", project=learnable.id)
    choose(seen_as(studio, "Automata"), "learned.day.1")
    [chart] = studio.test.get("graphviz_chart")
    assert "morning / B-day" in chart.proto.spec
    assert "Written (" not in studio.html


@pytest.mark.usefixtures("nothing_held_out")
def test_what_nobody_could_read_as_a_drawing_is_a_table(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("re2nn_core.plots.automaton.DRAWABLE_ARCS", 1)
    add_new_rule(run)
    studio.open("compare", project=learnable.id)
    choose(seen_as(studio, "Automata"), "learned.day.1")
    assert not studio.test.get("graphviz_chart")
    arcs = studio.frame("Tag")
    assert "B-day" in list(arcs["Tag"])
    assert any("Too large to draw" in caption.value for caption in studio.test.caption)


def test_a_sentence_is_predicted_by_all_three_and_explained(studio: Studio, learnable: ProjectRecord) -> None:
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Sentence")
    field = next(field for field in studio.test.text_input if field.label == "Sentence to explain")
    field.set_value("go to oslo").run()
    studio.checked()
    [table] = [part for part in studio.html.split("<table") if "<th>Rules or confidence</th>" in part]
    written, network, read_back = table.split("<tr>")[2:]
    assert "<td>to</td>" in written
    assert "lowest confidence of a token" in network
    assert "oslo" in read_back
    assert "to_city" in read_back
    assert "<td>to</td>" in read_back
    studio.test.toggle(key="compare_why_more").set_value(True).run()
    studio.checked()
    assert "<th>Next best tag</th>" in studio.html


def test_the_review_is_exported_with_its_spans(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = kept_downloads(monkeypatch)
    slot_decided(store, run, "day")
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Rules")
    page = made["Export review"]()
    assert '<mark class="new">vienna<small>to_city</small></mark>' in page
    assert '<span class="state accepted">Accepted</span>' in page
    assert made["Export patch"]().startswith("--- a/rules.txt\n")


def test_a_change_repairs_what_another_one_breaks(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rules for a day outvote the one that takes it for a city; one more alone changes nothing."""
    monkeypatch.setattr(change_effects, "_LIKELY", 0.25)
    cities = "to [ lisbon | cairo | quito ]<to_city> $*"
    rules = {
        "learned.to_city.1": (f"$* ( {cities} | to ( boston | paris ) on [ monday ]<to_city> )", 30),
        "learned.day.1": ("$* on [ monday | friday ]<day> $*", 1),
    }
    studio.open("compare", project=learnable.id)
    plant_new_slot_rules(run, rules)
    studio.open("compare", project=learnable.id)
    found = cards(studio)
    assert "learned.day.1</button> repairs 2 of the 2 broken texts." in found["learned.to_city.1"]["summary"]
    assert found["learned.day.1"]["effect"] == [0, 0]
    assert found["learned.day.1"]["verdict"] == "Recommended with learned.to_city.1"


def test_where_no_rule_changed_the_spans_of_the_network_alone_are_listed(
    studio: Studio, learnable: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._compare.comparison.changes_in_order", lambda _: [])
    studio.open("compare", project=learnable.id)
    assert "No change of a rule holds on other texts: keep your rules as they are." in studio.html
    assert re.search(r"The network predicts \d+ (test )?texts? .*correctly that your rules do not", studio.html)
    assert '<mark class="re2-hit">' in studio.html


def test_by_word_says_that_a_rule_is_unchanged(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    rule = values["reconstruction"]["rules"][0]
    rule.update(kept_original=True)
    path.write_text(json.dumps(values), encoding="utf-8")
    studio.open("compare", project=learnable.id)
    seen_as(studio, "By word")
    choose(studio, rule["name"])
    assert f"{rule['name']} is unchanged: no change improved the rules on dev." in studio.html
