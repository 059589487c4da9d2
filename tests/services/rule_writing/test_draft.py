"""The edit of rules in hand: begun, written on, followed, saved, discarded; what of it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.word_lists.content import with_content
from re2nn_core.services.rule_writing.draft import (
    Draft,
    begin_draft,
    caret_at,
    choose_view,
    discard,
    focus,
    follow,
    follow_caret,
    mark_saved,
    put_texts,
    resume,
    reveal,
    switch_rule,
    unchanged_lines,
)
from re2nn_core.services.rule_writing.editor_texts import EditorTexts, in_editors, put, received
from re2nn_core.store import RuleVersion

RULES = "[bag]\nlost := $* lost $*\nbag := $* bag $*\n"


@dataclass(frozen=True)
class Sent:
    text: str
    sequence: int


def version(number: int, rules: str = RULES) -> RuleVersion:
    return RuleVersion(number, 7, number, rules, 'default = "x"', "somebody", "", datetime.now(UTC), "sentences")


def begun() -> Draft:
    return begin_draft(version(1), 3, plain=True)


def test_a_new_draft_has_the_texts_of_its_version_and_no_edits() -> None:
    draft = begun()
    assert (draft.base, draft.newest, draft.project_id) == (1, 3, 7)
    assert draft.texts == draft.saved == (RULES, 'default = "x"', "sentences")
    assert not draft.dirty
    assert not draft.predictions_otherwise


def test_sentences_alone_are_something_to_save_and_change_no_prediction() -> None:
    draft = replace(begun(), sentences_text="others")
    assert draft.dirty
    assert not draft.predictions_otherwise


def test_a_draft_follows_the_chosen_version_until_it_has_edits() -> None:
    clean, edited = begun(), put_texts(begun(), "[x]\n", "")
    other = version(2, "[other]\n")
    followed = follow(clean, other, 4)
    assert (followed.base, followed.newest, followed.rules_text) == (2, 4, "[other]\n")
    assert followed.editors.revision == clean.editors.revision + 1, "the editors show it"
    assert follow(clean, version(1), 4) is clean
    assert follow(edited, other, 4) is edited


def test_discarding_brings_all_saved_texts_back_under_a_new_revision() -> None:
    edited = replace(put_texts(begun(), "[x]\n", ""), sentences_text="others")
    back = discard(edited)
    assert back.texts == back.saved
    assert back.editors.revision == edited.editors.revision + 1


def test_a_saved_draft_keeps_what_its_editors_show() -> None:
    edited = put_texts(begun(), "[x]\n", 'default = "x"')
    kept = mark_saved(edited, version(4, "[x]\n"))
    assert not kept.dirty
    assert (kept.base, kept.newest) == (4, 4)
    assert kept.editors == edited.editors


def test_editors_of_another_kind_begin_with_the_texts() -> None:
    texts = received(EditorTexts("a", "b", plain=True), Sent("new", 5), None)
    assert (texts.both, texts.rules_sequence, texts.logic_sequence) == (("new", "b"), 5, 0)
    assert in_editors(texts, plain=True) is texts
    assert in_editors(texts, plain=False) == EditorTexts("new", "b", 1)
    assert put(texts, "x", "y") == EditorTexts("x", "y", 1, plain=True)


def test_looking_at_a_rule_keeps_the_view_unless_another_is_asked_for() -> None:
    draft = replace(choose_view(begun(), "wrong"), shown=75)
    assert (focus(draft, rule="lost").view, focus(draft, rule="lost").shown) == ("wrong", 25)
    assert focus(draft, label="bag", view="missed").view == "missed"
    assert focus(focus(draft, rule="lost")).rule is None
    assert reveal(reveal(draft, 3), 2).reveal_nonce == 2


def test_a_rule_is_switched_off_and_on_again() -> None:
    off = switch_rule(begun(), 2, on=False)
    assert off.dirty
    assert "lost" not in {rule.name for rule in read_rules(off.rules_text).ruleset.rules}
    assert switch_rule(off, 2, on=True).rules_text == RULES


def test_the_rule_that_the_caret_comes_to_is_looked_at() -> None:
    draft, ruleset = caret_at(focus(begun(), rule="case"), 3), read_rules(RULES).ruleset
    assert follow_caret(draft, RULES, 2, ruleset, stale=False).rule == "lost"
    stayed = follow_caret(draft, RULES, 3, ruleset, stale=False)
    assert (stayed.rule, stayed.caret_rule) == ("case", "bag"), "it has not moved"
    assert follow_caret(draft, RULES, 1, ruleset, stale=False).rule == "case", "a header is no rule"


def test_a_new_line_shows_the_rule_before_it_until_it_holds_one() -> None:
    draft = follow_caret(begun(), RULES, 2, read_rules(RULES).ruleset, stale=False)
    new, ruleset = RULES.replace("bag :=", "\nbag :="), read_rules(RULES).ruleset
    draft = follow_caret(draft, new, 3, ruleset, stale=True)
    assert draft.rule == "lost", "bag stood in this line when the rules were last read"
    draft = follow_caret(draft, new, 3, read_rules(new).ruleset, stale=False)
    assert draft.rule == "lost"
    begun_rule = RULES.replace("bag :=", "gone := $* ( gone\nbag :=")
    draft = follow_caret(draft, begun_rule, 3, read_rules(new).ruleset, stale=True)
    assert draft.rule == "lost"
    written = RULES.replace("bag :=", "gone := $* gone $*\nbag :=")
    draft = follow_caret(draft, written, 3, read_rules(written).ruleset, stale=False)
    assert draft.rule == "gone"


def test_a_rule_that_is_renamed_stays_looked_at() -> None:
    draft = follow_caret(begun(), RULES, 2, read_rules(RULES).ruleset, stale=False)
    renamed = RULES.replace("lost :=", "missing :=")
    assert follow_caret(draft, renamed, 2, read_rules(renamed).ruleset, stale=False).rule == "missing"


def test_a_rule_chosen_in_the_list_stays_while_the_caret_does() -> None:
    ruleset = read_rules(RULES).ruleset
    draft = follow_caret(begun(), RULES, 2, ruleset, stale=False)
    draft = follow_caret(focus(draft, rule="bag"), RULES, 2, ruleset, stale=False)
    assert draft.rule == "bag"


def test_a_line_that_was_read_before_may_have_changed() -> None:
    draft = put_texts(begun(), RULES.replace("$* bag", "$* sack"), "")
    assert 2 in unchanged_lines(draft, RULES)
    assert 3 not in unchanged_lines(draft, RULES)


OLD, EDITED = version(2), RULES + "kids := $* child $*\n"


def test_an_edit_that_a_browser_kept_goes_on_from_its_version() -> None:
    draft = begin_draft(version(4, "[newest]\nx := x\n"), 4, plain=True)
    rules = resume(draft, OLD, EDITED, None)
    assert rules is not None
    assert (rules.base, rules.newest, rules.texts) == (2, 2, (EDITED, 'default = "x"', "sentences"))
    both = resume(rules, OLD, None, 'default = "y"')  # the second editor tells it a moment later
    assert both is not None
    assert both.texts == (EDITED, 'default = "y"', "sentences")
    logic = resume(draft, OLD, RULES, 'default = "y"')
    assert logic is not None
    assert logic.texts[:2] == (RULES, 'default = "y"')


def test_what_a_browser_kept_is_left_where_it_holds_no_edit_or_there_is_another() -> None:
    draft = begin_draft(version(4, "[newest]\nx := x\n"), 4, plain=True)
    assert resume(draft, OLD, RULES, None) is None
    assert resume(draft, OLD, "[newest]\nx := x\n", 'default = "x"') is None
    assert resume(put_texts(draft, "[mine]\n", ""), OLD, EDITED, None) is None


def test_what_a_browser_kept_of_an_edit_that_was_saved_with_somebody_elses_does_not_come_back() -> None:
    theirs = "[late]\nlate := $* late $*\n"
    draft = begin_draft(version(4, EDITED + theirs), 4, plain=True)
    assert resume(draft, OLD, EDITED, None) is None
    assert resume(draft, OLD, EDITED + "[more]\nmore := more\n", None) is not None


LIST = '@city@ = file("cities.txt")\n[x]\n$* @city@ $*\n'


def test_word_lists_are_kept_through_edits_of_the_text_without_them() -> None:
    whole = with_content(LIST, lambda _: b"oslo\nnew york\n")
    draft = begin_draft(version(1, whole), 1, plain=True)
    assert draft.editors.shown_rules == LIST
    assert not draft.dirty
    removed = replace(draft, editors=received(draft.editors, Sent("[x]\n$* a $*\n", 1), None))
    assert removed.rules_text == "[x]\n$* a $*\n"
    back = replace(removed, editors=received(removed.editors, Sent(LIST, 2), None))
    assert back.rules_text == whole
    assert not back.dirty
    edited = received(draft.editors, Sent(f"{LIST}$* b $*\n", 1), None)
    assert edited.rules == f"{whole}$* b $*\n"
    assert put(edited, LIST, "").rules == whole
    resumed = resume(begin_draft(version(2, whole), 2, plain=True), version(1, whole), f"{LIST}$* c $*\n", None)
    assert resumed is not None
    assert resumed.rules_text == f"{whole}$* c $*\n"
