"""A rule with another expression, as its author laid it out: the blanks, the line breaks and the way to write a word
stay wherever the expression stays."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from re2nn_core.errors import RuleError
from re2nn_core.rules.lexer import ANCHORS, WORD, BadTokenError, read_word, spans
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.source import LogicalLine

_MOST = 4_000_000  # pairs of tokens that are compared


def laid_out(line: LogicalLine, body: int, expression: str) -> list[str] | None:
    """The physical lines of a rule with another expression; its comment stays too. `body`: where the expression begins
    in the text of the logical line. None where the two expressions are too long to be compared, or where a word as the
    author wrote it would be read as something else there."""
    raw, before = "\n".join(line.sources), _tokens(line.text, body)
    after = _tokens(expression, 0)
    if not before or len(before) * len(after) > _MOST:
        return None
    tail = raw[before[-1][1] :]
    text = raw[body : before[0][0]] + _with_gaps(raw, line.text, before, expression, after)
    try:
        if parse_expression(text) != parse_expression(expression):
            return None
    except RuleError:
        return None
    return (raw[:body] + text + tail).split("\n")


def _with_gaps(
    raw: str, old: str, before: Sequence[tuple[int, int]], new: str, after: Sequence[tuple[int, int]]
) -> str:
    """The new tokens, those that stay as they were written, with what stood between them."""
    known = kept_places([old[start:end] for start, end in before], [new[start:end] for start, end in after])
    written: list[str] = []
    last = -1  # the last token of the old expression that stays
    for place, (start, end) in enumerate(after):
        own = known.get(place)
        if place:
            gap = new[after[place - 1][1] : start]
            if own is not None and known.get(place - 1) == own - 1:
                gap = raw[before[own - 1][1] : before[own][0]]
            elif own is not None and gap:
                gaps = (raw[before[one - 1][1] : before[one][0]] for one in range(max(last, 0) + 1, own + 1))
                gap = next((one for one in gaps if "\n" in one), gap)
            written.append(gap)
        written.append(new[start:end] if own is None else raw[slice(*before[own])])
        last = last if own is None else own
    return "".join(written)


def kept_places(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Of each token of the second sequence that stays, its place in the first."""
    first, second = ([_meaning(token) for token in side] for side in (before, after))
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return {block.b + step: block.a + step for block in blocks for step in range(block.size)}


def _tokens(text: str, begin: int) -> list[tuple[int, int]]:
    """Where the tokens of an expression are, without the comment behind it."""
    found = [(start + begin, end + begin) for start, end in spans(text[begin:])]
    return [(start, end) for start, end in found if not text.startswith("//", start)]


def _meaning(token: str) -> tuple[str, str]:
    """What is equal for two ways to write one word, and for nothing else."""
    if token not in ANCHORS and (token.startswith('"') or WORD.fullmatch(token)):
        try:
            return "word", read_word(token)
        except BadTokenError:
            pass
    return "sign", token
