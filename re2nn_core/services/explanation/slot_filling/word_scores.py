"""The score of each tag at each word as a sum, and the best paths through the rules that speak most."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.score_parts import TagScoreParts
from re2nn_core.services.explanation.classification.explanation import RulePath
from re2nn_core.services.explanation.slot_filling.explanation import TaggedWord, TagSum
from re2nn_core.services.explanation.slot_filling.network_explanation import (
    MeanTagPrediction,
    Words,
    chain_parts,
    tag_paths_of,
)

MOST_RULES = 6
_ADDS = 0.005  # a part below is none; figures that differ by less are shown as the same
Doubles = NDArray[np.float64]


def sums_of_words(bundle: TaggerBundle, parts: TagScoreParts, found: MeanTagPrediction) -> list[tuple[TagSum, ...]]:
    """The sums of all tags at each word."""
    chain = chain_parts(bundle, found.numbers.tolist())
    rules = parts.by_rule.sum(0)
    return [
        _sums(bundle.network.tags, rules[place], parts.outside[place], chain[place], found.probabilities[place])
        for place in range(len(rules))
    ]


def _sums(
    tags: tuple[str, ...], rules: Doubles, outside: Doubles, chain: Doubles, probabilities: Doubles
) -> tuple[TagSum, ...]:
    """[tags] each: all tags, by falling score with what the chain adds."""
    total = rules + outside
    return tuple(
        TagSum(
            tags[tag],
            float(rules[tag]),
            float(outside[tag]),
            float(total[tag]),
            float(probabilities[tag]),
            float(chain[tag]),
        )
        for tag in np.argsort(-(total + chain), kind="stable").tolist()
    )


def added_by_rules(bundle: TaggerBundle, own: Doubles) -> dict[str, float]:
    """What rules add, of values [rules]; nothing of those that add next to nothing."""
    pairs = zip(bundle.network.names, own.tolist(), strict=True)
    return {name: value for name, value in pairs if abs(value) > _ADDS}


def best_paths_of(
    bundle: TaggerBundle,
    before: TaggerBundle,
    batch: Batch,
    sentence: Words,
    parts: TagScoreParts,
    matching: Collection[str],
    positions_of: Callable[[str], PositionAutomaton | None],
) -> tuple[RulePath, ...]:
    """The best paths through the rules that match, then through those that add most. `positions_of` gives a rule's
    positions, where they are the network's states."""
    names = bundle.network.names
    strength = np.abs(parts.by_rule).max((1, 2), initial=0.0)
    order = sorted(range(len(strength)), key=lambda rule: (names[rule] not in matching, -strength[rule]))
    chosen = [rule for rule in order if strength[rule] > _ADDS][:MOST_RULES]
    every = [tag_paths_of(bundle, before, batch, sentence, rule, positions_of(names[rule])) for rule in chosen]
    return tuple(path for paths in every for path in paths)


def tied_words(words: tuple[TaggedWord, ...]) -> list[str]:
    """Words of which two slots score the same in a trained network, as far as figures are shown."""
    reported = []
    for word in words:
        best = [one.score + one.chain for one in word.sums[:2]]
        shown = ["O" if one.tag in ("O", "OO") else one.tag for one in word.sums[:2]]
        if len(best) == 2 and abs(best[0] - best[1]) < _ADDS and shown[0] != shown[1]:
            reported.append(f"“{word.text}”: {shown[0]} and {shown[1]} have the same score to two decimals.")
    return reported
