"""Which rules of a network are no longer as they were written, by which edges, and what comments tell of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from re2nn_core.automata.symbols import Symbol
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.report import moved_from
from re2nn_core.reconstruction.classification.threshold_choice import ThresholdChoice
from re2nn_core.reconstruction.weights.class_names import Describe, class_sets
from re2nn_core.reconstruction.weights.edges import MovedEdges, edge_name, moved_edges
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.rules.ruleset import Rule, RuleSet


def moved_rules(
    bundle: Bundle, choice: ThresholdChoice, weighted: Sequence[WeightedMachine], describe: Describe, ruleset: RuleSet
) -> dict[str, MovedEdges]:
    """The rules that are no longer as they were written, with their edges: those changed before a network was built
    anew from its rules, and those changed since. Edges go by the names of the classes of `ruleset`."""
    names = {words: name for name, words in class_sets(ruleset).items()}
    before = {f"@{name}@": words for name, words in class_sets(bundle.ruleset).items()}
    moved = {name: _named_anew(moved_from(values), before, names) for name, values in bundle.moved.items()}
    for machine, candidate, weights in zip(bundle.machines.machines, choice.chosen, weighted, strict=True):
        if candidate is not None:
            found = moved_edges(machine.dfa, candidate.machine, weights, candidate.threshold, describe, names)
            moved.update(dict.fromkeys(machine.rules, found))
    return moved


def _named_anew(
    moved: MovedEdges, before: Mapping[str, frozenset[Symbol]], names: Mapping[frozenset[Symbol], str]
) -> MovedEdges:
    """Edges under the names that their classes have now; `before`: the words of the names that they had."""

    def name(old: str) -> str:
        words = before.get(old)
        return old if words is None else f"@{names[words]}@" if words in names else edge_name(words)

    return replace(moved, learned=tuple(replace(edge, name=name(edge.name)) for edge in moved.learned))


def with_exceptions(ruleset: RuleSet, moved: Mapping[str, MovedEdges]) -> RuleSet:
    """The rules with a comment where an edge came back as `$`, and the network gives some words less than the threshold
    there. Reconstructions write `[^ a b ]` for this; in stored ones of former versions the exceptions are a comment."""
    entries = []
    for entry in ruleset.entries:
        if isinstance(entry, Rule) and entry.name in moved:
            notes = [
                f"$ also matches {', '.join(edge.exceptions)}, which weigh less than {moved[entry.name].threshold:.2f}"
                for edge in moved[entry.name].learned
                if edge.exceptions
            ]
            entry = replace(entry, note="; ".join([*([entry.note] if entry.note else []), *dict.fromkeys(notes)]))
        entries.append(entry)
    return RuleSet(tuple(entries))
