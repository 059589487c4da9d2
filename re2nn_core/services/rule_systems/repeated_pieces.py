"""Words of a printed rule that the other side names too, but not as often: the place that came or went is marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from re2nn_core.services.rule_systems.rule_pieces import Piece, names_a_word


def mark_repeated(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both sides with these places as changed ones too."""
    blocks = SequenceMatcher(None, [one.text for one in before], [one.text for one in after], autojunk=False)
    moved = [block for block in blocks.get_opcodes() if block[0] != "equal"]
    left = {place for _, start, stop, _, _ in moved for place in range(start, stop)}
    right = {place for _, _, _, start, stop in moved for place in range(start, stop)}
    more = _counts(before), _counts(after)
    return _marked(before, left, more[0] - more[1]), _marked(after, right, more[1] - more[0])


def _counts(pieces: Sequence[Piece]) -> Counter[str]:
    """How often each word is named, in classes too."""
    return Counter(one.text for piece in pieces for one in (piece.words or (piece,)))


def _marked(pieces: Sequence[Piece], places: set[int], more: Counter[str]) -> tuple[Piece, ...]:
    """The words among these places that this side names so many times more."""
    left, found = Counter(more), list(pieces)
    for place in sorted(places):
        piece = pieces[place]
        if left[piece.text] > 0 and not piece.words and names_a_word(piece.text):
            left[piece.text] -= 1
            found[place] = replace(piece, kind="changed")
    return tuple(found)
