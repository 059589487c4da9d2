"""The state-by-state half of the equality certificate: the factors move as the machines do.

For every word of the vocabulary (the three unknown kinds among them, which stand for all words outside it), every
word that a machine names, and every state, the set of states that the factors reach is compared with the set that
the symbolic machine reaches. An entry below 0 is a fault even where no arc is: it would cancel another arc.
Start and final weights are compared too. Where all agree, no sentence of any length can tell the two apart:
the recurrence is clamped to [0, 1] after each word, so that it computes with sets of states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import reads
from re2nn_core.tensors.factors import Factors, Floats
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.kinds import LIKE, is_number, is_punctuation
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary
from re2nn_core.text.word_patterns.classes import jointly_named

# Of a word its column in each machine, the complements of each that read it, and whether it is a number or a sign.
Signature = tuple[tuple[int, ...], tuple[tuple[bool, ...], ...], bool, bool]
_KIND_FLAGS = ((False, False), (True, False), (False, True))


@dataclass(frozen=True)
class StateCheck:
    """What was compared and what differed. `max_error` is the largest difference of a single entry; `faults`
    names at most twenty (word, machine) pairs that moved otherwise."""

    words: int
    states: int
    transitions: int
    max_error: float
    faults: tuple[str, ...]

    @property
    def equal(self) -> bool:
        return not self.faults


def check_states(machines: Machines, factors: Factors, *, tolerance: float = 1e-5) -> StateCheck:
    """Compare factors and machines state by state; see the module."""
    faults = list(_end_faults(machines, factors, tolerance))
    worst = 0.0
    compared: dict[tuple[Signature, bytes], float] = {}
    expected: dict[Signature, Floats] = {}
    words = _words_and_rows(machines, factors.vocabulary)
    for word, number in words.items():
        signature = _signature(machines, word)
        row = factors.words[number]
        key = (signature, row.tobytes())
        if key not in compared:
            if signature not in expected:
                expected[signature] = _symbolic_moves(machines, factors, _stand_in(word))
            made = (factors.sources * row) @ factors.targets.T + factors.wildcard
            compared[key] = float(np.abs(np.minimum(made, 1) - expected[signature]).max(initial=0.0))
        worst = max(worst, compared[key])
        if compared[key] > tolerance:
            faults.append(f"the word {shown_word(word)!r} moves otherwise (difference {compared[key]:.3g})")
    return StateCheck(len(words), factors.states, len(words) * factors.states, worst, tuple(faults[:20]))


def _words_and_rows(machines: Machines, vocabulary: Vocabulary) -> dict[str, int]:
    """The words to check and their rows; one that a machine names outside the vocabulary has its kind's row."""
    rows = dict(vocabulary.index)
    named = jointly_named([vocabulary.words, *(machine.dfa.words for machine in machines.machines)])
    rows.update((word, vocabulary.encode([word])[0]) for word in sorted(named) if word not in rows)
    return rows


def _end_faults(machines: Machines, factors: Factors, tolerance: float) -> Iterator[str]:
    for number, machine in enumerate(machines.machines):
        begin, end = factors.blocks[number]
        start = member_vector(machine.dfa.sentence_start, end - begin)
        final = member_vector(machine.dfa.sentence_final, end - begin)
        if np.abs(factors.start[begin:end] - start).max(initial=0.0) > tolerance:
            yield f"automaton {machine.name} starts in other states"
        outside = factors.final[number].copy()
        outside[begin:end] -= final
        if np.abs(outside).max(initial=0.0) > tolerance:
            yield f"automaton {machine.name} ends in other states"


def member_vector(states: int, size: int) -> Floats:
    """[size]: 1 for each member of a bit set."""
    vector = np.zeros(size, dtype=np.float32)
    vector[list(bits(states))] = 1
    return vector


def _signature(machines: Machines, word: str) -> Signature:
    """What the machines can see of a word."""
    word = _stand_in(word)
    columns = tuple(machine.dfa.column_of.get(word, -1) for machine in machines.machines)
    read = tuple(tuple(reads(symbol, word) for symbol in machine.dfa.complements) for machine in machines.machines)
    return columns, read, is_number(word), is_punctuation(word)


def _symbolic_moves(machines: Machines, factors: Factors, word: str) -> Floats:
    """[states, states]: 1 where the word leads from one state to another."""
    moves = np.zeros((factors.states, factors.states), dtype=np.float32)
    for machine, (begin, end) in zip(machines.machines, factors.blocks, strict=True):
        for state in range(end - begin):
            for target in bits(machine.dfa.read(1 << state, word)):
                moves[begin + state, begin + target] = 1
    return moves


def _stand_in(word: str) -> str:
    """The word itself; for an unknown kind its private word, which no machine names."""
    return UNNAMED[_KIND_FLAGS[UNKNOWN_KINDS.index(word)]] if word in UNKNOWN_KINDS else word


# Class words without any pattern: no rule names them, and none holds for them.
UNNAMED = {(False, False): f"{LIKE}other", (True, False): f"{LIKE}0", (False, True): f"{LIKE}!"}


def shown_word(word: str) -> str:
    """A word as a fault names it; the unknown kinds by what they stand for."""
    shown = dict(zip(UNKNOWN_KINDS, ("any other word", "any other number", "any other punctuation"), strict=True))
    return shown.get(word, word)
