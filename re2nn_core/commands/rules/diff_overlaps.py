"""What diff says of sentences for which two labels speak, or in which rules give a word two tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from re2nn_core.commands._common.command_result import table
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_difference.language_difference import RuleSide
    from re2nn_core.services.rule_difference.overlap_changes import OverlapChange

_LISTED = 20


def overlap_text(changes: Sequence[OverlapChange], side: RuleSide, *, every: bool) -> str:
    """Those that came, went or are undecided as a table, and how many more there are; all with `every`."""
    if not changes:
        return ""
    what = "two rules give one word different tags" if side.tagging else "two labels match"
    shown = [change for change in changes if every or change.tells]
    quiet = _quiet([change for change in changes if change not in shown], side)
    if not shown:
        return f"{_where(side)} {what}: none added and none removed. {quiet}"
    head = f"{_where(side)} {what}, whether or not a text has them: {_counts(shown)}."
    more = len(shown) - _LISTED
    last = [f"and {counted(more, 'pair')} more (--json has all)"] if more > 0 else []
    return "\n".join([head, _table(shown[:_LISTED], side), *last, *([quiet] if quiet else [])])


def _where(side: RuleSide) -> str:
    return f"Sentences {'in' if side.tagging else 'for'} which"


def _counts(shown: Sequence[OverlapChange]) -> str:
    found = Counter(change.came.value for change in shown)
    reported = [f"{count:,} {came[2:]}" for came, count in found.items()]
    undecided = sum(change.now == "" for change in shown)
    return ", ".join([*reported, *([f"{undecided:,} that nothing decides" if undecided else ""])]).removesuffix(", ")


def _table(shown: Sequence[OverlapChange], side: RuleSide) -> str:
    columns = ["", "slots or tags" if side.tagging else "labels", "sentence", "rules"]
    rows = [
        [change.came.value, change.groups_in_words, change.sentence_in_words(), change.rules_in_words()]
        for change in shown
    ]
    if any(by is not None for change in shown for by in change.decided):
        columns.append("decided by")
        rows = [[*row, change.decision_in_words() or "-"] for row, change in zip(rows, shown, strict=True)]
    return table(columns, rows)


def _quiet(left_out: Sequence[OverlapChange], side: RuleSide) -> str:
    if not left_out:
        return ""
    pairs = f"{counted(len(left_out), 'pair')} {'is' if len(left_out) == 1 else 'are'} on both sides"
    if any(change.now is None for change in left_out):
        logic = "priorities decide" if side.tagging else "label logic decides"
        return f"{pairs}; --all-overlaps lists them, --logic-a FILE says which of them {logic}."
    by = "priorities" if side.tagging else "priorities or label logic"
    return f"{pairs} and decided by {by}; --all-overlaps lists them."
