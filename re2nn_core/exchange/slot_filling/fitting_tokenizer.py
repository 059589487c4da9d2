"""Which tokenizer meets the borders of the spans of a file, and what is said of the choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from re2nn_core.errors import DataFileError
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import SPLITTING_KINDS, Tokenization, TokenizerKind, suggested_kind

_LOOKED_AT = 200


@dataclass(frozen=True)
class FirstTexts:
    """Texts of a file as they are read with a tokenizer, how many were left out, and whether words came with it."""

    texts: Sequence[str]
    left_out: int
    has_words: bool


@dataclass(frozen=True)
class FittingTokenizer:
    """The plainest tokenizer of those that leave fewest texts out, and a note where it is not the usual one."""

    kind: TokenizerKind
    note: str = ""


def fitting_tokenizer(read: Callable[[Tokenization], FirstTexts]) -> FittingTokenizer:
    """The tokenizer for a file of spans, which `read` reads with a given one; it raises DataFileError where no text is
    left. Words that come with a file are kept as they are."""
    # Words that come with a file may be longer than those of the finest tokenizer, which then leaves all texts out.
    finest = _tried(read, SPLITTING_KINDS[-1]) or _tried(read, "whitespace")
    if finest is None or finest.has_words:
        return FittingTokenizer("punctuation" if finest is None else "whitespace")
    usual = suggested_kind(finest.texts[:_LOOKED_AT])
    lost: dict[TokenizerKind, int] = {SPLITTING_KINDS[-1]: finest.left_out}
    for kind in (usual, "characters", "whitespace"):
        tried = _tried(read, kind)
        lost[kind] = len(finest.texts) + finest.left_out if tried is None else tried.left_out
        if lost[kind] <= finest.left_out:
            break
    kind = min((usual, "characters", "whitespace", SPLITTING_KINDS[-1]), key=lambda kind: lost.get(kind, float("inf")))
    return FittingTokenizer(kind, _note(kind, usual, lost))


def _tried(read: Callable[[Tokenization], FirstTexts], kind: TokenizerKind) -> FirstTexts | None:
    try:
        return read(Tokenization(kind))
    except DataFileError:
        return None


def _note(kind: TokenizerKind, usual: TokenizerKind, lost: dict[TokenizerKind, int]) -> str:
    if kind == usual:
        return ""
    gained = counted(lost[usual] - lost[kind], "text")
    return (
        f"The tokenizer '{kind}' was chosen: '{usual}' would leave out {gained} more, whose spans begin or end inside "
        "its words."
    )
