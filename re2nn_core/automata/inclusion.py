"""Is every sentence of one rule set accepted by another, and if not, what is the shortest one that is not?

Pairs (state of the left machine, set of states of the right one) are searched breadth first. A pair is dropped
when the same left state was met with a smaller set on the right: whatever sentence escapes the larger set
escapes the smaller one too (antichains, De Wulf et al., CAV 2006). With the loops at both ends that word rules
have, this visits few pairs where the full subset construction would pass every budget.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import and_

from re2nn_core.automata.alphabet import OTHER_COLUMNS, stand_in
from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.errors import SearchBudgetError
from re2nn_core.text.word_patterns.classes import jointly_named, unnamed_example

PAIR_BUDGET = 200_000
TOGETHER = "the two rule sets taken together"


@dataclass(frozen=True)
class JointColumns:
    """Columns that no automaton of a group can tell apart: a word for each, and the states each of them enters."""

    words: tuple[str, ...]
    masks: tuple[tuple[int, ...], ...]  # one tuple an automaton, one mask a column


def joint_columns(automata: Sequence[PositionAutomaton]) -> JointColumns:
    """The columns of several automata taken together; three of them stand for the unnamed words."""
    named = jointly_named([automaton.words for automaton in automata])
    signatures: dict[tuple[int, ...], str] = {}
    for column in range(OTHER_COLUMNS):
        signatures.setdefault(tuple(unnamed_mask(a, column) for a in automata), stand_in(column, named))
    for word in sorted(named):
        signatures.setdefault(tuple(automaton.entered_by(word) for automaton in automata), word)
    words = tuple(unnamed_example(word, named) for word in signatures.values())
    return JointColumns(words, tuple(zip(*signatures, strict=True)))


def unnamed_mask(automaton: PositionAutomaton, column: int) -> int:
    """The states that an unnamed word, number or sign enters; `column` as in alphabet.py."""
    return automaton.entered_by_unnamed(column)


def shortest_escape(
    left: PositionAutomaton, right: PositionAutomaton, *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """A shortest sentence that `left` accepts and `right` does not; None if there is none.

    SearchBudgetError when more than `budget` pairs would have to be looked at.
    """
    columns = joint_columns((left, right))
    path = escape_path(left, right, columns.masks, budget=budget)
    return None if path is None else tuple(columns.words[column] for column in path)


def escape_path(
    left: PositionAutomaton,
    right: PositionAutomaton,
    masks: Sequence[Sequence[int]],
    *,
    wanted: Sequence[bool] | None = None,
    budget: int = PAIR_BUDGET,
) -> tuple[int, ...] | None:
    """The columns of a shortest escape; `masks` has for either side the states that each column enters. `wanted`: a
    path that takes none of these columns is no escape; None: any path may be. SearchBudgetError past the budget."""
    left_masks, right_masks = masks
    seen: dict[tuple[int, bool], list[int]] = {}
    queue: deque[tuple[int, int, bool, tuple[int, ...]]] = deque()
    looked_at = 0

    def visit(left_state: int, right_states: int, counts: bool, path: tuple[int, ...]) -> bool:
        """Queue a pair unless a stronger one is known; True if it is an escape."""
        known = seen.setdefault((left_state, counts), [])
        if any(old & ~right_states == 0 for old in known):
            return False
        known[:] = [old for old in known if right_states & ~old]
        known.append(right_states)
        queue.append((left_state, right_states, counts, path))
        return counts and bool(left.sentence_final >> left_state & 1) and not right_states & right.sentence_final

    for start in bits(left.sentence_start):
        if visit(start, right.sentence_start, wanted is None, ()):
            return ()
    while queue:
        left_state, right_states, counts, path = queue.popleft()
        looked_at += 1
        if looked_at > budget:
            raise SearchBudgetError(budget, TOGETHER)
        left_next, right_next = left.follow[left_state], right.after(right_states)
        for column, mask in enumerate(left_masks):
            now = counts or (wanted is not None and wanted[column])
            for target in bits(left_next & mask):
                if visit(target, right_next & right_masks[column], now, (*path, column)):
                    return (*path, column)
    return None


def shortest_common_escape(
    one: PositionAutomaton, other: PositionAutomaton, right: PositionAutomaton, *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """A shortest sentence that both `one` and `other` accept and `right` does not; None if there is none.

    SearchBudgetError when more than `budget` triples would have to be looked at.
    """
    columns = joint_columns((one, other, right))
    path = common_escape_path(one, other, right, columns.masks, budget=budget)
    return None if path is None else tuple(columns.words[column] for column in path)


def common_escape_path(
    one: PositionAutomaton,
    other: PositionAutomaton,
    right: PositionAutomaton,
    masks: Sequence[Sequence[int]],
    *,
    budget: int = PAIR_BUDGET,
) -> tuple[int, ...] | None:
    """The columns of a shortest common escape; `masks` has for each automaton the states that each column enters.
    SearchBudgetError past the budget."""
    by_column = tuple(zip(*masks, strict=True))
    start = [(a, b, right.sentence_start) for a in bits(one.sentence_start) for b in bits(other.sentence_start)]
    seen = set(start)
    queue: deque[tuple[tuple[int, int, int], tuple[int, ...]]] = deque((triple, ()) for triple in start)
    looked_at = 0
    while queue:
        (a, b, states), path = queue.popleft()
        if one.sentence_final >> a & other.sentence_final >> b & 1 and not states & right.sentence_final:
            return path
        looked_at += 1
        if looked_at > budget:
            raise SearchBudgetError(budget, "three rule sets taken together")
        following = right.after(states)
        for column, (by_one, by_other, by_right) in enumerate(by_column):
            for next_a in bits(one.follow[a] & by_one):
                for next_b in bits(other.follow[b] & by_other):
                    triple = (next_a, next_b, following & by_right)
                    if triple not in seen:
                        seen.add(triple)
                        queue.append((triple, (*path, column)))
    return None


def shortest_common(
    left: PositionAutomaton, right: PositionAutomaton, *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """A shortest sentence that both accept; None if no sentence is accepted by both.

    SearchBudgetError when more than `budget` pairs would have to be looked at.
    """
    return shortest_clash(left, right, None, budget=budget)


def shortest_clash(
    left: PositionAutomaton,
    right: PositionAutomaton,
    clashes: Callable[[int, int], bool] | None,
    *,
    budget: int = PAIR_BUDGET,
) -> tuple[str, ...] | None:
    """As `shortest_common`, on a way that enters at least one pair of states for which `clashes` holds; None: any.
    SearchBudgetError past the budget."""
    columns = joint_columns((left, right))
    seen: set[tuple[int, int, bool]] = set()
    queue: deque[tuple[int, int, bool, tuple[int, ...]]] = deque()

    def visit(left_state: int, right_state: int, clashed: bool, path: tuple[int, ...]) -> bool:
        if (left_state, right_state, clashed) in seen:
            return False
        seen.add((left_state, right_state, clashed))
        if len(seen) > budget:
            raise SearchBudgetError(budget, TOGETHER)
        queue.append((left_state, right_state, clashed, path))
        return clashed and bool(left.sentence_final >> left_state & 1 and right.sentence_final >> right_state & 1)

    for a in bits(left.sentence_start):
        for b in bits(right.sentence_start):
            if visit(a, b, clashes is None, ()):
                return ()
    while queue:
        left_state, right_state, clashed, path = queue.popleft()
        for column in range(len(columns.words)):
            for a in bits(left.follow[left_state] & columns.masks[0][column]):
                for b in bits(right.follow[right_state] & columns.masks[1][column]):
                    if visit(a, b, clashed or (clashes is not None and clashes(a, b)), (*path, column)):
                        return tuple(columns.words[number] for number in (*path, column))
    return None


def shortest_common_of(automata: Sequence[PositionAutomaton], *, budget: int = PAIR_BUDGET) -> tuple[str, ...] | None:
    """A shortest sentence that all of some automata accept; None if there is none. Sets of states are searched breadth
    first, one set an automaton. SearchBudgetError when more than `budget` of them would have to be looked at."""
    columns = joint_columns(automata)
    by_column = tuple(zip(*columns.masks, strict=True))
    start = tuple(automaton.sentence_start for automaton in automata)
    seen, queue, looked_at = {start}, deque([(start, tuple[int, ...]())]), 0
    while queue:
        states, path = queue.popleft()
        if all(alive & automaton.sentence_final for alive, automaton in zip(states, automata, strict=True)):
            return tuple(columns.words[column] for column in path)
        looked_at += 1
        if looked_at > budget:
            raise SearchBudgetError(budget, f"{len(automata)} rule sets taken together")
        following = [automaton.after(alive) for automaton, alive in zip(automata, states, strict=True)]
        for column, masks in enumerate(by_column):
            behind = tuple(map(and_, following, masks))
            if all(behind) and behind not in seen:
                seen.add(behind)
                queue.append((behind, (*path, column)))
    return None


def shortest_sentence(automaton: PositionAutomaton) -> tuple[str, ...] | None:
    """A shortest sentence that the automaton accepts; None if it accepts none."""
    return shortest_common(automaton, automaton)
