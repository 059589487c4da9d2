"""Where in a rule a word stands that the rule had elsewhere before: next to which words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from re2nn_core.plots.review.change_html import RulePiece
from re2nn_core.plots.review.listed_items import SIGNS, ListedItem, quoted, without_repeat

_OPEN, _CLOSE, _BAR, _NEXT = "([", ")]", "|", 2


@dataclass(frozen=True)
class _Token:
    """What stands between two blanks, without tag and repeat; whether it `came`, and the words of a class."""

    text: str
    came: bool
    words: frozenset[str] = frozenset()


def items_by_place(items: Sequence[ListedItem], pieces: Sequence[RulePiece]) -> dict[str, list[ListedItem]]:
    """The items by where they came, as `after “the”`; those without a word near them under an empty text."""
    tokens, found = list(_tokens(pieces)), dict[str, list[ListedItem]]()
    for item in items:
        found.setdefault(_place_of(item, tokens), []).append(item)
    return found


def _tokens(pieces: Sequence[RulePiece]) -> Iterator[_Token]:
    """The new form of a rule."""
    for piece in pieces:
        came = piece.side == "added"
        if piece.words and (came or piece.side == "kept"):
            yield _Token(piece.text, came, frozenset(word for word, side in piece.words if side == "added"))
        elif came or piece.side == "kept":
            yield from (_Token(without_repeat(text.partition("<:>")[0]), came) for text in piece.text.split())


def _place_of(item: ListedItem, tokens: Sequence[_Token]) -> str:
    places = range(len(tokens) - len(item.words) + 1)
    came = [place for place in places if _came_at(item, tokens, place)]
    found = (_beside(tokens, place, place + len(item.words) - 1, frozenset(item.words)) for place in came)
    return next(filter(None, found), "")


def _came_at(item: ListedItem, tokens: Sequence[_Token], place: int) -> bool:
    own = tokens[place : place + len(item.words)]
    if len(own) == 1 and own[0].words:
        return own[0].words.issuperset(item.words)
    return tuple(token.text for token in own) == item.words and all(token.came for token in own)


def _beside(tokens: Sequence[_Token], first: int, last: int, own: Collection[str]) -> str:
    """The word before a part, or behind it, or another alternative than its `own` words; of the part in brackets that
    it is in, where there is none of these."""
    before, after = _text(tokens, first - 1), _text(tokens, last + 1)
    if _is_word(before):
        return f"after {quoted([before])}"
    if _is_word(after):
        return f"before {quoted([after])}"
    if not ((before == _BAR or before[:1] in _OPEN) and (after == _BAR or after[:1] in _CLOSE)):
        return ""
    left, right = _bracket(tokens, first, -1), _bracket(tokens, last, 1)
    if others := [word for word in _alternatives(tokens, left, right) if word not in own]:
        more = " …" if len(others) > _NEXT else ""
        return f"in place of {', '.join(quoted([word]) for word in others[:_NEXT])}{more}"
    return _beside(tokens, left, right, own) if left >= 0 and right < len(tokens) else ""


def _text(tokens: Sequence[_Token], place: int) -> str:
    return tokens[place].text if 0 <= place < len(tokens) else _BAR


def _is_word(text: str) -> bool:
    return text not in SIGNS and text[:1] not in ("$", "@", *_OPEN, *_CLOSE, _BAR)


def _bracket(tokens: Sequence[_Token], place: int, step: int) -> int:
    """The bracket around a part, on the one side of it; outside of the tokens where there is none."""
    opening, closing = (_OPEN, _CLOSE) if step > 0 else (_CLOSE, _OPEN)
    depth, place = 0, place + step
    while 0 <= place < len(tokens):
        text = tokens[place].text[:1]
        if text and text in closing:
            if not depth:
                return place
            depth -= 1
        depth += bool(text) and text in opening
        place += step
    return place


def _alternatives(tokens: Sequence[_Token], left: int, right: int) -> list[str]:
    """The single words that stand between the bars of a bracket and were there before."""
    bars, depth = [left], 0
    for place in range(left + 1, right):
        text = tokens[place].text[:1]
        depth += text in ("(", "[")
        depth -= text in (")", "]")
        if not depth and text == _BAR:
            bars.append(place)
    single = (start + 1 for start, end in pairwise([*bars, right]) if end - start == 2)
    return [tokens[place].text for place in single if not tokens[place].came and _is_word(tokens[place].text)]
