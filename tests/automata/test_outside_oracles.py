"""Our machines beside those of automata-lib and pynini: as many states, and the same language.

The published rule files are read where they lie beside the repository; their figures are those of table 1 of Jiang
et al., EMNLP 2020, which count one common start state more.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from support.rules import outside
from support.rules.automata_strategies import trees, word_trees

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.symbols import Symbol
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.read import read_rule_file
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.machines import Machines, build_machines

RULE_FILES = Path(__file__).resolve().parents[2].parent / "shared" / "benchmarks" / "rules"
# file: states of all machines together, arcs, labels
PUBLISHED = {
    "atis.rules.v0.config": (106, 225, 26),
    "trec.rules.old.config": (93, 659, 6),
    "sms.rules.config": (52, 167, 2),
}


def pseudo_rows(machine: PseudoDfa) -> list[dict[Symbol, int]]:
    return [{symbol: target for column, target in row for symbol in machine.alphabet[column]} for row in machine.moves]


def exact_rows(machine: ExactDfa, symbols: list[Symbol]) -> list[dict[Symbol, int]]:
    words = [symbol for symbol in symbols if isinstance(symbol, str)]
    steps = [{word: machine.step(state, word) for word in words} for state in range(len(machine))]
    return [{word: target for word, target in row.items() if target != DEAD} for row in steps]


def published(name: str) -> Machines:
    path = RULE_FILES / name
    if not path.is_file():
        pytest.skip(f"the published rule files are not here: {path}")
    rules = read_rule_file(path).ruleset
    return build_machines(rules, default_logic(rules), "label")


@settings(max_examples=60, deadline=None)
@given(word_trees())  # a library takes BOS twice for two letters
def test_pseudo_machine_is_that_of_automata_lib(tree: Node) -> None:
    ours, theirs = pseudo_dfa(tree), outside.pseudo_by_automata_lib(tree)
    assert len(ours) == len(theirs.states)
    letters = outside.letters_of(outside.pseudo_symbols(tree))
    assert outside.as_automata_lib(pseudo_rows(ours), ours.finals, letters) == theirs


@settings(max_examples=60, deadline=None)
@given(trees())
def test_exact_machine_is_that_of_automata_lib(tree: Node) -> None:
    ours, theirs = exact_dfa(tree), outside.exact_by_automata_lib(tree)
    assert len(ours) == len(theirs.states)
    symbols = outside.exact_symbols(tree)
    letters = {s: letter for s, letter in outside.letters_of(symbols).items() if isinstance(s, str)}
    assert outside.as_automata_lib(exact_rows(ours, symbols), ours.finals, letters) == theirs


@settings(max_examples=150, deadline=None)
@given(word_trees())
def test_pseudo_machine_is_that_of_pynini(tree: Node) -> None:
    pynini = pytest.importorskip("pynini", reason="pynini is not installed; it exists for Linux only")
    pseudo = pseudo_dfa(tree)
    theirs = outside.pseudo_by_pynini(pynini, tree)
    letters = outside.letters_of(outside.pseudo_symbols(tree))
    assert max(theirs.num_states(), 1) == len(pseudo)
    assert pynini.equivalent(outside.as_pynini(pynini, pseudo_rows(pseudo), pseudo.finals, letters), theirs)


@settings(max_examples=150, deadline=None)
@given(trees())
def test_exact_machine_is_that_of_pynini(tree: Node) -> None:
    pynini = pytest.importorskip("pynini", reason="pynini is not installed; it exists for Linux only")
    exact = exact_dfa(tree)
    theirs = outside.exact_by_pynini(pynini, tree)
    symbols = outside.exact_symbols(tree)
    rows = exact_rows(exact, symbols)
    assert max(theirs.num_states(), 1) == len(exact)
    ours = outside.as_pynini(pynini, rows, exact.finals, outside.letters_of(symbols))
    assert pynini.equivalent(ours, theirs)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_rules_have_the_published_sizes(name: str) -> None:
    machines = published(name)
    assert (machines.states, machines.arcs, len(machines.machines)) == PUBLISHED[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_rules_by_automata_lib(name: str) -> None:
    for machine in published(name).machines:
        theirs = outside.pseudo_by_automata_lib(machine.tree)
        letters = outside.letters_of(outside.pseudo_symbols(machine.tree))
        assert len(machine.dfa) == len(theirs.states), machine.name
        assert outside.as_automata_lib(pseudo_rows(machine.dfa), machine.dfa.finals, letters) == theirs, machine.name


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_rules_by_pynini(name: str) -> None:
    pynini = pytest.importorskip("pynini", reason="pynini is not installed; it exists for Linux only")
    for machine in published(name).machines:
        theirs = outside.pseudo_by_pynini(pynini, machine.tree)
        letters = outside.letters_of(outside.pseudo_symbols(machine.tree))
        ours = outside.as_pynini(pynini, pseudo_rows(machine.dfa), machine.dfa.finals, letters)
        assert len(machine.dfa) == theirs.num_states(), machine.name
        assert pynini.equivalent(ours, theirs), machine.name
