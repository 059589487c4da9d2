"""See automaton for a project with slots: both forms, a sentence with its tags, tables, refusals, the certificate."""

from __future__ import annotations

from typing import Any

import pytest
from support.app.app_studio import Studio
from support.projects.span_samples import annotated_project

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import ProjectRecord, Store, save_version

IN_CIRCLES = "Tags on states (i-FST)"


@pytest.fixture
def trips(store: Store) -> ProjectRecord:
    return annotated_project(store)


def drawing(studio: Studio, project: ProjectRecord) -> dict[str, Any]:
    """What the browser is given to draw."""
    return studio.component(f"_automaton_drawing_{project.id}")


def labels(studio: Studio, project: ProjectRecord) -> list[str]:
    """What is written at the transitions."""
    return [arc["label"] for arc in drawing(studio, project)["arcs"]]


def choose(studio: Studio, project: ProjectRecord, rule: str) -> None:
    studio.test.selectbox(key=f"_tags_Rule_{project.id}").set_value(rule).run()
    studio.checked()


def test_a_rule_is_drawn_with_a_text_that_it_marks(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("automaton", project=trips.id)
    assert "to $ / B-to_city" in labels(studio, trips)
    [text] = drawing(studio, trips)["texts"]
    assert "B-to_city" in text["tags"]
    assert text["colours"][text["tags"].index("B-to_city")].startswith("#")
    assert "Matched." in studio.html
    assert "FST states" in studio.html
    assert "i-FST states" in studio.html


def test_the_independent_form_has_its_tags_in_the_circles(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("automaton", project=trips.id)
    studio.test.segmented_control(key=f"_tags_form_{trips.id}").set_value(IN_CIRCLES).run()
    studio.checked()
    assert any(node["name"].endswith(" B-to_city") and node["colour"] for node in drawing(studio, trips)["nodes"])
    assert "to $ / B-to_city" not in labels(studio, trips)


def test_the_place_where_a_sentence_dies_is_named(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    save_version(store, trips.id, rules_text="a := to [ new york ]<x>", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=trips.id)
    studio.test.text_input(key=f"_traced_{trips.id}").input("to old york").run()
    studio.checked()
    assert "No transition for word 2, “old”." in studio.html
    assert "expected: new" in studio.html


def test_a_run_is_a_table_as_well(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("automaton", project=trips.id)
    choose(studio, trips, "day")
    studio.test.text_input(key=f"_traced_{trips.id}").input("on monday").run()
    studio.checked()
    assert "Tags on paths through the whole sentence" in studio.html
    assert "<td>monday</td>" in studio.html
    assert "no tag" in studio.html


def test_a_slot_is_one_machine(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("automaton", project=trips.id)
    studio.test.segmented_control(key=f"_tags_kind_{trips.id}").set_value("Slot").run()
    studio.checked()
    assert studio.test.selectbox(key=f"_tags_Slot_{trips.id}").value == "to_city"
    assert any("from_city" in label for label in labels(studio, trips)), "one of its rules captures both"


def test_the_network_is_checked_against_the_rules(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("automaton", project=trips.id)
    studio.test.button(key="certify").click().run()
    studio.checked()
    assert any("Network equals rules" in found.value for found in studio.test.markdown)


def test_the_chinese_sample_opens(studio: Studio, store: Store) -> None:
    studio.open("automaton", project=open_sample(store, "flight_slots_zh", "tester").id)
    assert "Matched." in studio.html


def test_rules_with_faults_are_shown_as_faults(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    save_version(store, trips.id, rules_text="a := [ b", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=trips.id)
    assert "is never closed" in studio.html


def test_a_machine_past_the_budget_says_so(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    rules = "a := ( a | b )* a ( a | b ){13} [ oslo ]<city>"
    save_version(store, trips.id, rules_text=rules, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=trips.id)
    assert "needs more than 5,000 states" in studio.html
    assert "The drawing shows the positions of words in the rule instead." in studio.html
    assert "oslo / B-city" in " ".join(labels(studio, trips))
    assert "too many" in studio.html


def test_words_from_people_cannot_leave_their_label(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    rules = 'a := $* [ "</script><img/onerror=x>" ]<x> $*'
    save_version(store, trips.id, rules_text=rules, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=trips.id)
    studio.test.text_input(key=f"_traced_{trips.id}").input("a </script><img/onerror=x>").run()
    studio.checked()
    assert "<img" not in studio.html
