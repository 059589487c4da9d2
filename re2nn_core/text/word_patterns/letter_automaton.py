"""Automata over the characters of a word: no expression makes them go back, so that each word takes linear time.

A regular expression of Python is read by Python's own parser and built as an automaton (Thompson, 1968). What no
automaton can do is refused: references to groups, looking ahead and behind, borders within a word, atomic groups.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from re2nn_core.text.word_patterns.characters import ANY_CHARACTER, SIGN, SIGN_OR_MARK, in_character_set

MOST_CHARACTERS = 500  # of an expression
MOST_PLACES = 2_000  # of its automaton; counts such as {1000} are written out
_MOST_KEPT = 20_000  # steps remembered

States = frozenset[int]


class PatternError(ValueError):
    """An expression that cannot be read: what is wrong with it, and what to write."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.message, self.advice = message, advice


_REFUSED: dict[Any, tuple[str, str]] = {
    sre.GROUPREF: ("refers back to a group", "Write out what the group may hold."),
    sre.GROUPREF_EXISTS: ("depends on a group", "Write the two cases as alternatives: (a|b)."),
    sre.ASSERT: ("looks ahead or behind", 'Write the whole word that is meant, as in re"book.*".'),
    sre.ASSERT_NOT: ("looks ahead or behind", 'Leave words out by [^ ... ], as in [^ re"book.*" ].'),
    sre.AT: ("has ^, $ or \\b within the word", "Leave it out: the expression is matched with the whole word."),
    sre.ATOMIC_GROUP: ("has an atomic group", "Write (?:...) instead."),
    sre.POSSESSIVE_REPEAT: ("has a possessive repeat", "Leave out the second + behind the repeat."),
}
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
_ENDS = {0: (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING), -1: (sre.AT_END, sre.AT_END_STRING)}


class LetterAutomaton:
    """Places 0 (the start) and on; from a place without reading (`free`), or reading a character of a set."""

    def __init__(self) -> None:
        self.free: list[list[int]] = []
        self.reading: list[list[tuple[str, int]]] = []
        self.end = 0
        self._steps: dict[States, dict[str, States]] = {}

    def place(self) -> int:
        """A new place. PatternError where there are too many."""
        if len(self.free) >= MOST_PLACES:
            message = f"the expression needs more than {MOST_PLACES:,} places, with its repeat counts written out"
            raise PatternError(message, "Write smaller counts, or * and + for any number of times.")
        self.free.append([])
        self.reading.append([])
        return len(self.free) - 1

    @property
    def sets(self) -> set[str]:
        """All sets of characters that are read somewhere."""
        return {characters for moves in self.reading for characters, _ in moves}

    @property
    def start(self) -> States:
        return self._closed([0])

    def step(self, states: States, character: str) -> States:
        """The places behind a character; remembered."""
        kept = self._steps.setdefault(states, {})
        behind = kept.get(character)
        if behind is None:
            moves = (move for state in states for move in self.reading[state])
            behind = self._closed([target for characters, target in moves if in_character_set(characters, character)])
            kept[character] = behind
            if len(self._steps) > _MOST_KEPT:
                self._steps.clear()
        return behind

    def accepts(self, word: str) -> bool:
        """Whether the whole word is read."""
        states = self.start
        for character in word:
            states = self.step(states, character)
            if not states:
                return False
        return self.end in states

    def _closed(self, states: list[int]) -> States:
        found, waiting = set(states), list(states)
        while waiting:
            for target in self.free[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)


