"""What `propose` prints of rules and conditions for both tasks: a table of rules, and two lines for a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.commands._common.command_result import table

Counts = tuple[int, int]  # fixed, broken
SplitCounts = Sequence[tuple[str, int, int]]  # the same of splits that make no proposal
NOT_WRITTEN = "Not written, as with the others nothing is gained by it: {}."
ADD_OUTPUT = "Add -o FILE to write the rules with all that is proposed."


@dataclass(frozen=True)
class RuleRow:
    """A proposed rule: its label or slot, and what it does to unseen ones and to those with a guess; `correct` of
    `matches` are right."""

    group: str
    name: str
    unseen: Counts
    guessed: Counts
    correct: int
    matches: int
    splits: SplitCounts


def signed(counts: Sequence[int]) -> str:
    """`+12 -3`, of texts or spans fixed and broken."""
    return "+{} -{}".format(*counts)


def rules_table(group: str, what: str, rows: Sequence[RuleRow]) -> tuple[str, bool]:
    """The rules, and whether guesses count; `group` is label or slot, `what` is counted, such as texts."""
    guessed = any(any(row.guessed) for row in rows)
    head = [group, "rule", f"unseen {what}", *([f"guessed {what}"] if guessed else []), "correct"]
    lines = [
        [
            row.group,
            row.name,
            signed(row.unseen),
            *([signed(row.guessed)] if guessed else []),
            f"{row.correct:,} of {row.matches:,}",
            *(signed(counts) for _, *counts in row.splits),
        ]
        for row in rows
    ]
    return table([*head, *(split for split, *_ in rows[0].splits)], lines), guessed


def condition_lines(
    title: str, unseen: str, splits: SplitCounts, every: str, *, more: Sequence[str] = (), excluded: Sequence[str] = ()
) -> list[str]:
    """A condition under its `title`, with what it does to `unseen` ones, to splits and to `every` one, and a text that
    it leaves out."""
    counts = [unseen, *(f"{split} {signed(counts)}" for split, *counts in splits), every, *more]
    return [title, f"    {'; '.join(counts)}", *(f"    excludes: {text}" for text in excluded[:1])]
