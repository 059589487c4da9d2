"""Which words may fill a place of an expression so that one rule accepts the sentence and another does not.

The place is a position with an output of its own. Triples (position of the expression, states of the rule that is to
accept, states of the one that is not to) are walked breadth first, and back from those in which a sentence may end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.automata.alphabet import OTHER_COLUMNS, stand_in
from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.errors import SearchBudgetError
from re2nn_core.text.word_patterns.classes import jointly_named, unnamed_example

TRIPLE_BUDGET = 20_000

_Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Admitted:
    """A shortest sentence, and the words that may fill the place in some sentence. `unnamed`: the kinds (as in
    alphabet.py) of which a word that no rule names may fill it, too."""

    sentence: tuple[str, ...]
    words: frozenset[str]
    unnamed: frozenset[int]


def admitted_words(
    expression: PositionAutomaton,
    place: int,
    accepting: PositionAutomaton,
    other: PositionAutomaton,
    *,
    budget: int = TRIPLE_BUDGET,
) -> Admitted | None:
    """The sentences of `expression` that `accepting` accepts and `other` does not; None where there is none. `place`:
    the positions (bit set) that are asked about. SearchBudgetError past the budget."""
    columns = _columns((expression, accepting, other))
    start = [(a, accepting.sentence_start, other.sentence_start) for a in bits(expression.sentence_start)]
    came: dict[_Triple, tuple[_Triple, int] | None] = dict.fromkeys(start)
    into: dict[_Triple, list[tuple[_Triple, int]]] = {}
    queue, ends = deque(start), list[_Triple]()
    while queue:
        triple = queue.popleft()
        position, wanted, refused = triple
        ended = expression.sentence_final >> position & 1 and wanted & accepting.sentence_final
        if ended and not refused & other.sentence_final:
            ends.append(triple)
        behind = accepting.after(wanted), other.after(refused)
        for number, column in enumerate(columns):
            entered, accepts, refuses = column.masks
            now = behind[0] & accepts
            if not now:
                continue
            for following in bits(expression.follow[position] & entered):
                reached = following, now, behind[1] & refuses
                into.setdefault(reached, []).append((triple, number))
                if reached not in came:
                    came[reached] = (triple, number)
                    queue.append(reached)
        if len(came) > budget:
            raise SearchBudgetError(budget, "two forms of a rule")
    if not ends:
        return None
    filling = [columns[number] for number in _entering(into, ends, place)]
    return Admitted(
        tuple(columns[number].example for number in _path(came, ends[0])),
        frozenset[str]().union(*(column.words for column in filling)),
        frozenset[int]().union(*(column.kinds for column in filling)),
    )


@dataclass(frozen=True)
class _Column:
    """Words that no automaton tells apart: the states that they enter in each, those of them that are named, the kinds
    of unnamed ones, and one of all."""

    masks: tuple[int, ...]
    words: frozenset[str]
    kinds: frozenset[int]
    example: str


def _columns(automata: Sequence[PositionAutomaton]) -> list[_Column]:
    named = jointly_named([automaton.words for automaton in automata])
    words: dict[tuple[int, ...], list[str]] = {}
    for word in sorted(named):
        words.setdefault(tuple(automaton.entered_by(word) for automaton in automata), []).append(word)
    kinds: dict[tuple[int, ...], list[int]] = {}
    for kind in range(OTHER_COLUMNS):
        kinds.setdefault(tuple(automaton.entered_by_unnamed(kind) for automaton in automata), []).append(kind)
    own = [
        _Column(masks, frozenset(same), frozenset(), unnamed_example(same[0], named)) for masks, same in words.items()
    ]
    others = (
        _Column(masks, frozenset(), frozenset(same), unnamed_example(stand_in(same[0], named), named))
        for masks, same in kinds.items()
    )
    # Words of letters in front: a sentence is made of the first ones that do.
    return sorted([*others, *own], key=lambda column: not column.example[:1].isalpha())


def _entering(into: dict[_Triple, list[tuple[_Triple, int]]], ends: Sequence[_Triple], place: int) -> frozenset[int]:
    """The columns by which a sentence enters the place."""
    useful, waiting, entered = set(ends), list(ends), set[int]()
    while waiting:
        reached = waiting.pop()
        for before, number in into.get(reached, ()):
            if place >> reached[0] & 1:
                entered.add(number)
            if before not in useful:
                useful.add(before)
                waiting.append(before)
    return frozenset(entered)


def _path(came: dict[_Triple, tuple[_Triple, int] | None], end: _Triple) -> list[int]:
    path, step = list[int](), came[end]
    while step is not None:
        path.append(step[1])
        step = came[step[0]]
    return path[::-1]
