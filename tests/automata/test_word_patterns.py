"""Rules that ask for letters of words: every automaton, the factors and the network agree, on words never seen too."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import oracles
from support.rules.automata_strategies import pattern_trees

from re2nn_core.automata.algebra import complement, difference, equivalent, shortest_accepted
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.errors import RuleError
from re2nn_core.explain.changes import smallest_change
from re2nn_core.explain.flips import smallest_flip
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.factors import exact_factors, scores
from re2nn_core.tensors.machines import build_machines
from re2nn_core.tensors.state_certificate import check_states
from re2nn_core.text.vocabulary import build_vocabulary

# Words that rules name, that only their patterns know, and that nothing knows.
WORDS = ("a", "b", "c", "7", ",", "ab", "dd", "bb", "bab", "8", "99", "!", "!!", "?", "zz", "ba")
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(tuple), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(pattern_trees(), pattern_trees(), SENTENCES)
def test_automata_accept_what_rules_match(tree: Node, other: Node, sentences: list[oracles.Sentence]) -> None:
    positions, pseudo, exact = build_positions(tree), pseudo_dfa(tree), exact_dfa(tree)
    less = difference(exact, exact_dfa(other))
    matched = RuleMatcher([tree, other]).matched(sentences)
    for sentence, (own, others) in zip(sentences, matched.tolist(), strict=True):
        expected, of_other = oracles.accepts(tree, sentence), oracles.accepts(other, sentence)
        assert accepts(positions, sentence) == pseudo.accepts(sentence) == exact.accepts(sentence) == expected
        assert (own, others) == (expected, of_other)
        assert complement(exact).accepts(sentence) == (not expected)
        assert less.accepts(sentence) == (expected and not of_other)


@settings(max_examples=30, deadline=None)
@given(pattern_trees(), pattern_trees())
def test_witnesses_are_sentences_of_the_difference(tree: Node, other: Node) -> None:
    escape = shortest_escape(build_positions(tree), build_positions(other))
    left, right = exact_dfa(tree), exact_dfa(other)
    assert (escape is None) == (shortest_accepted(difference(left, right)) is None)
    assert equivalent(left, right) == (escape is None and shortest_escape(*map(build_positions, (other, tree))) is None)
    if escape is not None:
        assert oracles.accepts(tree, escape)
        assert not oracles.accepts(other, escape)


@settings(max_examples=60, deadline=None)
@given(st.lists(pattern_trees(5), min_size=1, max_size=3), SENTENCES)
def test_factors_are_certified_and_predict_as_the_rules(trees: list[Node], sentences: list[oracles.Sentence]) -> None:
    text = "[x]\n" + "\n".join(f"r{number} := {print_expression(tree)}" for number, tree in enumerate(trees))
    rules = read_rules(text).ruleset
    machines = build_machines(rules, default_logic(rules), "rule")
    factors = exact_factors(machines, build_vocabulary(sentences[::2], always=rules.words))
    assert check_states(machines, factors).equal
    for sentence in sentences:
        expected = [float(oracles.accepts(rule.expanded, sentence)) for rule in rules.rules]
        assert scores(factors, sentence).tolist() == expected


def test_a_vocabulary_without_the_classes_of_words_is_not_certified() -> None:
    rules = read_rules('[x]\n$* re"book.*" $*').ruleset
    machines = build_machines(rules, default_logic(rules))
    check = check_states(machines, exact_factors(machines, build_vocabulary([["bookings"]])))
    assert [fault for fault in check.faults if "book" in fault]


def test_a_witness_is_a_word_that_no_rule_names() -> None:
    named, asked = (build_positions(parse_expression(text)) for text in ("book", 're"book.*"'))
    escape = shortest_escape(asked, named)
    assert escape is not None
    assert escape[0].startswith("book")
    assert escape[0] != "book"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (r're"(a)\1"', "refers back to a group"),
        ('re"(?=a)b"', "looks ahead or behind"),
        (r're"a\b"', r"has ^, $ or \b within the word"),
        ('re"(a"', "cannot be read"),
        ('re"(a{900}){900}"', "needs more than 2,000 places"),
        ('re"' + "a" * 501 + '"', "has 501 characters, 500 at most are allowed"),
        ('re""', "the quotes are empty"),
        ('re"a b"', "one word is matched, and no word has a blank"),
        ('re"new york"', 'Write one for each word: re"new" re"york".'),
        ('~"new york"', 'Write one for each word: ~"new" ~"york".'),
        ('re"(new york)"', 'Write one for each word: re"..." re"...".'),
    ],
)
def test_what_no_automaton_can_do_is_refused_where_it_stands(rule: str, message: str) -> None:
    with pytest.raises(RuleError, match="<rules>:2:4: ") as caught:
        read_rules(f"[x]\n$* {rule} $*")
    assert message in str(caught.value)


def test_patterns_that_tell_too_many_words_apart_are_refused() -> None:
    rules = [f'$* re".*{letter}.*"' for letter in "abcdefghijklmnop"]
    with pytest.raises(RuleError, match="they hold in too many combinations") as caught:
        read_rules("\n".join(("[x]", "$* a $*", *rules)))
    assert "the file has 16 expressions for letters of words" in str(caught.value)
    assert "more than 20,000 states are needed" in str(caught.value)
    joined = f're".*({"|".join("abcdefghijklmnop")}).*"'
    assert len(read_rules(f"[x]\n$* {joined} $*").ruleset.rules) == 1, "as the advice says"
    assert str(caught.value).startswith("<rules>:3:1: ")


def test_an_expression_that_goes_back_for_ever_elsewhere_takes_no_time() -> None:
    exact = exact_dfa(parse_expression('re"(a+)+b"'))
    assert not exact.accepts(("a" * 5_000,))
    assert exact.accepts(("a" * 5_000 + "b",))


@settings(max_examples=60, deadline=None)
@given(pattern_trees(), st.lists(st.sampled_from(WORDS), max_size=3).map(tuple))
def test_the_smallest_change_is_accepted(tree: Node, sentence: oracles.Sentence) -> None:
    change = smallest_change(build_positions(tree), sentence)
    if change is not None:
        assert oracles.accepts(tree, change.words)
    matcher = RuleMatcher([tree]).matcher
    accepted = oracles.accepts(tree, sentence)
    flip = smallest_flip(matcher, sentence, lambda found: bool(found) != accepted, most=2).change
    if flip is not None:
        assert oracles.accepts(tree, flip.words) != accepted


@pytest.mark.parametrize(
    ("rule", "other", "escape"),
    [
        ('re"a"', "a", None),
        ('re"[ad]"', "a", ("d",)),
        ('re"[ad]"', "a | d", None),
        ('re"[ad]" d', "a d | d d", None),
        ('re"[ad]" | re"a"', "a | d", None),
        ('re"[ab]" | re"a"', 'b | re"a"', None),
        ('re"[a-c]"', "a | c", ("b",)),
        ('re"a+"', "a | aa", ("aaa",)),
    ],
)
def test_words_of_a_pattern_that_are_all_named_leave_nothing_more(
    rule: str, other: str, escape: oracles.Sentence | None
) -> None:
    trees = parse_expression(rule), parse_expression(other)
    assert shortest_escape(*map(build_positions, trees)) == escape
    assert equivalent(*map(exact_dfa, trees)) == (escape is None)


@pytest.mark.parametrize(("pattern", "word"), [('re"[abd].*"', "a"), ('re"[ad]"', "a"), ('re"b.*"', "bb")])
def test_a_word_that_is_taken_from_a_pattern_is_gone(pattern: str, word: str) -> None:
    less = difference(exact_dfa(parse_expression(pattern)), exact_dfa(parse_expression(word)))
    assert not less.accepts((word,))
    assert shortest_accepted(less) not in {None, (word,)}


@pytest.mark.parametrize("rule", ['a | b | [^ re"[ad]" b ] | BOS', 'a | b | [^ re"a" b ] | BOS'])
def test_a_change_puts_in_no_word_that_is_named_for_one_that_is_not(rule: str) -> None:
    tree = parse_expression(rule)
    flip = smallest_flip(RuleMatcher([tree]).matcher, (), lambda found: not found, most=2).change
    assert flip is not None
    assert not oracles.accepts(tree, flip.words)
