"""Write rules: proposals are shown with what they fix and break, and are accepted into the editor."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.text.corpus import Corpus, Example

TEXTS = (
    *((f"how much is {city}", "fare") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"the seat price to {city}", "seat") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"good {what}", "other") for what in ("morning", "evening", "bye", "one", "idea")),
)


def _project(store: Store, rules: str = "[fare]\n$* price $*\n\n[seat]\n$* seat $*\n") -> ProjectRecord:
    return create_project(
        store,
        name="Fares",
        examples=Corpus(tuple(Example(text, label) for text, label in TEXTS)),
        rules_text=rules,
        logic_text="",
        author="tester",
    )


def _proposals(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.button(key="rules_propose").click().run()
    studio.checked()


def test_a_rule_a_priority_and_a_default_label_are_accepted(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    for shown in ("much := $* much $*", "6 of 6 matches correct", "Priority:", "Default label:"):
        assert shown in studio.html
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "much := $* much $*" in draft.rules_text
    assert "much :=" not in studio.html, "what is accepted is not proposed any more"
    studio.test.button(key="rules_accept_2").click().run()  # after the rule for "other"
    studio.checked()
    assert "seat > fare" in studio.test.session_state[f"_draft_{project.id}"].logic_text


def test_an_edit_with_an_error_asks_for_it_to_be_mended(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    draft = studio.test.session_state[f"_draft_{project.id}"]
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}")
    area.input(area.value.replace("$* price $*", "$* ( price $*")).run()
    studio.checked()
    assert "Rules are proposed once these have no errors." in studio.html


def test_where_no_phrase_holds_the_page_says_what_to_do(studio: Studio, project: ProjectRecord) -> None:
    _proposals(studio, project)
    assert "Nothing to propose." in studio.html
    assert "Label more texts" in studio.html
