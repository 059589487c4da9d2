"""Write rules for a project with slots: figures, views, faults, effect, saving; in the plain editor."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.app.app_studio import Studio
from support.projects.span_samples import EXAMPLES, PLAIN, RULES, annotated_project, marked

from re2nn_core.services.projects.projects import create_slot_project
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, create_project, latest_version, set_slot_case
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example


@pytest.fixture
def trips(store: Store) -> ProjectRecord:
    return annotated_project(store)


def edit(studio: Studio, project: ProjectRecord, old: str, new: str) -> None:
    draft = studio.test.session_state[f"_draft_{project.id}"]
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}")
    assert old in area.value
    area.input(area.value.replace(old, new)).run()
    studio.checked()


def view(studio: Studio, project: ProjectRecord, name: str) -> str:
    studio.test.segmented_control(key=f"_rules_view_{project.id}").set_value(name).run()
    studio.checked()
    return studio.html


def test_figures_and_spans_are_there_at_once(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    assert "F1 of all 7 annotated spans" in studio.html
    assert "<b>61.5</b>" in studio.html
    assert "oslo<small>to_city</small>" in studio.html
    assert "bergen monday<small>to_city ✗</small>" in studio.html
    assert "not annotated yet" in studio.html
    assert studio.test.button(key="rules_save").disabled


def test_spans_add_up(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    assert "4 correct + 2 incorrect + 1 not annotated = 7<" in studio.html
    assert "4 found + 3 missed = 7 annotated" in view(studio, trips, "missed")
    view(studio, trips, "matches")
    key = f"_draft_{trips.id}"
    studio.test.session_state[key] = focus(studio.test.session_state[key], rule="to")
    studio.test.run()
    studio.checked()
    assert "2 correct + 1 incorrect + 1 not annotated, by itself" in studio.html


def test_rules_are_listed_by_slot(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    rows = studio.test.dataframe[0].value
    assert list(rows["Rule"]) == ["to", "from_to", "from_to", "day"]
    assert [list(cell) for cell in rows["Slot"]] == [["to_city"], ["from_city"], ["to_city"], ["day"]]
    assert list(rows["Spans"]) == [4, 1, 1, 3]
    assert list(rows["Precision"])[:2] == ["67% (21% to 94%), 3 spans", "100% (21% to 100%), 1 span"]


def test_missed_wrong_and_conflicts_say_what_happened(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    missed = view(studio, trips, "missed")
    assert "tromso<small>from_city missed</small>" in missed
    assert "captured by <b>day</b>, but predicted:" in missed
    wrong = view(studio, trips, "wrong")
    assert "“bergen monday”: other boundaries, annotated:" in wrong
    assert "“monday”: no span is annotated there" in wrong
    assert "as the first in the rules" in view(studio, trips, "conflicts")


def test_the_focus_of_a_rule_and_slot_shows_its_own_spans(
    studio: Studio, trips: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "0")
    studio.open("rules", project=trips.id)
    key = f"_draft_{trips.id}"
    studio.test.session_state[key] = focus(
        studio.test.session_state[key], rule="from_to", label="from_city", view="matches"
    )
    studio.test.run()
    studio.checked()
    assert "<b>from_to</b>" in studio.html
    assert "rome<small>from_city</small>" in studio.html
    assert "new york<small>" not in studio.html
    studio.test.button(key="rules_all").click().run()
    studio.checked()
    assert "all rules <span" in studio.html
    assert "new york<small>to_city</small>" in studio.html


def test_an_edit_shows_its_effect_and_can_be_saved(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    edit(studio, trips, "[ $ $? ]<to_city>", "[ @city@ | bergen ]<to_city>")
    view(studio, trips, "effect")
    assert "Effect of this edit" in studio.html
    assert "F1 61.5 → <b>85.7</b>" in studio.html
    assert any("Fixed 1" in box.label for box in studio.test.expander)
    studio.test.button(key="rules_save").click().run()
    studio.checked()
    assert latest_version(store, trips.id).number == 2
    assert "Effect of this edit" not in studio.html


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("none := $* [ nobody ]<day> $*", "'none' finds no span in"),
        ("more := $* to [ oslo ]<to_city> $*", "'more' changes nothing: without it, the spans in"),
    ],
    ids=["no match", "another rule finds its spans"],
)
def test_a_rule_that_changes_nothing_is_reported_when_it_is_saved(
    studio: Studio, trips: ProjectRecord, rule: str, hint: str
) -> None:
    studio.open("rules", project=trips.id)
    edit(studio, trips, RULES, f"{RULES}\n{rule}\n")
    studio.test.button(key="rules_save").click().run()
    studio.checked()
    assert any(toast.value.replace("\\", "").startswith(hint) for toast in studio.test.toast)


def test_priorities_are_edited_beside_the_rules(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    assert [tab.label for tab in studio.test.tabs] == ["Rules", "Priorities"]
    draft = studio.test.session_state[f"_draft_{trips.id}"]
    area = studio.test.text_area(key=f"_logic_editor_{trips.id}_plain_{draft.editors.revision}")
    area.input('priorities = ["day > nothing"]').run()
    studio.checked()
    assert "priorities, line 1" in studio.html
    assert "there is no slot &#x27;nothing&#x27; in the rules" in studio.html
    area = studio.test.text_area(key=f"_logic_editor_{trips.id}_plain_{draft.editors.revision}")
    area.input('priorities = ["day > to_city"]').run()
    studio.checked()
    view(studio, trips, "effect")
    assert "Fixed 1" in " ".join(box.label for box in studio.test.expander)


@pytest.mark.parametrize(
    ("rules", "words"),
    [("day := $* [ monday $*", "never closed"), ("[x]\n$* monday $*", "no rule captures a word")],
)
def test_rules_that_cannot_be_read_keep_the_last_figures(
    studio: Studio, store: Store, trips: ProjectRecord, rules: str, words: str
) -> None:
    studio.open("rules", project=trips.id)
    edit(studio, trips, RULES, rules)
    assert words in studio.html + studio.messages.replace("\\", "")
    assert "F1 of all 7 annotated spans" in studio.html
    assert studio.test.button(key="rules_save").disabled


def test_a_project_without_marks_says_so(studio: Studio, store: Store) -> None:
    made = create_project(
        store,
        name="New",
        task=Task.SLOT_FILLING,
        examples=Corpus((Example("to oslo"),)),
        rules_text=RULES,
        logic_text="",
        author="x",
    )
    studio.open("rules", project=made.id)
    assert "no text is annotated yet" in studio.html


def test_texts_and_slots_from_people_are_escaped(studio: Studio, store: Store) -> None:
    made = create_project(
        store,
        name="Odd",
        task=Task.SLOT_FILLING,
        examples=Corpus((Example("to <img/src=x> now"),)),
        rules_text="a := to [ $ ]<to_city> $*",
        logic_text="",
        author="x",
    )
    studio.open("rules", project=made.id)
    assert "<img" not in studio.html
    assert "&lt;img/src=x&gt;<small>to_city</small>" in studio.html


def test_the_live_editor_and_the_list_are_drawn(
    studio: Studio, trips: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "0")
    studio.open("rules", project=trips.id)
    drawn = [part.key for part in studio.test.get("bidi_component")]
    assert sum(not key.startswith("_script_") for key in drawn) == 4  # with the automaton of the first rule


def test_of_two_spans_in_a_marked_one_the_other_is_too_many(studio: Studio, store: Store) -> None:
    project = annotated_project(store, rules="cut := $* to [ new ]<to_city> [ york ]<to_city> $*\n", name="Cut")
    studio.open("rules", project=project.id)
    wrong = view(studio, project, "wrong")
    assert "“york”: other boundaries, annotated:" in wrong
    assert "“new”: one span too many, annotated:" in wrong


def remarks(studio: Studio) -> list[str]:
    return [part.split("</div>")[0] for part in studio.html.split('re2-remark">')[1:]]


def test_a_slot_that_no_text_is_marked_with_is_told(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("rules", project=trips.id)
    assert remarks(studio) == []
    edit(studio, trips, "day := $*", "seat := $* [ window ]<seat> $*\nlate := $* [ late ]<Day> $*\nday := $*")
    assert remarks(studio) == [
        "Texts use day, rules use Day. Use the same spelling, or ignore case in slot names (Projects, More).",
        "No text is annotated with seat, so its rules cannot be evaluated.",
    ]


def test_a_project_may_fold_the_case_of_slots(studio: Studio, store: Store) -> None:
    project = annotated_project(store, rules=RULES.replace("<day>", "<DAY>"))
    set_slot_case(store, project.id, ignore=True)
    studio.open("rules", project=project.id)
    assert remarks(studio) == []
    assert "<b>61.5</b>" in studio.html


def test_rules_that_were_suggested_from_the_texts_say_so(studio: Studio, store: Store) -> None:
    texts = Corpus(tuple(replace(example, split="train") for example in EXAMPLES * 3))
    held = replace(marked("to lima", ("lima", "to_city")), split="dev")
    names = ("Alone", "With dev")
    for name, corpus in zip(names, (texts, Corpus((*texts, held))), strict=True):
        project = create_slot_project(store, name=name, corpus=corpus, tokenization=PLAIN, person="tester")
        studio.open("rules", project=project.id)
        [said] = remarks(studio)
        assert said.startswith("Some rules were suggested from the training texts, which are measured here too")
        assert ("On dev texts, which were not used for suggesting: F1 0.0." in said) == (name == "With dev")
        assert ("these figures say little about other texts" in said) == (name == "Alone")
