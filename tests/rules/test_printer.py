"""parse(print(tree)) == tree, always; and a written rule file reads as the same rule set."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.strategies import trees, words

from re2nn_core.rules.lexer import needs_quotes
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression, without_lines, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.tree import Any, Node, Repeat, Word, concat
from re2nn_core.text.word_form import composed

LABELS = ("flight", "flight+airline", "R&D", "a b", "a_b", "机票", "HUM.ind")
NAMES = ("", "", "", "m1", "to-city", "flight.2", "a_b.1", "a_b.2", "x/y")


@settings(max_examples=100, deadline=None)
@given(trees())
def test_every_tree_reads_back_as_itself(tree: Node) -> None:
    text = print_expression(tree)
    assert parse_expression(text) == tree
    assert print_expression(parse_expression(text)) == text


@settings(max_examples=150, deadline=None)
@given(words().map(lambda word: Word(composed(word.text))))
def test_every_word_reads_back_as_itself_and_without_a_warning(word: Word) -> None:
    rules = read_rules(f"[a]\nx {print_expression(word)} y", lowercase=False)
    assert rules.ruleset.rules[0].tree == concat([Word("x"), word, Word("y")])
    assert rules.warnings == ()


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("$ *", "$*"),
        ("(a|b c)d?", "( a | b c ) d?"),
        ("a|b", "a | b"),
        ("( ( a ) )", "a"),
        ("( a | ( b | c ) )", "a | b | c"),
        ("a ( b c ) d", "a b c d"),
        ("( a b ) {2,3} c {2} d {2,}", "( a b ){2,3} c{2} d{2,}"),
        ("a{0,1} b{0,} c{1,}", "a? b* c+"),
        ("( a* )?", "( a* )?"),
        ("()", "( )"),
        ("[ $ $? ]<city>", "[ $ $? ]<city>"),
        ("[a|b]<x>", "[ a | b ]<x>"),
        ("new<:>B-city york<:>I-city", "new<:>B-city york<:>I-city"),
        ("@city<:>to.city@ @city@", "@city<:>to.city@ @city@"),
        ("@city@<:>to.city", "@city<:>to.city@"),
        ("( a | b c )<:>x", "( a | b c )<:>x"),
        ("\\$ \\? \\( a\\*b", '"$" "?" "(" "a*b"'),
        ('"BOS" BOS "flight"', '"BOS" BOS flight'),
        ("\\. \\'", ". '"),
        (".*", '"."*'),
    ],
)
def test_canonical_text(written: str, printed: str) -> None:
    assert print_expression(parse_expression(written)) == printed


def _rule(label: str, name: str, tree: Node, note: str) -> tuple[str, str, Node, str]:
    return label, name, tree, note


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.builds(
            _rule,
            st.sampled_from(LABELS),
            st.sampled_from(NAMES),
            trees(classes=False),
            st.sampled_from(["", "a note", "What's // this?", "ends in \\"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.booleans(),
)
def test_a_written_file_reads_as_the_same_rule_set(rules: list[tuple[str, str, Node, str]], lowercase: bool) -> None:
    entries: list[Rule | WordClass] = [WordClass("city", Repeat(Any(), 2, 3))]
    taken: set[str] = set()
    for number, (label, name, tree, note) in enumerate(rules):
        name = name if name and name not in taken else f"rule{number}"
        taken.add(name)
        entries.append(Rule(name, label, tree, expand(tree, {}, lowercase), note=note))
    ruleset = RuleSet(tuple(entries))
    again = read_rules(write_rules(ruleset), lowercase=lowercase).ruleset
    assert without_lines(again) == ruleset


def test_written_file() -> None:
    text = """@city@=(boston|new york)
[flight]
$*flight$* // exemplar: a flight
to := $* to @city@ $*
[a b]
x
[flight]
y
@city@=(denver)
z @city@
"""
    ruleset = read_rules(text).ruleset
    assert [rule.name for rule in ruleset.rules] == ["flight.1", "to", "a_b.1", "flight.3", "flight.4"]
    written = write_rules(ruleset)
    assert (
        written
        == """@city@=( boston | new york )

[flight]
$* flight $* // exemplar: a flight
to := $* to @city@ $*

[a b]
x

[flight]
y
@city@=( denver )
z @city@
"""
    )
    assert without_lines(read_rules(written).ruleset) == without_lines(ruleset)


def test_notes_are_written_on_one_line() -> None:
    ruleset = read_rules("[a]\nx").ruleset
    noted = RuleSet((replace(ruleset.rules[0], note="two\nlines"),))
    assert write_rules(noted) == "[a]\nx // two lines\n"


@pytest.mark.parametrize(("field", "value"), [("name", "my rule"), ("name", ""), ("label", "a]b"), ("label", "")])
def test_names_no_file_can_hold(field: str, value: str) -> None:
    rule = read_rules("[a]\nx").ruleset.rules[0]
    with pytest.raises(ValueError, match=f"no rule file can hold the (rule name|label) '{value}'"):
        write_rules(RuleSet((replace(rule, **{field: value}),)))


def test_plain_words_need_no_quotes() -> None:
    assert not any(needs_quotes(word) for word in ("flight", "747", "'d", "st.", "机票", "-", ",", "a=b", "x<y"))
    assert all(needs_quotes(word) for word in ("<x>", "oslo<city>"))
