"""Words that no rule names, by what patterns ask of their letters: one class word stands for all that are alike.

Of two patterns `re"book.*"` and `re".*s"` there are three classes of words besides the others: those for which the
first alone holds (`booka`), the second alone, and both. A class word is written `like booka re"book.*"`: an example,
then all patterns that hold. It has blanks, so that it is never a word of a text or of a rule. Its example tells
whether it is a number or punctuation; whatever handles words handles class words as it does any other.

The classes are those that some word is in: the automata of all patterns, of numbers and of punctuation are run
together, one character for all that they do not tell apart.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from re2nn_core.errors import StateBudgetError
from re2nn_core.text.kinds import CASE, LIKE, is_number, is_punctuation, spelling
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.characters import representatives
from re2nn_core.text.word_patterns.letter_automaton import LetterAutomaton, of_numbers, of_punctuation
from re2nn_core.text.word_patterns.notation import automaton_of, matches

MOST_STATES = 20_000  # of all automata together
_MOST_EXAMPLES = 5_000
_MOST_LETTERS = 100
Kind = tuple[bool, bool]
_Alive = tuple[tuple[int, frozenset[int]], ...]  # automata that may still accept, with their places
Members = Mapping[str, frozenset[str]]
Signature = tuple[Kind, frozenset[str]]


def is_class_word(word: str) -> bool:
    """Whether a word stands for a class of words."""
    return word.startswith(LIKE)


def patterns_of(class_word: str) -> frozenset[str]:
    """The patterns that hold for the words of a class."""
    return frozenset(class_word[len(LIKE) :].split(" ")[1:])


def holds_for(pattern: str, word: str) -> bool:
    """Whether a pattern holds for a word or for the words of a class; case does not count where some spellings are
    words of their own."""
    if word.startswith(LIKE):
        return pattern in patterns_of(word)
    return matches(pattern, word_form(word[len(CASE) :], lowercase=True) if word.startswith(CASE) else word)


def class_words(patterns: Iterable[str]) -> tuple[str, ...]:
    """A class word for every class of words that the patterns tell apart; none for words for which none of them holds.
    StateBudgetError where the patterns together are too many."""
    wanted = frozenset(patterns)
    found = _class_words(wanted) if wanted else ()
    if found is None:
        raise StateBudgetError(MOST_STATES, f"{' '.join(sorted(wanted))[:200]} taken together", "")
    return found


@lru_cache(maxsize=1_024)
def _class_words(patterns: frozenset[str]) -> tuple[str, ...] | None:
    """None where they are too many: that takes longest to find out, and a page asks at every key."""
    ordered = sorted(patterns)
    automata = [*map(automaton_of, ordered), of_numbers(), of_punctuation()]
    found = []
    examples = _examples(automata)
    if examples is None:
        return None
    for ends, example in examples.items():
        held = [pattern for pattern, end in zip(ordered, ends, strict=False) if end]
        if held:
            found.append(" ".join((LIKE + example, *held)))
    return tuple(sorted(found))


def _examples(automata: list[LetterAutomaton]) -> dict[tuple[bool, ...], str] | None:
    """For each set of automata that accept a word in common, and the others do not, a shortest such word; None past
    MOST_STATES."""
    letters = representatives(characters for automaton in automata for characters in sorted(automaton.sets))
    kinds = len(automata) - 2  # the last two tell numbers and punctuation
    start: _Alive = tuple(enumerate(automaton.start for automaton in automata))
    seen = {start}
    queue = [(start, "")]
    found: dict[tuple[bool, ...], str] = {}
    for alive, word in queue:
        if word:
            ends = {number for number, states in alive if automata[number].end in states}
            found.setdefault(tuple(number in ends for number in range(len(automata))), word)
        for letter in letters:
            stepped = ((number, automata[number].step(states, letter)) for number, states in alive)
            behind = tuple(step for step in stepped if step[1])
            if behind and behind[0][0] < kinds and behind not in seen:
                seen.add(behind)
                queue.append((behind, word + letter))
                if len(seen) > MOST_STATES:
                    return None
    return found


def jointly_named(sets: Iterable[Collection[str]]) -> frozenset[str]:
    """The words of several sets; in place of their class words those of all their patterns together, but for classes
    whose words are all named."""
    words = frozenset[str]().union(*sets)
    classes = [word for word in words if is_class_word(word)]
    if not classes:
        return words
    named = words - frozenset(classes)
    together = class_words(frozenset[str]().union(*map(patterns_of, classes)))
    every = named.union(together)
    return every.difference(word for word in together if is_exhausted(word, every))


def members_of(words: Collection[str]) -> Members:
    """For each pattern that class words among the words tell of, those of the words for which it holds."""
    patterns = frozenset[str]().union(*(patterns_of(word) for word in words if is_class_word(word)))
    return {pattern: frozenset(word for word in words if holds_for(pattern, word)) for pattern in sorted(patterns)}


def unnamed_example(word: str, named: Collection[str]) -> str:
    """The word itself; for a class word an example that is none of the named words, where one is found soon."""
    return _unnamed(word, named)[0] or spelling(word)


def is_exhausted(word: str, named: Collection[str]) -> bool:
    """Whether a class word stands for named words alone, as that of [ad] does where "a" and "d" are named. `named`: all
    other class words, too, whose words are none of its own."""
    found, every = _unnamed(word, named)
    return found is None and every


def _unnamed(word: str, named: Collection[str]) -> tuple[str | None, bool]:
    """A word of a class that is none of the named ones, or None; and whether all of its words were looked at."""
    if not is_class_word(word) or spelling(word) not in named:
        return spelling(word), False
    held = patterns_of(word)
    sets = [characters for pattern in sorted(held) for characters in sorted(automaton_of(pattern).sets)]
    found, _ = _looked_for(word, named, representatives(sets))
    if found is not None:
        return found, False
    # Letters of the words that are taken count by themselves now: of [ad], where "a" is named, "d" is left.
    taken = (one for one in named if not is_class_word(one) and all(holds_for(pattern, one) for pattern in held))
    letters = sorted(frozenset("".join(taken)))
    found, every = _looked_for(word, named, representatives([*sets, *map(re.escape, letters[:_MOST_LETTERS])]))
    return found, every and len(letters) <= _MOST_LETTERS


def _looked_for(word: str, named: Collection[str], letters: Sequence[str]) -> tuple[str | None, bool]:
    """The same, of words of these letters."""
    held, kind = patterns_of(word), _kind(word)
    patterns = frozenset[str]().union(*(patterns_of(one) for one in named if is_class_word(one)), held)
    automata = [automaton_of(pattern) for pattern in sorted(held)]
    waiting = deque([(tuple(automaton.start for automaton in automata), "")])
    for _ in range(_MOST_EXAMPLES):
        if not waiting:
            return None, True
        states, found = waiting.popleft()
        if found and found not in named and _kind(found) == kind and _held(patterns, found) == held:
            return found, False
        for letter in letters:
            behind = tuple(a.step(own, letter) for a, own in zip(automata, states, strict=True))
            if all(behind):
                waiting.append((behind, found + letter))
    return None, False


def _held(patterns: Iterable[str], word: str) -> frozenset[str]:
    return frozenset(pattern for pattern in patterns if holds_for(pattern, word))


class WordClasses:
    """From a word that nobody named to the class word that stands for it, given some class words; remembered."""

    def __init__(self, words: Iterable[str]) -> None:
        self._of: dict[Signature, str] = {}
        for word in words:
            if word.startswith(LIKE):
                self._of.setdefault((_kind(word), patterns_of(word)), word)
        self.patterns = frozenset[str]().union(*(patterns for _, patterns in self._of))
        self._known: dict[str, str | None] = {}

    def __bool__(self) -> bool:
        return bool(self._of)

    def find(self, word: str) -> str | None:
        """The class word that stands for a word, or for the words of a class of more patterns; None where no pattern
        holds."""
        if not self._of:
            return None
        if word not in self._known:
            held = _held(self.patterns, word)
            self._known[word] = self._of.get((_kind(word), held)) if held else None
        return self._known[word]


def _kind(word: str) -> Kind:
    shown = spelling(word)
    return is_number(shown), is_punctuation(shown)
