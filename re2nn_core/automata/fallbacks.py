"""An exact automaton with few transitions: a state names only words that it reads otherwise than its fallback state.

`$* a b $*` reads most words alike in most of its states, since every word may begin the rule anew; written out, nearly
every state has a transition to nearly every other. Fallbacks are the default transitions of Kumar et al. (SIGCOMM 2006)
and, with the start as fallback, those of Aho and Corasick (1975). A fallback reads no word itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.symbols import Symbol

MOST_STATES = 300  # each state is compared with each
_ALONE = 10**9


@dataclass(frozen=True)
class Fallbacks:
    """`of[state]` is the state as which a state reads every word that none of its `arcs` names, None where it has no
    such state. `arcs` are (source, target, symbols) as people read them."""

    of: tuple[int | None, ...]
    arcs: tuple[tuple[int, int, frozenset[Symbol]], ...]

    def source(self, machine: ExactDfa, state: int, word: str) -> int:
        """The state whose transition reads a word in this state: itself, or one that it falls back to."""
        column = machine.column(word)
        while (fallback := self.of[state]) is not None:
            if machine.table[state][column] != machine.table[fallback][column]:
                break
            state = fallback
        return state


def fallbacks_of(machine: ExactDfa) -> Fallbacks:
    """The fallback of each state that saves most transitions, among the states met before it on the way from the start,
    so that fallbacks never go round. An automaton of more than MOST_STATES states has none."""
    shown: dict[int, list[tuple[int, int, frozenset[Symbol]]]] = {state: [] for state in range(len(machine))}
    for arc in machine.shown_arcs():
        shown[arc[0]].append(arc)
    of: list[int | None] = [None] * len(machine)
    if len(machine) <= MOST_STATES:
        table = np.array(machine.table)
        order = _breadth_first(machine)
        for place, state in enumerate(order[1:], 1):
            own = _own_targets(table, state, order[:place])
            best = int(np.argmin(own))
            if own[best] < len(shown[state]):
                of[state] = order[best]
                shown[state] = _own_arcs(machine, state, order[best])
    return Fallbacks(tuple(of), tuple(arc for state in range(len(machine)) for arc in shown[state]))


def _breadth_first(machine: ExactDfa) -> list[int]:
    order, seen = [0], {0}
    for state in order:
        for target in machine.table[state]:
            if target != DEAD and target not in seen:
                seen.add(target)
                order.append(target)
    return order


def _own_targets(table: NDArray[np.int_], state: int, others: list[int]) -> NDArray[np.int_]:
    """[others]: to how many states a state leads otherwise than each of these; very many where that one is no fallback:
    where unnamed words differ, or one that reads on reads nothing here."""
    row, rows = table[state], table[others]  # [columns], [others, columns]
    differs = rows != row
    counts = np.array([len(set(row[place].tolist())) for place in differs])
    counts[differs[:, :OTHER_COLUMNS].any(axis=1) | (differs & (row == DEAD)).any(axis=1)] = _ALONE
    return counts


def _own_arcs(machine: ExactDfa, state: int, fallback: int) -> list[tuple[int, int, frozenset[Symbol]]]:
    row, other = machine.table[state], machine.table[fallback]
    joined: dict[int, set[Symbol]] = {}
    for number, words in enumerate(machine.alphabet):
        target = row[OTHER_COLUMNS + number]
        if target != other[OTHER_COLUMNS + number]:
            joined.setdefault(target, set()).update(words)
    return [(state, target, frozenset(joined[target])) for target in sorted(joined)]