def of_regex(expression: str) -> LetterAutomaton:
    """The automaton of one of Python's regular expressions. PatternError."""
    if len(expression) > MOST_CHARACTERS:
        message = f"the expression has {len(expression):,} characters, {MOST_CHARACTERS} at most are allowed"
        raise PatternError(message, "Split it into several, as alternatives of the rule.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(expression)
    except (re.error, OverflowError) as error:
        raise PatternError(f"the expression cannot be read: {error}", "Write it as Python's re does.") from None
    except RecursionError:
        raise PatternError("the expression has too many nested groups", "Write fewer groups.") from None
    automaton = LetterAutomaton()
    builder = _Builder(automaton)
    start = automaton.place()
    automaton.end = builder.sequence(_without_ends(list(parsed)), start, bool(parsed.state.flags & re.IGNORECASE))
    return automaton


def _without_ends(items: list[Any]) -> list[Any]:
    """The items without a ^ at the start and a $ at the end, which say nothing where whole words are matched."""
    for end, anchors in _ENDS.items():
        if items and items[end][0] is sre.AT and items[end][1] in anchors:
            del items[end]
    return items


class _Builder:
    def __init__(self, automaton: LetterAutomaton) -> None:
        self.automaton = automaton

    def sequence(self, items: Sequence[Any], start: int, folds: bool) -> int:
        """Items one behind the other from a place; the place behind them."""
        for operator, argument in items:
            start = self.item(operator, argument, start, folds)
        return start

    def item(self, operator: Any, argument: Any, start: int, folds: bool) -> int:
        if operator in _REFUSED:
            message, advice = _REFUSED[operator]
            raise PatternError(f"the expression {message}, which the letters of one word cannot be asked for", advice)
        if operator is sre.SUBPATTERN:
            _, added, removed, inner = argument
            return self.sequence(inner, start, (folds or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE)
        if operator is sre.BRANCH:
            return self.branch(argument[1], start, folds)
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self.repeat(argument, start, folds)
        characters = _characters(operator, argument)
        behind = self.automaton.place()
        self.automaton.reading[start].append((f"(?i:{characters})" if folds else characters, behind))
        return behind

    def branch(self, options: Sequence[Any], start: int, folds: bool) -> int:
        behind = self.automaton.place()
        for option in options:
            first = self.automaton.place()
            self.automaton.free[start].append(first)
            self.automaton.free[self.sequence(option, first, folds)].append(behind)
        return behind

    def repeat(self, argument: Any, start: int, folds: bool) -> int:
        least, most, inner = argument
        free = self.automaton.free
        for _ in range(least):
            start = self.sequence(inner, start, folds)
        if most is sre.MAXREPEAT:
            first = self.automaton.place()
            free[start].append(first)
            behind = self.automaton.place()
            free[self.sequence(inner, first, folds)].append(first)
            free[first].append(behind)
            return behind
        behind = self.automaton.place()
        free[start].append(behind)
        for _ in range(most - least):
            first = self.automaton.place()
            free[start].append(first)
            start = self.sequence(inner, first, folds)
            free[start].append(behind)
        return behind


def _characters(operator: Any, argument: Any) -> str:
    """The set of characters that an item reads, as an item of an expression."""
    if operator is sre.ANY:
        return ANY_CHARACTER
    if operator is sre.LITERAL:
        return re.escape(chr(argument))
    if operator is sre.NOT_LITERAL:
        return f"[^{re.escape(chr(argument))}]"
    if operator is sre.IN:
        return f"[{''.join(map(_member, argument))}]"
    raise PatternError("the expression has a part that is not supported", "Write letters, sets, groups and repeats.")


def _member(member: tuple[Any, Any]) -> str:
    operator, argument = member
    if operator is sre.NEGATE:
        return "^"
    if operator is sre.RANGE:
        return f"{_escaped(argument[0])}-{_escaped(argument[1])}"
    if operator is sre.CATEGORY:
        return _CATEGORIES[argument]
    return _escaped(argument)


def _escaped(code: int) -> str:
    return f"\\U{code:08x}"


def of_typing_errors(word: str, most: int) -> LetterAutomaton:
    """All words that at most so many typing errors make of a word: a character too much, too few, wrong, or two that
    follow each other exchanged (optimal string alignment)."""
    automaton = LetterAutomaton()
    rows = [[automaton.place() for _ in range(most + 1)] for _ in range(len(word) + 1)]
    for done, row in enumerate(rows):
        for errors, place in enumerate(row):
            reading, free = automaton.reading[place], automaton.free[place]
            if done < len(word):
                reading.append((re.escape(word[done]), rows[done + 1][errors]))
            if errors == most:
                continue
            reading.append((ANY_CHARACTER, row[errors + 1]))
            if done < len(word):
                reading.append((ANY_CHARACTER, rows[done + 1][errors + 1]))
                free.append(rows[done + 1][errors + 1])
            if done + 1 < len(word):
                between = automaton.place()
                reading.append((re.escape(word[done + 1]), between))
                automaton.reading[between].append((re.escape(word[done]), rows[done + 2][errors + 1]))
    automaton.end = automaton.place()
    for place in rows[-1]:
        automaton.free[place].append(automaton.end)
    return automaton


def of_numbers() -> LetterAutomaton:
    """The words that text/kinds.py takes for numbers."""
    return of_regex(r"\d+\.?\d*|\.\d+")


def of_punctuation() -> LetterAutomaton:
    """The words that text/kinds.py takes for punctuation."""
    automaton = LetterAutomaton()
    automaton.end = 1
    for _ in range(2):
        automaton.place()
    automaton.reading[0].append((SIGN, 1))
    automaton.reading[1].append((SIGN_OR_MARK, 1))
    return automaton
