"""Where a run died: the longest beginning of a sentence that is also one of an accepted sentence."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import TEXT_WORDS, sentences, trees
from support.rules.oracles import accepts

from re2nn_core.automata.positions import build_positions
from re2nn_core.explain.death import Death, where_it_died
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


@pytest.mark.parametrize(
    ("expression", "text", "death"),
    [
        ("$* flight $*", "book a flight", None),
        ("$* flight $*", "book a plane", Death(3, None, ("$", "flight"), False)),
        ("book a flight", "book the flight", Death(1, "the", ("a",), False)),
        ("book ( a | the ) flight", "book a big flight", Death(2, "big", ("flight",), False)),
        ("book a flight", "book a flight now", Death(3, "now", (), True)),
        ("book %", "book", Death(1, None, ("%",), False)),
        ("BOS book EOS", "a book", Death(0, "a", ("book",), False)),
        # A way that leads nowhere counts for nothing.
        ("( a x BOS | a y )", "a x", Death(1, "x", ("y",), False)),
        ("a BOS b", "a", Death(0, "a", (), False)),
        ("a", "", Death(0, None, ("a",), False)),
    ],
)
def test_where_it_died(expression: str, text: str, death: Death | None) -> None:
    tree = read_rules(f"[x]\nr := {expression}\n").ruleset.rules[0].expanded
    assert where_it_died(build_positions(tree), text.split()) == death


@settings(max_examples=60, deadline=None)
@given(trees(5), sentences(4))
def test_no_longer_beginning_is_one_of_an_accepted_sentence(tree: Node, sentence: tuple[str, ...]) -> None:
    """Every accepted sentence of up to two words more than the beginning is tried."""
    death = where_it_died(build_positions(tree), sentence)
    assert (death is None) == accepts(tree, sentence)
    if death is None or death.word is None:
        return
    longer = sentence[: death.read + 1]
    endings = [ending for length in range(3) for ending in product(TEXT_WORDS, repeat=length)]
    assert not any(accepts(tree, (*longer, *ending)) for ending in endings)
