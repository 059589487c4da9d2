"""The smallest change of a sentence that a rule accepts: words replaced, put in, or left out.

The rule's position automaton is run against the edit automaton of the sentence, whose states are (words of the sentence
used, changes made). For each of these one set of rule states is kept as bits, so that a step costs the same whatever
the number of states; all sets of one number of changes are made before those of the next, and the first set that may
end gives a smallest change (Wagner and Fischer's distance, JACM 1974, to a regular language: Wagner, CACM 1974).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from re2nn_core.automata.alphabet import OTHER_COLUMNS, stand_in
from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import END, START, reads_unnamed
from re2nn_core.text.word_patterns.classes import is_class_word, unnamed_example

EditKind = Literal["replace", "insert", "delete"]
_RATHER: tuple[EditKind | None, ...] = ("delete", "insert", "replace", None)


@dataclass(frozen=True)
class Edit:
    """One change of a sentence. `place` counts its words from 0; a word is inserted in front of that place. `old` is
    None for an insertion, `new` for a deletion."""

    kind: EditKind
    place: int
    old: str | None
    new: str | None


@dataclass(frozen=True)
class Change:
    """Edits in the order of their places, and the sentence that they make."""

    edits: tuple[Edit, ...]
    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.edits)


def changed(sentence: Sequence[str], edits: Sequence[Edit]) -> Change:
    """A sentence with edits, which are in the order of their places."""
    words: list[str] = []
    at = 0
    for edit in edits:
        words += sentence[at : edit.place]
        if edit.new is not None:
            words.append(edit.new)
        at = edit.place + (edit.kind != "insert")
    return Change(tuple(edits), (*words, *sentence[at:]))


def smallest_change(automaton: PositionAutomaton, sentence: Sequence[str], *, most: int | None = None) -> Change | None:
    """A smallest change after which the rule accepts the sentence, without edits where it does already; None where no
    change of at most `most` edits does (of any number for None: the rule accepts nothing at all).

    Of changes of one size one is taken that keeps most words which the rule names.
    """
    last = len(sentence) + len(automaton) if most is None else most
    readable = readable_states(automaton)
    entered = [automaton.entered_by(word) for word in sentence]
    layers: list[list[int]] = []
    for _ in range(last + 1):
        layers.append(_layer(automaton, layers[-1] if layers else None, entered, readable))
        ends = layers[-1][-1] & automaton.sentence_final
        if ends:
            return changed(sentence, _walk(automaton, sentence, layers, entered, ends))
    return None


def readable_states(automaton: PositionAutomaton) -> int:
    """The states that some word enters: all but the start and those behind BOS and EOS."""
    return sum(1 << state for state, symbols in enumerate(automaton.symbols) if symbols - {START, END})


def word_for(automaton: PositionAutomaton, state: int) -> str:
    """A word that enters a state: one that it names if there is any."""
    symbols = automaton.symbols[state]
    named = [symbol for symbol in symbols if isinstance(symbol, str)]
    if named:
        return min(named)
    unnamed = (kind for kind in range(OTHER_COLUMNS) if any(reads_unnamed(symbol, kind) for symbol in symbols))
    kind = next(unnamed, None)
    if kind is not None:
        return _stand_in(kind, automaton.words)
    classes = (
        word for word in sorted(automaton.words) if is_class_word(word) and automaton.entered_by(word) >> state & 1
    )
    return unnamed_example(next(classes), automaton.words)


@lru_cache(maxsize=1024)
def _stand_in(column: int, named: frozenset[str]) -> str:
    return stand_in(column, named)


def _layer(
    automaton: PositionAutomaton, before: Sequence[int] | None, entered: Sequence[int], readable: int
) -> list[int]:
    """For each number of words used the states that are alive after one change more than in `before`."""
    alive: list[int] = []
    for used in range(len(entered) + 1):
        states = 0
        if before is None:
            states |= automaton.sentence_start if used == 0 else 0
        else:
            states |= automaton.after(before[used]) & readable  # a word put in
            if used:
                states |= before[used - 1] | automaton.after(before[used - 1]) & readable  # left out, replaced
        if used:
            states |= automaton.after(alive[used - 1]) & entered[used - 1]
        alive.append(states)
    return alive


@dataclass(frozen=True)
class _Onward:
    """From a rule state the best way to an end: how many words it keeps by their names, the edit that it begins with,
    None for a word that is kept, and where it goes on."""

    named: int
    edit: Edit | None
    state: int
    used: int

    @property
    def rank(self) -> tuple[int, int]:
        """Of equals a word is rather kept than replaced, put in, left out."""
        return self.named, _RATHER.index(None if self.edit is None else self.edit.kind)


def _walk(
    automaton: PositionAutomaton,
    sentence: Sequence[str],
    layers: Sequence[Sequence[int]],
    entered: Sequence[int],
    ends: int,
) -> tuple[Edit, ...]:
    """The edits of the way that keeps most words by their names, found from the end backwards inside the sets that
    were alive."""
    last = len(sentence)
    ways: list[list[dict[int, _Onward]]] = [[{} for _ in range(last + 1)] for _ in layers]
    ways[-1][-1] = {state: _Onward(0, None, -1, -1) for state in bits(ends)}
    for changes in range(len(layers) - 1, -1, -1):
        for used in range(last, -1, -1):
            for state, onward in ways[changes][used].items():
                _back(automaton, sentence, layers, entered, ways, (changes, used), state, onward.named)
    state = max(ways[0][0], key=lambda start: (ways[0][0][start].named, -start))
    edits: list[Edit] = []
    changes, used = 0, 0
    while (onward := ways[changes][used][state]).state >= 0:
        if onward.edit is not None:
            edits.append(onward.edit)
            changes += 1
        state, used = onward.state, onward.used
    return tuple(edits)


def _back(
    automaton: PositionAutomaton,
    sentence: Sequence[str],
    layers: Sequence[Sequence[int]],
    entered: Sequence[int],
    ways: list[list[dict[int, _Onward]]],
    at: tuple[int, int],
    state: int,
    named: int,
) -> None:
    """Put into `ways` all places from which one step leads to a state: a word kept, replaced, put in, left out."""
    changes, used = at
    leading = _leading_to(automaton, state)

    def offer(changes: int, before: int, states: int, edit: Edit | None, named: int) -> None:
        known = ways[changes][before]
        for source in bits(states & layers[changes][before]):
            onward = _Onward(named, edit, state, used)
            if source not in known or onward.rank > known[source].rank:
                known[source] = onward

    if used and entered[used - 1] >> state & 1:
        by_name = sentence[used - 1] in automaton.symbols[state]
        offer(changes, used - 1, leading, None, named + by_name)
    if not changes:
        return
    if automaton.symbols[state] - {START, END}:
        word = word_for(automaton, state)
        if used:
            offer(changes - 1, used - 1, leading, Edit("replace", used - 1, sentence[used - 1], word), named)
        offer(changes - 1, used, leading, Edit("insert", used, None, word), named)
    if used:
        offer(changes - 1, used - 1, 1 << state, Edit("delete", used - 1, sentence[used - 1], None), named)


def _leading_to(automaton: PositionAutomaton, state: int) -> int:
    """The states that a state may follow."""
    return sum(1 << source for source, follow in enumerate(automaton.follow) if follow >> state & 1)
