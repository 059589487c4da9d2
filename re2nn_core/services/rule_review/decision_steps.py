"""Undo and redo of a reviewer's own decisions. They touch no rule version, nor what somebody else decided since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from re2nn_core.services.rule_review.decisions import ChangeDecision, LearnedChange


@dataclass(frozen=True)
class Step:
    """One action: each change with what stood of it before, and after."""

    changes: tuple[tuple[LearnedChange, ChangeDecision, ChangeDecision], ...]
    in_words: str

    @property
    def rule(self) -> str:
        """The first rule, where the reviewer looks after the step is undone."""
        return self.changes[0][0].rule


@dataclass(frozen=True)
class DecisionSteps:
    """What a reviewer did, the last step at the end, and what was undone of it."""

    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    def with_step(self, step: Step) -> DecisionSteps:
        """After one more step; what was undone before cannot be redone any more."""
        return DecisionSteps((*self.done, step), ())

    def undo(self) -> tuple[DecisionSteps, Step]:
        """Without the last step, and the step; IndexError where there is none."""
        step = self.done[-1]
        return DecisionSteps(self.done[:-1], (*self.undone, step)), step

    def redo(self) -> tuple[DecisionSteps, Step]:
        """With the step that was undone last; IndexError where there is none."""
        step = self.undone[-1]
        return DecisionSteps((*self.done, step), self.undone[:-1]), step


def still_stands(
    step: Step, now: Mapping[str, ChangeDecision], *, undo: bool
) -> tuple[tuple[LearnedChange, ChangeDecision], ...]:
    """What an undo (or redo) of a step has to decide: those of its changes that still are as the step left them (or as
    they were before it). Others were decided by somebody else since, and stay."""
    found = []
    for change, before, after in step.changes:
        stands, wanted = (after, before) if undo else (before, after)
        current = now.get(change.rule)
        if current is not None and _same(current, stands):
            found.append((change, replace(wanted, earlier=False)))
    return tuple(found)


def _same(first: ChangeDecision, second: ChangeDecision) -> bool:
    return (first.state, first.text) == (second.state, second.text)
