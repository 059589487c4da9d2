"""Undo and redo of a reviewer's own decisions. They touch no rule version, nor what somebody else decided since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.services.rule_review.decisions import UNDECIDED, ChangeDecision, LearnedChange, ReviewState
from re2nn_core.store import Store, review_events

InWords = Callable[[ReviewState, Sequence[str]], str]


@dataclass(frozen=True)
class DecisionStep:
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

    done: tuple[DecisionStep, ...] = ()
    undone: tuple[DecisionStep, ...] = ()

    def with_step(self, step: DecisionStep) -> DecisionSteps:
        """After one more step; what was undone before cannot be redone any more."""
        return DecisionSteps((*self.done, step), ())

    def without(self, saved: Collection[str]) -> DecisionSteps:
        """Those that are about some other rule than the saved ones: a version is not taken back step by step."""

        def kept(steps: Iterable[DecisionStep]) -> tuple[DecisionStep, ...]:
            return tuple(step for step in steps if any(change.rule not in saved for change, _, _ in step.changes))

        return DecisionSteps(kept(self.done), kept(self.undone))

    def undo(self) -> tuple[DecisionSteps, DecisionStep]:
        """Without the last step, and the step; IndexError where there is none."""
        step = self.done[-1]
        return DecisionSteps(self.done[:-1], (*self.undone, step)), step

    def redo(self) -> tuple[DecisionSteps, DecisionStep]:
        """With the step that was undone last; IndexError where there is none."""
        step = self.undone[-1]
        return DecisionSteps((*self.done, step), self.undone[:-1]), step


def steps_of(
    store: Store, project_id: int, changes: Iterable[LearnedChange], person: str, in_words: InWords
) -> DecisionSteps:
    """What somebody did in earlier sessions, read off the project's log; a step that turned the one before it around
    counts as its undo. `in_words` names a step. NotFoundError for a project that is gone."""
    known = {(change.rule, change.fingerprint): change for change in changes}
    now: dict[str, ChangeDecision] = {}
    steps = DecisionSteps()
    for event in review_events(store, project_id):
        moved = []
        for row in (event.data or {}).get("decided", ()):
            change = known.get((row["rule"], row["fingerprint"]))
            if change is None:
                continue
            before, after = now.get(change.rule, UNDECIDED), ChangeDecision(ReviewState(row["state"]), text=row["text"])
            now[change.rule] = after
            moved.append((change, before, after))
        if moved and event.person == person:
            steps = _after(
                steps, DecisionStep(tuple(moved), in_words(moved[0][2].state, [one[0].rule for one in moved]))
            )
    return steps


def _after(steps: DecisionSteps, step: DecisionStep) -> DecisionSteps:
    turned = {change.rule: (after, before) for change, before, after in step.changes}
    if steps.done and turned == {change.rule: (before, after) for change, before, after in steps.done[-1].changes}:
        return steps.undo()[0]
    return steps.with_step(step)


def still_stands(
    step: DecisionStep, now: Mapping[str, ChangeDecision], *, undo: bool
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
