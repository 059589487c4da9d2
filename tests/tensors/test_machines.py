"""Which machines a rule set is run as, and that the label logic over them decides as the one over the rules does."""

from __future__ import annotations

import numpy as np
import pytest
from support.networks.machine_samples import machines_of
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS

from re2nn_core.automata.matcher import build_matcher
from re2nn_core.rules.logic.label_logic import Fact, Or, decide_all, read_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.tensors.machines import Machines, build_machines, reversed_machines

TEXT = """\
[x]
one := $* a $*
two := $* b b $*
[y]
three := c+
four := $* % &
[z]
five := $* d
"""
LOGIC = """\
default = "z"
priorities = ["y > x", "x > z"]
logic = ["(one | two) & !five -> x", "one & three | four -> w"]
"""
SENTENCES = list(oracles.all_sentences(TEXT_WORDS, 3))


def accepted(machines: Machines) -> np.ndarray:
    """[sentences, machines]"""
    return np.asarray([[machine.dfa.accepts(sentence) for machine in machines.machines] for sentence in SENTENCES])


def test_one_machine_a_label_or_one_a_rule() -> None:
    by_label, by_rule = machines_of(TEXT, "label"), machines_of(TEXT, "rule")
    assert by_label.names == ("[x]", "[y]", "[z]")
    assert [machine.rules for machine in by_label.machines] == [("one", "two"), ("three", "four"), ("five",)]
    assert by_label.logic.formulas == (Fact("[x]"), Fact("[y]"), Fact("[z]"))
    assert by_rule.names == ("one", "two", "three", "four", "five")
    assert by_rule.logic.formulas[0] == Or((Fact("one"), Fact("two")))
    assert by_label.states < by_rule.states


def test_a_label_machine_accepts_what_any_of_its_rules_accepts() -> None:
    by_label, by_rule = accepted(machines_of(TEXT, "label")), accepted(machines_of(TEXT, "rule"))
    assert (by_label[:, 0] == by_rule[:, :2].any(1)).all()
    assert (by_label[:, 1] == by_rule[:, 2:4].any(1)).all()


def test_formulas_that_are_no_plain_choice_keep_their_rules_apart() -> None:
    rules = read_rules(TEXT).ruleset
    machines = build_machines(rules, read_logic(LOGIC, rules, format="toml"), "label")
    assert set(machines.names) == {"one", "two", "five", "[y]", "[z]", "three", "four"}
    assert machines.logic.default == "z"


@pytest.mark.parametrize("mode", ["label", "rule"])
@pytest.mark.parametrize("logic", ["", LOGIC])
def test_logic_over_machines_decides_as_logic_over_rules(mode: str, logic: str) -> None:
    rules = read_rules(TEXT).ruleset
    over_rules = read_logic(logic, rules, format="toml")
    machines = build_machines(rules, over_rules, "label" if mode == "label" else "rule")
    matched = build_matcher(rules.rules).matched(SENTENCES)
    wanted = decide_all(over_rules, [rule.name for rule in rules.rules], matched)
    assert len(set(wanted.tolist())) > 2
    assert (decide_all(machines.logic, machines.names, accepted(machines)) == wanted).all()


def test_reversed_machines_accept_reversed_sentences() -> None:
    machines = machines_of(TEXT)
    backwards = reversed_machines(machines)
    assert backwards.names == machines.names
    turned = [[m.dfa.accepts(sentence[::-1]) for m in backwards.machines] for sentence in SENTENCES]
    assert (np.asarray(turned) == accepted(machines)).all()


def test_sizes() -> None:
    machines = machines_of("[x]\n$* a $*\n[y]\nb c")
    assert (machines.states, machines.joint_states, machines.arcs) == (5, 6, 5)
