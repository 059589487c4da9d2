"""Weights of a tagger on the arcs of a difference of transducers: untrained they are the rule, trained ones move."""

from __future__ import annotations

import pytest
import torch

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.classification.weighted_differences import Weights
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.services.rule_difference.slot_filling.weighted_differences import weights_of_tagged_arcs, word_weights
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

RULE = "$* ( to | for ) [ oslo | new york ]<city> $*"
AFTER = "$* ( to | for ) [ oslo | rome | new york ]<city> $*"
RULES = f"city := {RULE}\nday := on [ monday ]<day>\n"


def tree(rule: str) -> Node:
    return tagged(parse_expression(rule))


def tagger(kind: str) -> TaggerBundle:
    words = build_vocabulary([["rome"]], always=["to", "for", "oslo", "new", "york", "on", "monday"])
    config = TaggerConfig(vectors="none", auxiliary="none", transducer=kind)  # type: ignore[arg-type]
    return build_tagger(TaggerParts(RULES, "", Tokenization(), words, config))


def weighed(bundle: TaggerBundle, after: str = AFTER) -> tuple[DrawnDifference, Weights]:
    drawn = drawn_trees("city", tree(RULE), tree(after), tagging=True)
    assert drawn.difference is not None
    assert drawn.left is not None
    return drawn, weights_of_tagged_arcs(drawn.difference, drawn.left, bundle, "city", tree(RULE))


@pytest.mark.parametrize("kind", ["positions", "ifst"])
@pytest.mark.parametrize("after", [RULE, AFTER, f"{AFTER} please", RULE.replace("<city>", "<town>")])
def test_an_untrained_tagger_weighs_what_the_rule_says(kind: str, after: str) -> None:
    drawn, weights = weighed(tagger(kind), after)
    assert drawn.difference is not None
    arcs = drawn.difference.arcs
    assert len(weights) >= len([arc for arc in arcs if arc.tags[0]])
    for place, (before, now) in weights.items():
        assert bool(before) == bool(arcs[place].before)
        assert now == pytest.approx(before, abs=1e-5)


def test_the_words_of_a_rule_have_their_largest_weight() -> None:
    """Untrained, those that it names have one and others none; a wildcard gives none any."""
    weights = word_weights(tagger("positions"))
    assert list(weights) == ["city", "day"]
    named = {word for word, weight in weights["city"].items() if weight > 0.5}
    assert named == {"to", "for", "oslo", "new", "york"}
    assert {word for word, weight in weights["day"].items() if weight > 0.5} == {"on", "monday"}


def test_a_trained_weight_is_told_at_its_arc() -> None:
    bundle = tagger("positions")
    with torch.no_grad():
        for parameter in bundle.network.reader.parameters():
            parameter.mul_(0.9)
    _, weights = weighed(bundle)
    assert any(now < before - 0.01 for before, now in weights.values())


def test_a_tagger_of_other_rules_is_refused() -> None:
    drawn, _ = weighed(tagger("positions"))
    assert drawn.difference is not None
    assert drawn.left is not None
    with pytest.raises(InputError, match="no automaton for the rule 'town', so it was not made from these rules"):
        weights_of_tagged_arcs(drawn.difference, drawn.left, tagger("positions"), "town", tree(RULE))
    with pytest.raises(InputError, match="The network's rule 'day' is another one than the rule here"):
        weights_of_tagged_arcs(drawn.difference, drawn.left, tagger("positions"), "day", tree(RULE))


def test_what_no_place_of_the_network_can_give_counts_on_neither_side() -> None:
    drawn, weights = weighed(tagger("positions"), RULE.replace("<city>", "<town>"))
    assert drawn.difference is not None
    [place] = [place for place, arc in enumerate(drawn.difference.arcs) if "oslo" in arc.tags[0] and arc.retagged]
    assert weights[place] == pytest.approx((1, 1), abs=1e-5)
