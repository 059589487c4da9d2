"""All that is proposed for the rules and label logic of a draft at once, and the draft with one of them accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import HELD_OUT, Material
from re2nn_core.services.rule_writing.classification.proposals import (
    DefaultLabel,
    Priority,
    Proposal,
    add_priorities,
    propose,
    propose_default,
    propose_priorities,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, put_texts, reveal

Change = Proposal | DefaultLabel | Sequence[Priority]


@dataclass(frozen=True, eq=False)
class ProposedChanges:
    """Rules, the one that gains most first; priorities between labels; a default label."""

    rules: tuple[Proposal, ...]
    priorities: tuple[Priority, ...]
    default: DefaultLabel | None

    @property
    def nothing(self) -> bool:
        return not (self.rules or self.priorities or self.default)


def propose_changes(
    bench: TextBench, analysis: Analysis, material: Material, *, label: str | None = None
) -> ProposedChanges:
    """What is proposed for all labels, or for one: its rules, and the priorities in which it takes part. InputError
    where there is no labelled text to propose from."""
    rules = propose(bench, analysis, material, label=label)
    priorities = propose_priorities(analysis, material)
    default = propose_default(analysis, material)
    if label is not None:
        priorities = tuple(one for one in priorities if label in (one.stronger, one.weaker))
        default = default if default is not None and default.label == label else None
    return ProposedChanges(rules, priorities, default)


def accept_change(draft: Draft, analysis: Analysis, change: Change) -> Draft | None:
    """The draft with the change in its editors; None where it has other texts by now than those that were analysed."""
    system = analysis.system
    if draft.editors.both != (system.rules_text, system.logic_text):
        return None
    if isinstance(change, Proposal):
        rules_text, logic_text = with_proposals(system, [change])
        return reveal(put_texts(draft, rules_text, logic_text), _line_of(rules_text, change.name))
    if isinstance(change, DefaultLabel):
        return put_texts(draft, system.rules_text, with_default_label(system.logic_text, change.label))
    return put_texts(draft, system.rules_text, add_priorities(system.logic_text, change))


def _line_of(rules_text: str, name: str) -> int:
    lines = rules_text.splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"{name} :=")), 1)


@dataclass(frozen=True)
class HeldOutEffect:
    """What a proposal does to the texts of a split that made no proposal."""

    split: str
    fixed: int
    broken: int


def held_out_effects(proposal: Proposal, splits: Sequence[str | None]) -> tuple[HeldOutEffect, ...]:
    """What it does to dev and to test, where there are such texts."""
    fixed, broken = (_by_split(places, splits) for places in (proposal.fixed, proposal.broken))
    return tuple(HeldOutEffect(split, fixed[split], broken[split]) for split in HELD_OUT if split in splits)


def _by_split(places: NDArray[np.int64], splits: Sequence[str | None]) -> Counter[str | None]:
    return Counter(splits[int(place)] for place in places)
