"""One sentence through one machine, word by word: which states are alive, and where the simulate died."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.positions import bits


@dataclass(frozen=True)
class Step:
    """After `word` (None before the first) the states in `alive` are alive; `arcs` are the (source, target)
    pairs that were walked."""

    word: str | None
    alive: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Trace:
    """The steps of a simulate, one more than the sentence has words unless it died. `died_at` is the index of the
    word that no living state could read."""

    steps: tuple[Step, ...]
    accepted: bool
    died_at: int | None


def simulate(machine: PseudoDfa, sentence: Sequence[str]) -> Trace:
    """Run a sentence; a dead simulate stops at the word where it died."""
    states = machine.sentence_start
    steps = [Step(None, tuple(bits(states)), ())]
    for number, word in enumerate(sentence):
        arcs = tuple((s, t) for s in bits(states) for t in bits(machine.read(1 << s, word)))
        states = machine.read(states, word)
        steps.append(Step(word, tuple(bits(states)), arcs))
        if not states:
            return Trace(tuple(steps), accepted=False, died_at=number)
    return Trace(tuple(steps), accepted=bool(states & machine.sentence_final), died_at=None)
