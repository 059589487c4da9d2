"""Weights of a network on the arcs of a difference: the untrained ones are the rule itself, trained ones move."""

from __future__ import annotations

import pytest
import torch

from re2nn_core.automata.differences.difference import MachineDifference
from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_difference.classification.weighted_differences import (
    refuse_other_network,
    weights_of_arcs,
)
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

RULE = "$* ( fare | price ) for ( me | us )"
RULES = f"[money]\nprice := {RULE}\n[other]\nhi := hello\n"
AFTER = "$* ( fare | price | cost ) for ( me | us )"


@pytest.fixture
def bundle() -> Bundle:
    vocabulary = build_vocabulary([["cost", "a"]], always=["fare", "price", "for", "me", "us", "hello"])
    config = NetworkConfig(vectors="none", machines="rule")
    return build_bundle(RULES, "", Tokenization(), vocabulary, config, None, "none", ["money", "other"])


def drawn(after: str = AFTER, before: str = RULE) -> tuple[DrawnDifference, MachineDifference]:
    found = drawn_trees("price", parse_expression(before), parse_expression(after), tagging=False)
    assert found.difference is not None
    return found, found.difference


def test_an_untrained_network_weighs_what_the_rule_says(bundle: Bundle) -> None:
    shown, found = drawn()
    weights = weights_of_arcs(shown, bundle, "price", parse_expression(RULE))
    assert len(weights) == len(found.arcs)
    for place, (before, now) in weights.items():
        arc = found.arcs[place]
        assert before == pytest.approx(len(arc.before) / len(arc.symbols))
        assert now == pytest.approx(before, abs=1e-5)


def test_a_word_that_the_network_does_not_know_moves_no_weight(bundle: Bundle) -> None:
    shown, found = drawn(AFTER.replace("cost", "unheard"))
    weights = weights_of_arcs(shown, bundle, "price", parse_expression(RULE))
    assert all(now == pytest.approx(before, abs=1e-5) for before, now in weights.values())


def test_a_trained_weight_is_told_at_its_arc(bundle: Bundle) -> None:
    shown, found = drawn()
    with torch.no_grad():
        for parameter in bundle.network.reader.parameters():
            parameter.mul_(0.9)
    weights = weights_of_arcs(shown, bundle, "price", parse_expression(RULE))
    assert any(now < before - 0.01 for before, now in weights.values())


def test_a_network_of_other_rules_is_refused(bundle: Bundle) -> None:
    with pytest.raises(InputError, match="no automaton for the rule 'fee', so it was not made from these rules"):
        weights_of_arcs(drawn()[0], bundle, "fee", parse_expression(RULE))
    with pytest.raises(InputError, match="The network's rule 'price' is another one than the rule here"):
        weights_of_arcs(drawn()[0], bundle, "price", parse_expression("a"))


def test_a_network_of_some_of_the_rules_is_theirs_and_one_of_none_is_refused(bundle: Bundle) -> None:
    rule, other = parse_expression(RULE), parse_expression("hello")
    refuse_other_network(bundle, {"price": parse_expression("a"), "hi": other})
    for rules in ({}, {"fee": rule}, {"price": other, "hi": rule}):
        with pytest.raises(InputError, match=r"not made from these rules: .* Its rules are: price, hi\. Choose"):
            refuse_other_network(bundle, rules)


def test_states_that_only_one_side_has_weigh_nothing(bundle: Bundle) -> None:
    shown, found = drawn(f"{RULE} please")
    weights = weights_of_arcs(shown, bundle, "price", parse_expression(RULE))
    added = [place for place, arc in enumerate(found.arcs) if "please" in arc.tags[1]]
    assert added
    assert not set(added) & set(weights)
