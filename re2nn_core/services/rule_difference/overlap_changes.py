"""Overlaps of two rule sets side by side: which came, which went, and which nothing decides.

Two labels that predict one sentence are no fault where a priority, or another part of the label logic, says which of
them wins; so it is with two slots that claim a word. What is the same on both sides and decided needs no reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from re2nn_core.automata.positions import accepts
from re2nn_core.rules.logic.decisions import LabelLogic, decide_labels
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings, Overlap
from re2nn_core.services.rule_difference.language_difference import RuleSide
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem

Decides = Callable[[Overlap], str]  # what decides between the two; empty where nothing does
Titles = tuple[str, str]  # what the two sides are called
_LETTERS = "A", "B"
_RULES = 3  # that are named of one label


class Came(Enum):
    """Where an overlap is. The value is its sign and a word, as tables show it."""

    NEW = "+ new"
    REMOVED = "− gone"
    BOTH = "= on both sides"
    # The other side was not looked at in whole.
    PERHAPS_NEW = "? B alone, or not looked at in A"
    PERHAPS_REMOVED = "? A alone, or not looked at in B"


@dataclass(frozen=True)
class OverlapChange:
    """An overlap, as it is in B where B has it. `in_left`: as it is in A, where both have it and no sentence holds on
    both; then each side has its own. `decided` says by what, on A and on B: empty for by nothing, None where
    the side does not have it or no logic was given."""

    overlap: Overlap
    came: Came
    decided: tuple[str | None, str | None]
    in_left: Overlap | None = None

    def sentence_in_words(self, titles: Titles = _LETTERS) -> str:
        """The sentence, or that of each side."""
        return self._of_each_side(lambda overlap: " ".join(overlap.sentence) or "(the empty sentence)", titles)

    @property
    def groups_in_words(self) -> str:
        """The two labels or slots; the two tags where they are of one slot."""
        one, other = self.overlap.groups
        return " and ".join((self.overlap.tags or ()) if one == other else (one, other))

    def rules_in_words(self, titles: Titles = _LETTERS) -> str:
        """The rules that speak, or those of each side; of slots with the tag that each gives the word."""
        return self._of_each_side(_rules_of, titles)

    def _of_each_side(self, report_progress: Callable[[Overlap], str], titles: Titles) -> str:
        left, right = report_progress(self.in_left or self.overlap), report_progress(self.overlap)
        return right if left == right else f"{titles[0]}: {left}; {titles[1]}: {right}"

    @property
    def now(self) -> str | None:
        """What decides it on the side that is shown."""
        return self.decided[0] if self.came in (Came.REMOVED, Came.PERHAPS_REMOVED) else self.decided[1]

    @property
    def tells(self) -> bool:
        """Whether a reader has to look at it: it came, it went, or nothing decides it."""
        return self.came is not Came.BOTH or self.now == ""

    def decision_in_words(self, titles: Titles = _LETTERS) -> str:
        """What decides it, in words; where that changed, on both sides."""
        before, after = (None if by is None else by or "nothing" for by in self.decided)
        if self.came is not Came.BOTH or before == after or before is None or after is None:
            return (before if self.now is self.decided[0] else after) or ""
        return f"{titles[0]}: {before}, {titles[1]}: {after}"


def _rules_of(overlap: Overlap) -> str:
    if overlap.tags is None:
        return " / ".join(map(_named, overlap.rules))
    return ", ".join(
        f"{_named(rules)} {'says' if len(rules) == 1 else 'say'} {tag}"
        for rules, tag in zip(overlap.rules, overlap.tags, strict=True)
    )


def _named(rules: Sequence[str]) -> str:
    more = len(rules) - _RULES
    return ", ".join(rules[:_RULES]) + (f" and {more:,} more" if more > 0 else "")


def overlap_changes(
    left: Findings, right: Findings, decides: tuple[Decides | None, Decides | None]
) -> tuple[OverlapChange, ...]:
    """All overlaps of both sides, those that a reader has to look at in front."""
    before, after = ({frozenset(found.groups): found for found in side.overlaps} for side in (left, right))
    changes = []
    for groups, overlap in (after | {key: found for key, found in before.items() if key not in after}).items():
        decided = tuple(
            None if by is None or groups not in own else by(own[groups])
            for by, own in zip(decides, (before, after), strict=True)
        )
        came = _came(groups in before, groups in after, left, right)
        earlier = before.get(groups, overlap)
        in_left = None if earlier.sentence == overlap.sentence else earlier
        changes.append(OverlapChange(overlap, came, (decided[0], decided[1]), in_left))
    order = list(Came)
    return tuple(sorted(changes, key=lambda change: (not change.tells, order.index(change.came))))


def _came(before: bool, after: bool, left: Findings, right: Findings) -> Came:
    if before and after:
        return Came.BOTH
    if after:
        return Came.NEW if left.all_pairs else Came.PERHAPS_NEW
    return Came.REMOVED if right.all_pairs else Came.PERHAPS_REMOVED


def what_decides(system: RuleSystem | SlotSystem, side: RuleSide) -> Decides:
    """What decides overlaps of a side by its own logic."""
    if isinstance(system, SlotSystem):
        return lambda overlap: _decides_slots(system, overlap)
    return lambda overlap: _decides_labels(system.logic, side, overlap)


def _decides_labels(logic: LabelLogic, side: RuleSide, overlap: Overlap) -> str:
    """A priority between the two holds for every sentence; the formulas are asked for this one."""
    one, other = overlap.groups
    for strong, weak in ((one, other), (other, one)):
        if (strong, weak) in logic.priorities:
            return f"{strong} > {weak}"
    matched = {name for name, machine in side.machines.items() if accepts(machine.automaton, overlap.sentence)}
    decision = decide_labels(logic, matched)
    # A third label that beats both of them decides nothing between the two.
    matches = [label for label in overlap.groups if label in (*decision.active, *decision.beaten)]
    return "" if len(matches) == 2 else f"label logic, here for {matches[0] if matches else 'neither'}"


def _decides_slots(system: SlotSystem, overlap: Overlap) -> str:
    one, other = overlap.tags or ("", "")
    for strong, weak in ((one, other), (other, one)):
        if weak in system.silent.get(strong, frozenset()):
            return f"{strong} > {weak}"
    return ""
