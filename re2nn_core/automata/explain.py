"""Which words of a sentence a rule names: one accepting path through its position automaton, word by word.

Among all accepting paths the one is taken that names most words; among those the one that names them
earliest, so that the prediction never depends on the order of anything. A word read by a `$` that repeats
itself (`$*`, `$+`) says nothing about the sentence and is told apart from one read by a `$` that stands for
exactly one word.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import NUMBER, PUNCTUATION, reads_by_letters
from re2nn_core.text.kinds import is_number, is_punctuation


class Reading(Enum):
    """How a word was read: by its name, letters or kind, by one `$`, or by a `$` that repeats."""

    NAMED = "named"
    ANY = "any"
    LOOP = "loop"


def explain(automaton: PositionAutomaton, sentence: Sequence[str]) -> tuple[Reading, ...] | None:
    """How each word of an accepted sentence was read; None for a sentence that the rule does not accept."""
    alive = _alive(automaton, sentence)
    if not alive[-1] & automaton.sentence_final:
        return None
    gains: list[dict[int, int]] = [dict.fromkeys(bits(alive[-1] & automaton.sentence_final), 0)]
    for place in range(len(sentence) - 1, -1, -1):
        gains.append(_gains_before(automaton, alive[place], sentence[place], gains[-1]))
    gains.reverse()
    return _walk(automaton, sentence, gains)


def reading_of(automaton: PositionAutomaton, state: int, word: str) -> Reading:
    """How a word that enters a state is read there."""
    symbols = automaton.symbols[state]
    if word in symbols or (NUMBER in symbols and is_number(word)) or (PUNCTUATION in symbols and is_punctuation(word)):
        return Reading.NAMED
    if reads_by_letters(symbols, word):
        return Reading.NAMED
    return Reading.LOOP if automaton.follow[state] >> state & 1 else Reading.ANY


def _alive(automaton: PositionAutomaton, sentence: Sequence[str]) -> list[int]:
    """The living states before the first word and after each one."""
    alive = [automaton.sentence_start]
    for word in sentence:
        alive.append(automaton.after(alive[-1]) & automaton.entered_by(word))
    return alive


def _gains_before(automaton: PositionAutomaton, alive: int, word: str, after: dict[int, int]) -> dict[int, int]:
    """For each state the most words that an accepting rest of the sentence can name; dead ends are left
    out.
    """
    reachable = sum(1 << state for state in after)
    worth = {state: gain + (reading_of(automaton, state, word) is Reading.NAMED) for state, gain in after.items()}
    gains = {}
    for state in bits(alive):
        following = automaton.follow[state] & reachable
        if following:
            gains[state] = max(worth[target] for target in bits(following))
    return gains


def _walk(automaton: PositionAutomaton, sentence: Sequence[str], gains: list[dict[int, int]]) -> tuple[Reading, ...]:
    current = max(gains[0], key=lambda state: (gains[0][state], -state))
    readings = []
    for word, after in zip(sentence, gains[1:], strict=True):
        following = [state for state in bits(automaton.follow[current]) if state in after]
        named = {state: reading_of(automaton, state, word) is Reading.NAMED for state in following}
        current = max(following, key=lambda state: (after[state] + named[state], named[state], -state))
        readings.append(reading_of(automaton, current, word))
    return tuple(readings)
