"""Reconstructed rules compared with the written ones: what became of each rule, and how often each side is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts, ReadRules
from re2nn_core.reconstruction.classification.report import AddedRule, RuleChange, SplitAccuracy
from re2nn_core.reconstruction.weights.edges import MovedEdges
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import named_words


def split_accuracies(texts: PredictedTexts, original: ReadRules, new: ReadRules) -> Iterator[SplitAccuracy]:
    """How often the written rules, the network and the reconstructed rules are right, split by split."""
    gold = [example.label for example in texts.corpus]
    rows = list(zip(gold, original.predictions, texts.by_network, new.predictions, strict=True))
    for split, places in texts.splits:
        yield _measured(split, [rows[place] for place in places])


def _measured(split: str, rows: Sequence[tuple[str | None, ...]]) -> SplitAccuracy:
    """Of one split; a row holds a text's label and what the written rules, the network and the new rules give it."""
    labelled = [row for row in rows if row[0] is not None]

    def right(side: int) -> float | None:
        return sum(row[side] == row[0] for row in labelled) / len(labelled) if labelled else None

    return SplitAccuracy(
        split,
        len(rows),
        right(1),
        right(2),
        right(3),
        sum(network == now for _, _, network, now in rows) / len(rows) if rows else 1.0,
        len(labelled),
        sum(now == label != old for label, old, _, now in labelled),
        sum(old == label != now for label, old, _, now in labelled),
    )


def added_words(written: RuleSet, new: RuleSet) -> int:
    """How many words changed and new rules name that the written ones do not, rule by rule; rules that were dropped
    count for those of their label."""
    names = {rule.name for rule in new.rules}
    own = {rule.name: set(named_words(rule.expanded)) for rule in written.rules}
    dropped: dict[str, set[str]] = {}
    for rule in written.rules:
        if rule.name not in names:
            dropped.setdefault(rule.label, set()).update(own[rule.name])
    return sum(
        len(set(named_words(rule.expanded)) - own.get(rule.name, set()) - dropped.get(rule.label, set()))
        for rule in new.rules
    )


def rule_changes(
    moved: Mapping[str, MovedEdges], original: ReadRules, new: ReadRules
) -> tuple[tuple[RuleChange, ...], tuple[AddedRule, ...]]:
    """What became of each written rule, and the rules that nobody has written."""
    written = {rule.name: (rule, original.matches[:, place]) for place, rule in enumerate(original.ruleset.rules)}
    changes: list[RuleChange] = []
    new_rules: list[AddedRule] = []
    for place, rule in enumerate(new.ruleset.rules):
        after = new.matches[:, place]
        if rule.name in written:
            changes.append(_change(rule, *written[rule.name], after, moved.get(rule.name)))
        else:
            new_rules.append(AddedRule(rule.name, rule.label, print_expression(rule.tree), _places(after)))
    return tuple(changes), tuple(new_rules)


def _change(
    rule: Rule, old: Rule, before: NDArray[np.bool_], after: NDArray[np.bool_], found: MovedEdges | None
) -> RuleChange:
    """One rule before and after, each with the texts that it accepts; `found`: its edges where it was changed."""
    only_old, only_new = (None, None) if found is None else witnesses(old, rule)
    return RuleChange(
        name=rule.name,
        label=rule.label,
        original_text=print_expression(old.tree),
        reconstructed_text=print_expression(rule.tree),
        threshold=None if found is None else found.threshold,
        kept_original=found is None,
        witness_only_original=only_old,
        witness_only_reconstructed=only_new,
        lost=_places(before & ~after),
        won=_places(after & ~before),
        edges=0 if found is None else found.edges,
        words=0 if found is None else found.words,
        learned=() if found is None else found.learned,
    )


def compared_with(change: RuleChange, written: Rule, reconstructed: Rule, matched: NDArray[np.bool_]) -> RuleChange:
    """The same change seen from another form of the written rule; fired [texts, 2]: what that one accepts, and what the
    reconstructed rule does."""
    only_written, only_reconstructed = witnesses(written, reconstructed)
    before, after = matched[:, 0], matched[:, 1]
    return replace(
        change,
        original_text=print_expression(written.tree),
        witness_only_original=only_written,
        witness_only_reconstructed=only_reconstructed,
        lost=_places(before & ~after),
        won=_places(after & ~before),
    )


def _places(texts: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(text) for text in np.nonzero(texts)[0])


def witnesses(old: Rule, new: Rule) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Shortest sentences that only the first rule accepts, and only the second; None where there are none, or the
    machines are too large to say."""
    left, right = build_positions(old.expanded), build_positions(new.expanded)
    try:
        return shortest_escape(left, right), shortest_escape(right, left)
    except StateBudgetError:
        return None, None
