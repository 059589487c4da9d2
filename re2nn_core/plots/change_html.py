"""A change of a rule as HTML: both forms in one text, where what came is underlined and what went is struck through,
and a sentence about its effect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape as escape_html
from typing import Literal, Protocol

from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.visible import visible

Side = Literal["kept", "added", "removed"]
_FOLD, _FEW = 14, 3  # words in a row that only one side has that are shown, and left that are worth folding
_SIGNS = frozenset("|()[")
_NAMED = 3  # words of an added class that are shown
_WORD_IN_NAME = re.compile(r"@(?:.*\.)?(.+?)_\d+(?:_\d+)?((?:<:>.*)?)@")  # as reconstruction.weights.class_names
_ORDER: tuple[Side, ...] = ("added", "removed", "kept")
_MOVED: tuple[tuple[str, Side], ...] = (("+", "added"), ("−", "removed"))
_TAGS: dict[Side, tuple[str, str]] = {
    "kept": ("", ""),
    "added": ('<ins class="re2-new">', "</ins>"),
    "removed": ('<del class="re2-gone">', "</del>"),
}


class RulePiece(Protocol):
    """A part of the text; `words` are those of a word class, each with its side."""

    @property
    def text(self) -> str: ...

    @property
    def side(self) -> Side: ...

    @property
    def words(self) -> Sequence[tuple[str, Side]]: ...


def escape(text: str) -> str:
    """Text that can stand in HTML, in an attribute as well. What would turn the direction of all that follows is
    written out."""
    return escape_html(visible(text), quote=True)


def rule_as_html(pieces: Sequence[RulePiece]) -> str:
    """A rule with what came and went marked; long rows of words are folded. Words that it has elsewhere now are named
    below it."""
    moved = sorted(_words(pieces, "removed") & _words(pieces, "added"))
    verb = "is" if len(moved) == 1 else "are"
    names = escape(first_names(moved, _NAMED))
    note = f'<div class="re2-muted re2-moved">{names} {verb} not lost: moved to another part of the rule.</div>'
    return f'<div class="re2-rule-text">{"".join(map(_piece, pieces))}{note if moved else ""}</div>'


def _words(pieces: Sequence[RulePiece], side: Side) -> set[str]:
    """The plain words that stand on one side alone."""
    own = (token for piece in pieces if piece.side == side and not piece.words for token in piece.text.split())
    return {token for token in own if token[0].isalnum() and token[-1].isalnum()}


def _piece(piece: RulePiece) -> str:
    if piece.words:
        return _class(piece)
    parts = piece.text.split(" | ")
    if piece.side == "kept" or len(parts) <= _FOLD + _FEW:
        return _marked(piece.text, piece.side)
    rest = _marked(" | ".join(parts[_FOLD:]), piece.side)
    more = f"<details><summary>… {len(parts) - _FOLD:,} more</summary>{rest}</details>"
    return f"{_marked(' | '.join(parts[:_FOLD]), piece.side)} | {more}"


def _marked(text: str, side: Side) -> str:
    """The text, marked; of what came the words alone, since bars and brackets would only disturb."""
    before, after = _TAGS[side]
    if side != "added":
        return f"{before}{escape(text)}{after}"
    tokens = (token if token in _SIGNS or not token else f"{before}{escape(token)}{after}" for token in text.split(" "))
    return " ".join(tokens)


def _class(piece: RulePiece) -> str:
    """A word class: how many words came and went, and all of them behind a click, those that changed in front. One that
    the rule did not have, and that is named after one of its words, is shown by its first words instead."""
    before, after = _TAGS[piece.side]
    sides: dict[Side, list[str]] = {side: [word for word, own in piece.words if own == side] for side in _ORDER}
    moved = [f"{sign}{len(sides[side]):,}" for sign, side in _MOVED if sides[side]]
    reported = ", ".join(moved) if moved and piece.side == "kept" else counted(len(piece.words), "word")
    words = " | ".join(f"{_TAGS[side][0]}{escape(word)}{_TAGS[side][1]}" for side in _ORDER for word in sides[side])
    head = f"{before}{escape(piece.text)}{after} <i>{reported}</i>"
    strongest = _WORD_IN_NAME.fullmatch(piece.text)
    if piece.side == "added" and len(piece.words) > _NAMED and strongest and _names_no_kind(strongest[1], piece):
        named = '</ins> | <ins class="re2-new">'.join(
            escape(word) for word in _telling_first(piece, strongest[1])[:_NAMED]
        )
        head = f"{before}{named}{escape(strongest[2])}{after} <i>and {len(piece.words) - _NAMED:,} more</i>"
        words = f"{escape(piece.text)}: {words}"
    return f"<details><summary>{head}</summary><div>{words}</div></details>"


def _names_no_kind(stem: str, piece: RulePiece) -> bool:
    """Whether a learned class is named after one of its words, not after what they are, as `months`."""
    return stem == "words" or any(word == stem for word, _ in piece.words)


def _telling_first(piece: RulePiece, strongest: str) -> list[str]:
    """The words of a class: the one that it is named after, signs and numbers behind the others."""
    return sorted((word for word, _ in piece.words), key=lambda word: (word != strongest, not word[:1].isalpha()))


def effect_as_html(moved: tuple[int, int, int], split: str | None, texts: int, held: tuple[int, int]) -> str:
    """What a change does, in a sentence. `moved`: how many texts it fixes, breaks, and how many other predictions
    change; `held`: how many of the held-out `texts` of the split it fixes and breaks; None where none is held out."""
    fixed, broken, changed = moved
    if not fixed and not broken:
        other = f" {counted(changed, 'prediction')} without a label changes." if changed == 1 else ""
        other = f" {changed:,} other predictions change." if changed > 1 else other
        return f"Fixes and breaks no labelled text.{other}"
    first = f"Fixes <b>{counted(fixed, 'text')}</b>, breaks <b>{broken:,}</b>"
    if split is None:
        return f"{first}. There are no held-out texts, so the effect on new texts is unknown."
    where = f"{escape(split)} ({counted(texts, 'held-out text')})"
    return f"{first}. On {where}: <b>{held[0]:,}</b> fixed, <b>{held[1]:,}</b> broken."
