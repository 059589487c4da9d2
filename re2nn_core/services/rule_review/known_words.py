"""What is known of the words that training taught: how often they come, the classes that hold them, their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.weights.class_names import class_sets
from re2nn_core.reconstruction.weights.word_set_description import word_sets
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.text.word_groups import WordKnowledge

Network: TypeAlias = Bundle | TaggerBundle


def known_words(bundle: Network, sentences: Sequence[Sequence[str]], ruleset: RuleSet) -> WordKnowledge:
    """By the vectors of a trained network, tokenized texts and the classes of the rules that were written."""
    sets = word_sets(bundle, sentences)
    classes = {
        name: frozenset(symbol for symbol in symbols if isinstance(symbol, str))
        for name, symbols in class_sets(ruleset).items()
    }
    return WordKnowledge(sets.counts, classes, sets.likeness)
