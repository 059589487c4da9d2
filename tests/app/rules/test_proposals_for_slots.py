"""Write rules: proposals for slots are shown with the spans that they fix and break, and accepted into it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from support.app.app_studio import Studio
from support.projects.span_samples import marked

from pages._rules.slot_filling import analysis
from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example

CITIES = ("rome", "oslo", "bonn", "bern", "kyiv")
RULES = "day := $* [ friday ]<day> $*\n"


def _project(store: Store, examples: tuple[Example, ...] = (), rules: str = RULES) -> ProjectRecord:
    trips = tuple(
        marked(f"fly from {one} to {other}", (one, "from"), (other, "to")) for one, other in permutations(CITIES, 2)
    )
    return create_project(
        store,
        name="Trips",
        task=Task.SLOT_FILLING,
        examples=Corpus(examples or trips),
        rules_text=rules,
        logic_text="",
        author="tester",
    )


def _proposals(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.button(key="rules_propose").click().run()
    studio.checked()


def test_a_rule_with_its_word_class_is_accepted(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    for shown in ("from := $* from [ @from@ ]", "to := $* to [ @from@ ]", "20 of 20 spans correct", "unseen spans"):
        assert shown in studio.html.replace("&lt;", "<"), shown
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "@from@=( " in draft.rules_text
    assert "from := $* from [ @from@ ]<from> $*" in draft.rules_text
    assert draft.rules_text.splitlines()[draft.reveal_line - 1].startswith("from :=")
    assert "from := " not in studio.html, "what is accepted is not proposed any more"
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    assert "Nothing to propose." in studio.html
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert draft.rules_text.count("@from@=(") == 1, "the class that is there is used"


def test_an_edit_with_an_error_asks_for_it_to_be_mended(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    draft = studio.test.session_state[f"_draft_{project.id}"]
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}")
    area.input(area.value.replace("[ friday ]", "[ friday")).run()
    studio.checked()
    assert "Rules are proposed once these have no errors." in studio.html


def test_without_an_annotated_span_the_page_says_what_to_do(studio: Studio, store: Store) -> None:
    project = _project(store, (Example("fly to rome"), Example("fly to oslo")))
    studio.open("rules", project=project.id)
    studio.test.button(key="rules_propose").click().run()
    assert "There is no annotated text to propose a rule from" in studio.html + " ".join(
        e.value for e in studio.test.error
    )


def test_rules_are_proposed_for_the_selected_texts(studio: Studio, store: Store) -> None:
    project = _project(store)
    studio.open("rules", project=project.id)
    studio.test.segmented_control[0].set_value("missed").run()
    studio.test.button(key="rules_select").click().run()
    studio.test.checkbox(key="rules_select_3").check().run()
    assert studio.test.button(key="rules_propose").label == "Propose rules for 1 text"
    studio.test.button(key="rules_propose").click().run()
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert ("from := $* from [ @from@ ]<from> $*" in draft.rules_text, draft.selected) == (True, None)


def test_rules_of_fewer_texts_come_first_where_there_are_many(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._rules.slot_filling.proposals.MANY", 2)
    asked: list[bool] = []
    whole = analysis.propose_for_slots

    def counted(*about: Any, quick: bool, **more: Any) -> Any:
        asked.append(quick)
        return whole(*about, quick=quick, **more)

    monkeypatch.setattr("pages._rules.slot_filling.analysis.propose_for_slots", counted)
    _proposals(studio, _project(store))
    assert asked == [True, False]
    assert "from := $* from [ @from@ ]" in studio.html.replace("&lt;", "<")
    assert "Looking at more texts" not in studio.html, "what was found took its place"
    studio.test.run()
    assert asked == [True, False], "what is known is shown at once"


def test_a_condition_excludes_incorrect_spans(studio: Studio, store: Store) -> None:
    music = tuple(marked(f"listen to {city} music") for city in CITIES)
    trips = tuple(marked(f"fly to {city}", (city, "to")) for city in CITIES)
    project = _project(store, (*music, *trips), "to := $* to [ $ ]<to> $*\n")
    studio.open("rules", project=project.id)
    studio.test.segmented_control[0].set_value("wrong").run()
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "to … but not ( $* " in studio.html
    assert '<b class="re2-up">▲ 5</b> <b class="re2-down">▼ 0</b> unseen spans' in studio.html
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    assert "to := $* to [ $ ]<to> $* but not ( $* " in studio.test.session_state[f"_draft_{project.id}"].rules_text
