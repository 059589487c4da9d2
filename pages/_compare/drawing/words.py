"""Rules before and after as HTML: what went is struck through, what came is underlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Literal

from pages._shared.drawing.markup import escape
from re2nn_core.services.rule_systems.rule_pieces import Piece
from re2nn_core.text.counting import counted
from re2nn_core.text.word_groups import NOTHING_KNOWN, WordGroup, WordKnowledge, word_groups
from re2nn_core.text.word_groups import Kind as GroupKind

Kind = Literal["gone", "new"]
_FOLD_WORDS = 12
_SIGNS = ("$", "%", "&")  # any word, any number, any punctuation
_IN_LINE = 3  # words of a class that are reported beside its name
_NO_GAINS: Mapping[str, int] = MappingProxyType({})


def rule_html(pieces: Sequence[Piece], kind: Kind, gains: Mapping[str, int] = _NO_GAINS) -> str:
    """A printed rule with the words that went or came marked; of many in a row those of the largest `gains` are
    shown."""
    rows = groupby(pieces, lambda piece: _is_changed_word(piece) or not piece.text.strip(" |"))
    shown = (
        _row(list(row), kind, gains) if of_words else "".join(_piece(one, kind) for one in row)
        for of_words, row in rows
    )
    return f'<div class="re2-rule-text">{"".join(shown)}</div>'


def _is_changed_word(piece: Piece) -> bool:
    return piece.kind == "changed" and not piece.words


def _row(row: Sequence[Piece], kind: Kind, gains: Mapping[str, int]) -> str:
    """Alternatives of words that came or went, and the bars and blanks between them: of many the first, the others
    behind a click."""
    by_bars = (list(part) for bar, part in groupby(row, lambda piece: piece.text == "|") if not bar)
    options = [part for part in by_bars if any(map(_is_changed_word, part))]
    if len(options) <= _FOLD_WORDS + 1:
        return "".join(_piece(piece, kind) for piece in row)
    ordered = sorted(options, key=lambda part: -max(gains.get(piece.text, 0) for piece in part))
    written = ["".join(_piece(piece, kind) for piece in part).strip() for part in ordered]
    first, rest = " | ".join(written[:_FOLD_WORDS]), " | ".join(written[_FOLD_WORDS:])
    more = f'<details class="re2-inline"><summary>{len(written) - _FOLD_WORDS:,} more</summary> {rest}</details>'
    text = "".join(piece.text for piece in row)
    begin, end = text[: len(text) - len(text.lstrip(" |"))], text[len(text.rstrip(" |")) :]
    return f"{begin}{first} | {more}{end}"


def _piece(piece: Piece, kind: Kind) -> str:
    text = escape(piece.text)
    if piece.words:
        changed = [word for word in piece.words if word.kind == "changed"]
        words = " | ".join(_marked(escape(word.text), kind, word.kind == "changed") for word in piece.words)
        whole = len(changed) == len(piece.words)  # of a class that keeps some words, those are marked that changed
        reported = f"{_marked(text, kind, whole)} <i>{_counted(piece.words)}</i>{_in_words(changed, kind, whole=whole)}"
        return f"<details><summary>{reported}</summary><div>{words}</div></details>"
    return _marked(text, kind, piece.kind == "changed")


def _in_words(changed: Sequence[Piece], kind: Kind, *, whole: bool) -> str:
    """How many words of a class went or came, and the first of them where others stayed."""
    if not changed:
        return ""
    message = f"<i>, {'all' if whole else f'{len(changed):,}'} {'removed' if kind == 'gone' else 'added'}</i>"
    if whole:
        return message
    shown = ", ".join(_marked(escape(word.text), kind, True) for word in changed[:_IN_LINE])
    return f"{message}<i>:</i> {shown}{' …' if len(changed) > _IN_LINE else ''}"


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


def word_list(title: str, words: Sequence[str], kind: Kind, known: WordKnowledge = NOTHING_KNOWN) -> str:
    """Words that went or came, in groups: those of several words open, junk comes last and is grey."""
    if not words:
        return f'<div class="re2-head">{title}: none</div>'
    signs = [word for word in words if word in _SIGNS]
    # Numbers and signs say least, and come last.
    reported = sorted((word for word in words if word not in _SIGNS), key=lambda word: not word[:1].isalpha())
    groups = [_marked(escape(sign), kind, True) for sign in signs]
    groups += [_group(group, kind) for group in word_groups(reported, known)]
    rest = groups[_FOLD_WORDS:]
    more = (
        f' <details class="re2-inline"><summary>… {len(rest):,} more</summary>{", ".join(rest)}</details>'
        if rest
        else ""
    )
    shown = ", ".join(groups[:_FOLD_WORDS])
    return f'<div class="re2-head">{title}, {len(words)}</div><div class="re2-words">{shown}{more}</div>'


def _group(group: WordGroup, kind: Kind) -> str:
    if group.kind is GroupKind.ALONE:
        return _marked(escape(group.name), kind, True)
    words = ", ".join(_marked(escape(word), kind, True) for word in group.words)
    grey = " re2-muted" if group.kind is GroupKind.JUNK else ""
    return f'<details class="re2-inline{grey}"><summary>{escape(group.title)}</summary>{words}</details>'
