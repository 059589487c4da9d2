"""Rules with outputs for tests: the table testdata/tagging.toml, random trees, and all paths of any machine."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.rules.automata_strategies import excluded, expressions
from support.rules.tagging_oracles import Outputs

from re2nn_core.automata.independent import independent
from re2nn_core.automata.output_sets import TagMachine
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import minimal_transducer, of_positions, position_transducer
from re2nn_core.rules.read import read_rule_file, read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    Empty,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    choice,
    concat,
)

TABLE = Path(__file__).parents[2] / "testdata" / "tagging.toml"
BENCHMARKS = Path(__file__).resolve().parents[4] / "shared" / "benchmarks"
ATIS, SNIPS = "atis_bio.bio.rules.config", "snips_bio.bio.rules.v1.config"

MACHINES: Mapping[str, Callable[[Node], TagMachine]] = {
    "positions": position_transducer,
    "positions with arcs": lambda tree: of_positions(position_transducer(tree)),
    "FST": minimal_transducer,
    "i-FST": lambda tree: independent(minimal_transducer(tree)),
}
_TAGS = ("x", "y", "B-x", "I-x", "B-y", "i-y", "O", "OO")


@dataclass(frozen=True)
class TagCase:
    """One rule, one sentence, and every sequence of outputs that the rule gives it."""

    name: str
    tree: Node
    sentence: tuple[str, ...]
    sequences: frozenset[Outputs]


def tag_cases() -> list[TagCase]:
    """The cases of the table; their names are distinct."""
    with TABLE.open("rb") as file:
        tables = tomllib.load(file)["case"]
    assert len({table["name"] for table in tables}) == len(tables)
    assert all(set(table) <= {"name", "rule", "classes", "sentence", "sequences"} for table in tables)
    return [_case(table) for table in tables]


def _case(table: dict) -> TagCase:
    text = "\n".join([*table.get("classes", []), "[slots]", table["rule"]])
    sequences = frozenset(tuple(sequence.split()) for sequence in table["sequences"])
    tree = read_rules(text).ruleset.rules[0].expanded
    return TagCase(table["name"], tree, tuple(table["sentence"].split()), sequences)


def all_sequences(machine: TagMachine, sentence: Sequence[str]) -> frozenset[Outputs]:
    """The outputs of every accepting path, walked one state after the other."""

    def behind(state: int, place: int) -> frozenset[Outputs]:
        if place == len(sentence):
            return frozenset({()} if machine.sentence_final >> state & 1 else ())
        word = sentence[place]
        return frozenset(
            (output, *further)
            for target in bits(machine.step(1 << state, word))
            for output in machine.step_back(1 << state, 1 << target, word)[1]
            for further in behind(target, place + 1)
        )

    return frozenset().union(*(behind(state, 0) for state in bits(machine.sentence_start)))


def slot_trees(size: int = 4) -> st.SearchStrategy[Node]:
    """Trees with captures and tags as people write them, over the small vocabulary of automata_strategies."""
    plain = expressions(size)
    taggable = plain.filter(lambda node: not isinstance(node, SentenceStart | SentenceEnd))
    captured = st.builds(Capture, plain.filter(lambda node: node != Empty()), st.sampled_from(_TAGS[:2]))
    marked = st.one_of(captured, st.builds(Tagged, taggable, st.sampled_from(_TAGS)), plain)
    bounds = st.sampled_from([(0, None), (1, None), (0, 1), (1, 2)])
    whole = st.recursive(
        marked,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(concat),
            st.lists(inner, min_size=2, max_size=3).map(choice),
            st.builds(lambda node, pair: Repeat(node, *pair), inner, bounds),
        ),
        max_leaves=4,
    )
    return st.one_of(whole, whole, whole, st.builds(ButNot, whole, excluded()))


def published_rules(name: str) -> RuleSet:
    """A published rule file; skips where the benchmarks are not beside the repository."""
    path = BENCHMARKS / "rules" / name
    if not path.is_file():
        pytest.skip(f"the published rule files are not here: {path}")
    return read_rule_file(path).ruleset
