"""Where the words that a rule has learned are in texts that it matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.automata.differences.nearest_reading import unknown_words
from re2nn_core.automata.explain import Reading, explain, reading_of
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.rules.tagging import without_slots
from re2nn_core.rules.tree import Node
from re2nn_core.text.case_words import surfaces_of
from re2nn_core.text.tokenization import Tokenization, tokenize

Characters = tuple[tuple[int, int], ...]  # [start, end) of each word


def learned_in_texts(
    before: Node | None, after: Node, texts: Sequence[str], tokenization: Tokenization
) -> list[Characters]:
    """For each text the words by which the new form of a rule matches it and that the old form does not read there, or
    nowhere; of a rule without an old form all by which it matches. The trees may fill slots."""
    new = build_positions(without_slots(after))
    old = None if before is None else build_positions(without_slots(before))
    cased = replace(tokenization, cased=surfaces_of(new.words))
    found = []
    for text in texts:
        tokens = tokenize(text, cased)
        words = [token.text for token in tokens]
        readings = explain(new, words) or ()
        named = [place for place, reading in enumerate(readings) if reading is Reading.NAMED]
        learned = named if old is None else sorted(unknown_words(old, words, named) | _nowhere(old, words, named))
        found.append(tuple((tokens[place].start, tokens[place].end) for place in learned))
    return found


def _nowhere(old: PositionAutomaton, words: Sequence[str], named: Sequence[int]) -> set[int]:
    """Of some places of a text that the old form refuses those of words that it names nowhere."""
    if accepts(old, words):
        return set()
    states = range(1, len(old))
    return {
        place for place in named if all(reading_of(old, state, words[place]) is not Reading.NAMED for state in states)
    }
