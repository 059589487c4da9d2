"""Rules as patterns of tokens, for spaCy's Matcher.

A pattern there is a row of tokens, of which each may be repeated; alternatives of several words and repeats of them
are written out as further patterns. A sentence stands between two tokens of its own, so that a rule can be bound to its
start and its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as Value

from benchmarks.peer_patterns import trimmed

from re2nn_core.rules.tree import Any, Choice, Concat, Empty, Node, Number, Punctuation, Repeat, Word

FIRST, LAST = "<first>", "<last>"
MOST_PATTERNS = 2_000  # of one rule, written out
NUMBER = r"^([0-9]+\.?[0-9]*|\.[0-9]+)$"
PUNCTUATION = r"^[!-/:-@\[-`{-~]+$"
TIMES = {(0, None): "*", (1, None): "+", (0, 1): "?"}
Token = dict[str, Value]
Row = tuple[Token, ...]


def token_patterns(tree: Node) -> list[list[Token]]:
    """All rows of tokens that a rule stands for. ValueError where there is no such list, or too long a one."""
    inner, bound_left, bound_right = trimmed(tree)
    left: Row = ({"ORTH": FIRST},) if bound_left else ()
    right: Row = ({"ORTH": LAST},) if bound_right else ()
    return [list(left + row + right) for row in _rows(inner)]


def _rows(node: Node) -> list[Row]:
    one = _token(node)
    if one is not None:
        return [(one,)]
    match node:
        case Empty():
            return [()]
        case Choice(options):
            # Words alone are one token that is any of them.
            words = [option.text for option in options if isinstance(option, Word)]
            rows: list[Row] = [({"ORTH": {"IN": words}},)] if words else []
            return rows + [row for option in options if not isinstance(option, Word) for row in _rows(option)]
        case Concat(parts):
            return _in_a_row([_rows(part) for part in parts])
        case Repeat(inner, least, most):
            choices = _rows(inner)
            single = len(choices) == 1 and len(choices[0]) == 1 and "OP" not in choices[0][0]
            if single:
                bounds = f"{{{least},{'' if most is None else most}}}"
                return [({**choices[0][0], "OP": TIMES.get((least, most), bounds)},)]
            if most is not None:
                return [row for times in range(least, most + 1) for row in _in_a_row([choices] * times)]
    raise ValueError(f"no list of patterns for {node}")


def _in_a_row(parts: Sequence[list[Row]]) -> list[Row]:
    rows: list[Row] = [()]
    for choices in parts:
        rows = [row + more for row in rows for more in choices]
        if len(rows) > MOST_PATTERNS:
            raise ValueError(f"more than {MOST_PATTERNS:,} patterns")
    return rows


def _token(node: Node) -> Token | None:
    match node:
        case Word(text):
            return {"ORTH": text}
        case Any():
            return {"ORTH": {"NOT_IN": [FIRST, LAST]}}
        case Number():
            return {"ORTH": {"REGEX": NUMBER}}
        case Punctuation():
            return {"ORTH": {"REGEX": PUNCTUATION}}
    return None
