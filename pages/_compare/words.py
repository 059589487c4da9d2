"""Rules before and after as HTML: what went is struck through, what came is underlined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pages._shared.markup import escape
from re2nn_core.services.rule_pieces import Piece
from re2nn_core.text.counting import counted

Kind = Literal["gone", "new"]
_FOLD_WORDS = 12


def rule_html(pieces: Sequence[Piece], kind: Kind) -> str:
    """A printed rule with the words that went or came marked."""
    return f'<div class="re2-rule-text">{"".join(_piece(piece, kind) for piece in pieces)}</div>'


def _piece(piece: Piece, kind: Kind) -> str:
    text = escape(piece.text)
    if piece.words:
        count = sum(word.kind == "changed" for word in piece.words)
        words = " | ".join(_marked(escape(word.text), kind, word.kind == "changed") for word in piece.words)
        told = _counted(piece.words) + (f", {count} {kind}" if count else "")
        return (
            f"<details><summary>{_marked(text, kind, bool(count))} <i>{told}</i></summary><div>{words}</div></details>"
        )
    return _marked(text, kind, piece.kind == "changed")


def _counted(words: Sequence[Piece]) -> str:
    """How many alternatives a class has; one of several words counts once, as it does in the file."""
    if any(" " in word.text for word in words):
        return f"{len(words):,} words and phrases"
    return counted(len(words), "word")


def _marked(text: str, kind: Kind, changed: bool) -> str:
    if not changed or text == "|":  # a bar says nothing by itself, and among many words it only disturbs
        return text
    # Struck through or underlined as well, so that colour is not the only mark.
    return f'<del class="re2-gone">{text}</del>' if kind == "gone" else f'<ins class="re2-new">{text}</ins>'


def word_list(title: str, words: Sequence[str], kind: Kind) -> str:
    """Words that went or came, the first ones in sight."""
    if not words:
        return f'<div class="re2-head">{title}: none</div>'
    told = sorted(words, key=lambda word: not word[:1].isalpha())  # numbers and signs say least, and come last
    shown = ", ".join(_marked(escape(word), kind, True) for word in told[:_FOLD_WORDS])
    rest = told[_FOLD_WORDS:]
    more = (
        f' <details class="re2-inline"><summary>and {len(rest)} more</summary>'
        f"{', '.join(_marked(escape(word), kind, True) for word in rest)}</details>"
        if rest
        else ""
    )
    return f'<div class="re2-head">{title}, {len(words)}</div><div class="re2-words">{shown}{more}</div>'
