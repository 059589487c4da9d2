"""Learned edits of rules for slots offered one by one: what they do to spans, and how one is taken over."""

from __future__ import annotations

import pytest
from support.projects.finished_tagger_run import RULES, slot_corpus

from re2nn_core.errors import InputError
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_review.classification.learned_edits import Offers, accept_edit
from re2nn_core.services.rule_review.slot_filling.learned_edits import offered_slot_edits
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots, slot_effect
from re2nn_core.text.tokenization import Tokenization

LEARNED = """\
to := $* to [ $ ]<to_city> $*
from_to := $* from [ boston | oslo | paris | rome | cairo ]<from_city> to [ $ ]<to_city> $*
day := $* on [ monday | friday ]<day> $*
"""


def analysis(rules: str = RULES) -> SlotAnalysis:
    corpus = slot_corpus()
    bench = SlotBench(corpus.texts, Tokenization())
    return analyse_slots(bench, [example.spans for example in corpus], rules, "")


def offers(name: str, rules: str = RULES, learned: str = LEARNED) -> Offers:
    splits = [example.split for example in slot_corpus()]
    return offered_slot_edits(analysis(rules), read_rules(learned, lowercase=True).ruleset, name, splits)


def reported(found: Offers) -> list[tuple[str, int, int, int]]:
    return [(edit.in_words, len(edit.won), len(edit.lost), edit.right) for edit in found.edits]


def test_an_edit_is_offered_with_the_spans_it_sets_right() -> None:
    [edit] = reported(offers("to"))
    # Four cities of eight are unknown; each is in three frames, on two days, to which it is a destination. Of the
    # four two are train, one is dev and one is test; "from X to Y" goes to another one.
    assert edit[0] == "at @city@, match any word"
    assert (edit[1] > edit[3] > 0, edit[2]) == (True, 0)


def test_what_is_offered_is_what_the_rules_then_do() -> None:
    """The quick count is the slow one: all rules read anew on all texts."""
    before, corpus = analysis(), slot_corpus()
    for name in ("to", "from_to", "day"):
        for edit in offers(name).edits:
            accepted = accept_edit(edit, rules_text=RULES, logic_text="", lowercase=True)
            now = analysis(accepted.rules_text)
            moved = slot_effect(now, before)
            assert (tuple(moved.fixed), tuple(moved.broken)) == (edit.won, edit.lost), edit.in_words
            chosen = [text for text, example in enumerate(corpus) if example.split != "test"]
            wrong = [
                sum(len(set(one.predictions[text]) ^ set(one.gold[text] or ())) for text in chosen)
                for one in (before, now)
            ]
            assert wrong[0] - wrong[1] == edit.right
            assert edit.predictions == sum(
                set(one) != set(other) for one, other in zip(before.predictions, now.predictions, strict=True)
            )


def test_a_word_that_is_captured_no_more() -> None:
    [edit] = offers("day").edits
    assert edit.in_words == "at monday | friday | foot, no longer match foot"
    assert (len(edit.won), edit.lost) == (16, ())
    accepted = accept_edit(edit, rules_text=RULES, logic_text="", lowercase=True)
    line = 'day := $* on [ monday | friday ]<day> $*     // "on foot" is no day'
    assert accepted.rules_text.splitlines()[-1] == line


def test_a_bare_word_fills_a_slot_and_then_words_follow_one_by_one() -> None:
    rules = RULES.replace("to $*\nday", "to @city@ $*\nday")
    # Another rule fills the slot already, so that no prediction changes by it.
    [captured] = offers("from_to", rules).without_effect
    assert captured.in_words == "@city@ fills the slot to_city"
    assert captured.text == "$* from [ @city@ ]<from_city> to [ @city@ ]<to_city> $*"
    after = accept_edit(captured, rules_text=rules, logic_text="", lowercase=True)
    then = offers("from_to", after.rules_text)
    words = [edit.in_words for edit in (*then.edits, *then.without_effect)]
    # Before, "from cairo" would have let in a second city without a tag, which is not learned.
    assert "at @city@, also match cairo" in words
    assert "at @city@, match any word" in words


def test_a_slot_that_is_filled_no_more() -> None:
    rules = RULES.replace("to := $* to [ @city@ ]", "to := $* [ to ]<day> [ @city@ ]")
    found = offers("to", rules)
    released = next(edit for edit in found.edits if edit.kind == "release")
    assert released.in_words == "to fills the slot day no more"
    assert released.text == "$* to [ @city@ ]<to_city> $*"


def test_tags_are_edited_as_they_are_written() -> None:
    rules = "to := $<:>OO* to oslo<:>to_city $<:>OO*\n"
    learned = "to := $<:>OO* to ( oslo | rome )<:>to_city $<:>OO*\n"
    [edit] = offers("to", rules, learned).edits
    assert edit.text == "$<:>OO* to ( oslo | rome )<:>to_city $<:>OO*"
    assert accept_edit(edit, rules_text=rules, logic_text="", lowercase=True).rules_text == f"to := {edit.text}\n"


def test_a_rule_that_has_gone_is_named() -> None:
    with pytest.raises(InputError, match="There is no rule gone in the newest version"):
        offers("gone")


def test_a_learned_class_of_many_words_comes_by_its_name() -> None:
    """As 26 words in a row, of which two follow each other, it made the rule unreadable."""
    cities = ["cairo", "lisbon", "new york", "quito", *map(chr, range(97, 119))]
    extended = f"@city.cairo_26@=( {' | '.join(cities)} )    // 26 phrases\n"
    learned = RULES.replace("\nto :=", f"\n{extended}to :=").replace(
        "[ @city@ ]<to_city>", "[ @city@ | @city.cairo_26@ ]<to_city>"
    )
    best, *others = offers("to", learned=learned).edits
    assert best.in_short == "at @city@, also match @city.cairo_26@: cairo, lisbon and 24 more"
    assert best.right == sum(one.right for one in others) > 0
    assert all(len(one.words) == 1 for one in others)
    accepted = accept_edit(best, rules_text=RULES, logic_text="", lowercase=True).rules_text
    assert extended in accepted.replace(" \\\n    ", " ")
    assert "to := $* to [ @city@ | @city.cairo_26@ ]<to_city> $*\n" in accepted
    now = analysis(accepted)
    moved = slot_effect(now, analysis())
    assert (tuple(moved.fixed), tuple(moved.broken)) == (best.won, best.lost)
    assert not offers("to", rules=accepted, learned=learned).edits
