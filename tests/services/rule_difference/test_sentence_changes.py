"""Sentences of two versions side by side: came, went, asked for the other, turned out otherwise."""

from __future__ import annotations

from re2nn_core.rules.sentences import read_sentences
from re2nn_core.services.rule_difference.sentence_changes import (
    SentenceChange,
    SentenceMark,
    counted_changes,
    sentence_changes,
)
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.rule_writing.rule_sentences import System
from re2nn_core.text.tokenization import Tokenization

BEFORE = "[a]\ncost := $* ( fare | cost ) $*\nold := x\n"
AFTER = "[a]\ncost := $* ( fare | price ) $*\n"
HELD = '[cost]\nmust = ["the cost", "a fare", "gone"]\nmust_not = ["hello", "a price"]\n[old]\nmust = ["x"]\n'
HOLDS = '[cost]\nmust = ["the cost", "a fare", "a price"]\nmust_not = ["hello", "new"]\n[old]\nmust = ["x"]\n'


def system(text: str) -> System:
    return read_system(text, "", Tokenization())[0]


def changed(before: str = HELD, after: str = HOLDS) -> dict[str, SentenceChange]:
    found = sentence_changes((system(BEFORE), read_sentences(before)), (system(AFTER), read_sentences(after)))
    return {change.sentence: change for change in found}


def test_each_sentence_says_what_became_of_it() -> None:
    assert {sentence: change.mark for sentence, change in changed().items()} == {
        "the cost": SentenceMark.TURNED,
        "a fare": SentenceMark.SAME,
        "gone": SentenceMark.WENT,
        "hello": SentenceMark.SAME,
        "a price": SentenceMark.ASKS,
        "new": SentenceMark.CAME,
        "x": SentenceMark.TURNED,
    }
    assert list(changed())[-2:] == ["a fare", "hello"]


def test_both_outcomes_are_told_in_words() -> None:
    found = changed()
    cost, price, old = found["the cost"], found["a price"], found["x"]
    assert cost.before is not None
    assert cost.before.in_words == "must match: ✓ it does"
    assert cost.after is not None
    assert cost.after.in_words.startswith("must match: ✗ but refuses it; the nearest that it matches is ")
    assert (price.before and price.before.in_words, price.after and price.after.in_words) == (
        "must not match: ✓ it does",
        "must match: ✓ it does",
    )
    assert old.after is not None
    assert old.after.in_words == "must match: not checked, this version has no such rule"


def test_changes_are_counted() -> None:
    found = sentence_changes((system(BEFORE), read_sentences(HELD)), (system(AFTER), read_sentences(HOLDS)))
    assert counted_changes(found) == (
        "1 added, 1 removed, 1 opposite expectation, 2 different result, 2 unchanged; 1 fails now"
    )
    assert counted_changes(()) == "none; 0 fail now"


def test_marks_of_slots_are_outcomes_too() -> None:
    sentences = read_sentences('[r]\nmust = ["to [Oslo]<city>"]\n')
    systems = [
        read_slot_system(text, "", Tokenization())[0] for text in ("r := to [ $ ]<city>\n", "r := [ to ]<city> $\n")
    ]
    [change] = sentence_changes((systems[0], sentences), (systems[1], sentences))
    assert change.mark is SentenceMark.TURNED
    assert change.after is not None
    assert "matches “[to]<city> Oslo”" in change.after.in_words
