"""See automaton: choosing, drawing, a sentence word by word, refusals."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio

from re2nn_core.errors import StateBudgetError
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, save_version


def dot(studio: Studio) -> str:
    return studio.test.get("graphviz_chart")[0].proto.spec


def test_without_a_project_the_page_says_where_to_find_one(studio: Studio) -> None:
    studio.open("automaton")
    assert "No project is open." in studio.html


def test_a_rule_is_drawn_with_an_accepted_text(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    assert "digraph machine" in dot(studio)
    assert 'class="state final alive"' in dot(studio)
    assert "Matched." in studio.html
    assert "exact states" in studio.html
    assert "Words and signs of the rule as written." in studio.html


def test_the_slider_goes_back_word_by_word(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    studio.test.slider[0].set_value(0).run()
    studio.checked()
    assert "walked" not in dot(studio)
    assert "after 0 of" in studio.html


def test_the_place_where_a_sentence_dies_is_named(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    studio.test.segmented_control(key=f"_machine_form_{project.id}").set_value("Exact").run()
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("to_place").run()
    studio.test.text_input(key=f"_traced_{project.id}").input("fly to rome now").run()
    studio.checked()
    assert "Matched." in studio.html
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("lost").run()
    studio.test.text_input(key=f"_traced_{project.id}").input("found it").run()
    studio.checked()
    assert "Not matched." in studio.html


def test_a_word_that_nobody_reads_is_where_the_sentence_dies(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    save_version(store, project.id, rules_text="[a]\nrule := x y z", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    studio.test.text_input(key=f"_traced_{project.id}").input("x q z").run()
    studio.checked()
    assert "No transition for word 2, “q”." in studio.html
    assert "expected: y" in studio.html


def test_a_label_is_one_machine(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    studio.test.segmented_control(key=f"_machine_kind_{project.id}").set_value("Label").run()
    studio.checked()
    assert studio.test.selectbox(key=f"_machine_Label_{project.id}").value == "flight"


def test_rules_with_faults_are_shown_as_faults(studio: Studio, store: Store, project: ProjectRecord) -> None:
    save_version(store, project.id, rules_text="[a]\n( b", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert "is never closed" in studio.html


def test_words_from_people_cannot_leave_their_label(studio: Studio, store: Store, project: ProjectRecord) -> None:
    text = '[a]\n$* "</script><img/onerror=x>" $* \\" $*'
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert "<img" not in dot(studio)
    assert "<img" not in studio.html


def test_a_failing_service_is_a_message(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StateBudgetError(5_000, "( a | b )*", "from_to")

    monkeypatch.setattr("pages._automaton.choose.view_rule", fail)
    studio.open("automaton", project=project.id)
    assert "needs more than 5,000 states" in studio.messages


def test_what_was_typed_stays_with_another_rule_and_form(studio: Studio, project: ProjectRecord) -> None:
    """An example of the program gives way to one of the next rule; what a person typed does not."""
    studio.open("automaton", project=project.id)
    field, rule = f"_traced_{project.id}", f"_machine_Rule_{project.id}"
    assert studio.test.text_input(key=field).value == "book a flight to rome"
    studio.test.selectbox(key=rule).set_value("bag").run()
    assert studio.test.text_input(key=field).value == "my bag is lost"
    studio.test.text_input(key=field).input("lost in rome").run()
    for name in ("lost", "to_place", "fly"):
        studio.test.selectbox(key=rule).set_value(name).run()
        studio.checked()
        assert studio.test.text_input(key=field).value == "lost in rome"
    studio.test.segmented_control(key=f"_machine_kind_{project.id}").set_value("Label").run()
    assert studio.test.text_input(key=field).value == "lost in rome"
    studio.open("projects")
    studio.open("automaton")
    assert studio.test.text_input(key=field).value == "lost in rome"


def test_the_rule_chosen_on_the_page_before_is_drawn(studio: Studio, project: ProjectRecord) -> None:
    """Until another is chosen here; a rule that the version does not have is left."""
    studio.open("rules", project=project.id)
    draft = f"_draft_{project.id}"
    chosen = f"_machine_Rule_{project.id}"
    for name, expected in (("lost", "lost"), ("not saved yet", "lost"), ("bag", "bag")):
        studio.test.session_state[draft] = focus(studio.test.session_state[draft], rule=name)
        studio.test.switch_page("pages/automaton.py").run()
        studio.checked()
        assert studio.test.selectbox(key=chosen).value == expected
    studio.test.selectbox(key=chosen).set_value("fly").run()
    studio.test.run()
    assert studio.test.selectbox(key=chosen).value == "fly"


def test_the_exact_form_says_which_words_are_meant(studio: Studio, project: ProjectRecord) -> None:
    """`$` of the compact form is any word; where a word takes one arrow it is each that no other arrow names."""
    studio.open("automaton", project=project.id)
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("to_place").run()
    assert '" $ "' in dot(studio)
    assert "without another transition from the same state" not in studio.html
    studio.test.segmented_control(key=f"_machine_form_{project.id}").set_value("Exact").run()
    studio.checked()
    assert "any other word" in dot(studio)
    assert " $ " in dot(studio)  # out of the last state, whose words all go one way
    assert "without another transition from the same state" in studio.html
    assert any("any other word" in reads for reads in studio.frame("Words")["Words"])
