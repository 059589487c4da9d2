"""A change of a rule as HTML: both forms in one text, where what came is underlined and what went is struck through."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from typing import Literal, Protocol

from re2nn_core.automata.differences.difference import MachineDifference
from re2nn_core.automata.symbols import show_symbol
from re2nn_core.plots.review.grouped_words import GroupedWords, RowOfWords, grouped_words, plain_word, rows_of_words
from re2nn_core.plots.scene_geometry import NO_COUNTS, shown_of
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.visible import visible
from re2nn_core.text.word_groups import KIND_NAMES, kinds_of

Side = Literal["kept", "added", "removed", "rewritten"]
_UNFOLDED = 17  # words in a row that only one side has; of more the first are shown, as in a drawing
_EXCEPT = "[^"  # behind it stand words that are refused
_SIGNS = frozenset({*"|()[", _EXCEPT})
_REPEAT = re.compile(r"(?<=.)(?:[?*+]|\{[\d,]*\})$")
_NAMED = 3  # words that moved
_WORD_IN_NAME = re.compile(r"@(?:.*\.)?(.+?)_\d+(?:_\d+)?((?:<:>.*)?)@")  # as reconstruction.weights.class_names
_ORDER: tuple[Side, ...] = ("added", "removed", "kept")
_GONE: tuple[Side, ...] = ("removed", "rewritten")
_MOVED: tuple[tuple[str, Side], ...] = (("+", "added"), ("−", "removed"))
_REWRITTEN = "Still matched: the new rule writes it in another way."
_TAGS: dict[Side, tuple[str, str]] = {
    "kept": ("", ""),
    "added": ('<ins class="re2-new">', "</ins>"),
    "removed": ('<del class="re2-gone">', "</del>"),
    "rewritten": (f'<span class="re2-rewritten" title="{_REWRITTEN}">', "</span>"),
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


@dataclass(frozen=True)
class _Rewritten:
    """A piece that the second form lacks in the text alone."""

    text: str
    side: Side
    words: Sequence[tuple[str, Side]]


def with_rewritten(pieces: Sequence[RulePiece], difference: MachineDifference | None) -> tuple[RulePiece, ...]:
    """The pieces; those that went from the text are `rewritten` where the automata, as they are drawn, still read all
    of their words there."""
    lost = None if difference is None else difference.read_no_more
    if lost is None:
        return tuple(pieces)
    names = frozenset(map(show_symbol, lost))

    def still_there(word: str) -> bool:
        return plain_word(word) not in names and word not in names

    def with_side(piece: RulePiece) -> RulePiece:
        words: tuple[tuple[str, Side], ...] = tuple(
            (word, "kept" if side == "removed" and still_there(word) else side) for word, side in piece.words
        )
        went = [word for word, side in words if side == "removed"] if words else filter(None, _leaves(piece.text))
        if piece.side == "removed" and all(map(still_there, went)):
            return _Rewritten(piece.text, "rewritten", words)
        return _Rewritten(piece.text, piece.side, words)

    return tuple(map(with_side, pieces))


def _leaves(text: str) -> list[str]:
    """What stands between the brackets and bars of a text, without the signs of repeats."""
    return [_REPEAT.sub("", token.partition("<:>")[0]) for token in text.split() if token not in _SIGNS]


def _is_wild(token: str) -> bool:
    return token == _EXCEPT or _leaves(token) == ["$"]


def rule_as_html(pieces: Sequence[RulePiece], weights: Mapping[str, float] = NO_COUNTS) -> str:
    """A rule with what came and went marked; long rows of words are folded, those of the largest of the `weights` in
    front. Words that it has elsewhere now are named below it."""
    moved = sorted(_words(pieces, "removed") & _words(pieces, "added"))
    verb = "is" if len(moved) == 1 else "are"
    names = escape(first_names(moved, _NAMED))
    note = f'<div class="re2-muted re2-moved">{names} {verb} not lost: moved to another part of the rule.</div>'
    again = '<div class="re2-muted re2-moved">Grey: still matched, only written in another way.</div>'
    below = (note if moved else "") + (again if any(piece.side == "rewritten" for piece in pieces) else "")
    known = frozenset(leaf for piece in pieces if piece.side in _GONE for leaf in _leaves(piece.text) if leaf != "$")
    written = (_piece(piece, weights, known | wild) for piece, wild in zip(pieces, _wild_before(pieces), strict=True))
    return f'<div class="re2-rule-text">{"".join(written)}{below}</div>'


def _wild_before(pieces: Sequence[RulePiece]) -> Iterator[frozenset[str]]:
    """For each piece the wildcards, with their repeats, of what it is in the place of: a wildcard elsewhere in the rule
    does not make one here known. One that reads any word reads any but some."""
    wild = frozenset[str]()
    for piece in pieces:
        if piece.side in _GONE:
            found = frozenset(token for token in piece.text.split() if _is_wild(token))
            wild = found | ({_EXCEPT} if found else frozenset())
        elif piece.side == "kept" and piece.text.strip():
            wild = frozenset()
        yield wild


def _words(pieces: Sequence[RulePiece], side: Side) -> set[str]:
    """The plain words that stand on one side alone."""
    own = (token for piece in pieces if piece.side == side and not piece.words for token in piece.text.split())
    return {token for token in own if token[0].isalnum() and token[-1].isalnum()}


def _piece(piece: RulePiece, weights: Mapping[str, float], known: frozenset[str]) -> str:
    if piece.words:
        return _class(piece, weights, known)
    if piece.side == "kept" or piece.text.count(" | ") < _UNFOLDED:
        return _marked(piece.text, piece.side, known)
    rows = (_row(row, piece.side, known) for row in rows_of_words(piece.text))
    return _marked(" | ", piece.side, known).join(rows)


def _row(row: RowOfWords, side: Side, known: frozenset[str]) -> str:
    """Alternatives that are words: those of one kind behind its name, of the others the first in front."""
    found = grouped_words(row.words)
    shown = shown_of(found.rest)
    folded = [*((group.title, group.words) for group in found.groups)]
    if more := found.rest[len(shown) :]:
        folded.append((f"{len(more):,} more", more))
    before, after = _TAGS[side]
    written = [_marked(" | ".join(shown), side, known)] if shown else []
    for title, words in folded:
        summary = f"<summary>{before}{escape(title)}{after}</summary>"
        written.append(f"<details>{summary} {_marked(' | '.join(words), side, known)}</details>")
    lead, trail = (_marked(text, side, known) if text else "" for text in (row.lead, row.trail))
    return f"{lead}{' | '.join(written)}{trail}"


def _marked(text: str, side: Side, known: frozenset[str]) -> str:
    """The text, marked; of what came the words alone, since bars and brackets would only disturb, and without those
    that are `known` from what it is in the place of. Words that it is not to match are marked as refused."""
    before, after = _TAGS[side]
    if side != "added":
        return f"{before}{escape(text)}{after}"
    refused, written = False, []
    for token in text.split(" "):
        closes = refused and token.startswith("]")
        refused = (refused or token == _EXCEPT) and not closes
        new = token and not closes and not known.intersection([token] if _is_wild(token) else _leaves(token))
        new = new and (token == _EXCEPT or token not in _SIGNS)
        if refused and token != _EXCEPT:
            written.append(f'<s class="re2-refused">{escape(token)}</s>')
        else:
            written.append(f"{before}{escape(token)}{after}" if new else escape(token))
    return " ".join(written)


def _class(piece: RulePiece, weights: Mapping[str, float], known: frozenset[str]) -> str:
    """A word class: how many words came and went, and all of them behind a click, those that changed in front. One that
    was learned is shown by what its words are, or by the first of them, instead of its name. One that is `known` from
    what it is in the place of is not marked as new."""
    before, after = _TAGS["kept" if piece.side == "added" and piece.text in known else piece.side]
    sides = {side: own_words(piece, side) for side in _ORDER}
    moved = [f"{sign}{len(sides[side]):,}" for sign, side in _MOVED if sides[side]]
    reported = ", ".join(moved) if moved and piece.side == "kept" else counted(len(piece.words), "word")
    words = " | ".join(f"{_TAGS[side][0]}{escape(word)}{_TAGS[side][1]}" for side in _ORDER for word in sides[side])
    head = f"{before}{escape(piece.text)}{after} <i>{reported}</i>"
    stem = stem_of_class(piece.text)
    if piece.side == "added" and stem is not None:
        tag = escape(piece.text.strip("@").partition("<:>")[2])
        tagged = f"{before}&lt;:&gt;{tag}{after}" if tag else ""
        kind = kind_of_class(stem, piece)
        if not kind or not all(is_of_kind(word, kind) for word in sides["added"]):
            ordered = sorted(sides["added"], key=lambda word: (*plain_order(word, weights), word != stem))
            named, more = _in_groups(ordered, before, after)
            head = f"( {named}{more} ){tagged}"
        else:
            head = f"{before}{escape(kind)}{after}{tagged} <i>{reported}</i>"
        words = f"{escape(piece.text)}: {words}"
    return f"<details><summary>{head}</summary><div>{words}</div></details>"


def _in_groups(words: Sequence[str], before: str, after: str) -> tuple[str, str]:
    """Words that have a name in common as that, of the others the first, and how many more there are."""
    found = grouped_words(words) if len(shown_of(words)) < len(words) else GroupedWords((), tuple(words))
    shown = shown_of(found.rest)
    titles = [
        *(f"{escape(group.name)} <i>{counted(len(group.words), 'word')}</i>" for group in found.groups),
        *map(escape, shown),
    ]
    more = f" <i>and {len(found.rest) - len(shown):,} more</i>" if len(found.rest) > len(shown) else ""
    return " | ".join(f"{before}{title}{after}" for title in titles), more


def own_words(piece: RulePiece, side: Side) -> list[str]:
    """The words of a class that are on a side."""
    return [word for word, own in piece.words if own == side]


def stem_of_class(text: str) -> str | None:
    """What a learned class is named after; None for a class of the author."""
    found = _WORD_IN_NAME.fullmatch(text)
    return None if found is None else found[1]


def kind_of_class(stem: str, piece: RulePiece) -> str:
    """What a learned class is named after where that is what most of its words are, as `months`; empty for one that is
    named after a word of it, which may be a word of its phrases alone."""
    name = stem.replace("_", " ")
    named_after_word = name not in KIND_NAMES or any(word == stem for word, _ in piece.words)
    return "" if named_after_word else name


def is_of_kind(word: str, kind: str) -> bool:
    """Whether a member of a class is what the class is named after."""
    return kind in kinds_of(plain_word(word))


def plain_order(word: str, weights: Mapping[str, float]) -> tuple[bool, float]:
    """To sort words by: signs and numbers behind the others, then the largest weight in front."""
    return not word[:1].isalpha(), -weights.get(plain_word(word), 0.0)
