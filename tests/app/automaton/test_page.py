"""See automaton: choosing, drawing, a sentence word by word, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from support.app.app_studio import Studio

from re2nn_core.errors import StateBudgetError
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, save_version


def drawing(studio: Studio, project: ProjectRecord) -> dict[str, Any]:
    """What the browser is given to draw."""
    return studio.component(f"_automaton_drawing_{project.id}")


def labels(studio: Studio, project: ProjectRecord) -> list[str]:
    """What is written at the transitions."""
    return [arc["label"] for arc in drawing(studio, project)["arcs"]]


def states(studio: Studio, project: ProjectRecord, step: int) -> list[int]:
    """The active states of the sentence behind so many words."""
    drawn = drawing(studio, project)
    return [drawn["nodes"][place]["number"] for place in drawn["texts"][0]["steps"][step]["alive"]]


def test_without_a_project_the_page_says_where_to_find_one(studio: Studio) -> None:
    studio.open("automaton")
    assert "No project is open." in studio.html


def test_a_rule_is_drawn_with_an_accepted_text(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    drawn = drawing(studio, project)
    assert (drawn["title"], drawn["size"]) == ("fly", "automaton with 2 states and 3 transitions")
    assert [node["final"] for node in drawn["nodes"]] == [False, True]
    assert labels(studio, project) == ["$", "flight | fly", "$"]
    [text] = drawn["texts"]
    assert text["words"] == ["book", "a", "flight", "to", "rome"]
    assert text["path"] == [0, 0, 1, 2, 2]
    assert text["named"] == [False, False, True, False, False]
    assert "Matched." in studio.html
    assert "exact states" in studio.html
    assert "Words and signs of the rule as written." in studio.html


def test_each_step_has_its_states_and_says_them(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    steps = drawing(studio, project)["texts"][0]["steps"]
    assert [states(studio, project, number) for number in range(6)] == [[0], [0], [0], [0, 1], [0, 1], [0, 1]]
    assert [step["arcs"] for step in steps] == [[], [0], [0], [0, 1], [0, 2], [0, 2]]
    assert steps[2]["told"] == "State 0 is active after 2 of 5 words."
    assert steps[5]["told"] == "✓ Matched. States 0, 1 are active at the end, one of them final."


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
    [text] = drawing(studio, project)["texts"]
    assert (text["died"], text["path"], len(text["steps"])) == (1, [], 3)
    assert text["steps"][2]["told"] == "✗ No transition for word 2, “q”. State 1 was active; expected: y."
    assert (text["steps"][1]["alive"], text["steps"][1]["arcs"]) == ([], [0]), "state 1 is within the folded line"
    assert "No transition for word 2, “q”." in studio.html


def test_a_label_is_one_machine(studio: Studio, project: ProjectRecord) -> None:
    studio.open("automaton", project=project.id)
    studio.test.segmented_control(key=f"_machine_kind_{project.id}").set_value("Label").run()
    studio.checked()
    assert studio.test.selectbox(key=f"_machine_Label_{project.id}").value == "flight"
    assert sorted(labels(studio, project)) == ["$", "$", "flight | fly", "new york", "paris | rome", "to"]


def test_rows_of_words_are_folded_until_they_are_asked_for(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    text = "[a]\nrule := less expensive than $* ( very ){3} good"
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert labels(studio, project) == ["less expensive than", "$", "very ×3 good"]
    inside = drawing(studio, project)["arcs"][0]["inside"]
    assert [(one["told"], one["words"]) for one in inside] == [
        ("0 → 1", ["less"]),
        ("1 → 2", ["expensive"]),
        ("2 → 3", ["than"]),
    ]
    studio.test.toggle(key="_automaton_folded").set_value(False).run()
    studio.checked()
    assert labels(studio, project) == ["less", "expensive", "than", "$", "very", "very", "very", "good"]


def test_frequent_words_are_written_first(studio: Studio, store: Store, project: ProjectRecord) -> None:
    text = "[a]\nrule := $* ( aardvark | abacus | lost | rome | zebra ) $*"
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert labels(studio, project)[1] == "lost | rome | aardvark and 2 more"


def test_what_is_too_large_is_drawn_in_another_form_that_is_named(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    text = "[a]\nrule := ( a | b )* a ( a | b ){13}"
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert "needs more than 5,000 states" in studio.html
    assert "The drawing shows the positions of words in the rule instead." in studio.html
    assert labels(studio, project)[-1] == "(a | b) ×13"
    studio.test.text_input(key=f"_traced_{project.id}").input(" ".join("b" + "a" * 14)).run()
    assert "Matched." in studio.html


def test_rules_with_faults_are_shown_as_faults(studio: Studio, store: Store, project: ProjectRecord) -> None:
    save_version(store, project.id, rules_text="[a]\n( b", logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert "is never closed" in studio.html


def test_words_from_people_cannot_leave_their_label(studio: Studio, store: Store, project: ProjectRecord) -> None:
    text = '[a]\n$* "</script><img/onerror=x>" $* \\" $*'
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("automaton", project=project.id)
    assert any("<img" in label for label in labels(studio, project)), "as text, for textContent"
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
        studio.test.switch_page("pages/rules.py").run()
        studio.test.session_state[draft] = focus(studio.test.session_state[draft], rule=name)
        studio.test.run()
        studio.test.switch_page("pages/automaton.py").run()
        studio.checked()
        assert studio.test.selectbox(key=chosen).value == expected
    studio.test.selectbox(key=chosen).set_value("fly").run()
    studio.test.run()
    assert studio.test.selectbox(key=chosen).value == "fly"


def test_the_exact_form_says_which_words_are_meant(studio: Studio, project: ProjectRecord) -> None:
    """`$` of the compact form is any word; where a word takes one transition it is each that no other one names."""
    studio.open("automaton", project=project.id)
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("to_place").run()
    assert labels(studio, project)[0] == "$"
    assert not drawing(studio, project)["notes"]
    studio.test.segmented_control(key=f"_machine_form_{project.id}").set_value("Exact").run()
    studio.checked()
    assert labels(studio, project) == ["any other word", "to", "new york ↩0", "paris | rome", "$"]
    notes = " ".join(drawing(studio, project)["notes"])
    assert "↩0 below a state: it reads any other word as state 0 does" in notes
    assert "each word without another transition from the same state" in notes
    assert any("any other word" in reads for reads in studio.frame("Words")["Words"])
