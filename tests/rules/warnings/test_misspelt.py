"""Operators as other languages write them are read as words, with a warning that says how they are written here."""

from __future__ import annotations

import pytest

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Any, Choice, Concat, Repeat, Word
from re2nn_core.rules.warnings.cut_words import words_the_tokenizer_cuts
from re2nn_core.text.tokenization import Tokenization

MISSPELT = [
    ("$* a $* but not a", 9, 7, "'but not' is read as two words here", "Write but not ( a ) for texts to leave out"),
    ("$* a but not", 6, 7, "'but not' is read as two words here", "Write but not ( ... )"),
    ("$* a $* except ( b )", 9, 8, "'except' is read as a word", "Write but not ( ... )"),
    ("$* book* $*", 4, 5, "'book*' is read as the word 'book' repeated", 'Write glob"book*" for those; ( book )*'),
    ("$* file(cities.txt) $*", 4, 16, "file(...) is read as words", '@name@ = file("cities.txt")'),
    ("$* file('x.txt') $*", 4, 13, "file(...) is read as words", '@name@ = file("x.txt")'),
    ("# a comment", 1, 11, "the sign # is read as a word", "Write // in front of a comment"),
    ("#comment", 1, 8, "the sign # is read as a word", "Write // in front of a comment"),
    ("$* a $* # a comment", 9, 11, "the sign # is read as a word", "Write // in front of a comment"),
    ("$* re'book' $*", 4, 8, "re'book' is read as a plain word", 'Write re"book".'),
    ("$* re'(a|b)' $*", 4, 9, "re'(a|b)' is read as a plain word", 'Write re"(a|b)".'),
    ("$* lemma:'go' $*", 4, 10, "lemma:'go' is read as a plain word", 'Write lemma:"go".'),
    ("$* 'refund' $*", 4, 8, "the single quotes are read as part of 'refund'", "Write refund:"),
    ("$* 'new york' $*", 4, 10, "the single quotes are read as part of 'new york'", "Write new york:"),
    ("$* ~refund $*", 4, 7, "'~refund' is read as a plain word", 'Write ~"refund" for the word and typing errors'),
    ("$* lemma:go $*", 4, 8, "'lemma:go' is read as a plain word", 'Write lemma:"go"; "lemma:go" for the word'),
    ("$* glob:book* $*", 4, 10, "'glob:book*' is read as a plain word", 'Write glob"book*"'),
]


@pytest.mark.parametrize(("rule", "column", "width", "message", "advice"), MISSPELT)
def test_a_misspelt_operator_is_reported_with_its_spelling(
    rule: str, column: int, width: int, message: str, advice: str
) -> None:
    (warning,) = read_rules(f"[label]\n{rule}\n").warnings
    assert (warning.line, warning.column, warning.width) == (2, column, width)
    assert message in warning.message
    assert advice in warning.advice


@pytest.mark.parametrize("rule", [case[0] for case in MISSPELT])
def test_a_tokenizer_that_cuts_it_gives_no_other_advice(rule: str) -> None:
    ruleset = read_rules(f"[label]\n{rule}\n").ruleset
    assert words_the_tokenizer_cuts(ruleset, Tokenization("punctuation")) == ()


@pytest.mark.parametrize(
    "rule",
    [
        "$* a $* but not ( a )",
        '"but" not a',
        "( book )*",
        "ab* the? very{1,3} book+",
        're"book" lemma:"go" ~"refund" glob"b*" case"Apple"',
        "what 's up don't 'em rock 'n' roll",
        "apt # % $*",
        '"~refund" "except" ( a | b )',
        "x := re: a",
        "a // but not b, 'refund', ~refund, book* # c",
        '"file" ( a )',
        "file ( a | b )",
    ],
)
def test_no_warning(rule: str) -> None:
    assert read_rules(f"[label]\n{rule}\n").warnings == ()


@pytest.mark.parametrize(
    "tree",
    [
        *(Word(word) for word in ("#", "#tag", "~a", "'a'", "re'a'", "lemma:go", "glob:a", "except", "'s")),
        Repeat(Word("book"), 0, None),
        Concat((Word("but"), Word("not"), Word("a"))),
        Concat((Word("except"), Choice((Word("a"), Word("b"))))),
        Concat((Repeat(Any(), 0, None), Word("#"), Word("five"))),
    ],
)
def test_what_is_printed_is_read_without_a_warning(tree) -> None:  # type: ignore[no-untyped-def]
    printed = print_expression(tree)
    assert parse_expression(printed) == tree
    assert read_rules(f"[a]\n{printed}\n").warnings == ()


def test_a_class_without_a_word_is_reported() -> None:
    (warning,) = read_rules("@c@=( )\n[a]\n$* x @c@ $*\n").warnings
    assert (warning.line, warning.where) == (1, "class '@c@'")
    assert warning.message == "the class '@c@' has no word, so it stands for nothing"


def test_a_class_that_is_defined_twice_is_reported_at_the_second_place() -> None:
    """The same definition again changes nothing."""
    text = "@c@=( x )\n[a]\n$* @c@ $*\n@c@=( {} )\n$* @c@ y $*\n"
    (warning,) = read_rules(text.format("z")).warnings
    assert warning.line == 4
    assert warning.message == "the class '@c@' is defined in line 1 already; the rules from here on use this one"
    assert read_rules(text.format("x")).warnings == ()
