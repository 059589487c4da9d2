"""Words of rules that a tokenizer cuts: each is reported with its place, its pieces, and what to write instead."""

from __future__ import annotations

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import Concat, Word
from re2nn_core.rules.warnings.cut_words import words_the_tokenizer_cuts
from re2nn_core.text.tokenization import Tokenization, TokenizerKind, words


def reported(text: str, kind: TokenizerKind) -> list[tuple[int, int, str, str]]:
    """Line, column, rule and advice of each warning."""
    found = words_the_tokenizer_cuts(read_rules(text).ruleset, Tokenization(kind))
    return [(one.line, one.column, one.where, one.advice.split(": a rule names")[0]) for one in found]


def test_a_warning_as_people_see_it() -> None:
    ruleset = read_rules("[出发]\n早 := $* ( 春节 | 早上 ) $*\n").ruleset
    first, second = words_the_tokenizer_cuts(ruleset, Tokenization("characters"), file="rules.txt")
    assert first.render() == (
        "rules.txt:2:11: rule '早': '春节' can never match: the tokenizer 'characters' cuts it into 2 words, 春 节\n"
        "    早 := $* ( 春节 | 早上 ) $*\n"
        "              ^^\n"
        "Write 春 节: a rule names words as the tokenizer cuts the texts."
    )
    assert (second.column, second.advice[:10]) == (16, "Write 早 上:")


@pytest.mark.parametrize(
    ("rule", "kind", "column", "instead"),
    [
        ("$* 7:15 $*", "punctuation", 4, "7 : 15"),
        ("$* A,b $*", "punctuation", 4, "A , b"),
        ('$* "what?" a', "punctuation", 4, 'what "?"'),
        ("7:15* a", "punctuation", 1, "( 7 : 15 )*"),
        ("7:15 {2} a", "punctuation", 1, "( 7 : 15 ){2}"),
        ("春节<:>day", "characters", 1, "春<:>B-day 节<:>I-day"),
        ("春节<:>B-day? $", "characters", 1, "( 春<:>B-day 节<:>I-day )?"),
        ("春节<:>I-day", "characters", 1, "春<:>I-day 节<:>I-day"),
        ("春节<:>O $<:>x", "characters", 1, "春<:>O 节<:>O"),
        ("[ 春节 ]<day>", "characters", 3, "春 节"),
        ("x := 春节 // 春节", "characters", 6, "春 节"),
    ],
)
def test_what_to_write_instead(rule: str, kind: TokenizerKind, column: int, instead: str) -> None:
    named = "x" if ":= " in rule else "a.1"
    assert reported(f"[a]\n{rule}", kind) == [(2, column, f"rule '{named}'", f"Write {instead}")]
    if "<:>" not in rule:
        rules = read_rules(f"[a]\n{instead.lower()}").ruleset
        assert all(words(word, Tokenization(kind)) == (word,) for word in rules.words)


def test_classes_and_continued_lines() -> None:
    text = "@day@=( 春节 | $ )\n[a]\n@day@ \\\n  上午 @day@\n"
    assert reported(text, "characters") == [(1, 9, "class '@day@'", "Write 春 节"), (4, 3, "rule 'a.1'", "Write 上 午")]


def test_words_that_stay_whole() -> None:
    text = "[a]\n春节 7:15 what? don't o'clock st. @x<y> \\@ $ % &\n".replace("@x<y>", "x-y")
    assert reported(text, "whitespace") == []
    assert [advice for *_, advice in reported("[a]\ndon't o'clock dc-10 3.5 \\@ & BOS EOS", "punctuation")] == []
    assert reported("[a]\n春 节 don't", "characters") == []


def test_rules_that_come_from_no_file_are_told_as_they_would_be_written() -> None:
    tree = Concat((Word("a"), Word("7:15")))
    (found,) = words_the_tokenizer_cuts(RuleSet((Rule("r", "l", tree, tree),)), Tokenization("punctuation"))
    assert (found.line, found.column, found.source) == (1, 3, "a 7:15")
