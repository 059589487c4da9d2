"""Changed machines as rules: what is printed is read back as exactly the machine, in the notation of its rule."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import SAMPLES
from support.rules.tagged_rules import ATIS, published_rules, slot_trees

from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import PositionTransducer, minimal_of_positions, position_transducer
from re2nn_core.reconstruction.slot_filling import machine_changes as changes
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten, with_rewritten_rules
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Capture, ClassReference, Node, walk

CITIES = "@city@=( oslo | new york )\n@day@=( monday | friday | sunday )\n"


def rewritten_of(ruleset: RuleSet, machine: PositionTransducer, rule: int = -1) -> Rewritten | None:
    return Rewriter(ruleset, (), lowercase=True).rewritten(ruleset.rules[rule], machine)


def read_back(ruleset: RuleSet, found: Rewritten, rule: int = -1) -> PositionTransducer:
    """The rule as it is when the whole printed file is read."""
    name = ruleset.rules[rule].name
    again = read_rules(write_rules(with_rewritten_rules(ruleset, {name: found}))).ruleset
    return position_transducer(tagged(next(entry for entry in again.rules if entry.name == name).expanded))


def same(first: PositionTransducer, second: PositionTransducer) -> bool:
    """Whether two machines say the same; a word beside a `$` says nothing."""

    def plain(machine: PositionTransducer) -> PositionTransducer:
        symbols = tuple(frozenset({ANY}) if ANY in read else read for read in machine.automaton.symbols)
        return replace(machine, automaton=replace(machine.automaton, symbols=symbols))

    return minimal_of_positions(plain(first)) == minimal_of_positions(plain(second))


@st.composite
def changed_machines(draw: st.DrawFn) -> tuple[Node, RuleMachine]:
    """A rule, and its machine after a few changes of any kind."""
    tree = draw(slot_trees(3))
    machine = rule_machine(tagged(tree), "rule", draw(st.sampled_from(["positions", "ifst"])))
    words = st.frozensets(st.sampled_from(["a", "b", "z", "7"]), min_size=1)
    for _ in range(draw(st.integers(0, 3))):
        if not machine.reading:
            break
        place, other = (draw(st.sampled_from(machine.reading)) for _ in range(2))
        tag = draw(st.sampled_from(["B-x", "I-x", "B-y", "O", "OO"]))
        ways = [
            changes.machine_reading(machine, place, draw(words)),
            changes.machine_reading(machine, place, frozenset({ANY})),
            changes.tagging(machine, place, tag),
            changes.joined_machine(machine, [place], [other]),
            changes.joined_machine(machine, [0], [other]),
            changes.ending(machine, place),
            changes.beginning(machine, place),
            changes.with_place(machine, machine.in_front_of(place), place, draw(words), tag),
            changes.with_place(machine, [other], place, draw(words), tag),
        ]
        machine = draw(st.sampled_from(ways))
    return tree, machine


@settings(max_examples=30, deadline=None)
@given(changed_machines())
def test_what_is_printed_is_read_back_as_the_machine(changed: tuple[Node, RuleMachine]) -> None:
    tree, machine = changed
    ruleset = RuleSet((Rule("rule", "slots", tree, tree),))
    found = rewritten_of(ruleset, machine.transducer)
    assume(found is not None)  # too long to be read, or nothing that is accepted
    assert found is not None
    assert same(read_back(ruleset, found), machine.transducer)


def test_hardly_any_rule_cannot_be_written() -> None:
    """The test above must not pass because nothing is ever written."""
    for text in ("$* from [ a b? ]<x> ( c | BOS ) $*", "a<:>B-x ( b | $ )<:>O", "[ a | b c ]<x>{2}", "[ a ]<x>"):
        ruleset = read_rules(f"[slots]\n{text}").ruleset
        machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
        for place in machine.reading:
            other = changes.with_place(machine, [0], place, frozenset({"z"}), "B-y")
            assert rewritten_of(ruleset, other.transducer) is not None, (text, place)


@pytest.mark.parametrize("name", ["flight_slots", "flight_slots_zh"])
def test_unchanged_rules_stay_as_they_are_written(name: str) -> None:
    ruleset = read_rules((SAMPLES / name / "rules.txt").read_text(encoding="utf-8")).ruleset
    _assert_unchanged(ruleset)


def test_published_rules_stay_as_they_are_written() -> None:
    _assert_unchanged(published_rules(ATIS), most=12)


def _assert_unchanged(ruleset: RuleSet, most: int = 40) -> None:
    for rule in ruleset.rules[:most]:
        found = Rewriter(ruleset, (), lowercase=True).rewritten(rule, position_transducer(tagged(rule.expanded)))
        assert found is not None
        assert not found.classes
        # Alternatives of one word stand together now, ( a<:>x | b<:>x ) as ( a | b )<:>B-x.
        kinds = [[type(node) for node in walk(tree)] for tree in (rule.tree, found.tree)]
        assert len(kinds[1]) <= len(kinds[0]), rule.name
        for kind in (Capture, ClassReference):
            assert kinds[0].count(kind) == kinds[1].count(kind), rule.name


CHANGED = {
    "words in a capture": (
        "$* from [ $ $? ]<x> $*",
        lambda m: changes.machine_reading(m, 3, frozenset({"oslo", "paris"})),
        "$* from [ ( oslo | paris ) $? ]<x> $*",
    ),
    "a word more, in the written order": (
        "( to | at ) [ $ ]<x>",
        lambda m: changes.machine_reading(m, 1, frozenset({"at", "to", "by"})),
        "( to | at | by ) [ $ ]<x>",
    ),
    "the rule's own class": (
        "( [ monday | friday ]<x> | @day@ ) oslo",
        lambda m: changes.machine_reading(m, 1, frozenset({"monday", "friday", "sunday"})),
        "( [ @day@ ]<x> | @day@ ) oslo",
    ),
    "a class of several words stays": (
        "( to | at ) [ @city@ $? ]<x>",
        lambda m: changes.machine_reading(m, 1, frozenset({"to"})),
        "to [ @city@ $? ]<x>",
    ),
    "a tag outside captures": (
        "from [ $ ]<x> dc",
        lambda m: changes.tagging(m, 3, "I-y"),
        "from [ $ ]<x> dc<:>I-y",
    ),
    "O in a rule with captures": ("from [ $ ]<x>", lambda m: changes.tagging(m, 1, "O"), "from<:>O [ $ ]<x>"),
    "no capture left": ("from [ a ]<x>", lambda m: changes.tagging(m, 2, "O"), "from<:>OO a<:>O"),
    "tags stay tags": (
        "$<:>OO* from ( a<:>B-x | b<:>B-x ) @city@ $",
        lambda m: changes.machine_reading(m, 3, frozenset({"a", "c"})),
        "$<:>OO* from ( a | c )<:>B-x @city@ $<:>OO",
    ),
    "no tag left": ("from a<:>B-x", lambda m: changes.tagging(m, 2, "O"), "from<:>O a<:>O"),
    "one tag for some words": (
        "from ( a | b )<:>B-x",
        lambda m: changes.with_place(changes.machine_reading(m, 2, frozenset({"a"})), [1], 2, frozenset({"b"}), "B-y"),
        "from ( a<:>B-x | b<:>B-y )",
    ),
    "something that may be left out": (
        "$* from $* to [ $ ]<x>",
        lambda m: changes.joined_machine(m, m.like(0), [4]),
        "( $* from )? $* to [ $ ]<x>",
    ),
}


@pytest.mark.parametrize("case", CHANGED)
def test_notation(case: str) -> None:
    rule, change, expected = CHANGED[case]
    ruleset = read_rules(f"{CITIES}[slots]\n{rule}").ruleset
    machine = change(rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions"))
    found = rewritten_of(ruleset, machine.transducer)
    assert found is not None
    assert same(read_back(ruleset, found), machine.transducer)
    assert print_expression(found.tree) == expected


def test_many_words_become_a_class_in_front_of_the_rule() -> None:
    ruleset = read_rules("@slots.1.words1@=( x )\n[slots]\n$* from [ $ @slots.1.words1@? ]<x> $*").ruleset
    words = frozenset(f"w{number}" for number in range(9))
    machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
    found = rewritten_of(ruleset, changes.machine_reading(machine, 3, words).transducer)
    assert found is not None
    assert print_expression(found.tree) == "$* from [ @slots.1.words_9@ @slots.1.words1@? ]<x> $*"
    assert [entry.name for entry in found.classes] == ["slots.1.words_9"]
    printed = write_rules(with_rewritten_rules(ruleset, {"slots.1": found}))
    assert "@slots.1.words_9@=( w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7 | w8 ) // 9 words\n" in printed


def test_nothing_is_written_for_a_machine_that_accepts_nothing() -> None:
    ruleset = read_rules("[slots]\nfrom [ a ]<x>").ruleset
    machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
    assert rewritten_of(ruleset, changes.without(machine, 2).transducer) is None


def test_rules_that_nobody_can_read_are_not_written() -> None:
    ruleset = read_rules("[slots]\n" + " ".join(["[ a ]<x> b?"] * 101)).ruleset
    machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
    assert rewritten_of(ruleset, machine.transducer) is None


TOO_LONG = {
    "one copy of a long repeat has learned a word": ("[ a ]<x> b{600} c", 301),
    "so has one of many optional words": ("[ a ]<x> b{0,190} c", 100),
}


@pytest.mark.parametrize("case", TOO_LONG)
def test_what_is_too_long_for_an_expression_is_not_written(case: str) -> None:
    """State elimination put hundreds of groups inside each other, more than Python may call itself."""
    rule, place = TOO_LONG[case]
    ruleset = read_rules(f"[slots]\n{rule}").ruleset
    machine = rule_machine(tagged(ruleset.rules[0].expanded), "rule", "positions")
    learned = changes.machine_reading(machine, place, frozenset({"b", "d"}))
    assert rewritten_of(ruleset, learned.transducer) is None
