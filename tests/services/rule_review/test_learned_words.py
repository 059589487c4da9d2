"""Where learned words stand in the texts that a rule matches by them."""

from __future__ import annotations

from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees
from re2nn_core.services.rule_review.learned_words import learned_in_texts, learned_words
from re2nn_core.text.tokenization import Tokenization


def test_the_words_that_decide_are_found_and_no_others() -> None:
    tree = parse_expression("$* ( back | home ) [ monday ]<day> $*")
    texts = ("At home: fly Home Monday", "back monday", "nothing")
    assert learned_in_texts(tree, {"home"}, texts, Tokenization()) == [((13, 17),), (), ()]


def test_learned_are_words_that_a_transition_did_not_read() -> None:
    before, after = (parse_expression(text) for text in ("$* a $*", "$* ( a | b ) $*"))
    assert learned_words(drawn_trees("r", before, after, tagging=False).difference) == {"b"}
    assert learned_words(None) == frozenset()
