"""Write rules: figures, faults, effect of an edit, saving, conflicts; in the plain editor, which AppTest can drive."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio

from re2nn_core.errors import DataFileError
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, latest_version, save_version


def edit(studio: Studio, project: ProjectRecord, old: str, new: str) -> None:
    draft = studio.test.session_state[f"_draft_{project.id}"]
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}")
    assert old in area.value
    area.input(area.value.replace(old, new)).run()
    studio.checked()


def save(studio: Studio) -> None:
    studio.test.button(key="rules_save").click().run()
    studio.checked()


def titles(studio: Studio, project: ProjectRecord) -> list[str]:
    return list(studio.test.segmented_control(key=f"_rules_view_{project.id}").options)


def show_effect(studio: Studio, project: ProjectRecord) -> None:
    studio.test.segmented_control(key=f"_rules_view_{project.id}").set_value("effect").run()
    studio.checked()


def test_without_a_project_the_page_says_where_to_find_one(studio: Studio) -> None:
    studio.open("rules")
    assert "No project is open." in studio.html


def test_a_project_that_is_gone_says_so(studio: Studio) -> None:
    studio.open("rules", project=77)
    assert "The project no longer exists." in studio.html


def test_figures_and_marked_words_are_there_at_once(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    assert "correct of all 7 labelled" in studio.html
    assert 'class="re2-hit"' in studio.html
    assert studio.test.button(key="rules_save").disabled


def test_an_edit_shows_its_effect_and_can_be_saved(studio: Studio, store: Store, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* ( lost | suitcase ) $*")
    assert "Effect :green[▲ 1] :red[▼ 0]" in titles(studio, project), "seen while somebody types"
    show_effect(studio, project)
    assert "Effect of this edit" in studio.html
    assert "on all 8 texts, compared with rules v1" in studio.html
    save(studio)
    version = latest_version(store, project.id)
    assert version.number == 2
    assert "( lost | suitcase )" in version.rules_text
    assert version.author == "analyst"
    assert "Effect of this edit" not in studio.html
    assert "Matches 7" in titles(studio, project), "the view before it is back"
    assert not [toast for toast in studio.test.toast if "changes nothing" in toast.value]


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("none := $* nobody $*", "'none' matches none of 8 texts: check its words."),
        (
            "more := $* lost $*",
            "'more' changes nothing: without it, the predictions in 8 texts are the same. Change or delete it.",
        ),
    ],
    ids=["no match", "other rules match its texts"],
)
def test_a_rule_that_changes_nothing_is_reported_when_it_is_saved(
    studio: Studio, project: ProjectRecord, rule: str, hint: str
) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", f"lost := $* lost $*\n{rule}")
    assert "Effect: none" in titles(studio, project)
    save(studio)
    assert hint in [toast.value.replace("\\", "") for toast in studio.test.toast]


def test_the_default_label_is_named_beside_the_share_that_rules_match(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    rules = latest_version(store, project.id).rules_text
    save_version(store, project.id, rules_text=rules, logic_text='default = "flight"', author="x", expected_number=1)
    studio.open("rules", project=project.id)
    assert "matched by a rule, else flight" in studio.html
    assert "get the default label flight." in studio.html


def test_a_rule_that_no_formula_names_is_reported_and_added_with_one_click(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    logic = 'priorities = ["baggage > flight"]\nlogic = ["bag & !fly -> baggage"]\n'
    rules = latest_version(store, project.id).rules_text.replace("lost := $* lost $*\n", "")
    save_version(store, project.id, rules_text=rules, logic_text=logic, author="tester", expected_number=1)
    studio.open("rules", project=project.id)
    assert "changes nothing" not in studio.html
    edit(studio, project, "bag := $* ( bag | bags ) $*", "bag := $* ( bag | bags ) $*\ncase := $* suitcase $*")
    reported = "'baggage' is decided by its formula (the tab Label logic, line 2), which does not name it."
    assert f"&#x27;case&#x27; changes nothing: {reported.replace(chr(39), '&#x27;')}" in studio.html
    save(studio)
    assert any("changes nothing" in toast.value for toast in studio.test.toast)
    studio.test.button(key="rules_name_unused_baggage").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert draft.logic_text == logic.replace("bag & !fly ->", "(bag | case) & !fly ->")
    assert "changes nothing" not in studio.html
    assert "Effect :green[▲ 1] :red[▼ 0]" in titles(studio, project)
    show_effect(studio, project)
    assert "Fixed 1" in " ".join(part.label for part in studio.test.expander)


def test_faults_are_shown_and_nothing_is_saved(studio: Studio, store: Store, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* ( lost $*")
    assert "is never closed" in studio.html
    assert "correct of all 7 labelled" in studio.html, "the figures of the last readable rules stay"
    assert studio.test.button(key="rules_save").disabled
    assert latest_version(store, project.id).number == 1


def test_faults_of_the_label_logic_name_their_place(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    draft = studio.test.session_state[f"_draft_{project.id}"]
    studio.test.text_area(key=f"_logic_editor_{project.id}_plain_{draft.editors.revision}").input(
        'priorities = ["a > b"]'
    ).run()
    studio.checked()
    assert "label logic, line 1" in studio.html


def test_edits_survive_another_page_and_are_announced(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* stolen $*")
    studio.test.switch_page("pages/projects.py").run()
    studio.checked()
    links = [link.proto.label for link in studio.test.get("page_link")]
    assert "Unsaved edits" in links
    studio.test.switch_page("pages/rules.py").run()
    assert studio.test.session_state[f"_draft_{project.id}"].dirty
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "stolen" in studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}").value


def test_discarding_brings_the_saved_rules_back(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* stolen $*")
    studio.test.button(key="rules_discard").click().run()
    studio.checked()
    assert not studio.test.session_state[f"_draft_{project.id}"].dirty


def conflict(
    studio: Studio, store: Store, project: ProjectRecord, old: str, new: str, author: str = "other", said: str = "other"
) -> str:
    """`author` saves version 2 with a text replaced, while `lost` is edited here; the rules of version 2."""
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* stolen $*")
    studio.test.text_input(key=f"_save_message_{project.id}_1").input("stolen ones").run()
    theirs = latest_version(store, project.id)
    rules = theirs.rules_text.replace(old, new)
    save_version(store, project.id, rules_text=rules, logic_text=theirs.logic_text, author=author, expected_number=1)
    save(studio)
    assert f"Not saved: {said} saved rules v2 after you opened rules v1" in studio.messages.replace("\\", "")
    assert latest_version(store, project.id).number == 2
    return rules


def test_rules_that_were_saved_by_accepting_a_change_are_by_you(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    """The page Compare saves a version while the edits of this window wait."""
    conflict(studio, store, project, "fly := $*", "fly := $+", author="analyst", said="you")


KIDS = "[baggage]\nkids := $* child $*\n"


def test_somebody_else_saved_first_and_both_are_merged(studio: Studio, store: Store, project: ProjectRecord) -> None:
    theirs = conflict(studio, store, project, "[baggage]\n", KIDS)
    assert "Rules v2 changed: <b>kids (added)</b>" in studio.html
    assert "You changed: <b>lost</b>" in studio.html
    studio.test.button(key="conflict_merge").click().run()
    studio.checked()
    newest = latest_version(store, project.id)
    assert newest.rules_text == theirs.replace("lost := $* lost $*", "lost := $* stolen $*")
    assert (newest.number, newest.message) == (3, "stolen ones")
    assert not studio.test.session_state[f"_draft_{project.id}"].dirty


@pytest.mark.parametrize(("side", "kept"), [("theirs", "gone"), ("mine", "stolen")])
def test_what_both_changed_is_shown_side_by_side_and_decided(
    studio: Studio, store: Store, project: ProjectRecord, side: str, kept: str
) -> None:
    theirs = conflict(studio, store, project, "lost := $* lost $*\n", "lost := $* gone $*\n// theirs\n")
    assert "Both edits changed lost" in studio.html
    assert "<pre>lost := $* gone $*</pre>" in studio.html
    assert "<pre>lost := $* stolen $*</pre>" in studio.html
    assert studio.test.button(key="conflict_merge").disabled
    studio.test.segmented_control(key=f"_merge_{project.id}_1_2_lost").set_value(side).run()
    studio.test.button(key="conflict_merge").click().run()
    studio.checked()
    assert latest_version(store, project.id).rules_text == theirs.replace("gone", kept)


def test_a_version_is_overwritten_only_by_a_button_that_says_so(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    conflict(studio, store, project, "[baggage]\n", KIDS)
    overwrite = studio.test.button(key="conflict_overwrite")
    assert overwrite.label == "Overwrite rules v2"
    assert "kids \\(added\\)" in overwrite.help
    [difference] = [code.value for code in studio.test.code if "rules v2" in code.value]
    assert "-kids := $* child $*" in difference
    assert "+lost := $* stolen $*" in difference
    overwrite.click().run()
    studio.checked()
    rules = latest_version(store, project.id).rules_text
    assert "kids" not in rules
    assert "stolen" in rules


def test_the_edit_is_discarded_for_the_newest_version(studio: Studio, store: Store, project: ProjectRecord) -> None:
    theirs = conflict(studio, store, project, "[baggage]\n", KIDS)
    studio.test.button(key="conflict_theirs").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert (draft.base, draft.rules_text, draft.dirty) == (2, theirs, False)
    assert latest_version(store, project.id).number == 2


def test_an_old_version_can_be_looked_at(studio: Studio, store: Store, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* stolen $*")
    save(studio)
    studio.test.selectbox(key=f"_bar_version_{project.id}_2_2").set_value(1).run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert (draft.base, draft.newest) == (1, 2)
    assert "stolen" not in draft.rules_text


def test_a_view_without_texts_says_what_to_do(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := nobody says this")
    key = f"_draft_{project.id}"
    studio.test.session_state[key] = focus(studio.test.session_state[key], rule="lost", view="matches")
    studio.test.run()
    studio.checked()


def test_a_click_on_a_view_shows_it(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.segmented_control(key=f"_rules_view_{project.id}").set_value("missed").run()
    studio.checked()
    assert studio.test.session_state[f"_draft_{project.id}"].view == "missed"
    assert "where is my suitcase" in studio.html


def test_a_failing_service_is_a_message(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DataFileError("The database is gone. Bring it back.")

    monkeypatch.setattr("pages._rules.analysis._analysis", fail)
    studio.open("rules", project=project.id)
    assert "The database is gone" in studio.messages


def test_the_live_editor_and_the_list_are_drawn(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "0")
    studio.open("rules", project=project.id)
    drawn = [part.key for part in studio.test.get("bidi_component")]
    assert sum(not key.startswith("_script_") for key in drawn) == 4  # with the automaton of the first rule


def test_figures_of_all_rules_and_of_one_add_up(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    assert "5 correct + 1 incorrect = 6 matches, after label logic" in studio.html
    view = studio.test.segmented_control(key=f"_rules_view_{project.id}")
    view.set_value("missed").run()
    assert "0 correct + 1 missed + 1 unlabelled = 2 without a match, after label logic" in studio.html
    key = f"_draft_{project.id}"
    for matches, chosen, total in (
        (4, {"rule": "to_place"}, "3 correct + 1 incorrect, before label logic"),
        (3, {"label": "baggage"}, "2 correct + 1 incorrect, before label logic"),
    ):
        studio.test.session_state[key] = focus(studio.test.session_state[key], **chosen)
        studio.test.run()
        studio.checked()
        assert total in studio.html
        assert {f"Matches {matches}", "Incorrect matches 1"} <= set(titles(studio, project))


def test_a_conflict_says_who_won_and_marks_both_sides(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    view = studio.test.segmented_control(key=f"_rules_view_{project.id}")
    assert "Conflicts 0" in view.options  # the priority of the project decides
    draft = studio.test.session_state[f"_draft_{project.id}"]
    studio.test.text_area(key=f"_logic_editor_{project.id}_plain_{draft.editors.revision}").input("").run()
    view = studio.test.segmented_control(key=f"_rules_view_{project.id}")
    assert "Conflicts 1" in view.options
    view.set_value("conflicts").run()
    studio.checked()
    [row] = [part for part in studio.html.split('<div class="re2-text"') if "wins by the order of labels" in part]
    assert row.index(">flight</span>") < row.index("wins by the order of labels over") < row.index(">baggage</span>")
    marks = [part for part in row.split("<mark") if 'class="re2-hit"' in part]
    assert len({part.partition("--chip:")[2][:7] for part in marks}) == 2
    assert ">bags</mark>" in row
    assert ">rome</mark>" in row


def test_a_rule_too_large_to_draw_says_where_it_can_be_seen(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    text = "[a]\nmany := " + " ".join(f"w{place}?" for place in range(40))
    save_version(store, project.id, rules_text=text, logic_text="", author="x", expected_number=1)
    studio.open("rules", project=project.id)
    key = f"_draft_{project.id}"
    studio.test.session_state[key] = focus(studio.test.session_state[key], rule="many")
    studio.test.run()
    [info] = [found.value.replace("\\", "") for found in studio.test.info]
    assert info.startswith("Too large to draw here: automaton with 41 states and 820 transitions.")
    assert info.endswith("on the page See automaton.")


def test_discarded_edits_can_be_restored(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    edit(studio, project, "lost := $* lost $*", "lost := $* gone $*")
    studio.test.button(key="rules_discard").click().run()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert not draft.dirty
    studio.test.button(key="rules_restore").click().run()
    studio.checked()
    assert "lost := $* gone $*" in studio.test.session_state[f"_draft_{project.id}"].rules_text
    assert not [button for button in studio.test.button if button.key == "rules_restore"]
