"""Which outputs are possible where: every machine against the definition, many rules at once against one by one."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import tagging_oracles
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import (
    ATIS,
    BENCHMARKS,
    MACHINES,
    TagCase,
    all_sequences,
    published_rules,
    slot_trees,
    tag_cases,
)

from re2nn_core.automata import matcher
from re2nn_core.automata import output_sets as module
from re2nn_core.automata.output_sets import RuleTags, TagReader, tag_sets, tag_sets_of_rule
from re2nn_core.automata.transducer import position_transducer, transducer_union
from re2nn_core.automata.word_codes import numbered
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("case", tag_cases(), ids=lambda case: case.name)
def test_table(case: TagCase, name: str) -> None:
    machine = MACHINES[name](tagged(case.tree))
    assert all_sequences(machine, case.sentence) == case.sequences
    expected = tuple(map(frozenset, zip(*case.sequences, strict=True))) if case.sequences else None
    assert tag_sets(machine, case.sentence) == expected
    reader = TagReader([tagged(case.tree)])
    assert reader.read([case.sentence]) == [[] if expected is None else [RuleTags(0, expected)]]


@settings(max_examples=75, deadline=None)
@given(slot_trees(), st.lists(sentences(4), min_size=1, max_size=4))
def test_every_machine_gives_what_the_rule_says(tree: Node, texts: list[tuple[str, ...]]) -> None:
    machines = {name: make(tagged(tree)) for name, make in MACHINES.items()}
    for text in texts:
        sequences = tagging_oracles.output_sequences(tree, text)
        sets = tagging_oracles.tag_sets(tree, text)
        for name, machine in machines.items():
            assert all_sequences(machine, text) == sequences, name
            assert tag_sets(machine, text) == sets, name


@settings(max_examples=40, deadline=None)
@given(st.lists(slot_trees(3), min_size=1, max_size=4), st.lists(sentences(5), min_size=1, max_size=6))
def test_many_rules_at_once(trees: list[Node], texts: list[tuple[str, ...]]) -> None:
    made = [tagged(tree) for tree in trees]
    reader = TagReader(made, [f"r{number}" for number in range(len(made))])
    machines = [position_transducer(tree) for tree in made]
    expected = [
        [RuleTags(rule, sets) for rule, machine in enumerate(machines) if (sets := tag_sets(machine, text)) is not None]
        for text in texts
    ]
    assert reader.read(texts) == expected
    assert reader.read(texts[:1]) == expected[:1]
    one_by_one = [tag_sets_of_rule(tree, numbered(texts)) for tree in made]
    pairs = enumerate(one_by_one)
    assert {(r, p): sets for r, found in pairs for p, sets in found.items()} == {
        (one.rule, place): one.sets for place, found in enumerate(expected) for one in found
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "STEP_LIMIT", 0)
        assert reader.read(texts) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(slot_trees(3), min_size=2, max_size=3), sentences(4))
def test_the_union_gives_what_any_rule_gives(trees: list[Node], text: tuple[str, ...]) -> None:
    made = [tagged(tree) for tree in trees]
    each = [sets for tree in made if (sets := tag_sets(position_transducer(tree), text)) is not None]
    expected = tuple(frozenset().union(*of_word) for of_word in zip(*each, strict=True)) if each else None
    for make in MACHINES.values():
        assert tag_sets(make(transducer_union(made)), text) == expected


def test_a_rule_too_large_for_a_table_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matcher, "MATCH_BUDGET", 3)
    reader = TagReader([tagged(parse_expression("$* [ a ]<x> $ $ b")), tagged(parse_expression("[ a ]<y>"))])
    ((found,), (other,), none) = reader.read([("a", "a", "c", "b"), ("a",), ("b",)])
    assert (found.rule, found.sets[0], found.sets[1]) == (0, {"B-x"}, {"OO"})
    assert (other, none) == (RuleTags(1, (frozenset({"B-y"}),)), [])


def test_sets_met_forwards_and_backwards_are_kept_apart() -> None:
    """Behind `x a` and in front of the `b` is the same state; what comes next depends on where one is going."""
    reader = TagReader([tagged(parse_expression("x a<:>I-y+ b?"))])
    first, second = reader.read([("x", "a", "a"), ("x", "a", "b")])
    assert first == [RuleTags(0, (frozenset({"O"}), frozenset({"I-y"}), frozenset({"I-y"})))]
    assert second == [RuleTags(0, (frozenset({"O"}), frozenset({"I-y"}), frozenset({"O"})))]


def test_no_rules_and_no_sentences() -> None:
    assert TagReader([]).read([("a",)]) == [[]]
    assert TagReader([tagged(parse_expression("[ a ]<x>"))]).read([]) == []


def published_sentences() -> list[tuple[str, ...]]:
    lines = (BENCHMARKS / "atis" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    return [tuple(json.loads(line)["tokens"]) for line in lines]


def test_published_rules_on_published_sentences() -> None:
    trees = [tagged(rule.expanded) for rule in published_rules(ATIS).rules]
    texts = published_sentences()
    machines, seconds = [position_transducer(tree) for tree in trees], []
    for _ in range(3):
        reader, start = TagReader(trees), time.process_time()
        found = reader.read(texts)
        seconds.append(time.process_time() - start)
    # Measured 0.1 s; the bound leaves room for slow machines, and still tells work that is done again and again.
    assert min(seconds) < 1.5
    for text, tags in list(zip(texts, found, strict=True))[::40]:
        plain = [(rule, sets) for rule, m in enumerate(machines) if (sets := tag_sets(m, text)) is not None]
        assert [(of_rule.rule, of_rule.sets) for of_rule in tags] == plain
    assert sum(map(len, found)) > len(texts)
