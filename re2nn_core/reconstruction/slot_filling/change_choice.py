"""Which of the changes that the weights propose are made: the best one first, as long as one gains.

All rules start as they are written. The change of greatest value is made, then the next one, each measured among all
changes made before it. A change must save at least MIN_GAIN errors in the marked texts beyond what it adds to the rule,
dev texts must not lose by it, and the rule must still be one that people can read. As gains seldom grow when other
changes are made, an old value is an upper estimate: only the change that stands first is measured again (Minoux, 1978).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine
from re2nn_core.reconstruction.slot_filling.proposed_changes import (
    MIN_GAIN,
    Proposals,
    ProposedChange,
    ProposedMove,
    moves_of,
)
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot
from re2nn_core.reconstruction.slot_filling.walks import Bools
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.reconstruction.stopping import Stop

PASSES = 2
OnProgress = Callable[[int, int], None]
LEAF_COST = 0.5  # errors that each further word or sign of a rule's expression has to be worth
SizeOf = Callable[[int, RuleMachine], int | None]  # leaves of a rule in this form; None where it cannot be written


@dataclass(frozen=True, eq=False)
class ChosenChanges:
    """The machines of all rules, and the changes of each in the order in which they were made."""

    machines: tuple[RuleMachine, ...]
    changes: tuple[tuple[ProposedChange, ...], ...]

    @property
    def changed(self) -> tuple[int, ...]:
        """The numbers of the rules that changed."""
        return tuple(rule for rule, changes in enumerate(self.changes) if changes)


def unchanged(machines: Sequence[RuleMachine]) -> ChosenChanges:
    """All rules as they are."""
    return ChosenChanges(tuple(machines), tuple(() for _ in machines))


def choose_changes(
    ballot: Ballot,
    machines: Sequence[RuleMachine],
    weights: Sequence[WeightedRule],
    size_of: SizeOf,
    *,
    hidden: Bools | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> ChosenChanges:
    """Change the rules of a ballot, and say what was done. `hidden` [vocabulary]: words that are not to be named. Once
    `stop` is asked to, no more is changed."""
    chooser = _Chooser(Proposals(ballot, weights, hidden), list(machines), weights, size_of, stop or Stop())
    rules: Sequence[int] = range(len(machines))
    for number in range(PASSES):
        before = [len(made) for made in chooser.made]
        chooser.look_at(rules, number, on_progress)
        chooser.make(on_progress, number + 1)
        rules = [rule for rule, made in enumerate(chooser.made) if len(made) > before[rule]]
    return ChosenChanges(tuple(chooser.machines), tuple(map(tuple, chooser.made)))


class _Chooser:
    def __init__(
        self,
        proposals: Proposals,
        machines: list[RuleMachine],
        weights: Sequence[WeightedRule],
        size_of: SizeOf,
        stop: Stop,
    ) -> None:
        self.ballot, self.machines, self.weights, self.size_of = proposals.ballot, machines, weights, size_of
        self.proposals, self.stop = proposals, stop
        self.made: list[list[ProposedChange]] = [[] for _ in machines]
        self.waiting: list[
            tuple[float, int, int, ProposedChange]
        ] = []  # (-value, number, changes made when measured, change)
        self.count, self.number = 0, 0

    def look_at(self, rules: Sequence[int], number: int, on_progress: OnProgress | None) -> None:
        """Measure every change of some rules, in a pass of this number."""
        tags = self.ballot.texts.tags
        moves = [move for rule in rules for move in moves_of(rule, self.machines[rule], self.weights[rule], tags)]
        for done, move in enumerate(moves, start=1):
            if self.stop.asked():
                return
            self._measure(move)
            if on_progress is not None:
                on_progress(number * len(moves) + done, PASSES * len(moves))

    def _measure(self, move: ProposedMove) -> None:
        change = self.proposals.best(self.machines[move.rule], move)
        if change is not None:
            self.number += 1
            heapq.heappush(self.waiting, (-change.value, self.number, self.count, change))

    def make(self, on_progress: OnProgress | None, passes: int) -> None:
        """Make changes, the best one first, until none is left that gains. How many there will be nobody knows, so
        that each is reported as the end of so many passes."""
        while self.waiting and not self.stop.asked():
            if on_progress is not None:
                on_progress(passes, PASSES)
            _, _, measured, change = heapq.heappop(self.waiting)
            if measured < self.count:
                self._measure(change.move)
            elif self._is_worth_it(change) and self._gains(change):
                self.made[change.move.rule].append(change)
                self.machines[change.move.rule] = change.machine
                self.count += 1
                self._measure(change.move)  # the same place may have more to give

    def _is_worth_it(self, change: ProposedChange) -> bool:
        """Whether a change gains enough for what it adds to the rule."""
        if change.value < MIN_GAIN:
            return False
        rule = change.move.rule
        before, after = self.size_of(rule, self.machines[rule]), self.size_of(rule, change.machine)
        if after is None:
            return False
        return change.value - LEAF_COST * max(0, after - (before or 0)) >= MIN_GAIN

    def _gains(self, change: ProposedChange) -> bool:
        """Make a change; it is taken back where it does not gain after all, because it moved the order of tags."""
        ballot, rule = self.ballot, change.move.rule
        before, errors = ballot.f1(ballot.texts.dev), ballot.errors()
        ballot.take(rule, change.machine.transducer)
        if ballot.f1(ballot.texts.dev) >= before and ballot.errors() < errors:
            return True
        ballot.take(rule, self.machines[rule].transducer)
        return False
