"""What is reported of the word classes of rules for slots: their strongest words, as weights/class_names.py has it for
labels."""

from __future__ import annotations

from collections.abc import Mapping

from re2nn_core.automata.symbols import ANY, Symbol, symbol_order
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.reconstruction.weights.class_names import ClassWords, Describe, DescribeWords, by_weight
from re2nn_core.text.vocabulary import Vocabulary


def class_words_by_places(
    machine: RuleMachine, weights: WeightedRule, vocabulary: Vocabulary, describe: Describe
) -> DescribeWords:
    """By the weights on the arcs into the place whose words are nearest to those of the class."""

    def describe_words(symbols: frozenset[Symbol]) -> ClassWords:
        places = [place for place in machine.reading if ANY not in machine.symbols[place]]
        nearest = min(places, key=lambda place: (len(machine.symbols[place] ^ symbols), place), default=None)
        words = [symbol for symbol in sorted(symbols, key=symbol_order) if isinstance(symbol, str)]
        return ClassWords(() if nearest is None else by_weight(words, into(nearest)), describe(words))

    def into(place: int) -> Mapping[str, float]:
        sources = sorted({machine.states[source] for source in machine.in_front_of(place)})
        arcs = weights.arcs(sources, machine.states[place])  # [vocabulary]
        return {word: float(arcs[number]) for word, number in vocabulary.index.items()}

    return describe_words
