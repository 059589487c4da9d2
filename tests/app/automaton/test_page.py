"""See automaton: choosing, drawing, a sentence word by word, refusals."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio

from re2nn_core.errors import StateBudgetError
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
    assert "Accepted." in studio.html
    assert "exact states" in studio.html
    assert "Words and signs of the rule as you wrote it." in studio.html


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
    studio.test.text_input(key=f"_sentence_{project.id}_Rule_to_place").input("fly to rome now").run()
    studio.checked()
    assert "Accepted." in studio.html
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("lost").run()
    studio.test.text_input(key=f"_sentence_{project.id}_Rule_lost").input("found it").run()
    studio.checked()
    assert "Not accepted." in studio.html


def test_a_word_that_nobody_reads_is_where_the_sentence_dies(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    save_version(store, project.id, rules_text="[a]\nrule := x y z", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    studio.test.text_input(key=f"_sentence_{project.id}_Rule_rule").input("x q z").run()
    studio.checked()
    assert "Died at word 2, “q”." in studio.html
    assert "could read: y" in studio.html


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
