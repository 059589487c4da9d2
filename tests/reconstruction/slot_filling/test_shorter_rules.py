"""Rules for slots, made shorter, tag what they tagged; what is not proved is not taken."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.rules import tagging_oracles
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.tagged_inclusion import shortest_tagged_escape
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.reconstruction.expressions.same_language import SameLanguage
from re2nn_core.reconstruction.expressions.same_tagged import WithTags, say_the_same
from re2nn_core.reconstruction.expressions.simplify import BUDGET, simplified_as
from re2nn_core.reconstruction.slot_filling import machine_changes as changes
from re2nn_core.reconstruction.slot_filling import rewritten_rule
from re2nn_core.reconstruction.slot_filling.machine_changes import rule_machine
from re2nn_core.reconstruction.slot_filling.new_rules import GrownRule
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten
from re2nn_core.reconstruction.slot_filling.shorter_rules import shorter, shorter_rules
from re2nn_core.reconstruction.weights.class_names import ClassWords
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Any, Node, Tagged, Word, choice

WORDS = ("a", "z", "7")
SENTENCES = [sentence for length in range(4) for sentence in product(WORDS, repeat=length)]
CITY = "@city@=( oslo | rome | new york )\n"


def same_by_definition(one: Node, other: Node) -> bool:
    """The twin: all outputs of all sentences of a few words, by the definition of the trees as they are written."""
    return all(
        tagging_oracles.output_sequences(one, s) == tagging_oracles.output_sequences(other, s) for s in SENTENCES
    )


def test_what_one_of_two_rules_leaves_out_tells_them_apart() -> None:
    left, right = (tagged(parse_expression(text)) for text in ("[ $ ]<y>*", "[ $ ]<y>* but not ( b )"))
    both = choice([left, right])
    language = SameLanguage(both, WithTags(both, {}, {}), 2_000, BUDGET)
    assert (language.accepts_the_same(left), language.accepts_the_same(right)) == (True, False)


@settings(max_examples=40, deadline=None)
@given(slot_trees(3), slot_trees(3))
def test_trees_are_compared_with_their_tags(one: Node, other: Node) -> None:
    left, right = tagged(one), tagged(other)
    both = choice([left, right])
    language = SameLanguage(both, WithTags(both, {}, {}), 2_000, BUDGET)
    whole = position_transducer(both)
    for part in (left, right):
        # What a part says is said by both together; the twin looks for a sentence that says more.
        assert language.accepts_the_same(part) == (shortest_tagged_escape(whole, position_transducer(part)) is None)


@settings(max_examples=20, deadline=None)
@given(slot_trees(4))
def test_a_shorter_tree_says_the_same(tree: Node) -> None:
    long = tagged(tree)
    found = simplified_as(long, {}, WithTags(long, {}, {}))
    assert all(
        tagging_oracles.output_sequences(long, s) == tagging_oracles.output_sequences(found, s) for s in SENTENCES
    )


@settings(max_examples=20, deadline=None)
@given(slot_trees(3), st.data())
def test_a_shorter_rule_is_read_back_as_the_longer_one(tree: Node, data: st.DataObject) -> None:
    ruleset = RuleSet((Rule("rule", "slots", tree, tree),))
    machine = rule_machine(tagged(tree), "rule", "positions")
    assume(machine.reading)
    place, other = (data.draw(st.sampled_from(machine.reading)) for _ in range(2))
    machine = changes.joined_machine(machine, [place], [other])
    rewriter = Rewriter(ruleset, (), lowercase=True)
    long = rewriter.rewritten(ruleset.rules[0], machine.transducer)
    short = rewriter.rewritten(ruleset.rules[0], machine.transducer, effort=BUDGET)
    assert (long is None) == (short is None)
    if long is not None and short is not None:
        assert short.length <= long.length
        assert same_by_definition(long.tree, short.tree)


def shortened(text: str) -> str:
    """The rule of a file, as short as it can be, by state elimination."""
    ruleset = read_rules(text).ruleset
    rule = ruleset.rules[0]
    rewriter = Rewriter(ruleset, (), lowercase=True)
    found = rewriter.rewritten(rule, position_transducer(tagged(rule.expanded)), effort=BUDGET)
    assert found is not None
    return print_expression(found.tree)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("$* [ british airways | qatar airways ]<airline> $*", "$* [ ( british | qatar ) airways ]<airline> $*"),
        ("from [ $ | oslo ]<from> $*", "from [ $ ]<from> $*"),
        ("$* now? to [ rome ]<to> $*", "$* to [ rome ]<to> $*"),
        ("to [ rome ]<to> | to [ rome ]<to> $*", "to [ rome ]<to> $*"),
        # What only looks needless: the words in front get other tags, or a word would be tagged twice.
        ("[ $ oslo | oslo ]<from> $*", "[ $ oslo | oslo ]<from> $*"),
        ("$* [ rome ]<to>? to $*", "$* [ rome ]<to>? to $*"),
        ("$* $? to @city<:>to@ $*", "$* to @city<:>to@ $*"),
        ("$* now? to [ @city@ ]<to> $*", "$* to [ @city@ ]<to> $*"),
        ("a<:>B-x ( b<:>O | $<:>OO )", "a<:>B-x ( b | $<:>OO )"),
    ],
)
def test_shorter_forms(rule: str, expected: str) -> None:
    assert shortened(f"{CITY}[slots]\n{rule}") == expected


def test_a_class_stands_apart_from_the_words_that_came_to_it() -> None:
    ruleset = read_rules(f"{CITY}[slots]\n$* to [ @city@ ]<to> $*").ruleset
    machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
    place = next(
        place for place in machine.reading if machine.outputs[place] == "B-to" and len(machine.symbols[place]) > 1
    )
    more = frozenset(f"w{number}" for number in range(9))
    found = Rewriter(ruleset, (), lowercase=True).rewritten(
        ruleset.rules[0],
        changes.machine_reading(machine, place, machine.symbols[place] | more).transducer,
        lambda symbols: ClassWords(("w7", "w3") if symbols == more else ()),
        effort=BUDGET,
    )
    assert found is not None
    assert print_expression(found.tree) == "$* to [ @city@ | @slots.1.w7_9@ ]<to> $*"
    assert [(entry.name, entry.note) for entry in found.classes] == [("slots.1.w7_9", "9 words; strongest: w7, w3")]


def test_a_form_that_says_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = read_rules("[slots]\n$* from [ oslo | rome ]<from> $* EOS").ruleset
    rule = ruleset.rules[0]
    wrong = tagged(parse_expression("$* from [ $ ]<from> $*"))
    monkeypatch.setattr(rewritten_rule, "simplified_as", lambda *_, **__: wrong)
    found = Rewriter(ruleset, (), lowercase=True).rewritten(
        rule, position_transducer(tagged(rule.expanded)), effort=BUDGET
    )
    assert found == Rewritten(rule.tree, ())


def test_the_order_in_which_tags_are_named_stays() -> None:
    one, other = (tagged(parse_expression(text)) for text in ("[ a ]<x> | [ b ]<y>", "[ b ]<y> | [ a ]<x>"))
    assert same_by_definition(one, other)
    assert not say_the_same(one, other)  # of equal votes the tag that is named first wins
    assert say_the_same(one, choice([one, Tagged(Word("a"), "B-x")]))
    assert not say_the_same(one, choice([one, Tagged(Any(), "B-y")]))


# --- rules that nobody has written


def new_rule(text: str, classes: dict[str, str]) -> GrownRule:
    entries = tuple(WordClass(name, parse_expression(words), note="told") for name, words in classes.items())
    return GrownRule("learned.x.1", "x", parse_expression(text), entries, 4)


def test_phrases_of_new_rules_share_their_words() -> None:
    days = "11 march | 11 september | april | april 2 | april 3 | june"
    rule = new_rule("$* on [ @days@ ]<x> ( EOS | . )", {"days": days})
    inline = new_rule("$* in [ new york | new orleans | new haven ]<x> $*", {})
    found = shorter_rules([rule, inline], lowercase=True)
    assert [(entry.name, entry.note) for entry in found[0].classes] == [("days", "told")]
    assert print_expression(found[0].classes[0].tree) == "11 ( march | september ) | april ( 2 | 3 )? | june"
    assert found[0].tree == rule.tree
    assert print_expression(found[1].tree) == "$* in [ new ( york | orleans | haven ) ]<x> $*"


@given(st.lists(st.lists(st.sampled_from(["a", "b", "7", "%", "$"]), min_size=1, max_size=3), min_size=1, max_size=5))
@settings(max_examples=20, deadline=None)
def test_shorter_phrases_are_the_same_phrases(phrases: list[list[str]]) -> None:
    tree = parse_expression(" | ".join(" ".join(phrase) for phrase in phrases))
    found = shorter(tree)
    assert len(print_expression(found)) <= len(print_expression(tree))
    rules = [parse_expression(f"$* [ {print_expression(one)} ]<x> $*") for one in (tree, found)]
    assert same_by_definition(rules[0], rules[1])
