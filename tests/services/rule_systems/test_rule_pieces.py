"""Kinds of words (`$`, `%`, `&`) in a rule and in its word classes: told where they came or went, and nowhere else."""

from __future__ import annotations

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.services.rule_reconstruction.classification.rule_changes import WordChange, word_change
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.rule_systems.rule_pieces import Piece

SIGN, NUMBER, WORD = "a punctuation token", "a number", "any word"
# What stands before the last word of a rule, written and read back; what went and came, told in words.
CASES = [
    ("( on | & )", "( & | on )", (), ()),
    ("( on | this | & )", "@c@=( & | at | on | this )", (), ("at",)),
    ("( on | % )", "@c@=( % | at | on )", (), ("at",)),
    ("( on | % | & )", "@c@=( % | & | at | on )", (), ("at",)),
    ("@c@=( & | % | on )", "@c@=( & | % | on | in )", (), ("in",)),
    ("( on | & )", "@c@=( on | in )", (SIGN,), ("in",)),
    ("( on | % )", "@c@=( on | in )", (NUMBER,), ("in",)),
    ("( on | % | & )", "@c@=( on | in )", (NUMBER, SIGN), ("in",)),
    ("@c@=( on | & | % )", "@c@=( on | & )", (NUMBER,), ()),
    ("@c@=( on | in )", "( % | on )", ("in",), (NUMBER,)),
    ('( on | "&" )', '@c@=( "&" | on )', (), ()),
    ('( on | "&" )', "@c@=( & | on )", ("&",), (SIGN,)),  # the very sign is no kind of words
    ("$", "( on | & )", (WORD,), ("on", SIGN)),
    ("@c@=( on | on | & )", "@c@=( & | on | in )", (), ("in",)),  # named twice
]
both_ways = pytest.mark.parametrize("turned", [False, True])
cases = pytest.mark.parametrize(("written", "read_back", "removed", "came"), CASES)


def rules(place: str, rule: str) -> RuleSet:
    name, equals, words = place.partition("=")
    return read_rules((f"{name}={words}\n" if equals else "") + rule.format(place=name)).ruleset


def plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without what a kind stands instead of."""
    return tuple(word.partition(" instead of ")[0] for word in words)


@both_ways
@cases
def test_signs_of_classes_come_and_go_in_rules_for_labels(
    written: str, read_back: str, removed: tuple[str, ...], came: tuple[str, ...], turned: bool
) -> None:
    old, new = (rules(place, "[travel]\ngo := BOS {place} fly") for place in (written, read_back))
    change = word_change(new, old, "go") if turned else word_change(old, new, "go")
    assert (change.removed, change.new) == ((came, removed) if turned else (removed, came))
    _marks_are(change)


@both_ways
@cases
def test_signs_of_classes_come_and_go_in_rules_for_slots(
    written: str, read_back: str, removed: tuple[str, ...], came: tuple[str, ...], turned: bool
) -> None:
    old, new = (rules(place, "go := BOS {place} [ friday ]<date>") for place in (written, read_back))
    change = rule_difference(new, old, "go") if turned else rule_difference(old, new, "go")
    assert (plain(change.removed), plain(change.new)) == ((came, removed) if turned else (removed, came))
    _marks_are(change)


def _marks_are(change: WordChange) -> None:
    """Marked is what is reported, and neither brackets nor bars."""
    kinds = {"$": WORD, "%": NUMBER, "&": SIGN, '"&"': "&"}
    for pieces, said in ((change.before, change.removed), (change.after, change.new)):
        marked = {word.text for word in _all(pieces) if word.kind == "changed" and not word.words}
        assert {kinds.get(text, text) for text in marked} == set(plain(said))


def _all(pieces: tuple[Piece, ...]) -> list[Piece]:
    return [inner for piece in pieces for inner in (piece, *piece.words)]


def test_a_sign_that_stays_is_not_said_to_have_gone() -> None:
    old = read_rules("@day@=( friday )\nday := $* ( on | this | & ) [ @day@ ]<date> $*").ruleset
    new = read_rules(
        "@day@=( friday )\n@day.words@=( & | on | this | would )\n"
        "day := $* @day.words@ [ june | mid-november | @day@ ]<date> $*"
    ).ruleset
    change = rule_difference(old, new, "day")
    assert (change.removed, change.new) == ((), ("june", "mid-november", "would"))
    assert [piece.text for piece in change.before if piece.kind == "changed"] == []
    [words] = [piece.words for piece in change.after if piece.text == "@day.words@"]
    assert [word.text for word in words] == ["&", "on", "this", "would"]


@pytest.mark.parametrize(
    ("written", "read_back", "removed"),
    [
        ("% [ ( oslo | % ) ]<city>", "% [ oslo | rome ]<city>", "a number instead of rome"),
        ("& [ & ]<city>", "& [ ( oslo | rome ) ]<city>", "a punctuation token instead of oslo | rome"),
        ("$* [ $ ]<city>", "@c@=( oslo | rome )\n$* [ @c@ ]<city>", "any word instead of @c@"),
    ],
)
def test_a_kind_that_went_at_one_place_is_told_with_what_came_there(written: str, read_back: str, removed: str) -> None:
    old, new = (
        read_rules("\n".join((*classes, f"go := {rule}"))).ruleset
        for *classes, rule in (text.split("\n") for text in (written, read_back))
    )
    assert rule_difference(old, new, "go").removed == (removed,)


def test_a_class_of_phrases_is_opened_by_its_alternatives() -> None:
    rule = read_rules("@city@=( Oslo | cape town )\ngo := to [ @city@ ]<city>", lowercase=False).ruleset
    change = rule_difference(rule, rule, "go")
    [city] = [piece for piece in change.before if piece.words]
    assert [(word.text, word.kind) for word in city.words] == [("cape town", "same"), ("Oslo", "same")]


def test_a_class_whose_words_are_tagged_is_opened_too() -> None:
    old, new = (
        read_rules(f"@city@=( {words} )\ngo := to @city<:>B-city@").ruleset for words in ("oslo | %", "oslo | rome")
    )
    change = rule_difference(old, new, "go")
    [city] = [piece for piece in change.before if piece.words]
    assert [(word.text, word.kind) for word in city.words] == [("%", "changed"), ("oslo", "same")]


def test_a_word_that_stands_elsewhere_too_is_marked_where_it_came() -> None:
    old, new = (rules("", f"[travel]\ngo := any $* {place} fly") for place in ("( all )", "( all | any )"))
    change = word_change(old, new, "go")
    assert [piece.kind for piece in change.after if piece.text == "any"] == ["same", "changed"]
    assert {piece.kind for piece in change.before} == {"same"}
    assert [piece.kind for piece in word_change(new, old, "go").before if piece.text == "any"] == ["same", "changed"]


def test_words_in_another_order_are_no_change() -> None:
    old, new = (rules("", f"[travel]\ngo := {words} fly") for words in ("( all | any )", "( any | all )"))
    change = word_change(old, new, "go")
    assert {piece.kind for piece in (*change.before, *change.after)} == {"same"}
