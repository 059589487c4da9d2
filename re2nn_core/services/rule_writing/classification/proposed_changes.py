"""All that is proposed for the rules and label logic of a draft at once, and the draft with one of them accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_writing.classification.exclusions import (
    Exclusion,
    propose_exclusions,
)
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import HELD_OUT, Material
from re2nn_core.services.rule_writing.classification.proposals import (
    MOST,
    DefaultLabel,
    Priority,
    Proposal,
    propose,
    propose_default,
    propose_priorities,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.classification.unlabelled_texts import (
    NewLabel,
    propose_for_unlabelled,
    propose_groups,
)

Ranked = Proposal | Exclusion | Priority | DefaultLabel
Change = Proposal | Exclusion | NewLabel | DefaultLabel | Sequence[Priority]


@dataclass(frozen=True)
class Asked:
    """What proposals are for: all labels, one `label`, one `rule` of it, or the texts at the `chosen` places, by
    one of the `words` where there are some. `quick`: rules of single words alone, without guessed labels, as a first
    look at what takes longer. `most`: of each kind."""

    label: str | None = None
    rule: str | None = None
    chosen: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    quick: bool = False
    most: int = MOST


@dataclass(frozen=True, eq=False)
class ProposedChanges:
    """Rules, the one that gains most first; conditions for rules with incorrect predictions; priorities between labels;
    a default label; rules for texts without a label."""

    rules: tuple[Proposal, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    priorities: tuple[Priority, ...] = ()
    default: DefaultLabel | None = None
    new_labels: tuple[NewLabel, ...] = ()

    def ranked(self, most: int = MOST) -> tuple[Ranked, ...]:
        """Rules, conditions, priorities and the default label, that which gains most texts first; at most so many. A
        default label that most of its texts do not have is the last: it would hide what rules still miss."""
        default = () if self.default is None else (self.default,)
        every: tuple[Ranked, ...] = (*self.rules, *default, *self.priorities, *self.exclusions)
        return tuple(sorted(every, key=lambda one: (_is_a_guess(one), -one.gain))[:most])

    @property
    def nothing(self) -> bool:
        return not (self.rules or self.exclusions or self.priorities or self.default or self.new_labels)


def propose_changes(
    bench: TextBench,
    analysis: Analysis,
    material: Material,
    splits: Sequence[str | None],
    asked: Asked = Asked(),
) -> ProposedChanges:
    """What is proposed. Where no text has a label: rules for groups of texts. InputError where there is neither a
    labelled text to propose from nor a group."""
    if asked.chosen:
        return _for_texts(bench, analysis, material, splits, asked)
    if not len(material.gold) and asked.label is None:
        return _for_groups(bench, analysis, material, splits, asked.most)
    label = asked.label
    rules = propose(bench, analysis, material, label=label, most=asked.most, words_alone=asked.quick)
    if asked.quick:
        return ProposedChanges(rules)
    exclusions = propose_exclusions(bench, analysis, material, label=label, rule=asked.rule, most=asked.most)
    priorities = propose_priorities(analysis, material, most=asked.most)
    default = propose_default(analysis, material)
    if label is not None:
        priorities = tuple(one for one in priorities if label in (one.stronger, one.weaker))
        default = default if default is not None and default.label == label else None
    found = ProposedChanges(rules, exclusions, priorities, default)
    if found.nothing and label is None:
        return ProposedChanges(new_labels=propose_groups(bench, analysis, splits, most=asked.most))
    return found


def _for_groups(
    bench: TextBench, analysis: Analysis, material: Material, splits: Sequence[str | None], most: int
) -> ProposedChanges:
    groups = propose_groups(bench, analysis, splits, most=most)
    if not groups:
        material.refuse_nothing(None, analysis.labels)
    return ProposedChanges(new_labels=groups)


def _for_texts(
    bench: TextBench, analysis: Analysis, material: Material, splits: Sequence[str | None], asked: Asked
) -> ProposedChanges:
    """Rules for the labels of the chosen texts; for those without one, of the label that is looked at, or of new
    labels."""
    free = [place for place in asked.chosen if analysis.gold[place] < 0]
    own = [place for place in free if splits[place] not in HELD_OUT]
    new_labels: tuple[NewLabel, ...] = ()
    if free and asked.label is None:
        new_labels = propose_for_unlabelled(bench, analysis, free, splits, words=asked.words)
    elif own:
        material = material.with_assumed(own, str(asked.label))
    known = len(free) < len(asked.chosen) or asked.label is not None
    rules: tuple[Proposal, ...] = ()
    if known:
        rules = propose(bench, analysis, material, chosen=asked.chosen, words=asked.words, words_alone=asked.quick)
    return ProposedChanges(rules, new_labels=new_labels)


@dataclass(frozen=True)
class HeldOutEffect:
    """What a proposal does to the texts of a split that made no proposal."""

    split: str
    fixed: int
    broken: int


def held_out_effects(proposal: Proposal | Exclusion, splits: Sequence[str | None]) -> tuple[HeldOutEffect, ...]:
    """What it does to dev and to test, where there are such texts."""
    fixed, broken = (_by_split(places, splits) for places in (proposal.fixed, proposal.broken))
    return tuple(HeldOutEffect(split, fixed[split], broken[split]) for split in HELD_OUT if split in splits)


def _by_split(places: NDArray[np.int64], splits: Sequence[str | None]) -> Counter[str | None]:
    return Counter(splits[int(place)] for place in places)


def _is_a_guess(one: Ranked) -> bool:
    """Whether it is a default label that is incorrect for most texts that get it."""
    return isinstance(one, DefaultLabel) and one.incorrect > one.fixed
