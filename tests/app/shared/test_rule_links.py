"""The rule that is looked at goes with the address: links lead to it, and each page follows what another one chose."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from support.app.app_studio import Studio, small_project
from support.projects.span_samples import annotated_project

from re2nn_core.services.rule_writing.draft import Draft, focus
from re2nn_core.store import ProjectRecord, Store, save_version

LINK = re.compile(r'<a class="re2-rule-link" href="([^"]*)" title="Open in Write rules">([^<]*)</a>')


def draft_of(studio: Studio, project: ProjectRecord) -> Draft:
    draft: Draft = studio.test.session_state[f"_draft_{project.id}"]
    return draft


def open_at(studio: Studio, page: str, project: ProjectRecord, rule: str) -> None:
    studio.test.query_params["rule"] = rule
    studio.open(page, project=project.id)


def test_a_link_leads_to_the_line_of_its_rule(studio: Studio, project: ProjectRecord) -> None:
    open_at(studio, "rules", project, "lost")
    draft = draft_of(studio, project)
    line = draft.rules_text.split("\n").index("lost := $* lost $*") + 1
    assert (draft.rule, draft.reveal_line, draft.reveal_nonce) == ("lost", line, 1)
    assert studio.component(f"_rule_automaton_{project.id}")["title"] == "lost"
    studio.test.run()
    assert draft_of(studio, project).reveal_nonce == 1, "the caret is moved once"


def test_a_rule_that_was_switched_off_is_shown_in_the_editor(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    text = "[a]\nkept := a\n//- off := b"
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    open_at(studio, "rules", project, "off")
    assert draft_of(studio, project).reveal_line == 3
    assert "has no rule" not in studio.html


def test_the_rule_of_each_page_is_that_of_the_next(studio: Studio, project: ProjectRecord) -> None:
    open_at(studio, "rules", project, "bag")
    studio.open("automaton")
    rule = studio.test.selectbox(key=f"_machine_Rule_{project.id}")
    assert rule.value == "bag"
    rule.set_value("to_place").run()
    assert studio.test.query_params["rule"] == "to_place"
    studio.open("rules")
    assert draft_of(studio, project).rule == "to_place"
    key = f"_draft_{project.id}"
    studio.test.session_state[key] = focus(draft_of(studio, project), rule="fly")
    studio.test.run()
    assert studio.test.query_params["rule"] == "fly"


def test_both_pages_link_to_one_another(studio: Studio, project: ProjectRecord) -> None:
    open_at(studio, "rules", project, "bag")
    links = studio.component(f"_rule_automaton_{project.id}")["links"]
    assert links[0] == ["See automaton", f"automaton?project={project.id}&rule=bag"]
    studio.open("automaton")
    links = studio.component(f"_automaton_drawing_{project.id}")["links"]
    assert links[0] == ["Write rules", f"rules?project={project.id}&rule=bag"]
    studio.test.segmented_control(key=f"_machine_kind_{project.id}").set_value("Label").run()
    assert studio.component(f"_automaton_drawing_{project.id}")["links"] == []


@pytest.mark.parametrize("page", ["rules", "automaton"])
def test_a_rule_that_is_not_there_is_said_in_a_sentence(studio: Studio, project: ProjectRecord, page: str) -> None:
    open_at(studio, page, project, "<b>gone")
    assert "Rules v1 have no rule “&lt;b&gt;gone”. It was renamed or deleted" in studio.html


def test_a_rule_that_was_renamed_meanwhile_is_said_until_another_is_chosen(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    open_at(studio, "automaton", project, "lost")
    assert "has no rule" not in studio.html
    text = "[baggage]\nlost_bag := $* lost $*\nbag := $* bag $*"
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.test.run()
    assert "Rules v2 have no rule “lost”." in studio.html
    studio.test.selectbox(key=f"_machine_Rule_{project.id}").set_value("bag").run()
    assert "has no rule" not in studio.html


def test_the_rule_of_another_project_is_not_kept(studio: Studio, store: Store, project: ProjectRecord) -> None:
    open_at(studio, "rules", project, "lost")
    other = small_project(store, "Other")
    studio.open("projects")
    del studio.test.query_params["rule"]
    studio.open("rules", project=other.id)
    assert draft_of(studio, other).rule is None


@pytest.mark.parametrize("make", [small_project, annotated_project])
def test_rules_of_explanations_are_links(studio: Studio, store: Store, make: Callable[[Store], ProjectRecord]) -> None:
    made = make(store)
    studio.open("predict", project=made.id)
    studio.test.segmented_control(key="predict_way").set_value("project").run()
    studio.test.toggle(key="predict_explain").set_value(True).run()
    studio.checked()
    on_predict = LINK.findall(studio.html)
    assert on_predict
    assert all(address == f"rules?project={made.id}&amp;rule={name}" for address, name in on_predict)


def test_rules_behind_a_text_to_label_are_links(studio: Studio, store: Store) -> None:
    studio.open("label", project=annotated_project(store).id)
    assert LINK.findall(studio.html)
