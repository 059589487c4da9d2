"""A printed rule for slots as units that can be laid beside those of another: one word or sign each, or all
alternatives that are read in one place.

`( on | & )` is one unit, and so is `@day.words@`: brackets that only hold alternatives of one word, and the bars
between these, say nothing that a class does not say without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from re2nn_core.rules.lexer import ANCHORS
from re2nn_core.rules.named_leaves import KINDS
from re2nn_core.services.rule_systems.rule_pieces import Piece

_SIGNS = frozenset("()|*+?$%&{[]<")
_OPEN, _CLOSE, _BAR = "(", ")", "|"


@dataclass(frozen=True)
class RuleUnit:
    """`places` among the pieces of the rule; `kinds`: the signs for kinds of words that it holds, those of opened
    classes too; `words`: what else it names, and the words that stand for it, of a class its own; `bare`: signs that
    read no word."""

    places: tuple[int, ...]
    key: frozenset[str]
    kinds: frozenset[str]
    words: tuple[tuple[str, frozenset[str]], ...]
    bare: bool


@dataclass(frozen=True)
class KindForWords:
    """A kind of words that stands for these words of the other side."""

    kind: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind} instead of {' | '.join(self.words)}"


@dataclass(frozen=True)
class Difference:
    """What differs between two rules in signs: the places of pieces to be marked, and what stands for words of the
    other side; of either side."""

    marked: tuple[frozenset[int], frozenset[int]]
    stands: tuple[tuple[KindForWords, ...], tuple[KindForWords, ...]]


def sign_difference(before: Sequence[Piece], after: Sequence[Piece]) -> Difference:
    """The signs that stand on one side alone, and kinds of words that stand for words of the other side."""
    sides = (before, after)
    units = [list(_units(side)) for side in sides]
    marked, stands = (set[int](), set[int]()), (list[KindForWords](), list[KindForWords]())
    matcher = SequenceMatcher(None, [u.key for u in units[0]], [u.key for u in units[1]], autojunk=False)
    for kind, begin, end, first, last in matcher.get_opcodes():
        parts = (units[0][begin:end], units[1][first:last])
        if kind == "equal":
            continue
        for side, (own, other) in enumerate((parts, parts[::-1])):
            removed = _kinds(own) - _kinds(other)
            marked[side].update(_signs(own, sides[side], removed))
            stands[side].extend(_in_place_of(removed, _words_alone(other, own)))
    return Difference(
        (frozenset(marked[0]), frozenset(marked[1])),
        (tuple(dict.fromkeys(stands[0])), tuple(dict.fromkeys(stands[1]))),
    )


def is_sign(text: str) -> bool:
    """True for what names neither words nor a class of them."""
    return text[:1] in _SIGNS or text in ANCHORS


def _kinds(units: Sequence[RuleUnit]) -> frozenset[str]:
    return frozenset[str]().union(*(unit.kinds for unit in units))


def _signs(units: Sequence[RuleUnit], pieces: Sequence[Piece], kinds: Collection[str]) -> Iterator[int]:
    """The places of signs: those of `kinds`, and all that read no word."""
    for unit in units:
        for place in unit.places:
            if pieces[place].text in kinds or unit.bare:
                yield place


def _words_alone(units: Sequence[RuleUnit], beside: Sequence[RuleUnit]) -> list[str]:
    """The words and classes of units that name a word which the other ones do not."""
    there = {word for unit in beside for _, words in unit.words for word in words}
    return [name for unit in units for name, words in unit.words if words - there]


def _in_place_of(kinds: Collection[str], words: Sequence[str]) -> Iterator[KindForWords]:
    for sign, kind in KINDS.items():
        if words and sign in kinds:
            yield KindForWords(kind, tuple(words))


def _units(pieces: Sequence[Piece]) -> Iterator[RuleUnit]:
    """The units of a rule in order."""
    tokens = [place for place, piece in enumerate(pieces) if piece.text.strip()]
    texts = [pieces[place].text for place in tokens]
    begin = 0
    while begin < len(tokens):
        end = _group_end(texts, begin)
        yield _unit(pieces, tokens[begin:end])
        begin = end


def _group_end(texts: Sequence[str], begin: int) -> int:
    """Where the unit ends that begins there: behind a bracket of single words, or behind a run of them."""
    if texts[begin] == _OPEN:
        end = _run_end(texts, begin + 1)
        return end + 1 if end > begin + 1 and texts[end : end + 1] == [_CLOSE] else begin + 1
    alone = begin == 0 or texts[begin - 1] == _BAR or texts[begin - 1][0] in "(["
    return max(_run_end(texts, begin), begin + 1) if alone else begin + 1


def _run_end(texts: Sequence[str], begin: int) -> int:
    """The end of alternatives of one word each from there on, `begin` where the first of them is none."""
    end = at = begin
    while at < len(texts) and _reads_one(texts[at]):
        after = texts[at + 1] if at + 1 < len(texts) else _CLOSE
        if after[0] not in ")]|":
            break
        end, at = at + 1, at + 2
        if after != _BAR:
            break
    return end


def _reads_one(text: str) -> bool:
    return text in KINDS or not is_sign(text)


def _unit(pieces: Sequence[Piece], places: Sequence[int]) -> RuleUnit:
    own = [pieces[place] for place in places]
    named = [piece for piece in own if len(own) == 1 or piece.text not in (_OPEN, _CLOSE, _BAR)]
    inside = {piece.text: frozenset(word.text for word in piece.words) for piece in named}
    return RuleUnit(
        tuple(places),
        frozenset(piece.text for piece in named),
        frozenset(KINDS) & inside.keys() | frozenset(KINDS) & frozenset().union(*inside.values()),
        tuple(
            (text, (words or frozenset((text,))) - KINDS.keys()) for text, words in inside.items() if not is_sign(text)
        ),
        len(own) == 1 and own[0].text not in KINDS and is_sign(own[0].text),
    )
