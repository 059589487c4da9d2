"""The smallest change of a sentence that changes what a whole rule set predicts.

The product of all rules' exact machines (automata/matcher.py) is run against the edit automaton of the sentence, as
changes.py does for one rule. The product is deterministic and predictions for every rule at once, so that negation,
priorities and the default label cost nothing more: the prediction is asked at the end. Words that no rule tells apart
are one column. What is looked at is counted, and a budget of it ends the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from re2nn_core.automata.alphabet import OTHER_COLUMNS, stand_in
from re2nn_core.automata.matcher import Matcher, ProductRow
from re2nn_core.explain.changes import Change, Edit, EditKind, changed
from re2nn_core.text.word_patterns.classes import unnamed_example

FLIP_BUDGET = 300_000
Kinds = tuple[EditKind, ...]
# What is tried first: what takes a prediction away, and what brings a certain one and leaves the sentence as it is.
TAKING: Kinds = ("delete", "replace", "insert")
BRINGING: Kinds = ("delete", "insert", "replace")
Wanted = Callable[[tuple[int, ...]], bool]  # from the rules that accept a sentence, in their order
_Key = tuple[int, int]  # identity of a product row, words of the sentence used


@dataclass(frozen=True)
class Search:
    """What was found. `change` None: nothing with fewer than `complete` + 1 edits; `stopped` tells that the budget
    ended the search before all was looked at."""

    change: Change | None
    complete: int
    looked_at: int
    stopped: bool = False


@dataclass(frozen=True)
class _Place:
    row: ProductRow
    used: int
    before: _Place | None
    edit: Edit | None


def smallest_flip(
    matcher: Matcher,
    sentence: Sequence[str],
    wanted: Wanted,
    *,
    most: int = 3,
    budget: int = FLIP_BUDGET,
    kinds: Kinds = TAKING,
) -> Search:
    """A smallest change, of at least one and at most `most` edits, after which `wanted` holds of the rules that accept
    the sentence; of equals one whose last edit is of the kind that comes first in `kinds`. `budget`: places (product
    state, words used) that are looked at, at the most."""
    codes = matcher.encode([sentence])[0]
    words = _words_of(matcher)
    seen: set[_Key] = set()
    held: list[ProductRow] = []  # so that no identity is given twice, should the matcher start anew meanwhile
    looked_at = 0

    def along(place: _Place) -> list[_Place]:
        """The place and those behind it that are reached by keeping words; known ones end it."""
        found = []
        while (id(place.row), place.used) not in seen:
            seen.add((id(place.row), place.used))
            held.append(place.row)
            found.append(place)
            if place.used == len(codes):
                break
            place = _Place(place.row[codes[place.used]], place.used + 1, place, None)
        return found

    layer = along(_Place(matcher.start, 0, None, None))
    for size in range(1, most + 1):
        following: list[_Place] = []
        for kind, place in product(kinds, layer):
            for after in _edited(place, kind, sentence, matcher, words):
                if looked_at == budget:
                    return Search(None, size - 1, looked_at, stopped=True)
                looked_at += 1
                for reached in along(after):
                    if reached.used == len(codes) and wanted(matcher.matched_in(reached.row)):
                        return Search(changed(sentence, _edits(reached)), size - 1, looked_at)
                    following.append(reached)
        layer = following
    return Search(None, most, looked_at)


def _edited(
    place: _Place, kind: EditKind, sentence: Sequence[str], matcher: Matcher, words: Sequence[str]
) -> list[_Place]:
    """All places one edit of a kind behind a place. Words that lead to the same product state are tried once."""
    used = place.used
    if kind != "insert" and used == len(sentence):
        return []
    if kind == "delete":
        return [_Place(place.row, used + 1, place, Edit(kind, used, sentence[used], None))]
    old, onward = (sentence[used], used + 1) if kind == "replace" else (None, used)
    return [_Place(row, onward, place, Edit(kind, used, old, words[code])) for row, code in matcher.moves(place.row)]


def _edits(place: _Place) -> list[Edit]:
    edits = []
    at: _Place | None = place
    while at is not None:
        if at.edit is not None:
            edits.append(at.edit)
        at = at.before
    return edits[::-1]


def _words_of(matcher: Matcher) -> list[str]:
    """A word for each code: a named one, or one that stands for the unnamed ones."""
    named = matcher.named_words
    own: dict[int, str] = {}
    for word in sorted(named):
        own.setdefault(named[word], unnamed_example(word, named))
    known = frozenset(named)
    return [own.get(code) or stand_in(min(code, OTHER_COLUMNS - 1), known) for code in range(matcher.codes)]
