"""Machines and vocabularies for tests of tensors and networks, from rules as text or from random trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.rules.automata_strategies import RULE_WORDS, trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.rules.logic.label_logic import Fact, LabelLogic, default_logic
from re2nn_core.rules.read import read_rule_file, read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.machines import Machine, MachineMode, Machines, build_machines
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

# The words that random rules name and one that they do not; the number 9 and the sign ! of the texts stay unknown.
VOCABULARY = build_vocabulary([("d",)], always=RULE_WORDS)

PUBLISHED_RULES = Path(__file__).resolve().parents[4] / "shared" / "benchmarks" / "rules"


def machines_of(text: str, mode: MachineMode = "rule") -> Machines:
    """The machines of a rule file."""
    rules = read_rules(text).ruleset
    return build_machines(rules, default_logic(rules), mode)


def vocabulary_for(text: str, *sentences: Sequence[str]) -> Vocabulary:
    return build_vocabulary(sentences, always=read_rules(text).ruleset.words)


def machines_of_trees(*given: Node) -> Machines:
    """One machine a tree, each with a label of its own."""
    names = tuple(f"m{number}" for number in range(len(given)))
    made = tuple(Machine(name, (name,), tree, pseudo_dfa(tree)) for name, tree in zip(names, given, strict=True))
    return Machines(made, LabelLogic(names, tuple(Fact(name) for name in names)))


def random_machines(most: int = 3, size: int = 6) -> st.SearchStrategy[Machines]:
    """One to `most` machines of random trees."""
    return st.lists(trees(size), min_size=1, max_size=most).map(lambda drawn: machines_of_trees(*drawn))


def published_machines(name: str, mode: MachineMode = "label") -> tuple[Machines, Vocabulary]:
    """The machines of a published rule file; skips where the benchmarks are not beside the repository."""
    path = PUBLISHED_RULES / name
    if not path.is_file():
        pytest.skip(f"the published rule files are not here: {path}")
    rules = read_rule_file(path).ruleset
    return build_machines(rules, default_logic(rules), mode), build_vocabulary([], always=rules.words)
