"""Rules as patterns of bytes, for Hyperscan, google-re2 and `re`.

A sentence is written ` word word word `, so that a pattern that begins with a blank begins at a word.
Anything in front of a rule and behind it is left out, and searched for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from re2nn_core.rules.tree import (
    Any,
    Choice,
    Concat,
    Empty,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
)

ANYTHING = Repeat(Any(), 0, None)


class Spelling(Protocol):
    """How sentences are written for a peer, and how a pattern reads one word of them."""

    def sentence(self, words: Sequence[str]) -> str: ...
    def symbol(self, node: Node) -> str: ...

    before: str  # what a pattern reads in front of its first word


@dataclass(frozen=True)
class Blanks:
    """` flights to boston `: of ASCII alone, as `\\d` and punctuation are."""

    before: str = " "

    def sentence(self, words: Sequence[str]) -> str:
        return f" {' '.join(words)} " if words else " "

    def symbol(self, node: Node) -> str:
        match node:
            case Word(text):
                return re.escape(text) + " "
            case Any():
                return "[^ ]+ "
            case Number():
                return r"(?:[0-9]+\.?[0-9]*|\.[0-9]+) "
            case Punctuation():
                return r"[!-/:-@\[-`{-~]+ "
        raise ValueError(f"no pattern for {node}")


def trimmed(tree: Node) -> tuple[Node, bool, bool]:
    """A rule without anything around it, and whether it is bound to the start and the end of a sentence."""
    parts = list(tree.parts) if isinstance(tree, Concat) else [tree]
    bound_left, bound_right = True, True
    if parts and parts[0] == SentenceStart():
        parts = parts[1:]
    if parts and parts[-1] == SentenceEnd():
        parts = parts[:-1]
    if parts and parts[0] == ANYTHING:
        bound_left, parts = False, parts[1:]
    if parts and parts[-1] == ANYTHING:
        bound_right, parts = False, parts[:-1]
    return (parts[0] if len(parts) == 1 else Concat(tuple(parts)) if parts else Empty()), bound_left, bound_right


def pattern(tree: Node, spelling: Spelling) -> str:
    """A pattern that a sentence is searched with. ValueError for what has none, such as words that are left out."""
    inner, bound_left, bound_right = trimmed(tree)
    # What is bound nowhere and reads no word is found everywhere.
    return f"{'^' if bound_left else ''}{spelling.before}{_body(inner, spelling)}{'$' if bound_right else ''}"


def _body(node: Node, spelling: Spelling) -> str:
    match node:
        case Concat(parts):
            return "".join(_body(part, spelling) for part in parts)
        case Choice(options):
            return f"(?:{'|'.join(_body(option, spelling) for option in options)})"
        case Repeat(inner, least, most):
            times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get(
                (least, most), f"{{{least},{'' if most is None else most}}}"
            )
            return f"(?:{_body(inner, spelling)}){times}"
        case Empty():
            return ""
        case SentenceStart() | SentenceEnd():
            raise ValueError("BOS and EOS have no pattern here")
    return spelling.symbol(node)
