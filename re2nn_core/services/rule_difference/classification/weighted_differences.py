"""What a trained network makes of the arcs of a difference: their weights before and after training.

A network's block has the states of the machine that its rule was compiled to, so that an arc between two states that
the written rule has can be looked up in the trained weights. Before training an arc weighs 1 where the rule has it and
0 where it does not; after training its weight is the mean over its words. Arcs of states that only the rule read back
has stand for no arc of the network, and have no weight here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from re2nn_core.automata.differences.difference import ArcDifference
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Complement, Symbol
from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.weights.weighted import WeightedMachine, weighted_machines
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference
from re2nn_core.tensors.factors import rows_read
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.vocabulary import Vocabulary

_KINDS: dict[Symbol, int] = {ANY: 0, NUMBER: 1, PUNCTUATION: 2}
_NAMED = 20  # of a network's rules, in a message
Weights = Mapping[int, tuple[float, float]]


def refuse_other_network(bundle: Bundle, rules: Mapping[str, Node]) -> None:
    """InputError where the network was made from none of the rules (name -> tree, classes put in): it belongs to other
    rules. Single ones may have been edited since."""
    own = bundle.ruleset.rules
    if not any(rules.get(rule.name) == rule.expanded for rule in own):
        raise InputError(
            "The network was not made from these rules: none of them has the same name and text in it. "
            f"Its rules are: {first_names([rule.name for rule in own], _NAMED)}. "
            "Choose the network of this project, or draw without weights."
        )


def weights_of_arcs(drawn: DrawnDifference, bundle: Bundle, name: str, tree: Node) -> Weights:
    """Place of an arc -> (weight before, weight after), for the arcs that the network has. `tree` is the written rule
    on the left of what is drawn. A state drawn for several of the network's weighs from each of them what its strongest
    way to the other end weighs, and of these the mean.

    InputError where the network has no machine of the name, or one of another rule: it belongs to other rules.
    """
    refuse_other_rule({machine.name: machine.tree for machine in bundle.machines.machines}, name, tree)
    weighted = next(found for found in weighted_machines(bundle.network, bundle.vocabulary) if found.name == name)
    difference = drawn.difference
    arcs = () if difference is None else difference.arcs
    found = {place: _weights(arc, drawn, weighted) for place, arc in enumerate(arcs)}
    return {place: weights for place, weights in found.items() if weights is not None}


def refuse_other_rule(known: Mapping[str, Node], name: str, tree: Node) -> None:
    """InputError where none of a network's rules has the name, or it is another one than the tree."""
    if name not in known:
        names = first_names(list(known), _NAMED)
        raise InputError(
            f"The network has no automaton for the rule '{name}', so it was not made from these rules. "
            f"Its automata are: {names}. Choose the network of this project, or draw without weights."
        )
    if known[name] != tree:
        raise InputError(
            f"The network's rule '{name}' is another one than the rule here, so it was not made from these rules. "
            "Choose the network that was trained from them, or draw without weights."
        )


def _weights(arc: ArcDifference, drawn: DrawnDifference, weighted: WeightedMachine) -> tuple[float, float] | None:
    """Both over the words that the network knows: another one has no weight that could have changed."""
    sources, targets = drawn.states_of(arc.source), drawn.states_of(arc.target)
    rows = list(weighted_rows_of(arc.symbols, weighted.vocabulary))
    if not sources or not targets or not rows:
        return None
    # arcs [vocabulary, states, states]
    between = weighted.arcs[np.ix_(rows, sorted(sources), sorted(targets))]
    weight = float(np.clip(between, 0.0, 1.0).max(axis=2).mean())
    before, _ = arc.tags
    return len(list(weighted_rows_of(before, weighted.vocabulary))) / len(rows), weight


def weighted_rows_of(symbols: Iterable[Symbol], vocabulary: Vocabulary) -> Iterable[int]:
    """The rows of the symbols in the vocabulary; words that it does not know, BOS and EOS have none."""
    for symbol in symbols:
        if isinstance(symbol, str):
            if symbol in vocabulary.index:
                yield vocabulary.index[symbol]
        elif symbol in _KINDS:
            yield _KINDS[symbol]
        elif isinstance(symbol, Complement):
            yield from np.flatnonzero(rows_read(vocabulary, frozenset({symbol}))).tolist()
