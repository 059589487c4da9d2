"""What training did to the edges of a machine, for people: how many words came and went, and what the words of an edge
have in common.

A long set of words goes by the name of its class in the rule, or by its size, `$787`, where the rule has none. All
words but those that fell below the threshold are `[^ a b ]`, of many words `$ but 120`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import ANY, Complement, Symbol, complements_of, reading, show_symbols
from re2nn_core.automata.word_sets import united
from re2nn_core.reconstruction.weights.thresholded_arcs import KINDS, ThresholdedMachine
from re2nn_core.reconstruction.weights.weighted import WeightedMachine

STRONGEST = 8
SHORT = 8  # sets of no more words are named by these
Describe = Callable[[Sequence[str]], str]
Edges = dict[tuple[int, int], frozenset[Symbol]]


@dataclass(frozen=True)
class LearnedEdge:
    """An edge whose words changed. `name`: its words, or their class in the reconstructed rule, `@go.fly_787@`, or
    `$787` for so many where it has none, or `$`; empty where the edge is gone. `came` and `went`: how many words did;
    `strongest`: those of the largest weights, with `weights` beside them; `exceptions`: of `$`, words whose weight fell
    below the threshold, those of the smallest weights first."""

    source: int
    target: int
    name: str
    came: int
    went: int
    strongest: tuple[str, ...]
    weights: tuple[float, ...]
    exceptions: tuple[str, ...]
    description: str


def strongest_weights(edges: Iterable[LearnedEdge]) -> dict[str, float]:
    """The strongest words of some edges, each with its largest weight."""
    found: dict[str, float] = {}
    for edge in edges:
        for word, weight in zip(edge.strongest, edge.weights, strict=False):
            found[word] = max(weight, found.get(word, 0.0))
    return found


@dataclass(frozen=True)
class MovedEdges:
    """`edges`: pairs of states that words lead between, where these words changed; `words`: how many came or went,
    edge by edge, `$` and its like counted as one. `learned` are these edges, the one that changed most in front."""

    threshold: float
    edges: int
    words: int
    learned: tuple[LearnedEdge, ...] = ()


def moved_edges(
    written: PseudoDfa,
    found: ThresholdedMachine,
    weighted: WeightedMachine,
    threshold: float,
    describe: Describe,
    classes: Mapping[frozenset[Symbol], str] | None = None,
) -> MovedEdges:
    """A machine as it was written, as it was reconstructed over the same states, and its weights; `classes`: the names
    of word sets in the reconstructed rule."""
    before, after = _edges(written), _edges_found(found)
    nothing: frozenset[Symbol] = frozenset()
    learned = []
    for source, target in sorted(before.keys() | after.keys()):
        old, new = before.get((source, target), nothing), after.get((source, target), nothing)
        if not same_words(old, new):
            edge = _learned(weighted, threshold, (source, target), old, new, describe)
            learned.append(replace(edge, name=f"@{classes[new]}@") if classes and new in classes else edge)
    learned.sort(key=lambda edge: -edge.came - edge.went)
    return MovedEdges(threshold, len(learned), sum(edge.came + edge.went for edge in learned), tuple(learned))


def same_edges(written: PseudoDfa, found: ThresholdedMachine) -> bool:
    """Whether a machine was reconstructed as it was written: the same words on the same edges, the same ends."""
    ends = found.starts == {0} and found.finals == written.finals
    before, after = _edges(written), _edges_found(found)
    return ends and before.keys() == after.keys() and all(same_words(before[edge], after[edge]) for edge in before)


def same_words(written: frozenset[Symbol], found: frozenset[Symbol]) -> bool:
    """Whether an edge reads what was written. `%` and `&` without some of their words have no form of their own in the
    rule language: they are `%` and `&`, where that was written."""
    if united(written) == found:
        return True
    bases = (s.base if isinstance(s, Complement) and s.base is not ANY else s for s in found)
    return written == frozenset(bases)


def _edges(machine: PseudoDfa) -> Edges:
    return {(source, target): symbols for source, target, symbols in machine.arcs()}


def _edges_found(machine: ThresholdedMachine) -> Edges:
    return {(arc.source, arc.target): frozenset(arc.symbols) for arc in machine.arcs}


def _learned(
    weighted: WeightedMachine,
    threshold: float,
    edge: tuple[int, int],
    old: frozenset[Symbol],
    new: frozenset[Symbol],
    describe: Describe,
) -> LearnedEdge:
    weights = weighted.arcs[:, edge[0], edge[1]][KINDS:]  # [words]
    words = weighted.vocabulary.words[KINDS:]
    by_weight = np.argsort(-weights, kind="stable")
    inside = [place for place in by_weight if reading(new, words[place])]
    named, shown = [words[place] for place in inside], inside[:STRONGEST]
    below = [words[place] for place in by_weight[::-1] if weights[place] < threshold] if ANY in new else []
    return LearnedEdge(
        *edge,
        name=edge_name(new),
        came=len(new - old),
        went=len(old - new),
        strongest=tuple(words[place] for place in shown),
        weights=tuple(round(float(weights[place]), 3) for place in shown),
        exceptions=tuple(below[:STRONGEST]),
        description="" if ANY in new or complements_of(new) or len(new) <= SHORT else describe(named),
    )


def edge_name(symbols: frozenset[Symbol]) -> str:
    """The words of an edge in short: themselves, `$`, or `$787` for so many."""
    if ANY in symbols:
        return "$"
    for symbol in complements_of(symbols):
        if isinstance(symbol, Complement) and len(symbol.but) > SHORT:
            return f"$ but {len(symbol.but):,}"
    if len(symbols) > SHORT:
        return f"${len(symbols):,}"
    return " | ".join(show_symbols(symbols))
