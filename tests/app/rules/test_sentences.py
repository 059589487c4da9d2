"""Write rules: the sentences of the chosen rule, the save that they stop, and the way back to older versions."""

from __future__ import annotations

from typing import Any

import pytest
from support.app.app_studio import RULES, Studio
from support.projects.span_samples import annotated_project

from re2nn_core.rules.sentences import RuleSentences, read_sentences
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, latest_version, save_version


@pytest.fixture(autouse=True)
def live_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the plain list only a click chooses a rule, and these tests cannot click there."""
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "0")


def draft_of(studio: Studio, project: ProjectRecord) -> Any:
    return studio.test.session_state[f"_draft_{project.id}"]


def put_focus(studio: Studio, project: ProjectRecord, rule: str | None, view: Any) -> None:
    key = f"_draft_{project.id}"
    studio.test.session_state[key] = focus(studio.test.session_state[key], rule=rule, view=view)


def look(studio: Studio, project: ProjectRecord, rule: str | None, view: str = "sentences") -> None:
    """Open the page at a view of a rule."""
    studio.open("rules", project=project.id)
    put_focus(studio, project, rule, view)
    studio.test.run()
    studio.checked()


def type_one(studio: Studio, project: ProjectRecord, kind: str, sentence: str, rule: str = "lost") -> None:
    studio.test.text_input(key=f"_sentence_{project.id}_{rule}_{kind}").input(sentence).run()
    studio.checked()


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def test_a_sentence_is_typed_judged_and_saved(studio: Studio, store: Store, project: ProjectRecord) -> None:
    look(studio, project, "lost")
    type_one(studio, project, "must", "I lost <b>it</b>")
    assert 'title="holds">✓</b> I lost &lt;b&gt;it&lt;/b&gt;</div>' in studio.html
    assert studio.test.text_input(key=f"_sentence_{project.id}_lost_must").value == ""
    views = studio.test.segmented_control(key=f"_rules_view_{project.id}").options
    assert not [title for title in views if title.startswith("Effect")], "the rules themselves are as they were"
    press(studio, "rules_save")
    assert read_sentences(latest_version(store, project.id).sentences_text) == (
        RuleSentences("lost", ("I lost <b>it</b>",)),
    )


def test_one_that_stands_there_already_is_told(studio: Studio, project: ProjectRecord) -> None:
    look(studio, project, "lost")
    type_one(studio, project, "must", "lost")
    type_one(studio, project, "must_not", "lost")
    assert "must match “lost” already" in studio.messages


def test_a_failing_sentence_stops_the_save_until_a_reason_is_given(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    look(studio, project, "lost")
    type_one(studio, project, "must", "it is gone")
    assert 'title="fails">✗</b> it is gone' in studio.html
    assert "Sentences ✗ 1/1" in str(studio.test.get("button_group")[0].proto)
    press(studio, "rules_save")
    said = "Rule &#x27;lost&#x27; must match “it is gone”, but refuses it; the nearest that it matches is"
    assert said in studio.html
    assert studio.test.button(key="rules_save_anyway").disabled
    assert latest_version(store, project.id).number == 1
    studio.test.text_input(key=f"_although_{project.id}_1").input("comes next week").run()
    press(studio, "rules_save_anyway")
    newest = latest_version(store, project.id)
    assert (newest.number, newest.message) == (2, "Saved although 1 sentence fails: comes next week")
    assert "Not saved." not in studio.html


def test_what_stopped_the_save_goes_with_the_next_edit(studio: Studio, project: ProjectRecord) -> None:
    look(studio, project, "lost")
    type_one(studio, project, "must", "it is gone")
    press(studio, "rules_save")
    assert "Not saved." in studio.html
    press(studio, f"_drop_{project.id}_lost_must_0")
    assert "Not saved." not in studio.html
    assert not draft_of(studio, project).dirty


def test_a_suggestion_and_a_hit_become_sentences_by_a_click(studio: Studio, project: ProjectRecord) -> None:
    look(studio, project, "bag")
    press(studio, f"_suggested_{project.id}_bag_must_0")
    assert read_sentences(draft_of(studio, project).sentences_text) == (RuleSentences("bag", ("bag",)),)
    look(studio, project, "bag", "matches")
    press(studio, f"_keep_{project.id}_must_0")
    look(studio, project, "bag", "missed")
    press(studio, f"_keep_{project.id}_must_0")
    [own] = read_sentences(draft_of(studio, project).sentences_text)
    assert own.must == ("bag", "my bag is lost", "where is my suitcase")


def test_a_wrong_hit_becomes_one_that_must_not_match(studio: Studio, project: ProjectRecord) -> None:
    look(studio, project, "lost", "wrong")
    press(studio, f"_keep_{project.id}_must_not_0")
    assert read_sentences(draft_of(studio, project).sentences_text) == (RuleSentences("lost", (), ("lost in paris",)),)


def with_sentences(store: Store, project: ProjectRecord, text: str) -> None:
    newest = latest_version(store, project.id)
    save_version(
        store,
        project.id,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        sentences_text=text,
        author="Ann",
        expected_number=None,
    )


def test_sentences_of_a_rule_that_is_gone_are_told_and_given_away(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    with_sentences(store, project, '[mislaid]\nmust = ["it is lost"]\n')
    look(studio, project, "lost")
    assert "1 sentence belongs to the rule &#x27;mislaid&#x27;, which does not exist" in studio.html
    press(studio, f"_give_{project.id}_0")
    assert "mislaid" not in studio.html
    assert read_sentences(draft_of(studio, project).sentences_text) == (RuleSentences("lost", ("it is lost",)),)
    press(studio, "rules_discard")
    assert "mislaid" in studio.html
    press(studio, f"_forget_{project.id}_0")
    assert draft_of(studio, project).sentences_text == ""


def test_without_a_rule_the_view_tells_what_fails(studio: Studio, store: Store, project: ProjectRecord) -> None:
    with_sentences(store, project, '[lost]\nmust = ["lost"]\n[bag]\nmust_not = ["my bag"]\n')
    look(studio, project, None)
    assert "1 of 2 sentences pass." in studio.html
    assert "Rule &#x27;bag&#x27; must not match “my bag”, but matches it, by &#x27;bag&#x27;." in studio.html


def test_slots_keep_their_marks(studio: Studio, store: Store) -> None:
    project = annotated_project(store)
    studio.open("rules", project=project.id)
    put_focus(studio, project, "from_to", "matches")
    studio.test.run()
    press(studio, f"_keep_{project.id}_must_0")
    [own] = read_sentences(draft_of(studio, project).sentences_text)
    assert own.must[0].count("]<") == 2
    put_focus(studio, project, "from_to", "sentences")
    studio.test.run()
    studio.checked()
    assert 'title="holds">✓</b>' in studio.html


def test_the_history_tells_who_when_and_how_good(studio: Studio, store: Store, project: ProjectRecord) -> None:
    newest = latest_version(store, project.id)
    save_version(
        store,
        project.id,
        rules_text=RULES.replace("lost $*", "stolen $*"),
        logic_text=newest.logic_text,
        author="Bob <i>",
        message="a try",
        expected_number=1,
    )
    studio.open("rules", project=project.id)
    press(studio, "rules_history")
    assert "<b>v2</b> a try" in studio.html
    assert "Bob &lt;i&gt;" in studio.html
    assert "% covered" in studio.html
    assert not studio.test.button(key="return_to_1").disabled


def test_unsaved_edits_are_not_thrown_away_by_a_return(studio: Studio, store: Store, project: ProjectRecord) -> None:
    with_sentences(store, project, "")
    look(studio, project, "lost")
    type_one(studio, project, "must", "lost")
    press(studio, "rules_history")
    assert studio.test.button(key="return_to_1").disabled
    assert "You have unsaved edits." in studio.test.info[0].value


def test_saving_on_top_of_somebody_else_is_stopped_as_well(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    look(studio, project, "lost")
    type_one(studio, project, "must", "it is gone")
    with_sentences(store, project, "")
    press(studio, "rules_save")
    assert "Not saved." in studio.html, "sentences are looked at before versions"
    studio.test.text_input(key=f"_although_{project.id}_1").input("later").run()
    press(studio, "rules_save_anyway")
    assert "Ann saved rules v2" in studio.messages
    press(studio, "conflict_overwrite")
    assert "Not saved." not in studio.html, "the reason was given for these sentences already"
    newest = latest_version(store, project.id)
    assert (newest.number, newest.message) == (3, "Saved although 1 sentence fails: later")


def test_a_reason_is_asked_for_again_where_another_sentence_fails(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    """The version that was saved meanwhile brings a sentence that fails with the edit."""
    look(studio, project, "lost")
    type_one(studio, project, "must", "it is gone")
    with_sentences(store, project, '[bag]\nmust = ["nothing of the kind"]\n')
    press(studio, "rules_save")
    studio.test.text_input(key=f"_although_{project.id}_1").input("later").run()
    press(studio, "rules_save_anyway")
    press(studio, "conflict_merge")
    assert "Not saved." in studio.html
    assert "nothing of the kind" in studio.html
    assert latest_version(store, project.id).number == 2


@pytest.mark.parametrize(("place", "text", "kind"), [(0, "to rome", "must"), (3, "bags to rome", "must_not")])
def test_a_match_of_another_label_is_offered_as_what_must_not_match(
    studio: Studio, project: ProjectRecord, place: int, text: str, kind: str
) -> None:
    look(studio, project, "to_place", "matches")
    assert "Missed by label 1" in studio.test.segmented_control(key=f"_rules_view_{project.id}").options
    keep = studio.test.button(key=f"_keep_{project.id}_{kind}_{place}")
    assert ("must not match" in keep.help) == (kind == "must_not")
    keep.click().run()
    studio.checked()
    kept = studio.test.session_state[f"_draft_{project.id}"].sentences_text
    assert text in kept.partition(f"\n{kind} = [")[2]
