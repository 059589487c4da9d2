"""Write rules: a rule is renamed wherever it stands, and words are found and replaced."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.text.corpus import Corpus


def test_a_rule_is_renamed(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    which = studio.test.selectbox(key="rules_rename_which")
    old = which.options[0]
    which.select_index(0).run()
    studio.test.text_input(key="rules_rename_new").input("renamed").run()
    studio.test.button(key="rules_rename_do").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "renamed := " in draft.rules_text
    assert f"{old} := " not in draft.rules_text


def test_whole_words_of_rules_are_shown_stepped_through_and_replaced(studio: Studio, project: ProjectRecord) -> None:
    """A part of a word, or the name of a label, is not touched."""
    studio.open("rules", project=project.id)
    before = studio.test.session_state[f"_draft_{project.id}"].rules_text
    assert "lost := $* lost $*" in before
    studio.test.text_input(key="rules_find").input("los").run()
    assert studio.test.button(key="rules_replace_do").disabled
    assert "No rule has these words." in studio.html
    studio.test.text_input(key="rules_find").input("lost").run()
    studio.test.text_input(key="rules_replace").input("gone").run()
    assert 'lost := $* <mark class="re2-hit">lost</mark> $*' in studio.html
    assert studio.test.button(key="rules_replace_do").label == "Replace 1 place"
    studio.test.button(key="rules_find_next").click().run()
    line = studio.test.session_state[f"_draft_{project.id}"].reveal_line
    assert before.split("\n")[line - 1] == "lost := $* lost $*"
    studio.test.button(key="rules_replace_do").click().run()
    studio.checked()
    after = studio.test.session_state[f"_draft_{project.id}"].rules_text
    assert after == before.replace("$* lost $*", "$* gone $*")


def test_single_places_are_replaced_one_by_one(studio: Studio, store: Store) -> None:
    """All places of a word were replaced, or none."""
    rules = "[a]\none := $* card $* card\ntwo := card\nthree := card $*\n"
    project = create_project(store, name="p", examples=Corpus(()), rules_text=rules, logic_text="", author="ann")
    studio.open("rules", project=project.id)

    def draft() -> Draft:
        return studio.test.session_state[f"_draft_{project.id}"]

    studio.test.text_input(key="rules_find").input("card").run()
    studio.test.text_input(key="rules_replace").input("loan").run()
    studio.test.button(key="rules_find_next").click().run()  # behind line 2, which the editor shows
    assert studio.test.button(key="rules_replace_one").label == "Replace in line 3"
    studio.test.button(key="rules_replace_one").click().run()
    studio.checked()
    assert draft().rules_text == rules.replace("two := card", "two := loan")
    assert studio.test.button(key="rules_replace_one").label == "Replace in line 4", "the next one is shown"
    studio.test.text_input(key="rules_replace").input("new card").run()
    studio.test.button(key="rules_replace_one").click().run()
    studio.test.button(key="rules_replace_one").click().run()
    studio.checked()
    assert draft().rules_text == "[a]\none := $* new card $* card\ntwo := loan\nthree := new card $*\n"


def test_a_name_that_is_taken_is_reported_once(studio: Studio, project: ProjectRecord) -> None:
    """Where the next one works, nothing is said of the one before."""
    studio.open("rules", project=project.id)
    which = studio.test.selectbox(key="rules_rename_which")
    which.select_index(0).run()
    studio.test.text_input(key="rules_rename_new").input(which.options[1].strip("@")).run()
    studio.test.button(key="rules_rename_do").click().run()
    assert [toast for toast in studio.test.toast if "is taken" in toast.value]
    assert not studio.test.error
    studio.test.text_input(key="rules_rename_new").input("another").run()
    studio.test.button(key="rules_rename_do").click().run()
    studio.checked()
    assert not [toast for toast in studio.test.toast if "is taken" in toast.value]
